"""What a skill speaks of and the run does not have: fields and tools. A rule about them holds nowhere, which nobody would notice."""

from collections.abc import Iterator
from difflib import get_close_matches
from fnmatch import fnmatchcase
from typing import Any, Final

from blade.diagnosis.skill.rules import CallRule, FieldRule, Rule, conditions
from blade.diagnosis.skill.skill import Skill
from blade.diagnosis.skill.sql import facts_of, place_of
from blade.runs.run import Run
from blade.runs.scan import Problem
from blade.signals.rollout import Rollout, read_rollout

UNKNOWN_FIELD: Final = "skill_unknown_field"
UNKNOWN_TOOL: Final = "skill_unknown_tool"
ROWS_ASKED: Final = 20
"""Rows, of as many tasks, whose declared tools are read when a name is called nowhere."""


def skill_problems(skill: Skill, run: Run) -> list[Problem]:
    """Each unknown field and tool with the file and line that name it; `run` was opened with the skill's extractors."""
    return [*_fields(skill, run), *_tools(skill, run)]


def _conditions(skill: Skill) -> Iterator[Rule]:
    rules = [*(stage.when for stage in skill.stages), *(label.when for label in skill.labels)]
    for rule in [*rules, skill.pass_when] if skill.pass_when is not None else rules:
        yield from conditions(rule)


def _fields(skill: Skill, run: Run) -> Iterator[Problem]:
    facts = facts_of(run)
    paths = {one.path: one.line for one in reversed(list(_conditions(skill))) if isinstance(one, FieldRule)}
    paths = {path: skill.line("slices", path) for path in skill.slices} | paths
    read = {
        path: skill.line(part, path)
        for part, given in (
            ("expected_actions", skill.expected_actions),
            ("expected", skill.expected_answer),
            ("extracted", skill.extracted_answer),
        )
        for path in given
    }
    held = _held(run, [path for path in read if place_of(path, facts) is None])  # not every list is a column
    paths = {path: line for path, line in read.items() if path not in held} | paths
    for path, line in sorted(paths.items(), key=lambda named: (named[1], named[0])):
        if place_of(path, facts) is None:
            yield Problem(UNKNOWN_FIELD, skill.path, line, None, f"no row has a field {path!r}{_near(path, list(facts.columns))}")


def _tools(skill: Skill, run: Run) -> Iterator[Problem]:
    named = {
        name: one.line
        for one in reversed(list(_conditions(skill)))
        if isinstance(one, CallRule)
        for name in (one.after, one.before, one.name)
        if name
    } | {name: skill.line("tools", name) for name, _ in skill.tools}
    called = {row[0] for row in run.query("SELECT DISTINCT name FROM calls WHERE name IS NOT NULL").rows}
    lacking = {name: line for name, line in named.items() if not _fits(name, called)}
    if not lacking:
        return
    declared, all_named = _declared(run)
    if not all_named:
        return  # a server of tools may have any
    known = called | declared
    for name, line in sorted(lacking.items(), key=lambda entry: (entry[1], entry[0])):
        if not _fits(name, declared):
            yield Problem(
                UNKNOWN_TOOL, skill.path, line, None, f"no row declares or calls a tool {name!r}{_near(name, sorted(known))}"
            )


def _fits(pattern: str, names: set[str]) -> bool:
    return pattern.strip("*") == "" or any(fnmatchcase(name, pattern) for name in names)


def _held(run: Run, paths: list[str]) -> set[str]:
    """The fields that some rows hold at these paths of keys."""
    found: set[str] = set()
    for rollout in _some_rollouts(run) if paths else ():
        for path in paths:
            value: Any = rollout.fields
            for key in path.split("."):
                value = value.get(key) if isinstance(value, dict) else None
            if value is not None:
                found.add(path)
    return found


def _some_rollouts(run: Run) -> Iterator[Rollout]:
    rows = run.query(
        f"SELECT task, min(repeat) FROM rollouts WHERE class = 'scored' GROUP BY task ORDER BY task LIMIT {ROWS_ASKED}"
    )
    for task, repeat in rows.rows:
        yield read_rollout(run.text(run.places(task, repeat)[0]))


def _declared(run: Run) -> tuple[set[str], bool]:
    """The tools that some rows declare, and whether each has a name there."""
    names: set[str] = set()
    all_named = True
    for rollout in _some_rollouts(run):
        names |= rollout.tools.keys()
        all_named = all_named and not rollout.unnamed_tools
    return names, all_named


def _near(name: str, known: list[str]) -> str:
    near = next(iter(get_close_matches(name, known, 1, 0.7)), None)
    return f", did you mean {near!r}?" if near else ""
