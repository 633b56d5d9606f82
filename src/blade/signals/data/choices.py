"""DA: gold that the row's own options contradict. Options come in many shapes, and all are read into letters with texts.

A field may hold them as an object by letter, a list of texts (with or without their letters), a list of objects, two lists side by side,
or one field for each (`option_a`). A field of another name holds them where the prompt lists what it holds, letter by letter. Else they
stand in the prompt alone, one letter after the other. Gold may be a letter, a number or the
text of an option. It contradicts them where it is none of these, or where another field of the row names another option.
"""

import re
from collections.abc import Iterator
from typing import Final

from blade.answers import compare
from blade.signals.calls.mutation import words_of
from blade.signals.data.asserted_clashes import clash_of_assertions
from blade.signals.example import Example, says
from blade.signals.repeats import once_for_repeats
from blade.signals.rollout import Rollout
from blade.signals.signal import Evidence, signal
from blade.signals.wanted.answer_fields import expected_answer
from blade.signals.wanted.option_lists import IN_PROMPT, LETTERS, MAX_PROMPT, Options, options_of, prompt_options
from blade.signals.wanted.restated import restated

MAX_PLAIN: Final = 80
"""Characters up to which gold and options are texts that can be told apart word by word."""
_OPTION: Final = re.compile(r"(?:(?:option|choice|answer)\s+)?\(?([A-Z])\)?[.):]?$", re.IGNORECASE)
_LISTED: Final = re.compile(r"(?:^|[\s(\[*])([A-Z])\**[).:\]]\**(?=\s+\S)", re.MULTILINE)
_WORDS: Final = re.compile(r"[^\W\d_]+(?:[ '’-][^\W\d_]+)*\.?")
_GENERAL: Final = frozenset(
    ["none", "both", "all", "neither", "either", "any", "unknown", "unanswerable", "yes", "no", "true", "false"]
)
"""Words of answers that stand beside every list of options."""
_SPEAKS_OF_OPTIONS: Final = re.compile(
    r"\b(?:which|what|one|any|all|none) (?:\w+ ){0,2}?of (?:the following|these|those|the (?:options|choices|statements|answers))\b|\b(?:the )?(?:options|choices) (?:below|given|above|listed)\b"
    r"|\b(?:option|choice)(?:'s)? letter\b|\bletter of (?:the|your)\b|\b(?:by|with) (?:its|the) letter\b|\bmultiple[- ]choice\b",
    re.IGNORECASE,
)
_PICTURE: Final = re.compile(
    r"^\[\w*(?:image|file|audio|video|document|media|picture)\w*\]$|<(?:image|img|video|audio)\b|!\[[^\]\n]{0,80}\]\(|data:image/",
    re.IGNORECASE | re.MULTILINE,
)
"""What stands in the text of a prompt for a part of it that is no text."""
_ATTACHED: Final = frozenset(["image", "images", "picture", "pictures", "attachment", "attachments", "screenshot", "screenshots"])
_WHOLE: Final = re.compile(r"\d{1,9}")


@signal(
    "options_not_shown",
    label="DA",
    needs=("one_turn",),
    meaning="the request speaks of options, the row has them and expects one of them, and the prompt shows none",
    causal=False,
    example=Example(
        (says("Iron sulfate"),),
        asked="Which of these is copperas? Answer with its letter.",
        fields={"expected_answer": "B", "options": ["potassium nitrate", "iron(II) sulfate", "calcium oxide"]},
    ),
)
def options_not_shown(rollout: Rollout) -> Iterator[Evidence]:
    options = options_of(rollout)
    if len(options) < 2 or not _SPEAKS_OF_OPTIONS.search(rollout.request) or rollout.has_dialogue:
        return
    name, gold = _gold(rollout)
    if not gold or _shown_otherwise(rollout):
        return
    answers = (rollout.lowered(position) for position, item in enumerate(rollout.output) if item.kind == "tool_output")
    seen = " ".join("\n".join((rollout.lowered_prompt, *answers)).split())
    if not any(" ".join(text.lower().split()) in seen for text in options.values()):
        yield Evidence(None, f"{name} = {gold}", f"none of the {len(options)} options of the row stands in the prompt", name)


def _shown_otherwise(rollout: Rollout) -> bool:
    """Whether a picture or a file belongs to the prompt, in which options may stand that its text has not."""
    if any(value and not _ATTACHED.isdisjoint(words_of(name)) for name, value in rollout.fields.items()):
        return True
    return _PICTURE.search(rollout.prompt_text) is not None


@signal(
    "contradictory_gold",
    label="DA",
    meaning="the row's own gold contradicts itself: an answer outside the options, another option than its other fields name, or assertions that cannot all hold",
    example=Example((says("C"),), fields={"expected_answer": "E", "options": ["red", "green", "blue"]}),
)
def contradictory_gold(rollout: Rollout) -> Iterator[Evidence]:
    clash = clash_of_assertions(rollout)
    if clash is not None:
        yield Evidence(None, clash[0], subject=clash[1])
        return
    name, gold = _gold(rollout)
    if not gold:
        return
    options = options_of(rollout)
    told = None
    if options:
        told = _other_option(rollout, name, gold, options) or _outside(gold, options, rollout.prompt_text[-MAX_PROMPT:])
    elif (letter := _letter(gold)) is not None and rollout.prompt:
        listed = _listed(rollout.prompt_text[-MAX_PROMPT:])
        if listed and letter > listed[-1]:
            told = f"expected {gold}, the prompt lists {listed[0]} to {listed[-1]}"
    if told is not None:
        yield Evidence(None, told, subject=name)


@signal(
    "ambiguous_options",
    label="DA",
    meaning="two options say the same and one of them is the expected one, so that the other is right as well",
    example=Example((says("C"),), fields={"expected_answer": "A", "options": ["one half", "one third", "One half"]}),
)
def ambiguous_options(rollout: Rollout) -> Iterator[Evidence]:
    name, gold = _gold(rollout)
    if not gold:
        return
    options = options_of(rollout) or prompt_options(rollout.prompt_text[-MAX_PROMPT:])
    mine = _letter(gold) or next((key for key, text in options.items() if _folded(text) == _folded(gold)), "")
    if mine not in options:
        return
    for key, text in options.items():
        if key != mine and _alike(text, options[mine]):
            told = f"{mine}. {options[mine][:80]} = {key}. {text[:80]}"
            yield Evidence(None, told, f"{name} is {gold}, and {key} says the same", name)
            return


def _alike(one: str, other: str) -> bool:
    if not one or not other:
        return False
    if _folded(one) == _folded(other):
        return True
    if max(len(one), len(other)) > MAX_PLAIN:
        return False
    verdict = compare(one, other)
    return verdict.same and not verdict.assumed


def _gold(rollout: Rollout) -> tuple[str, str]:
    found = expected_answer(rollout)
    if found is None:
        return "", ""
    name, value = found
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    plain = isinstance(value, str | int) and not isinstance(value, bool)
    return name, str(value).strip() if plain else ""


def _letter(gold: str) -> str | None:
    """The letter that gold names; a word of the prompt in small letters is none."""
    found = _OPTION.match(gold)
    return found[1] if found is not None and found[1].isupper() else None


@once_for_repeats
def _listed(prompt: str) -> str:
    """The letters under which a prompt lists options, from A on without a gap; empty where it lists none."""
    found = "".join(_LISTED.findall(prompt))
    run = ""
    for letter in found:
        if len(run) < len(LETTERS) and letter == LETTERS[len(run)]:
            run += letter
    return run if len(run) >= IN_PROMPT and max(found) == run[-1] else ""


def _folded(text: str) -> str:
    return " ".join(text.split()).strip(" .").casefold()


def _outside(gold: str, options: Options, prompt: str) -> str | None:
    """What is said where gold is none of the options; None where it is one, may be one, or is one more that the prompt offers."""
    texts = {_folded(text) for text in options.values()}
    shown = f"expected {gold}, options {', '.join(options)}"
    if _folded(gold) in texts:
        return None
    if (letter := _letter(gold)) is not None:
        return None if letter in options or letter in _listed(prompt) else shown
    if _WHOLE.fullmatch(gold):
        return None if int(gold) <= len(options) else f"expected {gold}, {len(options)} options and it is none of them"
    if not _WORDS.fullmatch(gold) or len(gold) > MAX_PLAIN or not all(len(text) <= MAX_PLAIN for text in texts):
        return None
    if _folded(gold) in prompt.casefold() or set(words_of(gold)) & _GENERAL:
        return None
    if set(gold.upper()) <= set(options) or any(_folded(gold) in text or text in _folded(gold) for text in texts if text):
        return None
    return f"expected {gold}, which is none of the options"


def _other_option(rollout: Rollout, name: str, gold: str, options: Options) -> str | None:
    """Another field of the row that names another option than the gold does, by its words, its letter or its number."""
    texts = {key: _folded(text) for key, text in options.items()}
    if len(set(texts.values())) < len(texts):
        return None
    mine = _letter(gold) or next((key for key, text in texts.items() if text == _folded(gold)), "")
    if mine not in options:
        return None
    keys = list(options)
    for field, value in restated(rollout):
        if field == name:
            continue
        if isinstance(value, int):
            # From 0 or from 1: only what fits neither count is another option.
            near = {keys[at] for at in (value, value - 1) if 0 <= at < len(keys)}
            if "ind" in field.lower() and near and mine not in near:
                return f"{name} is {gold}, {field} is {value}"
        elif isinstance(value, str):
            named = next((key for key, text in texts.items() if text == _folded(value)), _letter(value.strip()) or "")
            if named in options and named != mine:
                return f"{name} is {gold} ({options[mine]}), {field} is {' '.join(value.split())[:80]}"
    return None
