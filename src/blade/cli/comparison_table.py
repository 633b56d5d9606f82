"""Three or more runs on a terminal: the ranking, one line for each pair, and the tasks that tell the runs apart."""

from collections.abc import Sequence
from typing import Any

from blade.cli.comparison_screen import COLOURS, NARROWEST, TEXT, WIDEST, entry, tail, title
from blade.cli.terminal import clean_line, console, print_entry

MOST_NAMED = 12
TOP_SEPARATING = 3


def print_table(document: dict[str, Any], written: Sequence[str]) -> None:
    from rich.table import Table
    from rich.text import Text

    from blade.comparison.letters import letter
    from blade.comparison.units import units
    from blade.reports.comparison import many
    from blade.reports.comparison.opening import unknown_words
    from blade.reports.comparison.summary import size

    out = console()
    width = max(NARROWEST, min(out.width, WIDEST))
    of = units(document["pairs"][0])
    paths = many.paths(document)
    out.print(Text(f"Comparison of {len(paths)} runs, {of.what}", "bold"))
    for place, path in enumerate(paths):
        told = size(document["runs"][place])
        entry(out, letter(place), f"{tail(path, max(width - 8 - len(told), 20))} · {told}", 4)
    shared = many.on_shared_tasks(document)
    title(out, "Ranking", f"booked score, 95 % interval{f', {shared}, p against A (Holm)' if shared else ''}")
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, show_header=False)
    for justify in ("left", "right", "left", "right", "left"):
        table.add_column(no_wrap=True, justify=justify)
    for one, named in zip(document["ranking"], many.letters(document), strict=True):
        spread = "–" if one["ci"] is None else f"[{of.score(one['ci'][0])}, {of.score(one['ci'][1])}]"
        ranked = many.is_ranked(one)
        against = "baseline" if one["baseline"] else _p(one["p_vs_baseline_holm"]) if ranked else "not ranked"
        on_shared = of.score(one["shared"]["value"]) if shared and ranked else "–"
        table.add_row(*(Text(cell) for cell in (f"  {named}", of.score(one["value"]), spread, on_shared, against)))
    out.print(table)
    for said in many.not_ranked(document):
        entry(out, "", said, 2)
    title(out, "Against A")
    for pair in document["pairs"]:
        _print_pair(out, pair)
    title(out, "Tasks")
    if document["unsolved"] is not None:
        solved = many.unsolved_names(document)
        entry(out, "no run passes", f"{len(solved):,} of {len(document['matrix']):,}{_listed(solved)}")
    apart = document["separating"]
    told = "; ".join(f"{many.task_name(one)} ({', '.join(map(_rate, one['rates']))})" for one in apart[:TOP_SEPARATING])
    entry(out, "separate them", f"{len(apart):,}{' or more' if len(apart) >= 50 else ''}{f': {told}' if told else ''}")
    out.print()
    unknown = sorted({what for pair in document["pairs"] for what in unknown_words(pair)})
    if unknown:
        entry(out, "not known", f"{', '.join(unknown)}: causes cannot be assigned while these are unknown")
    ways = [", ".join(written) if written else "the report: blade compare … --out DIR", "one pair in depth: blade compare A B"]
    entry(out, "read on", " · ".join(ways))


def _print_pair(out: Any, pair: dict[str, Any]) -> None:
    from rich.text import Text

    from blade.comparison.letters import second
    from blade.reports.comparison.opening import short_reason
    from blade.reports.comparison.summary import verdict_words

    head = Text.assemble(f"  {second(pair)}  ", (f"{verdict_words(pair['verdict'])}  ", f"bold {COLOURS[pair['verdict']]}"))
    changed = ", ".join(change["what"] for change in pair["changed"])
    differs = f"; differs in {changed}" if changed else ""
    print_entry(out, head, clean_line(f"{short_reason(pair)}{differs}", TEXT))


def _p(p_value: float | None) -> str:
    from blade.comparison.units import p_value as words

    return words(p_value)


def _rate(rate: float | None) -> str:
    return "–" if rate is None else f"{rate:.2f}"


def _listed(tasks: Sequence[str]) -> str:
    if not tasks:
        return ""
    return f": {', '.join(map(str, tasks[:MOST_NAMED]))}{', …' if len(tasks) > MOST_NAMED else ''}"
