"""Does a tool change something, or does it only look? From its name, its description, its schema, and the calls that a task expects.

What the user says outweighs everything, then what the tool's annotations say. A name decides by the first verb it holds
(`email_delete_email` deletes, `company_directory_find_email_address` finds, and the service before it counts for nothing: `compute-stop-instance` stops), with pairs of words before single ones (`check_out`
lends, `check_balance` looks). A last word that is a noun as well (`objects_record`) is one where the description names the thing
("The catalogue record of one object"): such a tool returns it. A verb of judging (`disputes_classify`) changes something where
the description says so or the finding must be given. Where the name says nothing, the first verb of the description does; then the parameters (`query` and
`limit` search, `new_seat` changes); then the expected calls, if all the others among them change something. What stays unknown is
called unknown, for a shell or a Python cell may do either; a whole run may still tell (`learned`).
"""

import re
from functools import lru_cache
from itertools import pairwise
from typing import Any, Final, NamedTuple

from blade.signals.calls.tools import Tool

READ: Final = "read"
CHANGE: Final = "change"
UNKNOWN: Final = "unknown"
CONFIGURED: Final = "the configuration says so"
BY_DESCRIPTION: Final = "its description names"
"""The weakest reason for a lookup: how a tool answers says more."""

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
    "tag", "untag", "release", "dispatch", "ship", "allocate", "adjust", "waive", "void", "notify", "freeze", "unfreeze", "restore",
    "reinstate", "rebook", "terminate", "attach", "detach", "connect", "disconnect", "import", "drop", "increase", "decrease", "raise", "lower",
    "acknowledge", "declare", "annotate", "admit", "discharge", "prescribe", "provision", "enqueue", "reclassify", "relabel",
    "reprice", "relocate", "reroute", "promote", "demote", "dismiss", "enrol", "unenroll", "settle", "remit", "checkin", "checkout",
    "resize", "scale", "rotate", "authorize", "authorise", "allow", "deny", "migrate", "mount", "unmount", "reopen", "escalate", "pause", "unpause",
    "launch", "spawn", "kill", "expire", "revert", "rollback", "undo", "link", "unlink", "pin", "unpin", "mute", "unmute", "hide", "unhide", "ban",
    "unban", "follow", "unfollow",
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
_OPENED: Final = frozenset(["account", "loan", "ticket", "case", "claim", "dispute", "position", "incident", "order", "request"])
"""Things that do not exist before they are opened, unlike a file or a page."""
_JUDGES: Final = frozenset(["classify", "evaluate", "identify", "verify", "validate"])
"""Verbs of finding something out that are also said of putting a finding on record."""
_FINDING: Final = frozenset(["category", "class", "label", "rating", "verdict", "severity", "grade"])
"""Words for what such a verb finds: a tool that must be given it does not look for it."""
_RETURNS: Final = re.compile(r"\s*(?:this tool |it )?(?:returns?|makes?)\b", re.IGNORECASE)
_EITHER: Final = frozenset(["bash", "shell", "terminal", "exec", "execute", "run", "python", "ipython", "sql"])
_EITHER_ALONE: Final = frozenset(["command", "code", "request", "call"])
"""Words that say "anything" only where no verb follows: `call_api`, but `call-acknowledge` of a port call."""
_NOTHING_CHANGED: Final = re.compile(
    r"\breads? only\b|\bread-only\b|\bonly reads\b|\b(?:does not|doesn't|without) (?:chang|modify|alter)\w*|\bchanges nothing\b",
    re.IGNORECASE,
)
_THINGS: Final = frozenset(["schedule", "record", "log", "order", "file", "report", "quote", "charge", "issue", "place"])
"""Verbs of changing something that are nouns at the end of a name: `day_schedule`."""
_SERVICES: Final = _THINGS | {"compute", "post", "share", "tag", "return", "transfer", "refund", "invite", "exchange", "deposit"}
"""Verbs that are the name of a service where another verb follows them: `compute-stop-instance`, `order_list`."""
PLAIN_LOOKUPS: Final = frozenset(
    ["get", "list", "search", "find", "lookup", "query", "read", "view", "show", "fetch", "retrieve", "describe"]
)
"""Verbs of looking that nobody says of anything else."""
_OF_SOMETHING: Final = re.compile(
    r"\s*(?!(?:take|give|put|let|bring|hand|pick|turn|draw|pass|lay|bind|fix|sign|begin|end)s?\b)(?:[\w'-]+,?\s+){1,6}?(?:of|for)\s+(?:an?|the|one|all|some)\b",
    re.IGNORECASE,
)
_RELATES: Final = frozenset(["of", "at", "on", "for", "by", "from", "near", "within"])
"""Prepositions that make a name without a verb one of a thing: `berths-at`, `orders_by_customer`."""
_PEOPLE: Final = frozenset(["human", "humans", "agent", "agents", "person", "operator", "representative"])
_SEPARATED: Final = re.compile(r"__+|[./:]+")
"""What stands between the parts of a tool's name."""
_WORDS: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_INNER_CAPITAL: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_PLACE: Final = re.compile(r"\[\d+\]$")
_LEADS_IN: Final = frozenset([
    "this", "that", "it", "is", "are", "tool", "function", "method", "api", "endpoint", "helper", "use", "used",
    "using", "to", "for", "you", "can", "allow", "allows", "let", "lets",
])  # fmt: skip
_SET: Final = frozenset(["amount", "quantity", "body", "payment", "recipient", "recipients"])
_SEARCHED: Final = frozenset(
    ["query", "q", "keyword", "keywords", "limit", "offset", "page", "sort", "order", "filter", "top", "k"]
)
"""Words in the names of parameters that set something, and of those that search."""


class Mutation(NamedTuple):
    kind: str
    reason: str


@lru_cache(maxsize=4096)
def words_of(name: str) -> tuple[str, ...]:
    """The words of a name, whatever case or separators it is written in."""
    return tuple(word.lower() for word in _WORDS.findall(name[:200]))


@lru_cache(maxsize=4096)
def plain_name(name: str) -> str:
    """A name in the one spelling that fields are known by: `expectedOutput` and `Expected Output` as `expected_output`."""
    return _INNER_CAPITAL.sub("_", name[:200].strip()).replace(" ", "_").replace("-", "_").lower()


@lru_cache(maxsize=4096)
def words_of_last(path: str) -> tuple[str, ...]:
    """The words of the last name of a path, wherever in a list it stands: `street` and `name` of `stops[0].street_name`."""
    return words_of(_PLACE.sub("", path).rpartition(".")[2])


def _by_name(name: str) -> Mutation | None:
    words = words_of(name)
    for pair in pairwise(words):
        if pair in _PHRASES:
            return Mutation(_PHRASES[pair], f"its name says {' '.join(pair)}")
    relation = next((other for one, other in pairwise(words) if one in _THINGS and other in ("of", "by")), None)
    if relation is not None:
        return Mutation(READ, f"its name is of a thing ({relation})")
    anything = None
    for word in own_words(name):
        if word in _EITHER:
            return Mutation(UNKNOWN, f"{word} can do either")
        if word in _EITHER_ALONE:
            anything = anything or Mutation(UNKNOWN, f"{word} can do either")
        elif word in VERBS:
            return Mutation(VERBS[word], f"its name says {word}")
    return anything


@lru_cache(maxsize=4096)
def own_words(name: str) -> tuple[str, ...]:
    """The words of a tool's own name, without the service or the server before it (`pay__close_fee`, `email.send`), where a verb is among them."""
    for part in reversed(_SEPARATED.split(name)[1:]):
        if any(word in VERBS for word in words_of(part)):
            return words_of(part)
    words = words_of(name)
    return words[1:] if _is_service(words) else words


def _is_service(words: tuple[str, ...]) -> bool:
    """Whether a name begins with a service: one that is a verb as well and has a verb behind it, or any before a plain lookup (`pay__list_open`).

    What could be a thing as well is the thing that is worked on, where no other verb follows: `refund_order` refunds.
    """
    if len(words) < 2:
        return False
    if words[1] in PLAIN_LOOKUPS:
        return True
    worked_on = words[0] not in _THINGS and words[1] in _THINGS and VERBS.keys().isdisjoint(words[2:])
    return words[0] in _SERVICES and words[1] in VERBS and not worked_on


def _relation(name: str, description: str) -> Mutation | None:
    """A name without a verb that tells which things are meant, or whose description does: whoever asks for them gets them."""
    words = words_of(name)
    word = next((word for word in words[1:] if word in _RELATES), None)
    if word is not None:
        return Mutation(READ, f"its name is of a thing ({word})")
    if len(words) > 1 and _OF_SOMETHING.match(description) and words_of(description)[:1] != words[:1]:
        return Mutation(READ, f"{BY_DESCRIPTION} a thing")
    return None


def _says_change(name: str) -> bool:
    told = _by_name(name)
    return told is not None and told.kind == CHANGE


def _names_a_thing(name: str, description: str) -> Mutation | None:
    """A name that ends in what the tool returns: the description is that thing, and says of nobody that he does something."""
    words = words_of(name)
    if len(words) < 2 or VERBS.get(words[-1]) != CHANGE or any(word in VERBS or word in _EITHER for word in words[:-1]):
        return None
    if re.match(rf"\s*(?:the|a|an)\s+(?:[\w'-]+\s+){{0,3}}?{words[-1]}\s*(?:of\b|[.,;(]|$)", description, re.IGNORECASE):
        return Mutation(READ, f"{BY_DESCRIPTION} a {words[-1]}")
    if words[-1] in _THINGS and _OF_SOMETHING.match(description) and _by_description(description) is None:
        return Mutation(READ, f"{BY_DESCRIPTION} what the {words[-1]} is of")
    return None


def _opens(name: str, description: str) -> Mutation | None:
    """`open_ticket` makes one, `open_tickets` are those that are open, and of `tickets_open` the description has to say."""
    words = words_of(name)
    if words[:1] == ("open",) and len(words) > 1 and words[-1] in _OPENED:
        return Mutation(CHANGE, f"its name says open {' '.join(words[1:])}")
    if (
        words[-1:] == ("open",)
        and {word.removesuffix("s") for word in words} & _OPENED
        and re.match(r"\s*opens?\s+an?\b", description, re.IGNORECASE)
    ):
        return Mutation(CHANGE, "its description begins with open")
    return None


def _puts_on_record(name: str, tool: Tool | None) -> Mutation | None:
    """`classify` and its like find something out or put it on record: the description tells which, or that the finding is given."""
    told = _by_name(name)
    if tool is None or told is None or told.kind != READ or not _JUDGES & set(words_of(name)):
        return None
    said = _by_description(tool.description)
    if said is not None and said.kind == CHANGE and not _RETURNS.match(tool.description):
        return said
    needed = tool.parameters.get("required")
    finding = (
        next((key for key in needed if isinstance(key, str) and _FINDING & set(words_of(key))), None)
        if isinstance(needed, list)
        else None
    )
    return None if finding is None else Mutation(CHANGE, f"it must be given {finding}")


def hands_over(name: str) -> bool:
    """Whether a tool hands the case to a person: it ends the work and leaves the records as they are."""
    words = set(words_of(name))
    return bool(words & {"escalate", "handoff"}) or {"hand", "over"} <= words or ("transfer" in words and bool(words & _PEOPLE))


def _by_description(description: str) -> Mutation | None:
    """The first word of a description, or the first after "this tool", "use it to" and the like, if it is a verb.

    Before "of" it is a noun ("Charges of a project"), and what is opened may be a file or a port.
    """
    words = _WORDS.findall(description[:200])[:9]
    for found, after in zip(words, (*words[1:], ""), strict=False):
        word = found.lower()
        if after.lower() == "of" or word == "open":
            return None
        for stem in (
            word,
            word.removesuffix("s"),
            word.removesuffix("es"),
            word.removesuffix("es") + "e",
            word.removesuffix("ies") + "y",
        ):
            if stem in VERBS and word not in _LEADS_IN:
                return Mutation(VERBS[stem], f"its description begins with {found}")
        if word not in _LEADS_IN:
            return None
    return None


def _by_schema(parameters: dict[str, Any]) -> Mutation | None:
    """What the parameters are for: those of a search, or something new to be set."""
    properties = parameters.get("properties")
    if not isinstance(properties, dict) or not properties:
        return None
    words = {str(name): words_of(str(name)) for name in properties}
    for name, parts in words.items():
        if parts[:1] == ("new",) or (parts and parts[-1] in _SET):
            return Mutation(CHANGE, f"it takes {name}")
    if all(_SEARCHED & set(parts) for parts in words.values()):
        return Mutation(READ, f"it takes {', '.join(list(words)[:3])} and nothing else")
    return None


@lru_cache(maxsize=4096)
def classify(
    name: str, tool: Tool | None = None, expected: frozenset[str] = frozenset(), known: tuple[tuple[str, str], ...] = ()
) -> Mutation:
    """Read, change or unknown, and why; `known` are the tools of which the user said what they do."""
    for told, kind in known:
        if told == name:
            return Mutation(kind, CONFIGURED)
    if tool is not None and tool.read_only is not None:
        return Mutation(READ if tool.read_only else CHANGE, f"its annotations say readOnlyHint = {str(tool.read_only).lower()}")
    if tool is not None and (thing := _names_a_thing(name, tool.description)) is not None:
        return thing
    if tool is not None and (said := _NOTHING_CHANGED.search(tool.description[:300])) is not None and not _says_change(name):
        return Mutation(READ, f"its description says {said[0].lower()}")
    found = _opens(name, tool.description if tool is not None else "")
    found = (
        found
        or _puts_on_record(name, tool)
        or _by_name(name)
        or (_by_description(tool.description) or _by_schema(tool.parameters) if tool else None)
        or _relation(name, tool.description if tool is not None else "")
    )
    if found is not None:
        return found
    others = [_by_name(other) for other in expected - {name}]
    if name in expected and others and all(other is not None and other.kind == CHANGE for other in others):
        return Mutation(CHANGE, "it is expected beside calls that all change something")
    return Mutation(UNKNOWN, "nothing says")
