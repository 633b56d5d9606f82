"""Gold of another world (DA): it asks for a record that the tools do not know, or answers another filling of the request.

*Stale*: every repeat follows the request to one record and uses its id, the tool takes it, and the expected id, of the same scheme,
stands nowhere in what any repeat saw. One repeat could have looked in the wrong place; so the id has to come from the tool that gives this
argument in other tasks, and nobody may have passed. *Not asked*: the same for an argument whose expected value the request names in
(nearly) all other tasks; here all repeats give what the request names, and the expected value stands nowhere and follows from nothing.
*Other values*: the row says what its template was filled with, and that is not what
the request says; all repeats do the same and fail. Gold that is wrong without such a trace cannot be told from what a model does not
know. *Other data*: the working that the row keeps beside its gold begins with a figure or a time that is neither the request's nor any lookup's. *Off record*: a
field of somebody whom the expected call names as the tools do is expected otherwise than the tools' record has it; here one repeat tells as well, for the record says it.
Reward-aware: found where no repeat passes.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from blade.diagnosis.findings import Finding
from blade.diagnosis.patterns.arguments import wrong_value
from blade.diagnosis.patterns.given import answer_row, differs, given_answer
from blade.diagnosis.patterns.pattern import Pattern
from blade.diagnosis.views import RolloutView, SignalRow, TaskView
from blade.runs.run import Run
from blade.signals.behaviour.action_reasons import ANOTHER
from blade.signals.data.namesakes import NOTED
from blade.signals.signal import parted
from blade.signals.texts.origins import SEEN_IN_REQUEST
from blade.signals.wanted.wanted_record import source_told

STALE: Final = Pattern(
    "stale_gold",
    "DA",
    "all repeats find the record that the request speaks of and use its id; the expected one stands in nothing that any of them saw",
    0.85,
)
OTHER_VALUES: Final = Pattern(
    "gold_for_other_values",
    "DA",
    "the row's template values are not those of its request, and all repeats, which do what the request says, fail alike",
    0.85,
)
NOT_ASKED: Final = Pattern(
    "gold_not_asked",
    "DA",
    "all repeats give what the request names, as is right in other tasks; the expected value stands in nothing that any of them saw",
    0.85,
)
BESIDE: Final = Pattern(
    "gold_of_other_record",
    "DA",
    "all repeats take the record that the request names, and another one of the same listing is expected, of which it names nothing",
    0.7,
)
NAMES_TWO: Final = Pattern(
    "request_names_two",
    "DA",
    "the request names somebody or something of which every repeat's lookup lists two, nothing in it says which, and no repeat takes the expected one",
    0.85,
)
OTHER_DATA: Final = Pattern(
    "gold_of_other_data",
    "DA",
    "the row's own working begins with what neither the request nor any lookup shows, and all repeats go by what those do show",
    0.85,
)
UNCONVERTED: Final = Pattern(
    "gold_unconverted",
    "DA",
    "the expected figure is the record's own, in its unit or by its clock, and all repeats convert it into what the request asks for",
    0.85,
)
MISJUDGED: Final = Pattern(
    "gold_misjudged",
    "DA",
    "by the figure that the row's working and the lookups have, the request's condition leads where all repeats go, and not where the gold does",
    0.85,
)
AGAINST_RECORD: Final = Pattern(
    "gold_against_record",
    "DA",
    "every repeat that gets there gives what the tools' own record says; the expected value is another, and stands in nothing that any of them saw",
    0.85,
)
PATTERNS: Final = (STALE, NOT_ASKED, OTHER_VALUES, BESIDE, NAMES_TWO, OTHER_DATA, UNCONVERTED, MISJUDGED, AGAINST_RECORD)
SEEN: Final = " was seen in "
ASKED_FOR: Final = SEEN_IN_REQUEST
UNSEEN: Final = "was never seen in this rollout"
"""Said of a given value that stood somewhere, of one that the request names, and of an expected one that stood nowhere."""
NEARLY_EVERY: Final = 0.75
MIN_TASKS: Final = 2
"""Other tasks in which a tool gave the expected value of an argument, from which on it is where that argument comes from."""
UNSUPPORTED: Final = 0.6
"""The weight where other tasks do not show where the value comes from."""

NEARLY_ALL: Final = 0.9
MIN_ASKED: Final = 2
"""Tasks that pass, in nearly all of which the request names an argument's expected value, from which on it is copied from there."""
MANY_ASKED: Final = 4
"""The same for which the weight is full."""


@dataclass(frozen=True)
class Sources:
    """Where the expected values of `tool.argument` come from, as the run shows it."""

    tools: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """By argument: the read tools that gave it, each with the number of tasks."""
    asked: Mapping[str, int] = field(default_factory=dict)
    """By argument that is copied from the request: the tasks that pass in which the request names it."""


def learn_sources(run: Run) -> Sources:
    if not {"given", "expected"} <= set(run.meta["tables"]) or not run.pass_rule.decides:
        return Sources()
    passing = f"SELECT DISTINCT task FROM rollouts WHERE class = 'scored' AND {run.passes}"
    tools: dict[str, dict[str, int]] = {}
    for argument, tool, tasks in run.query("""
        SELECT argument, tool, count(DISTINCT task) FROM given WHERE class = 'scored' AND tool <> ''
        GROUP BY ALL ORDER BY argument, tool""").rows:
        tools.setdefault(argument, {})[tool] = tasks
    expecting = dict(
        run.query(f"""
        SELECT name, count(DISTINCT task) FROM expected SEMI JOIN ({passing}) USING (task) WHERE class = 'scored' GROUP BY name""").rows
    )
    asked = run.query(f"""
        SELECT argument, count(DISTINCT task) FROM given SEMI JOIN ({passing}) USING (task)
        WHERE class = 'scored' AND tool = '' GROUP BY argument ORDER BY argument""").rows
    return Sources(
        tools,
        {
            argument: tasks
            for argument, tasks in asked
            if tasks >= max(MIN_ASKED, NEARLY_ALL * expecting.get(parted(argument, expecting)[0], tasks))
        },
    )


def stale_gold(view: TaskView, sources: Sources) -> Iterator[Finding]:
    """The expected values that nobody could have come to, by where the run has such values from."""
    if view.passing or len(view.failing) < 2:
        return
    for subject, held in _agreed(view, "gold_unseen"):
        weight = _support(source_told(held[0][1].detail).rpartition(" of ")[2], sources.tools.get(subject, {}))
        if weight is not None:
            yield from _found(STALE, view, subject, held, "", weight)
    for subject, held in _agreed(view, "gold_beside", seen=True):
        yield from _found(BESIDE, view, subject, held, "")
    for subject, held in _agreed(view, "record_not_told_apart", seen=True):
        weight = None if any(NOTED in signal.detail for _, signal in held) else UNSUPPORTED
        yield from _found(NAMES_TWO, view, subject, held, "", weight)
    for subject, held in _agreed(view, "working_of_other_data"):
        if len(held) == len(view.failing):
            yield from _found(OTHER_DATA, view, subject, held, "")
    for pattern, code in ((UNCONVERTED, "gold_as_recorded"), (MISJUDGED, "condition_misjudged")):
        for subject, held in _agreed(view, code, seen=True):
            if len(held) == len(view.failing):
                yield from _found(pattern, view, subject, held, "")
    for subject, held in _agreed(view, "gold_not_named"):
        if subject in sources.asked:
            usual = f"; in {sources.asked[subject]} tasks that pass the request names it"
            yield from _found(
                NOT_ASKED, view, subject, held, usual, None if sources.asked[subject] >= MANY_ASKED else UNSUPPORTED
            )
        elif (headed := next(_signals(held[0][0], "material_of_another"), None)) is not None:
            yield from _found(NOT_ASKED, view, subject, held, f"; {headed.detail}")


def gold_against_record(view: TaskView, sources: Sources) -> Iterator[Finding]:
    """A field of a record that is expected otherwise than the tools have it, where all repeats that gave it agree and none passes.

    Not where a tool that such values come from in other tasks was never asked.
    """
    if view.passing or not view.failing:
        return
    held: dict[str, Held] = {}
    for rollout in view.failing:
        for signal in {signal.subject: signal for signal in _signals(rollout, "gold_off_record")}.values():
            held.setdefault(signal.subject, []).append((rollout, signal))
    for subject, members in sorted(held.items()):
        given = {signal.quote for _, signal in members}
        got_there = sum(
            any(signal.subject == subject for signal in _signals(rollout, "action_wrong_argument")) for rollout in view.failing
        )
        asked = {call.name for rollout, _ in members for call in rollout.calls}
        if not sources.tools.get(subject, {}).keys() <= asked:
            continue
        if len(given) == 1 and len(members) >= got_there and not _seen_by_somebody(view, subject):
            for rollout, signal in members:
                detail = f"{signal.detail}, in {len(members)} of {len(view.failing)} repeats, none of which passes"
                yield AGAINST_RECORD.found(rollout, subject=subject, step=signal.step, quote=signal.quote, detail=detail)


Held = list[tuple[RolloutView, SignalRow]]


def _found(
    pattern: Pattern, view: TaskView, subject: str, held: Held, more: str, weight: float | None = None
) -> Iterator[Finding]:
    for rollout, signal in held:
        detail = f"{signal.detail}, in {len(held)} of {len(view.failing)} repeats, none of which passes{more}"
        yield pattern.found(rollout, subject=subject, step=signal.step, quote=signal.quote, detail=detail, weight=weight)


def _agreed(view: TaskView, code: str, *, seen: bool = False) -> Iterator[tuple[str, Held]]:
    """What (nearly) all repeats show alike, by its subject; not where one of them had seen the expected value, unless they may have."""
    held: dict[tuple[str, str], Held] = {}
    for rollout in view.failing:
        for signal in {(signal.subject, signal.quote): signal for signal in _signals(rollout, code)}.values():
            held.setdefault((signal.subject, signal.quote), []).append((rollout, signal))
    for (subject, _), members in sorted(held.items()):
        if len(members) >= NEARLY_EVERY * len(view.failing) and (seen or not _seen_by_somebody(view, subject)):
            yield subject, members


def _support(tool: str, given: Mapping[str, int]) -> float | None:
    """The weight by what other tasks say of where the value comes from; None where they say that it comes from elsewhere."""
    if not given:
        return UNSUPPORTED
    most = max(given.values())
    if given.get(tool, 0) < most:
        return None
    return STALE.weight if most >= MIN_TASKS else UNSUPPORTED


def _seen_by_somebody(view: TaskView, subject: str) -> bool:
    """Whether a repeat had the expected value before it: a wrong argument whose right value stood somewhere."""
    return any(
        signal.subject == subject and (" stood in " in signal.detail or " came only later" in signal.detail)
        for rollout in view.rollouts
        for signal in _signals(rollout, "action_wrong_argument")
    )


def gold_of_another(view: TaskView) -> Iterator[Finding]:
    """Expected calls about another record and with other values than the request names, of which no repeat ever saw anything; nobody passes."""
    if view.passing or len(view.failing) < 2:
        return
    wrong = [tuple(_signals(rollout, "action_wrong_argument")) for rollout in view.failing]
    for signals in wrong:
        asked = [signal for signal in signals if ASKED_FOR in signal.detail]
        strange = all(UNSEEN in signal.detail and SEEN in signal.detail for signal in signals)
        if not strange or not asked or not any(ANOTHER in signal.detail for signal in signals):
            return
        if {(one.subject, one.quote) for one in signals} != {(one.subject, one.quote) for one in wrong[0]}:
            return
    for rollout, signals in zip(view.failing, wrong, strict=True):
        first = next(signal for signal in signals if ASKED_FOR in signal.detail)
        yield NOT_ASKED.found(
            rollout,
            subject=first.subject,
            step=first.step,
            quote=first.quote,
            detail=f"{first.detail}; the record is another one too, and all {len(wrong)} repeats give the same",
        )


def gold_for_other_values(view: TaskView) -> Iterator[Finding]:
    if view.passing or not view.failing:
        return
    told = {rollout.rollout: next(_signals(rollout, "values_not_asked"), None) for rollout in view.failing}
    if not all(told.values()):
        return
    done = Counter(_done(rollout) for rollout in view.failing)
    same, times = min(done.items(), key=lambda item: (-item[1], sorted(item[0])))
    alike = bool(same) and times >= NEARLY_EVERY * len(view.failing) and len(view.failing) > 1
    for rollout in view.failing:
        signal = told[rollout.rollout]
        if signal is not None and _done(rollout):
            yield OTHER_VALUES.found(
                rollout,
                subject=signal.subject,
                step=-1,
                quote=signal.quote,
                detail=f"{signal.detail}; {times} of {len(view.failing)} repeats do the same, and none passes",
                weight=None if alike else UNSUPPORTED,
            )


def _done(rollout: RolloutView) -> frozenset[tuple[str, str]]:
    """What a rollout gave in place of what is expected: wrong arguments and a wrong answer."""
    wrong = {(signal.subject, wrong_value(signal)) for signal in _signals(rollout, "action_wrong_argument")}
    row = answer_row(rollout)
    given = given_answer(row) if row is not None and row.expected and differs(row) else None
    return frozenset(wrong | ({("answer", given.text)} if given is not None else set()))


def _signals(rollout: RolloutView, code: str) -> Iterator[SignalRow]:
    return (signal for signal in rollout.signals if signal.code == code)
