"""Which published evidence is older than the code it speaks of: `python -m evidence.check`. Exit 1 when some is."""

import argparse
import json
import sys
from pathlib import Path

from .fingerprint import PUBLISHED, changed_since


def stale(published: Path) -> str | None:
    """Why a published file no longer speaks of today's code; None while it does."""
    try:
        recorded = json.loads(published.read_text(encoding="utf-8"))["fingerprint"]
    except (KeyError, TypeError, json.JSONDecodeError):
        return "does not say which sources it speaks of"
    changed = changed_since(recorded)
    return f"older than {', '.join(changed)}" if changed else None


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m evidence.check", description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=PUBLISHED, help="where the evidence is published")
    files = sorted(parser.parse_args().folder.glob("*.json"))
    reasons = {path: stale(path) for path in files}
    for path, reason in reasons.items():
        print(f"{path.name}: {reason or 'up to date'}")
    if not files:
        print("no published evidence found")
    return int(not files or any(reasons.values()))


if __name__ == "__main__":
    sys.exit(main())
