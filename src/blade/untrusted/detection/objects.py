"""Objects in which one member names the field and another holds what was put into it, in JSON, Python, JavaScript or markup, whole or torn off.

`{"element": "Password textbox", "text": "…"}`, `<input name="pwd" value="…">`, `page.fill("#password", "…")`, `get_by_label("Password").fill("…")`,
`<setting name="Password"><value>…</value>`, `variable "db_password" { default = "…" }`.
"""

import re
from collections.abc import Iterator
from typing import Final

from blade.untrusted.detection.finding import Sensitive
from blade.untrusted.detection.judgement import holds_secret, is_code_for
from blade.untrusted.detection.names import Promise, promise
from blade.untrusted.detection.telling import FIELDS, places_of
from blade.untrusted.detection.wordlists import any_of, small, words

LABELS: Final = words(
    "name key header field fieldname field_name variable env label id title type kind element selector locator placeholder aria-label aria_label arialabel description target "
    "xpath css css_selector input_name control question prompt role ref hint parameter param setting property attribute option column caption"
)
VALUES: Final = words(
    "value val content default current_value secret data plaintext text input keys fill answer response typed entered new_value input_text text_to_type string body"
)
REACH: Final = 1_500
_LABEL: Final = re.compile(
    rf"""(?i)(?<![\w.])["']?(?:{"|".join(sorted(LABELS, key=len, reverse=True))})["']?\s{{0,4}}[:=]\s{{0,4}}(?P<mark>["'])(?P<label>[^\n]{{2,120}}?)(?P=mark)(?=\s*[,}}\s/>)])"""
)
_VALUE: Final = re.compile(
    rf"""(?i)(?<![\w.])["']?(?:{"|".join(sorted(VALUES, key=len, reverse=True))})["']?\s{{0,4}}[:=]\s{{0,4}}(?P<mark>["'])(?P<value>[^\n]{{4,400}}?)(?P=mark)"""
)
_PASSWORD_WORD: Final = any_of(FIELDS)
_fields: Final = places_of(FIELDS)
_REST_OF_FIELD: Final = re.compile(r"""[\w\s=\]:#.*-]{0,40}["']""")
_CALL: Final = re.compile(
    r"""(?ix)["']\s{0,2}(?:\)|\])?(?:\s{0,2},\s{0,2}|(?:\s{0,2}\.\w{1,24}(?:\(\d?\))?){0,3}\.(?:fill|type|send_?keys|set_?value|press_?sequentially|clear_and_type|val|input|enter|write|set)\s?\()
    \s{0,2}(?P<mark>["'])(?P<value>[^\n"']{4,100})(?P=mark)"""
)
_ELEMENT: Final = re.compile(
    r"""(?i)(?:name|key|id|property|field)\s{0,2}=\s{0,2}(?P<mark>["'])(?P<label>[\w.: /-]{2,80})(?P=mark)[^<>\n]{0,120}(?<![/-])>\s{0,40}(?:<(?:value|string|val|data)\b[^<>\n]{0,60}>\s{0,40})?(?P<value>[^<>\n]{4,400}?)\s{0,40}</"""
)
_BLOCK: Final = re.compile(
    r"""(?P<type>\b\w{2,60})["']?\s{1,4}["'](?P<label>[\w./-]{1,80})["']\s{1,4}(?:["'](?P<name>[\w./-]{1,80})["']\s{1,4})?\{"""
)
_SETTING: Final = re.compile(
    r"""\b(?:value|data|content|default|plaintext|secret_string|secret_data|string|text)\s{0,40}=\s{0,4}"(?P<value>[^"\n]{4,400})\""""
)
_FIELD: Final = re.compile(
    r"""(?i)(?:fill|type|enter|input|write|send_?keys|set|get\w*|by\.\w+,?|locator|find\w*|\$|query\w*|label\w*)\s{0,2}\(?[^\n()]{0,40}\Z"""
)


def telling_label(label: str) -> Promise:
    """What the label of a field promises: its name as a setting, or that it speaks of a password."""
    meant = promise(label.strip(" *:"))
    if meant is Promise.STRONG or len(label) > 120:
        return meant
    lowered = small(label)
    if _PASSWORD_WORD.search(lowered) and not re.search(r"forgot|reset|show|hide|link|button|strength|manager", lowered):
        return Promise.STRONG
    return meant


def in_objects(text: str) -> Iterator[Sensitive]:
    """Values whose neighbour says that they are secret."""
    if '" {' in text:
        yield from _labelled_blocks(text)
    told = list(_fields(text))
    if not told:
        return
    done = 0
    for label in _LABEL.finditer(text):
        if label.end() > done and telling_label(label["label"]) >= Promise.STRONG:
            start, done = _around(text, label.start(), label.end())
            yield from _neighbours(text, label, start, done)
    if "</" in text:
        yield from _elements(text)
    for at, word in told:
        field = _REST_OF_FIELD.match(text, at + len(word))
        call = _CALL.match(text, field.end() - 1) if field and _FIELD.search(text, max(at - 80, 0), at) else None
        if call and _is_value(call["value"], call["value"]):
            yield Sensitive("password", *call.span("value"))


def _elements(text: str) -> Iterator[Sensitive]:
    """Elements that an attribute names and that hold their value as text."""
    for element in _ELEMENT.finditer(text):
        if telling_label(element["label"]) >= Promise.STRONG and _is_value(element["label"], element["value"]):
            yield Sensitive("password", *element.span("value"))


def _labelled_blocks(text: str) -> Iterator[Sensitive]:
    """Blocks of configuration whose type or label names a secret, with the value under a name of no meaning."""
    for block in _BLOCK.finditer(text):
        label = block["name"] or block["label"]
        closed = text.find("}", block.end(), block.end() + REACH)
        if max(promise(label), promise(block["type"])) >= Promise.STRONG:
            for value in _SETTING.finditer(text, block.end(), closed if closed >= 0 else block.end() + REACH):
                if _is_value(label, value["value"]):
                    yield Sensitive("password", *value.span("value"))


def _neighbours(text: str, label: re.Match[str], start: int, end: int) -> Iterator[Sensitive]:
    for value in _VALUE.finditer(text, start, end):
        if value.start() != label.start() and _is_value(label["label"], value["value"]):
            yield Sensitive("password", *value.span("value"))


def _around(text: str, start: int, end: int) -> tuple[int, int]:
    """The object around a member: from its opening bracket to its closing one, or as far as it reaches."""
    floor = max(start - REACH, 0)
    opened = max(text.rfind(sign, floor, start) for sign in "{<}>")
    closed = [place for sign in "}>{<" if (place := text.find(sign, end, end + REACH)) >= 0]
    return max(opened, floor), min(closed, default=min(end + REACH, len(text)))


def _is_value(label: str, value: str) -> bool:
    return (
        "\\" not in value
        and " " not in value.strip()
        and (holds_secret(Promise.STRONG, value, quoted=True) or is_code_for(label, value))
        and promise(value) is Promise.NOTHING
    )
