"""Importing this module registers every built-in detector; the order of the families is the order of the reference page."""

from blade.signals import data, gold, gold_records, gold_calls, aged, already, prompts, clashes, reversals, slots, choices  # isort: skip
from blade.signals import infrastructure, garbled, broken_off, unparsed, serving, verifier, portions, twins  # isort: skip
from blade.signals import process, misuse, ending, answer_form, programs, trials, selfcheck, grounding, schema_examples  # isort: skip
from blade.signals import data, gold, gold_calls, aged, already, prompts, continuing, clashes, slots, choices  # isort: skip
from blade.signals import data, gold, gold_shape, gold_calls, aged, already, prompts, continuing, clashes, slots, choices  # isort: skip
from blade.signals import data, gold, gold_shape, gold_calls, aged, premises, already  # isort: skip
from blade.signals import prompts, continuing, headings, clashes, slots, choices  # isort: skip
from blade.signals import infrastructure, garbled, broken_off, verifier, portions, twins  # isort: skip
from blade.signals import process, misuse, ending, programs, trials, selfcheck, grounding, schema_examples  # isort: skip
from blade.signals import (
    accepted,
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
    gold_records,
    gold_shape,
    gold_calls,
    aged,
    premises,
    already,
    prompts,
    continuing,
    headings,
    clashes,
    reversals,
    slots,
    choices,
    infrastructure,
    garbled,
    broken_off,
    unparsed,
    serving,
    verifier,
    accepted,
    portions,
    twins,
    process,
    misuse,
    ending,
    answer_form,
    programs,
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
