"""Short ways from a few steps to what one detector finds in them."""

from blade.signals import Signal, installed, read_rollout, run_detector
from blade.signals.example import Example

DETECTORS = {detector.code: detector for detector in installed().detectors}


def found(code: str, example: Example) -> list[Signal]:
    return run_detector(DETECTORS[code], read_rollout(example.text()))


def steps(code: str, example: Example) -> list[int | None]:
    """Where a detector fires."""
    return [signal.step for signal in found(code, example)]
