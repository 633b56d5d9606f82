"""The score of a report without a run: anchors stated rightly, causes with evidence, and nothing for what is false or no language."""

import re

import pytest

from blade.packages.anchors.anchor import Anchor
from blade.packages.scoring.score import Judge, Score

GOLDEN = """# Golden report

## Executive summary

The desk run fails mostly because the agent makes up ids instead of looking them up in the directory.

## Sometimes-pass deep dives

### Task 12 (1/4 passed)

Root cause: **BI**. 12:1 passes because it calls `find_member` at step 1. 12:0 and 12:2 fail: they book on `M-0664` and never call `find_member`.

## Never-pass deep dives

### Task 20 (0/4 passed)

Root cause: **IR**. 20:0 step 2 reads "503 Service Unavailable: the stock service did not answer".

### Task 4 (0/4 passed)

Root cause: **KG**. In 4:0 and in every other repeat the agent orders 144 pieces with `order_supplies`, where 1728 were meant.

## Recommendations

Require the lookup before a change, and collect the tasks of the outage again.
"""
FACTS = [
    Anchor("B1", "12:0 and 12:2 fail: they book on `M-0664` and never call `find_member`."),
    Anchor("B2", '20:0 step 2 reads "503 Service Unavailable: the stock service did not answer".'),
    Anchor(
        "B3", "Task 4: In 4:0 and in every other repeat the agent orders 144 pieces with `order_supplies`, where 1728 were meant."
    ),
]
IN_OTHER_WORDS = """# Notes on the run

What failed, by task, with the evidence that was found for it.

**Task 12.** Cause BI: in 12:0 `find_member` is not called at all, and so the booking goes to M-0664. Both 12:0 and 12:2 fail.

**Task 20.** Cause IR. The tool answers “503 Service Unavailable: the stock service did not answer” (20:0 step 2).
"""


@pytest.fixture(scope="module")
def judge() -> Judge:
    return Judge(GOLDEN, FACTS)


def statuses(found: Score) -> dict[str, str]:
    return {one.anchor.id: one.status for one in found.anchors}


def test_the_golden_report_is_all_it_asks_for(judge: Judge) -> None:
    found = judge.score(GOLDEN)
    assert found.value == 1.0
    assert [(part.name, part.got, part.of) for part in found.parts][:2] == [("anchors", 3, 3), ("diagnoses", 3, 3)]
    assert not found.false_lines
    assert not found.bound


def test_a_fact_may_be_put_in_other_words(judge: Judge) -> None:
    found = judge.score(IN_OTHER_WORDS)
    assert statuses(found) == {"B1": "found", "B2": "found", "B3": "missing"}
    assert {one.anchor.id: one.line for one in found.anchors if one.line} == {"B1": 5, "B2": 7}
    assert found.parts[1].got == 2
    assert not found.contradictions


@pytest.mark.parametrize(
    ("before", "after", "fact"),
    [
        ("`M-0664` and never call", "`M-0664` and always call", "B1"),
        ("12:0 and 12:2 fail", "12:0 and 12:2 pass", "B1"),
        ("book on `M-0664`", "book on `M-2372`", "B1"),
        ("20:0 step 2 reads", "20:0 step 5 reads", "B2"),
        ("144 pieces", "145 pieces", "B3"),
        ("144 pieces with `order_supplies`, where 1728", "1728 pieces with `order_supplies`, where 144", "B3"),
        ("every other repeat the agent orders", "every other repeat the agent hardly orders", "B3"),
        ("`order_supplies`", "`check_out`", "B3"),
    ],
)
def test_a_fact_that_is_bent_is_contradicted_on_its_line(judge: Judge, before: str, after: str, fact: str) -> None:
    bent = GOLDEN.replace(before, after)
    line = next(place for place, (one, two) in enumerate(zip(GOLDEN.split("\n"), bent.split("\n"), strict=True), 1) if one != two)
    found = judge.score(bent)
    assert statuses(found)[fact] == "contradicted"
    assert line in found.false_lines
    assert found.value < 0.9


@pytest.mark.parametrize(
    "more",
    [
        "12:0 calls `find_member` before it books.",
        "It is a myth that 12:0 and 12:2 fail: they book on `M-0664` and never call `find_member`.",
        "None of the findings above is true.",
        "12:0 passes.",
    ],
)
def test_a_fact_that_is_stated_and_denied_does_not_count(judge: Judge, more: str) -> None:
    found = judge.score(f"{GOLDEN}\n## Remarks\n\n{more}\n")
    assert statuses(found)["B1"] == "contradicted"


def test_a_sentence_that_is_taken_back_does_not_count(judge: Judge) -> None:
    found = judge.score(GOLDEN.replace("and never call `find_member`.", "and never call `find_member`. This is not true."))
    assert statuses(found)["B1"] == "missing"
    assert found.false_lines == (11,)


def test_causes_that_are_wrong_leave_nothing(judge: Judge) -> None:
    swapped = GOLDEN.replace("**BI**", "**KG**").replace("**IR**", "**BI**").replace("cause: **KG**. In", "cause: **IR**. In")
    assert judge.score(swapped).value == 0.0


@pytest.mark.parametrize("more", [", or **UK**, or **DA**", " / TI / DA", "+TI", ", possibly TI", ". The cause is **TI**"])
def test_the_right_cause_among_others_is_none(judge: Judge, more: str) -> None:
    found = judge.score(re.sub(r"(\*\*(?:BI|IR|KG)\*\*)", rf"\1{more}", GOLDEN).replace("**+", "+"))
    assert found.parts[1].got == 0
    assert found.value <= 0.6


def test_a_mix_is_right_where_the_golden_report_has_it() -> None:
    mixed = GOLDEN.replace("**BI**", "**BI** or **KG**")
    judge = Judge(mixed, FACTS)
    assert judge.score(mixed).value == 1.0
    assert judge.score(GOLDEN).parts[1].got == 3, "a part of it will do"
    assert judge.score(GOLDEN.replace("**BI**", "**BI** or **TI**")).parts[1].got == 2


def test_a_cause_without_evidence_is_no_diagnosis(judge: Judge) -> None:
    claimed = (
        "# Report\n\n### Task 12 (1/4 passed)\n\nRoot cause: **BI**. The agent did not look up what it should have looked up.\n"
    )
    assert judge.score(claimed).parts[1].got == 0


@pytest.mark.parametrize(
    "text",
    [
        "",
        "| task | pass |\n| --- | --- |\n| 12 | 1/4 |\n",
        " ".join(sorted({word for anchor in FACTS for word in anchor.fact.split()})),
    ],
    ids=["nothing", "a table", "words"],
)
def test_text_without_sentences_scores_nothing(judge: Judge, text: str) -> None:
    assert judge.score(text).value == 0.0


def test_facts_without_a_diagnosis_are_not_enough(judge: Judge) -> None:
    found = judge.score("# Findings\n\n" + "\n".join(f"- {anchor.fact}" for anchor in FACTS))
    assert set(statuses(found).values()) == {"found"}
    assert found.value <= 0.6
