"""Gold against the other fields of its row."""

from dataclasses import replace

import pytest

from blade.diagnosis.patterns.gold import contradicted_gold
from blade.diagnosis.views import ExpectedRow, RestatedRow
from blade.signals.behaviour.action_reasons import NAMED_SO, OTHERWISE
from tests.diagnosis.patterns.support import answer, repeat, signal, task_of

SOLUTION = "7 stone are 98 pounds. With 5 more that makes 103. The result is 103."


def answered(number, given, gold="89", passed=False, **fields):
    made = repeat(number, passed, answers=[answer(gold, given)])
    return replace(made, restated=[RestatedRow(field, value) for field, value in fields.items()])


def found(*repeats):
    return list(contradicted_gold(task_of(*repeats)))


@pytest.mark.parametrize(
    ("gold", "given", "text", "strong"),
    [
        ("89", "103", SOLUTION, True),
        ("\\frac{3}{7}", "\\frac{7}{3}", "Rise over run. The result is \\frac{7}{3}.", True),
        ("89", "103", "98 + 5 = <<98+5=103>>103\n#### 103", True),
        ("Almaty", "Astana", "Astana", True),
        ("7", "0", "2424-040 takes the check digit 0 (ISO 3297).", True),
        ("123.4", "2.1", "7404 s = 123.4 min = 2.057 h", True),  # it mentions the gold, and comes to something else
        ("Lor 5, Nyx 40, Tal 3", "Tal 3, Nyx 40, Lor 5", "Ascending magnitude: Tal 3 < Nyx 40 < Lor 5", True),
        ("2026-04-03", "2026-03-27", "2026-03-27", True),
        ("Ada, Bo", "Ada, Bo, Cy", "Those who stayed: Ada, Bo, Cy.", True),  # the gold is a part of what the solution says
        ("89", "104", "98 + 5\n#### 103", False),  # marked, but nobody gave it
    ],
)
def test_a_field_that_says_something_else(gold, given, text, strong):
    (finding,) = found(answered(0, given, gold, solution=text))
    assert (finding.code, finding.label, finding.subject) == ("gold_contradicted", "DA", "solution")
    assert (finding.weight > 0.8) is strong
    assert finding.weight > 0.5


@pytest.mark.parametrize(
    ("gold", "given", "text"),
    [
        ("103", "89", SOLUTION),  # the solution agrees with the gold
        ("89", "103", "Take 103 and subtract 14 to get 89."),  # both are mentioned, the gold among them
        ("1,284", "7", "The result is 1284."),
        ("2.057", "123.4", "7404 s = 123.4 min = 2.057 h"),
        ("Tal 3, Nyx 40, Lor 5", "Lor 5, Nyx 40, Tal 3", "Ascending magnitude: Tal 3 < Nyx 40 < Lor 5"),
        ("0.5", "7", "The answer is 1/2."),
        ("89", "103", "See the chapter on units."),
        ("Almaty", "Astana", "The former capital."),
        ("Ada, Bo, Cy", "Ada, Bo", "Those who stayed: Ada, Bo, Cy."),
        ("89", "5", "7 stone are 98 pounds and 5 more. See above for the sum of it, which is left to the reader, as is the rest of this long text on units."),
    ],
)  # fmt: skip
def test_a_field_that_does_not_contradict(gold, given, text):
    assert found(answered(0, given, gold, solution=text)) == []


@pytest.mark.parametrize(
    ("gold", "given", "text", "passed", "blamed"),
    [
        ("2019", "33", "Ilse Brandt retired on 2019-08-14. By her own calendar that is day 33.", False, True),
        ("40", "97", "Shelves: 40 + 57 = 97 boards. Each has two ends, and so there are 97.", False, True),
        ("2019", "16:05", "The talk on 2019-08-14 at 14:05 UTC begins when clocks there show 16:05.", False, True),
        ("40", "97", "Shelves: 40 + 57 boards. Of 97 boards 40 are left, and not 97.", False, False),  # the gold is where it ends
        ("57", "97", "Shelves: 40 + 57 boards. Together that is 97.", False, False),  # no program takes the second number
        ("40", "97", "Shelves: 40 + 57 boards. Together that is 97.", True, False),  # somebody found the gold
    ],
)
def test_the_first_number_of_a_text_that_comes_to_another(gold, given, text, passed, blamed):
    last = answered(2, gold if passed else given, gold, passed, solution=text)
    repeats = [answered(0, given, gold, solution=text), answered(1, given, gold, solution=text), last]
    strong = [finding for finding in found(*repeats) if "the first number in it" in finding.detail]
    assert [finding.rollout for finding in strong] == (["7:0", "7:1", "7:2"] if blamed else [])


def test_repeats_that_do_not_agree_say_nothing_of_a_first_number():
    text = "Shelves: 40 + 57 boards. Together that is 97."
    assert found(answered(0, "97", "40", solution=text), answered(1, "96", "40", solution=text)) == []


def test_a_field_that_varies_was_written_by_someone_else():
    assert found(answered(0, "103", solution="It is 103."), answered(1, "103", solution="So 103.")) == []


def test_every_failing_repeat_is_named_and_no_passing_one():
    repeats = [answered(0, "103", solution=SOLUTION), answered(1, "103", solution=SOLUTION), answered(2, "89", passed=True, solution=SOLUTION)]  # fmt: skip
    assert [finding.rollout for finding in found(*repeats)] == ["7:0", "7:1"]


@pytest.mark.parametrize(
    ("stated", "given", "contradicts"),
    [("2026-03-27", "2026-03-27 10:00:00", True), ("2026-03-27", "2026-04-10 10:00:00", False), ("2026-04-03", "2026-03-27 10:00:00", False)],
)  # fmt: skip
def test_a_value_that_no_expected_call_has(stated, given, contradicts):
    wanted = ExpectedRow(0, "move_event", '{"id":"7","start":"2026-04-03 10:00:00"}', "change", "wrong_argument", 3, "")
    wrong = signal("action_wrong_argument", 3, f"start={given}", "expected 2026-04-03 10:00:00", subject="move_event.start")
    made = replace(repeat(0, False, signals=[wrong], expected=[wanted]), restated=[RestatedRow("answer_date", stated)])
    assert bool(found(made)) is contradicts


@pytest.mark.parametrize(
    ("note", "contradicts"),
    [("46.15 against a limit of 42.00: class 2.", True), ("Class 1, as asked.", False), ("2 of 40 seats are free.", False), ("class 2 or class 1", False)],
)  # fmt: skip
def test_a_figure_counts_beside_the_name_of_its_argument(note, contradicts):
    wanted = ExpectedRow(0, "set_seat", '{"order":"7","travel_class":1}', "change", "wrong_argument", 3, "")
    wrong = signal(
        "action_wrong_argument", 3, "travel_class=2", "set_seat expects travel_class=1", subject="set_seat.travel_class"
    )
    made = replace(repeat(0, False, signals=[wrong], expected=[wanted]), restated=[RestatedRow("reference_note", note)])
    assert bool(found(made)) is contradicts


@pytest.mark.parametrize(
    ("field", "note", "contradicts"),
    [
        ("travel_class", "46.15 against a limit of 42.00: class 2. Seats are kept for 24 hours.", True),
        ("travel_class", "46.15 against a limit of 42.00: class 1. Seats are kept for 2 hours.", False),
        ("meal", "46.15 against a limit of 42.00: class 2. Seats are kept for 24 hours.", False),
    ],
)
def test_a_value_is_known_by_the_choice_beside_it(field, note, contradicts):
    wanted = ExpectedRow(0, "set_field", f'{{"order":"7-K","field":"{field}","value":1}}', "change", "wrong_argument", 3, "")
    wrong = signal("action_wrong_argument", 3, "value=2", "set_field expects value=1", subject="set_field.value")
    made = replace(repeat(0, False, signals=[wrong], expected=[wanted]), restated=[RestatedRow("reference_note", note)])
    assert bool(found(made)) is contradicts


@pytest.mark.parametrize(
    ("argument", "note", "contradicts"),
    [
        ("value", "Score of the last visit, counted from nought, is 7.", True),
        ("value", "7 of the trees stand by the lake.", False),
        ("value", "Of the two rows, 4 and 7, the longer one is 7.", False),  # both are there
        ("rows", "Score of the last visit, counted from nought, is 7.", False),  # it speaks of something else
        ("percent", "The first is paid 3 % more, the other one 7 % more.", True),
        ("percent", "The first is paid 7 % more, the other one 4 % more.", False),
    ],
)
def test_a_figure_is_known_by_its_sign_or_where_the_text_ends(argument, note, contradicts):
    assert bool(found(*(gave(number, (argument, 7, 4), note=note) for number in range(2)))) is contradicts


def test_numbers_that_have_changed_places_are_the_agents_fault_unless_they_were_named_so():
    plain = [gave(number, ("rows", 17, 26), ("trees", 26, 17)) for number in range(2)]
    assert found(*plain) == []
    named = [replace(one, signals=[replace_detail(each, f"{each.detail}; {NAMED_SO}") for each in one.signals]) for one in plain]
    assert [one.label for one in found(*named)] == ["DA", "DA"]


def gave(number, *wrong, passed=False, note=""):
    """A repeat with wrong values: (argument, what it gave, what is expected)."""
    signals = [
        signal(
            "action_wrong_argument",
            subject=f"plant.{name}",
            step=3,
            quote=f"{name}={given}",
            detail=f"plant expects {name}={wanted}",
        )
        for name, given, wanted in wrong
    ]
    expected = [ExpectedRow(0, "plant", "{}", "change", "wrong_argument", 3, "")]
    made = replace(repeat(number, passed, signals=signals), expected=expected)
    return replace(made, restated=[RestatedRow("note", note)]) if note else made


def test_expected_values_that_have_changed_places_are_the_datas_fault():
    crossed = ("story", "NS-17", "CT-26"), ("author", "CT-26", "NS-17")
    assert [one.code for one in found(gave(0, *crossed), gave(1, *crossed))] == ["gold_contradicted"] * 2
    assert found(gave(0, *crossed), gave(1, ("story", "NS-17", "CT-26"))) == []  # not all repeats
    assert found(gave(0, *crossed), gave(1, *crossed), gave(2, passed=True)) == []  # somebody passes


@pytest.mark.parametrize(
    ("note", "told"), [("PL-1: 95.", True), ("PL-1: 105.", False), ("PL-1: 95, not 105.", False), ("PL-95", False)]
)
def test_a_figure_that_a_note_tells(note, told):
    assert bool(found(*(gave(number, ("minutes", 95, 105), note=note) for number in range(2)))) is told


@pytest.mark.parametrize(("note", "told"), [("Rowan 23 %, Elm 7 %", False), ("Rowan 23 %", True)])
def test_a_note_that_has_the_expected_figure_too_may_tell_of_two_records(note, told):
    assert bool(found(*(gave(number, ("percent", 23, 7), note=note) for number in range(2)))) is told


@pytest.mark.parametrize(
    ("note", "told"), [("In Switzerland (CH).", True), ("CH or PL.", False), ("In Switzerland.", False), ("Chur", False)]
)
def test_a_code_that_a_note_tells(note, told):
    assert bool(found(*(gave(number, ("country", "CH", "PL"), note=note) for number in range(2)))) is told


def test_a_flag_that_the_request_has_in_words():
    wrong = gave(0, ("alert", False, True))
    said = replace(wrong, signals=[replace_detail(wrong.signals[0], f"plant expects alert=True; {OTHERWISE}")])
    assert [one.label for one in found(said, replace(said, rollout="t:1"))] == ["DA", "DA"]
    assert found(wrong, replace(wrong, rollout="t:1")) == []


def replace_detail(made, detail):
    return made._replace(detail=detail)


REFUSAL = "I'm sorry, but as an AI language model I can't help with that."


@pytest.mark.parametrize(
    ("gold", "given", "told"),
    [
        (REFUSAL, ["Paris", "Paris", "Paris"], True),
        (
            REFUSAL,
            ["Sure! Step 1: take a pot and fill it to the brim with water, then wait.", "First of all, buy a pot.", "Well, no."],
            False,
        ),
        ("15:45 UTC +2 h (summer time) #### 17:45", ["17:45", "17:45", "17:45"], True),
        ("15:45 UTC +2 h (summer time) #### 17:45", ["18:45", "18:45", "18:45"], False),
        ("17:45", ["17:45", "17:45", "17:45"], False),
    ],
    ids=["a refusal", "nobody agrees", "a worked solution", "another result", "the answer itself"],
)
def test_gold_that_nobody_can_give(gold, given, told):
    assert bool(found(*(answered(number, text, gold) for number, text in enumerate(given)))) is told


@pytest.mark.parametrize(
    ("note", "given", "wanted", "told"),
    [
        ("Silver Album: B flat major, so 2 flats", "2 flats", "4 flats", True),
        ("born 2016-02-24, was 9 on 1 January: U10; K 40", "U10", "U18", True),
        ("the first free row of the sheet is 7", "7", "6", True),
        ("-15 C with 30 km/h of wind feel like -26 C", "-26", "-20", True),
        ("-15 C with 30 km/h of wind feel like -20 C", "-26", "-20", False),
        ("rows 6 and 7 are free", "7", "6", False),
        ("Ann Hale in studio 37 on Friday 27 November, for a reading", "27/11/2026", "24/11/2026", True),
        ("Ann Hale in studio 37 on Friday 27 November, for a reading", "2026-11-27", "2026-11-24", True),
        ("Ann Hale in studio 37 on Friday 27 November, for notes after the run", "27/11/2026", "24/11/2026", True),
        ("Ann Hale in studio 37 on Friday 27 November, for a reading", "24/11/2026", "27/11/2026", False),
        ("moved from 24 November to Friday 27 November", "27/11/2026", "24/11/2026", False),  # it names both
        ("asked on Friday 27 November: three working days", "27/11/2026", "02/12/2026", False),  # it counts on
        ("on leave from 2026-11-27; a colleague stands in", "2026-11-27", "2026-11-24", True),  # as it is written
        ("38 days after 20 October it is Friday 27 November.", "27/11/2026", "11/27/2026", False),  # either way round
        ("38 days after 20 October it is Friday 27 November.", "27/11/2026", "24/11/2026", True),  # what it comes to
        ("27 November is a holiday, so the Monday", "27/11/2026", "30/11/2026", False),
        ("on 10/11/2026 the house is open", "11/10/2026", "17/11/2026", True),  # whichever comes first
    ],
)
def test_notes_that_name_what_was_given(note, given, wanted, told):
    wrong = signal("action_wrong_argument", 3, f"row={given}", f"put expects row={wanted}; x", subject="put.row")
    rows = [replace(repeat(number, False, signals=[wrong]), restated=[RestatedRow("why", note)]) for number in range(2)]
    rows = [
        replace(one, expected=[ExpectedRow(0, "put", f'{{"row":"{wanted}"}}', "change", "wrong_argument", 3, "")]) for one in rows
    ]
    assert bool(found(*rows)) is told


def branched(number, why, made='add_note({"id":"A-1","text":"collect before issue"})', passed=False):
    """One branch of a request is taken where the other one is expected."""
    wanted = ExpectedRow(0, "set_status", '{"id":"A-1","status":"issued"}', "change", "missing", None, "")
    signals = [
        signal("action_extra", 5, made, subject="add_note"),
        signal("action_missing", 9, 'set_status({"id":"A-1","status":"issued"})', subject="set_status"),
    ]
    return replace(repeat(number, passed, signals=signals, expected=[wanted]), restated=[RestatedRow("why", why)])


@pytest.mark.parametrize(
    ("why", "contradicted"),
    [
        ("359 is owed on A-1, so the note: collect before issue", True),
        ("nothing is owed, so it is issued and gets no note: collect before issue", False),  # it names both
        ("359 is owed on A-1, so without the collect before issue", False),
        ("359 is owed on A-1", False),
    ],
)
def test_the_branch_that_the_rows_own_text_takes(why, contradicted):
    assert bool(found(branched(0, why), branched(1, why))) is contradicted


def test_repeats_that_take_other_branches_tell_nothing():
    why = "359 is owed on A-1, so the note: collect before issue"
    assert found(branched(0, why), branched(1, why, made='add_note({"id":"A-1","text":"call the holder"})')) == []
