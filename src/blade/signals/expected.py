"""Expected calls as tables: what became of each, and which tool gives the values they need.

`expected` has one row for each call that a task expects, with its outcome: made, made with a wrong argument, tried in vain, or missing.
`given` tells, for each argument value of the expected state-changing calls, which tool's answer it first stood in, in this rollout, and
whether the request names it (then `tool` is empty).
One rollout that never made the lookup cannot name it; another one of the task can.
"""

from collections.abc import Iterator
from typing import Any, Final

from blade.runs.scan import RowView
from blade.signals.calls.arguments import leaves
from blade.signals.cleaning import code_digest, kept_arguments, quoted
from blade.signals.learning import Learns
from blade.signals.options import USUAL, Options
from blade.signals.rollout import rollout_of
from blade.signals.signal import argument_subject
from blade.signals.texts.days import moment_in_request
from blade.signals.texts.origins import in_request, shown, shown_expected, sources_of, traceable
from blade.signals.wanted.comparison import FAILED, WRONG, Match, comparison_of

SCHEMA: Final = "2"
MAX_NAME: Final = 200
MAX_GIVEN: Final = 40
"""Values of one rollout whose source is told."""


class ExpectedExtractor(Learns):
    """The table `expected`. `fields` names where the rows hold their expected calls, before the usual places."""

    table = "expected"
    columns: Final = {
        "number": "int64",
        "name": "string",
        "arguments": "string",
        "mutation": "string",
        "outcome": "string",
        "step": "int64",
        "detail": "string",
    }

    def __init__(self, fields: tuple[str, ...] = (), options: Options | None = None) -> None:
        self.options = options if options is not None else Options(expected_fields=tuple(fields))
        self.version = f"{SCHEMA}:{code_digest()}{self.options.version}"

    def extract(self, view: RowView) -> Iterator[tuple[Any, ...]]:
        compared = comparison_of(rollout_of(view, self.options))
        for match in compared.matches if compared else ():
            yield (
                match.number,
                quoted(match.expected.name, MAX_NAME),
                kept_arguments(match.expected.arguments),
                match.mutation,
                match.outcome,
                None if match.call is None else match.call.step,
                quoted(_detail(match)),
            )


def _detail(match: Match) -> str:
    told = "; ".join(
        f"{differs.path}={shown(differs.actual)}, expected {shown_expected(differs)}" for differs in match.differences[:4]
    )
    if match.outcome == FAILED and match.call is not None and match.call.error is not None:
        return f"refused: {match.call.error.line[:150]}{f'; {told}' if told else ''}"
    return told if match.outcome == WRONG else ""


class GivenExtractor(Learns):
    """The table `given`: `argument` is `tool.argument` of the expected call, `tool` the one whose answer at `step` held its value.

    A row without a tool says that the request names the value.
    """

    table = "given"
    columns: Final = {"number": "int64", "argument": "string", "tool": "string", "step": "int64"}

    def __init__(self, options: Options = USUAL) -> None:
        self.options = options
        self.version = f"{SCHEMA}:{code_digest()}{options.version}"

    def extract(self, view: RowView) -> Iterator[tuple[Any, ...]]:
        rollout = rollout_of(view, self.options)
        compared = comparison_of(rollout)
        left = MAX_GIVEN
        for match in compared.counted if compared and rollout.calls else ():
            for path, value in leaves(match.expected.arguments):
                if not traceable(value) or left <= 0:
                    continue
                left -= 1
                if in_request(rollout, value) or moment_in_request(rollout, value):
                    yield match.number, quoted(argument_subject(match.expected.name, path), MAX_NAME), "", -1
                if not isinstance(value, str):
                    continue
                place = next((place for place in sources_of(rollout).places(value) if place.tool is not None), None)
                if place is not None and place.tool is not None and rollout.mutation_of(place.tool).kind == "read":
                    subject = argument_subject(match.expected.name, path)
                    yield match.number, quoted(subject, MAX_NAME), quoted(place.tool, MAX_NAME), place.step
