"""Cross-model comparison, recommendations and reproducibility notes: what to do, and how to check all of this."""

import shlex
from collections.abc import Mapping
from typing import Any

from blade.diagnosis.provenance_words import in_words
from blade.reports import wording as say
from blade.reports.citations import Cite, Document, cited
from blade.reports.claim_list import claim_table
from blade.reports.comparison.opening import VERDICTS
from blade.reports.comparison.step_summary import in_short
from blade.reports.effects import gain, intervention_titles, mode_names, short_gain
from blade.untrusted.escapes import markdown_block, one_line

MOST_INTERVENTIONS = 8
MOST_BRIEF = 20
MOST_CLAIMS = 40
MOST_EVIDENCE = 3
MOST_MODES = 6


def cross_model(document: Document, cite: Cite) -> list[str]:
    """Each run that this one was held against, in short; the whole comparison stands in the document."""
    against = document.get("against") or []
    if not against:
        return ["No other run was given, so there is nothing to compare with."]
    blocks = ["In each comparison the other run is A, the baseline, and this run is B."]
    for found in against:
        (pair,) = found["pairs"]
        blocks += [f"### Against {say.name(pair['a'], 300)}: {VERDICTS[pair['verdict']].lower()}"]
        blocks += [say.sentence(pair["reason"]), *in_short(pair)]
        command = (
            f"blade compare {shlex.quote(one_line(str(pair['a']), 300))} {shlex.quote(one_line(str(pair['b']), 300))} --out OUT"
        )
        blocks += ["The whole comparison, with its claims:", markdown_block(command, "bash")]
    return blocks


def recommendations(document: Document, cite: Cite) -> list[str]:
    found = document.get("interventions") or []
    if not found:
        failed = document["denominator"].get("failed")
        return [
            "Nothing failed, so nothing is to be fixed."
            if failed == 0
            else "No failure mode was sure enough to recommend a change; the deep dives name what was seen."
        ]
    titles, names = intervention_titles(document), mode_names(document)
    blocks: list[str] = []
    shown_at: dict[str, Any] = {}
    for title, item in list(zip(titles, found, strict=True))[:MOST_INTERVENTIONS]:
        blocks += [f"### {item['rank']}. {say.capital(say.clause(title, 240))}", _recommendation(item, names, cite)]
        blocks += _confirmation(item, shown_at)
    rest = list(zip(titles, found, strict=True))[MOST_INTERVENTIONS:]
    if rest:
        rows = [
            (
                str(item["rank"]),
                say.clause(title, 200),
                say.shown(item["family"]),
                short_gain(item.get("gain")),
                _modes(item, names),
            )
            for title, item in rest[:MOST_BRIEF]
        ]
        blocks.append(say.table(("", "further", "family", "gain in points", "for"), rows, "r  r"))
    if len(rest) > MOST_BRIEF:
        blocks.append(f"{len(rest) - MOST_BRIEF} more in diagnosis.json, and all of them in ledger.jsonl.")
    blocks.append(
        "Gains do not add up: modes share rollouts. A bound stands where too few tasks have repeats with and without a mode for an "
        "estimate. Difficulty cancels in an estimate, reverse causation does not, so only a run with the fix settles it; `ledger.jsonl` "
        "keeps each prediction for the comparison that tests it."
    )
    return blocks


def _modes(item: Mapping[str, Any], names: Mapping[str, str]) -> str:
    return say.listed([names.get(mode, mode) for mode in item.get("modes") or ()], MOST_MODES)


def _recommendation(item: Mapping[str, Any], names: Mapping[str, str], cite: Cite) -> str:
    confidence = item.get("confidence")
    about = [say.shown(item["family"])]
    if item.get("modes"):
        about.append(f"for {_modes(item, names)}")
    if confidence is not None:
        about.append(f"confidence {confidence:.2f}" if isinstance(confidence, float) else f"confidence {say.shown(confidence)}")
    said = [f"*{', '.join(about)}.*"]
    if item.get("doubt"):
        said.append("The score cannot be read before this is mended.")
    if item.get("detail"):
        said.append(say.sentence(item["detail"]))
    said.append(gain(item.get("gain"), cite(f"intervention.{item['id']}.gain"), subject="It"))
    if evidence := item.get("evidence"):
        said.append(f"Seen in {say.joined([say.place(e['rollout'], e['step']) for e in evidence[:MOST_EVIDENCE]])}.")
    return " ".join(said)


def _confirmation(item: Mapping[str, Any], shown_at: dict[str, Any]) -> list[str]:
    """The command that would confirm it; one that stands under an earlier recommendation is not repeated."""
    confirm = item.get("confirm") or {}
    command = confirm.get("command")
    if not command:
        return []
    if command in shown_at:
        return [f"To confirm: as under {shown_at[command]}."]
    shown_at[command] = item["rank"]
    repeats = f" with {say.plural(confirm['repeats'], 'repeat')} per task" if confirm.get("repeats") else ""
    return [f"To confirm, run it again{repeats} and compare:", markdown_block(one_line(command, 600), "bash")]


def reproducibility(document: Document, cite: Cite, text: str) -> list[str]:
    """`text` is the report so far: the claims it cites are listed here."""
    return [*_provenance(document), *_limits(document), *_claims(document, text)]


def _provenance(document: Document) -> list[str]:
    provenance = document.get("provenance") or {}
    source = provenance.get("source") or {}
    rows, unknown = [], []
    for key, value in provenance.items():
        if key == "source":
            continue
        if value in (None, {}, [], ""):
            unknown.append(key)
            continue
        rows.append((say.shown(key), say.shown(in_words(value), 200), say.shown(source.get(key, "inferred"))))
    blocks = [say.table(("what", "value", "from"), rows)] if rows else []
    if unknown:
        blocks.append(f"The artifacts do not say: {say.joined([say.shown(key) for key in unknown])}.")
    path = one_line(str(document["run"]["path"]), 300)
    given = [shlex.quote(path)]
    if document["pass_rule"]["kind"] == "threshold":
        given.append(f"--pass-threshold {document['pass_rule']['threshold']:g}")
    blocks += [
        f"The same {say.plural(document['run']['rows'], 'row gives', 'rows give')} this report again, byte for byte, whatever the number of processes:",
        markdown_block(f"blade diagnose {' '.join(given)} --out OUT", "bash"),
    ]
    return blocks


def _limits(document: Document) -> list[str]:
    limits = document.get("limits") or []
    return ["### What this report could not tell", say.bullets(say.sentence(limit) for limit in limits)] if limits else []


def _claims(document: Document, text: str) -> list[str]:
    held = document.get("claims") or []
    used = [(number, held[number - 1]) for number in cited(text)]
    if not used:
        return ["### Claims", "This document carries no claims, so its numbers cannot be re-computed one by one."]
    blocks = [
        "### Claims",
        f"`c{used[-1][0]}` is claim number {used[-1][0]} in diagnosis.json; {len(used):,} of its {len(held):,} are cited above. Each holds the query over "
        "the run's tables that gives it and names the estimator that takes the result. One of them again by hand:",
    ]
    if query := used[0][1].get("query"):
        command = f"blade sql {shlex.quote(one_line(str(document['run']['path']), 300))} {shlex.quote(one_line(query, 2_000))}"
        blocks.append(markdown_block(command, "bash"))
    blocks.append(claim_table(used[:MOST_CLAIMS]))
    if len(used) > MOST_CLAIMS:
        blocks.append(f"{len(used) - MOST_CLAIMS:,} more cited claims are in diagnosis.json.")
    return blocks
