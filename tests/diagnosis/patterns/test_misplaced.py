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
