"""Checks over the repeats of a task: equal work judged differently, the same gap every time, or work that wavers."""

import pytest

from blade.diagnosis.catalogue import title
from blade.diagnosis.patterns.results import equal_work, knowledge_of_checks, unusable_outputs
from tests.diagnosis.patterns.support import answer, call, check, repeat, signal, task_of, told


def coded(number, passed, content="x", failed=(), **rest):
    checks = [check(name, name not in failed) for name in ("a", "b", "c")]
    calls = [call(1, "bash", "src", mutation="unknown", command="ls"), call(4, "write_file", mutation="change", path="f.py", content=content)]  # fmt: skip
    return repeat(number, passed, calls=calls, checks=checks, **rest)


def known(*repeats, **rest):
    return list(knowledge_of_checks(task_of(*repeats), **rest))


def test_equal_work_with_other_rewards():
    found = list(equal_work(task_of(coded(0, True), coded(1, False, failed="b"), coded(2, False, "y", failed="b"))))
    assert told(found) == [("equal_work_other_reward", "7:1", 4)]
    assert found[0].label == "TI"
    assert "7:0 leaves the same behind" in found[0].detail


@pytest.mark.parametrize(
    "other",
    [
        coded(1, False, signals=[signal("action_missing", 4)]),
        coded(1, False, signals=[signal("answer_untold", 4)]),
        coded(1, False, signals=[signal("connection_failed", 4, label="IR")]),
        coded(1, False, signals=[signal("output_truncated", 4)]),
        coded(1, False, answers=[answer("12", "13")]),
    ],
)
def test_equal_work_that_is_not_all_there_is(other):
    assert list(equal_work(task_of(coded(0, True, answers=[answer("12", "12")]), other))) == []


def test_without_work_nothing_is_equal():
    assert list(equal_work(task_of(repeat(0, True), repeat(1, False)))) == []


def test_the_same_checks_every_time_are_a_gap():
    found = known(*(coded(number, False, f"y{number}", failed="bc") for number in range(3)), coded(3, True))
    assert told(found) == [("same_failed_checks", f"7:{number}", 4) for number in range(3)]
    assert {finding.label for finding in found} == {"KG"}
    assert "3 of 4 repeats fail b, c" in found[0].detail


def test_some_pass_and_some_do_not():
    found = known(coded(0, True), coded(1, False, "y", failed="b"), coded(2, True), coded(3, False, "z", failed="c"))
    assert told(found) == [("wavering_work", "7:1", 4), ("wavering_work", "7:3", 4)]
    assert {finding.label for finding in found} == {"UK"}
    (doubted,) = known(coded(0, True), coded(1, False, "y", failed="b"), told_apart=True)
    assert doubted.weight < 0.4 < found[0].weight


def test_one_repeat_tells_little():
    (found,) = known(coded(0, False, failed="b"))
    assert found.weight < 0.3
    assert title(found.code, found.subject).startswith("failed checks, tried once")


@pytest.mark.parametrize(
    "rest",
    [
        {"signals": [signal("error_ignored", 4)]},
        {"signals": [signal("no_self_check", 4)]},
        {"signals": [signal("check_broken", label="TI")]},
        {"signals": [signal("verifier_error", label="TI")]},
        {"signals": [signal("server_error", 3, label="IR")]},
        {"answers": [answer("12", "13")]},
    ],
)
def test_what_is_explained_otherwise_says_nothing_of_knowledge(rest):
    assert known(*(coded(number, False, failed="b", **rest) for number in range(4))) == []


@pytest.mark.parametrize(
    ("name", "code"),
    [("Confidentiality", "words_not_allowed"), ("code_withheld", "words_not_allowed"), ("Report", "equal_work_other_reward")],
)
def test_the_same_work_and_a_check_of_what_must_not_be_said(name, code):
    made = (call(2, "book_trip", bags=1),)
    good = repeat(0, True, calls=made, checks=(check("calls", True), check(name, True)))
    bad = repeat(1, False, calls=made, checks=(check("calls", True), check(name, False, detail="names the donor")))
    assert [finding.code for finding in equal_work(task_of(good, bad))] == [code]


def test_an_output_that_the_verifier_can_use_nothing_of_is_no_lack_of_knowledge():
    said = check("model_output_invalid", False, field="failure_reason", detail="model_output_invalid")
    view = task_of(repeat(0, False, checks=[said]))
    assert [code for code, *_ in told(unusable_outputs(view))] == ["output_unusable"]
    assert told(knowledge_of_checks(view)) == []
    told_wrong = task_of(repeat(0, False, checks=[check("The agent gave wrong information", False, field="failure_reason")]))
    assert told(unusable_outputs(told_wrong)) == []
    late = task_of(repeat(0, False, checks=[check("too late", False, field="failure_reason")]))
    assert told(unusable_outputs(late)) == []
    assert [code for code, *_ in told(knowledge_of_checks(late))] == ["failed_checks"]


def judged(expected, given, *checks):
    return [finding.quote for finding in knowledge_of_checks(task_of(repeat(0, False, answers=[answer(expected, given)], checks=checks)))]  # fmt: skip


def test_checks_tell_where_an_answer_cannot_be_compared_and_the_deciding_one_first():
    listed = (check("names a town", False, detail="no"), check("names the year", False, detail="must pass: no year"))
    prose = "A full answer has to establish both of these: that the town is named, and the year in which it was founded"
    assert judged(prose, "The town is old.", *listed) == ["names the year: must pass: no year"]
    assert judged("1204", "1380", *listed) == []  # the answer itself is another
    assert judged("1204", "1204", *listed) == []
