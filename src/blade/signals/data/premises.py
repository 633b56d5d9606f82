"""DA: gold that was worked out from something else than what the request and the tools say.

Beside its gold a row may keep how somebody came to it: `has 60 GiB; with 45 more it is 105`. Where the one figure that this working begins with stands neither
in the prompt nor in any answer, a lookup for the same record says another one, and the two results differ just as the two figures do, or as the sums do that these are
part of (or the working goes through the measures of an answer and has this one otherwise, or the two
lie on either side of the limit that decides what is to be done), the working is of other data. The same for a time of day that the request names
otherwise than the working, and for a working that says itself that its table is of a year long gone. One rollout may have looked in the wrong place, so it is weighed over the repeats (`diagnosis.patterns.stale_gold`).
"""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from blade.answers.rounding import becomes, last_place
from blade.signals.calls.arguments import leaves
from blade.signals.calls.call import Call
from blade.signals.calls.mutation import words_of
from blade.signals.data.aged import out_of_date
from blade.signals.data.gold_shape import stated_answer
from blade.signals.example import Example, call
from blade.signals.layout.texts import plain_text
from blade.signals.repeats import once_for_repeats
from blade.signals.rollout import Rollout
from blade.signals.signal import Evidence, argument_subject, signal
from blade.signals.texts.clock import times_of_day
from blade.signals.texts.origins import shown
from blade.signals.wanted.answer_fields import expected_answer, taken_answer
from blade.signals.wanted.comparison import WRONG, Comparison, comparison_of
from blade.signals.wanted.restated import restated

MAX_NOTE: Final = 500
MAX_OUTPUT: Final = 20_000
ONE_RECORD: Final = 300
"""Characters of an answer that tells of one record, and lists no others beside it."""
LARGEST: Final = 1e15
"""A figure beyond which it is an id, and no amount."""
BESIDE: Final = 24
"""Characters around a figure in which its name stands."""
_NUMBER: Final = re.compile(r"(?<![\w.,:/#-])-?\d[\d,]*+(?:\.\d++)?(?![\w:/-]{0,40}\d)")
_SUM: Final = re.compile(r"\d[\d,.]*(?:\s?[^\W\d_]{1,10})?(?:\s?\+\s?\d[\d,.]*(?:\s?[^\W\d_]{1,10})?){1,20}")
_MEASURE: Final = re.compile(r"(?<![\w.,:/#-])(-?\d[\d,]*(?:\.\d+)?)\s?([^\W\d_]{1,10}(?:/[^\W\d_]{1,4})?|°[CF]|%)(?![\w:/-]*\d)")
_ZONES: Final = re.compile(r"\b(?:UTC|GMT|[CEMP][SD]T|CES?T|BST|time ?zones?|local time|o'clock in|clocks? in)\b", re.IGNORECASE)


@signal(
    "working_of_other_data",
    label="DA",
    needs=("one_turn",),
    meaning="the row's own working begins with a figure or a time that nothing shows, where a lookup or the request has another; telling only where all repeats agree",
    causal=False,
    example=Example(
        (
            call("get_volume", '{"volume": "vol-28797547", "size_gib": 80}', volume="vol-28797547"),
            call("resize_volume", "ok", volume="vol-28797547", size_gib=125),
        ),
        asked="Grow the volume vol-28797547 by 45 GiB.",
        fields={
            "rationale": "vol-28797547 has 60 GiB; with 45 more it is 105.",
            "expected_calls": [{"name": "resize_volume", "arguments": {"volume": "vol-28797547", "size_gib": 105}}],
        },
    ),
)
def working_of_other_data(rollout: Rollout) -> Iterator[Evidence]:
    compared = comparison_of(rollout)
    wrong = the_wrong_one(rollout, compared)
    parted = compared is not None and bool(compared.missing) and bool(compared.extra)
    if rollout.has_dialogue or (wrong is None and not parted):
        return
    for field, value in restated(rollout):
        if not isinstance(value, str) or len(value) > MAX_NOTE:
            continue
        told = None
        if wrong is not None:
            told = _figure(rollout, compared, value, wrong) or _time(rollout, value, wrong) or _dated(rollout, value, wrong)
        elif compared is not None:
            told = _either_side(rollout, compared, value)
        if told is not None:
            begins, why = told
            yield Evidence(
                None if wrong is None else wrong.step, f"{field}: {begins}", why, field if wrong is None else wrong.path
            )
            return


class Wrong(NamedTuple):
    path: str
    expected: Any
    actual: Any
    step: int | None


Told = tuple[str, str]


def the_wrong_one(rollout: Rollout, compared: Comparison | None) -> Wrong | None:
    """The one value in which the work differs from what is expected; None where it differs in none or in several."""
    if compared is not None:
        found = [
            Wrong(argument_subject(match.call.name, one.path), one.expected, one.actual, match.call.step)
            for match in compared.counted
            if match.outcome == WRONG and match.call is not None
            for one in match.differences
        ]
        if found or compared.missing or compared.extra:
            return found[0] if len(found) == 1 and not compared.missing else None
    gold, taken = expected_answer(rollout), taken_answer(rollout)
    wanted = None if gold is None else plain_text(gold[1])
    given = None if taken is None or taken[1] is None else plain_text(taken[1])
    if gold is None or not wanted or rollout.final is None:
        return None
    given = given or stated_answer(rollout)
    if not given or wanted == given:
        return None
    return Wrong(gold[0], wanted, given, rollout.final.step)


def _figure(rollout: Rollout, compared: Comparison | None, note: str, wrong: Wrong) -> Told | None:
    """The figure that a working begins with and that nothing shows, where the results differ as it does from one that was looked up."""
    expected, actual = number_of(wrong.expected), number_of(wrong.actual)
    begins = None if expected is None or actual is None else _unshown(rollout, note, expected)
    if begins is None or expected is None or actual is None or expected == actual:
        return None
    noted = set(_noted(note))
    terms = _terms(note, begins)
    for made in _followed(rollout, compared, note):
        told = list(figures_told(made))
        more = Counter(figure for _, figure in told) - Counter(terms)
        for path, looked_up in told:
            summed = looked_up in more and _in_proportion(wrong, sum(terms), sum(terms) - begins + looked_up)
            if looked_up in noted and not summed:
                continue
            if (
                summed
                or _as_much_apart(expected, actual, begins, looked_up)
                or (_named_alike(note, begins, path, told) and _in_proportion(wrong, begins, looked_up))
                or _one_by_one(made, note, begins, looked_up, expected)
            ):
                said = f"{made.name} (step {made.step}) says {path} = {looked_up:g}; {begins:g} stands nowhere, and {shown(wrong.expected)} follows from it"
                return f"{begins:g}", said
    return None


def _as_much_apart(expected: float, actual: float, begins: float, looked_up: float) -> bool:
    near = 1e-6 * max(1.0, abs(actual))
    if abs((actual - expected) - (looked_up - begins)) <= near:
        return True
    return bool(begins) and looked_up not in (0.0, actual) and abs(expected * looked_up / begins - actual) <= near


def _in_proportion(wrong: Wrong, one: float, other: float) -> bool:
    """Whether two results, rounded as they are written, are in the proportion of two figures."""
    expected, actual = number_of(wrong.expected), number_of(wrong.actual)
    if not expected or not actual or not one or not other or one == other:
        return False
    return becomes(expected, actual, other / one, (last_place(wrong.expected), last_place(wrong.actual)))


def _terms(note: str, begins: float) -> list[float]:
    """The figures that a working adds up, one of which it begins with."""
    for found in _SUM.finditer(note):
        terms = figures_of(found[0])
        if len(terms) > 1 and terms.count(begins) == 1:
            return terms
    return []


def _named_alike(note: str, begins: float, path: str, told: list[tuple[str, float]]) -> bool:
    """Whether a figure of a working stands beside the name of a field that an answer has once."""
    name = _own_name(path)
    return bool(name) and sum(_own_name(other) == name for other, _ in told) == 1 and _beside(note, begins, name)


def _own_name(path: str) -> str:
    return path.rpartition(".")[2].partition("[")[0]


def _one_by_one(made: Call, note: str, begins: float, looked_up: float, result: float) -> bool:
    """Whether a working goes through the measures of an answer, each in its unit, and has one of them otherwise.

    Each measure has a unit of its own, and all but one stand in the working as they are; the one that does not is there with another figure.
    """
    measures = _measures(made.output.text) if made.output is not None and len(made.output.text) <= MAX_OUTPUT else []
    units = [unit for _, unit in measures]
    noted = [(figure, unit) for figure, unit in _measures(note) if figure != result]
    if len(measures) < 2 or len(set(units)) < len(units) or sorted(unit for _, unit in noted) != sorted(units):
        return False
    other = set(measures) - set(noted)
    return {figure for figure, _ in other} == {looked_up} and {figure for figure, _ in set(noted) - set(measures)} == {begins}


def _measures(text: str) -> list[tuple[float, str]]:
    return [(one, found[2]) for found in _MEASURE.finditer(text) if (one := number_of(found[1])) is not None]


def _either_side(rollout: Rollout, compared: Comparison, note: str) -> Told | None:
    """A figure that nothing shows and the one that was looked up under its name, on either side of a limit that the request names."""
    limits = _asked_figures(rollout.request).intersection(_noted(note))
    begins = _unshown(rollout, note, None) if limits else None
    if begins is None:
        return None
    for made in _followed(rollout, compared, note):
        told = list(figures_told(made))
        for path, looked_up in told:
            if _named_alike(note, begins, path, told) and any(_between(limit, begins, looked_up) for limit in limits):
                return (
                    f"{begins:g}",
                    f"{made.name} (step {made.step}) says {path} = {looked_up:g}; {begins:g} stands nowhere, and what is expected follows from it",
                )
    return None


def _between(limit: float, one: float, other: float) -> bool:
    return (one < limit) != (other < limit) and limit != other


def _time(rollout: Rollout, note: str, wrong: Wrong) -> Told | None:
    """A time of day in a working that is not the one of the request, where the work goes by the request and the gold by the working."""
    if not isinstance(wrong.expected, str) or not isinstance(wrong.actual, str):
        return None
    expected, actual = times_of_day(wrong.expected), times_of_day(wrong.actual)
    if len(expected) != 1 or len(actual) != 1:
        return None
    asked, noted = _asked_times(rollout.request), times_of_day(note)
    if len(asked) != 1 or len(noted) != 1 or asked.keys() == noted.keys():
        return None
    if wrong.expected[:10] != wrong.actual[:10] and len(wrong.expected) > len("2026-01-01"):
        return None  # another day is another matter
    if _ZONES.search(rollout.prompt_text + note):
        return None
    if expected.keys() & asked or actual.keys() & noted or not (actual.keys() == asked.keys() or expected.keys() == noted.keys()):
        return None
    named = next(iter(noted.values()))
    return named, f"the request says {next(iter(asked.values()))}, as was gone by; {shown(wrong.expected)} goes by {named}"


def _dated(rollout: Rollout, note: str, wrong: Wrong) -> Told | None:
    """A working that comes to the expected figure by the table of a year long gone, which nobody asks for."""
    expected = number_of(wrong.expected)
    if expected is None or number_of(wrong.actual) is None or expected not in _noted(note):
        return None
    source = out_of_date(rollout, note)
    return (
        (source, f"{shown(wrong.expected)} goes by the {source}, which neither the prompt nor any answer names")
        if source
        else None
    )


def _unshown(rollout: Rollout, note: str, expected: float | None) -> float | None:
    """The one figure of a working that stands nowhere, besides its result; None where there are several, or it has another result."""
    figures = _noted(note)
    if expected is not None and expected not in figures:
        return None
    asked = _asked_figures(rollout.prompt_text)
    unshown = {one for one in figures if one != expected and one not in asked}
    if unshown:
        unshown -= {one for made in rollout.calls for _, one in figures_told(made)}
    return next(iter(unshown)) if len(unshown) == 1 else None


def _followed(rollout: Rollout, compared: Comparison | None, note: str) -> Iterator[Call]:
    """The lookups for records that the request, the gold or its working names, or the answer to such a lookup where it is short."""
    wanted = [
        str(value).lower() for match in (compared.counted if compared else ()) for _, value in leaves(match.expected.arguments)
    ]
    named = "\n".join([rollout.lowered_prompt, note.lower(), *wanted])
    for made in rollout.calls:
        given = [str(value).lower() for _, value in made.leaves if value is not None and not isinstance(value, bool)]
        if made.reads and made.error is None and given and all(value in named for value in given):
            if made.output is not None and len(made.output.text) <= ONE_RECORD:
                named = f"{named}\n{made.output.text.lower()}"
            yield made


def figures_told(made: Call) -> Iterator[tuple[str, float]]:
    """The figures of an answer with their names."""
    if made.output is None or len(made.output.text) > MAX_OUTPUT:
        return
    data = made.data
    if data is None:
        yield from (("", one) for one in figures_of(made.output.text))
    for path, value in leaves(data) if data is not None else ():
        if isinstance(value, int | float) and not isinstance(value, bool):
            if abs(value) < LARGEST:
                yield path, float(value)
        elif isinstance(value, str) and value[:1].isascii():
            yield from ((path, one) for one in figures_of(value))


def _beside(note: str, figure: float, name: str) -> bool:
    """Whether a word of a name stands right beside a figure."""
    words = {word for word in words_of(name) if len(word) > 2}
    for found in _NUMBER.finditer(note):
        if number_of(found[0]) == figure:
            around = note[max(0, found.start() - BESIDE) : found.end() + BESIDE].lower()
            return any(re.search(rf"\b{re.escape(word)}", around) for word in words)
    return False


def figures_of(text: str) -> list[float]:
    return [float(found.replace(",", "")) for found in _NUMBER.findall(text)]


@once_for_repeats
def _noted(note: str) -> tuple[float, ...]:
    """The figures of a working, which comes again with every repeat and is asked for more than once."""
    return tuple(figures_of(note))


@once_for_repeats
def _asked_figures(prompt: str) -> frozenset[float]:
    """Prompts come again with every repeat."""
    return frozenset(figures_of(prompt[-MAX_OUTPUT:]))


@once_for_repeats
def _asked_times(request: str) -> dict[int, str]:
    return times_of_day(request[:MAX_OUTPUT])


def is_figure(value: Any) -> bool:
    """Whether a value is a number that is no flag and no id."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < LARGEST


def number_of(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    if isinstance(value, float):
        return value
    try:
        return float(str(value).strip().replace(",", ""))
    except ValueError:
        return None
