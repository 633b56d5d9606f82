"""Names of fields that tell the answer once more."""

import pytest

from blade.signals.wanted.note_names import tells_answer


@pytest.mark.parametrize("name", ["rationale", "solution", "why", "note", "author_note", "task_remarks", "correct_answer"])
def test_names_that_tell(name):
    assert tells_answer(name)


@pytest.mark.parametrize(
    "name", ["judge_comment", "model_notes", "grader_remarks", "model_answer", "predicted_answer", "topic", "answer_format"]
)
def test_names_that_do_not(name):
    assert not tells_answer(name)
