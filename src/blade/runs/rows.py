"""One line of a rollout file as a row.

The top level is cut into raw tokens, so that no field is unknown and none is decoded that nobody asked for; the response and
the prompt are decoded by typed structs that skip text. What these do not take (NaN, raw control characters, invalid UTF-8,
lists inside `output`, chat messages) goes through a lenient second reading; what that does not take either is a `BadRow`,
counted with its line and never dropped in silence.
"""

import json
from dataclasses import dataclass, field
from typing import Any

import msgspec

from blade.runs import shapes

Fields = dict[str, msgspec.Raw]


class BadRow(Exception):
    """A line that holds no row: `code` says why."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class Item(msgspec.Struct, gc=False):
    """An output item, without its text."""

    type: Any = None
    role: Any = None
    name: Any = None


class Response(msgspec.Struct):
    output: list[Item] = []
    id: Any = None
    model: Any = None
    created_at: Any = None
    status: Any = None
    error: Any = None
    incomplete_details: Any = None
    usage: Any = None


class PromptItem(msgspec.Struct):
    role: Any = None
    type: Any = None
    content: Any = None


class Params(msgspec.Struct):
    """`responses_create_params`: what the evaluation asked."""

    input: list[PromptItem] | str | None = None
    instructions: Any = None
    tools: msgspec.Raw = msgspec.Raw(b"null")
    model: Any = None
    temperature: Any = None
    top_p: Any = None
    max_output_tokens: Any = None


@dataclass(slots=True)
class Row:
    fields: Fields
    response: Response
    params: Params
    oddities: list[str] = field(default_factory=list)

    def value(self, name: str) -> Any:
        """A top-level field, decoded; None where it is absent or a number beyond all range."""
        raw = self.fields.get(name)
        if raw is None:
            return None
        try:
            return decode(raw)
        except msgspec.ValidationError:
            self.oddities.append("non_finite_number")
            return None


cut_fields = msgspec.json.Decoder(Fields).decode
_response = msgspec.json.Decoder(Response)
_params = msgspec.json.Decoder(Params)
decode = msgspec.json.Decoder().decode
_Unreadable = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)


def decode_row(text: bytes) -> Row:
    """The row on a line, or BadRow."""
    try:
        if not text.isascii():
            text.decode()  # raw tokens are not checked by the decoder
        return _row(cut_fields(text), [])
    except _Unreadable:
        return _decode_leniently(text)


def _row(fields: Fields, oddities: list[str]) -> Row:
    return Row(fields, _decode_response(fields), _decode_params(fields), oddities)


def _decode_response(fields: Fields) -> Response:
    raw = fields.get("response")
    if raw is not None:
        try:
            return _response.decode(raw)
        except msgspec.ValidationError:
            pass  # not the usual shape
    whole = {name: decode(fields[name]) for name in shapes.OUTPUT_FIELDS if name in fields}
    given = whole.get("response")
    response = dict(given) if isinstance(given, dict) else {}
    response["output"] = [shapes.header(item) for _, item in shapes.output_items(whole)]
    return msgspec.convert(response, Response)


def _decode_params(fields: Fields) -> Params:
    raw = fields.get("responses_create_params")
    if raw is not None:
        try:
            params = _params.decode(raw)
            if params.input is not None:
                return params
        except msgspec.ValidationError:
            pass
    whole = {name: decode(fields[name]) for name in shapes.PROMPT_FIELDS if name in fields}
    given = whole.get("responses_create_params")
    params_dict = {name: value for name, value in given.items() if name != "tools"} if isinstance(given, dict) else {}
    params_dict["input"] = [item for item in shapes.prompt_items(whole) if isinstance(item, dict)]
    params = msgspec.convert(params_dict, Params)
    if isinstance(given, dict) and given.get("tools") is not None:
        params.tools = msgspec.Raw(msgspec.json.encode(given["tools"]))
    return params


def _decode_leniently(text: bytes) -> Row:
    """A second reading by a parser that forgives, re-encoded for the first one, with a word on what was forgiven."""
    oddities: list[str] = []
    value = parse_leniently(text, oddities)
    if not isinstance(value, dict):
        raise BadRow("not_an_object", f"a JSON {type(value).__name__}, not an object")
    try:
        clean = json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")
        return _row(cut_fields(clean), oddities)
    except (*_Unreadable, ValueError) as error:
        raise BadRow("malformed", str(error)) from error


def parse_leniently(text: bytes, oddities: list[str]) -> Any:
    """Any JSON value that a forgiving reader can make out; what was forgiven is appended to `oddities`."""
    stripped = text.strip(b"\0 \t\r\n\xef\xbb\xbf")
    if not stripped:
        raise BadRow("nul_bytes", "NUL bytes only: the disk or the writer lost this line")
    try:
        decoded = stripped.decode()
    except UnicodeDecodeError:
        decoded = stripped.decode("utf-8", "replace")
        oddities.append("invalid_utf8")

    def not_finite(_: str) -> None:
        if "non_finite_number" not in oddities:
            oddities.append("non_finite_number")

    def number(token: str) -> float | None:
        value = float(token)
        return value if abs(value) < float("inf") else not_finite(token)

    def integer(token: str) -> int | float | None:
        return int(token) if len(token) < 300 else number(token)

    try:
        return json.loads(decoded, strict=False, parse_constant=not_finite, parse_float=number, parse_int=integer)
    except RecursionError:
        raise BadRow("too_deep", "nested too deeply to be read") from None
    except ValueError as error:
        raise BadRow("malformed", str(error)) from None
