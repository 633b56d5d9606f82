"""The limits of a comparison, and how to compute its numbers again."""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from blade.comparison.letters import BASELINE, second
from blade.reports.citations import Document, cited
from blade.reports.claim_list import claim_table
from blade.reports.comparison.opening import unknown_words
from blade.reports.wording import bullets, inside, joined, plural, sentence, shown
from blade.untrusted.escapes import markdown_block, one_line

MOST_CLAIMS = 40
MOST_REDEFINED = 20
LONG_QUERY = 2_000
DEFINITION = {"redefined_tasks", "ids_mean_other_tasks"}


def limits(pair: Mapping[str, Any], inspections: tuple[Document, Document]) -> list[str]:
    """What could not be told, and why."""
    return [bullets(_limits(pair, inspections))]


def _limits(pair: Mapping[str, Any], inspections: tuple[Document, Document]) -> Iterator[str]:
    if pair["unknown"]:
        what = joined([shown(one) for one in unknown_words(pair)])
        yield f"Provenance: {what} {'is' if len(pair['unknown']) == 1 else 'are'} not known on both sides."
    for limit in pair["limits"]:
        if limit["code"] not in DEFINITION:
            yield sentence(limit["message"], 600)
    if pair["redefined"]:
        yield _redefined(pair)
    observed = [
        letter
        for letter, one in zip((BASELINE, second(pair)), inspections, strict=True)
        if one["denominator"]["expected_source"] == "observed"
    ]
    if observed:
        sides = " and ".join(observed)
        yield f"No plan was given for {sides}, so rollouts that are missing there cannot be known to be."
    if not any(change["what"] == "repeats" for change in pair["changed"]) and _repeats(inspections) == 1:
        yield "One repeat of each task: what a task does by chance cannot be told from what it always does."
    yield "A cause on a task is an association in these artifacts; only a run with one thing changed settles it."


def _repeats(inspections: tuple[Document, Document]) -> int:
    return max(int(one["repeats"]["max"] or 0) for one in inspections)


def _redefined(pair: Mapping[str, Any]) -> str:
    total = pair["tasks"]["redefined"]
    named = [f"{inside(one['task'], 60)} ({', '.join(shown(part) for part in one['parts'])})" for one in pair["redefined"]]
    more = f" and {total - MOST_REDEFINED:,} more" if total > MOST_REDEFINED else ""
    return (
        f"{plural(total, 'task')} carry one id and two definitions and are left out of the comparison: {', '.join(named[:MOST_REDEFINED])}{more}. "
        "They count as tasks that only one run was to run."
    )


def claims(pairs: Sequence[Mapping[str, Any]], text: str) -> list[str]:
    """The claims that the report cites; with several pairs they are numbered through in the order of the pairs."""
    held = [(pair, claim) for pair in pairs for claim in pair["claims"]]
    used = [(number, *held[number - 1]) for number in cited(text)]
    if not used:
        return ["This document carries no claims, so its numbers cannot be computed again one by one."]
    several = len(pairs) > 1
    where = "of its pairs, numbered through in their order" if several else "in comparison.json"
    tables = (
        "(`a.rollouts` of the baseline, `b.rollouts` of the pair's other run, …)"
        if several
        else "(`a.rollouts`, `b.rollouts`, …)"
    )
    blocks = [
        f"`c{used[-1][0]}` is claim number {used[-1][0]} {where}; {len(used):,} of {len(held):,} are cited above. Each holds the query over the tables of both runs "
        f"{tables} and names the estimator that takes the result. One of them again by hand:",
    ]
    short = next(((pair, claim) for _, pair, claim in used if len(claim["query"]) <= LONG_QUERY), None)
    if short is not None:
        blocks.append(markdown_block(sql_command(*short), "bash"))
    blocks.append(claim_table([(number, _named(pair, claim, pairs)) for number, pair, claim in used[:MOST_CLAIMS]]))
    if len(used) > MOST_CLAIMS:
        blocks.append(f"{len(used) - MOST_CLAIMS:,} more cited claims are in comparison.json.")
    return blocks


def _named(pair: Mapping[str, Any], claim: Mapping[str, Any], pairs: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    """With the pair that a claim is about, where there are several."""
    return claim if len(pairs) == 1 else {**claim, "text": f"A → {second(pair)}: {claim['text']}"}


def sql_command(pair: Mapping[str, Any], claim: Mapping[str, Any]) -> str:
    a, b = (shlex.quote(one_line(str(pair[side]), 300)) for side in ("a", "b"))
    return f"blade sql {a} --against {b} {shlex.quote(one_line(claim['query'], LONG_QUERY))}"
