"""What one try at an endpoint met, judged: which category it is, whether trying again can help, how long to wait.

These are pure functions over a status, headers and a body; `upstream` does the talking.
"""

import json
import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from typing import Any, Final

import msgspec

from blade.gym.models.errors import Category, category_of_status

_TRANSIENT_CLIENT_ERRORS: Final = (408, 409, 429)
_LASTING_SERVER_ERRORS: Final = (501, 505)
_OUT_OF_MONEY: Final = "insufficient_quota"
_READ: Final = 4_000
"""Characters of an endpoint's own words that are looked at; they are redacted and shortened before anyone sees them."""


class Fault(Exception):
    """One try without a usable answer. `lasting`: another try would meet the same. `pause`: seconds the endpoint asks to wait."""

    def __init__(
        self, category: Category, status: int | None, message: str, *, lasting: bool = False, pause: float = 0.0
    ) -> None:
        super().__init__(message)
        self.category, self.status, self.message, self.lasting, self.pause = category, status, message, lasting, pause


def decoded(status: int, headers: Mapping[str, str], content: bytes, *, longest_pause: float) -> dict[str, Any]:
    """The JSON object in an endpoint's answer; whatever else it is, is a `Fault`."""
    if not 200 <= status < 300:
        raise _refused(status, headers, content, longest_pause)
    try:
        found = _json(content)
    except (ValueError, RecursionError):
        raise Fault("upstream_error", status, f"the answer is not JSON: {beginning(content)}") from None
    if not isinstance(found, dict):
        raise Fault("upstream_error", status, f"the answer is not a JSON object: {beginning(content)}")
    if found.get("error"):
        raise _spoken(found, status)
    return found


def _json(content: bytes) -> Any:
    """A JSON value; half a surrogate pair, which a model may write, becomes a replacement character."""
    try:
        return msgspec.json.decode(content)
    except (msgspec.DecodeError, UnicodeDecodeError):
        found = json.loads(content)
        return json.loads(json.dumps(found, ensure_ascii=False).encode("utf-8", "replace"))


def beginning(content: bytes | str) -> str:
    """The first part of what an endpoint sent, as text."""
    return (content[:_READ].decode(errors="replace") if isinstance(content, bytes) else content[:_READ]) or "(nothing)"


def retry_after(headers: Mapping[str, str], *, longest: float, now: float | None = None) -> float:
    """Seconds that an endpoint asks to wait, as a number or a date; none and nonsense are 0, and `longest` is the most."""
    lowered = {name.lower(): value for name, value in headers.items()}
    milliseconds, asked = lowered.get("retry-after-ms"), lowered.get("retry-after")
    try:
        if milliseconds is not None:
            seconds = float(milliseconds) / 1000
        elif asked is None:
            return 0.0
        elif asked.strip()[:1].isdigit():
            seconds = float(asked)
        else:
            seconds = parsedate_to_datetime(asked).timestamp() - (time.time() if now is None else now)
    except (ValueError, TypeError, OverflowError):
        return 0.0
    return min(max(seconds, 0.0), longest) if seconds == seconds else 0.0  # NaN is nonsense too


def _refused(status: int, headers: Mapping[str, str], content: bytes, longest_pause: float) -> Fault:
    said = _said(content)
    if 300 <= status < 400:
        said = f"the endpoint has moved to {beginning(headers.get('Location', ''))}"
    lasting = (status < 500 and status not in _TRANSIENT_CLIENT_ERRORS) or status in _LASTING_SERVER_ERRORS
    out_of_money = status == 429 and _OUT_OF_MONEY in beginning(content)
    pause = retry_after(headers, longest=longest_pause)
    return Fault(category_of_status(status), status, f"status {status}: {said}", lasting=lasting or out_of_money, pause=pause)


def _spoken(found: Mapping[str, Any], status: int) -> Fault:
    """An error in an answer whose status is 200: gateways and the Responses API both do this."""
    error = found["error"]
    code = str(error.get("code") or error.get("type") or "") if isinstance(error, Mapping) else ""
    category: Category = "rate_limit" if "rate_limit" in code or code in ("429", _OUT_OF_MONEY) else "upstream_error"
    said = _said(msgspec.json.encode(found))
    return Fault(category, status, f"the answer is an error: {said}", lasting=code == _OUT_OF_MONEY)


def _said(content: bytes) -> str:
    """What an endpoint says about its error: its own message if it has a usual form, else the beginning of whatever it sent."""
    try:
        body = msgspec.json.decode(content)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return beginning(content)
    for key in ("error", "message", "detail"):
        value = body.get(key) if isinstance(body, dict) else None
        if isinstance(value, Mapping):
            value = value.get("message")
        if isinstance(value, str) and value:
            return beginning(value)
    return beginning(content)
