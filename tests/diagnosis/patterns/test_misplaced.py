"""Gold that belongs to another task."""

from blade.diagnosis.patterns.misplaced import learn_misplaced
from blade.signals.answer_rows import AnswersExtractor
from tests.runs.support import opened, row


def answered(task, gold, said, reward=0.0):
    return [row(task, number, reward, expected_answer=gold, extracted_answer=said) for number in range(3)]


def learned(*tasks):
    with opened([made for rows in tasks for made in rows], extractors=(AnswersExtractor(),)) as run:
        return {task: (other.task, other.swapped) for task, other in learn_misplaced(run).items()}


RIGHT = [answered(task, f"{task}00", f"{task}00", 1.0) for task in range(5, 9)]


def test_two_swapped_answers():
    assert learned(answered(0, "Oslo", "Lima"), answered(1, "Lima", "Oslo"), *RIGHT) == {"0": ("1", True), "1": ("0", True)}


def test_a_column_shifted_by_a_row():
    shifted = [answered(0, "Lima", "Oslo"), answered(1, "Rome", "Lima"), answered(2, "Bern", "Rome"), answered(3, "Oslo", "Bern")]
    assert set(learned(*shifted, *RIGHT)) == {"0", "1", "2", "3"}


def test_one_wrong_answer_that_another_task_expects_is_chance():
    assert learned(answered(0, "Oslo", "500"), *RIGHT) == {}


def test_letters_meet_by_chance():
    assert learned(answered(0, "A", "B"), answered(1, "B", "A"), *RIGHT) == {}


def test_labels_that_many_tasks_expect_meet_by_chance():
    labels = ("positive", "negative", "neutral")
    wrong = [answered(task, labels[task % 3], labels[(task + 1) % 3]) for task in range(4)]
    right = [answered(task, labels[task % 3], labels[task % 3], 1.0) for task in range(10, 16)]
    assert learned(*wrong, *right) == {}


def acted(task, gold, done, reward=0.0, why=("no longer needed", "no longer needed")):
    """Three repeats that cancel an order, where another (or the same) one is expected, perhaps for another reason."""
    wanted = [{"name": "cancel_order", "arguments": {"order_id": gold, "reason": why[0]}}]
    made = [
        {
            "type": "function_call",
            "call_id": "c",
            "name": "cancel_order",
            "arguments": f'{{"order_id": "{done}", "reason": "{why[1]}"}}',
        },
        {"type": "function_call_output", "call_id": "c", "output": "ok"},
    ]
    return [row(task, number, reward, expected_calls=wanted, response={"output": made}) for number in range(3)]


def learned_of_calls(*tasks):
    from blade.signals.expected import ExpectedExtractor
    from blade.signals.extractor import CallsExtractor

    with opened([made for rows in tasks for made in rows], extractors=(CallsExtractor(), ExpectedExtractor())) as run:
        return {task: other.task for task, other in learn_misplaced(run).items()}


DONE = [acted(task, f"W-{task}00", f"W-{task}00", 1.0) for task in range(5, 9)]


def test_expected_calls_of_another_task():
    assert learned_of_calls(acted(0, "W-1", "W-2"), acted(1, "W-2", "W-1"), *DONE) == {"0": "1", "1": "0"}


def test_expected_calls_that_another_task_does_and_passes():
    assert learned_of_calls(acted(0, "W-500", "W-2"), *DONE) == {"0": "5"}


def test_calls_that_nobody_expects_are_the_rollouts_own():
    assert learned_of_calls(acted(0, "W-1", "W-2"), *DONE) == {}


def test_gold_about_the_record_that_was_worked_on_is_the_tasks_own():
    one, other = acted(0, "W-1000", "W-1000", why=("late", "lost")), acted(1, "W-1000", "W-1000", why=("lost", "late"))
    assert learned_of_calls(one, other, *DONE) == {}
