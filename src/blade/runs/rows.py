"""One line of a rollout file as a row.

A struct decodes the line in one pass: the response and the prompt typed, so that their text is skipped, and every other field
as itself. The struct grows with the fields it meets, so none is unknown. What it does not take (NaN, raw control characters,
invalid UTF-8, lists inside `output`, chat messages) goes through a lenient second reading; what that does not take either is a
`BadRow`, counted with its line and never dropped in silence.
"""

import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import msgspec
from msgspec import UNSET, Raw, UnsetType

from blade.runs import shapes

MOST_NAMES = 2_000
LARGE_FIELDS = frozenset(
    [
        "ng_trajectory",
        "ng_model_call_capture",
        "ng_agent_observations",
        "messages",
        "conversation",
        "trajectory",
        "completion",
        "output",
    ]
)


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


class Response(msgspec.Struct):
    output: list[Item] | None = None
    id: Any = None
    model: Any = None
    created_at: Any = None
    status: Any = None
    error: Any = None
    incomplete_details: Any = None
    usage: Any = None
    tools: Raw = Raw(b"null")


class PromptItem(msgspec.Struct, gc=False):
    role: Any = None
    content: Raw = Raw(b"null")
    arguments: Raw = Raw(b"null")
    output: Raw = Raw(b"null")


class Params(msgspec.Struct):
    """`responses_create_params`: what the evaluation asked."""

    input: list[PromptItem] | str | None = None
    instructions: Any = None
    tools: Raw = Raw(b"null")
    model: Any = None
    temperature: Any = None
    top_p: Any = None
    max_output_tokens: Any = None
    max_tool_calls: Any = None
    reasoning: Any = None


@dataclass(slots=True)
class Row:
    """The response, the prompt, and every other top-level field in the order of `RowDecoder.names` (UNSET where absent).

    A field's value is a Python value, or a raw token where the field was nested when it was first met.
    """

    response: Response
    params: Params
    values: Sequence[Any]
    oddities: tuple[str, ...] = ()


cut_fields = msgspec.json.Decoder(dict[str, Raw]).decode
_decode_strictly = msgspec.json.Decoder().decode
_Unreadable = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
NO_RESPONSE = Response()


def decode(token: bytes | Raw) -> Any:
    """A raw token as a value. Tokens are cut out unread: what is wrong inside one (a number beyond all range) is forgiven here."""
    try:
        return _decode_strictly(token)
    except _Unreadable:
        with suppress(BadRow):
            return parse_leniently(bytes(token), [])
    return None


class RowDecoder:
    """Decodes line after line; one per stretch of lines, so that what it has met never depends on who else was read."""

    def __init__(self, expects_response: bool = True) -> None:
        self.names: dict[str, int] = {}
        self.unnamed = 0  # rows that hold fields beyond the limit on names
        self._kinds: list[Any] = []
        self._expects_response = expects_response  # an input has none, and that is no other shape
        self._build()

    def decode(self, text: bytes | memoryview) -> Row:
        """The row on a line, or BadRow."""
        try:
            response, params, *values = msgspec.structs.astuple(self._decode(text))
        except msgspec.ValidationError:
            return self._decode_another_shape(text)
        except _Unreadable:
            return self._decode_leniently(text)
        if (
            response.__class__ is Response
            and params.__class__ is Params
            and response.output is not None
            and params.input is not None
        ):
            return Row(response, params, values)
        if not self._expects_response and response is UNSET and params.__class__ is Params and params.input is not None:
            return Row(NO_RESPONSE, params, values)
        return self._decode_another_shape(text)

    def _build(self) -> None:
        fields: list[tuple[str, Any, Any]] = [
            ("response", Response | None | UnsetType, UNSET),
            ("params", Params | None | UnsetType, UNSET),
        ]
        fields += [(f"f{number}", kind, UNSET) for number, kind in enumerate(self._kinds)]
        rename = {"params": "responses_create_params"}
        rename |= {f"f{number}": name if _can_be_a_field(name) else f"\ue000{number}" for name, number in self.names.items()}
        full = len(self.names) >= MOST_NAMES
        struct = msgspec.defstruct("Line", fields, rename=rename, forbid_unknown_fields=not full)
        self._decode = msgspec.json.Decoder(struct).decode

    def _meet(self, fields: dict[str, Raw]) -> bool:
        """Take in the fields not met before; True when there were any."""
        new = [name for name in fields if name not in self.names and name not in ("response", "responses_create_params")]
        room = new[: MOST_NAMES - len(self.names)]
        self.unnamed += len(new) > len(room)
        for name in room:
            nested = name in LARGE_FIELDS or bytes(memoryview(fields[name])[:1]) in (b"{", b"[")
            self.names[name] = len(self._kinds)
            self._kinds.append(Raw if nested else Any)
        if room:
            self._build()
        return bool(room)

    def _decode_another_shape(self, text: bytes | memoryview) -> Row:
        """A row with fields not met before, or whose response or prompt has another shape than the usual one."""
        try:
            fields = cut_fields(text)
            if self._meet(fields):
                return self.decode(text)
            values: list[Any] = [UNSET] * len(self.names)
            for name, number in self.names.items():
                if name in fields:
                    values[number] = fields[name] if self._kinds[number] is Raw else _decode_strictly(fields[name])
            return Row(_response_of(fields), _params_of(fields), tuple(values))
        except _Unreadable:
            return self._decode_leniently(text)

    def _decode_leniently(self, text: bytes | memoryview) -> Row:
        """A second reading by a parser that forgives, re-encoded for the first one, with a word on what was forgiven."""
        oddities: list[str] = []
        value = parse_leniently(bytes(text), oddities)
        if not isinstance(value, dict):
            raise BadRow("not_an_object", f"a JSON {type(value).__name__}, not an object")
        try:
            clean = json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")
            cut_fields(clean)  # must not come back here
            row = self.decode(clean)
        except (*_Unreadable, ValueError) as error:
            raise BadRow("malformed", str(error)) from error
        return Row(row.response, row.params, row.values, tuple(oddities))


def _can_be_a_field(name: str) -> bool:
    """Structs take no name with quotes, backslashes or control characters; rows with one are read field by field."""
    return not any(character in '"\\' or character < " " for character in name)


def _response_of(fields: dict[str, Raw]) -> Response:
    whole = {name: _decode_strictly(fields[name]) for name in shapes.OUTPUT_FIELDS if name in fields}
    given = whole.get("response")
    response = dict(given) if isinstance(given, dict) else {}
    response["output"] = [shapes.header(item) for _, item in shapes.output_items(whole)]
    tools = response.pop("tools", None)
    found = msgspec.convert(response, Response)
    if tools is not None:
        found.tools = Raw(msgspec.json.encode(tools))
    return found


def _params_of(fields: dict[str, Raw]) -> Params:
    whole = {name: _decode_strictly(fields[name]) for name in shapes.PROMPT_FIELDS if name in fields}
    given = whole.get("responses_create_params")
    params = {name: value for name, value in given.items() if name not in ("tools", "input")} if isinstance(given, dict) else {}
    found = msgspec.convert(params, Params)
    found.input = [
        PromptItem(item.get("role"), *(Raw(msgspec.json.encode(item.get(name))) for name in ("content", "arguments", "output")))
        for item in shapes.prompt_items(whole)
    ]
    if isinstance(given, dict) and given.get("tools") is not None:
        found.tools = Raw(msgspec.json.encode(given["tools"]))
    return found


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
        if abs(value) < float("inf"):
            return value
        not_finite(token)
        return None

    def integer(token: str) -> int | float | None:
        return int(token) if len(token) < 300 else number(token)

    try:
        return json.loads(decoded, strict=False, parse_constant=not_finite, parse_float=number, parse_int=integer)
    except RecursionError:
        raise BadRow("too_deep", "nested too deeply to be read") from None
    except ValueError as error:
        raise BadRow("malformed", str(error)) from None
