"""Does the comparison of two runs name the reason that was planted? `python -m evidence.planted_pairs [--quick]`

Pairs of runs whose difference has one known reason (`blade.lab.pairs`) are made in all environments of the lab, compared as the
command does it, and marked: the planted term is the largest and its interval excludes 0, all other terms are 0, `changed` names what
changed and nothing else, and the verdict is one that the truth allows. At least 95 % of the pairs of each kind have to be right. The figures go to `docs/evidence/planted_pairs.json` and into `docs/comparison-accuracy.md`; `--quick` runs a
fixed slice and writes nothing. Exit 1 when a bound fails.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np

from blade.engines.local import LocalEngine
from blade.lab.pairs.exam import Marked, exam, worlds
from blade.lab.pairs.planted import HARD, PLANTS
from blade.stats.intervals import wilson
from blade.stats.quantiles import normal_quantile

from .attribution import with_block
from .fingerprint import PUBLISHED, ROOT, fingerprint, git_commit

PUBLISHED_FILE: Final = PUBLISHED / "planted_pairs.json"
PAGE: Final = ROOT / "docs" / "comparison-accuracy.md"
MARKERS: Final = ("<!-- planted pairs: made by python -m evidence.planted_pairs -->", "<!-- /planted pairs -->")
WORLDS: Final = 104
QUICK: Final = 2
SEED: Final = 7
BOUND: Final = 0.95
COMPARISON: Final = (
    "booked", "definitions", "differences", "matching", "neutral", "pairing", "resampled_parts", "rows", "rules", "set_aside", "waterfall",
)  # fmt: skip


def sources() -> Iterator[str]:
    """What the figures rest on."""
    yield "evidence/planted_pairs.py"
    yield from (str(path.relative_to(ROOT)) for path in (ROOT / "src" / "blade" / "lab" / "pairs").glob("*.py"))
    yield from (f"src/blade/comparison/{name}.py" for name in COMPARISON)


def tallied(marked: Sequence[Marked]) -> dict[str, dict[str, Any]]:
    """For each kind how many pairs are right, with Wilson's interval, by environment too, and what the others got wrong."""
    found = {}
    for kind, plant in (PLANTS | HARD).items():
        of_kind = [one for one in marked if one.kind == kind]
        if not of_kind:
            continue
        right, count = sum(one.mark.right for one in of_kind), len(of_kind)
        low, high = wilson(np.array([right / count]), np.array([float(count)]), normal_quantile(0.975))
        places = sorted({one.environment for one in of_kind})
        found[kind] = {
            "what": (plant.__doc__ or "").strip(),
            "bound": None if kind in HARD else BOUND,
            "pairs": count,
            "right": right,
            "share": right / count,
            "ci": [low.item(), high.item()],
            "holds_size": _share([one.mark.holds_size for one in of_kind]),
            "verdicts": dict(Counter(one.mark.verdict for one in of_kind).most_common()),
            "by_environment": {
                place: [sum(one.mark.right for one in of_kind if one.environment == place), sum(one.environment == place for one in of_kind)]
                for place in places
            },
            "wrong": [
                {"environment": one.environment, "seed": one.seed, "why": list(one.mark.wrong)}
                for one in of_kind
                if not one.mark.right
            ],
        }  # fmt: skip
    return found


def _share(told: Sequence[bool | None]) -> float | None:
    known = [one for one in told if one is not None]
    return sum(known) / len(known) if known else None


def failures(kinds: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """Every kind that falls short, in words."""
    for kind, found in kinds.items():
        if found["bound"] is not None and found["share"] < found["bound"]:
            yield f"{kind}: {found['right']} of {found['pairs']} right"


def page(document: Mapping[str, Any]) -> Iterator[str]:
    """The figures as a person reads them."""
    kinds = document["kinds"]
    yield "## Planted pairs: is the reason named?"
    yield ""
    yield (
        f"Two runs whose difference has one known reason, in {document['worlds']} scripted worlds of the lab's {document['environments']} environments (24 tasks × 4 repeats, seed "
        f"{document['seed']}; half of the worlds keep manifests). The runs of a pair share every rollout that the reason leaves alone, so its true size is known. Right means all of: the "
        "planted term is the largest, its interval excludes 0, it has the true size (infrastructure and truncation are estimates; how often their interval holds the size stands "
        "beside), all other terms are 0 (beside those two, chance may leave a smaller `change`), `changed` names what changed and nothing else, `single_change` is true just where "
        "a manifest leaves nothing unknown, and the verdict is one that the truth allows. Shares with Wilson's 95 % interval."
    )
    yield ""
    yield "| kind | what | pairs | right | size in the interval | verdicts | at least .95 |"
    yield "|---|---|---|---|---|---|---|"
    for kind, found in kinds.items():
        met = "hard case, no bound" if found["bound"] is None else "met" if found["share"] >= found["bound"] else "**missed**"
        held = "–" if found["holds_size"] is None else f"{found['holds_size']:.2f}"
        verdicts = ", ".join(f"{name} {count}" for name, count in found["verdicts"].items())
        share = f"{found['share']:.3f} ({found['ci'][0]:.2f}–{found['ci'][1]:.2f})"
        cells = (kind, found["what"], found["pairs"], share, held, verdicts, met)
        yield f"| {' | '.join(map(str, cells))} |"
    wrong = {kind: found["wrong"] for kind, found in kinds.items() if found["wrong"]}
    if wrong:
        yield ""
        yield "What went wrong:"
        yield ""
        yield from (f"- {kind}: {_reasons(cases)}" for kind, cases in wrong.items())


def _reasons(cases: Sequence[Mapping[str, Any]]) -> str:
    places = Counter(case["environment"] for case in cases)
    where = ", ".join(f"{place} {count}" for place, count in places.most_common())
    return f"{len(cases)} ({where}); for example {cases[0]['environment']}, seed {cases[0]['seed']}: {'; '.join(cases[0]['why'])}"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m evidence.planted_pairs", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="a small fixed slice; writes nothing")
    parser.add_argument("--worlds", type=int, default=WORLDS)
    given = parser.parse_args()
    made_from = fingerprint(sources())  # before the long work: what is edited meanwhile makes the figures stale
    wanted = worlds(QUICK, SEED + 1) if given.quick else worlds(given.worlds, SEED)
    marked = []
    with LocalEngine(preload=["blade.lab.pairs.exam"]) as engine:
        for one in exam(wanted, engine):
            marked.append(one)
            if not one.mark.right:
                print(f"{one.kind}, {one.environment}, seed {one.seed}: {'; '.join(one.mark.wrong)}", file=sys.stderr, flush=True)
    kinds = tallied(marked)
    short = list(failures(kinds))
    document = {
        "schema": "blade.evidence.planted_pairs/1",
        "seed": SEED,
        "worlds": len(wanted),
        "environments": len({environment for environment, _ in wanted}),
        "commit": git_commit(),
        "fingerprint": made_from,
        "kinds": kinds,
        "failed": short,
    }
    text = "\n".join(page(document))
    if not given.quick:
        PUBLISHED_FILE.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
        PAGE.write_text(with_block(PAGE.read_text(encoding="utf-8"), text, MARKERS), encoding="utf-8")
    print(text)
    for line in short:
        print("falls short:", line)
    return int(bool(short))


if __name__ == "__main__":
    sys.exit(main())
