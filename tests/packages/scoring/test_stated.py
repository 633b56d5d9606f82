"""What a sentence states, whatever its words are."""

import pytest

from tests.packages.scoring.readings import states


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("12:1 passes.", ["rollout 12:1 outcome pass"]),
        ("12:0 and 12:2 fail.", ["rollout 12:0 outcome fail", "rollout 12:2 outcome fail"]),
        ("12:0 does not fail.", ["rollout 12:0 outcome pass"]),
        ("It is not true that 12:0 passes.", ["rollout 12:0 outcome fail"]),
        ("The failing repeats 12:0 and 12:2 differ.", ["rollout 12:0 outcome fail", "rollout 12:2 outcome fail"]),
        ("In task 12, 1 of 4 repeats pass.", ["task 12 rate 1/4"]),
        ("In task 12, 3 of 4 repeats fail.", ["task 12 rate 1/4"]),
        ("All four repeats fail in task 12.", ["task 12 rate 0/4"]),
        ("Task 12 is never-pass.", ["task 12 bucket never"]),
        ("Task 12: root cause BI.", ["task 12 cause BI"]),
        ("Task 12: the root cause is not BI.", ["task 12 cause not BI"]),
        ("Task 12: root cause **BI**, or **KG**, or **IR**.", ["task 12 cause IR+BI+KG"]),
        ("Task 12: the root cause is BI / KG / IR / UK / TI / DA.", ["task 12 cause DA+IR+TI+BI+UK+KG"]),
        ("Task 12: the root cause is BI (behaviour), possibly KG (knowledge gap).", ["task 12 cause BI+KG"]),
        ("Task 12: root cause BI, though it might also be KG.", ["task 12 cause BI+KG"]),
        ("Task 12: root cause BI+KG.", ["task 12 cause BI+KG"]),
        ("Task 12: root cause BI rather than KG.", ["task 12 cause BI"]),
        ("Task 12: root cause BI and not KG.", ["task 12 cause BI"]),
        ("Task 12: root cause BI; the alternative is KG.", ["task 12 cause BI"]),
        ("12:0 never calls `find_member`.", ["rollout 12:0 call find_member no"]),
        ("12:0 books without calling `find_member`.", ["rollout 12:0 call find_member no"]),
        ("`find_member` was not called in 12:0.", ["rollout 12:0 call find_member no"]),
        ("12:1 calls `find_member` first.", ["rollout 12:1 call find_member yes"]),
        (
            "12:1 looks it up; 12:0 fails because it calls `check_out` alone.",
            ["rollout 12:0 outcome fail", "rollout 12:0 call check_out yes"],
        ),
        ("Tasks 4, 7 and 11 differ.", []),
        ("pass@1 is 59.4 % over 40 tasks.", []),
    ],
)
def test_statements(text: str, expected: list[str]) -> None:
    assert states(text) == expected


def test_words_at_a_step() -> None:
    expected = "rollout 20:0 at 503 service unavailable no answer"
    assert f"{expected} 2" in states("20:0 step 2 reads “503 Service Unavailable: no answer”.")
    assert f"{expected} 2" in states("20:0 gets “503 Service Unavailable: no answer” at step 2.")
    assert f"{expected} not 2" in states("It is not true that 20:0 step 2 reads “503 Service Unavailable: no answer”.")


def test_values_belong_to_the_task_of_their_section() -> None:
    text = "### Task 12 (1/4 passed)\n\nThe agent books on M-0664 where `M-2372` was meant, at 59.4 % of 1,240 pounds."
    assert states(text) == ["task 12 rate 1/4", "task 12 value m 0664", "task 12 value m 2372", "task 12 value 1,240"]
