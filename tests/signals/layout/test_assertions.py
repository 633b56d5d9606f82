"""Expectations written as assertions: what each way of writing says, and which calls passing rollouts make for it."""

import json

import pytest

from blade.signals import read_rollout
from blade.signals.data.choices import contradictory_gold
from blade.signals.example import call, says, tool
from blade.signals.layout.assertions import ABSENT, RECORDS, UNREAD, VALUES, asserted
from blade.signals.options import Options
from tests.signals.layout.support import layout, paths, row

SHIPPED = {"orders": {"status": [{"id": "O-1", "status": "shipped"}]}}
BOOKED = {"tests": {"any": [{"lot": "L1", "day": "2027-04-05"}]}}


@pytest.mark.parametrize(
    ("written", "records"),
    [
        ('assert orders["O-1"].status == "shipped"', SHIPPED),
        ("assert orders['O-1']['status'] == 'shipped', 'it was not sent'", SHIPPED),
        ("expect(orders['O-1'].status).toBe('shipped');", SHIPPED),
        ("self.assertEqual(orders['O-1'].status, 'shipped')", SHIPPED),
        ("assert_that(orders.get('O-1').status).is_equal_to('shipped')", SHIPPED),
        ("orders.O-1.status == shipped", SHIPPED),
        ('/orders/O-1/status = "shipped"', SHIPPED),
        ("assert orders[?(@.id=='O-1')].status == 'shipped'", SHIPPED),
        ("SELECT status FROM orders WHERE id = 'O-1' => 'shipped'", SHIPPED),
        ([{"path": "orders.O-1.status", "op": "eq", "value": "shipped"}], SHIPPED),
        ([{"query": "SELECT status FROM orders WHERE id = 'O-1'", "expected": "shipped"}], SHIPPED),
        (['assert orders["O-1"].status == "shipped"'], SHIPPED),
        ('def check(db):\n    order = orders["O-1"]\n    assert order.status == "shipped"', SHIPPED),
        ("assert any(t['lot'] == 'L1' and t['day'] == '2027-04-05' for t in tests)", BOOKED),
        ("assert len([t for t in tests if t.lot == 'L1' and t.day == '2027-04-05']) == 1", BOOKED),
        ('assert added(tests, lot="L1") == 1', {"added": {"tests": [{"lot": "L1"}]}}),
        ('assert count(tests, lot="L1") == 0', {"count": {"tests": {ABSENT: [{"lot": "L1"}]}}}),
        ('assert "T-5" not in tours', {"tours": {ABSENT: [{"id": "T-5"}]}}),
        ('assert customers["C-7"].address2 == "attic"', {"customers": {"address2": [{"id": "C-7", "address2": "attic"}]}}),
        ("assert diff.count == 0", {}),
    ],
)
def test_what_should_stand_in_which_record(written, records):
    assert asserted(written)[RECORDS] == records


@pytest.mark.parametrize(
    ("written", "values"),
    [
        ('assert reply == "29"', {"reply": "29"}),
        ("expect(answer.text).toContain('tomorrow')", {"answer.text contains": ["tomorrow"]}),
        ('assert "tomorrow" in reply', {"reply contains": ["tomorrow"]}),
        ("assert len(db.tests) == 3", {"len.db.tests": 3}),
    ],
)
def test_what_should_be_said(written, values):
    found = asserted(written)
    assert found[VALUES] == values
    assert RECORDS not in found  # who asserts what is said says nothing of what is done


@pytest.mark.parametrize(
    "written",
    [
        "Check that the order is shipped",
        "Answer = 5",
        "Expect the agent to say hello = politely",
        "expect(book).toHaveBeenCalledWith({seat: '12A'})",
        ["assert double(2) == 4", "assert double(3) == 6"],
        [{"path": "src/main.py", "value": 3}, "a text"],
        [],
    ],
)
def test_other_texts_assert_nothing_of_records(written):
    assert asserted(written) is None


def test_a_line_that_nobody_can_read_is_not_passed_over():
    assert UNREAD in asserted('assert orders["O-1"].status == "shipped"\nassert sum(prices) < LIMIT')[RECORDS]


TOOLS = (
    tool("find_lot", taxon="string"),
    tool("send_sample", lot="string", to="string", grams="number"),
    tool("draw_seed", lot="string", grams="number"),
    tool("set_climate", room="string", celsius="integer", humidity="integer"),
    tool("publish_mix", mix="string"),
)


def as_script(lines):
    return "\n".join(f"assert {line}" for line in lines)


def as_paths(lines):
    return [{"path": line.partition(" == ")[0], "equals": json.loads(line.partition(" == ")[2])} for line in lines]


def garden(shape):
    """Seed is sent, drawn, kept in rooms and sold in mixes; one repeat of some tasks does it to another record."""
    rows = []
    for task in range(12):
        for repeat in range(3):
            wrong = repeat == 1 and task < 8
            lot = f"L-{80 + task}" if wrong else f"L-{20 + task}"
            right = f"L-{20 + task}"
            match task % 4:
                case 0:
                    made = call("send_sample", "ok left=41.5", lot=lot, to="Graz", grams=3 + task)
                    lines = [
                        f'samples["{right}"].to == "Graz"',
                        f'samples["{right}"].grams == {3 + task}',
                        f'lots["{right}"].left == 41.5',
                    ]
                case 1:
                    made = call("draw_seed", f"ok left={50 + task}", lot=lot, grams=2)
                    lines = [f'lots["{right}"].left == {50 + task}']
                case 2:
                    made = call("set_climate", "ok", room=lot, celsius=4 + task, humidity=30 + task)
                    lines = [f'rooms["{right}"].celsius == {4 + task}', f'rooms["{right}"].humidity == {30 + task}']
                case _:
                    made = call("publish_mix", "ok", mix=lot)
                    lines = [f'mixes["{right}"].status == "published"']
            items = [call("find_lot", f"lot={right}", taxon="Salvia"), made, says("Done.")]
            rows.append(row(task, repeat, not wrong, *items, tools=TOOLS, zeta=shape(lines), asked="Do as the note says."))
    return rows


@pytest.mark.parametrize("shape", [as_script, as_paths])
@pytest.mark.parametrize(
    ("task", "calls"),
    [
        (0, [("send_sample", {"lot": "L-20", "to": "Graz", "grams": 3})]),  # what is left comes of the sample
        (1, [("draw_seed", {"lot": "L-21"})]),  # the answer tells what is left, so that a record names its call
        (2, [("set_climate", {"room": "L-22", "celsius": 6, "humidity": 32})]),  # two lines about one call
        (3, [("publish_mix", {"mix": "L-23"})]),
    ],
)
def test_assertions_read_as_the_calls_that_make_them_true(shape, task, calls):
    rows = garden(shape)
    found = read_rollout(rows[3 * task], Options(layout=layout(rows))).expectation
    assert found is not None
    assert [(one.name, one.arguments) for one in found.calls] == calls


def test_the_answer_that_is_asserted_is_the_gold():
    rows = []
    for task in range(8):
        for repeat in range(3):
            said = f"{31 + task}" if repeat == 1 and task < 3 else f"{71 + task}"
            script = f'assert diff.count == 0\nassert reply == "{71 + task}"'
            rows.append(row(task, repeat, said == f"{71 + task}", says(f"Answer: {said}"), zeta=script))
    assert paths(layout(rows).expected) == ["zeta.?values.reply"]


def test_what_all_did_beside_what_varies_is_a_record_and_no_expectation():
    rows = []
    for task in range(8):
        for repeat in range(3):
            made = {"lots": [{"id": f"L-{task}", "grams": 5 + task}]}
            judged = {"changed": made, "seconds": task + repeat}
            items = [call("draw_seed", "ok", lot=f"L-{task}", grams=5 + task), says("Done.")]
            rows.append(row(task, repeat, task > 2, *items, tools=TOOLS, zeta=judged))
    assert layout(rows).state == ()


def counted(task, clash):
    """Tasks with one asserted change and with two; the last one asserts what cannot all hold."""
    lines = [f'assert rooms["R-{task}"].celsius == {4 + task}']
    lines += [f'assert rooms["R-{task}"].humidity == {40 + task}'] if task % 2 else []
    return "\n".join([*lines, *clash, f"assert diff.count == {1 + task % 2}"])


@pytest.mark.parametrize(
    ("clash", "told"),
    [
        ((), ""),
        (('assert rooms["R-9"].celsius == 21',), "rooms.celsius of R-9 is to be 13 and 21"),
        (('assert rooms["R-5"].celsius == 13',), "diff.count is to be 2, and 3 changes are asserted"),
    ],
)
def test_assertions_that_cannot_all_hold(clash, told):
    rows = []
    for task in range(10):
        made = call("set_climate", "ok", room=f"R-{task}", celsius=4 + task, **({"humidity": 40 + task} if task % 2 else {}))
        script = counted(task, clash if task == 9 else ())
        rows += [row(task, repeat, task < 9, made, says("Done."), tools=TOOLS, zeta=script) for repeat in range(2)]
    found = read_rollout(rows[-1], Options(layout=layout(rows)))
    assert [one.quote for one in contradictory_gold(found)] == ([told] if told else [])
