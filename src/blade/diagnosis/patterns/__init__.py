"""What needs more than one rollout: siblings of a task, tasks of a run, the order of time. Each pattern yields findings."""
