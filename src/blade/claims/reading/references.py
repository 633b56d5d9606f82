"""Which tasks, rollouts and steps a text speaks of.

A rollout is `task:repeat`, split at the last colon; a task's name is whatever the run calls it. Names with letters in them are known
by their shape, which is the name with its digits masked: where a run has `HumanEval/12`, a `HumanEval/999` means a task too. Names
that are plain numbers mean a task only where the text says so (`task 12`, `tasks 4, 7 and 11`, a column headed task).
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from blade.claims.reading.document import Span, leading_up

_ROLLOUT = re.compile(
    r"(?<![\w:.,/@-])`?(?P<task>[A-Za-z0-9][\w./@-]*?(?::[\w./@-]+?)*?):(?P<repeat>\d{1,4})`?(?![\w/-]|:\w|[.,]\d)"
)
_TASKS = re.compile(
    r"\b(?:tasks?|problems?|instances?)(?:\s+(?:ids?|no\.?|number|numbers|indices|index))?[\s:#]+(?=[`\d\w])", re.I
)
_LIST = re.compile(
    r"`?(?P<id>(?!\d{1,3}(?:,\d{3})+(?!\d))[\w./@-]*[\w])`?(?![\w:]*:\d)(?P<joint>\s*,\s*(?:and\s+|or\s+)?|\s+(?:and|or)\s+|\s*/\s*)?"
)
_STEP = re.compile(r"\bsteps?\s+(?P<first>-?\d+)(?:\s*(?P<joint>to|–|-|and|,)\s*(?P<last>\d++)(?!\s*(?:step|of|%|:)))?", re.I)
_BEHIND = re.compile(r"`?[\s,(]*(?:at\s+)?")
_TIMELY = re.compile(r"\b(?:at|between|from|until|till|since|around|time)\s*$", re.I)
_CLOCK = re.compile(r"\s*(?:UTC|[ap]m\b|h\b)")
_BAR = re.compile(r"\|\s*$")
_BAR_NEXT = re.compile(r"\s*\|")
_SOME_TASK = re.compile(r"\d{1,6}|[A-Za-z][\w./@-]*\d[\w./@-]*")
_DIGITS = re.compile(r"\d+")
_TOKEN = re.compile(r"(?<![\w./:@-])[A-Za-z][\w./@-]*\d[\w./@-]*(?<![.])")
_COUNTS = re.compile(r"\s*(?:of|out of|/|×|x|%|tasks|repeats|rollouts|more|points|times)\b|\s*[%×]")
_MORE = re.compile(r"\s*,?\s*(?:and\s+[\d,]+\s+more|…|\.\.\.)\s*$")
_IDS_ONLY = re.compile(r"(?:[\w./@-]+(?:\s*,\s*(?:and\s+)?|\s+and\s+|\s+))*[\w./@-]+")

Sort = Literal["task", "rollout"]


@dataclass(frozen=True)
class Reference:
    """A task or a rollout that is named, and the step behind it where one is."""

    span: Span
    sort: Sort
    name: str
    step: int | None = None
    step_span: Span | None = None

    @property
    def task(self) -> str:
        return self.name.rpartition(":")[0] if self.sort == "rollout" else self.name


@dataclass(frozen=True)
class Names:
    """The names that the runs have, and what a name of theirs looks like."""

    tasks: frozenset[str]
    rollouts: frozenset[str]

    @cached_property
    def shapes(self) -> frozenset[str]:
        """Of the names that cannot be mistaken for a word or a number."""
        return frozenset(shape(task) for task in self.tasks if re.search(r"[A-Za-z]", task) and re.search(r"\d", task))

    @cached_property
    def numeric(self) -> bool:
        return bool(self.tasks) and all(task.isdecimal() for task in self.tasks)

    def looks_like_task(self, name: str) -> bool:
        """Whether a name may be that of a task; without a run, whatever people call tasks by."""
        if not self.tasks:
            return bool(_SOME_TASK.fullmatch(name))
        return name in self.tasks or shape(name) in self.shapes or (self.numeric and name.isdecimal())


def shape(name: str) -> str:
    return _DIGITS.sub("#", name)


def rollouts(text: str, names: Names, masked: Iterable[Span] = ()) -> Iterator[Reference]:
    """`26:1`, `26:1 step 36`, `HumanEval/12:0`; a time of day or a ratio is none, as far as its place says so."""
    hidden = list(masked)
    for found in _ROLLOUT.finditer(text):
        span = Span(*found.span())
        if (
            any(span.overlaps(other) for other in hidden)
            or not names.looks_like_task(found["task"])
            or _is_time(found, text, names)
        ):
            continue
        name = f"{found['task']}:{int(found['repeat'])}"
        behind = _BEHIND.match(text, span.end)
        step = _STEP.match(text, behind.end() if behind else span.end)
        if step:
            yield Reference(span, "rollout", name, int(step["first"]), Span(*step.span("first")))
        else:
            yield Reference(span, "rollout", name)


def _is_time(found: re.Match[str], text: str, names: Names) -> bool:
    """Whether it is a time of day: `09:02`, `at 14:30`, `16:45 UTC`, or a cell of a record that a tool told (`S-1 | 12:30 | free`)."""
    name = f"{found['task']}:{int(found['repeat'])}"
    if name in names.rollouts and found["repeat"] == str(int(found["repeat"])):
        return False
    if not re.fullmatch(r"[0-2]?\d", found["task"]) or not re.fullmatch(r"[0-5]\d", found["repeat"]):
        return False
    padded = found["task"].startswith("0") or found["repeat"].startswith("0")
    told = leading_up(_BAR, text, found.start()) and _BAR_NEXT.match(text, found.end())
    return padded or bool(told or leading_up(_TIMELY, text, found.start()) or _CLOCK.match(text, found.end()))


def tasks(text: str, names: Names, masked: Iterable[Span] = ()) -> Iterator[Reference]:
    """`task 12`, `Tasks 4, 7 and 11`, and names whose shape is that of the run's own wherever they stand."""
    hidden = list(masked)
    taken: list[Span] = []
    for found in _TASKS.finditer(text):
        listed = list(_listed(text, found.end(), names))
        if (
            len(listed) == 1
            and listed[0].name.isdecimal()
            and found[0].lower().startswith("tasks")
            and listed[0].name not in names.tasks
        ):
            continue  # `tasks 40` is a count
        for reference in listed:
            if not any(reference.span.overlaps(other) for other in [*hidden, *taken]):
                taken.append(reference.span)
                yield reference
    for found in _TOKEN.finditer(text):
        span = Span(*found.span())
        if names.tasks and shape(found[0]) in names.shapes and not any(span.overlaps(other) for other in [*hidden, *taken]):
            yield Reference(span, "task", found[0])


def _listed(text: str, start: int, names: Names) -> Iterator[Reference]:
    """The ids that follow the word, as long as they look like ids; `tasks 3 of 4` names none."""
    place = start
    while found := _LIST.match(text, place):
        name = found["id"].rstrip(".-/")
        counts = _COUNTS.match(text, found.end("id"))
        if counts or not (names.looks_like_task(name) or (not names.tasks and name.isdecimal())):
            return
        yield Reference(Span(found.start("id"), found.start("id") + len(name)), "task", name)
        if not found["joint"]:
            return
        place = found.end()


def id_list(text: str, names: Names) -> list[Reference] | None:
    """The ids of a cell or a clause that holds nothing else, tasks or rollouts; None where it is no such list."""
    plain = text.replace("`", " ").strip()
    if re.fullmatch(r"\d{1,3}(?:,\d{3})+", plain):  # a large count
        return None
    if not plain or not _IDS_ONLY.fullmatch(_MORE.sub("", plain).replace(":", ".")):
        return None
    found: list[Reference] = []
    whole = _MORE.sub("", text)
    for match in re.finditer(r"(?:[\w./@-]+:\d+|[\w./@-]*\w)", whole):
        name = match[0]
        if name == "and":
            continue
        whose = name.rpartition(":")[0] if ":" in name else name
        if not names.looks_like_task(whose) and names.tasks:
            return None
        found.append(Reference(Span(*match.span()), "rollout" if ":" in name else "task", name))
    return found


def complete(text: str) -> bool:
    """Whether a list claims to be whole: it does not end in `and 3 more`, an ellipsis or the like."""
    return not re.search(r"\bmore\b|…|\.\.\.|\betc\b|\be\.g\.|\bincluding\b|\bsuch as\b", text)


def steps(text: str) -> Iterator[tuple[Span, int]]:
    """Every step that is named, wherever it stands."""
    for found in _STEP.finditer(text):
        yield Span(*found.span("first")), int(found["first"])
        if found["last"]:
            yield Span(*found.span("last")), int(found["last"])
