"""The six causes that a signal, a finding or a task can speak for, in the order in which they are suspected."""

from typing import Final

NAMES: Final = {
    "DA": "data artifact",
    "IR": "infrastructure",
    "TI": "task or verifier",
    "BI": "behaviour",
    "UK": "unreliable knowledge",
    "KG": "knowledge gap",
}
LABELS: Final = tuple(NAMES)
PLUMBING: Final = ("DA", "IR", "TI")
"""The causes that are nobody's skill: they are looked for before a model is blamed."""
