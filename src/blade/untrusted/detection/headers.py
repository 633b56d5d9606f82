"""Places that hold secrets without naming them: headers, command lines, statements of SQL, blocks of key material."""

import re
from base64 import b64decode
from binascii import Error
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from blade.untrusted.detection.finding import Sensitive
from blade.untrusted.detection.judgement import is_placeholder
from blade.untrusted.detection.randomness import is_random
from blade.untrusted.detection.wordlists import any_of, small

_VALUE: Final = r"""[^\s"'`,;<>\\|]"""


class _Place(NamedTuple):
    kind: str
    gate: tuple[str, ...]
    """One of these stands in the text in small letters wherever the place does."""
    pattern: re.Pattern[str]


def _place(kind: str, gate: str, pattern: str) -> _Place:
    return _Place(kind, tuple(gate.split("|")), re.compile(pattern, re.VERBOSE | re.IGNORECASE))


_SECRET: Final = rf"""["']?(?P<secret>{_VALUE}{{4,4096}})"""
_PLACES: Final = (
    _place(
        "authorization",
        "authorization|x-auth",
        rf"""\b(?:proxy-)?(?:authorization|x-auth(?:-token)?)["']?\s{{0,3}}[:=]\s{{0,3}}["']?(?:[A-Za-z][\w-]{{1,24}}[ ]{{1,3}})?(?P<secret>{_VALUE}{{8,4096}})""",
    ),
    _place("authorization", "bearer", rf"\bbearer[ ]{{1,4}}(?P<secret>(?=[^\s]{{0,80}}[0-9]){_VALUE}{{12,4096}})"),
    _place(
        "basic_auth",
        "basic",
        r"\bbasic[ ]{1,3}(?P<secret>(?=[A-Za-z0-9+/]{0,60}(?:[A-Z0-9=]))[A-Za-z0-9+/]{8,}={0,2})(?![A-Za-z0-9])",
    ),
    _place(
        "password",
        "-u|--user",
        r"""(?:\bcurl\b|\bwget\b|\bhttp\b)[^\n]{0,400}?\s(?:-u|--user|--proxy-user)[ =]{0,2}["']?[^\s:"']{0,80}:(?P<secret>[^\s"']{3,200})""",
    ),
    _place(
        "password",
        "auth",
        r"""\b(?:auth\s*=\s*\(|HTTP(?:Basic|Digest)Auth\(|BasicAuth\(|SetBasicAuth\()\s*["'][^"'\n]{1,80}["']\s*,\s*["'](?P<secret>[^"'\n]{3,200})["']""",
    ),
    _place("password", "sshpass", rf"\bsshpass\s+-p\s*{_SECRET}"),
    _place(
        "password",
        "mysql|mariadb|mongo|mysqldump",
        r"""\b(?:mysql(?:dump|admin)?|mariadb|mongo(?:sh|dump)?)\b[^\n|;]{0,200}?\s-p[ ]?["']?(?P<secret>(?![\s-])[^\s"'|;]{4,100})""",
    ),
    _place(
        "password",
        "login|redis-cli|sqlcmd|psql|ldap|smbclient|htpasswd",
        rf"\b(?:docker|podman|az|oc|helm|redis-cli|sqlcmd|ldap(?:search|modify|add|delete|passwd|whoami|compare|modrdn|exop))\b[^\n|;]{{0,200}}?\s-(?:p|P|a|w)[ ]{_SECRET}",
    ),
    _place("password", "htpasswd", rf"\bhtpasswd\s+-\w*b\w*\s+\S+\s+\S+\s+{_SECRET}"),
    _place(
        "password", "chpasswd", r"""echo\s+["']?[^\s:"']{1,40}:(?P<secret>[^\s"'|]{4,100})["']?\s*\|\s*(?:sudo\s+)?chpasswd"""
    ),
    _place(
        "password", "password-stdin|sudo -s", rf"echo\s+(?:-n\s+)?{_SECRET}[\"']?\s*\|[^\n]{{0,80}}(?:password-stdin|sudo\s+-S)"
    ),
    _place(
        "password", "identified", r"""\bidentified\s+(?:with\s+\S+\s+)?by\s+(?:password\s+)?["'](?P<secret>[^"'\n]{3,200})["']"""
    ),
    _place("password", "password '", r"""\bpassword\s+'(?P<secret>[^'\n]{3,200})'"""),
    _place("password", "machine ", r"\bmachine\s+\S+\s+login\s+\S+\s+password\s+(?P<secret>\S{3,200})"),
    _place(
        "password",
        "net use|runas|/user:",
        r"/user:\S+[ ]+(?P<secret>(?![/*\\])\S{6,80})|\bnet\s+use\s+[^\n]{0,80}?\s(?P<secret2>(?![/*\\])\S{4,80})\s+/user:",
    ),
    _place(
        "password",
        ":5432:|:3306:|:*:",
        r"^[\w.*-]+:(?:\d{2,5}|\*):[\w*-]+:[\w*-]+:(?P<secret>[^\s:]{4,200})$|(?<=\n)[\w.*-]+:(?:\d{2,5}|\*):[\w*-]+:[\w*-]+:(?P<secret2>[^\s:]{4,200})(?=\s|$)",
    ),
    _place(
        "password",
        "jdbc:oracle|sqlplus",
        r"(?:jdbc:oracle:\w+:|sqlplus\s+(?:-\w\s+)*)[\w.$-]{1,60}/(?P<secret>[^@\s\"']{3,100})@",
    ),
    _place(
        "password",
        "cred|login",
        r"""\b(?:credentials?|creds|logins?)\s{0,2}(?:are|is|[:=])\s{0,2}["']?[\w.@-]{2,60}["']?\s{0,2}[/:|]\s{0,2}["']?(?P<secret>(?=[^\s"']*[\d!@\#$%^&*])[^\s"',;]{6,100})""",
    ),
    _place("password", "-u |--user", r"\s(?:-U|--user)[ =]?[\w.\\-]{1,60}%(?P<secret>[^\s\"']{4,100})"),
    _place("otp_secret", "otpauth", r"otpauth://[^\s\"']{1,200}?secret=(?P<secret>[A-Za-z2-7]{10,})"),
    _place("password", "ntlm|:::", r":[0-9a-f]{32}:(?P<secret>[0-9a-f]{32}):::"),
)
_ANY_GATE: Final = any_of([*(word for place in _PLACES for word in place.gate), "cookie", " -b ", "true", "false"])
_COOKIE: Final = re.compile(
    r"""(?i)\b(?:set-)?cookie["']?\s{0,3}[:=]\s{0,3}["']?(?P<pairs>[^\n"']{4,8000})|\s(?:-b|--cookie)[ =]["'](?P<given>[^"'\n]{4,8000})"""
)
_PAIR: Final = re.compile(r"\s*([^=;,\s]{1,120})=([^;\s]{4,4096})")
_JAR: Final = re.compile(
    r"(?:TRUE|FALSE)[ \t]{1,8}/\S{0,200}[ \t]{1,8}(?:TRUE|FALSE)[ \t]{1,8}\d{1,20}(?:\.\d+)?[ \t]{1,8}(?P<name>\S{1,120})[ \t]{1,8}(?P<value>\S{4,4096})"
)
_ATTRIBUTES: Final = frozenset(
    {"path", "domain", "expires", "max-age", "samesite", "secure", "httponly", "priority", "version", "lang", "theme", "locale"}
)
_BLOCK: Final = re.compile(
    r"(?s)-{4,5} ?BEGIN [A-Z0-9 ]{0,40}(?:PRIVATE KEY|SECRET KEY)[A-Z ]{0,12}-{4,5}(?P<body>.*?)(?:-{4,5} ?END [A-Z0-9 ]{0,40}-{4,5}|\Z|(?=\n[^\n]{0,400}[ ][^\n]{0,200}[ ]))"
    r"|PuTTY-User-Key-File-\d.*?Private-Lines:\s*\d+\s(?P<putty>.*?)(?:Private-MAC:\s*[0-9a-f]+|\Z)"
)


def in_headers(text: str) -> Iterator[Sensitive]:
    """Secrets in headers, command lines, statements and blocks."""
    if "BEGIN " in text or "PuTTY-User-Key" in text:
        yield from _blocks(text)
    lowered = small(text)
    if not _ANY_GATE.search(lowered):
        return
    for kind, gate, pattern in _PLACES:
        if any(word in lowered for word in gate):
            yield from _matches(kind, pattern, text)
    if "cookie" in lowered or " -b" in lowered:
        yield from _cookies(text)
    if "true" in lowered or "false" in lowered:
        yield from _jars(text)


def _matches(kind: str, pattern: re.Pattern[str], text: str) -> Iterator[Sensitive]:
    check = _CHECKS.get(kind, _given)
    for found in pattern.finditer(text):
        group = "secret" if found["secret"] is not None else "secret2"
        if check(found[group]):
            yield Sensitive(kind, *found.span(group))


def _given(value: str) -> bool:
    return not is_placeholder(value)


def _credential(value: str) -> bool:
    bare = value.rstrip(").}]")
    return (
        not is_placeholder(bare)
        and (any(c.isdigit() for c in bare) or is_random(bare, 12))
        and "(" not in bare
        and "{" not in bare
    )


def _basic(value: str) -> bool:
    """A user and a password in base64, and no word."""
    try:
        pair = b64decode(value + "=" * (-len(value) % 4))
    except (Error, ValueError):
        return False
    return b":" in pair and all(32 <= code < 127 for code in pair.strip()) and len(pair) >= 5


_CHECKS: Final[dict[str, Callable[[str], bool]]] = {"authorization": _credential, "basic_auth": _basic}


def _cookies(text: str) -> Iterator[Sensitive]:
    for found in _COOKIE.finditer(text):
        group = "pairs" if found["pairs"] else "given"
        for pair in _PAIR.finditer(text, *found.span(group)):
            if pair[1].lower().strip("-_") not in _ATTRIBUTES and not is_placeholder(pair[2]) and _is_session(pair[1], pair[2]):
                yield Sensitive("cookie", *pair.span(2))


def _jars(text: str) -> Iterator[Sensitive]:
    """Files of cookies: a line a cookie, its name and value at the end."""
    for line in _JAR.finditer(text):
        if not is_placeholder(line["value"]) and (_is_session(line["name"], line["value"]) or is_random(line["value"], 16)):
            yield Sensitive("cookie", *line.span("value"))


def _is_session(name: str, value: str) -> bool:
    """Cookies that keep a session, by their name or because they were drawn; dates, places and choices are others."""
    telling = re.search(r"(?i)sess|sid\b|token|auth|csrf|xsrf|login|remember|secret|jwt|id$", name)
    return (
        "(" not in value
        and len(value) >= 6
        and (is_random(value, 12) or (telling is not None and any(c.isdigit() for c in value)))
    )


def _blocks(text: str) -> Iterator[Sensitive]:
    for found in _BLOCK.finditer(text):
        body = found["body"] if found["body"] is not None else found["putty"]
        if body and re.search(r"[A-Za-z0-9+/=]{16,}", body):
            yield Sensitive("private_key", *found.span())
