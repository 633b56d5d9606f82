"""The report: its eleven sections, what each must say, what it may say when there is little to say, and how long it may get."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from blade.reports.citations import cited
from blade.reports.markdown import HEADINGS, report
from tests.reports.comparison.support import document as comparison_document
from tests.reports.desk import LOOKUP
from tests.reports.pieces import evidence, finding, mode, task, unknown_cause
from tests.reports.support import document

SEEDS = (
    "Executive summary",
    "Artifact inventory",
    "Aggregate results",
    "Workflow funnel",
    "Task outcome buckets",
    "Dominant failure modes",
    "Sometimes-pass deep dives",
    "Never-pass deep dives",
    "Cross-model comparison",
    "Recommendations",
    "Reproducibility notes",
)


def sections(text: str) -> dict[str, str]:
    """The sections' texts by their headings."""
    parts = re.split(r"^## [0-9]+\. (.+)$", text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def no_failures() -> dict[str, Any]:
    made = document(modes=[], interventions=[], luck=[], clusters=[], contrasts=[], unexplained={"rollouts": 0, "share": None})
    made["tasks"] = [task("L30", "++++", None, [])]
    made["buckets"] = {"always": ["L30"], "sometimes": [], "never": [], "missing": []}
    made["denominator"] |= {"passed": 4, "failed": 0, "scored": 4}
    return made


def no_pass_rule() -> dict[str, Any]:
    made = document(modes=[], interventions=[], luck=[], contrasts=[], claims=[])
    made["pass_rule"] = {"kind": "none", "threshold": None, "source": None}
    made["denominator"] |= {"passed": None, "failed": None}
    made["headline"] = {"buckets": {"always": None, "sometimes": None, "never": None, "missing": 0}}
    made["buckets"] = {"always": None, "sometimes": None, "never": None, "missing": []}
    made["metrics"] |= {"pass_at_1": {"value": None, "ci": None, "method": None, "tasks": 6}, "pass_at_k": {}, "pass_hat_k": {}}
    made["metrics"]["mean_reward"] = {"value": 3.25, "ci": None, "method": "none: one task", "approximate": False}
    for entry in made["tasks"]:
        entry |= {"cause": None, "passed": None, "bucket": "never"}
    return made


def one_task_once() -> dict[str, Any]:
    made = document(contrasts=[], luck=[], slices=[])
    made["tasks"] = [task("only", "-", unknown_cause(), [])]
    made["buckets"] = {"always": [], "sometimes": [], "never": ["only"], "missing": []}
    made["headline"] = {"buckets": {"always": 0, "sometimes": 0, "never": 1, "missing": 0}}
    made["repeats"] = {"min": 1, "max": 1, "mode": 1}
    made["metrics"]["pass_at_1"] = {"value": 0.0, "ci": None, "method": "none: one task", "tasks": 1}
    return made


def bare() -> dict[str, Any]:
    """Only what the contract demands; every key that INTERFACES calls optional is gone."""
    made = document()
    for key in ("tools", "luck", "clusters", "limits", "health", "against", "slices", "claims", "verifier_health", "contrasts"):
        made.pop(key)
    for entry in made["modes"]:
        for key in (
            "why",
            "failed_rollouts",
            "passed_rollouts",
            "failed_total",
            "lift_ci",
            "p_adjusted",
            "backed",
            "tasks_listed",
        ):
            entry.pop(key)
    for entry in made["tasks"]:
        entry.pop("repeats")
        for key in ("detail", "decisive", "fix", "subject"):
            (entry["cause"] or {}).pop(key, None)
    return made


def many_tasks() -> dict[str, Any]:
    """5,000 tasks: half never pass, half sometimes, with a claim for each and hundreds of modes."""
    made = document()
    cause = made["tasks"][2]["cause"]
    made["tasks"] = [
        task(f"T{number}", "----" if number % 2 else "+-+-", cause, [LOOKUP], {1: [finding("gave_up", "BI", "", 3)]})
        for number in range(5_000)
    ]
    made["buckets"] = {
        "always": [],
        "sometimes": [f"T{number}" for number in range(0, 5_000, 2)],
        "never": [f"T{number}" for number in range(1, 5_000, 2)],
        "missing": [],
    }
    made["modes"] = [mode(f"gave_up.s{n}", "gave up", "BI", 3, 900, [f"T{i}" for i in range(900)]) for n in range(400)]
    made["luck"] = made["luck"] * 400
    made["clusters"] = made["clusters"] * 400
    made["interventions"] = made["interventions"] * 400
    made["slices"] = made["slices"] * 400
    made["tools"] = made["tools"] * 400
    made["problems"] = made["problems"] * 400
    made["verifier_health"] = [made["verifier_health"][0] | {"tasks": made["buckets"]["never"]}] * 400
    made["contrasts"] = [made["contrasts"][0] | {"task": f"T{number}"} for number in range(0, 5_000, 2)]
    made["claims"] += [{"id": f"task.T{n}.passed", "text": "passes", "query": "SELECT 1", "value": 2} for n in range(5_000)]
    return made


CASES = {"full": document, "no failures": no_failures, "no pass rule": no_pass_rule, "one task once": one_task_once, "bare": bare}


@pytest.mark.parametrize("name", CASES)
def test_eleven_sections_in_the_order_of_the_seeds_and_none_is_empty(name: str) -> None:
    found = sections(report(CASES[name]()))
    assert tuple(found) == SEEDS == HEADINGS
    for title, text in found.items():
        assert re.search(r"\w{3}", text), title


def test_the_same_document_gives_the_same_text() -> None:
    assert report(document()) == report(json.loads(json.dumps(document())))


def test_a_finding_is_told_with_rollouts_steps_values_and_what_passing_repeats_did() -> None:
    dive = sections(report(document()))["Sometimes-pass deep dives"]
    told = dive[dive.index("### Task L26") : dive.index("### Task L9")]
    for part in (
        "L26:0 and L26:2 pass, L26:1 and L26:3 fail.",
        "**Cause BI (behaviour), confidence 0.83.**",
        "Decisive: L26:1 step 36.",
        "The alternative: KG (knowledge gap).",
        "at step 23 and step 36: L26:0 calls `get_member` before `pay_loan`",
        "2 of 2 failing repeats and 0 of 2 passing ones",
        'L26:1 step 36 and L26:3 step 28: “pay_loan(card="card_4959")”',
        "in failing repeats only: wrong `card` in `pay_loan` (2 of 2",
        "In passing repeats too, so no cause by itself: repeats the same call of `list_loans` (1 of 2 failing, 1 of 2 passing)",
        "**A pass that was luck.** L26:0 step 21:",
        "**Fix.** Resolve the payment card with `get_member`",
    ):
        assert part in told, part


def test_a_task_without_a_cause_or_a_divergence_says_so() -> None:
    dive = sections(report(document()))["Sometimes-pass deep dives"]
    told = dive[dive.index("### Task L41") :]
    assert "**Cause unknown.**" in told
    assert "No decisive divergence was found between L41:0 (passes) and L41:2 (fails)." in told


@pytest.mark.parametrize(
    ("lift", "ci", "more", "said"),
    [
        (0.5125, [0.1211, 0.9042], {}, "by 51.2 points (95 % interval 12.1 to 90.4)."),
        (
            0.5,
            [0.1, 0.9],
            {"lift_tasks": 7, "p_adjusted": 0.0001},
            "(over the 7 tasks with both kinds of repeats, 95 % interval 10.0 to 90.0, adjusted p below 0.001)",
        ),
        (0.31, [-0.2, 0.72], {"backed": False}, "The interval includes no effect, so it may be a symptom"),
        (0.31, [-4.2, 5.4], {"backed": False}, "So few tasks do not rule out chance, so it may be a symptom"),
        (0.31, None, {}, "So few tasks do not rule out chance; what it rests on is that the calls differ from the expected ones"),
        (0.31, [-0.2, 0.72], {}, "what it rests on is that the calls differ from the expected ones"),
        (0.31, [-4.2, 5.4], {"lift_tasks": 2}, "(over the 2 tasks with both kinds of repeats, too few for a useful interval)"),
        (-0.02, [-0.3, 0.26], {}, "the others fail as well: lift -2.0 points"),
        (-0.02, [-0.3, 0.26], {"passed_rollouts": 3}, "do no worse than the others: lift -2.0 points"),
        (None, None, {"backed": False}, "cannot be told from the tasks' difficulty."),
    ],
)
def test_a_lift_is_worded_by_what_it_shows(lift: float | None, ci: list[float] | None, more: dict[str, Any], said: str) -> None:
    made = document(modes=[mode(LOOKUP, "t", "BI", 2, 1, ["L26"], lift=lift, lift_ci=ci, **more)])
    assert said in sections(report(made))["Dominant failure modes"]


@pytest.mark.parametrize(
    ("gain", "said"),
    [
        (
            {"estimate": 0.0717, "upper": 0.0833, "ci": [0.0112, 0.1322]},
            "at most about 7.2 points (95 % interval 1.1 to 13.2; no more than 8.3 in any case)",
        ),
        ({"estimate": 0.05, "upper": 0.08, "ci": [-0.01, 0.11]}, "the interval includes no gain"),
        ({"estimate": -0.01, "upper": 0.08, "ci": None}, "promises no gain: estimate −1.0 points"),
        ({"estimate": None, "upper": 0.1667, "ci": None}, "at most 16.7 points (a bound"),
        ({"estimate": None, "upper": None, "ci": None}, "cannot be estimated from this run"),
        (None, "cannot be estimated from this run"),
    ],
)
def test_a_gain_is_worded_as_at_most_about(gain: Any, said: str) -> None:
    made = document(modes=[mode(LOOKUP, "t", "BI", 2, 1, ["L26"], gain=gain)])
    assert said in sections(report(made))["Dominant failure modes"]


def test_an_empty_comparison_says_why() -> None:
    assert "No other run was given" in sections(report(document()))["Cross-model comparison"]


def test_a_comparison_that_is_given_is_told_in_short() -> None:
    text = sections(report(document(against=[comparison_document()])))["Cross-model comparison"]
    for part in (
        "the other run is A, the baseline, and this run is B",
        "### Against `before.jsonl`: improved",
        "The booked scores differ by +20.0 points: infrastructure +10.0, truncation −2.0 and change +12.0.",
        "Fails less often with BI lookup of `find_member` skipped",
        "Lost 1 task of 10: 5 (3 of 4 → 1 of 4, P .04).",
        "blade compare before.jsonl after.jsonl --out OUT",
    ):
        assert part in text
    assert "because of" not in text


@pytest.mark.parametrize("name", CASES)
def test_every_cited_claim_exists_and_stands_in_the_list(name: str) -> None:
    made = CASES[name]()
    text = report(made)
    numbers = cited(text)
    assert all(number <= len(made.get("claims") or []) for number in numbers)
    notes = sections(text)["Reproducibility notes"]
    for number in numbers:
        assert f"| c{number} | `{made['claims'][number - 1]['id']}` |" in notes


def test_every_claim_of_the_document_that_a_sentence_rests_on_is_cited() -> None:
    made = document()
    assert [made["claims"][number - 1]["id"] for number in cited(report(made))] == [claim["id"] for claim in made["claims"]]


def numbers_in(value: Any) -> Iterator[float]:
    """Every number the document holds: as a number, inside a text, or as the length of a list."""
    if isinstance(value, bool) or value is None:
        return
    if isinstance(value, int | float):
        yield float(value)
    elif isinstance(value, str):
        yield from (float(found.replace(",", "")) for found in re.findall(r"\d+(?:,\d{3})*(?:\.\d+)?", value))
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from numbers_in(key)
            yield from numbers_in(inner)
    else:
        yield float(len(value))
        for inner in value:
            yield from numbers_in(inner)


def test_every_number_in_the_report_is_in_the_document() -> None:
    made = document()
    text = re.sub(
        r"(?<!\\)\[c[0-9]+\]|\bc[0-9]+\b|\bM[0-9]+\b|^#+ [0-9]+\.|95 %|4 of 5 cases|0\.001", "", report(made), flags=re.MULTILINE
    )
    held = set(numbers_in(made))
    held |= {5.0, 3.0}  # failed rollouts of the sometimes-pass tasks, and of those with the cause BI: sums over `tasks`
    percentages = {
        f"{100 * part / whole:.1f}" for part in held for whole in held if 0 <= part <= whole and whole and part == int(part)
    }
    shown = {f"{100 * value:.1f}" for value in held} | {f"{value:.2f}" for value in held} | {f"{value:.3f}" for value in held}
    shown |= {f"{value:g}" for value in held} | {f"{value:.3g}" for value in held} | {f"{value:.0f}" for value in held}
    for found in re.findall(r"(?<![\w.])\d+(?:,\d{3})*(?:\.\d+)?(?![\w])", text):
        plain = found.replace(",", "")
        assert plain in shown | percentages or float(plain) in held, found


def test_a_share_never_stands_without_its_denominator() -> None:
    """A percentage is of something: `n of m (x %)`, a rate with its tasks, a quoted message, or a bound of an interval."""
    for line in report(document()).splitlines():
        if "%" in line and not line.startswith("|"):
            for found in re.finditer(r"[\d.]+ %", line):
                before = line[: found.start()]
                assert re.search(r"( of [\d,]+[\w ]* \($|\[|, $|pass@1 is $|\($)", before) or found[0] == "95 %", line


def test_five_thousand_tasks_give_a_report_of_bounded_length() -> None:
    text = report(many_tasks())
    assert len(text) < 160_000
    found = sections(text)
    for bucket, dives, more in (("Sometimes-pass deep dives", 16, "2,444"), ("Never-pass deep dives", 12, "2,448")):
        assert found[bucket].count("### Task T") == dives
        assert found[bucket].count("\n| T") == 40
        assert f"{more} more are in diagnosis.json" in found[bucket]
    assert found["Dominant failure modes"].count("### M") == 8
    assert "772 more in diagnosis.json" in found["Recommendations"]


def test_a_task_without_a_fix_of_its_own_names_the_recommendation_for_its_mode() -> None:
    made = document()
    made["tasks"][2]["cause"].pop("fix")
    dive = sections(report(made))["Sometimes-pass deep dives"]
    assert "**Fix.** Resolve the payment card with `get_member` before any charge (recommendation 1)." in dive


def test_one_task_of_each_cause_comes_before_a_second_of_the_same() -> None:
    made = document()
    common, rare = made["tasks"][2]["cause"], made["tasks"][1]["cause"] | {"confidence": 0.2}
    made["tasks"] = [task(f"C{n}", "-+", common, []) for n in range(20)] + [task("R", "-+", rare, [])]
    dive = sections(report(made))["Sometimes-pass deep dives"]
    assert "### Task R " in dive
    assert dive.count("### Task C") == 15


def test_a_command_that_confirms_several_fixes_is_shown_once() -> None:
    made = document()
    made["interventions"][1]["confirm"] = made["interventions"][0]["confirm"]
    text = sections(report(made))["Recommendations"]
    assert text.count("blade compare") == 1
    assert "To confirm: as under 1." in text


def test_interventions_that_are_called_alike_are_told_apart() -> None:
    made = document()
    made["interventions"][1]["title"] = made["interventions"][0]["title"]
    text = sections(report(made))["Recommendations"]
    assert "### 2. Resolve the payment card with `get_member` before any charge (the same wrong `fee` in `book_bench`" in text


def test_a_lucky_pass_counts_as_lost_when_tasks_are_ordered() -> None:
    made = document()
    cause = made["tasks"][2]["cause"]
    made["tasks"] = [task("plain", "--+", cause, []), task("L26", "-++", cause, [])]
    made["luck"] = [made["luck"][0] | {"rollout": rollout} for rollout in ("L26:1", "L26:2", "L26:2")]
    dive = sections(report(made))["Sometimes-pass deep dives"]
    assert re.findall(r"^### Task (\w+)", dive, re.MULTILINE) == ["L26", "plain"]


def test_deep_dives_begin_with_what_costs_most() -> None:
    made = document()
    weak, strong = (evidence("x", 1, "q"),) * 2
    cause = made["tasks"][2]["cause"] | {"evidence": [weak, strong]}
    made["tasks"] = [
        task("rarely", "-+++", cause, []),
        task("unsure", "---+", cause | {"confidence": 0.1}, []),
        task("often", "---+", cause, []),
        task("unknown", "---+", unknown_cause(), []),
    ]
    dive = sections(report(made))["Sometimes-pass deep dives"]
    assert re.findall(r"^### Task (\w+)", dive, re.MULTILINE) == ["often", "rarely", "unsure", "unknown"]


def test_each_figure_is_over_the_tasks_it_was_computed_from() -> None:
    made = document()
    made["task_count"] = 7
    made["headline"]["buckets"]["missing"] = 1
    made["metrics"]["pass_at_k"]["4"]["tasks"] = made["metrics"]["pass_hat_k"]["4"]["tasks"] = 5
    text = report(made)
    for line in (
        "| what retrying adds (pass@4 − pass@1)",
        "| 20.8 points | – | 5 tasks with 4 repeats |",
        "| 16.7 % | – | 6 tasks |",
        "60.0 % to 64.0 %; 60.0 % with the unscored as failed | – | 7 tasks |",
        "7 tasks, 1 without a score, the others with 4 scored repeats each.",
    ):
        assert line in text, line


@pytest.mark.parametrize(
    ("decisive", "told"),
    [
        ({"rollout": "L41:2", "step": 0}, ""),
        ({"rollout": "L41:2", "step": 0, "chance": 0.5, "guess": "nothing speaks for this step in particular"}, ""),
        (
            {"rollout": "L41:2", "step": 7, "chance": 0.6, "guess": "it changed something"},
            "Where to begin reading is a guess: L41:2 step 7 (it changed something).",
        ),
    ],
)
def test_an_unknown_cause_has_no_decisive_step(decisive: dict[str, Any], told: str) -> None:
    made = document()
    made["tasks"] = [task("L41", "+-", unknown_cause() | {"decisive": decisive}, [])]
    text = report(made)
    assert "Cause unknown" in text
    assert "Decisive" not in text
    assert told in text
    assert ("begin reading" in text) == bool(told)


def test_one_of_a_kind_is_told_as_one() -> None:
    made = document()
    made["denominator"] |= {"passed": 1, "failed": 1}
    made["run"]["rows"] = 1
    for one in made["modes"]:
        one |= {"failed_rollouts": 1, "failed_total": 1, "passed_rollouts": 0}
    text = report(made)
    assert "and not in the passing one" in text
    assert "The same 1 row gives this report again" in text
    assert not re.search(r"\bthe 1 (passing|failed) ", text)
    made["modes"] = []
    assert "The only failed rollout could not be assigned to a mode." in report(made)
