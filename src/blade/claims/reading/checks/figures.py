"""Are a report's figures those of the run: its measures, the denominators of its shares, and what it says of single tasks?"""

import re
from collections.abc import Iterable

from blade.claims.reading.checks.intervals import check_bounds
from blade.claims.reading.document import Span, leading_up
from blade.claims.reading.facts import RUN, Facts, named
from blade.claims.reading.fractions import Fraction
from blade.claims.reading.metrics import PARTS, Statement, statements
from blade.claims.reading.numbers import Number
from blade.claims.reading.reading import Read, Reading
from blade.claims.reading.tally import WRONG_DENOMINATOR, WRONG_NUMBER

_RATES = (
    "rate",
    "pass_at_",
    "pass_hat_",
    "consistency",
    "coverage",
    "oracle",
    "mean_reward",
    "share",
    "lift",
    "gain",
    "retry",
    "mde",
)
_WHOLES = {
    "failed rollouts": "failed",
    "failing rollouts": "failed",
    "scored rollouts": "scored",
    "expected rollouts": "expected",
    "planned rollouts": "expected",
}
_OUTCOME = re.compile(
    r"\s*(?:repeats?|rollouts?|attempts?|runs?|trials?|of them|times)?\s*[),]?\s*\b(?P<verb>pass(?:es|ed)?|fail(?:s|ed)?|succeed(?:s|ed)?)\b",
    re.I,
)
_IN_BUCKET = re.compile(r"\b(?:always|sometimes|never)-(?P<verb>pass)(?:ing)?\s*\($", re.I)
_NO_SCORE = re.compile(r"\s+(?:expected|planned)\s+rollouts\s+(?:\([^)]*\)\s*)?(?:have|had|has|got)\s+no\s+score")
_PART_OF_TASK = re.compile(r"(?:failing|passing|failed|passed)\s+(?:repeats?|ones|attempts?)")


def check_figures(reading: Reading) -> None:
    for read in reading.everywhere():
        if read.passage.kind in ("cell", "head"):
            continue
        for sentence in read.passage.sentences:
            for statement in statements(read.text, read.numbers, sentence, is_apart(reading, read, sentence)):
                measured(reading, read, statement)
                check_bounds(reading, read, statement)
        for fraction in read.fractions:
            _denominator(reading, read, fraction)
            _of_task(reading, read, fraction)
            _without_score(reading, read, fraction)


def is_apart(reading: Reading, read: Read, sentence: Span) -> bool:
    """Whether a sentence speaks of a part of the run: it names a task, a rollout or a slice, or stands in a task's section."""
    named = any(sentence.start <= one.span.start < sentence.end for one in (*read.tasks, *read.rollouts))
    return named or read.passage.number in reading.scopes or bool(_part(reading, read.text[sentence.start : sentence.end]))


def _part(reading: Reading, words: str) -> str | None:
    """The slice that a sentence names."""
    spoken = set(re.findall(r"[a-z0-9]+", words.casefold()))
    return next((name for name in reading.facts.slices if name in spoken), None)


def known(facts: Facts, measure: str) -> list[float]:
    """What a measure of the run may be."""
    if measure.startswith("usage "):
        _, which, what = measure.split(" ")
        return facts.values(f"{what} tokens", which)
    if measure.startswith("bucket "):
        return facts.values(measure.removeprefix("bucket "), "tasks")
    return facts.values(RUN, measure)


def fits(number: Number, measure: str, values: Iterable[float]) -> bool:
    if measure in ("gain", "lift"):  # points, whether or not the column says so
        return any(number.is_rate(value) or number.equals(100 * value) for value in values)
    rate = measure.startswith(_RATES)
    return any(number.is_rate(value) if rate else number.equals(value) for value in values)


def measured(reading: Reading, read: Read, statement: Statement) -> None:
    """A figure of the run: right where it is one of the values, wrong where it is firm and none of them."""
    values = known(reading.facts, statement.measure)
    number = statement.number
    if not values or (statement.measure == "mean_reward" and number.unit):
        return
    if fits(number, statement.measure, values):
        reading.tally.hold(read.passage, number.span)
    elif statement.firm and _of_the_run(reading.facts, statement):
        entity, measure = _names(statement.measure)
        expected = reading.facts.described(entity, measure, values)
        reading.tally.judge(False, read.passage, number.span, WRONG_NUMBER, expected)


def _of_the_run(facts: Facts, statement: Statement) -> bool:
    """Whether what a count is said to be a part of is the run, and not a part of it."""
    whole = statement.out_of
    return whole is None or any(whole.equals(value) for value in known(facts, PARTS[statement.measure]))


def _names(measure: str) -> tuple[str, str]:
    return (f"tasks that pass {measure.removeprefix('bucket ')}", "number") if measure.startswith("bucket ") else (RUN, measure)


def _denominator(reading: Reading, read: Read, fraction: Fraction) -> None:
    """The whole of `16 of 64 failed rollouts` must be a number of failed rollouts that the run has, of whatever part of it."""
    measure = next((found for noun, found in _WHOLES.items() if fraction.noun.endswith(noun)), None)
    values = reading.facts.values(RUN, measure) if measure else []
    if not values or read.passage.number in reading.scopes:
        return
    parts = {value for run in reading.facts.runs for found in run.measures.values() for value in found.get(measure or "", ())}
    if fraction.whole.value in {*values, *parts}:
        reading.tally.hold(read.passage, fraction.whole.span)
    else:
        expected = reading.facts.described(RUN, measure or "", values)
        reading.tally.judge(False, read.passage, fraction.whole.span, WRONG_DENOMINATOR, expected)


def _of_task(reading: Reading, read: Read, fraction: Fraction) -> None:
    """`3 of 4 pass`, `in 2 of 2 failing repeats`, in the section of a task or in a sentence that names one."""
    task = _task_of(reading, read, fraction)
    found = reading.facts.tasks(task) if task is not None else []
    if not found or found[0].passed is None:
        return
    if _PART_OF_TASK.fullmatch(fraction.noun):
        measure = "failed" if fraction.noun.startswith("fail") else "passed"
    elif fraction.noun in ("", "pass", "fail", "repeats", "repeat", "rollouts", "attempts") or fraction.noun.endswith(" repeats"):
        measure = "repeats"
    else:
        return
    wholes = reading.facts.values(named(f"task {task}"), measure)
    verb = _OUTCOME.match(read.text, fraction.whole.span.end) or leading_up(_IN_BUCKET, read.text, fraction.span.start)
    if measure == "repeats" and not verb:
        return
    expected = f"task {task} has {' or '.join(f'{value:g}' for value in wholes)} {measure.replace('failed', 'failing repeats').replace('passed', 'passing repeats')}"
    right = fraction.whole.value in wholes
    reading.tally.judge(right, read.passage, fraction.whole.span, WRONG_DENOMINATOR, expected)
    if right and verb and measure == "repeats" and fraction.noun.split(" ")[-1] not in ("failures",):
        _passes(reading, read, fraction, task or "", verb["verb"])


def _passes(reading: Reading, read: Read, fraction: Fraction, task: str, verb: str) -> None:
    passing = not verb.lower().startswith("fail")
    counts = {one.passed if passing else one.scored - (one.passed or 0) for one in reading.facts.tasks(task)}
    expected = f"{' or '.join(map(str, sorted(counts, key=str)))} of the repeats of task {task} {'pass' if passing else 'fail'}"
    right = int(fraction.part.value) in counts
    reading.tally.judge(right, read.passage, fraction.part.span, WRONG_NUMBER, expected)
    sentence = read.passage.sentence_at(fraction.span.start)
    for one in read.tasks if right else ():
        if one.name == task and sentence.start <= one.span.start < sentence.end:
            reading.tally.hold(read.passage, one.span)


def _without_score(reading: Reading, read: Read, fraction: Fraction) -> None:
    """`6 of 160 expected rollouts have no score`."""
    values = [
        expected - scored
        for run in reading.facts.runs
        for expected in run.measures[RUN]["expected"]
        for scored in run.measures[RUN]["scored"]
    ]
    if values and _NO_SCORE.match(read.text, fraction.whole.span.end):
        expected = reading.facts.described(RUN, "rollouts without a score", values)
        reading.tally.judge(fraction.part.value in values, read.passage, fraction.part.span, WRONG_NUMBER, expected)


def _task_of(reading: Reading, read: Read, fraction: Fraction) -> str | None:
    sentence = read.passage.sentence_at(fraction.span.start)
    mentioned = {one.task for one in (*read.tasks, *read.rollouts) if sentence.start <= one.span.start < sentence.end}
    ahead = [one for one in (*read.tasks, *read.rollouts) if sentence.start <= one.span.start < fraction.span.start]
    if mentioned:
        return mentioned.pop() if len(mentioned) == 1 and ahead else None
    return reading.scopes.get(read.passage.number)
