"""The Markdown report of a comparison: of two runs in depth, of more with the ranking first and every pair after it."""

from collections.abc import Mapping
from typing import Any

from blade.comparison.letters import second
from blade.reports.citations import Cite, Document, citer
from blade.reports.comparison import certainty, closing, many, movers, next_steps, opening, shifts, waterfall
from blade.reports.wording import name

HEADINGS = ("Verdict", "What differs", "Is it real", "What it is made of", "Who drove it", "What next", "Limits", "Claims")
MANY_HEADINGS = ("Ranking", "Every run against the baseline", "Tasks")


def comparison_report(document: Document) -> str:
    """The whole report. The same document gives the same text, to the byte."""
    several = len(document["pairs"]) > 1
    blocks = [f"# {opening.title(document)}"]
    if several:
        parts = (many.ranking, many.pairs, many.tasks)
        for number, (heading, part) in enumerate(zip(MANY_HEADINGS, parts, strict=True), 1):
            blocks += [f"## {number}. {heading}", *part(document)]
    first = 1
    for place, pair in enumerate(document["pairs"], 1):
        inspections = document["runs"][0], document["runs"][place]
        sections = _sections(pair, inspections, citer(pair, first))
        if several:
            blocks.append(f"## {len(MANY_HEADINGS) + place}. A → {second(pair)}: {name(pair['b'], 200)} with the baseline")
        for number, (heading, section) in enumerate(sections, 1):
            blocks += [f"### {heading}" if several else f"## {number}. {heading}", *_lowered(section, several)]
        first += len(pair["claims"])
    number = len(MANY_HEADINGS) + len(document["pairs"]) + 1 if several else len(HEADINGS)
    text = "\n\n".join(blocks)
    blocks += [f"## {number}. {HEADINGS[-1]}", *closing.claims(document["pairs"], text)]
    return "\n\n".join(block for block in blocks if block) + "\n"


def _sections(pair: Mapping[str, Any], inspections: tuple[Document, Document], cite: Cite) -> list[tuple[str, list[str]]]:
    drove = [
        *("### Moves between buckets", *movers.buckets(pair, cite)),
        *("### Tasks that moved", *movers.flips(pair, cite)),
        *("### Failure modes gained and lost", *shifts.modes(pair)),
        *("### Slices", *shifts.slices(pair)),
        *("### What the runs used", *shifts.usage(pair)),
    ]
    none = pair["delta"] is None
    return list(
        zip(
            HEADINGS[:-1],
            (
                opening.verdict(pair, inspections, cite),
                opening.what_differs(pair, cite),
                certainty.is_it_real(pair, cite),
                waterfall.made_of(pair, cite),
                [f"{certainty.no_difference(pair)}, so no task drove anything."] if none else drove,
                next_steps.what_next(pair),
                closing.limits(pair, inspections),
            ),
            strict=True,
        )
    )


def _lowered(blocks: list[str], several: bool) -> list[str]:
    """Headings of a pair one level down, where the pair itself has one."""
    return [f"#{block}" if several and block.startswith("### ") else block for block in blocks]
