"""The records that a call names, by an id or by a full name (a date, a time or an amount names none), and whether it was told that there is none."""

import re
from collections.abc import Iterable
from typing import Any, Final

from blade.diagnosis.patterns.conduct import leaf_values
from blade.diagnosis.views import CallRow
from blade.signals.calls.answered import answer_data, part_text
from blade.signals.layout.paths import opened

MIN_NAMED: Final = 4
"""Characters of a value, with a digit, from which on it names a record."""
FULL_NAME: Final = re.compile(r"[A-Z][\w'’-]+(?: [\w'’-]+){1,4}")
PROPER_NAME: Final = re.compile(
    r"[A-Z][\w'’-]+(?: (?:(?:de|del|della|der|den|di|da|dos|du|la|le|van|von|zu|zum|bin|ibn|al|el|ter|ten) ){0,2}[A-Z][\w'’-]+){1,3}"
)
"""The same where each word has a capital, besides the particles of surnames, for places in which any words may stand."""
MOMENT: Final = re.compile(r"\d{1,4}[-./:]\d{1,2}(?:[-./:]\d{1,4})?(?:[T ].*)?")

SAID_NO: Final = ("not_found", "tool_error", "invalid_arguments")
"""Classes of an answer that turns down what was asked for, and is no failure of the tool."""
_OWN_TROUBLE: Final = re.compile(
    r"\b(?:sessions?|tokens?|credentials?|log ?in|logged out|connections?|database|back-?end|upstream|servers?|sockets?|hosts?|cache|shard|replica|leases?"
    r"|time[d ]?-?out|unavailable|maintenance|migrations?|schema|disabled|quota|rate limit|certificate)\b",
    re.IGNORECASE,
)
"""What a tool speaks of when it fails for reasons of its own: that it has no session says nothing of the record."""
_DENIES: Final = re.compile(
    r"\b(?:no|not|none|nil|null|never|nothing|nobody|zero|0|404|un(?:known|recognized|recognised|registered|listed|defined)|missing|absent|invalid|wrong|bad|empty|gone|deleted|removed|expired|retired"
    r"|cannot|doesn['’]?t|isn['’]?t|wasn['’]?t|can['’]?t|couldn['’]?t|didn['’]?t|hasn['’]?t|without|lacks?)\b|n['’]t\b|(?:not?|un)_?[- ]?(?:found|known|exist)|does[_ ]?not",
    re.IGNORECASE,
)
"""What an error says that turns down what was asked for; one without it says how the tool fares."""
LONGEST_ERROR: Final = 400
MAX_REST: Final = 3
"""Words of an answer besides what was asked for, up to which it may say nothing but that there is none."""
MAX_NONE: Final = 200
"""Characters of an answer up to which it may say nothing but that nothing was found."""
_COUNTS: Final = frozenset(
    ["hits", "count", "total", "matches", "found", "results", "rows", "entries", "records", "total_count", "n_results"]
)
_NONE_IN_WORDS: Final = re.compile(
    r"[\W_]*(?:(?:error|info|warning|sorry|note)\W{1,3})?(?:(?:null|none|nil|empty|nothing)\W*$|\(empty\)|(?:no|0|zero) (?:\w+ ){0,3}(?:found|match(?:es|ing|ed)?|results?|records?|entr(?:y|ies)|rows?|hits?)\b"
    r"|nothing (?:\w+ )?(?:found|matche[sd]|known|listed|under|on file|at|by|for|like)\b|not (?:on file|known|registered|listed|recorded|on record)\b|unknown \w+)"
    r"|(?:[\w.-]+=[\w.-]+\s+){0,3}(?:hits|count|total|match(?:es)?|found|results?|rows|entries|records)\s*[=:]\s*0\b",
    re.IGNORECASE,
)
"""How an answer begins that says that nothing was found."""


_NO_ROWS: Final = re.compile(r"[#(]\s*(?:0|no) (?:rows?|records?|results?|entries|hits|items)\W*$", re.IGNORECASE)
"""What was found, counted below the names of the columns: `(0 rows)`."""
_EMPTY_ELEMENT: Final = re.compile(r"<([A-Za-z][\w.:-]*)(?:\s[^<>]*)?(?:/>|>\s*</\1>)")
_DONE: Final = re.compile(r"ok|okay|done|success|succeeded|true", re.IGNORECASE)
_DONE_KEYS: Final = frozenset(
    ["status", "success", "ok", "code", "is_error", "isError", "error", "errors", "message", "status_code"]
)
"""Keys of an envelope that tell how it went, beside what was found."""
_REASON: Final = re.compile(r"\b(?:reason|message|error|detail|info)\s*[=:]\s*[\"']?([^\n]{1,160})", re.IGNORECASE)
"""Where an answer in lines says why."""


def told_none(call: CallRow) -> bool:
    """Whether a call was told that there is nothing of what it asked for."""
    if call.error_class is not None:
        said = (call.output or "")[:LONGEST_ERROR]
        denied = call.error_class != SAID_NO[1] or _DENIES.search(said) is not None
        return call.error_class in SAID_NO and denied and _OWN_TROUBLE.search(said) is None
    if call.output is None or len(call.output) > MAX_NONE:
        return False
    rest = _without(call.output, [value for _, value in leaf_values(call.arguments)])
    return says_none(call.output) or (0 < len(rest.split()) <= MAX_REST and says_none(rest))


def _without(output: str, asked: list[str]) -> str:
    """An answer without what was asked for, which many repeat before they say that there is none (`NIL Ada Byron`); itself where nothing is repeated."""
    for value in sorted((value for value in asked if len(value) >= MIN_NAMED), key=len, reverse=True):
        output = output.replace(value, " ")
    return output


def says_none(output: str) -> bool:
    """Whether an answer says that nothing was found: in words, or as data in which nothing stands."""
    if len(output) > MAX_NONE:
        return False
    data = opened(output.strip())
    if isinstance(data, str) and data[:1] in ("[", "{"):
        data = _as_python_writes(data)
    if (inside := part_text(data)) is not None:
        return says_none(inside)
    if not isinstance(data, str):
        return _holds_nothing(data)
    if (element := _EMPTY_ELEMENT.fullmatch(data)) is not None:
        return _DONE.fullmatch(element[1]) is None
    told = [data, *(told[1] for told in _REASON.finditer(data))]
    return not data or any(_NONE_IN_WORDS.match(text) is not None for text in told) or _NO_ROWS.search(data) is not None


def _as_python_writes(text: str) -> Any:
    """An object or a list as Python writes it, read back; the text itself where it is neither."""
    read = answer_data(text)
    return text if read is None else read


def _holds_nothing(data: Any) -> bool:
    """Whether data is empty, has one key under which nothing stands, is a table without rows, or counts to nought."""
    if (
        isinstance(data, dict)
        and isinstance(data.get("columns"), list)
        and any(data.get(name) == [] for name in ("data", "rows", "values"))
    ):
        return True
    if isinstance(data, dict) and _DONE_KEYS & data.keys() and (held := [data[key] for key in data if key not in _DONE_KEYS]):
        return all(value in ([], {}) for value in held)  # that something went well and gives nothing back is no denial
    while isinstance(data, dict) and len(data) == 1:
        name, data = next(iter(data.items()))
        if data == 0 and not isinstance(data, bool) and name in _COUNTS:
            return True
    if isinstance(data, dict) and any(data.get(name) == 0 and data.get(name) is not False for name in _COUNTS):
        return all(value in (0, None, "", [], {}) for name, value in data.items() if name != "query")
    return data is None or data in ([], {}, "")


def asked_for(arguments: str) -> list[str]:
    """The values of a call that name what it is about."""
    return [
        value
        for _, value in leaf_values(arguments)
        if len(value) >= MIN_NAMED
        and (any(map(str.isdigit, value)) or FULL_NAME.fullmatch(value))
        and not MOMENT.fullmatch(value)
    ]


def ids_in(calls: Iterable[str]) -> set[str]:
    """The ids that the arguments of some calls hold: one word of letters and figures each."""
    return {value for arguments in calls for value in asked_for(arguments) if any(map(str.isalpha, value)) and " " not in value}
