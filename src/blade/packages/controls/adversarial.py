"""Copies of a golden report that were tampered with, each in one way. The same report and seed give the same copies."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from blade.packages.controls.lines import Line, joined, lines
from blade.packages.controls.negation import negate
from blade.signals.labels import LABELS

_ID = re.compile(
    r"(?<![\w:.,/-])`?[A-Za-z0-9][\w./-]*:\d{1,4}`?(?![\w:])|(?<=[Tt]ask )`?[\w./-]*\d`?|(?<=[Tt]asks )`?[\w./-]*\d`?"
)
_NUMBER = re.compile(r"(?<![\w:.@^/#-])\d[\d,]*(?:\.\d+)?(?![\w:/-]|\.\d)")
_CODE = re.compile(r"`[A-Za-z_][\w.]*`")
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z`“\"\d])")
_VERDICT = re.compile(r"(?P<who>(?<![\w:])[A-Za-z0-9][\w./-]*:\d{1,4}`? \(?)(?P<verdict>pass(?:es|ed)?|fail(?:s|ed)?)\b")
_ANY = "|".join(LABELS)
_LABEL = re.compile(rf"(?<![\w-])(?:{_ANY})(?:\+(?:{_ANY}))?(?![\w-])(?:\*\*|`)?(?: \([a-z ]+\))?")
_WORDS = re.compile(r"[A-Za-z_]{3,}")


@dataclass(frozen=True)
class Control:
    name: str
    meaning: str
    make: Callable[[str, Random], str]


def _each(text: str, change: Callable[[Line], str], kinds: tuple[str, ...] = ("text", "table")) -> str:
    return joined([change(line) if line.kind in kinds else line.text for line in lines(text)])


def numbers(text: str, rng: Random) -> str:
    """Every number another one, ids left as they are."""

    def other(found: re.Match[str]) -> str:
        digits = [
            rng.choice([digit for digit in "123456789" if digit != letter]) if letter.isdigit() else letter for letter in found[0]
        ]
        return "".join(digits)

    def change(line: Line) -> str:
        lead = line.lead
        parts = re.split(f"({_ID.pattern})", line.text[len(lead) :])
        return lead + "".join(part if place % 2 else _NUMBER.sub(other, part) for place, part in enumerate(parts))

    return _each(text, change)


def negated(text: str, rng: Random) -> str:
    """Every sentence its opposite."""
    return _each(text, lambda line: line.lead + " ".join(map(negate, _SENTENCE.split(line.text[len(line.lead) :]))), ("text",))


def shuffled(text: str, rng: Random) -> str:
    """The words of every line in another order."""

    def change(line: Line) -> str:
        words = line.text[len(line.lead) :].split()
        rng.shuffle(words)
        return line.lead + " ".join(words)

    return _each(text, change, ("text",))


def vocabulary(text: str, rng: Random) -> str:
    """The headings, and under each the words of the report in alphabetical order, with tables of figures."""
    words = sorted({word.lower() for line in lines(text) if line.kind != "code" for word in _WORDS.findall(line.text)})
    ids = sorted({found[0] for found in _ID.finditer(text)})
    out: list[str] = []
    for line in lines(text):
        if line.kind == "heading" and line.level <= 2:
            out += [line.text, "", " ".join(words), "", " ".join(ids), "", "| task | pass@1 |", "| --- | --- |"]
            out += [f"| task {rng.randint(0, 40)} | {rng.randint(1, 99)} % |" for _ in range(5)]
            out.append("")
    return joined(out)


def labels(text: str, rng: Random) -> str:
    """Every root-cause label another one, and always-pass for never-pass and the other way round."""
    step = rng.randint(1, len(LABELS) - 1)
    other = {label: LABELS[(place + step) % len(LABELS)] for place, label in enumerate(LABELS)}
    turned = {"always": "never", "never": "always", "Always": "Never", "Never": "Always"}

    def change(line: Line) -> str:
        swapped = re.sub(rf"\b(?:{_ANY})\b", lambda found: other[found[0]], line.text)
        return re.sub(r"\b(?:[Aa]lways|[Nn]ever)(?=[- ]pass)", lambda found: turned[found[0]], swapped)

    return _each(text, change, ("text", "table", "heading"))


def hedged(text: str, rng: Random) -> str:
    """Behind every root-cause label of a sentence two others, so that one of them is right."""

    def change(found: re.Match[str]) -> str:
        others = rng.sample([label for label in LABELS if label not in found[0]], 2)
        return found[0] + "".join(f", or {label}" for label in others)

    return _each(text, lambda line: _LABEL.sub(change, line.text), ("text",))


def ids(text: str, rng: Random) -> str:
    """Every task and rollout id an invented one of the same shape."""
    made: dict[str, str] = {}

    def other(found: re.Match[str]) -> str:
        name, colon, repeat = found[0].strip("`").rpartition(":")
        task = name if colon else repeat
        if task not in made:
            made[task] = re.sub(r"\d+$", lambda _: str(rng.randint(400, 9_000)), task)
        return f"{made[task]}:{repeat}" if colon else made[task]

    return _each(text, lambda line: _ID.sub(other, line.text), ("text", "table", "heading"))


def causes(text: str, rng: Random) -> str:
    """Every name of a tool, argument or field another of the report's names, and every label another: the story of another failure."""
    names = sorted({found[0] for line in lines(text) if line.kind != "code" for found in _CODE.finditer(line.text)})
    shift = rng.randint(1, len(names) - 1) if len(names) > 1 else 0
    other = {name: names[(place + shift) % len(names)] for place, name in enumerate(names)}
    return labels(
        _each(text, lambda line: _CODE.sub(lambda found: other[found[0]], line.text), ("text", "table", "heading")), rng
    )


def denied(text: str, rng: Random) -> str:
    """The whole report, and then every sentence with an id once more as its opposite."""
    return joined([text.rstrip(), "", "## Further remarks", "", *(f"- {negate(sentence)}" for sentence in _with_ids(text))])


def listed(text: str, rng: Random) -> str:
    """Nothing but the sentences with an id, as a bare list."""
    return joined(["# Findings", "", *(f"- {sentence}" for sentence in _with_ids(text))])


def _with_ids(text: str) -> list[str]:
    """The sentences that name a task or a rollout."""
    told = (
        sentence.strip()
        for line in lines(text)
        if line.kind == "text"
        for sentence in _SENTENCE.split(line.text[len(line.lead) :])
    )
    return [sentence for sentence in told if _ID.search(sentence)]


def reordered(text: str, rng: Random) -> str:
    """The sections in another order."""
    head: list[str] = []
    parts: list[list[str]] = []
    for line in lines(text):
        if line.kind == "heading" and line.level == 2:
            parts.append([])
        (parts[-1] if parts else head).append(line.text)
    before = list(parts)
    while len(parts) > 1 and parts == before:
        rng.shuffle(parts)
    return joined([*head, *(text for part in parts for text in [*part, ""])])


def flipped(text: str, rng: Random) -> str:
    """One claim turned into its opposite, everything else as it was: what became of a rollout, else a sentence with an id."""
    found = list(lines(text))
    told = [
        (place, start, sentence) for place, line in enumerate(found) if line.kind == "text" for start, sentence in _placed(line)
    ]
    verdicts = [one for one in told if _VERDICT.search(one[2])]
    choice = verdicts or [one for one in told if _ID.search(one[2])] or told
    if not choice:
        return text
    place, start, sentence = rng.choice(choice)
    turned = _VERDICT.sub(_other_verdict, sentence, count=1) if verdicts else negate(sentence)
    changed = found[place].text[:start] + turned + found[place].text[start + len(sentence) :]
    return joined([changed if other == place else line.text for other, line in enumerate(found)])


def _placed(line: Line) -> list[tuple[int, str]]:
    """The sentences of a line with where they begin."""
    starts = [len(line.lead), *(found.end() for found in _SENTENCE.finditer(line.text) if found.start() >= len(line.lead))]
    return [(start, line.text[start:end].rstrip()) for start, end in zip(starts, [*starts[1:], len(line.text)], strict=True)]


def _other_verdict(found: re.Match[str]) -> str:
    turned = {"pass": "fail", "passes": "fails", "passed": "failed", "fail": "pass", "fails": "passes", "failed": "passed"}
    return found["who"] + turned[found["verdict"]]


CONTROLS = (
    Control("numbers", "every number replaced", numbers),
    Control("negated", "every sentence negated", negated),
    Control("shuffled", "the words of every line shuffled", shuffled),
    Control("vocabulary", "the report's words without sentences", vocabulary),
    Control("labels", "labels swapped", labels),
    Control("hedged", "several labels for every one", hedged),
    Control("ids", "ids invented", ids),
    Control("causes", "the story of other failures", causes),
    Control("denied", "every finding stated, then denied", denied),
    Control("listed", "findings pasted as a bare list", listed),
    Control("reordered", "sections in another order", reordered),
    Control("flipped", "one claim flipped", flipped),
)


def adversarial(text: str, seed: int) -> dict[str, str]:
    """Every control of a report by its name."""
    return {control.name: control.make(text, _dice(seed, control.name)) for control in CONTROLS}


def _dice(seed: int, name: str) -> Random:
    return Random(f"{seed}:{name}")  # noqa: S311 (a copy that can be made again, not a secret)
