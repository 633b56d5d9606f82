"""What a skill hands to the scan: its labels as detectors, and the extractor of what its stages look for in texts.

extractors = (SignalsExtractor(skill.options, rules_as_detectors(skill)), CallsExtractor(skill.options), *skill_extractors(skill))
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final

from blade.diagnosis.skill.evaluate import evaluate
from blade.diagnosis.skill.rules import Observed, Rule, words
from blade.diagnosis.skill.skill import Skill
from blade.runs.scan import Extractor, RowView
from blade.signals.cleaning import code_digest, quoted
from blade.signals.learning import Learns
from blade.signals.options import Options
from blade.signals.rollout import Rollout, rollout_of
from blade.signals.signal import Detector, Evidence
from blade.untrusted.limits import MAX_QUOTE

SCHEMA: Final = "1"
FAMILY: Final = "blade.yaml"


@cache
def _own_digest() -> str:
    """A hash of this room's source: rules that are read otherwise than before make other tables."""
    sources = (path.read_bytes() for path in sorted(Path(__file__).parent.glob("*.py")))
    return blake2b(b"\0".join(sources), digest_size=8).hexdigest()


@dataclass(frozen=True)
class RuleDetect:
    """A rule as a detector's function: callable, picklable, and equal in `repr` where the rules are equal."""

    when: Rule
    subject: str = ""
    code: str = field(default_factory=_own_digest)
    """Of the code that reads rules: with it, an index knows what it was built with."""

    def __call__(self, rollout: Rollout) -> Iterator[Evidence]:
        seen = evaluate(self.when, rollout)
        if seen is not None:
            yield Evidence(seen.step, seen.quote, words(self.when)[:MAX_QUOTE], self.subject or seen.subject)


def rules_as_detectors(skill: Skill) -> tuple[Detector, ...]:
    """The labels of a skill for the signals extractor. They judge whole rollouts: a rule may speak of what never happened."""
    return tuple(
        Detector(
            label.code, label.label, label.meaning, FAMILY, RuleDetect(label.when, label.subject), causal=False, example=None
        )
        for label in skill.labels
    )


class ObservationsExtractor(Learns):
    """The table `observations`: which conditions of the stages held, by the condition's id, with the step and the words that show it."""

    table = "observations"
    columns: Final = {"condition": "string", "step": "int64", "quote": "string"}

    def __init__(self, conditions: dict[str, Observed], options: Options) -> None:
        self.conditions = conditions
        self.options = options
        listed = "|".join(sorted(conditions)) + options.version
        self.version = f"{SCHEMA}:{code_digest()}:{_own_digest()}:{blake2b(listed.encode(), digest_size=8).hexdigest()}"

    def extract(self, view: RowView) -> Iterable[tuple[Any, ...]]:
        rollout = rollout_of(view, self.options)
        for name, condition in self.conditions.items():
            seen = evaluate(condition, rollout)
            if seen is not None:
                yield name, seen.step, quoted(seen.quote)


def skill_extractors(skill: Skill) -> tuple[Extractor, ...]:
    """What must be handed to `open_run` so that the skill's stages can be counted; nothing where SQL over the usual tables will do."""
    return (ObservationsExtractor(skill.observed, skill.options),) if skill.observed else ()
