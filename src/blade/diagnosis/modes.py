"""Failure modes: failing rollouts grouped by the signature of what explains them.

Each failing rollout votes with one finding: the heaviest of its task's cause, or what is heaviest where the cause has none there. A
mode is a signature (code, subject) with at least one vote, so it always names a tool, an argument, a step, a field or an error. What
is *said* of a mode (how many failing and passing rollouts carry it, its lift, its gain) is counted over all carriers by a condition
in SQL, never over the votes: a rollout can carry several modes, and shares of modes do not add up.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from blade.diagnosis.catalogue import CONTEXT, SYMPTOM, entry, title
from blade.diagnosis.causes import LEAST, Cause, worth
from blade.diagnosis.findings import Finding
from blade.diagnosis.patterns.conduct import Lookup
from blade.diagnosis.patterns.lookups import decided_without, decided_without_any
from blade.diagnosis.views import TaskView
from blade.runs.quoting import literal

SYMPTOM_OF: Final = {"same_wrong_argument": "action_wrong_argument", "wavering_argument": "action_wrong_argument"}
"""Readings of a symptom over several repeats; the mode is the symptom, which passing rollouts can carry too."""
NAMED_BY_SIBLINGS: Final = "lookup_skipped"
FAINT: Final = 0.05
"""What a finding has to be worth to stand for a rollout whose task has a cause."""
MOST_EXAMPLES: Final = 4
MOST_LISTED: Final = 10_000
"""Rollouts that a condition lists one by one; beyond that a mode of a pattern has no condition."""


@dataclass
class Group:
    """The votes for one signature, gathered task by task."""

    code: str
    subject: str
    votes: int = 0
    worth: float = 0.0
    labels: Counter[str] = field(default_factory=Counter)
    tasks: dict[str, int] = field(default_factory=dict)
    examples: list[Finding] = field(default_factory=list)
    rollouts: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Mode:
    id: str
    code: str
    subject: str
    label: str
    title: str
    condition: str | None
    """SQL over `rollouts AS r` that holds for its carriers, passing ones too; None where it cannot be said in SQL."""
    reward_blind: bool
    """Whether the condition was made without looking at rewards; a mode that exists on failing rows only has no gain estimate."""
    votes: int
    tasks: tuple[str, ...]
    """The tasks with a vote, most votes first."""
    examples: tuple[Finding, ...]
    listed: tuple[str, ...] = ()
    """The rollouts that its condition lists one by one."""
    lookup: Lookup | None = None
    """The lookup that its carriers decided without, where that is its condition."""


class Vote(NamedTuple):
    """A failing rollout and the finding that stands for it; None where nothing explains it."""

    rollout: str
    label: str
    finding: Finding | None


def votes(view: TaskView, cause: Cause, findings: Mapping[str, Sequence[Finding]]) -> Iterator[Vote]:
    """The votes of a task's failing rollouts."""
    for rollout in view.failing:
        chosen = primary(cause, findings.get(rollout.rollout, ()))
        yield Vote(rollout.rollout, _label(cause, chosen), chosen)


def _label(cause: Cause, chosen: Finding | None) -> str:
    """The label of a vote: that of the task's cause, unless what the rollout votes with is a cause of another label.

    A symptom has the cause that its task has; a cut-off output is behaviour, whatever else failed the task's other repeats.
    """
    if chosen is None or (cause.label != "unknown" and entry(chosen.code).rank == SYMPTOM):
        return cause.label
    return cause.label if chosen.label in cause.label.split("+") else chosen.label


class Modes:
    """Collects votes while the tasks stream by."""

    def __init__(self, skipped: Mapping[tuple[str, str], Lookup], signal_codes: frozenset[str]) -> None:
        self._skipped = skipped
        self._signal_codes = signal_codes
        self._groups: dict[tuple[str, str], Group] = {}

    def add(self, cast: Iterable[Vote]) -> None:
        for vote in cast:
            chosen = vote.finding
            if chosen is None:
                continue
            code = SYMPTOM_OF.get(chosen.code, chosen.code)
            group = self._groups.setdefault((code, chosen.subject), Group(code, chosen.subject))
            group.votes += 1
            group.worth += chosen.weight
            group.labels[vote.label] += 1
            group.tasks[chosen.task] = group.tasks.get(chosen.task, 0) + 1
            if len(group.rollouts) <= MOST_LISTED and not self._has_sql(code, chosen.subject):
                group.rollouts.append(vote.rollout)
            if len(group.examples) < MOST_EXAMPLES and all(example.task != chosen.task for example in group.examples):
                group.examples.append(chosen)

    def modes(self) -> list[Mode]:
        """Most votes first."""
        ranked = sorted(self._groups.values(), key=lambda group: (-group.votes, -group.worth, group.code, group.subject))
        return [self._mode(group) for group in ranked]

    def _mode(self, group: Group) -> Mode:
        condition, blind = self._condition(group)
        best = max(group.labels.values())
        label = min(label for label, votes in group.labels.items() if votes == best)
        tasks = sorted(group.tasks, key=lambda task: -group.tasks[task])  # stable: ties in the order of the tasks
        return Mode(
            id=mode_id(group.code, group.subject),
            code=group.code,
            subject=group.subject,
            label=label,
            title=title(group.code, group.subject),
            condition=condition,
            reward_blind=blind,
            votes=group.votes,
            tasks=tuple(tasks),
            examples=tuple(group.examples),
            listed=tuple(group.rollouts) if condition is not None else (),
            lookup=self._skipped.get((group.code, group.subject)),
        )

    def _has_sql(self, code: str, subject: str) -> bool:
        return code in self._signal_codes or (code, subject) in self._skipped

    def _condition(self, group: Group) -> tuple[str | None, bool]:
        skipped = self._skipped.get((group.code, group.subject))
        if skipped is not None:
            return decided_without(skipped), True
        if group.code in self._signal_codes:
            return signal_condition(group.code, group.subject), True
        if len(group.rollouts) > MOST_LISTED:
            return None, False
        return f"r.rollout IN ({', '.join(literal(rollout) for rollout in group.rollouts)})", False


def primary(cause: Cause, findings: Sequence[Finding]) -> Finding | None:
    """The finding that stands for a failing rollout: of its task's cause where there is one, else a cause, else a symptom.

    Where the task's cause is unknown, what would be too little for a cause stands for no rollout either.
    """
    labels = cause.label.split("+")
    least = LEAST if cause.label == "unknown" else FAINT
    told = [finding for finding in findings if entry(finding.code).rank != CONTEXT and worth(finding) > least]
    if not told:
        return None
    return min(
        told,
        key=lambda finding: (
            finding.label not in labels,
            finding.signature != (cause.finding.signature if cause.finding else None),
            entry(finding.code).rank == SYMPTOM,
            -finding.weight,
            finding.step is None,
            finding.step or 0,
            finding.code,
            finding.subject,
        ),
    )


def any_mode(modes: Iterable[Mode]) -> str:
    """One condition for the carriers of any of several modes; signals, lookups and lists are joined, however many there are."""
    pairs: list[str] = []
    codes: list[str] = []
    listed: list[str] = []
    skipped: list[Lookup] = []
    others: list[str] = []
    for mode in modes:
        if mode.listed:
            listed += mode.listed
        elif is_signature(mode):
            if mode.subject:
                pairs.append(f"({literal(mode.code)}, {literal(mode.subject)})")
            else:
                codes.append(literal(mode.code))
        elif mode.lookup is not None:
            skipped.append(mode.lookup)
        elif mode.condition is not None:
            others.append(f"({mode.condition})")
    if skipped:
        others.append(f"({decided_without(skipped[0]) if len(skipped) == 1 else decided_without_any(skipped)})")
    shown = [f"(code, subject) IN ({', '.join(pairs)})"] if pairs else []
    shown += [f"code IN ({', '.join(codes)})"] if codes else []
    if shown:
        others.append(f"r.rollout IN (SELECT rollout FROM signals WHERE class = 'scored' AND ({' OR '.join(shown)}))")
    if listed:
        others.append(f"r.rollout IN ({', '.join(literal(rollout) for rollout in listed)})")
    return " OR ".join(others) or "false"


def is_signature(mode: Mode) -> bool:
    """Whether the carriers of a mode are those of a code, or of a code and a subject, in the table `signals`, and no others."""
    return (
        mode.condition is not None
        and mode.condition == signal_condition(mode.code, mode.subject)
        and mode.code != NAMED_BY_SIBLINGS
    )


def mode_id(code: str, subject: str) -> str:
    return f"{code}.{subject}" if subject else code


def signal_condition(code: str, subject: str) -> str:
    """Carriers of a signal. A skipped lookup that its own row cannot name is named by what the siblings' lookups gave."""
    about = f" AND subject = {literal(subject)}" if subject else ""
    if code == NAMED_BY_SIBLINGS and subject:
        by_siblings = f"subject = '' AND task IN (SELECT task FROM given WHERE tool = {literal(subject)})"
        about = f" AND (subject = {literal(subject)} OR ({by_siblings}))"
    return f"r.rollout IN (SELECT rollout FROM signals WHERE class = 'scored' AND code = {literal(code)}{about})"


def by_task(modes: Sequence[Mode]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for mode in modes:
        for task in mode.tasks:
            found[task].append(mode.id)
    return found
