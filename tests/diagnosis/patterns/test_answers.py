"""Answers against rewards: when a verifier is accused, and when what the model knows is."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blade.diagnosis.catalogue import title
from blade.diagnosis.fixes import fix_of
from blade.diagnosis.patterns.answers import knowledge, verifier_against_answers
from blade.diagnosis.patterns.given import AnswerRule
from tests.diagnosis.patterns.support import answer, call, check, repeat, signal, task_of, told

RULE = AnswerRule()


def accused(*repeats, rule=RULE):
    return list(verifier_against_answers(task_of(*repeats), rule))


@pytest.mark.parametrize(
    ("expected", "extracted", "codes"),
    [
        ("1234", "1,234", ["correct_answer_rejected"]),
        ("1/2", "0.5", ["correct_answer_rejected"]),
        ("B", "(B)", ["correct_answer_rejected"]),
        ("Paris", "paris", ["correct_answer_rejected"]),
        ("18", "18", ["correct_answer_rejected"]),
        ("18", "26", []),
        ("1.234", "1,234", []),  # a European may mean the same: left open
        ("Paris", "the capital of France", []),
    ],
)
def test_only_an_equivalent_answer_accuses_the_verifier(expected, extracted, codes):
    found = accused(repeat(0, False, answers=[answer(expected, extracted)]))
    assert [finding.code for finding in found] == codes


def test_an_equivalence_by_convention_says_so_and_weighs_less():
    (sure,) = accused(repeat(0, False, answers=[answer("12", "12.0")]))
    (assumed,) = accused(repeat(0, False, answers=[answer("5 km", "5")]))
    assert sure.weight > 0.8 > 0.7 > assumed.weight
    assert "convention" in assumed.detail
    assert "convention" not in sure.detail


def test_an_answer_that_is_not_all_the_verifier_looks_at_is_no_ground():
    (doubted,) = accused(repeat(0, False, answers=[answer("12", "12")], checks=[check("style", False)]))
    assert doubted.weight < 0.5
    assert "style" in doubted.detail
    assert accused(repeat(0, False, answers=[answer("12", "12")], calls=[call(2, "book_seat", seat="1A")])) == []
    assert accused(repeat(0, False, answers=[answer("12", "12")]), rule=AnswerRule(decides=False)) == []


def test_a_failed_check_of_the_answer_itself_is_no_doubt():
    right = answer("12", "12")
    (named,) = accused(repeat(0, False, answers=[right], checks=[check("answer_matches", False), check("style", True)]))
    assert named.weight > 0.8
    (learned,) = accused(
        repeat(0, False, answers=[right], checks=[check("q1", False)]), rule=AnswerRule(answer_checks=frozenset(["q1"]))
    )
    assert learned.weight > 0.8
    for_all = accused(*(repeat(number, False, answers=[right], checks=[check("style", False)]) for number in range(3)))
    assert [round(finding.weight, 2) for finding in for_all] == [0.55] * 3


@pytest.mark.parametrize(("given", "codes"), [("2.1", ["correct_answer_rejected"]), ("2.2", [])])
def test_a_figure_within_the_tolerance_of_the_task(given, codes):
    row = answer("2.061", given)._replace(tolerance=0.05)
    assert [finding.code for finding in accused(repeat(0, False, answers=[row]))] == codes


def test_an_answer_in_the_form_asked_for_that_the_verifier_did_not_read():
    row = answer("2.061", None, "Result: 2.061\n\nClear skies!")._replace(stated="2.061")
    (found,) = accused(repeat(0, False, answers=[row]))
    assert found.weight > 0.8
    (other,) = accused(repeat(0, False, answers=[row._replace(extracted="2")]))
    assert "in the form asked for" in other.detail


def test_a_stated_answer_beside_a_wrong_extraction():
    (found,) = accused(repeat(0, False, answers=[answer("1284", "2", "Step 2.\nThe answer is 1284.")]))
    assert found.code == "correct_answer_rejected"
    assert "extracted_answer is 2" in found.detail


def test_equal_answers_with_other_rewards():
    view = (repeat(0, True, answers=[answer(None, "1,200")]), repeat(1, False, answers=[answer(None, "1200")]), repeat(2, False, answers=[answer(None, "1300")]))  # fmt: skip
    (found,) = accused(*view)
    assert (found.code, found.rollout) == ("equal_answer_other_reward", "7:1")
    assert "7:0" in found.detail


def test_an_answer_that_was_not_extracted_is_raised_where_it_failed():
    missed = signal("answer_not_extracted", 4, "the answer is 7", label="TI")
    assert told(accused(repeat(0, False, signals=[missed]))) == [("answer_not_extracted", "7:0", 4)]
    assert accused(repeat(0, True, signals=[missed])) == []


@pytest.mark.parametrize(
    ("made", "rule", "found"),
    [
        ({"steps": 0}, RULE, True),
        ({"steps": 0}, AnswerRule(outputs_recorded=False), False),
        ({"signals": [signal("refusal", 1, "I can't help with that")]}, RULE, True),
        ({"signals": [signal("refusal", 1, "I can't help with that")]}, AnswerRule(refusals_pass=True), False),
        ({"signals": [signal("empty_completion", None, label="IR")]}, RULE, True),
        ({"signals": [signal("connection_failed", 11, label="IR")]}, RULE, True),  # the last step of twelve
        ({"signals": [signal("connection_failed", 3, label="IR")], "calls": [call(6, "get_user")]}, RULE, False),  # it went on
        ({}, RULE, False),
    ],
)
def test_passes_without_work(made, rule, found):
    assert [finding.code for finding in accused(repeat(0, True, **made), rule=rule)] == ["pass_without_work"] * found


def knows(*repeats, rule=RULE, **options):
    return list(knowledge(task_of(*repeats), rule, **options))


def answered(number, passed, text, **more):
    return repeat(number, passed, answers=[answer("18", text)], **more)


def test_the_same_wrong_answer_every_time_is_a_gap():
    found = knows(*(answered(number, False, text) for number, text in enumerate(["26", "26.0", "26", "26"])))
    assert {finding.code for finding in found} == {"same_wrong_answer"}
    assert [finding.rollout for finding in found] == ["7:0", "7:1", "7:2", "7:3"]
    assert "4 of 4 repeats" in found[0].detail


def test_right_and_wrong_answers_are_unreliable_knowledge():
    found = knows(answered(0, True, "18"), answered(1, False, "26"), answered(2, False, "31"), answered(3, True, "18"))
    assert told(found) == [("scattered_answers", "7:1", 3), ("scattered_answers", "7:2", 3)]
    (weaker,) = {finding.weight for finding in knows(answered(0, True, "18"), answered(1, False, "26"), told_apart=True)}
    assert weaker < found[0].weight


def test_one_sample_tells_little():
    (found,) = knows(answered(0, False, "26"))
    assert found.weight <= 0.25
    assert title(found.code, found.subject).startswith("wrong answer, tried once")


@pytest.mark.parametrize("broken", ["output_truncated", "error_ignored", "refusal", "wrong_format"])
def test_a_broken_process_says_nothing_of_knowledge(broken):
    assert knows(*(answered(number, False, "26", signals=[signal(broken, 1)]) for number in range(4))) == []


def test_a_rejected_right_answer_is_no_gap():
    assert knows(*(answered(number, False, "18.0") for number in range(4))) == []


@given(st.permutations([(True, "18"), (False, "26"), (False, "26"), (False, "31"), (True, "18")]))
def test_the_order_of_repeats_does_not_matter(order):
    found = knows(*(answered(number, passed, text) for number, (passed, text) in enumerate(order)))
    assert sorted((finding.code, finding.quote, finding.weight) for finding in found) == [
        ("scattered_answers", "26", 0.6),
        ("scattered_answers", "26", 0.6),
        ("scattered_answers", "31", 0.6),
    ]


@pytest.mark.parametrize("kept", [True, False])
def test_a_form_that_was_asked_for_and_is_lacking_is_not_the_verifiers_fault(kept):
    signals = [
        signal("answer_not_extracted", 3, label="TI"),
        *([] if kept else [signal("wrong_format", 3, detail="asked for \\boxed{}")]),
    ]
    passing = repeat(0, True, answers=[answer("1284", "1284", "\\boxed{1284}")])
    found = accused(passing, repeat(1, False, answers=[answer("1284", None, "The answer is 1284.")], signals=signals))
    assert {finding.code for finding in found} == {"answer_not_extracted", "correct_answer_rejected", "equal_answer_other_reward"}
    assert all((finding.weight > 0.8) is kept and (finding.weight < 0.3) is not kept for finding in found)


SAID = "It is joint 8"


def test_a_right_answer_in_a_sentence_is_never_a_gap():
    untaken = [repeat(number, False, answers=[answer("8", None, SAID)]) for number in range(4)]
    assert knows(*untaken) == []
    found = accused(*untaken)
    assert [(finding.code, finding.weight) for finding in found] == [("correct_answer_rejected", 0.75)] * 4
    assert "it is said in a sentence, and extracted_answer is empty" in found[0].detail
    for taken in (SAID, "joint"):  # the verifier took the whole sentence, or the wrong word of it
        rows = [repeat(number, False, answers=[answer("8", taken, SAID)]) for number in range(4)]
        assert knows(*rows) == []
        assert {finding.code for finding in accused(*rows)} == {"correct_answer_rejected"}


def test_a_right_answer_in_a_sentence_where_a_form_was_asked_for_is_a_format_miss():
    lacks = [signal("wrong_format", 3, detail="asked for the number alone")]
    rows = [repeat(number, False, answers=[answer("8", None, SAID)], signals=lacks) for number in range(4)]
    assert knows(*rows) == []
    assert {finding.weight for finding in accused(*rows)} == {0.25}


def test_a_figure_that_ends_the_message_does_not_outweigh_what_was_extracted():
    row = answer("1284", "26", "I get 26, out of a total of 1284")
    assert {finding.code for finding in knows(*(repeat(number, False, answers=[row]) for number in range(4)))} == {
        "same_wrong_answer"
    }


@pytest.mark.parametrize(("final", "weight", "doubt"), [("It is joint 9", 0.65, False), ("the capital of France", 0.4, True)])
def test_an_answer_that_the_verifier_did_not_take_is_told_so(final, weight, doubt):
    expected = "8" if final.endswith("9") else "Paris"
    found = knows(*(repeat(number, False, answers=[answer(expected, None, final)]) for number in range(4)))
    assert [(finding.code, finding.weight) for finding in found] == [("same_wrong_answer", weight)] * 4
    assert "the verifier took no answer (extracted_answer is empty)" in found[0].detail
    assert ("cannot be told to differ" in found[0].detail) is doubt


def test_different_wrong_answers_and_no_right_one_are_not_called_right_and_wrong():
    found = knows(*(answered(number, False, text) for number, text in enumerate(["26", "31", "44", "52"])))
    assert {(finding.code, finding.label) for finding in found} == {("scattered_wrong_answers", "UK")}
    assert "0 of 4 repeats are right" in found[0].detail
    assert "right and wrong" not in title("scattered_wrong_answers", "answer")
    assert "voting over samples cannot help" in fix_of("scattered_wrong_answers", "UK").detail


def known(*repeats):
    return [finding.code for finding in knowledge(task_of(*repeats), RULE)]


@pytest.mark.parametrize(
    ("expected", "given_text", "wrong"),
    [
        ("18", "26", True),
        ("Ann Lee", "Bob Ray", True),
        ("ASC 606-10-25-15", "ASC 606-10-25-14", True),
        # The same but for the name of a constant, in more words, in other words, as a program: that cannot be told.
        ("$f(x)=0$ and $f(x)=2x+c$", "f(x) = 0 \\text{ or } f(x) = 2x + b", False),
        ("carboxylic acid", "Carboxyl group (carboxylic acid)", False),
        ("SELECT name FROM guests", "SELECT guests.name FROM guests WHERE 1 = 1", False),
        ("Add the salt first", "Before anything else is done the salt has to be poured into the pot, and only then may the water follow", False),
        ("185", "image_qa(image, question)", False),
        ("Ann Lee", "[IDK]", False),
        ("Ann Lee", "I don't know.", False),
        ("17", "sixteen", True),
        ("17", "sixteen thousand miles, or 16 of them", True),
    ],
)  # fmt: skip
def test_an_answer_is_called_wrong_only_where_it_can_be_told_to_differ(expected, given_text, wrong):
    assert known(repeat(0, False, answers=[answer(expected, given_text)])) == (["wrong_answer"] if wrong else [])
    twice = (repeat(each, False, answers=[answer(expected, given_text)]) for each in range(2))
    assert known(*twice) == (["same_wrong_answer"] * 2 if wrong else [])


@pytest.mark.parametrize(("taken", "wrong"), [(None, False), ("well-rounded", True)])
def test_words_about_a_number_are_its_wrong_value_only_where_the_verifier_took_them_for_it(taken, wrong):
    said = answer("17", taken, "It takes 17,000 hours, so the answer is well-rounded.")
    assert known(repeat(0, False, answers=[said])) == (["wrong_answer"] if wrong else [])


def test_one_text_that_passes_and_fails_is_the_verifiers_and_says_nothing_of_what_is_known():
    repeats = [repeat(each, each % 2 == 1, answers=[answer("Paris", None, "Lyon")]) for each in range(4)]
    found = [(finding.code, finding.weight) for finding in accused(*repeats) if finding.label == "TI"]
    assert found == [("equal_answer_other_reward", 0.85)] * 2
    assert known(*repeats) == []
    other = repeat(4, False, answers=[answer("Paris", None, "Nice")])
    assert known(*repeats, other) == ["scattered_answers"]


def test_repeats_that_begin_in_other_states_have_no_answer_in_common():
    hands = [
        replace(repeat(each, each > 1, answers=[answer(None, "hit" if each < 2 else "stand")]), prompt=str(each))
        for each in range(4)
    ]
    assert known(*hands) == []
    assert known(*(replace(hand, prompt="one") for hand in hands)) == ["scattered_answers"] * 2
    dealt = [replace(hand, prompt="one", calls=[call(0, "look", f"hand {hand.repeat}")]) for hand in hands]
    assert known(*dealt) == []
    mixed = [replace(hand, prompt="one", answers=[answer(None, "hit")]) for hand in hands]
    assert {finding.code for finding in accused(*mixed)} == {"equal_answer_other_reward"}
    assert not accused(*(replace(hand, prompt=str(hand.repeat)) for hand in mixed))
