"""What all entries of a list say that they are: expected calls, or a record of those made."""

import pytest

from blade.signals.example import call, says
from tests.signals.layout.crates import TOOLS
from tests.signals.layout.support import layout, paths, row


def recorded(entry_of, kinds=("OracleEvent", "CompletedEvent")):
    """Questions and moves whose repeats all do the same, so that a record of what was done is as constant as what is expected."""
    rows = []
    for task in range(8):
        wanted = {"crate": f"C-{task}77", "bay": f"B{task}"}
        made = wanted | {"bay": "B99"} if task in (1, 2) else wanted
        for repeat in range(3):
            items = (call("shift_crate", "ok", **made), says("Done."))
            fields = {"alpha": [entry_of(kinds[1], made)], "beta": [entry_of(kinds[0], wanted)]}
            rows.append(row(task, repeat, made == wanted, *items, tools=TOOLS, **fields))
    return rows


@pytest.mark.parametrize("clipped", [False, True])
def test_what_entries_say_that_they_are_tells_what_is_expected(clipped):
    def entry(kind, given):
        kept = (
            {key: value[:2] for key, value in given.items()}
            if clipped and kind != "OracleEvent" and "77" in given["crate"][2:] and given["crate"] < "C-2"
            else given
        )
        return {"kind_of": kind, "tool": "shift_crate", "given": kept}

    assert paths(layout(recorded(entry)).calls) == ["beta"]


def test_a_verdict_is_no_kind():
    def entry(kind, given):
        return {"verdict": kind, "tool": "shift_crate", "given": given}

    told = layout(recorded(entry, ("matched", "true"))).calls
    assert paths(told) == ["beta"]  # by what failing rollouts did, and not by a word that says how it went
