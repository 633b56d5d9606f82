"""What can be evaluated, and with what: benchmarks, environments, agents, models and resources servers, wherever they lie.

An *entry* is found by its configuration (or, for agents, its folder) under the roots; the first root that has a name wins. A
benchmark is a configuration with exactly one dataset of type `benchmark`; an environment is one without. A configuration that
cannot be read stands in the list as `broken` with the reason, so that one bad file hides nothing else.

Rooms: `entry` (what an entry is and its JSON), `environments` (benchmarks and environments), `components` (agents, models,
resources servers), `search` (which entries a word finds).
"""

from collections.abc import Sequence

from blade.gym.catalog import components, environments
from blade.gym.catalog.entry import Entry, EntryType
from blade.gym.catalog.search import matches
from blade.gym.config.roots import search_roots

__all__ = ["Entry", "EntryType", "entries", "matches"]


def entries(what: EntryType | None = None, search_dirs: Sequence[str] = ()) -> list[Entry]:
    """All entries of a type, sorted by name. `environments` are both kinds, as is no type at all: the whole catalog."""
    roots = search_roots(search_dirs)
    if what in ("agents", "models", "resources-servers"):
        found = {"agents": components.agents, "models": components.models, "resources-servers": components.resources_servers}[
            what
        ](roots)
    else:
        found = environments.benchmarks(roots)
        if what != "benchmarks":
            found += environments.environments(roots)
    return sorted(found, key=lambda entry: (entry.name.casefold(), entry.name))
