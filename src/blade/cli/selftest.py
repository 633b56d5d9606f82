"""`blade selftest`."""

from functools import partial
from typing import Any

import click

from blade.cli.options import json_option
from blade.errors import UsageError
from blade.sentences import plural

PARTS = {
    "held_out": "kinds and environments ({environments}) written after the detectors were tuned",
    "all": "all kinds and environments",
    "own": "your own run",
}


@click.command(epilog="Example: blade selftest --cases 60     or: blade selftest --plant results/rollouts.jsonl --cases 5")
@click.option(
    "--cases", type=click.IntRange(1, 100_000), help="Runs to make and diagnose (default: 60; copies of RUN with --plant: 5)."
)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Another seed makes other cases.")
@click.option(
    "--held-out/--all",
    "held_out",
    default=True,
    show_default=True,
    help="Only the kinds and the environments that were written last, or all of them.",
)
@click.option("--plant", metavar="RUN", help="Plant faults into copies of this run instead, and see what is recovered.")
@click.option("--pass-threshold", type=float, metavar="X", help="With --plant: a rollout passes with a reward of at least X.")
@click.option("--workers", type=click.IntRange(1), metavar="N", help="Processes to work with (default: the CPUs).")
@json_option
def selftest(
    cases: int | None,
    seed: int,
    held_out: bool,
    plant: str | None,
    pass_threshold: float | None,
    workers: int | None,
    as_json: bool,
) -> None:
    """How good is the diagnosis? Plants known faults in scripted runs (or in copies of your own) and scores what is found.

    Prints precision and recall by label and by kind of fault, the worst kind first, the confusion matrix, how well affected
    rollouts and decisive steps are found, and how confidence matches accuracy.
    """
    from blade.cli.progress import Bar
    from blade.cli.terminal import print_json
    from blade.engines import open_engine
    from blade.lab.selftest import selftest as run_selftest
    from blade.runs.build import PRELOAD

    if pass_threshold is not None and plant is None:
        raise UsageError("--pass-threshold is about the run that --plant names", hint="scripted cases have their own rewards")
    with open_engine("local", workers=workers, preload=[*PRELOAD, "blade.lab.selftest"]) as engine:
        if plant is not None:
            document = _planted(plant, cases or 5, seed, pass_threshold, engine)
        else:
            document = run_selftest(
                cases or 60, seed, "held_out" if held_out else "all", engine=engine, progress=Bar("things", least=1)
            )
    if as_json:
        print_json(document)
    else:
        _print(document)


def _planted(run: str, copies: int, seed: int, pass_threshold: float | None, engine: Any) -> dict[str, Any]:
    from blade.cli.options import open_given
    from blade.cli.progress import Bar
    from blade.lab.selftest import diagnose_file
    from blade.lab.transplant.plan import material, recovered

    with open_given(run, pass_threshold=pass_threshold) as opened:
        stuff = material(opened)
    diagnose = partial(diagnose_file, pass_threshold=pass_threshold)
    return {**recovered(stuff, copies, seed, diagnose, engine, Bar("things", least=1)), "run": run}


def _print(document: dict[str, Any]) -> None:
    from rich.text import Text

    from blade.cli.terminal import clean_line, console, percent, rows_table
    from blade.lab.environments import ENVIRONMENTS

    out = console()
    unseen = ", ".join(name for name, place in ENVIRONMENTS.items() if place.held_out)
    where = clean_line(document.get("run", ""), 200)
    out.print(
        Text.assemble(
            (f"{plural(document['planted_tasks'], 'task')} with planted faults", "bold"),
            f" of {plural(document['kinds'], 'kind')} in {plural(document['cases'], 'run')} ({where or PARTS[document['part']].format(environments=unseen)}), seed {document['seed']}",
        )
    )
    labels = [
        (name, one["n"], _share(one["recall"], one["recall_ci"]), one["predicted"], _share(one["precision"], one["precision_ci"]))
        for name, one in document["labels"].items()
    ]
    out.print(rows_table(("label", "planted", "recall", "claimed", "precision"), labels))
    columns = list(next(iter(document["confusion"].values())))
    counts = [(true, *(row[said] or None for said in columns)) for true, row in document["confusion"].items()]
    out.print(Text("planted (rows) against claimed (columns)", style="dim"))
    out.print(rows_table(("", *columns), counts))
    kinds = [
        (
            one["label"],
            one["name"],
            one["n"],
            _share(one["recall"], one["recall_ci"]),
            percent(one["step_within_1"], 0),
            _instead(one),
        )
        for one in document["by_kind"]
    ]
    out.print(rows_table(("label", "kind, worst first", "tasks", "recall", "step ±1", "claimed instead"), kinds))
    rollouts, steps, curve, quiet = document["modes"], document["steps"], document["calibration"], document["clean"]
    out.print(f"affected rollouts   F1 {_figure(rollouts['f1'])} over {plural(rollouts['rollouts'], 'planted rollout')}")
    out.print(
        f"decisive step       exact {percent(steps['exact']['value'])}, within one {percent(steps['within_1']['value'])} of {plural(steps['n'], 'task')}"
    )
    interval = "" if not curve["ci"] else f" [{curve['ci'][0]:.3f}, {curve['ci'][1]:.3f}]"
    out.print(f"confidence          calibration error {_figure(curve['ece'])}{interval} over {plural(curve['n'], 'cause')}")
    out.print(f"always-pass tasks   {document['always_pass_with_cause']} of {document['always_pass_tasks']} with a cause claimed")
    if quiet["runs"]:
        found = ", ".join(f"{label} {count}" for label, count in quiet["false_findings"].items())
        out.print(
            f"clean runs          {quiet['runs']} with {plural(quiet['rollouts'], 'rollout')}; rollouts with a false finding: {found}"
        )


def _figure(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def _share(value: float | None, interval: list[float] | None) -> str:
    from blade.cli.terminal import percent

    return percent(value) if interval is None else f"{percent(value)} [{100 * interval[0]:.0f}, {100 * interval[1]:.0f}]"


def _instead(kind: dict[str, Any]) -> str:
    return ", ".join(f"{name.rstrip(':')} {count}" for name, count in kind["instead"].items())
