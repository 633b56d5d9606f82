"""Runs opened and diagnosed for one answer at a time.

Nothing is held between answers: the index makes the second look quick, and a run that changed on disk is read again. Calls about one
run wait for each other, so that it is not read twice at the same time.
"""

import html
import re
import threading
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any

from blade.diagnosis.skill import Skill
from blade.diagnosis.stored import diagnosis
from blade.mcp.roots import Roots
from blade.runs.run import Place, Run

Opener = Callable[[str], tuple[Run, Skill | None]]
"""Opens a RUN with all tables that a diagnosis reads."""


@dataclass(frozen=True)
class Study:
    """A run under the name that it was asked for by."""

    name: str
    run: Run
    diagnose: Callable[[Run], dict[str, Any]]

    def document(self) -> dict[str, Any]:
        return self.diagnose(self.run)

    def places(self, rollout: str) -> list[Place]:
        """The rows of a rollout, or of a task, by an id that may have been copied from Markdown with its escapes."""
        return self.run.find(rollout) or self.run.find(unescaped(rollout))

    def task(self, name: str) -> str:
        """The task's id, where the run has it; else the name as it was given."""
        return next((one for one in (name, unescaped(name)) if one in self.run.outcomes.tasks), name)


def unescaped(text: str) -> str:
    return html.unescape(re.sub(r"\\([^A-Za-z0-9\s])", r"\1", text.strip("` ")))


class Desk:
    def __init__(self, roots: Roots, opener: Opener, workers: int | None = None) -> None:
        self.roots = roots
        self._opener = opener
        self._workers = workers
        self._locks: defaultdict[str, threading.Lock] = defaultdict(threading.Lock)

    @contextmanager
    def opened(self, *names: str) -> Iterator[list[Study]]:
        """The runs of these names. Their locks are taken in one order, so that two comparisons cannot wait for each other."""
        specs = [self.roots.run(name) for name in names]
        with ExitStack() as stack:
            for spec in sorted(set(specs)):
                stack.enter_context(self._locks[spec])
            studies = []
            for name, spec in zip(names, specs, strict=True):
                run, skill = self._opener(spec)
                stack.enter_context(run)
                studies.append(Study(name, run, self._diagnoser(skill)))
            yield studies

    @contextmanager
    def study(self, name: str) -> Iterator[Study]:
        with self.opened(name) as (study,):
            yield study

    def _diagnoser(self, skill: Skill | None) -> Callable[[Run], dict[str, Any]]:
        return lambda run: {"against": [], **diagnosis(run, skill=skill, workers=self._workers)}
