"""Importing this module registers every built-in detector; the order of the families is the order of the reference page."""

from blade.signals import data, gold, gold_calls, aged, prompts, slots, infrastructure, garbled, verifier, portions, choices  # isort: skip
from blade.signals import process, misuse, ending, trials, selfcheck, grounding  # isort: skip
from blade.signals import actions, forbidden, superseded, alternatives, limits, lookups, records, people, reported  # isort: skip

FAMILIES = (
    data,
    gold,
    gold_calls,
    aged,
    prompts,
    slots,
    choices,
    infrastructure,
    garbled,
    verifier,
    portions,
    process,
    misuse,
    ending,
    trials,
    selfcheck,
    grounding,
    actions,
    forbidden,
    superseded,
    alternatives,
    limits,
    lookups,
    records,
    people,
    reported,
)
