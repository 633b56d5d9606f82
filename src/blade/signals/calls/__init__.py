"""Calls of tools and their answers: parsed, compared, classed, and what tells a change from a lookup."""
