"""What one trajectory shows: small pure detectors, each with evidence.

The way data takes: `rollout` gives the view of one row, with its calls and their answers (`calls/`) and what the task wants of it
(`wanted/`, by names, or as the run was learned: `layout/`); the detectors, in the order of suspicion `data/`, `machinery/`, `verifier/`,
`behaviour/`, `knowledge/`, read it and yield evidence, with what `texts/` knows of numbers, days and origins. `families` lists them;
`extractor` turns what they find into the tables `signals` and `calls` of a run, `expected` into what became of the expected calls,
`answer_rows` and `wanted.checks` into what the verifier saw. `calls.learned` says what a whole run teaches about its tools. What else
needs more than one rollout, or a reward, is the diagnosis's.
"""

from blade.signals.answer_rows import AnswersExtractor
from blade.signals.expected import ExpectedExtractor, GivenExtractor
from blade.signals.extractor import CallsExtractor, SignalsExtractor
from blade.signals.options import Options
from blade.signals.plugins import installed
from blade.signals.rollout import Rollout, read_rollout
from blade.signals.signal import Detector, Evidence, Registry, Signal, run_detector
from blade.signals.wanted.checks import ChecksExtractor

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
