"""A RUN opened for a diagnosis, with what its benchmark's own skill says of it."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from blade.cli.options import open_given
from blade.errors import NotDecidable
from blade.runs.run import Run

if TYPE_CHECKING:
    from blade.diagnosis.skill import Skill

Command = TypeVar("Command", bound=Callable[..., Any])


def skill_option(command: Command) -> Command:
    return click.option(
        "--skill", type=click.Path(path_type=Path, exists=True), metavar="DIR", help="The benchmark's own skill/blade.yaml."
    )(command)


def open_for_diagnosis(run: str, skill: Path | None, reading: dict[str, Any]) -> "tuple[Run, Skill | None]":
    """The run with all tables that a diagnosis reads, passing by the skill's rule unless the command line has one.

    What the skill speaks of and no row has is warned of; so is a plugin that could not be loaded.
    """
    from blade.cli.terminal import warn
    from blade.engines.memory import keep_little

    keep_little()
    from blade.diagnosis.opening import PRELOAD, apply, extractors
    from blade.diagnosis.skill import load_skill, skill_problems

    knowledge = None if skill is None else load_skill(skill)
    told = reading["pass_threshold"]
    if knowledge is not None and told is not None:
        knowledge = replace(knowledge, pass_when=None)  # what was said on the command line counts
    chosen = extractors(knowledge)
    for failure in (failure for extractor in chosen for failure in getattr(extractor, "failures", ())):
        warn(f"the plugin {failure.plugin} gave no detectors: {failure.message}")
    threshold = knowledge.pass_threshold if knowledge is not None and told is None else told
    opened = open_given(run, extractors=chosen, preload=PRELOAD, **reading | {"pass_threshold": threshold})
    if knowledge is not None:
        opened.threshold_source = "flag" if told is not None else "package"
        for problem in skill_problems(knowledge, opened):
            warn(f"{problem.path}:{problem.line}: {problem.message}")
    apply(knowledge, opened)
    return opened, knowledge


def refuse_unexplained(opened: Run, run: str) -> None:
    """Refuse a run without a score, unless its plan or its failed attempts tell why it has none."""
    from blade.runs.failed_attempts import has_failed_attempts

    if opened.denominator.rows and not has_failed_attempts(opened):
        refuse_unscored(opened, run)


def refuse_unscored(opened: Run, run: str) -> None:
    if not opened.denominator.scored:
        raise NotDecidable(f"{run} holds no scored rollout", hint="see blade inspect for where the rows went")
