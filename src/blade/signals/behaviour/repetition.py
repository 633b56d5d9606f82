"""BI: a text that ends by saying the same thing over and over, until a limit cut it off.

A model that has got into a loop repeats a figure, a clause or a paragraph and does not find its way out. What counts is the end: a refrain, a table or
a list of equal entries is followed by something else, or closed. Nor need equal lines at the end mean that anything was cut off: the rows of a grid
end so. Where nothing says that a limit was reached, the repetition must break off within a line or a word, or no line may come to an end in it, with
no answer before. An engine that writes noise from the first sign on is another matter (`garbled`).
"""

from collections.abc import Iterator
from typing import Final

from blade.answers import extract
from blade.sentences import plural, tail
from blade.signals.behaviour.ending import ended_by
from blade.signals.example import Example, says
from blade.signals.machinery.garbled import noise
from blade.signals.rollout import LENGTH_REASONS, Rollout
from blade.signals.signal import Evidence, signal
from blade.signals.wanted.answer_fields import expected_answer

TAIL: Final = 24
"""Characters at the end that are looked for before it; where they do not stand there, nothing is repeated."""
LONGEST: Final = 1_000
"""Characters of a passage that may come again."""
LEAST: Final = 200
TIMES: Final = 5
"""Characters that the repetition must cover, and how often the passage must come."""
STATED: Final = 2_000
"""Characters before the repetition in which an answer is looked for."""


def repeated_end(text: str) -> tuple[str, int] | None:
    """The passage that a text ends by repeating, and how often it comes; None where it does not end so."""
    text = text.rstrip()
    tail = text[-TAIL:]
    before = text.rfind(tail, max(0, len(text) - TAIL - LONGEST), len(text) - 1) if len(text) >= LEAST else -1
    if before < 0 or not any(map(str.isalnum, tail)):
        return None
    period = len(text) - TAIL - before
    start = len(text) - period
    while start >= period and text[start - period : start] == text[start : start + period]:
        start -= period
    times = (len(text) - start) // period
    return (text[start : start + period], times) if times >= TIMES and times * period >= LEAST else None


@signal(
    "repeats_itself",
    label="BI",
    meaning="the output ends by repeating one passage over and over, and comes to no end of its own",
    causal=False,
    example=Example((says("The decimal goes on: 0." + "18" * 150),)),
)
def repeats_itself(rollout: Rollout) -> Iterator[Evidence]:
    last = rollout.output[-1] if rollout.output else None
    if last is None or last.kind not in ("message", "reasoning") or last.role == "user":
        return
    found = repeated_end(last.text)
    if found is None or noise(last.text):
        return
    passage, times = found
    cut = rollout.status.cut or (ended_by(rollout) or "").lower() in LENGTH_REASONS or last.kind == "reasoning"
    if (cut or _comes_to_no_end(last.text.rstrip(), passage, times)) and not _expected_so(rollout, passage):
        yield Evidence(last.step, tail(last.text.rstrip(), 160), f"{_passage(passage)} comes {times:,} times in a row")


def _comes_to_no_end(text: str, passage: str, times: int) -> bool:
    """Whether a text that ends with a passage so many times breaks off there, as far as the text itself can tell."""
    goes_on = text[len(text) - len(passage) :]
    if "\n" in passage:
        return not goes_on.lstrip(" \t").startswith("\n")
    if text[-1].isalnum() and goes_on[0].isalnum():
        return True
    *before, line = text[: len(text) - len(passage) * times].split("\n")
    line += passage * times
    return line.strip() != next((one.strip() for one in reversed(before) if one.strip()), "") and not any(
        one.marked for one in extract("\n".join(before)[-STATED:])
    )


def _expected_so(rollout: Rollout, passage: str) -> bool:
    """Whether the expected answer ends with the same over and over."""
    gold = expected_answer(rollout)
    signs = _signs(passage) * TIMES
    return gold is not None and bool(signs) and _signs(str(gold[1])).endswith(signs)


def _signs(text: str) -> str:
    return "".join(filter(str.isalnum, text))


def _passage(text: str) -> str:
    """What comes again and again: its words, or where it is a piece of a word how long it is."""
    said = " ".join(text.split())
    return f"“{said[:60]}”" if " " in said else f"a piece of {plural(len(said), 'character')}"
