"""How often the diagnosis is right about faults that nothing was tuned on: `python -m evidence.diagnosis`.

Cases of the lab's held-out part (kinds of fault and environments that took no part in tuning) are made, diagnosed as the command
does it, and scored. Where a real run is given (`--plant`), faults are planted into copies of it as well. The figures go to
`docs/evidence/diagnosis.json` and into `docs/diagnosis-accuracy.md`. `--quick` plants every kind of both parts a few times
(`each_kind`), writes nothing, and fails when a kind is no longer recognised or a bound is missed: what was reached must not be lost.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from blade.engines.local import LocalEngine
from blade.lab.faults.catalogue import KIND
from blade.lab.scoring import score
from blade.lab.selftest import selftest

from .attribution import with_block
from .each_kind import UNKNOWN, every_kind
from .fingerprint import PUBLISHED, ROOT, fingerprint, git_commit
from .held_out_parts import FIRST, HISTORY, PAST, SINCE

PUBLISHED_FILE: Final = PUBLISHED / "diagnosis.json"
PAGE: Final = ROOT / "docs" / "diagnosis-accuracy.md"
MARKERS: Final = ("<!-- lab: made by python -m evidence.diagnosis -->", "<!-- /lab -->")
CASES: Final = 960
COPIES: Final = 8
SEED: Final = 0
BOUNDS: Final = {"precision": 0.85, "recall": 0.85, "f1": 0.90, "step": 0.80, "ece": 0.10, "false": 0.01, "planted": 0.80}
"""What the figures are held against: lower ends of Wilson's intervals for precision and recall, values for the rest."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m evidence.diagnosis", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="every kind a few times; writes nothing")
    parser.add_argument("--cases", type=int, default=CASES)
    parser.add_argument("--plant", type=Path, nargs="+", help="real runs to plant faults into")
    given = parser.parse_args()
    with LocalEngine(preload=["blade.lab.selftest", "blade.diagnosis.diagnose", "evidence.each_kind"]) as engine:
        if given.quick:
            return _check(engine)
        figures = selftest(given.cases, SEED, "held_out", engine=engine)
        planted = [_planted(run, engine) for run in given.plant or ()]
    document = {
        "what": "the lab's held-out part: kinds of fault and environments that nothing was tuned on",
        "commit": git_commit(),
        "fingerprint": fingerprint(sources()),
        "bounds": BOUNDS,
        "figures": figures,
        "planted_in_real_rows": planted or _known_planted(),
    }
    PUBLISHED_FILE.write_text(json.dumps(document, indent=1, default=str) + "\n", encoding="utf-8")
    PAGE.write_text(with_block(PAGE.read_text(encoding="utf-8"), "\n".join(page(document)), MARKERS), encoding="utf-8")
    print("\n".join(page(document)))
    return 0


def sources() -> Iterator[str]:
    """What the figures rest on: the lab, without what only its other measurements use."""
    for path in (ROOT / "src" / "blade" / "lab").rglob("*.py"):
        if not {"pairs", "layouts"} & set(path.parts):
            yield str(path.relative_to(ROOT))


def _planted(path: Path, engine: LocalEngine) -> dict[str, Any]:
    from blade.lab.transplant.plan import material, recovered
    from blade.runs.run import open_run

    with open_run(path) as run:
        stuff = material(run)
    return {**recovered(stuff, COPIES, SEED, engine=engine), "run": path.name}


def _known_planted() -> Any:
    """What was measured on real runs before, where none is given now."""
    return json.loads(PUBLISHED_FILE.read_text(encoding="utf-8")).get("planted_in_real_rows") if PUBLISHED_FILE.exists() else []


def _check(engine: LocalEngine) -> int:
    judged, lost = every_kind(engine)
    figures = score(judged)
    short = [*lost, *_shortfalls(figures)]
    for line in short:
        print(f"falls short: {line}")
    for name, reason in UNKNOWN.items():
        print(f"known not to be recognised: {name} ({reason})")
    print(f"{figures['planted_tasks']} planted tasks of {figures['kinds']} kinds: {'short' if short else 'no shortfall'}")
    return int(bool(short))


def _shortfalls(figures: Mapping[str, Any]) -> Iterator[str]:
    for label, found in figures["labels"].items():
        for name in ("precision", "recall"):
            value = found[name]
            if value is not None and value < BOUNDS[name]:
                yield f"{name} of {label} is {value:.2f}"
    if figures["always_pass_with_cause"]:
        yield f"{figures['always_pass_with_cause']} always-pass tasks have a cause"


def page(document: Mapping[str, Any]) -> Iterator[str]:
    """The figures as a person reads them, each beside its bound."""
    figures = document["figures"]
    yield "## Planted faults: new kinds, and known kinds in new environments"
    yield ""
    yield (
        f"{figures['planted_tasks']} tasks with a planted fault of {figures['kinds']} kinds, in {figures['cases']} scripted runs of the lab's held-out part (seed "
        f"{figures['seed']}), beside {figures['clean_runs']} clean runs. A task counts as right when its primary label is the planted one. Shares with Wilson's 95 % interval."
    )
    yield ""
    yield HISTORY
    yield ""
    yield "| part | holds | right label | of tasks | calibration error | missed most |"
    yield "|---|---|---|---|---|---|"
    yield from (
        f"| {part} | {holds} | {right:.1%} | {tasks:,} | {error or '–'} | {missed} |"
        for part, holds, right, tasks, error, missed in PAST
    )
    yield ""
    yield from _first()
    yield ""
    yield f"{SINCE} Measured at commit {(document['commit'] or 'unknown')[:10]}; detectors may have changed since."
    yield ""
    yield "| label | planted | recall | claimed | precision | both lower ends at least .85 |"
    yield "|---|---|---|---|---|---|"
    for label, found in figures["labels"].items():
        least = [(found[f"{name}_ci"] or [0.0])[0] for name in ("recall", "precision")]
        cells = (
            label,
            found["n"],
            _with(found, "recall"),
            found["predicted"],
            _with(found, "precision"),
            _met(min(least) >= BOUNDS["recall"]),
        )
        yield f"| {' | '.join(map(str, cells))} |"
    yield ""
    yield from _rest(figures)
    yield ""
    yield "Claimed (columns) for what was planted (rows):"
    yield ""
    columns = list(next(iter(figures["confusion"].values())))
    yield f"| | {' | '.join(columns)} |"
    yield "|---" * (len(columns) + 1) + "|"
    for label, row in figures["confusion"].items():
        yield f"| {label} | {' | '.join(str(row[column] or '·') for column in columns)} |"
    yield ""
    yield "| kind, worst first | label | tasks | recall | claimed instead |"
    yield "|---|---|---|---|---|"
    for kind in figures["by_kind"]:
        instead = ", ".join(f"{label} {count}" for label, count in (kind.get("instead") or {}).items()) or "–"
        yield f"| {kind['name']} | {kind['label']} | {kind['n']} | {_with(kind, 'recall')} | {instead} |"
    yield ""
    yield _known_and_new(figures)
    yield ""
    yield _by_environment(figures)
    if document["planted_in_real_rows"]:
        yield ""
        yield from _real(document["planted_in_real_rows"])


def _first() -> Iterator[str]:
    """The measurement of this part that was blind."""
    yield f"Its first measurement, of {FIRST.tasks:,} tasks, at commit {FIRST.commit} ({FIRST.rest}):"
    yield ""
    yield "| label | planted | recall (lower end) | precision (lower end) |"
    yield "|---|---|---|---|"
    for label, (planted, recall, least_recall, precision, least_precision) in FIRST.labels.items():
        yield f"| {label} | {planted} | {recall:.3f} ({least_recall:.2f}) | {precision:.3f} ({least_precision:.2f}) |"


def _known_and_new(figures: Mapping[str, Any]) -> str:
    """How often the label was right for kinds that the tuning part has as well, in other environments, and for those it never had."""
    parts = []
    for held_out, words in ((False, "of kinds that other environments have as well"), (True, "of kinds of its own")):
        kinds = [kind for kind in figures["by_kind"] if KIND[kind["name"]].held_out is held_out]
        tasks = sum(kind["n"] for kind in kinds)
        right = sum(round((kind["recall"] or 0.0) * kind["n"]) for kind in kinds)
        parts.append(f"{right} of {tasks} tasks {words} ({len(kinds)})")
    return f"Right: {'; '.join(parts)}."


def _by_environment(figures: Mapping[str, Any]) -> str:
    """How often the label was right in each of the environments."""
    told = (f"{one['name']} {_with(one, 'recall')} of {one['n']}" for one in figures["by_environment"])
    return f"Right by environment: {'; '.join(told)}."


def _rest(figures: Mapping[str, Any]) -> Iterator[str]:
    f1, step, curve, quiet = figures["modes"]["f1"], figures["steps"]["within_1"], figures["calibration"], figures["clean"]
    worst = max(quiet["share"].values()) if quiet["runs"] else 0.0
    interval = "" if not curve["ci"] else f", 95 % interval {curve['ci'][0]:.3f} to {curve['ci'][1]:.3f} over kinds"
    yield "| what | figure | bound | |"
    yield "|---|---|---|---|"
    yield f"| affected rollouts, F1 over {figures['modes']['rollouts']} planted rollouts | {f1:.3f} | ≥ .90 | {_met(f1 >= BOUNDS['f1'])} |"
    yield f"| decisive step within ±1, of {figures['steps']['n']} tasks | {step['value']:.3f} | ≥ .80 | {_met(step['value'] >= BOUNDS['step'])} |"
    yield f"| calibration error of {curve['n']} causes of {curve['kinds']} kinds{interval} | {curve['ece']:.3f} | ≤ .10 | {_met(curve['ece'] <= BOUNDS['ece'])} |"
    yield f"| always-pass tasks with a cause | {figures['always_pass_with_cause']} | 0 | {_met(not figures['always_pass_with_cause'])} |"
    yield f"| clean runs: most rollouts with a false data, infrastructure or task finding, of {quiet['rollouts']} | {100 * worst:.2f} % | ≤ 1 % | {_met(worst <= BOUNDS['false'])} |"


def _real(runs: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """What was found again of faults planted in copies of real runs."""
    yield f"### The same faults planted in real rows ({runs[0]['cases']} copies of each run)"
    yield ""
    yield (
        "Recall by label, with the tasks that were planted; a dash where no task of the run allows it (UK and KG want several passing repeats). Not blind: what was missed in the "
        "tau2 rows was looked at, and mended in the planting (a scenario went with the gold) and in the detectors (a circle of calls to the end)."
    )
    labels = list(runs[0]["labels"])
    yield ""
    yield f"| run | {' | '.join(labels)} | all at least .80 |"
    yield "|---" * (len(labels) + 2) + "|"
    for found in runs:
        planted = [one for one in found["labels"].values() if one["n"]]
        cells = [f"{one['recall']:.3f} of {one['n']}" if one["n"] else "–" for one in found["labels"].values()]
        met = _met(all((one["recall"] or 0.0) >= BOUNDS["planted"] for one in planted))
        yield f"| `{found['run']}` | {' | '.join(cells)} | {met} |"


def _with(found: Mapping[str, Any], name: str) -> str:
    value, interval = found[name], found.get(f"{name}_ci")
    if value is None:
        return "–"
    return f"{value:.3f}" + (f" ({interval[0]:.2f}–{interval[1]:.2f})" if interval else "")


def _met(holds: bool) -> str:
    return "met" if holds else "**missed**"


if __name__ == "__main__":
    sys.exit(main())
