"""`blade package validate`: is a package what docs/packages.md says it is? One module for each deliverable, one function for each check."""

from blade.packages.validate.validate import validate

__all__ = ["validate"]
