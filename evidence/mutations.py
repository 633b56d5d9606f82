"""How many single changes of a report does `blade verify` find? `python -m evidence.mutations [--count 1000] [--seed 1]`.

A run is made by the lab and diagnosed; then one number, id, label or quotation of the Markdown is changed at a time, and the report
is read again with nothing but the run beside it. A change counts as found when a finding stands on its line. Three ways are measured:
the *reader* alone, as it reads anybody's report; the *command*, which also diagnoses the run again where the report says that it is one
of ours; and the command with the *sidecar*.
"""

from __future__ import annotations

import argparse
import json
import re
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from blade.claims.reading.sidecar import Sidecar
    from blade.runs.run import Run

SORTS = ("number", "id", "label", "quote")
_FENCE = re.compile(r"^\s*```")
_NUMBER = re.compile(r"(?<![\w:.\-/#@^])(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?![\w/-]|:\d|[.,]\d)")
_ROLLOUT = re.compile(r"(?<![\w:.\-])(?!0\d)\d+:(?!0\d)\d+(?![\w:])")
_TASK = re.compile(r"(?<=[Tt]ask )\d+\b|(?<=[Tt]asks )\d+\b(?= and|,)")
_LABEL = re.compile(r"\b(?:KG|UK|BI|TI|IR|DA)\b")
_QUOTE = re.compile(r"(?<=“)[^“”]+(?=”)")
_CODE = re.compile(r"`[^`]*`")
_SECTION = re.compile(r"^(?:#+ )?\d+\.\s")


@dataclass(frozen=True)
class Mutation:
    sort: str
    line: int
    start: int
    before: str
    after: str

    def apply(self, text: str) -> str:
        lines = text.split("\n")
        line = lines[self.line - 1]
        lines[self.line - 1] = line[: self.start] + self.after + line[self.start + len(self.before) :]
        return "\n".join(lines)


def places(text: str) -> Iterator[tuple[str, int, int, str]]:
    """Everything that can be changed: its sort, line, place on the line, and words. Code and commands are left alone."""
    fenced = False
    for number, line in enumerate(text.split("\n"), 1):
        if _FENCE.match(line):
            fenced = not fenced
        if fenced:
            continue
        taken = [found.span() for found in (*_CODE.finditer(line), *_SECTION.finditer(line))]
        for sort, pattern in (("quote", _QUOTE), ("id", _ROLLOUT), ("id", _TASK), ("label", _LABEL), ("number", _NUMBER)):
            for found in pattern.finditer(line):
                if not any(found.start() < end and start < found.end() for start, end in taken):
                    taken.append(found.span())
                    yield sort, number, found.start(), found[0]


def change(sort: str, before: str, rng: Random, ids: list[str]) -> str:
    """Something else of the same sort: another digit, another id (half of them of the run, half not), another label, another word."""
    if sort == "number":
        return _another_number(before, rng)
    if sort == "id":
        known = [name for name in ids if (":" in name) == (":" in before) and name != before]
        return rng.choice(known) if rng.random() < 0.5 else _unknown(before, rng)
    if sort == "label":
        return rng.choice([label for label in ("KG", "UK", "BI", "TI", "IR", "DA") if label != before])
    words = list(re.finditer(r"\w+", before))
    word = rng.choice(words)
    other = _another_number(word[0], rng) if word[0].isdecimal() else rng.choice(("granite", "seven", "violet", "harbour"))
    return before[: word.start()] + other + before[word.end() :]


def _unknown(before: str, rng: Random) -> str:
    task, colon, repeat = before.partition(":")
    return f"{rng.randint(400, 900)}{colon}{repeat}" if rng.random() < 0.5 or not colon else f"{task}:{rng.randint(7, 30)}"


def _another_number(before: str, rng: Random) -> str:
    digits = [place for place, letter in enumerate(before) if letter.isdecimal()]
    place = rng.choice(digits)
    first = place == digits[0] and len(digits) > 1
    other = rng.choice([digit for digit in "0123456789" if digit != before[place] and not (first and digit == "0")])
    return before[:place] + other + before[place + 1 :]


def mutations(text: str, count: int, seed: int, ids: list[str]) -> Iterator[Mutation]:
    """Single changes, the sorts in equal parts as far as the report has them."""
    rng = Random(seed)
    by_sort: dict[str, list[tuple[str, int, int, str]]] = {sort: [] for sort in SORTS}
    for place in places(text):
        by_sort[place[0]].append(place)
    for turn in range(count):
        sort = SORTS[turn % len(SORTS)]
        if by_sort[sort]:
            _, line, start, before = rng.choice(by_sort[sort])
            yield Mutation(sort, line, start, before, change(sort, before, rng, ids))


def measure(
    text: str, made: list[Mutation], finding_lines: Callable[[str], set[int]]
) -> tuple[Counter[str], Counter[str], list[Mutation]]:
    """How many were tried and found, by sort, and those that were not."""
    tried: Counter[str] = Counter()
    found: Counter[str] = Counter()
    missed = []
    for mutation in made:
        tried[mutation.sort] += 1
        if mutation.line in finding_lines(mutation.apply(text)):
            found[mutation.sort] += 1
        else:
            missed.append(mutation)
    return tried, found, missed


WAYS = ("reader", "command", "sidecar")


def finder(way: str, run: Run, report: str, sidecar: Sidecar | None) -> Callable[[str], set[int]]:
    """Which lines a report is found wrong on: read as anybody's, as one of ours without its sidecar, or with it."""
    from blade.claims.reading.measured import run_facts
    from blade.claims.reading.restated import Rendering
    from blade.claims.reading.sidecar import compute_again
    from blade.claims.reading.verify import verify_text
    from blade.diagnosis.stored import diagnosis

    facts = [run_facts(run, diagnosis(run))]
    again = [] if way == "reader" else [Rendering(report, way, recomputed=way == "command")]
    computed = compute_again(sidecar, [run]) if way == "sidecar" and sidecar is not None else []
    return lambda text: {finding.line for finding in verify_text(text, facts, again, computed).findings}


def study(
    folder: Path, count: int, seed: int, ways: tuple[str, ...] = WAYS, tasks: int = 40
) -> dict[str, dict[str, tuple[int, int]]]:
    """For each way, how many of each sort were found and tried, on the report of the lab's example run."""
    from blade.claims.reading.sidecar import Sidecar
    from blade.diagnosis.diagnose import extractors
    from blade.diagnosis.stored import diagnosis
    from blade.lab.example import build, write
    from blade.reports.markdown import report
    from blade.runs.run import open_run

    path = write(build(tasks=tasks), folder)
    with open_run(str(path), extractors=extractors()) as run:
        document = json.loads(json.dumps(diagnosis(run) | {"against": []}))
        text = report(document)
        ids = [row[0] for row in run.query("SELECT rollout FROM plan UNION SELECT task FROM tasks ORDER BY 1").rows]
        made = list(mutations(text, count, seed, ids))
        found: dict[str, dict[str, tuple[int, int]]] = {}
        for way in ways:
            lines = finder(way, run, text, Sidecar(folder / "diagnosis.json", document))
            if lines(text):
                raise AssertionError(f"{way}: the report as it was written has findings on lines {sorted(lines(text))[:5]}")
            tried, hit, _ = measure(text, made, lines)
            found[way] = {sort: (hit[sort], tried[sort]) for sort in SORTS}
    return found


def page(found: dict[str, dict[str, tuple[int, int]]]) -> str:
    rows = ["| read by | " + " | ".join(SORTS) + " | all |", "| --- |" + " ---: |" * (len(SORTS) + 1)]
    for way, sorts in found.items():
        hit, tried = (sum(pair[place] for pair in sorts.values()) for place in (0, 1))
        cells = [f"{one} of {of} ({100 * one / max(of, 1):.1f} %)" for one, of in (*sorts.values(), (hit, tried))]
        rows.append(f"| {way} | " + " | ".join(cells) + " |")
    return "\n".join(rows)


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m evidence.mutations", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        print(page(study(Path(folder), given.count, given.seed)))


if __name__ == "__main__":
    main()
