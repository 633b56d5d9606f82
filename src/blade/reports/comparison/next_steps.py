"""What next: what to do about the difference, and what an earlier diagnosis predicted and what came of it."""

from collections.abc import Mapping
from typing import Any

from blade.comparison.letters import second
from blade.comparison.units import Units, units
from blade.reports.effects import gain
from blade.reports.wording import capital, clause, joined, name, place, sentence, shown, table
from blade.untrusted.escapes import markdown_block, one_line

MOST_EVIDENCE = 3
MOST_PREDICTIONS = 20
OUTCOMES = {
    "confirmed": "confirmed",
    "partly": "partly confirmed",
    "refuted": "refuted",
    "undecided": "undecided",
    "not_testable": "not testable",
}


def what_next(pair: Mapping[str, Any]) -> list[str]:
    blocks = []
    shown_commands: set[str] = set()
    for item in pair["interventions"]:
        blocks.append(f"{item['rank']}. **{capital(clause(item['title'], 240))}.** {_detail(item, pair)}")
        command = (item.get("confirm") or {}).get("command")
        if command and command not in shown_commands:
            shown_commands.add(command)
            blocks.append(markdown_block(one_line(command, 600), "bash"))
    if not blocks:
        blocks.append("Nothing stands between the scores, and no failure mode grew: there is nothing to mend.")
    return [*blocks, *predicted(pair)]


def _detail(item: Mapping[str, Any], pair: Mapping[str, Any]) -> str:
    b = second(pair)
    said = [f"({shown(item['family'])})", sentence(item["detail"])]
    found = item.get("gain") or {}
    if found.get("estimate") is not None or found.get("upper") is not None:
        said.append(gain(found, "", subject=f"In {b} it", of=units(pair)))
    if evidence := item.get("evidence"):
        places = [f"{b} {place(one['rollout'], one['step'])}" for one in evidence[:MOST_EVIDENCE]]
        said.append(f"Seen in {joined(places)}.")
    return " ".join(said)


def predicted(pair: Mapping[str, Any]) -> list[str]:
    """Each prediction of the ledger that was given, and what happened on its tasks."""
    found = pair["predictions"]
    if not found:
        return []
    of = units(pair)
    rows = []
    for one in found[:MOST_PREDICTIONS]:
        seen = one["observed"]
        rows.append(
            (
                clause(one["title"] or one["id"], 160),
                _foreseen(one["predicted"], of),
                "–" if seen is None else f"{of.signed(seen['delta'])} ({of.span(seen['ci'])})",
                "–" if seen is None else f"{seen['tasks']:,} of {seen['of_tasks']:,}",
                f"**{OUTCOMES.get(one['outcome'], shown(one['outcome']))}**: {clause(one['why'], 160)}",
                _counted(one["modes"]),
            )
        )
    head = ("prediction", "predicted", "observed on its tasks", "tasks", "outcome", "failed rollouts of its modes")
    blocks = ["### What was predicted, and what came of it", table(head, rows, " rrr")]
    if len(found) > MOST_PREDICTIONS:
        blocks.append(f"{len(found) - MOST_PREDICTIONS} more in comparison.json.")
    blocks.append(
        f"Gains are in {of.unit}, of the whole score. Whether the fix was made is not in the artifacts: the outcome says what happened on the "
        "affected tasks, not why."
    )
    return blocks


def _foreseen(gain: Mapping[str, Any], of: Units) -> str:
    if gain.get("estimate") is None:
        return "–" if gain.get("upper") is None else f"≤ {of.bare(gain['upper'])}"
    ci = gain.get("ci")
    return f"~{of.bare(gain['estimate'])}" + ("" if not ci else f" [{of.bare(ci[0])}, {of.bare(ci[1])}]")


def _counted(modes: list[Mapping[str, Any]]) -> str:
    known = [mode for mode in modes if mode.get("a_rollouts") is not None and mode.get("b_rollouts") is not None]
    return "; ".join(f"{name(mode['code'])} {mode['a_rollouts']:,} → {mode['b_rollouts']:,}" for mode in known[:3]) or "–"


def outcomes_in_short(pair: Mapping[str, Any]) -> str:
    """The predictions by outcome, in a line."""
    counts: dict[str, int] = {}
    for one in pair["predictions"]:
        counts[one["outcome"]] = counts.get(one["outcome"], 0) + 1
    return ", ".join(f"{count} {OUTCOMES.get(outcome, outcome)}" for outcome, count in counts.items())
