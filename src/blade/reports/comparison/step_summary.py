"""The comparison in a few lines of Markdown, for the summary of a CI job and for the cross-model section of a diagnosis."""

from collections.abc import Mapping, Sequence
from typing import Any

from blade.comparison.letters import second
from blade.comparison.units import Units, chance, p_value, units
from blade.reports.citations import Document
from blade.reports.comparison import many
from blade.reports.comparison.movers import directed, rates
from blade.reports.comparison.opening import VERDICTS, differs_in_short, short_reason, title, waterfall_line
from blade.reports.comparison.shifts import is_clear, moved_modes
from blade.reports.wording import bullets, capital, clause, inside, plural, sentence, shown

MOST_MOVERS = 5
MOST_MODES = 3
MARKS = {"improved": "✅", "regressed": "❌", "equivalent": "✅", "inconclusive": "❔", "not_comparable": "⚠️"}


def step_summary(document: Document, gate: str = "") -> str:
    """`gate` is the sentence on what a gate decided, where one was asked for."""
    pairs = document["pairs"]
    blocks = [f"## {title(document)}"]
    if gate:
        blocks.append(f"**{sentence(gate)}**")
    if len(pairs) > 1:
        blocks += many.ranking(document)
    for pair in pairs:
        if len(pairs) > 1:
            blocks.append(f"### A → {second(pair)}")
        blocks.append(f"{MARKS[pair['verdict']]} **{VERDICTS[pair['verdict']]}.** {sentence(short_reason(pair))}")
        blocks += in_short(pair)
    return "\n\n".join(blocks) + "\n"


def in_short(pair: Mapping[str, Any]) -> list[str]:
    """What differs, the waterfall in a line, modes gained and lost, the tasks that moved."""
    of = units(pair)
    lines = [f"Differs in {clause(differs_in_short(pair), 400)}."]
    if line := waterfall_line(pair):
        lines.append(line)
    aside = pair["without_set_aside"]
    if (aside["set_aside_a"] or aside["set_aside_b"]) and aside["delta"] is not None:
        lines.append(
            f"Without the {plural(aside['set_aside_a'] + aside['set_aside_b'], 'row')} that infrastructure or a limit ended: "
            f"{of.change(aside['delta'])} ({of.span(aside['ci'])}, {p_value(aside['p_value'])}) on {plural(aside['tasks'], 'task')}."
        )
    for better, word in ((False, "lost"), (True, "gained")):
        here = directed(pair["flips"], better=better)
        if here:
            total = pair["tasks"]["better" if better else "worse"]
            lines.append(f"{capital(word)} {plural(total, 'task')} of {pair['tasks']['compared']:,}: {_named(here, of, total)}.")
    lines += _modes(pair)
    return [bullets(lines)]


def _named(flips: Sequence[Mapping[str, Any]], of: Units, total: int) -> str:
    told = [
        f"{inside(flip['task'], 60)} ({rates(flip, 'a', of)} → {rates(flip, 'b', of)}, P {chance(flip['probability_b_better'])})"
        for flip in flips[:MOST_MOVERS]
    ]
    rest = total - len(told)
    return ", ".join(told) + (f" and {rest:,} more" if rest > 0 else "")


def _modes(pair: Mapping[str, Any]) -> list[str]:
    lines = []
    for grew, word in ((True, "more often"), (False, "less often")):
        found = [mode for mode in moved_modes(pair) if (mode["delta"] > 0) is grew][:MOST_MODES]
        if found:
            told = "; ".join(
                f"{shown(mode['label'])} {clause(mode['mode'], 120)} ({mode['a_rollouts']:,} → {mode['b_rollouts']:,} failed rollouts"
                f"{', more than chance' if is_clear(mode) else ''})"
                for mode in found
            )
            lines.append(f"Fails {word} with {told}.")
    return lines
