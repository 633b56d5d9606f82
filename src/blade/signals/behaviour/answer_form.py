"""BI: the form that an answer was asked for in, and lacks: a box, tags, a closing line, JSON, a bare number or letter.

What a system prompt says of answers holds for those who were asked for one; where the prompt asks for no form, none lacks.
"""

import re
from collections.abc import Iterator
from typing import Final

import msgspec

from blade.sentences import tail
from blade.signals.example import Example, says
from blade.signals.repeats import has_mark, once_for_repeats, shared
from blade.signals.rollout import Rollout
from blade.signals.signal import Evidence, signal
from blade.signals.texts.speech import gives_up, refuses
from blade.signals.wanted.answer_fields import expected_answer
from blade.signals.wanted.asked import asked_form, without_programs
from blade.signals.wanted.form import LAST_LINE

_BOXED: Final = re.compile(r"\\+boxed\s*\{|\\+fbox\s*\{|\\+boxed\s+\S")
_ASKS_BOXED: Final = re.compile(
    r"\b(?:put|place|enclose|wrap|write|give|present|answer|box|in|within|inside|using|use|with|as|form|format)\b[^.\n]{0,80}\\+boxed\b",
    re.IGNORECASE,
)
_ASKS_LETTER_BOXED: Final = re.compile(
    r"\bletter\b[^.\n]{0,60}\\+boxed(?:\s*\{[^{}\n]{0,20}\})?[^.\n]{0,12}\b(?:and nothing else|only|alone)\b"
    r"|\b(?:only|just|nothing but) (?:the |your |a |one |single )*(?:\w+ ){0,3}letter\b[^.\n]{0,60}\\+boxed\b",
    re.IGNORECASE,
)
"""A box that is to hold the letter of an option and nothing else."""
_IN_BOX: Final = re.compile(r"(?<!\\)\\{1,4}+boxed\s*\{\s*(?:\\+text\w*\s*\{)?\s*([^{}]{0,400})")
_TAG_PAIR: Final = re.compile(r"<(answer|final_answer|solution|result|output|response)>.{0,200}?</\1>", re.DOTALL)
_ASKS_JSON: Final = re.compile(
    r"\b(?:respond|reply|answer|output|return|give|produce|format)\b[^.\n]{0,60}\b(?:only |valid |a |single |strict |as |in |with )*JSON\b(?! schema\b)",
    re.IGNORECASE,
)
_ASKED_LINE: Final = re.compile(
    r"\b(?:close|end|finish|conclude|last line|final line)\b[^\n]{0,80}?['\"`“][ \t]*\**([A-Z][A-Za-z ]{2,24}:)", re.IGNORECASE
)
_ASKS_BARE: Final = re.compile(
    r"\b(?:answer|reply|respond|output|return|give|write|state|print)\b[^.\n]{0,30}?\b(?:only|just|nothing but|a single)\b[^.\n]{0,20}?\b(number|integer|letter)\b"
    r"|\b(?:answer|reply|respond|output|return|give|write|state|print)\b[^.\n]{0,30}?\b(number|integer|letter) (?:only|alone|and nothing else)\b",
    re.IGNORECASE,
)
ENDS: Final = 6_000
"""Characters at either end of a prompt in which it says what it wants; between them stands what it is about."""
_BARE: Final = {
    "number": re.compile(r"\W{0,4}[-+]?\d[\d,.]*(?:/\d+)?(?:[eE][-+]?\d+)?\s?%?\W{0,4}"),
    "letter": re.compile(r"\W{0,4}[A-Za-z]\W{0,4}"),
}
"""What a line looks like that holds a number (a letter) and nothing else."""


@signal(
    "wrong_format",
    label="BI",
    needs=("one_turn",),
    meaning="the answer lacks the form that the prompt asked for",
    causal=False,
    example=Example((says("The answer is 12."),), asked="What is 3 x 4? Put the answer in \\boxed{}."),
)
def wrong_format(rollout: Rollout) -> Iterator[Evidence]:
    closing = rollout.closing
    if closing is None or rollout.status.cut or rollout.has_dialogue or refuses(closing.text) or gives_up(closing.text):
        return
    asked, wanted = _last_request(rollout)
    errand = rollout.expected_calls and expected_answer(rollout) is None
    if errand or any(made.changes and made.error is None for made in rollout.calls):
        asked = wanted  # what a system prompt says of answers holds for those who were asked for one
    missing = _missing_form(asked, wanted, closing.text, files=bool(rollout.calls))
    if missing:
        yield Evidence(closing.step, tail(closing.text, 150), missing, missing.removeprefix("asked for "))


def _last_request(rollout: Rollout) -> tuple[str, str]:
    """What was asked last (the turns after the assistant's last one), and the user's part of it."""
    turns = list(rollout.prompt)
    spoken = max((number for number, item in enumerate(turns) if item.role == "assistant"), default=-1)
    return shared("\n".join([item.text for item in turns[spoken + 1 :]])), rollout.request


def _missing_form(asked: str, wanted: str, answer: str, files: bool) -> str | None:
    """The form that `asked` wants and `answer` lacks. A closing line counts where the user himself (`wanted`) asks for it."""
    boxed, tags = _asked_marks(asked)
    if boxed:
        return _more_than_letter(asked, answer) if _BOXED.search(answer) else "asked for \\boxed{}"
    if tags and not any(f"<{tag}>" in answer for tag in tags):
        return f"asked for <{tags[0]}>"
    form = asked_form(wanted)
    if form is not None and form != LAST_LINE and not form.before.startswith("<"):
        return None if form.used_in(answer) else f"asked for {form.shown!r}"
    in_json = asked_form(asked)
    if in_json is not None and in_json.key:  # for a program to read, whoever says so
        return None if in_json.used_in(answer) else f"asked for {in_json.shown}"
    line = _asked_line(wanted)
    if line is not None and not re.search(rf"{re.escape(line.rstrip(':'))}[*_`\s]{{0,4}}:", answer, re.IGNORECASE):
        return f"asked for a line {line!r}"
    if not files and _asks_json(asked) and not _holds_json(answer):
        return "asked for JSON"
    return None if files else _missing_bare(wanted, answer)


def _more_than_letter(asked: str, answer: str) -> str | None:
    """What a box holds too much, where the letter of an option alone is asked for in it."""
    boxes = _IN_BOX.findall(answer)
    if not boxes or not _letter_boxed(asked):
        return None
    held = boxes[-1].strip()
    return "asked for the letter alone in \\boxed{}" if len(held) > 1 and re.match(r"\(?[A-Z]\)?[:.)\s]+\w", held) else None


@once_for_repeats
def _letter_boxed(asked: str) -> bool:
    return any(_ASKS_LETTER_BOXED.search(part) for part in (asked[:3_000], asked[-3_000:]))


@once_for_repeats
def _asked_marks(asked: str) -> tuple[bool, tuple[str, ...]]:
    """Whether a prompt asks for a box, and the tags that it shows; prompts come again with every repeat."""
    if "boxed" in asked and _ASKS_BOXED.search(asked):
        return True, ()
    if "</" not in asked:
        return False, ()
    ends = (asked,) if len(asked) <= 2 * ENDS else (asked[:ENDS], asked[-ENDS:])
    return False, tuple(sorted({found[1] for part in ends for found in _TAG_PAIR.finditer(without_programs(part))}))


@once_for_repeats
def _asks_json(asked: str) -> bool:
    return "json" in asked[-3_000:].lower() and _ASKS_JSON.search(asked[-3_000:]) is not None


def _missing_bare(wanted: str, answer: str) -> str | None:
    """The bare number or letter that a request asks for, where an answer of one line is more than that.

    A longer answer may hold its working, and the request may be about its end: that is left to others.
    """
    line = answer.strip()
    if not line or "\n" in line or (what := _asked_bare(wanted)) is None:
        return None
    has_it = re.search(r"\d", line) if what == "number" else re.search(r"\b[A-Za-z]\b", line)
    return f"asked for the {what} alone" if has_it and not _BARE[what].fullmatch(line) and "boxed" not in line else None


@once_for_repeats
def _asked_bare(wanted: str) -> str | None:
    """What a request wants alone: a number or a letter."""
    told = _ASKS_BARE.search(wanted[-3_000:]) if has_mark(wanted, ("number", "integer", "letter")) else None
    return None if told is None else "letter" if (told[1] or told[2]).lower() == "letter" else "number"


@once_for_repeats
def _asked_line(wanted: str) -> str | None:
    """The line that a prompt asks for; prompts come again with every repeat."""
    read = without_programs(wanted)[-ENDS:]
    found = _ASKED_LINE.search(read) if ":" in read else None
    return None if found is None else found[1]


def _holds_json(answer: str) -> bool:
    """Whether an object or list can be read in an answer, in a fence or bare."""
    for opening, closing in (("{", "}"), ("[", "]")):
        start, end = answer.find(opening), answer.rfind(closing)
        if 0 <= start < end:
            try:
                msgspec.json.decode(answer[start : end + 1])
            except (msgspec.DecodeError, UnicodeError, RecursionError):
                continue
            return True
    # Several objects, one after another, or JSON with comments: somebody tried, and a parser must judge.
    return "```json" in answer or answer.lstrip()[:1] in ("{", "[")
