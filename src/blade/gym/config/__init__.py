"""Configurations: YAML files, the user's `env.yaml` and the command line, resolved into the servers that a run is made of.

A *configuration* is a tree of settings. Some top-level keys are *instances*: servers with a name, a kind (resources server,
agent, model) and an implementation, which is the folder that holds their code. Instances refer to each other by name. Agents say
which *datasets* they run on.

Rooms: `documents` (one file, with lines), `chain` (files that include files), `overrides` and `override_values` (the command
line), `directives` (`_inherit_from` and its kin), `interpolation` (`${…}`, `???`), `instances` and `datasets` (what is a server
and whether it can run), `masking` (secrets), `roots` and `selectors` (where things are found, by path and by name), `inventory`
(what a configuration needs on disk), `resolve` (the order of all this).
"""

from blade.gym.config.instances import Instance, Kind
from blade.gym.config.problems import ConfigError, Problem
from blade.gym.config.resolve import Examined, GymConfig, examine_config, resolve_config

__all__ = ["ConfigError", "Examined", "GymConfig", "Instance", "Kind", "Problem", "examine_config", "resolve_config"]
