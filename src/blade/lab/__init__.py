"""Scripted environments with planted faults: what a diagnosis is shown, and what it is measured against."""
