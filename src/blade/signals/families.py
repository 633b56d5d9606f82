"""Importing this module registers every built-in detector; the order of the families is the order of the reference page."""

from blade.signals import data, gold, gold_calls, aged, prompts, clashes, slots, choices  # isort: skip
from blade.signals import infrastructure, garbled, verifier, portions, twins  # isort: skip
from blade.signals import process, misuse, ending, trials, selfcheck, grounding, schema_examples  # isort: skip
from blade.signals import (
    actions,
    alternatives,
    consent,
    forbidden,
    limits,
    lookups,
    people,
    records,
    reported,
    superseded,
    thoughts,
    tongues,
)  # isort: skip

FAMILIES = (
    data,
    gold,
    gold_calls,
    aged,
    prompts,
    clashes,
    slots,
    choices,
    infrastructure,
    garbled,
    verifier,
    portions,
    twins,
    process,
    misuse,
    ending,
    trials,
    selfcheck,
    grounding,
    schema_examples,
    actions,
    forbidden,
    consent,
    superseded,
    alternatives,
    limits,
    lookups,
    records,
    people,
    reported,
    tongues,
    thoughts,
)
