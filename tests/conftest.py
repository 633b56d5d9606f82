"""Settings for every test: a slow machine is no failure, so Hypothesis has no deadline; how wide the caller's window is says nothing."""

import os

from hypothesis import settings

from tests.ray_cluster import ray_address

__all__ = ["ray_address"]  # one cluster for all tests that want one

settings.register_profile("blade", deadline=None)
settings.load_profile("blade")
os.environ.pop("COLUMNS", None)
