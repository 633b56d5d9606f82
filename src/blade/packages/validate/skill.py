"""D1: a skill that speaks of this benchmark, is complete, and is nobody's draft any more."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from blade.diagnosis.skill import load_skill, skill_problems
from blade.diagnosis.skill.problems import InvalidSkill
from blade.errors import BladeError
from blade.packages.check import Check, Phase, failed, passed
from blade.packages.frontmatter import blank_frontmatter, read_frontmatter
from blade.packages.placeholders import placeholders
from blade.packages.row_fields import row_fields
from blade.packages.runs import PackageRuns
from blade.packages.sections import Wanted, assigned, lacking, own_words, sections
from blade.packages.texts import read_markdown
from blade.untrusted.escapes import one_line

SECTIONS: Final = (
    Wanted("Overview", ("overview",)),
    Wanted("Input schema", ("schema", "input")),
    Wanted("Workflow funnel", ("funnel",)),
    Wanted("Failure taxonomy", ("taxonomy", "failure")),
    Wanted("Analysis workflow", ("workflow", "analysis"), without=("funnel",)),
    Wanted("Report template", ("template", "report")),
)
LEAST_IN_ALL: Final = 120
MOST_NAMED: Final = 6
_PHASE: Final[Phase] = "skill"
_CODE: Final = re.compile(r"`([^`\n]{1,120})`")


def check_skill(runs: PackageRuns) -> Iterator[Check]:
    path = runs.package.skill
    if path is None:
        where = runs.package.root / "skill" / "SKILL.md"
        yield failed("skill.present", _PHASE, "D1 skill missing", where, "add skill/SKILL.md or SKILL.md")
    else:
        yield passed("skill.present", _PHASE, "D1 skill present", path)
        yield from _text(path, runs)
    yield from _rules(runs)


def _text(path: Path, runs: PackageRuns) -> Iterator[Check]:
    try:
        text = read_markdown(path)
    except BladeError as error:
        yield failed("skill.readable", _PHASE, f"D1 skill {error.message}", path, "replace it by a Markdown text")
        return
    yield from _frontmatter(path, text)
    text = blank_frontmatter(text)
    yield from _sections(path, text)
    yield from _placeholders(path, text)
    yield from _fields(path, text, runs)


def _frontmatter(path: Path, text: str) -> Iterator[Check]:
    found = read_frontmatter(text)
    for problem in found.problems:
        fix = "begin the file with ---, name: …, description: …, --- by the rules of Agent Skills"
        yield failed("skill.frontmatter", _PHASE, f"D1 frontmatter: {problem.message}", path, fix, problem.line)
    if not found.problems:
        yield passed("skill.frontmatter", _PHASE, f"D1 frontmatter is valid (name {found.fields['name']})", path)


def _sections(path: Path, text: str) -> Iterator[Check]:
    found = sections(text)
    poor = lacking(SECTIONS, found)
    for wanted, section in poor:
        if section is None:
            message, fix = (
                f"D1 section missing: {wanted.title}",
                f"add a section ## {wanted.title} with what holds for this benchmark",
            )
        else:
            message = f"D1 section without substance: {one_line(section.title, 80)} has {own_words(wanted, assigned(SECTIONS, found))} words"
            fix = "say there what an analyst of this benchmark has to know"
        yield failed("skill.sections", _PHASE, message, path, fix, None if section is None else section.line)
    words = sum(section.words for section in found if section.level == min(one.level for one in found))
    if not poor and words < LEAST_IN_ALL:
        message = f"D1 skill is a short placeholder: {words} words in all"
        yield failed("skill.sections", _PHASE, message, path, "write down how this benchmark is read, section by section")
    elif not poor:
        yield passed("skill.sections", _PHASE, f"D1 sections are there with substance ({len(SECTIONS)} of {len(SECTIONS)})", path)


def _placeholders(path: Path, text: str) -> Iterator[Check]:
    found = placeholders(text)
    for one in found:
        fix = "write what belongs there, then delete the mark"
        yield failed("skill.placeholders", _PHASE, f"D1 placeholder text: {one.text}", path, fix, one.line)
    if not found:
        yield passed("skill.placeholders", _PHASE, "D1 has no placeholder text", path)


def _fields(path: Path, text: str, runs: PackageRuns) -> Iterator[Check]:
    """The schema must be that of the rollouts beside it; without rollouts nothing can be said."""
    section = assigned(SECTIONS, sections(text)).get(SECTIONS[1])
    readable = runs.readable()
    if section is None or not readable:
        return
    have: set[str] = set()
    for run in readable.values():
        have |= row_fields(run).keys()
    named = {word.split(".")[0].split("[")[0].strip() for word in _CODE.findall(section.body)}
    known = sorted(name for name in named if name in have)
    if known:
        message = f"D1 schema names fields of the rollouts ({', '.join(known[:MOST_NAMED])})"
        yield passed("skill.schema", _PHASE, message, path)
    else:
        rows = sorted(field for field in {run.meta["identity"]["task_field"] for run in readable.values()} if field)
        message = "D1 schema names no field that the rollouts have"
        fix = f"name the fields of the rows in backquotes, as in `{(rows or ['task_id'])[0]}` and `reward`"
        yield failed("skill.schema", _PHASE, message, path, fix, section.line)


def _rules(runs: PackageRuns) -> Iterator[Check]:
    """`blade.yaml` need not be there; what is there must be right, and speak of fields and tools that the rollouts have."""
    path = runs.package.rules
    if path is None:
        return
    fix = "docs/blade-yaml.md describes the file"
    try:
        skill = load_skill(path)
    except InvalidSkill as error:
        for problem in error.mistakes:
            said = ": ".join(filter(None, (one_line(problem.place, 120), problem.message)))
            yield failed("skill.rules", _PHASE, f"blade.yaml: {said}", path, fix, problem.line)
        return
    except BladeError as error:
        yield failed("skill.rules", _PHASE, f"blade.yaml: {error.message}", path, fix)
        return
    told: set[str] = set()
    for run in runs.readable().values():
        for unknown in skill_problems(skill, run):
            if unknown.message not in told:
                told.add(unknown.message)
                fix = "name a field or tool that the rollouts have, or leave the rule out"
                yield failed("skill.rules", _PHASE, f"blade.yaml: {unknown.message}", path, fix, unknown.line)
    if not told:
        yield passed("skill.rules", _PHASE, "blade.yaml can be read", path)
