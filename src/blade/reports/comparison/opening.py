"""The verdict, and what differs between the runs."""

from collections.abc import Mapping
from typing import Any

from blade.comparison.attribution import not_known
from blade.comparison.letters import called, second
from blade.comparison.units import Units, units
from blade.diagnosis.provenance_words import in_words
from blade.reports.citations import Cite, Document
from blade.reports.wording import count, inside, interval, joined, name, plural, sentence, shown, table

Pair = Mapping[str, Any]
TERMS = {
    "task_set": "task set",
    "missing": "missing rows",
    "infrastructure": "infrastructure",
    "verifier": "verifier",
    "truncation": "truncation",
    "change": "change",
    "remainder": "remainder",
}
VERDICTS = {
    "improved": "Improved",
    "regressed": "Regressed",
    "equivalent": "Equivalent",
    "inconclusive": "Inconclusive",
    "not_comparable": "Not comparable",
}
VALUE = 160


def title(document: Document) -> str:
    """A skills evaluation is called so; of two runs the second is compared with the first."""
    pairs = document["pairs"]
    skills = all(pair["kind"] == "skills" for pair in pairs)
    what = "Skills evaluation" if skills else "Comparison"
    if len(pairs) > 1:
        return f"{what} of {len(document['runs'])} runs with {name(pairs[0]['a'], 300)}"
    return f"{what} of {name(pairs[0]['b'], 300)} with {name(pairs[0]['a'], 300)}"


def verdict(pair: Pair, inspections: tuple[Document, Document], cite: Cite) -> list[str]:
    """The verdict with its reason, both runs, and what the difference of their scores is made of in a line."""
    of = units(pair)
    blocks = [f"**{VERDICTS[pair['verdict']]}.** {sentence(short_reason(pair))}{cite('delta')}"]
    if (line := waterfall_line(pair)) and pair["waterfall_total"] is not None:
        blocks.append(f"{line}{cite('waterfall')} {_twist(pair, of)}".rstrip())
    rows = [
        _run(called(side, pair), pair[side], inspected, pair[f"{side}_value"], of, cite(f"{side}_value"))
        for side, inspected in zip("ab", inspections, strict=True)
    ]
    head = ("", "run", f"{of.what}, booked", "95 % interval", "tasks", "scored rollouts")
    return [*blocks, table(head, rows, "  r rr")]


def _run(letter: str, path: str, inspected: Document, value: float | None, of: Units, cited: str) -> tuple[str, ...]:
    metric = "pass_at_1" if of.rate else "mean_reward"
    ci = inspected["metrics"][metric]["ci"]
    counts = inspected["denominator"]
    scored = (
        f"{counts['scored']:,} of {counts['expected']:,}" if counts["expected_source"] != "observed" else count(counts["scored"])
    )
    return letter, name(path, 200), of.score(value) + cited, interval(ci, of=of.score), count(inspected["task_count"]), scored


def waterfall_line(pair: Pair) -> str:
    """`+3.5 points = infrastructure +14.7, change −11.4.`; empty where nothing is comparable."""
    of = units(pair)
    found = [term for term in merged(pair["waterfall"]) if term["rollouts"] and not _unseen(term["delta"], of)]
    if pair["waterfall_total"] is None:
        return ""
    total = of.change(pair["waterfall_total"])
    if not found:
        return f"The booked scores differ by {total}: no part of it is larger than nothing."
    parts = joined([f"{TERMS[term['term']]} {of.signed(term['delta'])}" for term in found])
    return f"The booked scores differ by {total}: {parts}."


def merged(terms: list[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The terms with a change that is split by a field as one."""
    found: dict[str, dict[str, Any]] = {}
    for term in terms:
        if term["term"] in found:
            of = found[term["term"]]
            of["delta"] += term["delta"]
            of["tasks"] += term["tasks"]
            of["rollouts"] += term["rollouts"]
        else:
            found[term["term"]] = dict(term)
    return list(found.values())


def _unseen(delta: float, of: Units) -> bool:
    return of.signed(delta).strip("0.") == ""


def _twist(pair: Pair, of: Units) -> str:
    """What a reader of the two scores alone would get wrong."""
    aside = pair["without_set_aside"]
    rows = aside["set_aside_a"] + aside["set_aside_b"]
    if not rows or aside["delta"] is None or pair["delta"] is None:
        return ""
    if aside["delta"] * pair["delta"] < 0 and not _unseen(aside["delta"], of):
        return (
            f"Without the {plural(rows, 'row')} that infrastructure or a limit ended, the sign turns: "
            f"{of.change(aside['delta'])} ({of.span(aside['ci'])}) on {plural(aside['tasks'], 'task')}."
        )
    return ""


def what_differs(pair: Pair, cite: Cite) -> list[str]:
    blocks = []
    if pair["kind"] == "skills":
        blocks.append("A skills evaluation: of what is known, only the skills differ.")
    if pair["changed"]:
        rows = [
            (shown(change["what"]), inside(in_words(change["a"]), VALUE), inside(in_words(change["b"]), VALUE))
            for change in pair["changed"]
        ]
        blocks.append(table(("what", "A", second(pair)), rows))
    else:
        blocks.append("Nothing that the artifacts state differs between the runs.")
    if pair["unknown"]:
        blocks.append(
            f"Not known on both sides, and so perhaps different: {joined([shown(what) for what in unknown_words(pair)])}. "
            "Unknown is never taken for equal."
        )
    blocks.append(sentence(pair["cause"]["sentence"]))
    return blocks


def unknown_words(pair: Pair) -> list[str]:
    return not_known((change["what"] for change in pair["changed"]), pair["unknown"])


def differs_in_short(pair: Pair) -> str:
    """For one line: the changes, what is unknown, and whether a cause can be assigned."""
    known = [f"{change['what']} ({in_words(change['a'])} → {in_words(change['b'])})" for change in pair["changed"]]
    said = joined(known) if known else "nothing known"
    same = pair.get("same_outputs")
    if same is not None and same["same"] == same["rollouts"]:
        because = "a difference is because of the verifier" if same["changed"] else "nothing differs"
        return f"{said}; the outputs are the same in {same['same']:,} of {same['rollouts']:,} rollouts: {because}"
    unknown = f"; not known: {joined(unknown_words(pair))}" if pair["unknown"] else ""
    if pair["cause"]["assignable"]:
        return f"only the {said}: a difference is because of it"
    return f"{said}{unknown}; the cause cannot be assigned"


def short_reason(pair: Pair) -> str:
    """The reason for a terminal: without the verdict and without its full stop."""
    said = str(pair["reason"])
    _, colon, rest = said.partition(": ")
    return (rest if colon else said).rstrip(".")
