"""`blade inspect`."""

from pathlib import Path
from typing import Any

import click

from blade.cli.knowledge import open_for_diagnosis, skill_option
from blade.cli.options import json_option, open_given, reading_options, run_argument
from blade.sentences import plural

MOST_PROBLEMS = 12
MOST_CLASSES = 8
METHODS = {"effective_wilson": "effective-sample Wilson", "student_t": "Student t"}


@click.command(epilog="Example: blade inspect results/rollouts.jsonl")
@run_argument
@json_option
@skill_option
@reading_options
def inspect(run: str, as_json: bool, skill: Path | None, **reading: Any) -> None:
    """What a run is made of, where every row went, and its headline numbers."""
    from blade.cli.terminal import print_json
    from blade.diagnosis.inspection import inspection

    if skill is None:
        with open_given(run, **reading) as opened:
            found = inspection(opened)
    else:
        from blade.diagnosis.skill import skill_problems

        opened, knowledge = open_for_diagnosis(run, skill, reading)
        with opened:
            found = inspection(opened, () if knowledge is None else skill_problems(knowledge, opened))
    if as_json:
        print_json(found)
    else:
        _print(found)


def _print(found: dict[str, Any]) -> None:
    from rich.text import Text

    from blade.cli.terminal import clean_line, console, print_entry

    out = console()

    def line(label: str, text: str, style: str = "") -> None:
        print_entry(out, Text(f"  {label:<13} ", "dim"), clean_line(text, 400), style)

    def title(text: str) -> None:
        out.print()
        out.print(Text(text, style="bold"))

    out.print(Text(clean_line(found["run"]["path"], 300), style="bold"))
    out.print(Text(clean_line(_what(found), 300), style="dim"))
    title("Numbers")
    for label, text in _numbers(found):
        line(label, text)
    title("Where every row went")
    for label, text in _counts(found["denominator"]):
        line(label, text)
    if failed := found.get("failed_attempts"):
        title("Failed attempts")
        for label, text in _failures(failed):
            line(label, text)
    title("Artifacts")
    for label, text in _artifacts(found["inventory"]):
        line(label, text)
    title("Provenance")
    for label, text in _provenance(found["provenance"]):
        line(label, text)
    problems = found["problems"]
    title(f"Problems ({len(problems) + found['problems_not_listed']})")
    for problem in problems[:MOST_PROBLEMS]:
        place = f" (line {problem['line']})" if problem["line"] else ""
        print_entry(out, Text("  ! ", "yellow"), clean_line(f"{problem['code']}{place} {problem['message']}", 400))
    if len(problems) > MOST_PROBLEMS:
        line("", f"and {len(problems) - MOST_PROBLEMS} more: blade inspect … --json lists them")
    if not problems:
        line("", "none found")


def _what(found: dict[str, Any]) -> str:
    from blade.reports.wording import scored_repeats

    identity = found["identity"]
    ids = f"task = {identity['task_field']}" if identity["task_field"] else "task = hash of the prompt"
    each = scored_repeats(found["repeats"], found["headline"]["buckets"]["missing"])
    parts = (plural(found["task_count"], "task"), each, ids)
    return " · ".join(parts) + f" · {found['run']['bytes'] / 1e6:,.1f} MB"


def _numbers(found: dict[str, Any]) -> list[tuple[str, str]]:
    from blade.cli.terminal import percent

    metrics, rule, buckets = found["metrics"], found["pass_rule"], found["headline"]["buckets"]
    lines: list[tuple[str, str]] = []
    first = metrics["pass_at_1"]
    if first["value"] is not None:
        interval = (
            f"[{percent(first['ci'][0])}, {percent(first['ci'][1])}] 95 %, {METHODS.get(first['method'], first['method'])}"
            if first["ci"]
            else "no interval from one task"
        )
        lines.append(("pass@1", f"{percent(first['value'])}  {interval}, {plural(first['tasks'], 'task')}"))
        last = list(metrics["pass_at_k"])[-1]
        if last != "1":
            at, hat = metrics["pass_at_k"][last], metrics["pass_hat_k"][last]
            lines.append(
                (
                    f"pass@{last}",
                    f"{percent(at['value'])}  pass^{last} {percent(hat['value'])}  ({plural(at['tasks'], 'task')} with {last} scored repeats)",
                )
            )
    else:
        lines.append(
            (
                "pass@1",
                "no pass rule fits these rewards: give --pass-threshold X"
                if found["denominator"]["scored"]
                else "nothing is scored",
            )
        )
    mean = metrics["mean_reward"]
    if mean["value"] is not None:
        interval = (
            f"  [{mean['ci'][0]:.4g}, {mean['ci'][1]:.4g}] 95 %, {METHODS.get(mean['method'], mean['method'])}"
            if mean["ci"]
            else ""
        )
        lines.append(("mean reward", f"{mean['value']:.4g}{interval}{' (approximate)' if mean['approximate'] else ''}"))
    if buckets["always"] is not None:
        lines.append(
            (
                "tasks",
                f"{buckets['always']} always pass · {buckets['sometimes']} sometimes · {buckets['never']} never · {buckets['missing']} missing",
            )
        )
    if rule["kind"] != "none":
        least = "the benchmark's own rule" if rule["threshold"] is None else f"reward ≥ {rule['threshold']:g}"
        lines.append(("pass rule", f"{least} ({rule['kind']}, from {rule['source']})"))
    if found["denominator"]["expected"] > found["denominator"]["scored"]:
        if metrics["bounds"] is not None and metrics["missing_as_failed"] is not None:
            low, high = metrics["bounds"]
            known = f"counted as failed {metrics['missing_as_failed']:.4g} · left out {metrics['completed_only']:.4g}"
            lines.append(("unscored", f"{known} · bounds [{low:.4g}, {high:.4g}]"))
        else:
            counts = found["denominator"]
            why = "how they could have scored is not known on this reward scale: no bounds"
            lines.append(("unscored", why if counts["scored"] else f"all {counts['expected']:,} expected rollouts"))
    return lines


def _counts(counts: dict[str, Any]) -> list[tuple[str, str]]:
    def parts(*names: str) -> str:
        return " + ".join(f"{counts[name]:,} {name.replace('_rows', '')}" for name in names if counts[name] is not None)

    settled = ("passed", "failed") if counts["passed"] is not None else ("scored",)
    return [
        ("lines", f"{counts['lines']:,} = {parts('rows', 'malformed', 'blank')}"),
        ("rows", f"{counts['rows']:,} = {parts('scored', 'errored_rows', 'duplicate', 'conflicting', 'unexpected')}"),
        (
            "expected",
            f"{counts['expected']:,} = {parts(*settled, 'errored', 'missing')}   (plan: {counts['expected_source']}; {plural(counts['attempts'], 'attempt')})",
        ),
    ]


def _failures(failed: dict[str, Any]) -> list[tuple[str, str]]:
    """How many attempts failed, of how many rollouts; then each class with a message."""
    from blade.reports.failures import class_line, failures_line, late_line

    lines = [("failed", failures_line(failed)), *(("", class_line(one)) for one in failed["classes"][:MOST_CLASSES])]
    more = len(failed["classes"]) - MOST_CLASSES
    lines += [("", f"and {plural(more, 'more class', 'more classes')}: blade inspect … --json lists them")] if more > 0 else []
    return lines + [("late", late) for late in [late_line(failed)] if late]


def _artifacts(items: list[dict[str, Any]]) -> list[tuple[str, str]]:
    lines = []
    for item in items:
        if item["state"] != "missing":
            rows = f" · {plural(item['rows'], 'row')}" if item["rows"] is not None else ""
            lines.append((item["state"], f"{item['kind']}: {item['path']}{rows}{' · ' + item['note'] if item['note'] else ''}"))
    missing = [item["kind"] for item in items if item["state"] == "missing"]
    return [*lines, ("missing", ", ".join(missing))] if missing else lines


def _provenance(provenance: dict[str, Any]) -> list[tuple[str, str]]:
    from blade.diagnosis.provenance_words import in_words

    lines = []
    unknown = []
    for name, value in provenance.items():
        if name == "source":
            continue
        if value in (None, {}):
            unknown.append(name)
            continue
        text = in_words(value)
        lines.append((name, f"{text}  ({provenance['source'].get(name, 'inferred')})"))
    return [*lines, ("unknown", ", ".join(unknown))] if unknown else lines
