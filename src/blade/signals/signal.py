"""A signal: one thing that one trajectory shows, with the step and the words that show it.

A *detector* is a small generator over a `Rollout`. It yields `Evidence`, in the order in which it found it, and obeys three rules:

- It knows nothing of rewards. Whether what it saw goes with failure is for the diagnosis to test against passing rollouts.
- It never looks ahead: what happened later cannot explain what happened before. Where something is decided only later (an error
  that was passed over), the evidence names the step of the cause, and nothing after the deciding step is read. Such a detector is
  *causal*: what it finds in the beginning of a trajectory, it also finds in the whole. One that judges how the rollout ended
  (`causal=False`) cannot promise that, because a prefix ends elsewhere.
- It accuses only on evidence. A step of None means that the evidence stands beside the trajectory, in the row's own fields.

Labels name the cause that a signal speaks for: DA data artifact, IR infrastructure, TI task or verifier issue, BI behaviour,
KG knowledge gap, UK unreliable knowledge.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final, Literal, get_args

import msgspec

from blade.errors import UsageError
from blade.signals.example import Example
from blade.signals.labels import LABELS
from blade.signals.rollout import Rollout


class Evidence(msgspec.Struct, frozen=True):
    """Where a detector saw something: the step, the words there, and what it concluded from them.

    `subject` is what it is about, in the run's own words: a tool, `tool.argument`, a field, a class of error. Failure modes are
    grouped by it, so it holds no value that changes from task to task.
    """

    step: int | None
    quote: str
    detail: str = ""
    subject: str = ""


class Signal(msgspec.Struct, frozen=True):
    code: str
    step: int | None
    quote: str
    detail: str = ""
    label: str = ""
    subject: str = ""


Detect = Callable[[Rollout], Iterator[Evidence]]
Need = Literal["call", "error", "dialogue", "one_turn", "expected_call", "departure", "wrong_argument"]
_INDEX: Final = re.compile(r"\[\d+\]")


def argument_subject(tool: str, path: str) -> str:
    """An argument as a subject: `book.payments.amount`, whichever of the payments it was."""
    return f"{tool}.{_INDEX.sub('', path) if '[' in path else path}" if path else tool


def parted(subject: str, tools: Iterable[str | None] = ()) -> tuple[str, str]:
    """The tool and the argument of a subject; of names with points in them (`orders.search`) the longest that is one of the `tools`."""
    known = max((tool for tool in tools if tool and f"{subject}.".startswith(f"{tool}.")), key=len, default="")
    tool = known or subject.partition(".")[0]
    return tool, subject[len(tool) + 1 :]


@dataclass(frozen=True)
class Detector:
    code: str
    label: str
    meaning: str
    family: str
    detect: Detect
    causal: bool
    example: Example | None
    needs: tuple[Need, ...] = ()
    """What a rollout must have for it to find anything (`needs`): where any of this is lacking, it is not run."""


class DetectorFailed(Exception):
    """A detector raised on a rollout: a bug in it, never a reason to stop reading the run."""

    def __init__(self, detector: Detector, error: Exception) -> None:
        super().__init__(f"the detector {detector.code!r} ({detector.family}) failed: {type(error).__name__}: {error}")


class Registry:
    """Detectors by code, in the order in which they were defined."""

    def __init__(self) -> None:
        self._detectors: dict[str, Detector] = {}

    def signal(
        self,
        code: str,
        *,
        label: str,
        meaning: str,
        example: Example | None = None,
        causal: bool = True,
        needs: tuple[Need, ...] = (),
    ) -> Callable[[Detect], Detect]:
        """Register the decorated function as the detector of `code`."""

        def register(detect: Detect) -> Detect:
            self.add(Detector(code, label, meaning, detect.__module__.rpartition(".")[2], detect, causal, example, needs))
            return detect

        return register

    def add(self, detector: Detector) -> None:
        if detector.label not in LABELS:
            raise UsageError(
                f"the signal {detector.code!r} has the label {detector.label!r}, which is none of {', '.join(LABELS)}"
            )
        if unknown := set(detector.needs) - set(get_args(Need)):
            raise UsageError(
                f"the signal {detector.code!r} needs {', '.join(sorted(unknown))}, which is none of {', '.join(get_args(Need))}"
            )
        if detector.code in self._detectors:
            raise UsageError(f"two detectors are named {detector.code!r}")
        self._detectors[detector.code] = detector

    def __iter__(self) -> Iterator[Detector]:
        return iter(tuple(self._detectors.values()))

    def __getitem__(self, code: str) -> Detector:
        return self._detectors[code]

    def __contains__(self, code: object) -> bool:
        return code in self._detectors


BUILT_IN: Final = Registry()
signal: Final = BUILT_IN.signal


def run_detector(detector: Detector, rollout: Rollout) -> list[Signal]:
    """What one detector finds; raises DetectorFailed, whatever went wrong inside it."""
    try:
        found = list(detector.detect(rollout))
    except Exception as error:
        raise DetectorFailed(detector, error) from error
    if not found:
        return []  # which is what most detectors find in most rollouts
    return [Signal(detector.code, one.step, one.quote, one.detail, detector.label, one.subject) for one in found]
