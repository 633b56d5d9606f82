"""What an answer says of itself: a status code, a flag, or a word by which it tells that nothing was done.

Services wrap their answers: `{"status": 409, "problem": {…}}`, `{"ok": false, "reason": …}`, `<Response ok="false">`, `ERR_LOCKED …`. The
wrapper speaks, and no record inside of it: a claim may well have the status `rejected` and a reason beside it. So an object counts as a
wrapper only where its names are those of wrappers (or it says why a flag is false), and of plain text only a short one, by its beginning.
"""

import re
from typing import Any, Final

import msgspec

_SUSPECT: Final = re.compile(
    r'"(?=[acefhors])(?:'  # what begins the names below, which most names fail at once
    r'(?:status|status_?code|http_?status|code)"\s*:\s*"?[45]\d\d\b'
    r'|(?:ok|success|successful|succeeded|accepted)"\s*:\s*"?false\b'
    r'|(?:status|result|outcome|state)"\s*:\s*"[a-z_ ]{2,14}"'
    r'|(?:err|exception|fault|failure|error\w*)"\s*:)',
    re.IGNORECASE,
)
_NULL_AND_MESSAGE: Final = re.compile(r':\s*null\s*,\s*"message"', re.IGNORECASE)
_ERRORS: Final = ("error", "errors", "error_message")
"""Names that can mean nothing else, in whatever object."""
_FAULTS: Final = ("err", "exception", "fault", "failure", "errormessage", "error_msg", "errmsg", "errorcode", "error_code")
"""Names that mean an error in a wrapper, and other things in a record."""
_CODES: Final = ("status", "statuscode", "status_code", "httpstatus", "http_status")
_FLAGS: Final = ("ok", "success", "successful", "succeeded")
_WORDS: Final = ("status", "result", "outcome", "state")
_EXPLAINS: Final = ("problem", "message", "msg", "reason", "detail", "details", "why", "cause")
_BESIDE: Final = ("title", "type", "instance", "code", "data", "body", "meta", "path", "timestamp", "time", "hint", "accepted",
    "request_id", "requestid", "trace_id", "traceid", "retry_after", "response", "reply", "answer")  # fmt: skip
_WRAPPER: Final = frozenset([*_ERRORS, *_FAULTS, *_CODES, *_FLAGS, *_WORDS, *_EXPLAINS, *_BESIDE])
"""Names that wrappers are made of, and hardly a record."""
_INNER: Final = ("response", "result", "data", "body", "reply", "answer")
_NOT_DONE: Final = re.compile(
    r"error|fail|failed|failure|rejected|refused|denied|declined|invalid|not[_ ]found|not[_ ]saved|not[_ ]done|conflict|forbidden|unavailable|nok|nack",
    re.IGNORECASE,
)
_FINE: Final = frozenset(["", "0", "none", "null", "ok", "okay", "success", "false", "no error"])
_INSIDE: Final = ("title", "code", "type", "message", "detail", "reason", "description")
MAX_TEXT: Final = 300
"""Characters up to which a text is an answer that says one thing."""
MAX_HEAD: Final = 600
_SAYS: Final = r"(?:NOT_FOUND|ERROR|INVALID|DENIED|REJECTED|REFUSED|CONFLICT|FORBIDDEN|LOCKED|FAILED|UNAVAILABLE|EXISTS|EXCEEDED)"
_TEXT: Final = re.compile(
    r"\W{0,4}(?:(?i:refused|rejected|denied|declined|not (?:accepted|allowed|permitted|possible|done|saved))\b(?! (?:by|on|at)\b)"
    rf"|ERR(?=[ :#_-])|NOT_FOUND(?=[ :,;(-]|$)|(?:[A-Z]+_)+{_SAYS}(?:_[A-Z]+)*(?=[ :,;(-]|$)|{_SAYS}(?:_[A-Z]+)+(?=[ :,;(-]|$)"
    r"|(?i:HTTP|status(?:[ _]code)?)[ :=]{1,3}[45]\d\d\b"
    r"|(?i:status|result|outcome)\s*[:=]\s*(?i:error|fail|failure)\b(?=[^\0]{0,200}\b(?i:message|reason|detail|error|because)\b)"
    r"|(?i:ok|success|successful|accepted)\s*[:=]\s*(?i:false)\b"
    r"|(?i:could not|unable to|cannot|failed to) [a-z]+\b[^.?!:;\n]{0,60}: |(?i:command|request|call|operation|update) failed\b)"
)
"""How a short text begins that says that nothing was done."""
_ELEMENT: Final = re.compile(
    r"\s*+(?:<\?xml[^>]{0,200}>\s*+)?<(?:\w{1,20}:)?(?:response|result|reply|answer|return|ack|status|envelope|message)\b[^>]{0,200}?"
    r"\b(?:(?:status|result|outcome)\s?=\s?[\"'](?:error|fail|failed|failure|rejected|refused|denied|[45]\d\d)|(?:ok|success|successful|accepted)\s?=\s?[\"'](?:false|no|0))[\"']",
    re.IGNORECASE,
)
_LIST: Final = re.compile(r'\s*\[\s*false\s*,\s*"')


def is_suspect(text: str) -> bool:
    """Whether a JSON text holds what stands in every answer that `refusal` finds; looked for quickly, before anything is decoded."""
    return _SUSPECT.search(text) is not None or _NULL_AND_MESSAGE.search(text) is not None


def refused(text: str) -> bool:
    """Whether an answer that is no JSON object begins as one that says that nothing was done."""
    if text.lstrip()[:1] == "<":
        return _ELEMENT.match(text[:MAX_HEAD]) is not None
    return len(text) <= MAX_TEXT and (_TEXT.match(text) is not None or _LIST.match(text) is not None)


def refusal(answer: dict[str, Any]) -> str | None:
    """What an answer says why nothing was done, its status first; None where it says no such thing."""
    value = {str(name).lower(): inner for name, inner in answer.items()}
    if len(value) == 1 and isinstance(inner := next((value[name] for name in _INNER if name in value), None), dict):
        value = {str(name).lower(): one for name, one in inner.items()}
    wraps = value.keys() <= _WRAPPER
    told = next((value[name] for name in _ERRORS if _weighs(value.get(name))), None)
    if told is None and wraps:
        told = next((value[name] for name in _FAULTS if _weighs(value.get(name))), None)
    explained = next((value[name] for name in _EXPLAINS if value.get(name)), None)
    if told is not None:
        return in_words(explained if told is True and explained is not None else told)
    status = _status(value, wraps, explained is not None)
    word = next((value[name] for name in _WORDS if isinstance(value.get(name), str) and _NOT_DONE.fullmatch(value[name])), None)
    flagged = any(value.get(name) is False or value.get(name) == "false" for name in _FLAGS) and (wraps or explained is not None)
    flagged = flagged or (wraps and value.get("accepted") is False)
    if status is None and not flagged and not (word and wraps and explained is not None):
        return None
    return " ".join(part for part in (status, in_words(explained) if explained is not None else word) if part) or "not done"


def _status(value: dict[str, Any], wraps: bool, explained: bool) -> str | None:
    """The status code of a failed request, where the object is a wrapper or says why."""
    codes = [value.get(name) for name in _CODES] if wraps or explained else []
    codes += [value.get("code")] if wraps and explained else []
    meta = value.get("meta")
    codes += [meta.get("status"), meta.get("code")] if isinstance(meta, dict) else []
    return next((found for code in codes if (found := _failing(code)) is not None), None)


def _weighs(told: Any) -> bool:
    """Whether what stands under the name of an error is one: no zero, no empty list, no word that all is well."""
    if isinstance(told, bool) or told is None or isinstance(told, list | dict):
        return bool(told)
    return isinstance(told, str | int) and str(told).strip().casefold() not in _FINE


def _failing(code: Any) -> str | None:
    """A status code of a failed request, in its three figures."""
    text = str(code) if isinstance(code, int | str) and not isinstance(code, bool) else ""
    return text if len(text) == 3 and text.isdigit() and text[0] in "45" else None


def in_words(told: Any) -> str:
    """What an error says, by the names that errors have, or as it stands."""
    if isinstance(told, str | int | float):
        return str(told)
    if isinstance(told, dict):
        parts = [str(told[name]) for name in _INSIDE if isinstance(told.get(name), str | int) and told[name] != ""]
        if parts:
            return ": ".join(parts)
    if isinstance(told, list) and len(told) == 1 and isinstance(told[0], str):
        return told[0]
    try:
        return msgspec.json.encode(told).decode()
    except RecursionError:
        return "an error that is nested too deep to be told"
