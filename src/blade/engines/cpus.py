"""How many CPUs this process may use, which in a container is often fewer than the machine has."""

import math
import os
from pathlib import Path

_CGROUP = Path("/sys/fs/cgroup")


def usable_cpus() -> int:
    """CPUs that the scheduler and the container's quota leave us; at least one."""
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(allowed, cgroup_quota() or allowed))


def cgroup_quota(root: Path = _CGROUP) -> int | None:
    """CPUs granted by the container's CPU quota (cgroup v2, then v1), rounded up; None when there is no limit."""
    try:
        if (root / "cpu.max").exists():
            quota, period = (root / "cpu.max").read_text().split()
        else:
            quota = (root / "cpu" / "cpu.cfs_quota_us").read_text().strip()
            period = (root / "cpu" / "cpu.cfs_period_us").read_text().strip()
        granted = float(quota) / float(period)
    except (OSError, ValueError, ZeroDivisionError):  # absent, or the word "max"
        return None
    return math.ceil(granted) if granted > 0 else None
