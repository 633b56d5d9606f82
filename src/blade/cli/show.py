"""`blade show`."""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click

from blade.cli.options import json_option, open_given, reading_options, run_argument
from blade.errors import UsageError
from blade.sentences import plural

DEEPEST = 10_000
FOLD_LINES = 14
FOLD_CHARACTERS = 1_400
MOST_FAILURES = 3
ARROWS = {"tool_call": "→", "tool_output": "←"}


@click.command(epilog="Example: blade show results/ 26:1")
@run_argument
@click.argument("rollout", metavar="TASK[:REPEAT]")
@json_option
@click.option("--full", is_flag=True, help="Do not fold long texts.")
@click.option("--no-redact", is_flag=True, help="Show what looks like a secret, too.")
@reading_options
def show(run: str, rollout: str, as_json: bool, full: bool, no_redact: bool, **reading: Any) -> None:
    """One rollout, step by step: prompt (negative steps), output, and what the verifier wrote.

    Of a rollout that was never scored, the last attempt that failed.
    """
    from blade.cli.terminal import print_json
    from blade.runs.failed_attempts import failed_attempts
    from blade.runs.steps import trajectory as read_trajectory
    from blade.untrusted.redaction import redact_value

    with open_given(run, **reading) as opened:
        places = opened.find(rollout)
        failed = failed_attempts(opened, places[0].rollout if places else rollout)
        if not places and not failed:
            raise UsageError(f"{run} has no row of {rollout}", hint=_why_not(opened, rollout))
        place = places[0] if places else failed[-1].place
        siblings = [other for other in opened.places(place.task) if other.rollout != place.rollout]
        row = opened.text(place)

    def hide(text: str, name: str = "") -> str:
        return text if no_redact else redact_value(name, text)

    with _room_for_depth():
        trajectory = read_trajectory(row)
        steps = [*trajectory.prompt, *trajectory.output]
        fields = _hidden(trajectory.fields, hide)
        if not as_json:
            _print(place, siblings, failed, steps, fields, hide, full)
            return
        print_json(
            {
                "schema": "blade.trajectory/1",
                "rollout": place.rollout,
                "task": place.task,
                "reward": place.reward,
                "status": place.state,
                "path": place.path,
                "line": place.line,
                "steps": [_step_json(step, hide) for step in steps],
                "verifier": fields,
            }
            | ({"failed_attempts": [_failed_json(one, hide) for one in failed]} if failed else {})
        )


def _failed_json(failed: Any, hide: Any) -> dict[str, Any]:
    return {
        "attempt": failed.attempt,
        "class": failed.failure,
        "message": hide(failed.message),
        "path": failed.place.path,
        "line": failed.place.line,
    }


@contextmanager
def _room_for_depth() -> Iterator[None]:
    """A row nested as deeply as the scan allows must be printable too; the scan itself keeps to the usual limit."""
    usual = sys.getrecursionlimit()
    sys.setrecursionlimit(max(usual, DEEPEST))
    try:
        yield
    finally:
        sys.setrecursionlimit(usual)


def _why_not(opened: Any, rollout: str) -> str:
    """What is known of a rollout that no row shows: planned and lost, another repeat, or no such task."""
    planned = opened.query("SELECT state FROM plan WHERE rollout = $1", (rollout,)).rows
    if planned:
        return f"it was expected and is {planned[0][0]}"
    task = rollout.rpartition(":")[0]
    if known := [place.rollout for place in opened.places(task)]:
        return f"task {task} has {', '.join(dict.fromkeys(known))}"
    tasks = [row[0] for row in opened.query("SELECT task FROM tasks LIMIT 5").rows]
    count = opened.query("SELECT count(*) FROM tasks").rows[0][0]
    return f"it has {plural(count, 'task')}: {', '.join(tasks)}{', …' if count > len(tasks) else ''}"


def _step_json(step: Any, hide: Any) -> dict[str, Any]:
    return {
        "step": step.step,
        "kind": step.kind,
        "role": step.role,
        "name": step.name,
        "call_id": step.call_id,
        "text": hide(step.text),
        "arguments": None if step.arguments is None else hide(step.arguments),
    }


def _hidden(value: Any, hide: Any, name: str = "") -> Any:
    """A value of the row with its secrets hidden, by their shape and by the name they stand under."""
    if isinstance(value, str):
        return hide(value, name)
    if isinstance(value, dict):
        return {hide(key): _hidden(inner, hide, key) for key, inner in value.items()}
    return [_hidden(inner, hide, name) for inner in value] if isinstance(value, list) else value


def _print(
    place: Any, siblings: list[Any], failed: list[Any], steps: list[Any], fields: dict[str, Any], hide: Any, full: bool
) -> None:
    from rich.padding import Padding
    from rich.text import Text

    from blade.cli.terminal import clean, clean_line, console

    out = console()
    reward = "no score" if place.reward is None else f"reward {place.reward:g}"
    out.print(
        Text(clean_line(f"{place.rollout} · {reward} · {place.state} · {place.path}, line {place.line}", 400), style="bold")
    )
    if siblings:
        listed = "  ".join(f"{other.rollout} {'–' if other.reward is None else f'{other.reward:g}'}" for other in siblings[:12])
        out.print(Text(clean_line(f"other rows of this task: {listed}{'  …' if len(siblings) > 12 else ''}", 300), style="dim"))
    for line in _failures(place, failed, hide):
        out.print(Text(clean_line(line, 300), style="yellow"))
    names: dict[str | None, str | None] = {}
    for step in steps:
        if step.kind == "tool_call":
            names[step.call_id] = step.name
        title = _title(step, names)
        out.print()
        out.print(Text(clean_line(title, 200), style=_style(step)))
        body = hide(_body(step))
        if body:
            out.print(Padding(Text(clean(_folded(body, full))), (0, 0, 0, 2)))
    out.print()
    out.print(Text("verifier and row fields", style="bold"))
    for name, value in fields.items():
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
        out.print(Padding(Text(f"{clean_line(name, 60)}: {clean(text) if full else clean_line(text, 160)}"), (0, 0, 0, 2)))


def _failures(place: Any, failed: list[Any], hide: Any) -> Iterator[str]:
    """How many attempts failed, and how: the one that is shown, or the last ones before the score."""
    if not failed:
        return
    last = failed[-1]
    shown = last.place == place
    many = f"{len(failed)} attempt{'s' if len(failed) > 1 else ''} failed"
    yield f"{many}; this is the last one" if shown else f"{many} before this row"
    for one in failed[-1:] if shown else failed[-MOST_FAILURES:]:
        yield f"{one.failure}: {hide(one.message)}" if one.message else one.failure


def _title(step: Any, names: dict[str | None, str | None]) -> str:
    arrow = ARROWS.get(step.kind, "·")
    name = step.name or (names.get(step.call_id) if step.kind == "tool_output" else None)
    who = step.role if step.kind in ("message", "other") else step.kind.replace("_", " ")
    return f"[{step.step}] {arrow} {' '.join(part for part in (who, name) if part)}"


def _style(step: Any) -> str:
    if step.step < 0:
        return "dim bold"
    return {"tool_call": "cyan bold", "tool_output": "green", "reasoning": "magenta"}.get(step.kind, "bold")


def _body(step: Any) -> str:
    if step.kind != "tool_call":
        return str(step.text)
    try:
        arguments = json.loads(step.arguments or "{}")
    except ValueError:
        return str(step.arguments or "")
    if not isinstance(arguments, dict):
        return str(step.arguments)
    return "\n".join(
        f"{name}: {value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)}"
        for name, value in arguments.items()
    )


def _folded(text: str, full: bool) -> str:
    if full or (len(text) <= FOLD_CHARACTERS and text.count("\n") < FOLD_LINES):
        return text
    kept = "\n".join(text[:FOLD_CHARACTERS].split("\n")[:FOLD_LINES])
    return f"{kept}\n… {len(text) - len(kept):,} more characters (--full shows them)"
