"""Ordinary prose about the example run: 154 scored rollouts of 40 tasks, 90 passed; task 12 passes 1 of 4, task 21 none (cause IR)."""

import pytest

from blade.claims.reading.facts import RunFacts
from blade.claims.reading.verify import verify_text

TRUE = [
    "Out of 154 scored rollouts, 90 passed (58%).",
    "Of the 154 scored rollouts, 64 failed.",
    "Task 12 passes in 1 of 4 repeats.",
    "Task `12` passes 1/4.",
    "Task 12 passed one of its four repeats.",
    "Task 12 passes once out of four.",
    "Task 12 failed in three of the four attempts.",
    "In task 12, one of four repeats passes.",
    "Task 21 failed in all four repeats.",
    "Task 21 fails every time.",
    "None of the four repeats of task 21 passed.",
    "One of the four repeats of task 12 passes.",
    "In 21:0 the agent called `search_stock`.",
    "In 21:0 the agent called `search_stock` twice.",
    "In `21:0`, the agent called `find_member` exactly 1 times.",
    "The agent called `find_member` once in 21:0.",
    "In 21:0 the agent never called `frobnicate`.",
    "`frobnicate` was never called in 21:0.",
    "Rollout 3:3 failed.",
    "Task 21 is labelled IR.",
    "The root cause of task 21 is `IR`.",
    "The pass rate is 58.4%.",
    "58.4% of the scored rollouts passed.",
    "41.6 % of all rollouts failed.",
    "Accuracy was 59.4 %.",
    "There are 40 tasks.",
    "14 tasks always pass.",
    "Eight tasks never pass.",
    "64 rollouts failed.",
    "The model passed 90 of 154 rollouts.",
    "There are 40 tasks and 160 rollouts.",
    "The run has 160 rollouts.",
    "Task 21 never passes. Task 12 sometimes passes.",
    "Task 12 is sometimes-pass, and so it is worth a look. Task 21 never passes.",
    "## Summary\n\nThere are 40 tasks. 64 rollouts failed.",
]


@pytest.mark.parametrize("text", TRUE)
def test_what_is_true_holds(example: RunFacts, text: str) -> None:
    found = verify_text(text, [example])
    assert (found.findings, found.not_checkable) == ([], 0)
    assert found.true > 0


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Out of 154 scored rollouts, 107 passed (69%).", "wrong_number"),
        ("Task 21 never passes. Task 12 always passes.", "wrong_label"),
        ("Task 12 always passes. Task 21 never passes.", "wrong_label"),
        ("Tasks 21 and 12 never pass.", "wrong_label"),
        ("Out of 154 scored rollouts, 90 passed (69%).", "contradicts_itself"),
        ("Of the 154 scored rollouts, 47 failed.", "wrong_number"),
        ("Task 12 passes in 3 of 4 repeats.", "wrong_number"),
        ("Task `12` passes 3/4.", "wrong_number"),
        ("Task 12 passed three of its four repeats.", "wrong_number"),
        ("Task 12 passes three times out of four.", "wrong_number"),
        ("Task 12 failed in one of the four attempts.", "wrong_number"),
        ("In task 12, three of four repeats pass.", "wrong_number"),
        ("Task 12 passes in 1 of 6 repeats.", "wrong_denominator"),
        ("Task 21 passed in all four repeats.", "wrong_number"),
        ("Task 21 passes every time.", "wrong_number"),
        ("All four repeats of task 21 passed.", "wrong_number"),
        ("Three of the four repeats of task 12 pass.", "wrong_number"),
        ("In 21:0 the agent never called `search_stock`.", "wrong_number"),
        ("In 21:0 the agent did not call `search_stock`.", "wrong_number"),
        ("In 21:0 the agent called `frobnicate`.", "wrong_number"),
        ("In 21:0 the agent called `find_member` 9 times.", "wrong_number"),
        ("In `21:0`, the agent called `find_member` nine times.", "wrong_number"),
        ("The agent called `find_member` twice in 21:0.", "wrong_number"),
        ("`search_stock` was never called in 21:0.", "wrong_number"),
        ("Rollout 3:7 failed.", "unknown_rollout"),
        ("In 3:7 the agent gave up.", "unknown_rollout"),
        ("Task 21 is labelled KG.", "wrong_label"),
        ("Task 21 was classified as `KG`.", "wrong_label"),
        ("The root cause of task 21 is KG.", "wrong_label"),
        ("pass@1 is 59.4 % with a 95 % interval from 36.4 % to 71.1 %.", "wrong_number"),
        ("pass@1 is 59.4 % (95 % CI 46.4 % to 87.1 %).", "wrong_number"),
        ("pass@1 is 59.4 %, 95 % CI 36.4 % to 71.1 %.", "wrong_number"),
        ("The model passed 107 of 154 rollouts.", "wrong_number"),
        ("There are 42 tasks and 160 rollouts.", "wrong_number"),
        ("The pass rate is 69.4%.", "wrong_number"),
        ("69.4% of the scored rollouts passed.", "wrong_number"),
        ("Accuracy was 69.4 %.", "wrong_number"),
        ("The model reached an accuracy of 69.4 %.", "wrong_number"),
        ("There are 42 tasks.", "wrong_number"),
        ("13 tasks always pass.", "wrong_number"),
        ("Nine tasks never pass.", "wrong_number"),
        ("74 rollouts failed.", "wrong_number"),
        ("The run has 200 rollouts.", "wrong_number"),
        ("# Report\n\n## Key results\n\nThe run has 160 rollouts. 74 rollouts failed.", "wrong_number"),
    ],
)
def test_what_is_false_is_found(example: RunFacts, text: str, kind: str) -> None:
    assert [finding.kind for finding in verify_text(text, [example]).findings] == [kind]


@pytest.mark.parametrize(
    "text",
    [
        "Task 12 passes in 3 of 4 checks.",
        "Task 12 passes the schema check in 3 of 4 repeats.",
        "Task 12 would pass in 3 of 4 repeats with a lookup.",
        "In the baseline, task 12 passes in 3 of 4 repeats.",
        "In 21:0 the agent never called `search_stock` again.",
        "In 21:0 the agent never called `search_stock` before the booking.",
        "In 21:0 the user never called `search_stock`.",
        "A ratio of 3:7 failed to convince.",
        "Task 21 might be labelled KG.",
        "Task 21 is not labelled KG.",
        "pass@1 is 59.4 % with a 99 % interval from 36.4 % to 77.1 %.",
        "pass@1 is 59.4 % with a 95 % interval from 50.5 % to 65.9 %.",
        "The pass rate of loans is 69.4%.",
        "12 rollouts failed because of the outage.",
        "There are 5 tasks with an outage.",
        "Fewer than 70 rollouts failed.",
        "The agent pads ids. 14 rollouts failed.",
        "# Report\n\n## Padding ids\n\n14 rollouts failed.",
        "# Report\n\n**Padding ids.** 14 rollouts failed.",
        "# Report\n\nPadded ids:\n\n- 14 rollouts failed.\n- 3 tasks never pass.",
        "# Report\n\n`check_out` got a made-up id. The pass rate is 20 %.",
        "# Report\n\nLoans are hard. The pass rate is 20 %.",
    ],
)
def test_what_may_speak_of_a_part_or_of_something_else_is_no_finding(example: RunFacts, text: str) -> None:
    assert verify_text(text, [example]).findings == []


def test_the_interval_of_the_run_holds(example: RunFacts) -> None:
    found = verify_text("pass@1 is 59.4 % with a 95 % interval from 46.4 % to 71.1 %.", [example])
    assert (found.true, found.false) == (3, 0)


@pytest.mark.parametrize(
    "text", ["See 21:0 and task 12 for the story.", "In 21:0 the agent was tired.", "Tasks 4, 7 and 11 are odd."]
)
def test_that_an_id_exists_makes_nothing_true(example: RunFacts, text: str) -> None:
    found = verify_text(text, [example])
    assert (found.true, found.false) == (0, 0)
    assert found.not_checkable > 0
