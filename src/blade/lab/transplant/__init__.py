"""Planting faults into a copy of the user's own run: mutations of rows that work on any environment."""
