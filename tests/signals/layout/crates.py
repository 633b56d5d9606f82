"""Crates that are put into bays, and rows that tell of it."""

from blade.signals.example import call, says, tool
from tests.signals.layout.support import row

TOOLS = (tool("shift_crate", crate="string", bay="string"), tool("crate_state", crate="string"))


def moves(entry, tasks=7, reads=False):
    """Crates are put into bays; the second repeat of some tasks takes another bay. `entry` writes down one expected call."""
    rows = []
    for task in range(tasks):
        wanted = {"crate": f"C-{task}77", "bay": f"B{task}"}
        for repeat in range(3):
            made = wanted | {"bay": "B99"} if repeat == 1 and task < 3 else wanted
            items = [call("crate_state", f"{made['crate']} stands in the yard", crate=made["crate"])] if reads else []
            items += [call("shift_crate", "ok", **made), says("Done.")]
            rows.append(
                row(task, repeat, made == wanted, *items, tools=TOOLS, zeta=[entry("shift_crate", wanted)] if entry else [])
            )
    return rows
