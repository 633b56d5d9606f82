import json
import math
from typing import Any

import numpy as np
import pytest

from blade.diagnosis.decisive.ranking import LEARNED
from evidence import attribution, trail, whowhen
from evidence.conditional_logit import Choice, fit
from evidence.fingerprint import PUBLISHED
from evidence.leaks import without_answers
from evidence.trail import Mark
from tests.shared_data import needs_shared_data

EXACT, WITHIN_1, WITHIN_3, AGENT = range(4)


def message(step: int | None, name: str, role: str = "assistant") -> dict[str, Any]:
    numbered = {} if step is None else {"step": step}
    return {"type": "message", "role": role, "content": f"{name} speaks at {step}.", "name": name, **numbered}


def case(step: int, agent: str, *, name: str = "t", speakers: str = "ABCB") -> whowhen.Case:
    """The first speaker stands in the prompt, behind an item without a step, as in the benchmark's rows."""
    said = [message(number, speaker) for number, speaker in enumerate(speakers)]
    row = {
        "responses_create_params": {"input": [message(None, "system", "system"), {**said[0], "role": "user"}]},
        "response": {"output": said[1:]},
        "task_id": name,
        "ground_truth": "42",
    }
    return whowhen.case_of(row, {"step": step, "agent": agent})


def test_prompt_items_count_by_their_own_step() -> None:
    found = case(0, "A")
    assert found.items == {0: "A", 1: "B", 2: "C", 3: "B"}
    assert found.numbers == {-1: 0, 0: 1, 1: 2, 2: 3}
    assert "ground_truth" not in found.rollout.fields


@pytest.mark.parametrize(
    ("steps", "agent", "expected"),
    [
        ((2, 2, 2), "C", (True, True, True, True)),
        ((1, 1, 1), "B", (False, True, True, False)),
        ((5, 5, 5), None, (False, False, True, False)),
        ((6, 3, 0), "C", (False, True, True, True)),
    ],
)
def test_hits(steps: tuple[float, ...], agent: str | None, expected: tuple[bool, ...]) -> None:
    assert whowhen.hits(case(2, "C"), whowhen.Guess(steps, agent)) == expected


@pytest.mark.parametrize(
    ("method", "steps", "agent"),
    [
        ("first step", (0, 0, 0), "A"),
        ("last step", (3, 3, 3), "B"),
        ("last speaker", (3, 3, 3), "B"),
        ("most talkative agent", (1, 1, 1), "B"),
        # Labels of the other half: 1, 1, 3. Exact: 1. Within 1: 2 reaches all three. Within 3: 0 does, the smallest.
        ("best constant step of the other half", (1, 2, 0), "B"),
        ("most blamed agent of the other half", (2, 2, 2), "C"),
    ],
)
def test_baselines(method: str, steps: tuple[int, ...], agent: str) -> None:
    others = [case(1, "C"), case(1, "B"), case(3, "C")]
    assert whowhen.BASELINES[method](case(0, "A"), others) == whowhen.Guess(steps, agent)


def test_the_chance_of_a_random_step_is_counted_out() -> None:
    assert whowhen.random_chances(case(3, "B"), turns_only=False) == (1 / 4, 2 / 4, 1.0, 2 / 4)


def test_the_fit_finds_the_log_odds_of_one_cue() -> None:
    """Two turns, one with the cue, chosen 3 times in 4: without a penalty the weight is log 3; a penalty draws it to 0."""
    choices = [Choice(np.array([[1.0], [0.0]]), chosen) for chosen in (0, 0, 0, 1)]
    assert fit(choices, 1e-9)[0] == pytest.approx(math.log(3), abs=1e-6)
    assert 0 < fit(choices, 1.0)[0] < math.log(3)


def test_answers_are_taken_off_however_deep_they_lie() -> None:
    row = {"task_id": "t", "true_answer": 4, "metadata": {"items": [{"test_patch": "x", "kept": 1}]}}
    assert without_answers(row) == {"task_id": "t", "metadata": {"items": [{"kept": 1}]}}


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("Formatting Error", "Formatting Errors"),
        ("Language-Only", "Language-only"),
        ("Instruction non complience", "Instruction Non-compliance"),
        ("Task Orchestration Errors", "Task Orchestration"),
        ("Something Else", "Something Else"),
    ],
)
def test_misspelt_categories(written: str, meant: str) -> None:
    assert trail.category(written) == meant


def test_the_error_of_a_span_comes_after_the_spans_inside_it() -> None:
    items = [{"span_id": "outer"}, {"span_id": "inner", "parent_span_id": "outer"}, {"span_id": "next", "parent_span_id": "root"}]
    assert [item["span_id"] for item in trail.in_order(items)] == ["inner", "outer", "next"]


def test_overlaps_of_categories_spans_and_both() -> None:
    labels = {Mark("s1", "X"), Mark("s1", "Y"), Mark("s2", "X")}
    pairs = [("t1", labels, {Mark("s1", "X"), Mark("s3", "X"), Mark("s2", "Z")}), ("t2", set[Mark](), {Mark("s1", "X")})]
    found = trail.overlaps(pairs)
    assert found["category"] == trail.Overlap(labelled=2, predicted=3, both=1)
    assert found["location"] == trail.Overlap(labelled=2, predicted=4, both=2)
    assert found["joint"] == trail.Overlap(labelled=3, predicted=4, both=1)
    assert found["joint"].f1 == pytest.approx(2 / 7)
    # X: one trace has it, two are said to, one rightly: F1 2/3. Y: never said: 0. Each weighs one trace.
    assert trail.weighted_category_f1(pairs) == pytest.approx(1 / 3)


def test_a_block_is_renewed_in_its_place() -> None:
    start, end = attribution.MARKERS
    page = attribution.with_block("# Title\n\nBefore.\n", "one")
    assert page == f"# Title\n\nBefore.\n\n{start}\none\n{end}\n"
    assert attribution.with_block(page + "\nAfter.\n", r"two \1") == f"# Title\n\nBefore.\n\n{start}\ntwo \\1\n{end}\n\nAfter.\n"


def test_the_page_shows_the_published_figures() -> None:
    published = json.loads((PUBLISHED / "attribution.json").read_text(encoding="utf-8"))
    page = attribution.PAGE.read_text(encoding="utf-8")
    assert attribution.with_block(page, attribution.block(published)) == page


@needs_shared_data
def test_the_study_gives_the_published_figures_and_the_weights_in_the_source() -> None:
    figures = attribution.study()
    published = json.loads((PUBLISHED / "attribution.json").read_text(encoding="utf-8"))
    assert json.loads(json.dumps(figures)) == {name: published[name] for name in figures}
    assert figures["whowhen"]["weights"]["fitted to all"] == LEARNED
    # Known from outside: always step 1 is right in 34 of 126.
    assert figures["whowhen"]["groups"]["both halves"]["best constant step of the other half"]["exact"]["hits"] == 34
