"""`skill/blade.yaml`: a benchmark's own stages, labels, slices and pass rule, as declarative rules (docs/blade-yaml.md).

`reader.load_skill` reads it, `detectors` hands it to the scan, `sql` turns its rules into queries over the facts.
"""

from blade.diagnosis.skill.detectors import rules_as_detectors, skill_extractors
from blade.diagnosis.skill.problems import InvalidSkill
from blade.diagnosis.skill.reader import load_skill
from blade.diagnosis.skill.skill import Label, Skill, Stage
from blade.diagnosis.skill.sql import condition, facts_of, field_sql
from blade.diagnosis.skill.unknown import skill_problems

__all__ = [
    "InvalidSkill",
    "Label",
    "Skill",
    "Stage",
    "condition",
    "facts_of",
    "field_sql",
    "load_skill",
    "rules_as_detectors",
    "skill_extractors",
    "skill_problems",
]
