"""BLADE: which tasks failed, why, is the change real, and what to fix next."""

__version__ = "0.1.0"
