"""`blade package sanitize`: copies of rollouts, sidecars and reports that can be shared (docs/sharing.md)."""

from blade.packages.sanitize.sanitize import sanitize

__all__ = ["sanitize"]
