"""Values that stand under a telling name: name, link, value, and then a judgement.

The link is whatever people and programs put between a name and its value: `=`, `:`, `=>`, a space after a flag, `</name>`, `is`. The value is
what is quoted, or runs to the next space. All languages of configuration and code look alike at this distance, so nothing else is known of them.
"""

import re
from collections.abc import Iterator
from typing import Final

from blade.untrusted.detection.finding import Sensitive
from blade.untrusted.detection.judgement import holds_secret, is_placeholder
from blade.untrusted.detection.names import Promise, promise

# Every name of a secret contains one of these; names are looked for by them because finding a word is quick.
STEMS: Final = (
    *(
        "pass",
        "pwd",
        "secret",
        "token",
        "key",
        "auth",
        "cred",
        "sess",
        "cookie",
        "signature",
        "sig=",
        "psk",
        "dsn",
        "mnemonic",
        "phrase",
    ),
    *(
        "connection",
        "conn_str",
        "webhook",
        "hook_url",
        "database_url",
        "db_url",
        "pswd",
        "otp",
        "pin",
        "contrase",
        "kennwort",
        "senha",
        "clave",
    ),
    *(
        "wachtwoord",
        "пароль",
        "密码",
        "口令",
        "パスワード",
        "비밀번호",
        "code",
        "sas",
        "license",
        "jwt",
        "sid",
        "hmac",
        "bearer",
        "salt",
        "pat=",
        "pat:",
    ),
)
_NAME_BEFORE: Final = re.compile(r"[\w.-]{0,60}$")
_NAME_REST: Final = re.compile(
    r"[\w-]{0,40}+(?:[ ](?:key|token|code|word|phrase|string|secret|pass(?:word)?|url))?", re.IGNORECASE
)
_QUOTES: Final = "\"'`"
_LINK: Final = re.compile(
    r"""(?xi)
    (?P<close>["'`]?\s{0,3}\]?\)?\s{0,3})
    (?: (?P<sign>:=|=>|->|→|=|:|,)[ \t]{0,8}(?:\n[ \t]{1,8})?(?:(?:\||>)-?[ \t]*\n[ \t]+)?
      | (?P<tag>>)
      | (?P<said>\s{1,3}(?:is|was|are|be|to|as|equals|set\s+to|for\s+[\w@.-]{1,40}\s{0,2}(?:is|=|:))\s{0,2}:?\s{1,3})
      | (?P<cell>[ \t]{0,20}\|[ \t]{0,20})
      | (?P<call>\()
      | (?P<space>[ \t]{1,8}) )
    (?P<type>(?:[A-Za-z_][\w\[\]]*\s*=\s*)?)
    """
)
_SCHEME: Final = re.compile(
    r"(?i)(?:bearer|basic|token|digest|apikey|api-key|sswS|negotiate|aws4-hmac-sha256|hawk|oauth|splunk|key|genie-?key|bot|ntlm)[ ]{1,3}"
)
_QUOTED: Final = re.compile(r"""(?s)[rbfu]{0,2}(?:(?P<mark>\"\"\"|'''|["'`])(?P<value>.*?)(?P=mark))""")
_BARE: Final = re.compile(r"""[^\s"'`<>\\,;|]+""")
_FLAG: Final = re.compile(r"(?:^|[\s\"'`,\[(])-{1,2}[\w-]*$")
LONGEST_VALUE: Final = 4_096


def assigned(text: str) -> Iterator[Sensitive]:
    """The secrets that names in this text point at."""
    lowered = text.lower()
    if len(lowered) != len(text):  # one letter of Turkish grows when it is made small
        lowered = text.replace("İ", "I").lower()
    seen: set[int] = set()
    for stem in STEMS:
        at = lowered.find(stem)
        while at >= 0:
            rest = _NAME_REST.match(text, at)
            end = rest.end() if rest else at + len(stem)
            if end not in seen:
                seen.add(end)
                yield from _after_name(text, at, end)
            at = lowered.find(stem, at + len(stem))


def _after_name(text: str, at: int, end: int) -> Iterator[Sensitive]:
    before = _NAME_BEFORE.search(text, max(at - 60, 0), at)
    start = before.start() if before else at
    name = text[start:end]
    meant = promise(name)
    if meant is Promise.NOTHING:
        shorter = name.split(" ")[0]
        meant, end = promise(shorter), start + len(shorter)
        if meant is Promise.NOTHING:
            return
    link = _LINK.match(text, end)
    if link is None:
        return
    found = _value(text, start, link, meant)
    if found is not None:
        yield Sensitive(_kind(name), *found)


def _value(text: str, start: int, link: re.Match[str], meant: Promise) -> tuple[int, int] | None:
    place = link.end("type") if link["type"] and link["sign"] == ":" else link.start("type")
    if link["space"] and not _FLAG.search(text, max(start - 40, 0), start + 1) and not _command_word(text, start, link):
        return None
    if link["call"] and place < len(text) and text[place] not in _QUOTES:
        return None
    if scheme := _SCHEME.match(text, place):
        place = scheme.end()
        meant = Promise.STRONG
    quoted = _QUOTED.match(text, place)
    if quoted and len(quoted["value"]) <= LONGEST_VALUE:
        begin, stop = quoted.span("value")
        if scheme := _SCHEME.match(text, begin, stop):
            begin, meant = scheme.end(), Promise.STRONG
        return (begin, stop) if holds_secret(meant, text[begin:stop], quoted=True) and not _is_column(text, link) else None
    if link["sign"] == "," and not link["close"].strip():
        return None  # a list of words
    return _bare(text, place, link, meant)


def _bare(text: str, place: int, link: re.Match[str], meant: Promise) -> tuple[int, int] | None:
    bare = _BARE.match(text, place)
    if bare is None:
        return None
    begin, stop = bare.span()
    closing = {")": "(", "]": "[", "}": "{"}
    while stop > begin and (
        text[stop - 1] in ".:!?" and link["said"] or text[stop - 1] in closing and closing[text[stop - 1]] not in text[begin:stop]
    ):
        stop -= 1
    if link["tag"] and not text.startswith("</", stop):
        return None
    value = text[begin:stop]
    amp = value.find("&")
    if amp > 0 and "=" in value[amp:]:
        value = value[:amp]  # the next parameter of a query
    spaced = bool(link["said"] or link["cell"] or (link["sign"] and link.group("sign") == ":" and text[place - 1] == " "))
    if not holds_secret(meant, value, quoted=not spaced and not link["space"] and _one_word(value)):
        return None
    return begin, begin + len(value)


def _one_word(value: str) -> bool:
    """`PASSWORD=correcthorse` is a value; `password=settings.password` and `secret=secret` are code."""
    return len(value) >= 8 and not is_placeholder(value) and value.isalnum()


def _command_word(text: str, start: int, link: re.Match[str]) -> bool:
    """Places where a space alone links: `machine x login y password z`, `IDENTIFIED BY`, `requirepass z`."""
    before = text[max(start - 90, 0) : start]
    name = text[start : link.start()].lower()
    return bool(
        re.search(
            r"(?i)\b(?:login\s+\S+|user\s+[\w'\"@.%-]+\s+(?:with\s+)?(?:encrypted\s+)?|with\s+(?:encrypted\s+)?)\s*$", before
        )
        or name in ("requirepass", "masterauth", "_authtoken", "rootpw", "bindpw")
        or re.search(r"(?i)\bset\s+[\w-]*\s*$", before)
    )


def _is_column(text: str, link: re.Match[str]) -> bool:
    """`["password", "email"]` and `"key", "value"` are lists of names, not assignments."""
    return (
        link["sign"] == "," and promise(text[link.end() + 1 : link.end() + 40].split('"')[0].split("'")[0]) is not Promise.NOTHING
    )


def _kind(name: str) -> str:
    lowered = name.lower()
    for part, kind in (
        ("cookie", "cookie"),
        ("token", "token"),
        ("hook", "webhook"),
        ("key", "key"),
        ("sess", "cookie"),
        ("sig", "signature"),
    ):
        if part in lowered:
            return kind
    return "password" if re.search("pass|pwd|pswd|phrase|contrase|wort|senha|clave|пароль|密码|口令", lowered) else "credential"
