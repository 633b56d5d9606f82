"""What a JSON answer says of itself: a status code, a flag, or a word by which it tells that nothing was done.

Services wrap their answers: `{"status": 409, "problem": {…}}`, `{"ok": false, "reason": …}`, `{"result": "rejected", "message": …}`. The
wrapper speaks, and no record inside of it: an order may well have the status `failed`. So only the outermost object counts (or the one
within an object of one key), and a word counts only beside what explains it.
"""

import re
from typing import Any, Final

_SUSPECT: Final = re.compile(
    r'"(?:status|status_?code|http_?status|code)"\s*:\s*"?[45]\d\d\b'
    r'|"(?:ok|success|successful|succeeded|accepted)"\s*:\s*false'
    r'|"(?:status|result|outcome)"\s*:\s*"(?:error|fail|failed|failure|rejected|refused|denied|declined)"',
    re.IGNORECASE,
)
"""What stands in every answer that tells so, and is looked for quickly."""
_CODES: Final = ("status", "statusCode", "status_code", "httpStatus", "http_status")
_FLAGS: Final = ("ok", "success", "successful", "succeeded", "accepted")
_WORDS: Final = ("status", "result", "outcome")
_NOT_DONE: Final = frozenset(["error", "fail", "failed", "failure", "rejected", "refused", "denied", "declined"])
_EXPLAINS: Final = (
    "error",
    "errors",
    "problem",
    "message",
    "msg",
    "reason",
    "detail",
    "details",
    "title",
    "fault",
    "why",
    "cause",
)
_INSIDE: Final = ("title", "code", "type", "message", "detail", "reason", "description")
MAX_KEYS: Final = 6
"""Keys up to which an object is a wrapper and no record."""


def is_suspect(text: str) -> bool:
    return _SUSPECT.search(text) is not None


def refusal(value: dict[str, Any]) -> str | None:
    """What an answer says why nothing was done, its status first; None where it says no such thing."""
    if len(value) == 1 and isinstance(inner := next(iter(value.values())), dict):
        value = inner
    explained = next((value[name] for name in _EXPLAINS if value.get(name)), None)
    status = next((code for name in _CODES if (code := _failing(value.get(name))) is not None), None)
    if status is None and explained is not None and len(value) <= MAX_KEYS:
        status = _failing(value.get("code"))
    word = next((value[name] for name in _WORDS if isinstance(value.get(name), str) and value[name].lower() in _NOT_DONE), None)
    flagged = any(value.get(name) is False for name in _FLAGS)
    if status is None and not flagged and (word is None or explained is None or len(value) > MAX_KEYS):
        return None
    told = " ".join(part for part in (status, _words(explained) if explained is not None else word) if part)
    return told or "not done"


def _failing(code: Any) -> str | None:
    """A status code of a failed request, in its three figures."""
    text = str(code) if isinstance(code, int | str) and not isinstance(code, bool) else ""
    return text if len(text) == 3 and text.isdigit() and text[0] in "45" else None


def _words(told: Any) -> str:
    if isinstance(told, dict):
        return ": ".join(str(told[name]) for name in _INSIDE if isinstance(told.get(name), str | int) and told[name] != "")
    if isinstance(told, list):
        return "; ".join(_words(one) for one in told[:3])
    return str(told)
