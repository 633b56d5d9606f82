"""Messages that nothing closes, in a run whose messages close their sentences."""

from blade.diagnosis.patterns.unclosed import learn_unclosed, lost_streams
from blade.diagnosis.views import task_views
from blade.signals.extractor import SignalsExtractor
from tests.runs.support import opened, row

WHOLE, OPEN = (
    "I have put the order on record for you.",
    "I have looked at the order that you want to see and will now put it on t",
)


def rollout(task, number, text, reward):
    message = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": text}]}
    return row(task, number, reward, response={"output": [message]})


def found(rows):
    with opened(rows, extractors=(SignalsExtractor(),)) as run:
        known = learn_unclosed(run)
        return [finding.rollout for view in task_views(run) for finding in lost_streams(view, known)]


def run_with(text, reward, hit=5):
    """Ten tasks with four repeats; the last one of some ends so."""
    usual = [rollout(task, number, WHOLE, float(number > 0 or task % 3 > 0)) for task in range(10) for number in range(3)]
    return usual + [rollout(task, 3, *((text, reward) if task < hit else (WHOLE, 1.0))) for task in range(10)]


def test_messages_that_stop_and_fail():
    assert found(run_with(OPEN, 0.0)) == [f"{task}:3" for task in range(5)]


GERMAN = "Ich habe die Bestellung angesehen und trage sie jetzt in das Verz"


def test_one_that_stops_in_a_word_tells_of_the_others_in_whatever_language():
    rows = run_with(GERMAN, 0.0)
    assert found(rows) == []
    assert len(found([*rows, rollout(5, 4, OPEN, 0.0)])) == 6


def test_whole_sentences_without_a_full_stop_are_a_manner():
    assert found(run_with("I am not sure but it might well be the old harbour city Portsea", 0.0)) == []


def test_who_passes_so_had_said_what_was_wanted():
    assert found(run_with(OPEN, 1.0)) == []


def test_two_are_no_outage():
    assert found(run_with(OPEN, 0.0, hit=2)) == []


def test_an_answer_needs_no_full_stop():
    assert found(run_with("After all of this, the answer: forty two apples", 0.0)) == []
    assert found(run_with("After all of this the answer is forty two apples", 0.0)) == []


def test_a_model_that_never_closes_its_sentences():
    rows = [
        rollout(task, number, OPEN if (task + number) % 2 else WHOLE, float(number > 1))
        for task in range(10)
        for number in range(4)
    ]
    assert found(rows) == []
