"""What one trajectory shows: small pure detectors, each with evidence.

The way data takes: `rollout` gives the view of one row, with its calls, its error texts (`matcher`), its tools and what it expects
(`expectation`); the families (`data`, `gold`, `slots`, `choices`, `infrastructure`, `leaving`, `verifier`, `process`, `misuse`, `ending`, `trials`, `selfcheck`, `grounding`, `actions`, `lookups`,
`records`, `people`, `reported`) read it and yield evidence; `extractor` turns that into the tables `signals` and `calls` of a run, `expected` into what
became of the expected calls, `answer_rows` and `checks` into what the verifier saw. `learned` says what a whole run teaches about its
tools. What else needs more than one rollout, or a reward, is the diagnosis's.
"""

from blade.signals.answer_rows import AnswersExtractor
from blade.signals.checks import ChecksExtractor
from blade.signals.expected import ExpectedExtractor, GivenExtractor
from blade.signals.extractor import CallsExtractor, SignalsExtractor
from blade.signals.options import Options
from blade.signals.plugins import installed
from blade.signals.rollout import Rollout, read_rollout
from blade.signals.signal import Detector, Evidence, Registry, Signal, run_detector

__all__ = [
    "AnswersExtractor",
    "CallsExtractor",
    "ChecksExtractor",
    "Detector",
    "Evidence",
    "ExpectedExtractor",
    "GivenExtractor",
    "Options",
    "Registry",
    "Rollout",
    "Signal",
    "SignalsExtractor",
    "installed",
    "read_rollout",
    "run_detector",
]
