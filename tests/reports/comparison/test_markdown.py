"""The report of a comparison: what each section says, and what it never says."""

import re
from typing import Any

import pytest

from blade.reports.citations import Document, cited
from blade.reports.comparison.markdown import HEADINGS, comparison_report
from blade.reports.comparison.opening import differs_in_short
from tests.reports.comparison.support import cause, divergence, document, flip, pair, term


def sections(text: str) -> dict[str, str]:
    parts = re.split(r"^## (?:[0-9]+\. )?(.+)$", text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def report(**changes: Any) -> dict[str, str]:
    return sections(comparison_report(document(pair(**changes))))


def test_the_sections_stand_in_their_order() -> None:
    text = comparison_report(document())
    assert list(sections(text)) == list(HEADINGS)
    assert text.startswith("# Comparison of `after.jsonl` with `before.jsonl`\n")
    assert text == comparison_report(document())


def test_the_verdict_comes_with_its_reason_both_scores_and_the_parts() -> None:
    said = report()["Verdict"]
    assert "**Improved.** B scores 20 points higher on 10 tasks" in said
    assert "The booked scores differ by +20.0 points: infrastructure +10.0, truncation −2.0 and change +12.0. [c4]" in said
    assert "| A | `before.jsonl` | 40.0 % [c1] | [20.0 %, 70.0 %] | 10 | 40 of 40 |" in said


def test_a_sign_that_turns_without_the_rows_set_aside_is_said() -> None:
    aside = pair()["without_set_aside"] | {"delta": -0.1, "ci": [-0.2, -0.01]}
    assert (
        "Without the 4 rows that infrastructure or a limit ended, the sign turns: −10.0 points (−20.0 to −1.0) on 9 tasks"
        in (report(without_set_aside=aside)["Verdict"])
    )


def test_a_cause_is_only_assigned_where_the_document_does() -> None:
    assert "because of" not in comparison_report(document())
    known = {"assignable": True, "sentence": "Only the prompt differs: a difference is because of the prompt."}
    assert "because of the prompt" in report(cause=known, unknown=[], single_change=True)["What differs"]


def test_a_skills_evaluation_is_called_so() -> None:
    skills = pair(kind="skills", changed=[{"what": "skills", "a": "no skills", "b": "abc"}])
    text = comparison_report(document(skills))
    assert text.startswith("# Skills evaluation of `after.jsonl`")
    assert "A skills evaluation: of what is known, only the skills differ." in text


def test_is_it_real_has_every_number_and_the_rule() -> None:
    said = report()["Is it real"]
    for part in (
        "B − A = +20.0 points; 95 % interval +5.0 to +33.0, by resampling the tasks +10.0 to +30.0. [c3]",
        "B is better on 2 of 10 (20.0 %), worse on 1 and equal on 7",
        "exact sign-flip test gives p = .031",
        "On this very set of tasks, where only the noise of the repeats counts: +12.0 to +28.0, p = .002 (permuted within tasks, all ways counted)",
        "(4 of A, 0 of B): +10.0 points, 95 % interval +1.0 to +20.0, p = .04 on 9 tasks; by itself improved",
        "A change of 15.0 points would be found in 4 of 5 such comparisons, 10.0 to 21.0",
        "within ±2.0 points; the smallest margin within which they are equivalent is ±40.0 points",
        "Why this verdict: the test has p ≤ .05 and the interval lies above 0.",
    ):
        assert part in said


def test_one_repeat_leaves_nothing_to_say_of_this_very_set() -> None:
    assert "at least two repeats in each run" in report(on_this_benchmark={"ci": None, "p_value": None})["Is it real"]


def test_the_waterfall_and_the_limits_that_apply() -> None:
    said = report()["What it is made of"]
    assert "| infrastructure | +10.0 | +2.0 to +18.0 |" in said
    assert "| truncation | at most −2.0 |" in said
    assert "| **sum** | **+20.0** |" in said
    for part in (
        "assumed to score like the kept rows of the same task and run",
        "12 of 76 kept outputs",
        "Infrastructure: fewer than 5 affected tasks",
        "Both runs had the same limits, so being cut off is behaviour",
        "Noise is no part of the sum: it is the interval of the change.",
    ):
        assert part in said


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"unknown": ["limits"]}, "Whether both runs had the same limit is not known"),
        ({"changed": [{"what": "limits", "a": 1, "b": 2}]}, "The limits of the two runs differ."),
    ],
)
def test_truncation_depends_on_the_limits(changes: dict[str, Any], said: str) -> None:
    assert said in report(**changes)["What it is made of"]


def test_limits_of_terms_that_are_not_there_are_not_told() -> None:
    only = [term("change", 0.2, [0.1, 0.3], 8, 60)]
    said = report(waterfall=only)["What it is made of"]
    for part in ("set aside", "runcation", "verifier", "fewer than 5"):
        assert part not in said


def test_a_change_that_is_divided_names_its_slices() -> None:
    split = [
        term("change", 0.2, [0.1, 0.3], 8, 60, by="kind", slice="even"),
        term("change", 0.0, None, 2, 6, by="kind", slice="odd"),
    ]
    text = comparison_report(document(pair(waterfall=split)))
    assert "| change, `kind` = `even` | +20.0 |" in text
    assert "differ by +20.0 points: change +20.0." in text


def test_moves_stand_beside_what_chance_does() -> None:
    said = report()["Who drove it"]
    assert (
        "Of 10 tasks, 2 moved to a better bucket and 1 to a worse one; two runs of one and the same system would show about 1.25"
        in said
    )
    assert "| A never | 2 (1.2) | 0 (0.0) | 3 (3.5) |" in said


def test_tasks_that_moved_are_told_with_both_runs_steps_and_quotes() -> None:
    said = report()["Who drove it"]
    assert (
        "**Gained: 2 tasks** of 10, the surest first. Causes in the diagnosis of A: 1 BI (behaviour), 1 IR (infrastructure)."
        in said
    )
    assert "**Task 7** (A 0 of 4, B 4 of 4; P = .99; cause in A: BI (behaviour)). [c6] [c7]" in said
    assert (
        "(A 7:1 step 5); B 7:0 does. The id was made up. Passing B 7:0 step 3; failing A 7:1 step 5 “member\\_id=M-9”"
        in said.replace("member_id", "member\\_id")
    )
    assert "**Lost: 1 task** of 10" in said
    assert "P = .04" in said


def test_plumbing_is_named_before_what_the_rollout_did_then() -> None:
    told = next(line for line in report()["Who drove it"].splitlines() if "**Task 3**" in line)
    assert "A: In 4 of 4: connection failed." in told
    assert "never call" not in told


def test_modes_gained_and_lost() -> None:
    said = report()["Who drove it"]
    assert "1 of 3 failure modes changed by more than chance" in said
    assert "| lost | BI | lookup of `find_member` skipped | 9 in 4 tasks | 2 in 1 task | −17.5 |" in said
    assert "| gained | BI | thrashing |" in said
    assert "| same |" not in said


def test_empty_parts_say_why() -> None:
    said = comparison_report(
        document(
            pair(flips=[], modes=[], usage={}, interventions=[], buckets={"observed": None, "expected_if_nothing_changed": None})
        )
    )
    for part in (
        "No task that both runs scored moved.",
        "Neither diagnosis names a failure mode",
        "No field divides the common tasks",
        "Neither tokens nor steps nor times are reported by both runs.",
        "there is nothing to mend",
        "Without a pass rule there are no buckets",
    ):
        assert part in said


def test_predictions_and_their_outcome() -> None:
    one = {
        "id": "p1", "title": "Look up the member", "family": "prompt", "predicted": {"estimate": 0.08, "ci": [0.02, 0.14]},
        "observed": {"delta": 0.1, "ci": [0.03, 0.17], "tasks": 4, "of_tasks": 10}, "outcome": "confirmed", "why": "gained as predicted",
        "modes": [{"code": "lookup_skipped", "subject": "x", "a_rollouts": 9, "b_rollouts": 2}],
    }  # fmt: skip
    said = report(predictions=[one])["What next"]
    assert "| Look up the member | ~8.0 \\[2.0, 14.0\\] |".replace("\\", "") in said
    assert "| +10.0 (+3.0 to +17.0) | 4 of 10 | **confirmed**: gained as predicted | `lookup_skipped` 9 → 2 |" in said


def test_limits_name_what_is_unknown_and_redefined() -> None:
    counts = pair()["tasks"] | {"redefined": 2}
    said = report(redefined=[{"task": "4", "parts": ["user"]}, {"task": "<b>", "parts": ["gold"]}], tasks=counts)["Limits"]
    assert "Provenance: verifier is not known on both sides." in said
    assert "Of 3 common tasks no part of the definition is known." in said
    assert "2 tasks carry one id and two definitions and are left out of the comparison: 4 (user), &lt;b> (gold)" in said


def test_every_citation_is_listed_with_its_claim() -> None:
    held = document()
    text = comparison_report(held)
    claims = sections(text)["Claims"]
    for number in cited(text):
        assert f"| c{number} | `{held['pairs'][0]['claims'][number - 1]['id']}` |" in claims
    assert "blade sql before.jsonl --against after.jsonl 'SELECT 1 FROM a.rollouts'" in claims


def test_runs_without_a_common_task() -> None:
    none = pair(
        verdict="not_comparable", reason="Not comparable: the runs share no scored task.", delta=None, ci=None, ci_bootstrap=None,
        p_value=None, test=None, flips=[], modes=[], waterfall=[term("task_set", 0.2, None, 4, 9, no_common_task=True)],
    )  # fmt: skip
    text = comparison_report(document(none))
    assert "**Not comparable.** The runs share no scored task." in text
    assert "all of +20.0 points is a difference of the task sets" in text
    assert "so no task drove anything" in text


def test_rewards_are_told_without_points() -> None:
    graded = pair(metric="mean_reward", a_value=12.5, b_value=-3.25, delta=-15.75, ci=[-20.0, -10.0], buckets={"observed": None})
    said = sections(comparison_report(document(graded)))
    assert "12.5 [c1]" in said["Verdict"]
    assert "−3.25 [c2]" in said["Verdict"]
    assert "B − A = −15.8; 95 % interval −20 to −10" in said["Is it real"]


def test_several_runs_have_a_ranking_every_pair_and_the_tasks() -> None:
    held = document(pair(), pair(b="third.jsonl", verdict="inconclusive", reason="Inconclusive: x."))
    text = comparison_report(held)
    named = list(sections(text))
    assert named[:3] == ["Ranking", "Every run against the baseline", "Tasks"]
    assert named[3:] == ["A → B: `after.jsonl` with the baseline", "A → C: `third.jsonl` with the baseline", "Claims"]
    assert "| A → C | **Inconclusive** | +20.0 points |" in text
    assert "**No run passes** 1 of 4 tasks (25.0 %): 0." in text
    assert "| 7 | 0.00 | 1.00 | 1.00 | 100.0 points |" in text
    assert "### All tasks" in text
    second = text[text.index("A → C: `third") :]
    assert "[c8]" in second
    assert max(cited(text)) <= 14


def test_a_pair_of_several_calls_its_runs_by_their_letters() -> None:
    """Word for word what a pair of two says, with C for B."""
    held = pair(
        slices=[{"by": "x", "value": "y", "a": 0.1, "b": 0.2, "delta": 0.1, "ci": None, "p_adjusted": None, "tasks": 3}],
        reason="Improved: X scores 20 points higher.",
        same_outputs={"rollouts": 40, "same": 40, "changed": 8},
    )
    for inspected in (several := document(held, held))["runs"]:
        inspected["denominator"]["expected_source"] = "observed"
    text = comparison_report(several)
    second, third = (sections(text)[f"A → {letter}: `after.jsonl` with the baseline"] for letter in "BC")
    assert re.sub(r"\bB\b", "C", second) == re.sub(
        r"\[c(\d+)\]", lambda cited: f"[c{int(cited[1]) - len(held['claims'])}]", third
    )
    for said in (
        "C − A = +20.0 points",
        "| C | `after.jsonl` |",
        "| what | A | C |",
        "(A 0 of 4, C 4 of 4; P = .99; cause in A",
        "Passing C 7:0 step 3",
        "P is the chance that C is better",
        "cause in C: BI",
        "| slice | tasks | A | C |",
    ):
        assert said in third
    assert "stands for" not in text


def with_strangers(*apart: int) -> Document:
    """Four runs, of which those at these places share no task with the baseline; each has tasks of its own, and the last all of theirs."""
    held = document(*(pair(b=f"{letter}.jsonl") for letter in "BCD"))
    behind = [one | {"ranked": False} for place, one in enumerate(held["ranking"]) if place in apart]
    held["ranking"] = [one | {"ranked": True} for place, one in enumerate(held["ranking"]) if place not in apart] + behind
    rows = [
        row | {"rates": [None if place in apart else rate for place, rate in enumerate(row["rates"])]} for row in held["matrix"]
    ]
    for one in apart:
        rates = [0.0 if place in (one, apart[-1]) else None for place in range(4)]
        rows.append({"task": "0", "rates": rates, "defined_by": f"run {one}"})
    return held | {"matrix": rows, "unsolved": ["0"] * (1 + len(apart)), "separating": [rows[-1] | {"spread": 0.5}]}


def test_strangers_stand_in_the_ranking_without_a_rank() -> None:
    text = comparison_report(with_strangers(2))
    assert "| 3 | **D** | `D.jsonl` |" in text
    assert "|  | **C** | `C.jsonl` | 60.0 % | [20.0 %, 70.0 %] | 10 | – | not comparable |" in text
    assert "on the tasks that all ranked runs scored" in text
    assert "- C is not ranked: it shares no scored task with A." in text
    assert "**No run passes** 2 of 5 tasks (40.0 %): 0 and C's 0." in text
    assert "| 0 (as C defines it) |" in text


def test_strangers_of_one_benchmark_are_told_to_be_compared_with_each_other() -> None:
    said = sections(comparison_report(with_strangers(1, 2, 3)))["Ranking"]
    assert "| 1 | **A** (baseline) | `before.jsonl` | 40.0 % | [20.0 %, 70.0 %] | 10 | – | – |" in said
    assert "B, C and D are not ranked: they share no scored task with A." in said
    assert "B and D have 1 scored task in common: compare them with each other." in said
    assert "B and C have" not in said
    assert "shared tasks |" in said


def test_a_matrix_that_nobody_would_read_is_left_to_the_document() -> None:
    held = document(pair(), pair(b="third.jsonl"), matrix=[{"task": str(task), "rates": [0.0, 0.5, 1.0]} for task in range(61)])
    assert "The scores of all 61 tasks in all runs are `matrix` in comparison.json." in comparison_report(held)


HOSTILE = "\x1b[2J<img src=x> [c1] | `x` ](http://e) \u202e\n# H"


def test_hostile_words_make_no_markup() -> None:
    held = pair(
        a=HOSTILE,
        b=HOSTILE,
        flips=[flip(HOSTILE, 0.0, 1.0, 0.9)],
        changed=[{"what": "model", "a": HOSTILE, "b": {HOSTILE: HOSTILE}}],
        redefined=[{"task": HOSTILE, "parts": [HOSTILE]}],
        slices=[{"by": HOSTILE, "value": HOSTILE, "a": 0.1, "b": 0.2, "delta": 0.1, "ci": None, "p_adjusted": None, "tasks": 3}],
        claims=[],
    )
    held["modes"][0]["mode"] = HOSTILE
    held["interventions"][0]["title"] = HOSTILE
    for text in (comparison_report(document(held)), comparison_report(document(held, pair(a=HOSTILE)))):
        outside = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
        assert "<img" not in outside
        assert "\x1b" not in text
        assert "\u202e" not in text
        assert not re.search(r"^# H", text, re.MULTILINE)
        assert "](http" not in outside.replace("\\](http", "")
    assert cited(comparison_report(document(held))) == []


def test_gains_of_rewards_are_not_told_in_points() -> None:
    one: dict[str, Any] = {
        "id": "p1", "title": "Look up the member", "family": "prompt", "predicted": {"estimate": 8.5, "ci": [-2.0, 14.0]},
        "observed": None, "outcome": "undecided", "why": "few tasks", "modes": [],
    }  # fmt: skip
    step = pair()["interventions"][0] | {"gain": {"lower": 0.0, "estimate": None, "upper": 12.5, "ci": None}}
    said = report(metric="mean_reward", predictions=[one], interventions=[step])["What next"]
    assert "| ~8.5 [−2, 14] |" in said
    assert "could add at most 12.5 (a bound" in said
    assert "Gains are in units of the reward" in said


@pytest.mark.parametrize(
    ("test", "words"),
    [("monte_carlo", "permuted within tasks by simulation"), ("normal", "the normal approximation of permuting within tasks")],
)
def test_the_test_on_this_very_set_is_named(test: str, words: str) -> None:
    here = {"ci": [0.12, 0.28], "p_value": 0.002, "test": test}
    assert f"p = .002 ({words})." in report(on_this_benchmark=here)["Is it real"]


def test_every_sign_flip_test_has_a_name() -> None:
    assert "The sign-flip test by its normal approximation gives" in report(test="normal_sign_flip")["Is it real"]


@pytest.mark.parametrize(("code", "mark"), [("action_missing", {}), ("skipped_lookup", {"expected": True})])
@pytest.mark.parametrize(("failing", "passing"), [("a", "b"), ("b", "a")])
def test_a_call_that_was_never_made_is_quoted_as_expected(failing: str, passing: str, code: str, mark: dict[str, Any]) -> None:
    call = 'cancel_reservation({"id":"S61"})'
    parting = divergence(passing, failing, "44") | {"code": code, "subject": "cancel_reservation"}
    parting["evidence"] = [
        {"run": failing, "rollout": "44:1", "step": 5, "quote": call, "redacted": False} | mark,
        {"run": passing, "rollout": "44:0", "step": 3, "quote": call, "redacted": False},
    ]
    rates = (0.0, 1.0) if failing == "a" else (1.0, 0.0)
    moved = flip("44", *rates, 0.9, divergence=parting, cause=cause(failing, "BI", "never made"))
    said = report(flips=[moved])["Who drove it"]
    assert f"failing {failing.upper()} 44:1 step 5 expected “cancel" in said
    assert f"Passing {passing.upper()} 44:0 step 3 “cancel" in said


def test_what_differs_and_is_not_wholly_known_is_told_as_its_rest() -> None:
    changed = [{"what": "agent", "a": "one", "b": "two"}]
    said = report(changed=changed, unknown=["agent", "verifier"])
    assert "perhaps different: the rest of the agent and verifier." in said["What differs"]
    assert "Provenance: the rest of the agent and verifier are not known on both sides." in said["Limits"]
    assert "; not known: the rest of the agent and verifier;" in differs_in_short(
        pair(changed=changed, unknown=["agent", "verifier"])
    )
