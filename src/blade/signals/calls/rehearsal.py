"""Calls that only rehearse: a flag asks for a trial, or the one that would carry it out is not set and the tool says that nothing was done."""

import re
from itertools import pairwise
from typing import Final

from blade.signals.calls.call import Call
from blade.signals.calls.mutation import words_of

MAX_READ: Final = 2_000
_ALONE: Final = tuple((word,) for word in ("rehearse", "rehearsal", "simulate", "simulation", "preview", "noop", "dryrun"))
_CARRIES_OUT: Final = frozenset(["confirm", "commit", "execute", "apply", "submit", "persist", "finalize"])
"""Words in the name of a flag without which a call only prepares something."""
_PAIRS: Final = frozenset(
    [("dry", "run"), ("validate", "only"), ("check", "only"), ("test", "only"), ("what", "if"), ("no", "op"), ("test", "mode")]
)
"""Last words, and pairs of words, in the name of a flag that asks for a rehearsal."""
_NOTHING_DONE: Final = re.compile(
    r"\b(?:nothing|no (?:changes?|records?|data)) (?:was|were|has been|have been|is|are)(?: actually)? (?:changed|made|saved|written|applied|sent|created|modified|committed|booked)\b"
    r"|\bvalidat(?:ed|ion) only\b|\b(?:not|never) (?:been )?(?:actually )?(?:executed|applied|committed|persisted|carried out)\b|\b(?:was|is|were) (?:only )?(?:a )?(?:simulated|simulation|dry[ -]run)\b"
    r"|\bsaved as (?:a )?draft\b|\b(?:awaiting|requires|needs|pending) (?:your )?confirmation\b",
    re.IGNORECASE,
)


def rehearsal_flag(made: Call) -> str | None:
    """The flag by which a call only rehearses: set, or, where the tool says that nothing was done, the one that would carry it out not set."""
    for key, value in (made.arguments or {}).items():
        words = words_of(key)
        if value is True and (words[-1:] in _ALONE or any(pair in _PAIRS for pair in pairwise(words))):
            return key
        if value is False and _CARRIES_OUT & set(words) and nothing_done(made):
            return key
    return None


def nothing_done(made: Call) -> str:
    """The words in which a tool says that it changed nothing."""
    said = None if made.output is None else _NOTHING_DONE.search(made.output.text[:MAX_READ])
    return "" if said is None else said[0]
