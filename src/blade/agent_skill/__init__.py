"""The Agent Skill that comes with BLADE, its installer, and the check of skills that users write.

The skill's files lie in `nemo-gym-blade-analysis/` beside this module, so that they are in every installation; `.codex/skills` and `.claude/skills`
of the repository lead to them.
"""

from blade.agent_skill.check import Finding, SkillReport, check_skill, find_skills
from blade.agent_skill.install import Installed, install
from blade.agent_skill.shipped import NAME, shipped_files

__all__ = ["NAME", "Finding", "Installed", "SkillReport", "check_skill", "find_skills", "install", "shipped_files"]
