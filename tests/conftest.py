"""Settings for every test: a slow machine is no failure, so Hypothesis has no deadline."""

from hypothesis import settings

settings.register_profile("blade", deadline=None)
settings.load_profile("blade")
