"""What a request says in words of a call that was made: what its tool does and to what, whether a flag is set, which number is which, what comes first."""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from blade.signals.calls.mutation import VERBS, own_words, words_of
from blade.signals.calls.sameness import Difference
from blade.signals.repeats import once_for_repeats
from blade.signals.rollout import Rollout
from blade.signals.texts.speech import caseless

SHORT: Final = 2
"""Letters up to which a word of a name says nothing."""
MIN_STEM: Final = 4
"""Letters of a word without its ending."""
MAX_NAMED: Final = 4_000
"""Characters of an answer in which a number is looked for beside its name."""
_ORDER: Final = re.compile(
    r"\b(?:only (?:once|when|after|then)|(?:once|when|after) (?:that|this|it|they|those)\b[^.!?]{0,30}\b(?:is|are|has|have|done|through|out)|not before|before (?:you|doing|that|anything)"
    r"|first\b[^.!?]{0,80}\b(?:then|next|after(?:wards?)?)|(?:and|but) (?:after|afterwards|then)(?: that| it| this)?|after(?:wards?| it| that| this)|only then|in (?:this|that|the following) order|prior to|followed by)\b",
    re.IGNORECASE,
)
_CHOICE: Final = re.compile(r"[A-Za-z]+(?:[_-][A-Za-z]+)+|[a-z]+(?:[A-Z][a-z]+)+")
"""A name of several words without figures, which an id would have."""
_PLAIN: Final = re.compile(r"[a-z]{3,}")
_WORD: Final = re.compile(r"[A-Za-z]{3,}")
_BEGINS: Final = re.compile(r"(?:\A|[.!?:;\n])[\s\"'(]*\Z")
_GENERAL: Final = frozenset([
    "detail", "details", "info", "information", "data", "list", "item", "items", "record", "records", "status", "all", "one", "new",
])  # fmt: skip
"""Words of tools' names that say nothing of what they are about."""
_COUNTED: Final = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
MOST_COUNTED: Final = len(_COUNTED) - 1
"""The largest number that stands everywhere and says something only beside a name."""
_PER_CENT: Final = re.compile(r"\s?%|\sper cent\b", re.IGNORECASE)
_SENTENCE: Final = re.compile(r"(?<=[.!?;])\s+|\n+")
_NEGATION: Final = re.compile(
    r"\b(?:no|not|never|without|neither|nor|don['’]t|doesn['’]t|shouldn['’]t|won['’]t)\b", re.IGNORECASE
)


def words_named(request: str, tool: str) -> list[str]:
    """Which a request has of the two words that say what a tool does and to what: `rotate` and `key` of `iam-rotate-key`."""
    said = _caseless(request)
    return [word for word in _verb_and_thing(tool) if word and word in said and _has(request, word)]


_caseless: Final = once_for_repeats(caseless)


def things_of(tool: str) -> list[str]:
    """What a tool is about, by the words of its name that are no verb: `policy` of `policies__fetch`."""
    return [_singular(word) for word in words_of(tool) if len(word) > SHORT and word not in VERBS and word not in _GENERAL]


def _singular(word: str) -> str:
    if word.endswith("ies"):
        return f"{word[:-3]}y"
    if word.endswith(("xes", "sses", "ches", "shes")):
        return word[:-2]
    return word if word.endswith(("ss", "us", "ws")) else word.removesuffix("s")


def speaks_of(request: str, thing: str) -> bool:
    """Whether a request names a thing, in the singular or the plural; what begins a sentence tells what to do (`Charge the fee`)."""
    return any(
        _singular(found[0].lower()) == thing
        for found in _WORD.finditer(request)
        if not (found[0][0].isupper() and _BEGINS.search(request, 0, found.start()))
    )


def _has(text: str, word: str) -> bool:
    return _beginning(word).search(text) is not None


@lru_cache(maxsize=1024)
def _beginning(word: str) -> re.Pattern[str]:
    """A word at the beginning of one; the words of tools come again with every call."""
    return re.compile(rf"\b{re.escape(word)}", re.IGNORECASE)


def said_in_form(request: str, value: str) -> bool:
    """Whether a request says a word in another form: `activate` where `active` is set, `suspend` for `suspended`."""
    word = value.strip().lower()
    stem = _stem(word)
    return word.isalpha() and len(stem) >= MIN_STEM and any(_stem(said) == stem for said in _plain_words(request))


def names_choice(request: str, value: str) -> bool:
    """Whether a request has a word of a choice that is written as programs write names: `medical interval` where `interval_in_months` is set."""
    if _CHOICE.fullmatch(value.strip()) is None:
        return False
    words = [_singular(word) for word in words_of(value) if len(word) >= MIN_STEM and word not in _GENERAL]
    return any(_has(request, word) for word in words)


@once_for_repeats
def _plain_words(request: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_PLAIN.findall(request.lower())))


def _stem(word: str) -> str:
    """A word without the ending that makes a verb or a state of it."""
    for ending in ("ation", "ating", "ated", "ates", "ate", "ing", "ed", "es", "ion", "e", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= MIN_STEM:
            return word.removesuffix(ending)
    return word


@lru_cache(maxsize=4096)
def _verb_and_thing(name: str) -> tuple[str, str]:
    """What a tool does to what, by its name: `rotate` and `key` of `iam-rotate-key`, of `rotateIamKey` and of `iam.key.rotate`.

    Without a verb the last two words say it: `visit` and `note` of `visit.note`.
    """
    words = [word for word in own_words(name) if len(word) > SHORT or word in VERBS]
    place = next((place for place, word in enumerate(words) if word in VERBS), None)
    if place is None:
        return (_singular(words[-2]) if len(words) > 1 else "", _singular(words[-1]) if words else "")
    before = words[:place] or [word for word in words_of(name) if len(word) > SHORT and word != words[place]]
    return words[place], words[-1] if place < len(words) - 1 else before[-1] if before else ""


def said_of_flag(request: str, path: str) -> bool | None:
    """What a request says in words of a flag: a sentence that has the words of its name, with or without a negation."""
    words = [word.removesuffix("s") for word in words_of(path.rpartition(".")[2]) if len(word) > SHORT]
    for sentence in _SENTENCE.split(request) if words else ():
        if all(_has(sentence, word) for word in words):
            return _NEGATION.search(sentence) is None and not any(_takes_off(sentence, word) for word in words)
    return None


def _takes_off(sentence: str, word: str) -> bool:
    """Whether a sentence takes away what a word names: `remove the rush mark`, `take the rush mark off`, `out of the rush queue`."""
    named = rf"\s+(?:\w+\s+){{0,3}}{re.escape(word)}\w*"
    gone = rf"\b(?:remov(?:e|es|ed|ing)|drop(?:s|ped)?|lift(?:s|ed)?|clear(?:s|ed)?|unset|disabl(?:e|es|ed|ing)|cancel\w{{0,4}}|(?:turn|switch)(?:s|es|ed|ing)? off|out of){named}"
    off = rf"\b(?:tak(?:e|es|ing|en)|turn(?:s|ed)?|switch(?:es|ed)?){named}(?:\s+\w+){{0,2}}\s+(?:off|away|out)\b"
    return re.search(rf"{gone}|{off}", sentence, re.IGNORECASE) is not None


def named_so(rollout: Rollout, position: int, differs: Difference) -> bool:
    """Whether what was said before a call has the given number beside the name of its argument, and not the expected one."""
    words = words_of(differs.path.rpartition(".")[2])
    if not words or any(
        isinstance(value, bool) or not isinstance(value, int | float) for value in (differs.actual, differs.expected)
    ):
        return False
    before = [rollout.request, *(item.text[:MAX_NAMED] for item in rollout.output[:position] if item.kind == "tool_output")]
    return _beside(before, words, differs.actual) and not _beside(before, words, differs.expected)


def _beside(texts: list[str], words: Iterable[str], value: float) -> bool:
    """Whether a text has a number beside the words of a name."""
    number = str(value) if isinstance(value, int) else f"{value:g}"
    holding = [text.replace("_", " ") for text in texts if number in text]
    holding = [text for text in holding if all(map(caseless(text).__contains__, words))]
    if not holding:
        return False
    name, figure = r"\W{1,3}".join(map(re.escape, words)), re.escape(number)
    pair = re.compile(rf"\b{name}\W{{1,4}}{figure}(?![\w.]*\d)|(?<![\w.]){figure}\W{{1,3}}{name}\b", re.IGNORECASE)
    return any(pair.search(text) for text in holding)


def said_beside_name(request: str, path: str, value: object) -> bool:
    """Whether a request has a small number beside a word of its argument's name, in figures or in words: `a four-hour shift`, `hours: 4`, `8 %` of a `rebate_percent`."""
    if isinstance(value, bool) or not isinstance(value, int | float) or value != int(value) or not 0 <= value <= MOST_COUNTED:
        return False
    words = [re.escape(_singular(word)) for word in words_of(path.rpartition(".")[2]) if len(word) > SHORT]
    if not words:
        return False
    number, name = rf"(?:{int(value)}|{_COUNTED[int(value)]})", rf"(?:{'|'.join(words)})(?:e?s)?"
    pair = rf"(?<![\w.,:/-]){number}[\s-]{{1,2}}{name}\b|\b{name}\W{{1,3}}(?:(?:of|to|is|at)\s)?{number}(?![\w:/-]|[.,]\d)"
    return re.search(pair, _PER_CENT.sub(" percent", request), re.IGNORECASE) is not None


def asks_for_order(request: str) -> bool:
    """Whether a request says what is to come before what."""
    return _ORDER.search(request) is not None
