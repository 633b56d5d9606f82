"""Overrides against the keys that are known: those of the files, those that some value asks for, and those of the commands."""

from collections.abc import Iterable, Sequence
from typing import Any

from blade.gym.config.directives import follow_directives
from blade.gym.config.keys import COMMAND_KEYS, KNOWN
from blade.gym.config.merge import dotted, exists, leaves, split_path
from blade.gym.config.overrides import Override
from blade.gym.config.problems import Problem, did_you_mean, nearest, problem

CLEARLY_MEANT, SURELY_MEANT = 0.8, 0.85
"""How near an unknown key must be to a known one before a `+` is suspected of a slip; nearer where unknown keys are usual."""


def check_spelling(overrides: Sequence[Override], files: dict[str, Any], wanted: set[str]) -> tuple[list[Problem], list[str]]:
    """A bare `key=value` needs a known key, or it is a problem; a `+key=value` that looks like a slip is worth a note.

    `files`: what the files say, before any override; `wanted`: the keys that values ask for.
    """
    unsure = [one for one in overrides if one.action != "delete" and not exists(files, one.parts) and not _asked(one, wanted)]
    if not unsure:
        return [], []
    inherited = follow_directives(files).tree
    unsure = [one for one in unsure if not exists(inherited, one.parts)]
    problems, notes = [], []
    known = known_keys(inherited, files) | KNOWN | wanted
    for one in unsure:
        if one.action == "replace":
            near = did_you_mean(one.key, known) or _same_ending(one, known)
            message = f"{one.key} is not a key of this configuration{near or f'; to add it, write +{one.key}=…'}"
            problems.append(problem("override", one.key, message))
        elif near := _slip(one, inherited, known):
            notes.append(f"nothing asks for {one.key}{near}")
    return problems, notes


def known_keys(*trees: dict[str, Any]) -> set[str]:
    """Every key of the trees, the ones in between too."""
    return {dotted(path[:end]) for tree in trees for path, _ in leaves(tree) for end in range(1, len(path) + 1)}


def _asked(override: Override, wanted: Iterable[str]) -> bool:
    """Whether a command or a value reads the key, or something under or above it."""
    own = override.parts
    return (own[0] in KNOWN and not _slip_in_section(override)) or any(_overlap(own, split_path(key)) for key in wanted)


def _overlap(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    shorter = min(len(one), len(other))
    return one[:shorter] == other[:shorter]


def _same_ending(override: Override, known: set[str]) -> str:
    """People leave out the way to a key: `max_steps=3`."""
    endings = {key.rpartition(".")[2]: key for key in sorted(known, reverse=True) if "." in key}
    near = nearest(override.parts[-1], endings, CLEARLY_MEANT)
    return f"; did you mean {endings[near]}?" if near else ""


def _slip(override: Override, tree: dict[str, Any], known: set[str]) -> str:
    if len(override.parts) == 1:
        return did_you_mean(override.key, (key for key in known if "." not in key), cutoff=CLEARLY_MEANT)
    if slip := _slip_in_section(override):
        return slip
    sections = {key.partition(".")[0] for key in COMMAND_KEYS if "." in key}
    return "" if override.parts[0] in tree else did_you_mean(override.parts[0], {*tree, *sections}, cutoff=CLEARLY_MEANT)


def _slip_in_section(override: Override) -> str:
    """A key under one that a command reads, where only its last part looks wrong: `skills.pth`."""
    section, *rest = override.parts
    known = {key.partition(".")[2] for key in COMMAND_KEYS if key.startswith(f"{section}.")}
    if not known or not rest or rest[0] in known:
        return ""
    near = nearest(rest[0], known, SURELY_MEANT)
    return f"; did you mean {section}.{near}?" if near else ""
