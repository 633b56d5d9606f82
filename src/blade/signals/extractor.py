"""Signals and calls as tables: what the scan takes to read them from each row.

    with open_run("rollouts.jsonl", extractors=(SignalsExtractor(), CallsExtractor())) as run:
        run.query("SELECT code, count(*) FROM signals GROUP BY 1")

Both tables hold quotes that are redacted, freed of escapes and cut short; they are evidence, not copies. Their `version` covers the
registry and the code of this room, so an index that was built by other detectors is not reused.
"""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from itertools import repeat
from typing import Any, Final

from blade.runs.scan import RowView
from blade.signals.calls.call import Call
from blade.signals.cleaning import MAX_ARGUMENTS, code_digest, kept_arguments, quoted
from blade.signals.learning import Learns
from blade.signals.needs import over
from blade.signals.options import USUAL, Options
from blade.signals.plugins import PluginFailure, installed
from blade.signals.rollout import rollout_of
from blade.signals.signal import Detector, DetectorFailed, Evidence
from blade.untrusted.quotes import clean

SCHEMA: Final = "1"
MAX_SIGNALS: Final = 50
"""Signals of one code kept of one rollout: the first of them, which are the ones that decided something."""
MAX_SUBJECT: Final = 120
MAX_OUTPUT: Final = 500


def _arguments(call: Call) -> str:
    if call.arguments is None:
        return clean(call.raw[: 2 * MAX_ARGUMENTS])[:MAX_ARGUMENTS]
    return kept_arguments(call.arguments)


def _body(detector: Detector) -> str:
    """What a detector's function is made of: an edited plugin reads otherwise."""
    code = getattr(detector.detect, "__code__", None)
    if code is None:
        return ""
    plain = [value for value in code.co_consts if isinstance(value, str | int | float)]
    return hashlib.blake2b(code.co_code + repr((code.co_names, plain)).encode(), digest_size=8).hexdigest()


def _row(detector: Detector, one: Evidence) -> tuple[Any, ...]:
    subject, quote, detail = quoted(one.subject, MAX_SUBJECT), quoted(one.quote), quoted(one.detail)
    return detector.code, detector.label, subject, one.step, quote, detail


class SignalsExtractor(Learns):
    """The table `signals`: one row for each piece of evidence. A `step` of NULL stands for the row's own fields."""

    table = "signals"
    columns: Final = {
        "code": "string",
        "label": "string",
        "subject": "string",
        "step": "int64",
        "quote": "string",
        "detail": "string",
    }

    def __init__(self, options: Options = USUAL, extra: tuple[Detector, ...] = ()) -> None:
        """`extra` are detectors of the benchmark at hand, run after those that are installed."""
        self.options = options
        self.extra = extra
        codes = "|".join(
            f"{detector.code}:{detector.label}:{detector.family}:{_body(detector)}" for detector in installed().detectors
        )
        codes += "".join(f"|{detector!r}" for detector in extra)
        self.version = f"{SCHEMA}:{code_digest()}:{hashlib.blake2b(codes.encode(), digest_size=8).hexdigest()}{options.version}"

    @property
    def failures(self) -> tuple[PluginFailure, ...]:
        """Plugins that could not be loaded; whoever opens the run shows them."""
        return installed().failures

    def extract(self, view: RowView) -> Iterable[tuple[Any, ...]]:
        return self.extract_together((view,))[0]

    def extract_together(self, views: Sequence[RowView]) -> Sequence[Iterable[tuple[Any, ...]]]:
        """Detector after detector over all the rows: what one is made of is then at hand, which is half of what it costs on a single row."""
        rollouts = list(map(rollout_of, views, repeat(self.options)))
        rows: list[list[tuple[Any, ...]]] = [[] for _ in views]
        for detector, places in over((*installed().detectors, *self.extra), rollouts):
            for place in places:
                found: list[Evidence] = []
                try:
                    for one in detector.detect(rollouts[place]):
                        found.append(one)
                        if len(found) == MAX_SIGNALS:
                            break
                except Exception as error:  # noqa: BLE001 (a bug in one detector ends no run)
                    views[place].problems.append(("detector_failed", quoted(str(DetectorFailed(detector, error)))))
                    continue
                if found:  # most detectors find nothing in most rollouts
                    rows[place] += [_row(detector, one) for one in found]
        return rows


class CallsExtractor(Learns):
    """The table `calls`: every tool call with its answer, the class of its error and whether the tool changes anything.

    `answered` says whether an answer came and holds anything: questions that need no more should not have to read the answers.
    """

    table = "calls"
    columns: Final = {
        "step": "int64",
        "name": "string",
        "arguments": "string",
        "output_step": "int64",
        "output": "string",
        "error_class": "string",
        "mutation": "string",
        "answered": "bool_",
    }

    def __init__(self, options: Options = USUAL) -> None:
        self.options = options
        self.version = f"{SCHEMA}:{code_digest()}{options.version}"

    def extract(self, view: RowView) -> Iterator[tuple[Any, ...]]:
        for call in rollout_of(view, self.options).calls:
            answer = call.output
            output = None if answer is None else quoted(answer.text, MAX_OUTPUT)
            yield (
                call.step,
                quoted(call.name, 200) if call.name else None,
                _arguments(call),
                None if answer is None else answer.step,
                output,
                None if call.error is None else call.error.kind,
                call.mutation.kind,
                bool(output),
            )
