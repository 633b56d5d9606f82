"""`blade package init`: a package drafted from runs, for somebody to finish."""

from blade.packages.init.init import Made, init_package

__all__ = ["Made", "init_package"]
