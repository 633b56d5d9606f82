"""IR: what the model wrote is noise from its first sign on, as an engine writes it whose weights, cache or tokenizer are broken.

Two forms are known. *One sign again and again*, from the beginning: a model that loops repeats a word, or has said something before. *Scraps*:
marks that no text holds (replacement signs, tokens that were never decoded, soft hyphens) all over, and hardly a word among them.
"""

import re
from collections.abc import Iterator
from typing import Final

from blade.signals.example import Example, says
from blade.signals.rollout import Rollout
from blade.signals.signal import Evidence, signal

SHORTEST: Final = 60
"""Characters from which on a text can be told from an exclamation."""
READ: Final = 4000
NEARLY_ALL: Final = 0.9
MARKED: Final = 0.02
"""Marks for each character from which on a text is damaged all over."""
WORDY: Final = 0.6
"""Share of words among the parts of a text that sense begins at."""
_UNIT: Final = re.compile(r"(.{1,16}?)\1{11,}", re.DOTALL)
_EMPTY: Final = re.compile(r"(?:[!@\ufffd\x00\s]|<(?:unk|pad|s|/s|eos|bos)>|\[(?:UNK|PAD)\])+")
"""What engines write whose numbers are broken: the first token of the vocabulary, or those that stand for none. A weak model repeats a word, a
full stop or a dash as well, and that is its own doing."""
_MARK: Final = re.compile(r"\ufffd|\u00ad|[ĠĊ▁](?=\S)|<0x[0-9A-F]{2}>|\x00")
_WORD: Final = re.compile(r"[(\"'“*]?(?:[^\W\d_]+(?:['’-][^\W\d_]+)*|[-+$€£]?\d[\d.,:/%-]*)[)\"'”*.,;:!?]*")


@signal(
    "garbled_output",
    label="IR",
    meaning="what the model wrote is noise from its first sign on: one sign again and again, or scraps of undecoded tokens",
    example=Example((says("!" * 120),)),
)
def garbled_output(rollout: Rollout) -> Iterator[Evidence]:
    for item in rollout.output:
        if item.kind == "message" and item.role == "assistant" and (why := noise(item.text)):
            yield Evidence(item.step, item.text[:80], why)
            return


def noise(text: str) -> str:
    """Why a text is noise; empty where it may mean something."""
    text = text[:READ].strip()
    if len(text) < SHORTEST:
        return ""
    unit = _UNIT.match(text)
    if unit is not None and len(unit[0]) >= NEARLY_ALL * len(text) and _EMPTY.fullmatch(unit[1]):
        return f"{len(unit[0])} of {len(text)} characters are one sign again and again"
    marks = len(_MARK.findall(text))
    parts = text.split()
    words = sum(_WORD.fullmatch(part) is not None for part in parts)
    if marks >= MARKED * len(text) and words < WORDY * len(parts):
        return f"{marks} undecoded signs in {len(text)} characters, {words} of {len(parts)} parts are words"
    return ""
