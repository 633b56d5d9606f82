"""Another change than the expected one, as a text of the row has it: the branch that its own rationale takes, and the gold does not.

A task asks for one thing or else another. Where all repeats make the same change, one that nobody expects, in the place of the expected one, and the
row's rationale names what only that change holds and nothing of what only the expected one does, the two halves of the row were written for
different outcomes.
"""

from typing import Final

from blade.diagnosis.patterns.conduct import parsed
from blade.diagnosis.patterns.row_texts import denied, end_of, holds, spaced
from blade.diagnosis.views import RolloutView, TaskView
from blade.signals.calls.arguments import leaves

MIN_TELLING: Final = 6
"""Characters of a value from which on its standing in a text is no chance."""


def told_of_the_other(view: TaskView, fields: dict[str, str]) -> tuple[str, str, str] | None:
    """The field whose text is for the change that all repeats made in place of the expected one: (field, its end, in words)."""
    if view.passing or len(view.failing) < 2:
        return None
    made, wanted = _the_one(view, "action_extra"), _the_one(view, "action_missing")
    if made is None or wanted is None:
        return None
    given, expected = _values(made), _values(wanted)
    for field, text in fields.items():
        said = spaced(text)
        named = next((value for value in sorted(given - expected) if holds(said, value) and not denied(text, value)), None)
        if named is not None and not any(holds(said, value) for value in expected - given):
            return field, end_of(text), f"{field} says {named}, as all repeats do with {made}; expected is {wanted}"
    return None


def _the_one(view: TaskView, code: str) -> str | None:
    """The one call that a kind of difference is about, the same in all failing repeats."""
    calls = {frozenset(_calls(rollout, code)) for rollout in view.failing}
    one = next(iter(calls)) if len(calls) == 1 else frozenset()
    return next(iter(one)) if len(one) == 1 else None


def _calls(rollout: RolloutView, code: str) -> list[str]:
    return [signal.quote for signal in rollout.signals if signal.code == code]


def _values(call: str) -> set[str]:
    """What a call gives, as texts have it: notes, words and codes, and no figure that may be anybody's."""
    arguments = parsed(call.partition("(")[2].removesuffix(")")) or {}
    found = {spaced(value) for _, value in leaves(arguments) if isinstance(value, str)}
    return {value for value in found if len(value) >= MIN_TELLING and any(map(str.isalpha, value))}
