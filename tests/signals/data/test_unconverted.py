"""Gold that was left as the record has it, and what only looks like it."""

import pytest

from blade.signals.example import Example, call, says
from tests.signals.support import steps

CODE = "gold_as_recorded"
TROY = '{"troy_lb": 12, "troy_oz": 3}'


def measured(record, given, wanted, asked="What did meter M1 count last month, as a figure in MJ?"):
    made = (call("get_meter", record, meter="M1"), says(f"Answer: {given}"))
    return Example(made, asked=asked, fields={"expected_answer": wanted, "extracted_answer": given})


def begins(given, asked, wanted="12:35", record='{"begins": "2026-07-17T12:35Z"}', note=""):
    made = (call("get_fair", record, name="Lantern Fair"), says(f"Answer: {given}"))
    return Example(made, asked=asked, fields={"expected_answer": wanted, "extracted_answer": given, "explanation": note})


RIGA = "At what time does the Lantern Fair begin in Riga, local time?"
LONDON = "At what time does the Lantern Fair begin in London, local time?"
TAMPERE = "By the clocks in Tampere, when does the Lantern Fair begin?"
WINTER = '{"begins": "2026-01-17T12:35Z"}'


CASES = [
    (CODE, measured('{"last_month_kwh": 221}', "795.6", "221.0"), True),
    (CODE, measured("sacks: 180 lb, 220 lb", "181.4", "400", "What is their weight in kilograms?"), True),
    (CODE, measured(TROY, "4572.2", "147.0", "What is the weight in grams?"), True),
    (CODE, measured('{"last_month_kwh": 221}', "61.4", "221.0"), False),  # converted the wrong way round
    (CODE, measured('{"last_month_kwh": 221}', "700.0", "221.0"), False),  # in no proportion of the two units
    (CODE, measured('{"last_month_kwh": 221}', "795.6", "221.0", "What did meter M1 count?"), False),  # no unit is asked for
    (CODE, measured('{"last_month": 221}', "795.6", "221.0"), False),  # the record has no unit
    (CODE, measured('{"last_month_kwh": 61.4, "in_mj": 221}', "795.6", "221.0"), False),  # it has the one asked for as well
    (CODE, begins("15:35", RIGA), True),
    (CODE, begins("15:35", RIGA, record='{"begins_utc": "2026-07-17 12:35"}'), True),
    (CODE, begins("14:35", RIGA), False),  # not the time in Riga either
    (CODE, begins("13:35", LONDON, record=WINTER), False),  # which has universal time in winter
    (CODE, begins("13:35", LONDON), True),
    (CODE, begins("15:35", TAMPERE, note="Begins at 12:35 UTC, 12:35 in Tampere"), True),
    (CODE, begins("15:35", TAMPERE), False),  # no zone has its name, and nothing else tells
    (CODE, begins("13:35", "By the clocks in Bristol, when does it begin?", note="12:35 UTC, 12:35 in Bristol"), False),
    (CODE, begins("15:35", RIGA, record='{"begins": "2026-07-17 12:35"}'), False),  # by whose clock is not told
    (CODE, begins("15:35", "When does the Lantern Fair begin?"), False),
]


@pytest.mark.parametrize(("code", "example", "fires"), CASES)
def test_gold_as_the_record_has_it(code, example, fires):
    assert bool(steps(code, example)) is fires
