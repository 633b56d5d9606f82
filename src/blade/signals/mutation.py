"""Does a tool change something, or does it only look? From its name, its description, and the calls that a task expects.

A name decides by the first verb it holds (`email_delete_email` deletes, `company_directory_find_email_address` finds), with
pairs of words before single ones (`check_out` lends, `check_balance` looks). Where the name says nothing, the first verb of the
description does; then the expected calls, if all the others among them change something. What stays unknown is called unknown: a
shell or a Python cell may do either.
"""

import re
from functools import lru_cache
from itertools import pairwise
from typing import Final, NamedTuple

from blade.signals.tools import Tool

READ: Final = "read"
CHANGE: Final = "change"
UNKNOWN: Final = "unknown"

_READS: Final = [
    "get", "list", "search", "find", "lookup", "look", "query", "read", "view", "show", "fetch", "retrieve", "describe",
    "check", "count", "calculate", "compute", "think", "reflect", "browse", "inspect", "open", "load", "parse", "extract",
    "summarize", "verify", "validate", "authenticate", "login", "preview", "compare", "estimate", "convert", "translate",
    "analyze", "scan", "glob", "grep", "ls", "cat", "stat", "detect", "classify", "predict", "evaluate", "explain", "is",
    "has", "can", "locate", "identify", "display", "see", "watch", "recall", "solve", "simulate", "quote", "track",
    "monitor", "ask",
]  # fmt: skip
_CHANGES: Final = [
    "update", "create", "delete", "remove", "cancel", "book", "send", "modify", "transfer", "exchange", "return", "write",
    "set", "add", "insert", "edit", "save", "submit", "post", "put", "patch", "upload", "move", "rename", "copy", "reserve",
    "order", "purchase", "buy", "sell", "pay", "refund", "charge", "schedule", "reschedule", "assign", "reassign",
    "unassign", "enable", "disable", "toggle", "activate", "deactivate", "reset", "reboot", "restart", "start", "stop",
    "suspend", "resume", "grant", "revoke", "approve", "reject", "register", "enroll", "subscribe", "unsubscribe", "reply",
    "forward", "archive", "publish", "deploy", "install", "uninstall", "extend", "renew", "issue", "lend", "borrow",
    "withdraw", "deposit", "place", "close", "merge", "append", "replace", "apply", "commit", "push", "make", "change",
    "upgrade", "downgrade", "issue", "confirm", "complete", "finish", "accept", "decline", "invite", "share", "block",
    "unblock", "lock", "unlock", "clear", "reseat", "swap", "top", "refuel", "redeem", "file", "log", "record", "mark",
    "tag", "untag", "attach", "detach", "connect", "disconnect", "import", "drop", "increase", "decrease", "raise", "lower",
]  # fmt: skip
_PHRASES: Final = {
    ("check", "out"): CHANGE,
    ("check", "in"): CHANGE,
    ("sign", "up"): CHANGE,
    ("opt", "in"): CHANGE,
    ("opt", "out"): CHANGE,
    ("turn", "on"): CHANGE,
    ("turn", "off"): CHANGE,
    ("log", "in"): READ,
    ("look", "up"): READ,
    ("file", "search"): READ,
    ("file", "read"): READ,
    ("order", "status"): READ,
    ("order", "details"): READ,
    ("transfer", "to"): UNKNOWN,  # handing a customer over to a person leaves the records as they are
    ("update", "plan"): READ,
    ("submit", "answer"): READ,
    ("submit", "final"): READ,
    ("submit", "result"): READ,
    ("web", "search"): READ,
}
VERBS: Final[dict[str, str]] = dict.fromkeys(_CHANGES, CHANGE) | dict.fromkeys(_READS, READ)
_EITHER: Final = frozenset(
    ["bash", "shell", "terminal", "exec", "execute", "run", "python", "ipython", "sql", "command", "code", "request", "call"]
)
_WORDS: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_FIRST_WORD: Final = re.compile(r"\W*([A-Za-z]+)")


class Mutation(NamedTuple):
    kind: str
    reason: str


@lru_cache(maxsize=4096)
def words_of(name: str) -> tuple[str, ...]:
    """The words of a name, whatever case or separators it is written in."""
    return tuple(word.lower() for word in _WORDS.findall(name[:200]))


def _by_name(name: str) -> Mutation | None:
    words = words_of(name)
    for pair in pairwise(words):
        if pair in _PHRASES:
            return Mutation(_PHRASES[pair], f"its name says {' '.join(pair)}")
    for word in words:
        if word in _EITHER:
            return Mutation(UNKNOWN, f"{word} can do either")
        if word in VERBS:
            return Mutation(VERBS[word], f"its name says {word}")
    return None


def _by_description(description: str) -> Mutation | None:
    first = _FIRST_WORD.match(description)
    if first is None:
        return None
    word = first[1].lower()
    for stem in (
        word,
        word.removesuffix("s"),
        word.removesuffix("es"),
        word.removesuffix("es") + "e",
        word.removesuffix("ies") + "y",
    ):
        if stem in VERBS:
            return Mutation(VERBS[stem], f"its description begins with {first[1]}")
    return None


@lru_cache(maxsize=4096)
def classify(name: str, tool: Tool | None = None, expected: frozenset[str] = frozenset()) -> Mutation:
    """Read, change or unknown, and why."""
    found = _by_name(name) or _by_description(tool.description if tool else "")
    if found is not None:
        return found
    others = [_by_name(other) for other in expected - {name}]
    if name in expected and others and all(other is not None and other.kind == CHANGE for other in others):
        return Mutation(CHANGE, "it is expected beside calls that all change something")
    return Mutation(UNKNOWN, "nothing says")


def expected_names(fields: dict[str, object]) -> frozenset[str]:
    """The tools that the task's own expected calls name, where the row holds them."""
    found: set[str] = set()
    for key in ("ground_truth", "expected_calls", "expected_actions", "expected_tool_calls", "expected_function_calls"):
        listed = fields.get(key)
        for entry in listed if isinstance(listed, list) else ():
            if isinstance(entry, dict) and isinstance(entry.get("name"), str):
                found.add(entry["name"])
    return frozenset(found)
