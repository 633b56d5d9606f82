"""What goes wrong around the garage's agents: the words of its broken machinery, and the ways in which its dataset breaks."""

from __future__ import annotations

from typing import Final

from blade.lab.faults import troubles
from blade.lab.stage.script import Row

troubles.TOOL_TEXTS["blank_output"] = ("", "\n")
troubles.STOPS["blank_output"] = (
    "{tool} returns nothing at all, on the second try either. I can't continue without its answer.",
    "I get an empty response from {tool} each time, so I have to leave this undone.",
    "There is no output from {tool}. Without it I do not know whether anything happened, and I stop here.",
)
troubles.RETRIES["blank_output"] = (
    "No output. I'll run it again.",
    "That came back empty; once more.",
    "Nothing was returned. Trying again.",
)

EXPECTED: Final = "expected_calls"


def spoilt_golds(gold: Row) -> dict[str, Row]:
    """By kind: the dataset's fields as they are when they broke in this way; without those that would change nothing."""
    calls = gold["verifier_metadata"][EXPECTED]
    made = {"fanned_out_gold": [one for one in calls for _ in range(2)]}
    if len(calls) > 1:
        made["gold_missing_step"] = calls[:-1]
    return {kind: with_metadata(gold, **{EXPECTED: broken}) for kind, broken in made.items() if broken}


def with_metadata(gold: Row, **fields: object) -> Row:
    return {**gold, "verifier_metadata": {**gold["verifier_metadata"], **fields}}
