"""May a difference of the scores be said to be because of the one thing that changed?

Only where exactly one thing is known to differ, nothing needed is unknown, and no other part of the waterfall stands between the two
scores: a prompt is not better because the other run had an outage. Truncation is the change's own doing, since the limits are known to
be the same (or are what changed).
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Final

from blade.comparison.differences import Differences
from blade.comparison.waterfall import Term
from blade.sentences import plural

OTHER_PARTS: Final = ("task_set", "missing", "infrastructure", "verifier", "remainder")
OWN_PART: Final = {"verifier": "verifier", "dataset": "task_set"}
"""The part of the waterfall that a change of this kind makes."""
WORDS: Final = {
    "task_set": "other tasks",
    "missing": "missing rows",
    "infrastructure": "infrastructure",
    "verifier": "the verifier",
    "remainder": "tasks that were never finished",
}


def not_known(changed: Iterable[str], unknown: Iterable[str]) -> list[str]:
    """What is not known, in words: of what is known to differ it is only the rest (an agent has a name, tools and a world)."""
    known = set(changed)
    return [f"the rest of the {what}" if what in known else what for what in unknown]


def attribution(differ: Differences, terms: Iterable[Term]) -> dict[str, Any]:
    """The contract's `cause`: whether it may be assigned, and the sentence that says so or why not."""
    if differ.single_change is not True:
        unknown = not_known((change.what for change in differ.changed), differ.unknown)
        return {"assignable": False, "sentence": replace(differ, unknown=tuple(unknown)).cause}
    (what,) = differ.candidates
    others = [term for term in terms if term.term in OTHER_PARTS and term.term != OWN_PART.get(what) and term.delta != 0]
    if not others:
        return {"assignable": True, "sentence": differ.cause}
    parts = ", ".join(f"{WORDS[term.term]} ({plural(term.rollouts, 'rollout')})" for term in others)
    sentence = (
        f"Only the {what} differs, but part of the difference is something else: {parts}. What can be because of the {what} is the "
        "part called change, and not the difference of the scores."
    )
    return {"assignable": False, "sentence": sentence}
