"""When two rollouts put out the same, and what a row tells of its earlier grade."""

import pytest

from blade.runs.rows import RowDecoder
from blade.runs.scan import RowView
from blade.signals.example import Example, call, says, thinks, user
from blade.signals.outputs import OutputsExtractor, output_hash
from blade.signals.rollout import read_rollout


def hashed(*happened, **given):
    return output_hash(read_rollout(Example(happened, **given).text()))


def told(*happened, **fields):
    text = Example(happened, fields=fields).text()
    return next(iter(OutputsExtractor().extract(RowView(RowDecoder().decode(text), text))))


SAME = (call("pay", "ok", amount=5), says("Done."))


@pytest.mark.parametrize(
    "other",
    [
        Example((thinks("Five it is."), *SAME)),
        Example(SAME, asked="Pay.", response={"id": "resp_2", "created_at": 9, "usage": {"output_tokens": 7}}),
        Example(([item | {"id": "fc_9", "call_id": "c_9"} for item in call("pay", "ok", amount=5)], says("Done."))),
        Example(SAME, fields={"reward": 0, "extracted_answer": "x"}),
    ],
    ids=["reasoning", "response", "ids", "fields"],
)
def test_what_stands_beside_the_content_does_not_count(other):
    assert output_hash(read_rollout(other.text())) == hashed(*SAME) != None  # noqa: E711


@pytest.mark.parametrize(
    "other",
    [
        (call("pay", "ok", amount=6), says("Done.")),
        (call("pay", "failed", amount=5), says("Done.")),
        (call("send", "ok", amount=5), says("Done.")),
        (says("Done."), call("pay", "ok", amount=5)),
        (call("pay", "ok", amount=5),),
        (*SAME, user("Thanks.")),
    ],
)
def test_another_word_call_or_answer_is_another_output(other):
    assert hashed(*other) != hashed(*SAME)


def test_an_empty_output_has_no_hash_unless_something_was_made():
    assert hashed() is None
    assert hashed(thinks("Hm.")) is None
    assert hashed(says("  "), user("Hello?")) is None
    patch, same, other = (hashed(fields={"model_patch": made}) for made in ("+ x", "+ x", "+ y"))
    assert patch == same != other
    assert patch is not None


def test_half_a_character_is_no_stop():
    text = Example((says("A@B"),)).text().replace(b"A@B", b"A\\ud800B")
    assert output_hash(read_rollout(text)) is not None


def test_the_last_act_is_the_assistants():
    assert told(says("Hi."), user("Bye."))[1] == 0
    assert told(call("pay", "503 Service Unavailable"))[1] == 0
    assert told(user("Hello?"))[1] is None


@pytest.mark.parametrize(
    ("reverified", "expected"),
    [
        ({"previous_reward": 1, "previous_verifier": "exact@1", "verifier": "exact@2"}, (1.0, "exact@1", "exact@2")),
        ({"previous_reward": True}, (1.0, None, None)),
        ({"previous_reward": "1", "verifier": {"b": 2, "a": 1}}, (None, None, '{"a":1,"b":2}')),
        ({"previous_reward": float("nan")}, (None, None, None)),
        ("yes", (None, None, None)),
        (None, (None, None, None)),
    ],
)
def test_an_earlier_grade(reverified, expected):
    assert told(says("12"), reverified=reverified)[2:] == expected
