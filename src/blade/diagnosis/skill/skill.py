"""A benchmark's own knowledge, as its `skill/blade.yaml` states it: stages, labels, slices, pass rule, and where things stand in the rows."""

from dataclasses import dataclass

from blade.diagnosis.skill.rules import Observed, Rule, observation_id, observed
from blade.signals.options import Options


@dataclass(frozen=True)
class Stage:
    name: str
    when: Rule
    meaning: str = ""


@dataclass(frozen=True)
class Label:
    """One entry of the benchmark's failure taxonomy: found in a trajectory by a rule, it speaks for one of the six causes."""

    code: str
    label: str  # DA, IR, TI, BI, UK, KG
    meaning: str
    when: Rule
    subject: str = ""
    fix: str = ""
    family: str = ""  # of the fix: data, verifier, prompt, harness, training, infrastructure


@dataclass(frozen=True)
class Skill:
    path: str
    benchmark: str
    description: str = ""
    stages: tuple[Stage, ...] = ()
    labels: tuple[Label, ...] = ()
    slices: tuple[str, ...] = ()
    pass_threshold: float | None = None
    pass_when: Rule | None = None
    expected_actions: tuple[str, ...] = ()
    expected_answer: tuple[str, ...] = ()
    extracted_answer: tuple[str, ...] = ()
    tools: tuple[tuple[str, str], ...] = ()
    share: tuple[str, ...] = ()
    lines: tuple[tuple[str, int], ...] = ()
    """Where tools and named fields stand in the file: `tools.hold` and its line."""

    def line(self, part: str, name: str) -> int:
        return dict(self.lines).get(f"{part}.{name}", 0)

    @property
    def options(self) -> Options:
        """What the extractors have to know to read the rows right."""
        return Options(self.expected_actions, self.expected_answer, self.extracted_answer, self.tools)

    @property
    def observed(self) -> dict[str, Observed]:
        """The conditions of stages that only the scan can decide, by their id in the table `observations`."""
        return {observation_id(condition): condition for stage in self.stages for condition in observed(stage.when)}
