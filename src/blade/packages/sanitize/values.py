"""One value of a row with everything private replaced: texts, texts inside texts, and what only the structure tells.

A string can be JSON (the arguments of a call, a tool's output), base64 of a text, or simply a text. A field's name, the neighbour
in a list of arguments, a pair of `name` and `value`, the members of a JSON web key: all of them say what a string is.
Numbers, booleans and the shape of the row never change.
"""

import json
import re
from dataclasses import dataclass, field
from typing import Any, Final

from blade.packages.sanitize.echoes import Echoes
from blade.packages.sanitize.encoded import DEEPEST, encoded_texts
from blade.packages.sanitize.ledger import Ledger
from blade.packages.sanitize.pseudonyms import Pseudonyms
from blade.untrusted.detection import (
    MARKER,
    KnownNames,
    Promise,
    Sensitive,
    find_sensitive,
    holds_secret,
    is_credential,
    promise,
    settle,
)
from blade.untrusted.detection.arguments import in_arguments
from blade.untrusted.detection.names import ENDPOINT_NAMES, USER_NAMES
from blade.untrusted.detection.objects import LABELS, VALUES, telling_label
from blade.untrusted.detection.places import ANYBODY
from blade.untrusted.detection.search import NOBODY
from blade.untrusted.detection.sections import is_head, is_plain_member
from blade.untrusted.detection.unnamed import is_unnamed
from blade.untrusted.detection.urls import PUBLIC_SINGLE

_JWK_SECRETS: Final = frozenset({"d", "p", "q", "dp", "dq", "qi", "k"})
_URL_HOST: Final = re.compile(
    r"^(?:[a-zA-Z][\w+.-]*://)?(?:[^@/\s]*@)?(?P<host>\[[0-9a-fA-F:]+\]|[A-Za-z0-9][\w.-]*)(?::\d{1,5})?(?=[/?#]|$)"
)
_PICTURE: Final = re.compile(r"data:(?:image|audio|video|font|application/pdf)[\w./+-]*;base64,")
MOST_KEYS: Final = 50_000
SHORT: Final = 80
"""Names of fields, roles and tools come again and again: such texts are remembered as plain, within bounds."""
_CARRIERS: Final = re.compile(
    r"(?i)(?:tool_?)?(?:output|content|text|stdout|result|body|message|response|observation|value|answer|token|code)"
)
"""Fields that hold whatever a tool or a model said: a drawn token alone in one is what a command printed."""
_PRIVATE_HEADER: Final = re.compile("-----BEGIN")


@dataclass
class Cleaner:
    """Replaces what is private, and notes in the ledger what it replaced."""

    pseudonyms: Pseudonyms
    ledger: Ledger
    known: KnownNames = NOBODY
    _plain_keys: set[str] = field(default_factory=set)
    _plain_texts: set[str] = field(default_factory=set)
    _echoes: Echoes = field(default_factory=Echoes)

    def row(self, value: Any) -> Any:
        """A whole row: what is found somewhere in it is replaced wherever else it stands, also without a telling place."""
        self._echoes.fresh = False
        clean = self.value(value)
        return self.value(clean) if self._echoes.fresh else clean

    def value(self, value: Any, path: str = "$", name: str = "", depth: int = 0) -> Any:
        """The value, or the same object where nothing in it is private."""
        if isinstance(value, str):
            return self.string(value, path, name, depth)
        if isinstance(value, dict):
            return self._object(value, path, name, depth)
        if isinstance(value, list):
            return self._list(value, path, name, depth)
        return value

    def string(self, value: str, path: str, name: str = "", depth: int = 0) -> str:
        whole = self._by_name(value, name) if name and value else None
        if whole is not None:
            self.ledger.note(path, whole.kind)
            self._learn(whole, value)
            return value[: whole.start] + self.pseudonyms.marker(whole.kind, value[whole.start : whole.end]) + value[whole.end :]
        if depth < DEEPEST and len(value) > 6 and (inner := self._json_inside(value, path, name, depth)) is not None:
            return inner
        return self.text(value, path, depth)

    def text(self, text: str, path: str, depth: int = 0) -> str:
        """A text with what is private replaced by markers."""
        if text in self._plain_texts or _PICTURE.match(text):
            return text
        found = find_sensitive(text, self.known)
        if echoes := self._echoes.find(text):
            found = settle([*found, *echoes])
        replaced: dict[tuple[int, int], str] = {}
        if depth < DEEPEST and len(text) >= 20:
            for one in encoded_texts(text):
                if not any(is_credential(other) and other.start <= one.start and one.end <= other.end for other in found):
                    clean = self.string(one.text, f"{path}|decoded", depth=depth + 1)
                    if clean != one.text:
                        again = one.encode(clean) if one.encode else self.pseudonyms.marker("encoded", one.text)
                        replaced[one.start, one.end] = again
        if not found and not replaced:
            if len(text) <= SHORT and len(self._plain_texts) < MOST_KEYS:
                self._plain_texts.add(text)
            return text
        spans = [Sensitive("\0", *span) for span in replaced]
        return self._replace(text, settle([*spans, *found]) if spans else found, replaced, path)

    def _replace(self, text: str, found: list[Sensitive], replaced: dict[tuple[int, int], str], path: str) -> str:
        parts: list[str] = []
        done = 0
        for kind, start, end in found:
            if kind == "\0":
                new = replaced.get((start, end), "[redacted encoded]")
            else:
                new = self.pseudonyms.marker(kind, text[start:end])
                self.ledger.note(path, kind)
                self._learn(Sensitive(kind, start, end), text)
            parts += (text[done:start], new)
            done = end
        return "".join((*parts, text[done:]))

    def _learn(self, one: Sensitive, text: str) -> None:
        if is_credential(one) and self._echoes.learn(one.kind, text[one.start : one.end]):
            self._plain_texts.clear()
            self._plain_keys.clear()

    def _by_name(self, value: str, name: str) -> Sensitive | None:
        """The part of a value that its field's name makes private."""
        meant = promise(name)
        if meant is not Promise.NOTHING and not MARKER.search(value) and not _PRIVATE_HEADER.match(value):
            start = len(value) - len(value.removeprefix("Bearer ").removeprefix("Basic ").removeprefix("Token "))
            if (
                not value.lstrip().startswith(("{", "["))
                and "://" not in value[:40]
                and holds_secret(meant, value[start:], quoted=True)
            ):
                return Sensitive("cookie" if "cookie" in name.lower() else "credential", start, len(value))
        if _CARRIERS.fullmatch(name) and is_unnamed(value.strip()):
            return Sensitive("token", 0, len(value))
        if (
            USER_NAMES.search(name)
            and re.fullmatch(r"[\w.@+-]{2,64}", value)
            and "@" not in value
            and value.lower() not in ANYBODY
            and not value.isdigit()
        ):
            return Sensitive("user", 0, len(value))
        if ENDPOINT_NAMES.search(name) and (host := _URL_HOST.match(value)) and "@" not in value:
            plain = host["host"].lower()
            if plain not in PUBLIC_SINGLE and not plain.startswith("127.") and ("." in plain or "://" in value or ":" in value):
                return Sensitive("host", host.start("host"), host.end())
        return None

    def _json_inside(self, value: str, path: str, name: str, depth: int) -> str | None:
        """The string with the JSON that it is cleaned; None where it is none."""
        first, last = value.lstrip()[:1], value.rstrip()[-1:]
        if first + last not in ("{}", "[]", '""'):
            return None
        try:
            inner = json.loads(value)
        except (ValueError, RecursionError):
            return None
        clean = self.value(inner, f"{path}|json", name, depth + 1)
        if clean is inner or clean == inner:
            return value
        lines = "\n" in value.strip()
        return json.dumps(
            clean,
            ensure_ascii=value.isascii(),
            indent=_indent(value) if lines else None,
            separators=None if lines or ": " in value else (",", ":"),
        )

    def _object(self, value: dict[str, Any], path: str, name: str, depth: int) -> dict[str, Any]:
        contexts = _told_by_siblings(value, name)
        changed = False
        clean: dict[str, Any] = {}
        for key, inner in value.items():
            new_key = self._key(key, path, clean)
            place = f"{path}.{new_key[:80]}" if new_key.isidentifier() else f"{path}[{json.dumps(new_key[:80])}]"
            context = contexts.get(key, key)
            if "kty" in value and key in _JWK_SECRETS and isinstance(inner, str) and len(inner) > 8 and not MARKER.search(inner):
                self.ledger.note(place, "private_key")
                new: Any = self.pseudonyms.marker("private_key", inner)
            elif isinstance(inner, int) and not isinstance(inner, bool) and abs(inner) > 999 and _is_pass_word(context):
                self.ledger.note(place, "password")
                new = self.pseudonyms.marker("password", str(inner))
            else:
                new = self.value(inner, place, context, depth)
            changed = changed or new is not inner or new_key != key
            clean[new_key] = new
        return clean if changed else value

    def _key(self, key: str, path: str, taken: dict[str, Any]) -> str:
        if key in self._plain_keys:
            return key
        new = self.text(key, f"{path}.(key)") if len(key) > 5 else key
        if new == key and len(self._plain_keys) < MOST_KEYS:
            self._plain_keys.add(key)
        while new in taken:  # two keys that read alike once they are cleaned
            new += "'"
        return new

    def _list(self, value: list[Any], path: str, name: str, depth: int) -> list[Any]:
        clean = []
        before = ""
        value = self._command(value, path)
        pair = len(value) == 2 and all(isinstance(one, str) for one in value)
        for number, inner in enumerate(value):
            context = name
            if isinstance(inner, str):
                told = before.lstrip("-") if before.startswith("-") or (pair and number) else ""
                context = told if told and "=" not in told and len(told) < 60 else name
                before = inner
            clean.append(
                self.value(inner, f"{path}[{number}]", context, depth) if isinstance(inner, str | dict | list) else inner
            )
        return clean if any(new is not old for new, old in zip(clean, value, strict=True)) else value

    def _command(self, value: list[Any], path: str) -> list[Any]:
        """A list of arguments with the secrets replaced that only the whole command tells."""
        if len(value) < 3 or not all(isinstance(one, str) for one in value) or not any(one.startswith("-") for one in value):
            return value
        clean = list(value)
        for number, start, end in sorted(set(in_arguments(value)), reverse=True):
            secret = value[number][start:end]
            if secret and clean[number] == value[number] and not MARKER.search(value[number]):
                self.ledger.note(f"{path}[{number}]", "password")
                self._learn(Sensitive("password", start, end), value[number])
                clean[number] = value[number][:start] + self.pseudonyms.marker("password", secret) + value[number][end:]
        return clean if clean != value else value


def _told_by_siblings(value: dict[str, Any], name: str) -> dict[str, str]:
    """`{"name": "DB_PASSWORD", "value": "…"}` and `"password": {"value": "…"}`: what names a value that does not name itself."""
    if is_head(name) or promise(name) >= Promise.TOKEN:
        return {key: name if key.lower() in VALUES and promise(name) else _below(name, key) for key in value}
    told = [label for key, label in value.items() if key.lower() in LABELS and isinstance(label, str) and len(label) < 120]
    label = max(told, key=telling_label, default="")
    meant = telling_label(label) if label else Promise.NOTHING
    if meant is Promise.NOTHING:
        return {}
    return {key: "password" if promise(label) < meant else label for key in value if key.lower() in VALUES}


def _below(head: str, key: str) -> str:
    """The name of a member below a telling head: its own where that says something, else a token of the head's."""
    own = promise(key) is not Promise.NOTHING or is_plain_member(key)
    return key if own or not is_head(head) else f"{key}_token"


def _is_pass_word(name: str) -> bool:
    return bool(re.search(r"(?i)(?:passw(?:or)?d|passcode|pwd|pin(?:_?code)?|otp)$", name))


def _indent(text: str) -> int:
    found = re.search(r"\n( +)\S", text)
    return len(found[1]) if found else 2
