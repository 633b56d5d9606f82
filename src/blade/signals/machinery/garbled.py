"""IR: what the model wrote is noise from its first sign on, as an engine writes it whose weights, cache or tokenizer are broken.

Three forms are known. *One sign again and again*, from the beginning: a model that loops repeats a word, or has said something before; a few
signs again and again are noise where some of them are no signs of a text. *Scraps*: marks that no text holds (replacement signs, tokens that were
never decoded, soft hyphens) all over, and hardly a word among them. *Shreds* of many scripts, grown together within words.
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
_FEW: Final = re.compile(r"(.{2,80}?)\1{7,}", re.DOTALL)
_NO_TEXT: Final = re.compile(r"[\ufffd\u00ad\u200b-\u200f\u2060\ufeff\x00]|([^\w\s.!?=_*#~-])\1{4,}")
"""What stands in no unit that a model would repeat: invisible signs, or one bracket, comma or the like many times."""
LONG_RUN: Final = 100
"""Characters from which on nothing but one letter is no slip of a model."""
MIN_SCRIPTS: Final = 3
MIN_GROWN: Final = 3
"""Parts of a text in which letters of several scripts have grown together."""
_SCRIPTS: Final = (
    re.compile(r"[A-Za-z\u00c0-\u024f]{3}"), re.compile(r"[\u0400-\u052f]{2}"), re.compile(r"[\u0590-\u05ff]"),
    re.compile(r"[\u0600-\u06ff]"), re.compile(r"[\u0900-\u0dff]"), re.compile(r"[\u0e00-\u0e7f]"), re.compile(r"[\uac00-\ud7af]"),
    re.compile(r"[\u3040-\u30ff\u3400-\u9fff]"),
)  # fmt: skip
"""Latin and Cyrillic by shreds of words, Hebrew, Arabic, Indic, Thai, Korean, Japanese and Chinese; single letters and Greek ones stand in any mathematics."""
_BEYOND_LATIN: Final = re.compile(r"[\u0400-\u0fff\u3040-\ud7af]")
"""Where all scripts but Latin stand."""
_MARK: Final = re.compile(r"\ufffd|\u00ad|[ĠĊ▁](?=\S)|<0x[0-9A-F]{2}>|\x00")
_WORD: Final = re.compile(r"[(\"'“*]?(?:[^\W\d_]+(?:['’-][^\W\d_]+)*|[-+$€£]?\d[\d.,:/%-]*)[)\"'”*.,;:!?]*")


@signal(
    "garbled_output",
    label="IR",
    meaning="what the model wrote is noise from its first sign on: a few signs again and again, scraps of undecoded tokens, or shreds of many scripts",
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
    if len(text) >= LONG_RUN and text[0].isalnum() and text.count(text[0]) == len(text):
        return f"{len(text)} characters are one letter or digit"
    few = _FEW.match(text)
    if few is not None and len(few[0]) >= NEARLY_ALL * len(text) and _NO_TEXT.search(few[1]):
        return f"{len(few[0])} of {len(text)} characters are a few signs again and again"
    if text.isascii() and "<0x" not in text and "\0" not in text:
        return ""  # all other marks and scripts are beyond it
    marks = len(_MARK.findall(text))
    scripts = _scripts(text) if _BEYOND_LATIN.search(text) is not None else 1
    parts = text.split() if scripts >= MIN_SCRIPTS or marks >= MARKED * len(text) else []
    if scripts >= MIN_SCRIPTS:
        grown = sum(_scripts(part) > 1 for part in parts)
        whole = sum(_WORD.fullmatch(part) is not None and _scripts(part) <= 1 for part in parts)
        if grown >= MIN_GROWN and whole < WORDY * len(parts):
            return f"{scripts} scripts in {len(text)} characters, {grown} of {len(parts)} parts are of several"
    if marks < MARKED * len(text):
        return ""
    words = sum(_WORD.fullmatch(part) is not None for part in parts)
    if words < WORDY * len(parts):
        return f"{marks} undecoded signs in {len(text)} characters, {words} of {len(parts)} parts are words"
    return ""


def _scripts(text: str) -> int:
    return 0 if text.isascii() else sum(script.search(text) is not None for script in _SCRIPTS)
