"""How often is the decisive step of a failed rollout found, when people have marked it and there is no sibling to compare with?

    python -m evidence.attribution [--out docs/evidence/attribution.json] [--page docs/diagnosis-accuracy.md]

Two benchmarks with human labels: Who&When (the agent and the step that decided a failure) and TRAIL (every error of a trace, by category
and span). Every figure stands beside simple baselines and with its denominator. The labels are not part of the project: where they are
missing (see tests/shared_data.py) this says so and changes nothing.
"""

import argparse
import json
import re
import sys
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from blade.diagnosis.decisive.ranking import LEARNED
from blade.stats.intervals import wilson
from blade.stats.quantiles import normal_quantile
from tests.shared_data import shared_data, shared_rows

from . import trail, whowhen
from .attribution_page import block
from .fingerprint import PUBLISHED, ROOT, fingerprint, git_commit

SOURCES: Final = (
    *(f"evidence/{name}.py" for name in ("attribution", "attribution_page", "conditional_logit", "leaks", "trail", "whowhen")),
    *(f"src/blade/diagnosis/decisive/{name}.py" for name in ("cues", "ranking", "turns")),
    "src/blade/runs/steps.py",
    "src/blade/signals/calls/matcher.py",
)
PAGE: Final = ROOT / "docs" / "diagnosis-accuracy.md"
MARKERS: Final = ("<!-- attribution: made by python -m evidence.attribution -->", "<!-- /attribution -->")
METRICS: Final = ("exact", "within 1", "within 3", "agent")
OURS, OURS_BY_REACH = "blade", "blade, by reach"
HISTORY: Final = {
    "whowhen": {
        "chosen_on": "half 0, by ten- and 23-fold cross-validation inside it",
        "tried": "3 sets of cues (21, 23 and 8 of them), 4 ridge penalties, one forward selection, 16 additions to the selected cues",
        "scored_on_held_out": 1,
        "seen_of_held_out": "one rollout in full, fewer than eight labels with reasons, and the distribution of all labels over steps",
        "changed_after_scoring": "how numbers are read (a trailing comma), and one field name less for the question; no figure moved",
    },
    "trail": {
        "tried": [
            {"what": "failed executions marked by the order in the row", "joint_f1_all_traces": 0.129},
            {"what": "errors of a span put behind the spans inside it", "joint_f1_all_traces": 0.212},
            {
                "what": "an end without a result marked too, added because the baseline (.216) was not reached",
                "joint_f1_all_traces": 0.289,
            },
        ],
        "dropped": "a rule for printing more characters than the prompt allows (8 of 25 marks right on half 0)",
        "scored_on_held_out": 3,
        "seen_of_held_out": "one trace in full with three of its labels, and the counts of all categories",
    },
}
"""How these figures came about: what was chosen on which labels, and how often the held-out half was looked at. Written by hand."""


def rate(hits: float, of: int) -> dict[str, Any]:
    """A share with Wilson's 95 % interval."""
    import numpy as np

    low, high = wilson(np.array([hits / of]), np.array([float(of)]), normal_quantile(0.975))
    return {
        "hits": round(hits, 3),
        "of": of,
        "rate": round(hits / of, 4),
        "low": round(low.item(), 4),
        "high": round(high.item(), 4),
    }


def cases() -> list[whowhen.Case]:
    labels = {(label["run"], label["task"], label["rollout"]): label for label in shared_rows("whowhen/labels")}
    runs = sorted({run for run, _, _ in labels})
    return [
        whowhen.case_of(row, labels[run, row["_ng_task_index"], row["_ng_rollout_index"]])
        for run in runs
        for row in shared_rows(f"whowhen/{run}")
    ]


def who_and_when(found: Sequence[whowhen.Case]) -> dict[str, Any]:
    weights = {half: whowhen.learned([case for case in found if case.half != half]) for half in (0, 1)}
    halves = {half: [case for case in found if case.half == half] for half in (0, 1)}
    hits: dict[str, dict[str, tuple[float, ...]]] = defaultdict(dict)
    for case in found:
        others = halves[1 - case.half]
        hits[OURS][case.name] = whowhen.hits(case, whowhen.ours(case, weights[case.half]))
        hits[OURS_BY_REACH][case.name] = whowhen.hits(case, whowhen.ours_by_reach(case, weights[case.half]))
        for name, method in whowhen.BASELINES.items():
            hits[name][case.name] = whowhen.hits(case, method(case, others))
        hits["random step"][case.name] = whowhen.random_chances(case, turns_only=False)
        hits["random turn of an agent"][case.name] = whowhen.random_chances(case, turns_only=True)
    groups = {"held-out half": halves[1], "half that the cues were chosen on": halves[0], "both halves": found}
    everybody = whowhen.learned(found)
    return {
        "rollouts": len(found),
        "halves": [len(halves[0]), len(halves[1])],
        "label_on_machine_step": sum(whowhen.choice_of(case) is None for case in found),
        "label_on_other_agent": sum(case.items.get(case.step) != case.agent for case in found),
        "groups": {
            group: {name: _scores([by_case[case.name] for case in members]) for name, by_case in hits.items()}
            for group, members in groups.items()
        },
        "against": {group: _against(hits, [case.name for case in groups[group]]) for group in ("held-out half", "both halves")},
        "history": HISTORY["whowhen"],
        "weights": {
            "fitted to half 0": _rounded(weights[1]),
            "fitted to half 1": _rounded(weights[0]),
            "fitted to all": _rounded(everybody),
            "in the source": dict(LEARNED),
        },
    }


def _scores(hits: Sequence[tuple[float, ...]]) -> dict[str, Any]:
    return {metric: rate(sum(column), len(hits)) for metric, column in zip(METRICS, zip(*hits, strict=True), strict=True)}


def _rounded(weights: Mapping[str, float]) -> dict[str, float]:
    return {name: round(weight, 2) for name, weight in weights.items()}


def _against(hits: Mapping[str, Mapping[str, tuple[float, ...]]], names: Sequence[str]) -> dict[str, Any]:
    """For each metric the best baseline, and the exact McNemar test against it: cases that only one of the two got right."""
    from scipy.stats import binomtest

    found = {}
    for place, metric in enumerate(METRICS):
        totals = {
            method: sum(by_case[name][place] for name in names) for method, by_case in hits.items() if method in whowhen.BASELINES
        }
        best = max(sorted(totals), key=lambda method: totals[method])
        for mine in (OURS, OURS_BY_REACH):
            pairs = [(hits[mine][name][place], hits[best][name][place]) for name in names]
            won, lost = sum(a > b for a, b in pairs), sum(a < b for a, b in pairs)
            p = float(binomtest(won, won + lost).pvalue) if won + lost else 1.0
            found[f"{metric}, {mine}"] = {"best_baseline": best, "only_ours": won, "only_the_baseline": lost, "p": round(p, 4)}
    return found


def trail_figures() -> dict[str, Any]:
    labels = [label for label in shared_rows("trail/labels") if label.get("category")]
    present = [label for label in labels if label["trace_present"]]
    by_trace: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for label in present:
        by_trace[label["task_id"]].append(label)
    traces = [trail.trace_of(row, by_trace[row["task_id"]]) for row in shared_rows("trail/swe_bench")]
    halves = {half: [trace for trace in traces if trace.half == half] for half in (0, 1)}
    methods: dict[str, Callable[[trail.Trace], frozenset[trail.Mark]]] = {
        OURS: lambda trace: trace.found | trace.by_convention,
        "blade, without the annotators' conventions": lambda trace: trace.found,
        "baseline: most frequent category, every span": lambda trace: trail.everywhere(trace, halves[1 - trace.half]),
    }
    groups = {"half 1": halves[1], "both halves": traces}
    return {
        "traces": len(traces),
        "traces_without_error": sum(not trace.labels for trace in traces),
        "labels": len(labels),
        "labels_at_hand": len(present),
        "labels_at_agent_spans": sum(label["span_id"] in trace.spans for trace in traces for label in by_trace[trace.name]),
        "history": HISTORY["trail"],
        "categories": _counted(label["category"] for label in present),
        "groups": {
            group: {
                name: _overlaps([(trace.name, trace.labels, method(trace)) for trace in members])
                for name, method in methods.items()
            }
            for group, members in groups.items()
        },
    }


def _counted(written: Any) -> dict[str, int]:
    counts: dict[str, int] = defaultdict(int)
    for name in written:
        counts[trail.category(name)] += 1
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def _overlaps(pairs: Sequence[tuple[str, frozenset[trail.Mark], frozenset[trail.Mark]]]) -> dict[str, Any]:
    figures: dict[str, Any] = {
        what: {
            "labelled": overlap.labelled,
            "predicted": overlap.predicted,
            "both": overlap.both,
            "precision": _short(overlap.precision),
            "recall": _short(overlap.recall),
            "f1": _short(overlap.f1),
        }
        for what, overlap in trail.overlaps(pairs).items()
    }
    figures["weighted_category_f1"] = _short(trail.weighted_category_f1(pairs))
    return figures


def _short(value: float | None) -> float | None:
    return None if value is None else round(value, 4)


def study() -> dict[str, Any]:
    return {"whowhen": who_and_when(cases()), "trail": trail_figures()}


def with_block(page: str, made: str, markers: tuple[str, str] = MARKERS) -> str:
    """The page with what stands between the markers replaced; appended where it has none yet."""
    start, end = markers
    whole = f"{start}\n{made.strip()}\n{end}"
    if start not in page:
        return f"{page.rstrip()}\n\n{whole}\n".lstrip()
    return re.sub(re.escape(start) + r".*?" + re.escape(end), lambda _: whole, page, flags=re.DOTALL)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m evidence.attribution", description=__doc__.partition("\n")[0])
    parser.add_argument("--out", type=Path, default=PUBLISHED / "attribution.json", help="where the figures go")
    parser.add_argument("--page", type=Path, default=PAGE, help="the page whose block is renewed")
    options = parser.parse_args()
    if shared_data() is None:
        print("the labelled rollouts are not here (../shared/data, or set BLADE_SHARED_DATA): nothing was changed")
        return 0
    figures = study()
    evidence = {"commit": git_commit(), "fingerprint": fingerprint(SOURCES), **figures}
    options.out.parent.mkdir(parents=True, exist_ok=True)
    options.out.write_text(json.dumps(evidence, indent=1) + "\n", encoding="utf-8")
    page = options.page.read_text(encoding="utf-8") if options.page.exists() else "# How accurate the diagnosis is\n"
    options.page.write_text(with_block(page, block(figures)), encoding="utf-8")
    print(block(figures))
    return 0


if __name__ == "__main__":
    sys.exit(main())
