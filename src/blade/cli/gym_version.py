"""`gym --version`: which program this is and, as JSON, what it runs on, under the names that the reference uses."""

import json
import os
import platform
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import click

import blade


def print_version(*, as_json: bool) -> None:
    click.echo(json.dumps(described(), indent=2) if as_json else f"gym, version {blade.__version__}")


def described() -> dict[str, Any]:
    return {
        "nemo_gym": blade.__version__,
        "python": platform.python_version(),
        "python_path": sys.executable,
        "installation_path": str(Path(blade.__file__).parent),
        "dependencies": {name: _version(name) for name in ("openai", "ray")},
        "system": {
            "os": f"{platform.system()} {platform.release()}",
            "platform": platform.platform(),
            "architecture": platform.machine(),
            "processor": platform.processor() or "unknown",
            "cpus": os.cpu_count(),
            "memory_gb": _memory_gb(),
        },
    }


def _version(name: str) -> str | None:
    """The version of a package that may not be installed: neither is needed to evaluate on one machine."""
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _memory_gb() -> float | None:
    try:
        return round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / (1 << 30), 2)
    except (ValueError, OSError):
        return None
