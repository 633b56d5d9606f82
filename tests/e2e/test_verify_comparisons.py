"""`blade verify` on comparisons as BLADE wrote them: they hold, also for what the real runs quote, work out and call by letters."""

from pathlib import Path

import pytest

from tests.e2e.support import blade
from tests.shared_data import needs_shared_data, shared_data

ONE_CACHE = True


@needs_shared_data
@pytest.mark.parametrize(
    "runs",
    [
        ("tau2_sft_pair/airline__gpt-4.1__base", "tau2_sft_pair/airline__gpt-4.1-ft__sft"),
        ("gsm8k/6b_finetuning", "gsm8k/6b_verification"),
        (
            "taubench/retail__gemini-2.0-flash__tool-calling__1t_run1",
            "taubench/retail__gemini-2.0-flash__tool-calling__1t_run3",
        ),
        (
            "tau2/airline__claude-sonnet-4-5__llm_agent__1t",
            "tau2/airline__gpt-4o-2024-11-20__llm_agent__1t",
            "tau2/airline__gpt-oss-120b__langchain_agent__1t",
            "tau2/airline__qwen2.5-7b__llm_agent__1t",
        ),
    ],
    ids=["airline", "gsm8k", "gemini", "four"],
)
def test_a_comparison_of_real_runs_holds(runs: tuple[str, ...], home: Path, tmp_path: Path) -> None:
    root = shared_data()
    assert root is not None
    given = [next(root.glob(f"{name}.jsonl*")) for name in runs]
    assert blade("compare", *given, "--out", tmp_path).code == 0
    found = blade("verify", tmp_path / "comparison.md", "--json")
    assert (found.code, found.json["findings"]) == (0, [])
    assert found.json["true"] > 400


@needs_shared_data
def test_an_expected_call_is_told_as_expected_whatever_lookup_is_behind_it(home: Path, tmp_path: Path) -> None:
    root = shared_data()
    assert root is not None
    folder = root / "tau2_sft_pair"
    given = (folder / "airline__gpt-4.1__base.jsonl", folder / "airline__gpt-4.1-ft__sft.jsonl")
    assert blade("compare", *given, "--out", tmp_path).code == 0
    said = (tmp_path / "comparison.md").read_text(encoding="utf-8")
    assert "failing A 44:0 step 42 expected “cancel_reservation" in said
    assert "failing B 29:0 step 6 expected “update_reservation_baggages" in said
