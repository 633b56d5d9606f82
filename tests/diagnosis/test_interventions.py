"""From modes to what to do: concrete sentences, merged fixes, an honest order, and a confirmation that could be run."""

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import fisher_exact

from blade.diagnosis import patterns
from blade.diagnosis.confirmation import repeats_needed, repeats_to_see
from blade.diagnosis.fixes import FIXES, Fix, fix_of
from blade.diagnosis.interventions import interventions
from blade.signals.plugins import installed
from tests.diagnosis.skill.support import skill

FAMILIES = {"data", "verifier", "prompt", "harness", "training", "infrastructure"}


def mode(code: str, subject: str = "", label: str = "BI", **more: Any) -> dict[str, Any]:
    made = {
        "id": f"{code}.{subject}" if subject else code,
        "title": f"{code} of {subject}",
        "label": label,
        "signal": code,
        "code": code,
        "subject": subject,
        "rollouts": 10,
        "failed_rollouts": 8,
        "tasks": 2,
        "tasks_listed": ["0", "1"],
        "gain": {"lower": 0.0, "estimate": 0.1, "upper": 0.2, "ci": [0.05, 0.15]},
        "examples": [{"rollout": "0:1", "step": 4, "quote": "q", "redacted": False, "detail": ""}],
    }
    return made | more


def task(name: str, passed: int, n: int = 4, **cause: Any) -> dict[str, Any]:
    return {"task": name, "n": n, "passed": passed, "cause": cause or None}


def diagnosis(*modes: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    made = {
        "run": {"path": "results/my run.jsonl"},
        "repeats": {"min": 4, "max": 4, "mode": 4},
        "denominator": {"scored": 200, "failed": 80},
        "provenance": {"agent": "desk agent", "dataset": {"fingerprint": "f00"}, "sampling": {"max_output_tokens": 2048}},
        "modes": list(modes),
        "tasks": [task(str(number), 2) for number in range(50)],
    }
    return made | more


def only(*modes: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    (found,) = interventions(diagnosis(*modes, **more))
    return found


@pytest.mark.parametrize(
    ("given", "family", "title"),
    [
        (mode("lookup_skipped", "get_user"), "prompt", "Require `get_user` before the agent decides"),
        (mode("ungrounded_argument", "pay.card_id"), "harness", "Have `pay` reject a `card_id` that nothing gave"),
        (mode("action_wrong_argument", "book.bags.count"), "prompt", "State where `bags.count` of `book` comes from"),
        (mode("action_wrong_argument", "book.bags", "KG"), "training", "Teach the rule behind `bags` of `book`"),
        (mode("action_missing", "cancel"), "prompt", "Have the agent check off what was asked before it ends (`cancel`)"),
        (mode("output_truncated", "max_output_tokens"), "harness", "Raise max_output_tokens above 2,048"),
        (mode("server_error", "server_error", "IR"), "infrastructure", "Retry server errors, and collect the hit rollouts again"),
        (mode("missing_command", "missing_command", "IR", examples=[{"rollout": "0:0", "step": 1, "quote": "bash: jq: command not found"}]), "infrastructure", "Install `jq` in the image"),
        (mode("failed_install", "x", "IR", examples=[{"rollout": "0:0", "step": 1, "quote": "ERROR: No matching distribution found for erfa"}]), "infrastructure", "Provide `erfa` in the image"),
        (mode("check_fails_for_all", "test_dates", "TI"), "verifier", "Repair the check test_dates of the verifier"),
        (mode("unresolved_name", "assign.email"), "prompt", "Resolve names before `assign` is called"),
        (mode("filtered_in_reasoning", "list_loans"), "prompt", "Filter in the query of `list_loans`, not in the reasoning"),
        (mode("same_wrong_answer", "", "KG"), "training", "Add data for what these tasks ask"),
        (mode("own_rule", "a.field", "TI"), "verifier", "Address: own rule (a.field)"),
        (mode("own_rule", "", "KG"), "training", "Address: own rule (see the evidence)"),
    ],
)  # fmt: skip
def test_a_mode_becomes_a_fix_that_names_its_things(given: dict[str, Any], family: str, title: str) -> None:
    found = only(given)
    assert (found["family"], found["title"], found["modes"]) == (family, title, [given["id"]])
    assert "8 of 80 failed rollouts" in found["detail"]
    assert "{" not in found["detail"]


def every_code() -> list[str]:
    import importlib
    import pkgutil

    names = [importlib.import_module(f"{patterns.__name__}.{one.name}") for one in pkgutil.iter_modules(patterns.__path__)]
    found = [pattern.code for module in names for pattern in getattr(module, "PATTERNS", ())]
    return sorted({*found, *(detector.code for detector in installed().detectors)})


def test_every_code_that_can_be_found_has_a_fix_in_the_catalogue() -> None:
    codes = every_code()
    assert {"skipped_lookup", "refusal", "check_fails_for_all"} <= set(codes)
    assert [code for code in codes if code not in FIXES] == []


@pytest.mark.parametrize("code", sorted(FIXES))
def test_every_fix_of_the_catalogue_makes_whole_sentences(code: str) -> None:
    fix = FIXES[code]
    assert fix.family in FAMILIES
    for subject in ("", "tool.argument"):
        found = only(mode(code, subject))
        for text in (found["title"], found["detail"]):
            assert "{" not in text
            assert "``" not in text
            assert "  " not in text
        assert found["detail"].endswith(".")
        assert not found["title"].endswith(".")


def test_the_lookup_names_the_argument_that_it_is_for() -> None:
    examples = [
        {
            "rollout": "26:1",
            "step": 36,
            "quote": "payment_id=c1",
            "detail": "pay.payment_id: seen only in the history; get_user gives it",
        }
    ]
    found = only(mode("lookup_skipped", "get_user", examples=examples))
    assert "take `pay.payment_id` from an output of `get_user`" in found["detail"]
    assert found["evidence"] == [{"rollout": "26:1", "step": 36, "quote": "payment_id=c1", "redacted": None}]


def test_modes_that_share_a_fix_are_one_intervention_with_the_gain_of_their_union() -> None:
    asked: list[Sequence[str]] = []

    def union(ids: Sequence[str]) -> dict[str, Any]:
        asked.append(ids)
        return {"lower": 0.0, "estimate": 0.15, "upper": 0.3, "ci": [0.1, 0.2], "more": 1}

    same = [mode("lookup_skipped", "get_user"), mode("skipped_lookup", "get_user", tasks_listed=["1", "7"])]
    (first, second) = interventions(diagnosis(*same, mode("skipped_lookup", "get_flight")), union_gain=union)
    assert asked == [["lookup_skipped.get_user", "skipped_lookup.get_user"]]
    assert (first["id"], first["gain"]["estimate"], first["tasks"]) == ("look_up_first.get_user", 0.15, ["0", "1", "7"])
    assert set(first["gain"]) == {"lower", "estimate", "upper", "ci"}
    assert (second["id"], second["modes"]) == ("look_up_first.get_flight", ["skipped_lookup.get_flight"])


def test_without_the_union_a_merged_gain_is_at_least_the_largest_and_at_most_the_sum() -> None:
    larger = {"lower": 0.0, "estimate": 0.3, "upper": 0.7, "ci": None}
    found = only(mode("server_error", "a", "IR"), mode("connection_failed", "b", "IR", gain=larger))
    assert found["gain"] == {"lower": 0.0, "estimate": 0.3, "upper": pytest.approx(0.9), "ci": None}
    assert found["title"] == "Retry server errors and failed connections, and collect the hit rollouts again"


def test_the_order_doubt_first_then_gain_then_confidence() -> None:
    gain = {"lower": 0.0, "estimate": None, "upper": 0.1, "ci": None}
    found = interventions(
        diagnosis(
            mode("refusal"),
            mode("action_extra", "cancel", gain=gain | {"upper": 0.8}),
            mode("wrong_format", "boxed", gain=gain | {"estimate": 0.0}),  # no gain is no reason
            mode("handed_over", "transfer", gain=gain | {"estimate": 0.1}, tasks_listed=["9"]),
            mode("rate_limited", "x", "IR", failed_rollouts=11, gain=gain | {"upper": 0.01}),
            mode(
                "verifier_error", "x", "TI", rollouts=10, failed_rollouts=10, gain=gain | {"upper": 0.005}
            ),  # 10 of 200: no doubt about the score
            tasks=[task(str(number), 2) for number in range(9)] + [task("9", 0, code="handed_over", confidence=0.9)],
        )
    )
    assert [one["id"] for one in found] == [
        "lower_concurrency",
        "guard_change.cancel",
        "narrow_handover.transfer",
        "scope_in_prompt",
        "repair_verifier.x",
    ]
    assert [one["rank"] for one in found] == [1, 2, 3, 4, 5]
    assert [one["doubt"] for one in found] == [True, False, False, False, False]


def test_what_was_found_on_other_tasks_ranks_before_what_was_chosen_for_being_large() -> None:
    """A noisy 30 points that the held-out tasks do not confirm stands behind a sure 10 points."""
    noisy = {"lower": 0.0, "estimate": 0.3, "upper": 0.6, "ci": [0.01, 0.59]}
    sure = {"lower": 0.0, "estimate": 0.1, "upper": 0.2, "ci": [0.09, 0.11]}
    loud = mode("action_wrong_argument", "book.date", gain=noisy, ranking={"value": 0.02, "by": "held_out"})
    quiet = mode("gave_up", gain=sure, ranking={"value": 0.1, "by": "shrunken"})
    found = interventions(diagnosis(loud, quiet))
    assert [one["modes"] for one in found] == [["gave_up"], ["action_wrong_argument.book.date"]]
    assert found[1]["ranking"] == {"value": 0.02, "by": "held_out"}
    assert found[0]["ranking"]["by"] == "shrunken"


def test_noisy_estimates_are_drawn_towards_the_others() -> None:
    gains = [(0.1, 0.02), (0.12, 0.02), (0.4, 0.5)]
    modes = [
        mode(code, gain={"lower": 0.0, "estimate": estimate, "upper": 0.9, "ci": [estimate - half, estimate + half]})
        for code, (estimate, half) in zip(("gave_up", "refused", "output_truncated"), gains, strict=True)
    ]
    ranked = {one["modes"][0]: one["ranking"]["value"] for one in interventions(diagnosis(*modes))}
    assert 0.1 < ranked["output_truncated"] < 0.2
    assert ranked["gave_up"] == pytest.approx(0.1, abs=0.02)


def test_confidence_is_that_of_the_causes_that_the_modes_give() -> None:
    tasks = [
        task("0", 0, code="refusal", confidence=0.9),
        task("1", 0, code="refusal", confidence=0.7),
        task("2", 0, code="refusal", confidence=0.1),
    ]
    assert only(mode("refusal"), tasks=tasks)["confidence"] == 0.8
    assert only(mode("refusal", backed=True), tasks=[])["confidence"] == 0.5
    assert only(mode("refusal"), tasks=[])["confidence"] == 0.25
    symptom = [task("0", 0, code="same_wrong_argument", subject="book.bags", confidence=0.6)]
    assert only(mode("action_wrong_argument", "book.bags"), tasks=symptom)["confidence"] == 0.6


def test_findings_about_the_verifier_are_interventions_even_without_a_mode() -> None:
    finding = {"code": "pass_without_work", "tasks": ["3"], "rollouts": [f"3:{number}" for number in range(11)], "message": "11 passes hold no output", "evidence": [{"rollout": "3:0", "step": None, "quote": "empty", "redacted": False}]}  # fmt: skip
    covered = {"code": "answer_not_extracted", "tasks": ["1"], "rollouts": ["1:0"], "message": "m", "evidence": []}
    found = interventions(
        diagnosis(mode("answer_not_extracted", "x", "TI", failed_rollouts=11), verifier_health=[finding, covered])
    )
    assert [(one["id"], one["modes"], one["doubt"]) for one in found] == [
        ("compare_normalised", ["answer_not_extracted.x"], True),
        ("reject_empty_passes", [], True),
    ]
    assert found[1]["gain"] == {"lower": None, "estimate": None, "upper": None, "ci": None}
    assert found[1]["detail"].endswith("11 passes hold no output.")
    assert found[1]["evidence"][0]["rollout"] == "3:0"


def test_clusters_say_where_an_outage_was() -> None:
    clusters = [{"code": "server_error", "by": "time", "message": "17 of 20 rollouts between 09:10 and 09:20 are hit"}, {"code": "refusal", "message": "no"}]  # fmt: skip
    found = only(mode("server_error", "x", "IR"), clusters=clusters)
    assert found["detail"].endswith("17 of 20 rollouts between 09:10 and 09:20 are hit.")


def test_a_label_of_the_benchmark_brings_its_own_fix(tmp_path: Path) -> None:
    known = skill(
        tmp_path,
        """
        labels:
          - {code: lent_unchecked, label: BI, meaning: lent before looking, when: {call: x}, fix: "Have {x} refuse", family: harness}
          - {code: stock_stale, label: TI, meaning: the stock list is old, when: {call: x}}
        """,
    )
    found = interventions(diagnosis(mode("lent_unchecked", "x"), mode("stock_stale", "y", "TI", failed_rollouts=11)), skill=known)
    assert [(one["family"], one["title"]) for one in found] == [
        ("verifier", "Address: the stock list is old (y)"),
        ("harness", "Have {x} refuse"),
    ]


@pytest.mark.parametrize(
    ("given", "command"),
    [
        (mode("refusal"), "blade compare 'results/my run.jsonl' results/after.jsonl --ledger ledger.jsonl  # results/after.jsonl: 8 repeats of these tasks with the change"),
        (mode("verifier_error", "x", "TI"), "blade compare 'results/my run.jsonl' results/after.jsonl --ledger ledger.jsonl  # results/after.jsonl: the same rollouts, graded again by the mended verifier"),
        (mode("judge_failed", "x", "IR"), "blade compare 'results/my run.jsonl' results/after.jsonl --ledger ledger.jsonl  # results/after.jsonl: the rollouts that the judge failed on, judged again"),
        (mode("duplicate_rows", "", "DA"), "blade health 'results/my run.jsonl'"),
    ],
)  # fmt: skip
def test_the_command_that_confirms_it(given: dict[str, Any], command: str) -> None:
    given["gain"] = {"lower": 0.0, "estimate": 0.02, "upper": 0.2, "ci": None}
    provenance = {"agent": "desk agent", "verifier": "desk"}
    inventory = [{"kind": "rollouts", "path": "r"}, {"kind": "materialized_inputs", "path": "m i.jsonl"}]
    found = only(given, provenance=provenance, inventory=inventory)
    assert found["confirm"] == {
        "command": command,
        "repeats": 8 if "8 repeats" in command else None,
        "read": "blade diagnose 'results/my run.jsonl' --task 0",
    }


def test_hostile_names_stay_one_word_of_the_command() -> None:
    evil = "x; rm -rf / #"
    found = only(mode("refusal", tasks_listed=[evil]), run={"path": evil}, provenance={"agent": evil})
    assert evil in shlex.split(found["confirm"]["read"])
    assert shlex.split(found["confirm"]["command"], comments=True)[:3] == ["blade", "compare", evil]


@pytest.mark.parametrize(
    ("estimate", "affected", "rates", "expected"),
    [
        (None, 2, [2, 2], None),
        (0.0, 2, [2, 2], None),
        (0.1, 0, [], None),
        (0.0001, 2, [2, 2], None),  # beyond a thousand repeats
    ],
)
def test_no_repeats_are_named_where_nothing_can_be_said(
    estimate: float | None, affected: int, rates: list[int], expected: int | None
) -> None:
    listed = {str(number): task(str(number), passed) for number, passed in enumerate(rates)}
    assert repeats_needed(estimate, affected, list(listed), listed) is expected


def test_without_a_pass_rule_no_repeats_are_named() -> None:
    listed = {"0": {"task": "0", "n": 4, "passed": None}}
    assert repeats_needed(0.1, 1, ["0"], listed) is None


@pytest.mark.parametrize(
    ("tasks", "before", "effect"), [(1, 0.0, 0.5), (1, 0.5, 0.4), (3, 0.25, 0.3), (5, 0.0, 1.0), (10, 0.5, 0.2), (30, 0.1, 0.1)]
)
def test_the_named_repeats_find_the_effect_four_times_in_five(tasks: int, before: float, effect: float) -> None:
    """Simulated: tasks of one rate before and after, compared by an exact test of the two runs' passes."""
    after = before + effect
    repeats = repeats_to_see(effect, before * (1 - before) + after * (1 - after), tasks)
    assert repeats is not None
    rng = np.random.default_rng(3)
    n = tasks * repeats
    found = 0
    for first, second in zip(rng.binomial(n, before, 800), rng.binomial(n, after, 800), strict=True):
        found += second > first and fisher_exact([[second, n - second], [first, n - first]])[1] <= 0.05
    assert found / 800 >= 0.72  # Fisher's test is conservative; the formula aims at .80


def test_a_smaller_effect_on_more_tasks_needs_what_the_formula_says() -> None:
    """(1.96 + 0.84)·√(w/(T·K)) + 1/(T·K) ≤ δ, solved by hand for w = 0.5, T = 10, δ = 0.2: K = 11."""
    assert repeats_to_see(0.2, 0.5, 10) == 11
    assert 2.801585 * (0.5 / 110) ** 0.5 + 1 / 110 <= 0.2 < 2.801585 * (0.5 / 100) ** 0.5 + 1 / 100


def test_an_unknown_code_gets_the_family_of_its_label() -> None:
    assert {label: fix_of("x_y", label).family for label in ("DA", "IR", "TI", "BI", "KG", "UK")} == {
        "DA": "data", "IR": "infrastructure", "TI": "verifier", "BI": "prompt", "KG": "training", "UK": "training",
    }  # fmt: skip
    assert fix_of("x_y", "BI", "odd {thing}").title.format_map({"subject": "s"}) == "Address: odd {thing} (s)"
    assert isinstance(fix_of("refusal", "BI"), Fix)


def test_equal_diagnoses_give_equal_interventions() -> None:
    made = diagnosis(mode("refusal"), mode("action_extra", "b"), mode("action_extra", "a"), mode("lookup_skipped", "c"))
    assert interventions(made) == interventions(made)
    assert interventions({}) == []


@pytest.mark.parametrize(("hit", "gain", "first"), [(41, 0.015, "repeat_first"), (40, 0.015, "scope_in_prompt"), (41, 0.05, "scope_in_prompt")])  # fmt: skip
def test_what_was_tried_once_comes_before_less_than_a_point_where_it_is_most_of_what_failed(
    hit: int, gain: float, first: str
) -> None:
    small = mode("refusal", gain={"lower": 0.0, "estimate": None, "upper": gain, "ci": None})
    found = interventions(diagnosis(small, mode("wrong_answer", "answer", "KG", failed_rollouts=hit)))
    assert found[0]["id"] == first
