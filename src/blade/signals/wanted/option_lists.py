"""The options of a question: where a row's fields hold them, in which shapes, and how a prompt lists them."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final

from blade.signals.layout.paths import value_at
from blade.signals.repeats import once_for_repeats
from blade.signals.rollout import Rollout, once_for_each

LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
FIELDS: Final = ("options", "choices", "answer_options", "answer_choices", "alternatives", "answer_candidates")
HOLDERS: Final = ("verifier_metadata", "metadata", "extra_info", "info", "task", "item", "record")
_KEYS: Final = ("label", "key", "letter", "id", "name", "option", "index")
_TEXTS: Final = ("text", "value", "content", "answer", "option", "description")
MAX_OPTIONS: Final = 26
IN_PROMPT: Final = 3
"""Letters in a row from which on a prompt lists options."""
MAX_PROMPT: Final = 8_000
_PREFIX: Final = re.compile(r"\s*[(\[]?([A-Za-z])[)\].:]\s+(?=\S)")
_MARKED: Final = re.compile(r"\s*[(\[]?(\w{1,12})[)\].:]\s+(\S.*)")
_FIELD: Final = re.compile(r"(?:option|choice|answer)_?([a-z])$|op([a-e])$", re.IGNORECASE)

Options = dict[str, str]
"""The texts by letter, as they stand."""


@once_for_repeats
def prompt_options(prompt: str) -> Options:
    """The options that a prompt lists line by line, without a gap, mostly from A on; empty where it lists none."""
    found: Options = {}
    for line in filter(str.strip, prompt.splitlines()):
        begun = _PREFIX.match(line)
        if found and len(found) < IN_PROMPT and (begun is None or begun[1].upper() != _behind(found)):
            if LETTERS[0] in found:
                return {}  # an option of several lines: its first one is not the whole of it
            found = {}
        if (
            begun is not None
            and not found
            and begun[1].upper() != LETTERS[0]
            and line[begun.end(1) : begun.end(1) + 1] not in ")]"
        ):
            continue  # an initial, or who speaks
        if begun is not None and (not found or begun[1].upper() == _behind(found)):
            found[begun[1].upper()] = line[begun.end() :].strip()
    return found if len(found) >= IN_PROMPT else {}


@once_for_repeats
def marked_lines(prompt: str) -> Options:
    """What a prompt lists in lines that follow each other behind a mark of any kind (`iii.`, `2)`, `alfa:`), by the mark in small letters; empty where it lists too little."""
    found: Options = {}
    for line in prompt.splitlines():
        mark = _MARKED.fullmatch(line)
        if mark is not None:
            found[mark[1].lower()] = mark[2].strip()
        elif len(found) >= IN_PROMPT:
            break
        else:
            found = {}
    return found if len(found) >= IN_PROMPT else {}


def _behind(found: Options) -> str:
    """The letter behind the last one; nothing where there is none yet, or no other."""
    return LETTERS[LETTERS.index(max(found)) + 1 :][:1] if found else ""


@once_for_each
def options_of(rollout: Rollout) -> Options:
    """The options that the row's fields hold; empty where it has none, or in a shape that does not tell which is which.

    Several detectors ask for those of the rollout at hand.
    """
    places = [rollout.fields, *(inner for name in HOLDERS if isinstance(inner := rollout.fields.get(name), dict))]
    for fields in places:
        for name in (*FIELDS, *(name for name in fields if _named_options(name))):
            if fields.get(name) and (found := read_options(fields[name])):
                return found
    for fields in places:
        single = {
            (named[1] or named[2]).upper(): value
            for key, value in fields.items()
            if isinstance(value, str) and (named := _of_one(str(key)))
        }
        if len(single) >= IN_PROMPT and "".join(sorted(single)) == LETTERS[: len(single)]:
            return dict(sorted(single.items()))
    listed: Options = next(_listed_too(places, rollout.prompt_text[-MAX_PROMPT:]), {})
    return listed or _learned(rollout)


@lru_cache(maxsize=4096)
def _named_options(name: str) -> bool:
    """Whether a name ends with what options are called: `mc_options`."""
    return name.endswith(("_options", "_choices")) and name not in FIELDS


@lru_cache(maxsize=4096)
def _of_one(name: str) -> re.Match[str] | None:
    """The name of a field that holds one option; the names come again with every row."""
    return _FIELD.match(name)


def _learned(rollout: Rollout) -> Options:
    """The options where the run was learned to keep them."""
    for field in rollout.options.layout.options:
        if found := read_options(value_at(rollout.fields, field.path)):
            return found
    return {}


def _listed_too(places: list[dict[str, Any]], prompt: str) -> Iterator[Options]:
    """What fields of any name hold, where the prompt lists the same under the same letters."""
    for fields in places:
        for value in fields.values():
            if not isinstance(value, dict | list) or not IN_PROMPT <= len(value) <= MAX_OPTIONS:
                continue
            texts = value.values() if isinstance(value, dict) else value
            found = read_options(value) if all(isinstance(text, str) for text in texts) else {}
            in_turn = "".join(found) == LETTERS[: len(found)] and all(found.values())
            if found and in_turn and all(_lists(prompt, letter, text) for letter, text in found.items()):
                yield found


def _lists(prompt: str, letter: str, text: str) -> bool:
    return re.search(rf"(?<!\w)[{letter}{letter.lower()}]\**[).:\]]\**\s+{re.escape(text)}", prompt) is not None


def read_options(options: Any) -> Options:
    """What a field holds as options by letter; empty where it is of another shape."""
    pairs = _pairs(options)
    if not 2 <= len(pairs) <= MAX_OPTIONS or not all(isinstance(text, str | int | float) for _, text in pairs):
        return {}
    found = {str(key).strip().strip("().:").upper(): str(text).strip() for key, text in pairs}
    letters = all(len(key) == 1 and key in LETTERS for key in found)
    return found if letters and len(found) == len(pairs) else {}


def _pairs(options: Any) -> list[tuple[Any, Any]]:
    if isinstance(options, dict):
        keys = next((options[name] for name in _KEYS if isinstance(options.get(name), list)), None)
        texts = next((options[name] for name in _TEXTS if isinstance(options.get(name), list)), None)
        if keys is not None and texts is not None:
            return list(zip(keys, texts, strict=False)) if len(keys) == len(texts) else []
        return list(options.items())
    if not isinstance(options, list):
        return []
    if all(isinstance(option, str) for option in options):
        begun = [_PREFIX.match(option) for option in options]
        if all(begun) and "".join(found[1].upper() for found in begun if found) == LETTERS[: len(options)]:
            return [(found[1].upper(), option[found.end() :]) for found, option in zip(begun, options, strict=True) if found]
    if all(isinstance(option, dict) for option in options):
        return [pair for option in options if (pair := _pair(option)) is not None]
    return list(zip(LETTERS, options, strict=False))


def _pair(option: dict[str, Any]) -> tuple[Any, Any] | None:
    if len(option) == 1:
        return next(iter(option.items()))
    key = next(
        (option[name] for name in _KEYS if isinstance(option.get(name), str) and len(option[name].strip("().: ")) == 1), None
    )
    text = next((option[name] for name in _TEXTS if isinstance(option.get(name), str) and option[name] != key), None)
    if key is None or text is None:  # by shape: one letter, and one text beside it
        texts = [value for value in option.values() if isinstance(value, str) and value.strip()]
        letters = [value for value in texts if len(value.strip("().: ")) == 1]
        if len(texts) == 2 and len(letters) == 1:
            return letters[0], next(value for value in texts if value is not letters[0])
    return None if key is None or text is None else (key, text)
