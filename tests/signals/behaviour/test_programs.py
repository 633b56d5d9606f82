"""Programs beside their test runs."""

import pytest

from blade.signals.behaviour.programs import never_called
from blade.signals.example import Example, says, thinks
from tests.signals.support import found, steps

PRINTS = "def main():\n    print(int(input()) * 2)\n"
SILENT = {"error_message": "Wrong answer", "expected": "6", "output": "", "inputs": "3"}


@pytest.mark.parametrize(
    ("program", "idle"),
    [
        (PRINTS, ("main",)),
        (f"import sys\nsys.setrecursionlimit(10**6)\nLIMIT = 5\n{PRINTS}", ("main",)),
        (f"{PRINTS}\nmain()", ()),
        (f"{PRINTS}\nif __name__ == '__main__':\n    main()", ()),
        (f"{PRINTS}\nimport threading\nthreading.Thread(target=main).start()", ()),
        (f"{PRINTS}\nprint(3)", ()),
        ("class Solution:\n    def solve(self): return 1\n", ("Solution",)),
        ("n = int(input())\nprint(n)", ()),
        ("x = 1", ()),
        ("def main(:\n", ()),
        ("int main() { return 0; }", ()),
        ("(" * 5_000, ()),
        ("x = '\0'", ()),
    ],
)
def test_what_a_program_never_calls(program, idle):
    assert never_called(program) == idle


def test_it_counts_where_the_run_printed_nothing():
    said = says(f"```python\n{PRINTS}```")
    assert steps("program_never_run", Example((said,), fields={"code": PRINTS, "result": SILENT})) == [0]
    assert steps("program_never_run", Example((said,), fields={"result": SILENT})) == [0]  # the message's own block
    starter = Example((said,), asked="Complete `main` so that it doubles its input.", fields={"code": PRINTS, "result": SILENT})
    assert steps("program_never_run", starter) == []  # the runner calls it
    wrong = SILENT | {"output": "5"}
    assert (
        steps("program_never_run", Example((said,), fields={"code": PRINTS, "result": wrong})) == []
    )  # it was called by the runner
    assert steps("program_never_run", Example((said,), fields={"code": PRINTS})) == []


def test_a_program_that_the_verifier_did_not_take():
    twice = says("```python\n```python\nimport sys\nn = int(input())\nprint(2 * n)\n```")
    assert steps("program_not_taken", Example((twice,), fields={"code": ""})) == [0]
    assert steps("program_not_taken", Example((twice,), fields={"code": "import sys"})) == []
    cut = {"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}}
    assert steps("program_not_taken", Example((twice,), fields={"code": ""}, response=cut)) == []
    assert steps("no_program", Example((twice,), fields={"code": ""})) == []
    assert steps("no_program", Example((says("```python\n\n```"),), fields={"code": None})) == [0]
    assert steps("no_program", Example((says("The code is 4711."),), fields={"reward": 0.0})) == []


def test_a_fence_that_the_model_opened_twice_is_what_is_quoted():
    for said, quote, told in (
        ("```python\n```python\nimport sys\nsize = 3\n```", "```python ```python", True),
        ("```python\nimport sys\nsize = 3\n```", "import sys", False),
    ):
        [one] = found("program_not_taken", Example((says(said),), fields={"code": ""}))
        assert (one.quote, "opened its fence twice" in one.detail) == (quote, told)


def test_an_empty_message_hands_in_no_program_whatever_its_test_run_complains_of():
    complaint = {"error_code": -4, "error_message": "expected an indented block after function definition on line 38"}
    silent = {"code": "", "verifier_metadata": complaint}
    assert steps("no_program", Example((says(""),), fields=silent)) == [0]
    assert steps("no_program", Example((says("  \n"),), fields={"extracted_code": None})) == [0]
    assert steps("no_program", Example((says(""),), fields={"code": ""})) == []  # nothing says that it was to be a program
    assert steps("no_program", Example((says(""),), fields=silent, response={"usage": {"output_tokens": 0}})) == []
    assert steps("no_program", Example((thinks("A grid."), says("")), fields=silent)) == []
    assert steps("no_program", Example((), fields=silent)) == []


def test_an_empty_code_beside_an_expected_answer_is_no_lost_program():
    said = says("```\nx = 3\ny = 4\n```\nThe answer is 7.")
    assert steps("program_not_taken", Example((said,), fields={"code": None, "expected_answer": "8"})) == []


def test_many_blank_lines_are_read_in_bounded_time():
    assert steps("program_not_taken", Example((says("```python\n" + "\n" * 60_000),), fields={"code": ""})) == []


def test_a_code_that_is_no_program_says_nothing():
    for code in ("AB-12", "", None):
        row = Example((says("Your voucher is used up."),), asked="Which voucher do I have?", fields={"code": code})
        assert [steps(name, row) for name in ("program_not_taken", "no_program", "program_never_run")] == [[], [], []]
