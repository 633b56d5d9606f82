"""Real pairs through the whole comparison: figures that others computed, an outage that is told apart, and a table of five harnesses."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from blade.comparison.compare import compare
from blade.comparison.pair import Asked
from blade.diagnosis.diagnose import extractors
from blade.engines.local import LocalEngine
from blade.runs.run import Run, open_run
from tests.shared_data import needs_shared_data, reference_numbers, shared_data, shared_rows

pytestmark = needs_shared_data

NO_DIAGNOSIS: dict[str, Any] = {"tasks": [], "modes": [], "interventions": []}
"""These figures take nothing from the diagnoses of the runs."""
PAIRS: dict[str, Any] = reference_numbers()["pairs"] if shared_data() else {}
TELECOM = "tau2_sft_pair: telecom__gpt-4.1__base -> telecom__gpt-4.1-ft__sft"
GEMINI = "taubench: retail__gemini-2.0-flash__tool-calling__1t_run1 -> retail__gemini-2.0-flash__tool-calling__1t_run3"
TOLD_APART = ("improved", "regressed")


class Opened:
    """Runs that are opened once for the whole module."""

    def __init__(self, index: Path, stack: ExitStack) -> None:
        self.index, self.stack = index, stack
        self.engine = stack.enter_context(LocalEngine(1))
        self.runs: dict[str, Run] = {}
        self.documents: dict[str, dict[str, Any]] = {}

    def run(self, name: str) -> Run:
        if name not in self.runs:
            folder = shared_data()
            assert folder is not None
            plain = folder / f"{name}.jsonl"
            path = plain if plain.exists() else plain.with_suffix(".jsonl.gz")
            self.runs[name] = self.stack.enter_context(
                open_run(path, engine=self.engine, index_dir=self.index, extractors=extractors())
            )
        return self.runs[name]

    def pair(self, name: str) -> dict[str, Any]:
        """The comparison of a pair, named as in reference_numbers.json."""
        if name not in self.documents:
            folder, _, runs = name.partition(": ")
            a, b = runs.split(" -> ")
            self.documents[name] = self.compared(f"{folder}/{a}", f"{folder}/{b}")
        return self.documents[name]

    def compared(self, *names: str) -> dict[str, Any]:
        return compare([self.run(name) for name in names], lambda _: NO_DIAGNOSIS, metric=None, asked=Asked())


@pytest.fixture(scope="module")
def opened(real_index: Path) -> Iterator[Opened]:
    with ExitStack() as stack:
        yield Opened(real_index, stack)


def term(document: dict[str, Any], name: str) -> dict[str, Any]:
    (found,) = (one for one in document["waterfall"] if one["term"] == name)
    return dict(found)


@pytest.mark.parametrize("name", PAIRS)
def test_the_figures_of_others(opened: Opened, name: str) -> None:
    expected, found = PAIRS[name], opened.pair(name)
    assert found["metric"] == "pass_at_1"
    assert found["test"] == "exact_mcnemar"
    for key, theirs in (
        ("delta", "diff_B_minus_A"),
        ("a_value", "mean_A"),
        ("b_value", "mean_B"),
        ("p_value", "mcnemar_exact_p"),
        ("se", "se_clustered"),
        ("ci_bootstrap", "ci95_bootstrap_by_task"),
    ):
        assert found[key] == pytest.approx(expected[theirs], abs=1e-9), key
    counted = {
        "compared": "tasks_compared",
        "common": "tasks_compared",
        "only_a": "only_in_A",
        "only_b": "only_in_B",
        "better": "tasks_better_in_B",
        "worse": "tasks_worse_in_B",
        "equal": "tasks_equal",
    }
    assert {key: found["tasks"][key] for key in counted} == {key: expected[theirs] for key, theirs in counted.items()}
    assert found["tasks"]["redefined"] == 0


@pytest.mark.parametrize("name", PAIRS)
def test_the_parts_sum_to_the_difference_of_the_booked_scores(opened: Opened, name: str) -> None:
    found = opened.pair(name)
    assert sum(one["delta"] for one in found["waterfall"]) == pytest.approx(found["b_value"] - found["a_value"], abs=1e-9)


def test_fine_tuning_improved_telecom(opened: Opened) -> None:
    found = opened.pair(TELECOM)
    assert found["verdict"] == "improved"
    low, high = found["ci"]
    assert 0 < low < found["delta"] < high
    gained = {flip["task"] for flip in found["flips"] if (flip["a_rate"], flip["b_rate"]) == (0.0, 1.0)}
    lost = {flip["task"] for flip in found["flips"] if flip["a_rate"] > flip["b_rate"]}
    before, after = (
        {str(row["_ng_task_index"]) for row in shared_rows(f"tau2_sft_pair/telecom__gpt-4.1{side}") if row["reward"] >= 1 - 1e-6}
        for side in ("__base", "-ft__sft")
    )
    assert gained == after - before
    assert lost == before - after == set()
    assert len(gained) == 12
    assert {change["what"] for change in found["changed"]} >= {"model"}


def test_the_outage_of_gemini_is_a_term_of_its_own(opened: Opened) -> None:
    found = opened.pair(GEMINI)
    assert found["single_change"] is not True
    assert not found["cause"]["assignable"]
    assert "because of" not in found["cause"]["sentence"]
    outage = term(found, "infrastructure")
    assert outage["rollouts"] == 35
    assert outage["detail"]["rollouts_a"] + outage["detail"]["rollouts_b"] == 35
    rest = found["without_set_aside"]
    assert rest["set_aside_a"] + rest["set_aside_b"] >= 35
    assert found["verdict"] not in TOLD_APART
    assert rest["verdict"] not in TOLD_APART
    assert found["pairs"][0]["interventions"], "an outage is something to mend"


def test_five_harnesses_in_one_call(opened: Opened) -> None:
    names = [f"gym/anyswe_agent/example_rollouts_{one}" for one in ("claude_code", "hermes", "openclaw", "opencode", "pi")]
    found = opened.compared(*names)
    assert len(found["runs"]) == len(found["ranking"]) == 5
    assert len(found["pairs"]) == 4
    assert len(found["matrix"]) == 1
    (row,) = found["matrix"]
    assert len(row["rates"]) == 5
    for one in found["pairs"]:
        assert one["tasks"]["common"] == one["tasks"]["compared"] == 1
        assert (one["tasks"]["only_a"], one["tasks"]["only_b"]) == (0, 0)
        assert one["verdict"] == "inconclusive"
        assert "1 task" in one["reason"]
        assert sum(part["delta"] for part in one["waterfall"]) == pytest.approx(one["b_value"] - one["a_value"], abs=1e-9)
    assert {entry["shared"]["tasks"] for entry in found["ranking"]} == {1}
