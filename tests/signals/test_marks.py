"""What is looked for before an expression is tried: whatever the expression finds has it."""

import re
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from blade.signals.behaviour import answer_form, forbidden
from blade.signals.data import aged, conditions, prompts, reversals, working
from blade.signals.machinery.recorded import GRADER_FAILED
from blade.signals.repeats import has_mark
from blade.signals.texts.speech import caseless
from blade.signals.verifier import alternatives, judging
from blade.signals.wanted import asked

MARKED = {
    "refers": (prompts._REFERS, prompts._REFERS_MARKS),
    "beside": (prompts._BESIDE, prompts._BESIDE_MARKS),
    "limit": (conditions._LIMIT, conditions._LIMIT_MARKS),
    "term": (reversals._TERM, reversals._TERM_MARKS),
    "number": (reversals._ASKS_NUMBER, ("number", "integer", "figure")),
    "counts": (aged._COUNTS, aged._COUNT_MARKS),
    "open": (alternatives._OPEN, alternatives._OPEN_MARKS),
    "last line": (asked._LAST_LINE, asked._LAST_LINES),
    "doubled": (asked._DOUBLED, ("double",)),
    "order": (asked._ANY_ORDER, ("order",)),
    "decimals": (asked._DECIMALS, asked._DECIMAL_MARKS),
    "nearest": (asked._NEAREST, asked._NEAREST_MARKS),
    "percentage": (asked._PERCENTAGE, ("percentage",)),
    "bare": (answer_form._ASKS_BARE, ("number", "integer", "letter")),
    "forbids": (forbidden._FORBIDS, forbidden._FORBID_MARKS),
    "other numbers": (working._OTHER_NUMBERS, working._OTHER_MARKS),
    "grader": (GRADER_FAILED, judging._GRADERS),
}


@pytest.mark.parametrize(("expression", "marks"), MARKED.values(), ids=MARKED.keys())
def test_whatever_an_expression_finds_has_a_mark(expression: re.Pattern[str], marks: tuple[str, ...]) -> None:
    @settings(max_examples=150, deadline=None)
    @given(st.from_regex(expression))
    def holds_a_mark(text: str) -> None:
        assert has_mark(text, marks)

    holds_a_mark()


SEEN: dict[str, tuple[re.Pattern[str], Callable[[str], object]]] = {
    "complaint": (prompts._COMPLAINT, lambda text: prompts._may_complain(caseless(text))),
    "template": (prompts._TEMPLATE, lambda text: any(sign in text for sign in prompts._TEMPLATE_SIGNS)),
    "seam": (prompts._SEAM, lambda text: '"' in text or "\t" in text),
    "encoding": (prompts._MOJIBAKE, lambda text: not text.isascii()),
    "signed": (prompts._SIGNED, lambda text: text.rstrip()[-1].isalnum() or text.rstrip()[-1] in prompts._NAME_SIGNS),
    "brackets": (asked._BRACKETS, lambda text: "<<" in text or "[[" in text),
    "gap": (asked._OPEN, asked._OPENS.search),
    "printed": (asked._PRINTED, lambda text: 'f"' in text or "f'" in text or asked._TEXT_IN_CALL.search(text)),
    "dated": (aged._DATED, aged._YEAR.search),
}


@pytest.mark.parametrize(("expression", "seen"), SEEN.values(), ids=SEEN.keys())
def test_whatever_an_expression_finds_is_seen_before(expression: re.Pattern[str], seen: Callable[[str], object]) -> None:
    @settings(max_examples=150, deadline=None)
    @given(st.from_regex(expression))
    def is_seen(text: str) -> None:
        assert seen(text)

    is_seen()
