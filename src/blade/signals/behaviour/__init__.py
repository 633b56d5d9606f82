"""BI: what the agent did or left undone, able as it was."""
