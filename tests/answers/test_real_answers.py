"""Extraction and comparison on real messages, against the reward that the benchmark's own verifier gave."""

import pytest

from blade.answers import Relation, compare, contains_expected, extract
from tests.shared_data import needs_shared_data, shared_rows


@needs_shared_data
@pytest.mark.parametrize("run", ["gsm8k/6b_finetuning", "gsm8k/6b_verification"])
def test_we_agree_with_the_verifier_of_gsm8k(run: str, capsys: pytest.CaptureFixture[str]) -> None:
    rows = agreed = stated = undecided = 0
    for row in shared_rows(run):
        text = "\n".join(part["text"] for item in row["response"]["output"] for part in item["content"])
        passed = row["reward"] == 1
        verdict = compare(row["expected_answer"], extract(text)[0].text)
        rows += 1
        agreed += verdict.same == passed
        stated += (contains_expected(text, row["expected_answer"]) is not None) == passed
        undecided += verdict.relation is Relation.UNKNOWN
    with capsys.disabled():
        print(
            f"\n{run}: extract and compare agree with the reward in {agreed}/{rows}, contains_expected in {stated}/{rows}, {undecided} undecided"
        )
    assert rows == 1319
    assert agreed >= 0.98 * rows
    assert stated >= 0.98 * rows
    assert undecided <= 0.01 * rows


@needs_shared_data
def test_every_reference_solution_states_its_answer() -> None:
    for row in shared_rows("gsm8k/6b_finetuning"):
        found = contains_expected(row["ground_truth"], row["expected_answer"])
        assert found is not None, row["task_id"]
        assert found.how == "answer line"
