"""What an answer says of itself: a status code, a flag, or a word by which it tells that nothing was done.

Services wrap their answers: `{"status": 409, "problem": {…}}`, `{"ok": false, "reason": …}`, `<Result ok="false">`, `status: error`, `ERR 12 …`.
The wrapper speaks, and no record inside of it: an order may well have the status `failed`. So only the outermost object counts (or the
one within an object of one key), a word counts only beside what explains it, and of plain text only the beginning of a short one.
"""

import re
from typing import Any, Final

_SAYS: Final = r"(?:error|fail|failed|failure|rejected|refused|denied|declined|invalid|not[_ ]found|not[_ ]saved|not[_ ]done|conflict|forbidden|unavailable|nok|nack)"
_SUSPECT: Final = re.compile(
    r'"(?:status|status_?code|http_?status|code)"\s*:\s*"?[45]\d\d\b'
    r'|"(?:ok|success|successful|succeeded|accepted)"\s*:\s*"?(?:false|0|no)\b'
    rf'|"(?:status|result|outcome|state)"\s*:\s*"{_SAYS}"'
    r'|"(?:err|exception|fault|failure|error\w*)"\s*:|:\s*null\s*,\s*"message"',
    re.IGNORECASE,
)
"""What stands in every JSON answer that tells so, and is looked for quickly."""
_CODES: Final = ("status", "statuscode", "status_code", "httpstatus", "http_status")
_FLAGS: Final = ("ok", "success", "successful", "succeeded", "accepted")
_FALSE: Final = (False, 0, "false", "no")
_WORDS: Final = ("status", "result", "outcome", "state")
_NOT_DONE: Final = re.compile(_SAYS, re.IGNORECASE)
_NAMES: Final = ("error", "errors", "error_message", "err", "exception", "fault", "failure", "errormessage", "error_msg", "errmsg", "errorcode", "error_code")  # fmt: skip
"""Names under which an error stands, or nothing of weight."""
_EXPLAINS: Final = ("problem", "message", "msg", "reason", "detail", "details", "title", "why", "cause")
_INSIDE: Final = ("title", "code", "type", "message", "detail", "reason", "description")
_FINE: Final = (None, False, "", 0, "0", "none", "None", "null", "ok", "OK", "success", "SUCCESS")
MAX_KEYS: Final = 6
"""Keys up to which an object is a wrapper and no record."""
MAX_TEXT: Final = 300
"""Characters up to which a text is an answer that says one thing."""
_TEXT: Final = re.compile(
    r"\W{0,4}(?:(?i:refused|rejected|denied|declined|not (?:accepted|allowed|permitted|possible|done|saved))\b(?! (?:by|on|at)\b)"
    r"|(?:ERR|KO|NACK|NAK|E-?\d{3,6})(?=[ :#_-]|$)"
    r"|(?:[A-Z]+_)*(?:NOT_FOUND|ERROR|INVALID|DENIED|REJECTED|REFUSED|CONFLICT|FORBIDDEN|LOCKED|FAILED|UNAVAILABLE|ALREADY_EXISTS|EXCEEDED)(?:_[A-Z]+)*(?=[ :.,;(-]|$)"
    r"|(?i:(?:HTTP|status|response|result)(?:[ _]code)?[ :=]{1,3}[45]\d\d)\b"
    rf"|(?i:(?:status|result|outcome|state)\s*[:=]\s*{_SAYS})\b|(?i:(?:ok|success|successful|accepted)\s*[:=]\s*(?:false|no))\b"
    r"|(?i:(?:could not|couldn['’]t|unable to|cannot|can['’]t|failed to) [a-z]+\b[^.?!\n]{0,60}[:;.]|(?:command|request|call|operation|update) failed\b))"
)
"""How a short text begins that says that nothing was done."""
_ELEMENT: Final = re.compile(
    rf"\s*(?:<\?xml[^>]{{0,200}}>\s*)?<[\w:]+\b[^>]{{0,200}}\b(?:(?:status|result|outcome|state)\s*=\s*[\"'](?:{_SAYS}|[45]\d\d)|(?:ok|success|successful|accepted)\s*=\s*[\"'](?:false|no|0))[\"']",
    re.IGNORECASE,
)
_LIST: Final = re.compile(r'\s*\[\s*(?:false|null)\s*,\s*"')


def is_suspect(text: str) -> bool:
    return _SUSPECT.search(text) is not None


def refused(text: str) -> bool:
    """Whether an answer that is no JSON object begins as one that says that nothing was done."""
    if text.lstrip()[:1] == "<":
        return _ELEMENT.match(text) is not None
    return len(text) <= MAX_TEXT and (_TEXT.match(text) is not None or _LIST.match(text) is not None)


def refusal(answer: dict[str, Any]) -> Any:
    """What an answer says why nothing was done, its status first; None where it says no such thing."""
    value = {str(name).lower(): inner for name, inner in answer.items()}
    if (error := next((value[name] for name in _NAMES if _weighs(value.get(name))), None)) is not None:
        return error
    if len(value) == 1 and isinstance(inner := next(iter(value.values())), dict):
        return refusal(inner)
    explained = next((value[name] for name in _EXPLAINS if value.get(name)), None)
    status = next((code for name in _CODES if (code := _failing(value.get(name))) is not None), None)
    if status is None and explained is not None and len(value) <= MAX_KEYS:
        status = _failing(value.get("code"))
    if status is None and isinstance(meta := value.get("meta"), dict):
        status = next((code for name in ("status", "code") if (code := _failing(meta.get(name))) is not None), None)
    word = next((value[name] for name in _WORDS if isinstance(value.get(name), str) and _NOT_DONE.fullmatch(value[name])), None)
    flagged = any(name in value and value[name] in _FALSE and value[name] is not None for name in _FLAGS)
    if status is None and not flagged and (word is None or explained is None or len(value) > MAX_KEYS):
        return None
    told = " ".join(part for part in (status, _words(explained) if explained is not None else word) if part)
    return told or "not done"


def _weighs(told: Any) -> bool:
    return not (isinstance(told, list | dict) and not told) and not any(
        told == fine and type(told) is type(fine) for fine in _FINE
    )


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
