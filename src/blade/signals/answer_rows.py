"""Answers as a table: what was expected, what the verifier took for the answer (`answer_fields`), and how the rollout ended.

Beside them stands what the answer has to be like: what the final message states in the form that the prompt asks for, how far a figure
may be off, and the unit it is asked in (`asked`).
"""

import re
from collections.abc import Iterator
from typing import Any, Final

from blade.answers import extract
from blade.answers.units import PERCENT
from blade.runs.scan import RowView
from blade.signals.cleaning import code_digest, quoted
from blade.signals.layout.texts import plain_text
from blade.signals.learning import Learns
from blade.signals.options import USUAL, Options
from blade.signals.rollout import Rollout, rollout_of, says_something
from blade.signals.wanted import asked
from blade.signals.wanted.answer_fields import MAX_ANSWER, MAX_SHORT, Found, expected_answer, taken_answer
from blade.signals.wanted.form import FIRST_LINE, LAST_LINE, Form
from blade.signals.wanted.option_lists import MAX_PROMPT, marked_lines, options_of, prompt_options
from blade.untrusted.quotes import clean

SCHEMA: Final = "4"
MAX_FIELD: Final = 200
MAX_MARK: Final = 12
"""Characters of what stands before an option: a letter, a number, a numeral, a code word."""
SIGN_OFF: Final = re.compile(
    r"(?:\A|\n|(?<=[.!?])\s)\W*(?:TERMINATE[SD]?|EXIT|STOP|DONE|END|FINISH(?:ED)?|TASK[ _]COMPLETED?)\W*\Z|\A\W*(?:done|finished|task completed?)\W*\Z"
)
"""What ends a conversation and answers nothing, alone or behind the last words."""
SIGNED: Final = 40
"""Characters at the end of a text in which such a word stands."""
CEREMONY: Final = 5
"""Messages at the end of a conversation, among which the one that answers is looked for."""


class AnswersExtractor(Learns):
    """The table `answers`: at most one row for a rollout, none where there is neither gold nor an answer in a form that was asked for."""

    table = "answers"
    columns: Final = {
        "expected_field": "string",
        "expected": "string",
        "extracted_field": "string",
        "extracted": "string",
        "final_step": "int64",
        "final": "string",
        "stated": "string",
        "tolerance": "float64",
        "unit": "string",
        "any_order": "bool_",
        "option": "string",
    }

    def __init__(self, options: Options = USUAL) -> None:
        self.options = options
        self.version = f"{SCHEMA}:{code_digest()}{options.version}"

    def extract(self, view: RowView) -> Iterator[tuple[Any, ...]]:
        rollout = rollout_of(view, self.options)
        expected, extracted = expected_answer(rollout), taken_answer(rollout)
        if expected is None and extracted is not None and extracted[1] is None and "." in extracted[0]:
            extracted = None  # an object of verdicts has the same fields on tasks that ask for no answer
        step, final = last_words(rollout)
        conventions = _conventions(rollout, expected, final)
        if expected is None and extracted is None and conventions[0] is None:
            return
        yield (
            *(_told(expected)),
            *(_told(extracted)),
            step,
            None if final is None else clean(final[-8 * MAX_ANSWER :])[-MAX_ANSWER:],
            *conventions,
        )


def last_words(rollout: Rollout) -> tuple[int | None, str | None]:
    """What the assistant said last, with its step. Where a conversation ends with a word for it, the answer was given before.

    Agents that talk to each other agree before they end it, so there the last message that marks an answer is looked for, a few messages back.
    """
    final = rollout.final
    if final is None:
        return None, None
    if not signed_off(final.text):
        return final.step, final.text
    spoken = [item for item in reversed(rollout.output) if says_something(item) and without_sign_off(item.text)][:CEREMONY]
    told = (item for item in spoken if any(one.marked for one in extract(without_sign_off(item.text))))
    last = next(told, None) or next((item for item in spoken[:1] if len(item.text) <= MAX_SHORT), final)
    return last.step, last.text


def signed_off(text: str) -> bool:
    """Whether a text ends with the word that ends a conversation."""
    return SIGN_OFF.search(text[-SIGNED:]) is not None


def without_sign_off(text: str) -> str:
    """A text up to the word that ends a conversation."""
    return (text[:-SIGNED] + SIGN_OFF.sub("", text[-SIGNED:])).strip()


def _conventions(
    rollout: Rollout, expected: Found | None, final: str | None
) -> tuple[str | None, float | None, str | None, bool, str | None]:
    """What the message states in the form that was asked for, how far off a figure may be, in which unit it is asked, whether any order will do, and the text of the expected option."""
    request = rollout.request
    form = (
        (asked.asked_form(request) or asked.asked_form(rollout.prompt_text) or learned_form(rollout))
        if final is not None
        else None
    )
    lines = (LAST_LINE, FIRST_LINE)
    if form in lines and (expected is None or final is None or any(one.marked for one in extract(final))):
        form = None  # every message has such a line: also where nothing was asked, and where it marks its answer otherwise
    read = slice(0, 8 * MAX_ANSWER) if form == FIRST_LINE else slice(-8 * MAX_ANSWER, None)
    stated = None if form is None or final is None else form.stated(final[read])
    gold = None if expected is None else plain_text(expected[1])
    figure = gold is not None and gold[:1] in "-+.0123456789"
    unit = asked.asked_unit(request, rollout.fields) if figure else None
    if unit == PERCENT and asked.asks_for_fraction(rollout.prompt_text):
        unit = None
    return (
        None if stated is None else clean(stated)[:MAX_ANSWER],
        asked.tolerance(request, rollout.fields, gold) if figure and gold is not None else None,
        unit,
        asked.any_order(request),
        None if gold is None else _option_text(rollout, gold),
    )


def learned_form(rollout: Rollout) -> Form | None:
    return next((Form(form.before, form.after) for form in rollout.options.layout.form), None)


def _option_text(rollout: Rollout, gold: str) -> str | None:
    """What the expected letter, numeral or number stands for, where nobody asks for it alone."""
    if len(gold) > MAX_MARK or asked.asks_for_letter(rollout.prompt_text):
        return None
    listed, own = rollout.request[-MAX_PROMPT:], options_of(rollout)
    text = (own or prompt_options(listed)).get(gold.upper())
    if text is None and (own or not gold.isdecimal()):  # a number may be the answer of a prompt that numbers its lines
        text = marked_lines(listed).get(gold.lower())
    return None if not text else clean(text)[:MAX_ANSWER]


def _told(found: Found | None) -> tuple[str | None, str | None]:
    if found is None:
        return None, None
    name, value = found
    text = plain_text(value)
    return quoted(name, MAX_FIELD), None if text is None else clean(text[: 8 * MAX_ANSWER])[:MAX_ANSWER]
