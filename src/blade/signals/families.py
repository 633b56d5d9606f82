"""Importing this module registers every built-in detector; the order of the families is the order of the reference page."""

from blade.signals import data, prompts, infrastructure, verifier, choices  # isort: skip
from blade.signals import process, misuse, ending, selfcheck, grounding  # isort: skip
from blade.signals import actions, alternatives, limits, lookups, records, people, reported  # isort: skip

FAMILIES = (
    data,
    prompts,
    choices,
    infrastructure,
    verifier,
    process,
    misuse,
    ending,
    selfcheck,
    grounding,
    actions,
    alternatives,
    limits,
    lookups,
    records,
    people,
    reported,
)
