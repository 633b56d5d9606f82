"""The stage on which scripted agents play: moves, the clock, the machinery's troubles, and the rows that come of it."""
