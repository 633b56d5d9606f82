"""What one trajectory shows: small pure detectors, each with evidence.

The way data takes: `rollout` gives the view of one row, with its calls, its error texts (`matcher`) and its tools; the families
(`data`, `infrastructure`, `verifier`, `process`, `ending`, `selfcheck`, `grounding`) read it and yield evidence; `extractor` turns
that into the tables `signals` and `calls` of a run. What needs more than one rollout, or a reward, is the diagnosis's.
"""

from blade.signals.extractor import CallsExtractor, SignalsExtractor
from blade.signals.plugins import installed
from blade.signals.rollout import Rollout, read_rollout
from blade.signals.signal import Detector, Evidence, Registry, Signal, run_detector

__all__ = [
    "CallsExtractor",
    "Detector",
    "Evidence",
    "Registry",
    "Rollout",
    "Signal",
    "SignalsExtractor",
    "installed",
    "read_rollout",
    "run_detector",
]
