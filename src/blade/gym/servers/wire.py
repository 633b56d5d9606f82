"""Values, paths and cookies as bytes: what the two ends of a call between processes agree on.

A text travels as `text/plain`, as it is, because a tool's answer is its raw text; every other value as JSON. Names that environments
and models make up (a tool's, an instance's) may hold any character, so paths and cookies are percent-encoded.
"""

import json
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import quote, unquote

import msgspec

JSON: Final = "application/json"
TEXT: Final = "text/plain"
LARGEST_BODY: Final = 256 << 20
"""Bytes of one request: all the rows of a run are aggregated in one."""
_COOKIE_SIGNS: Final = "!#$&*+-.^_`|~"
_PATH_SIGNS: Final = "/!$&'()*+,;=:@"


class NotJson(ValueError):
    """Bytes that are no JSON value, in words for whoever sent them."""


def encoded(value: Any) -> bytes:
    """A JSON value as bytes. Numbers that are not finite become null; lone surrogates are kept as escapes."""
    try:
        return msgspec.json.encode(value)
    except (ValueError, OverflowError):  # a lone surrogate, a number beyond 64 bits
        return json.dumps(value).encode()


def decoded(content: bytes) -> Any:
    """The JSON value in bytes; nothing at all is null."""
    if not content:
        return None
    try:
        return msgspec.json.decode(content)
    except (ValueError, RecursionError):
        pass
    try:
        return json.loads(content)  # slower, and takes what a model may write: lone surrogates and numbers of any size
    except (ValueError, RecursionError) as error:
        raise NotJson(f"the body is not JSON: {error}") from None


def encoded_text(text: str) -> bytes:
    return text.encode("utf-8", "backslashreplace")


def encoded_path(path: str) -> str:
    """A path as it stands in a request; `.` and `..` are names like any other here."""
    whole = quote(path, safe=_PATH_SIGNS, errors="surrogatepass")
    return "/".join(part.replace(".", "%2E") if part in (".", "..") else part for part in whole.split("/"))


def decoded_path(path: str) -> str:
    return unquote(path, errors="surrogatepass")


def encoded_cookie(text: str) -> str:
    """The name or the value of a cookie."""
    return quote(text, safe=_COOKIE_SIGNS)


def cookie_header(cookies: Mapping[str, str]) -> str:
    return "; ".join(f"{encoded_cookie(name)}={encoded_cookie(value)}" for name, value in cookies.items())


def decoded_cookies(cookies: Mapping[str, str]) -> dict[str, str]:
    return {unquote(name): unquote(value) for name, value in cookies.items()}
