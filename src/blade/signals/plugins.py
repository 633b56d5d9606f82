"""Detectors from other packages: the entry point group `blade.signals`.

An entry point names a `Detector`, a `Registry`, or a list of either. What cannot be loaded is a `PluginFailure`, shown by whoever
opened the run; it never stops one. A detector that loads but fails on a rollout becomes a problem of that line (see `extractor`).

    [project.entry-points."blade.signals"]
    ours = "our_package.signals:REGISTRY"
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Final

from blade.signals.signal import BUILT_IN, Detector, Registry

GROUP: Final = "blade.signals"


@dataclass(frozen=True)
class PluginFailure:
    """An entry point that gave no detectors, and why."""

    plugin: str
    message: str


@dataclass(frozen=True)
class Loaded:
    detectors: tuple[Detector, ...]
    failures: tuple[PluginFailure, ...]


def load(points: Iterable[EntryPoint]) -> Loaded:
    """The built-in detectors and those of the given entry points, in the order of their names."""
    from blade.signals.families import FAMILIES  # importing the families registers their detectors

    # Whichever module was imported first, the order is that of the families: tables must not depend on it.
    order = {family.__name__.rpartition(".")[2]: number for number, family in enumerate(FAMILIES)}
    known = Registry()
    for detector in sorted(BUILT_IN, key=lambda detector: order.get(detector.family, len(order))):
        known.add(detector)
    failures: list[PluginFailure] = []
    for point in sorted(points, key=lambda point: (point.name, point.value)):
        try:
            for detector in _detectors(point.load()):
                known.add(detector)
        except Exception as error:  # noqa: BLE001 (loading runs somebody else's code)
            failures.append(PluginFailure(f"{point.name} = {point.value}", f"{type(error).__name__}: {error}"))
    return Loaded(tuple(known), tuple(failures))


def _detectors(given: Any) -> list[Detector]:
    if isinstance(given, Detector):
        return [given]
    if isinstance(given, Registry | list | tuple):
        return [detector for entry in given for detector in _detectors(entry)]
    raise TypeError(f"expected a Detector, a Registry or a list of them, got {type(given).__name__}")


@cache
def installed() -> Loaded:
    """What this installation has; looked up once per process."""
    return load(entry_points(group=GROUP))
