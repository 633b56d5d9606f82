"""A run whose rewards no pass rule fits is told by its rewards: nothing in it passes or fails, and nothing is left blank."""

import re
from typing import Any

from blade.reports import deep_dive
from blade.reports.markdown import report
from blade.reports.summary import summary
from tests.reports.support import document
from tests.reports.test_markdown import no_pass_rule


def with_task(repeats: int) -> dict[str, Any]:
    made = no_pass_rule()
    told = [{"rollout": f"T:{at}", "reward": -2.0 + at, "passed": None, "steps": 3, "findings": []} for at in range(repeats)]
    made["tasks"] = [{"task": "T", "bucket": None, "n": repeats, "passed": None, "cause": None, "modes": [], "repeats": told}]
    return made


def test_a_task_is_told_by_its_rewards() -> None:
    text = deep_dive.deep_dive(with_task(1), "T")
    assert text.startswith("# Task T · 1 scored repeat, no pass rule\n")
    assert "Reward: T:0 -2. No pass rule fits" in text
    assert "None" not in text
    assert "." not in text.splitlines()


def test_of_many_repeats_the_first_are_named() -> None:
    assert "Rewards: T:0 -2, T:1 -1, T:2 0, T:3 1, T:4 2, T:5 3 and 2 more. No pass rule" in deep_dive.deep_dive(
        with_task(8), "T"
    )


def test_scored_rollouts_that_the_funnel_lost_are_counted() -> None:
    made = no_pass_rule()
    scored = made["denominator"]["scored"]
    made["funnel"] = [
        {
            "stage": stage,
            "count": count,
            "share": count / scored,
            "lost": lost,
            "outside": outside,
            "passes_lost": None,
            "meaning": "",
        }
        for stage, count, lost, outside in (
            ("planned", scored, 0, 0),
            ("finished", 4, scored - 4, 0),
            ("scored", 4, 0, scored - 4),
        )
    ]
    told = f"{scored - 4} of {scored} scored rollouts, lost at an earlier stage and scored all the same"
    assert summary(made).outside == told
    assert f"Outside the funnel: {told}." in report(made)


def test_undecided_checks_are_named_in_full() -> None:
    made = no_pass_rule()
    codes = ["suspicious_passes", "verifier_consistency", "wrong_verdicts", "saturation", "noise", "task_fit", "reproducibility"]
    made["health"]["undecided"] = codes
    assert "noise, task fit, reproducibility." in report(made)


def test_the_claim_that_explains_a_citation_is_one_of_the_document() -> None:
    made = document()
    (number,) = set(re.findall(r"`c(\d+)` is claim number \1 in diagnosis\.json", text := report(made)))
    assert int(number) <= len(made["claims"])
    assert f"[c{number}]" in text
