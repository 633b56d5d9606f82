"""How a run is opened to be diagnosed: with which extractors, and by whose rule it passes.

Apart from the diagnosis itself, so that who finds one in the index need not load what makes one.
"""

from typing import Final

from blade.diagnosis.skill import Skill, condition, facts_of
from blade.runs.run import Run
from blade.runs.scan import Extractor
from blade.signals.options import Options

PRELOAD: Final = ("blade.signals.families", "blade.diagnosis.reading")
"""What worker processes need for the scan with these extractors, and then to read the tasks."""


def extractors(skill: Skill | None = None) -> tuple[Extractor, ...]:
    """What a run has to be opened with to be diagnosed."""
    from blade.diagnosis.skill.detectors import rules_as_detectors, skill_extractors
    from blade.signals.answer_rows import AnswersExtractor
    from blade.signals.expected import ExpectedExtractor, GivenExtractor
    from blade.signals.extractor import CallsExtractor, SignalsExtractor
    from blade.signals.outputs import OutputsExtractor
    from blade.signals.wanted.checks import ChecksExtractor
    from blade.signals.wanted.restated import RestatedExtractor

    options = Options() if skill is None else skill.options
    return (
        SignalsExtractor(options, () if skill is None else rules_as_detectors(skill)),
        CallsExtractor(options),
        ExpectedExtractor(options=options),
        GivenExtractor(options),
        AnswersExtractor(options),
        ChecksExtractor(options),
        RestatedExtractor(options),
        OutputsExtractor(options),
        *(() if skill is None else skill_extractors(skill)),
    )


def apply(skill: Skill | None, run: Run) -> None:
    """Let the benchmark's own rule decide what passes, where its skill has one."""
    if skill is not None and skill.pass_when is not None:
        run.pass_by(condition(skill.pass_when, facts_of(run)))
