"""Addresses: what a URL gives away besides where it leads. A password before the host, a signature or token in its query, a
random part of its path that is the key to a webhook, and a host that only exists inside somebody's house."""

import ipaddress
import re
from collections.abc import Iterator
from typing import Final

from blade.untrusted.detection.finding import Sensitive
from blade.untrusted.detection.judgement import holds_secret, is_placeholder
from blade.untrusted.detection.names import Promise, promise
from blade.untrusted.detection.randomness import UUID, WORDY, is_random, wordiness
from blade.untrusted.detection.unnamed import is_unnamed
from blade.untrusted.detection.wordlists import words

_REST: Final = re.compile(r"""[^\s"'`<>\\|^]{1,4096}""")
LONG: Final = 2_048
_HOST: Final = re.compile(
    r"(?P<host>\[[0-9A-Fa-f:.%]+\]|[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*\.?)(?P<port>:\d{1,5})?(?![A-Za-z0-9])"
)
_PARAMETER: Final = re.compile(r"[?&;#]([\w.\[\]%-]{1,60})=([^&;#]*)")
_SIGNED: Final = words(
    "sig signature x-amz-signature x-amz-security-token x-goog-signature x-amz-credential googleaccessid awsaccesskeyid code key ticket"
)
_KEYLIKE: Final = re.compile(
    r"(?i)key|tok|sig|auth|pass|sec(?:ret)?$|cred|^app_?id$|ticket|sess|sid$|hmac|jwt|access|api|hash$|invite|magic|otp|pwd|code$"
)
_CAUGHT: Final = re.compile(r"(?i)(?:hooks?|push|ping|join|invite|verify)[\w.-]*/\Z|hooks?[\w.-]*/")
_MIXED: Final = re.compile(r"(?=[a-zA-Z_-]*\d)(?=[\d_-]*[a-zA-Z])[\w-]{6,80}")
_FILE: Final = re.compile(r"\.[a-z]{2,5}\Z")
_TRACKS: Final = re.compile(
    r"(?i)clid$|^utm|id$|^v$|^list$|^q$|query|search|cursor|page|^doi$|^ref|^e[dsh]$|^ved$|^usg$|^h$|image|img|data"
)
_HOOK: Final = re.compile(
    r"(?i)hook|/services/|/trigger/|/incoming/|bot\d+|(?:reset|invit|magic|verif|confirm|activat|sign-?in|login|unlock|token|join|push|ping|private|auth|secret|subscri|ical|feed|session|callback)[\w.-]*/"
)
INTERNAL_SUFFIX: Final = re.compile(
    r"(?i)(?:^|\.)(?:internal|local|localdomain|lan|corp|intranet|intra|private|priv|home|home\.arpa|cluster|consul|svc(?:\.cluster\.local)?|vpn|mesh|node|compute\.internal)$"
)
PUBLIC_SINGLE: Final = frozenset(
    {
        "localhost",
        "example",
        "host",
        "hostname",
        "server",
        "domain",
        "url",
        "your-host",
        "ip",
        "user",
        "test",
        "www",
        "path",
        "foo",
        "bar",
    }
)
_SCHEMES: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{1,30}$")


def in_urls(text: str) -> Iterator[Sensitive]:
    """What URLs in the text should not say."""
    at = text.find("://")
    while at >= 0:
        scheme = _SCHEMES.search(text, max(at - 31, 0), at)
        rest = _REST.match(text, at + 3)
        if scheme and rest:
            yield from _parts(rest[0].rstrip(".,;:!?)]}"), rest.start(), scheme[0].lower())
        # A word of such a length is no list of addresses, and reading it again for each would take for ever.
        at = text.find("://", rest.end() if rest and len(rest[0]) >= LONG else at + 3)


def _parts(url: str, offset: int, scheme: str) -> Iterator[Sensitive]:
    path_at = min((place for sign in "/?#" if (place := url.find(sign)) >= 0), default=len(url))
    # A password may hold an unescaped slash, so the last @ that is followed by a host counts.
    sign = url.rfind("@", 0, path_at)
    if sign < 0 and ":" in url[:path_at] and "@" in url[path_at:] and not url[url.find(":") + 1 : path_at].isdigit():
        later = url.find("@", path_at)
        if _HOST.match(url, later + 1) and " " not in url[:later]:
            sign = later
            path_at = next((place for place in range(sign, len(url)) if url[place] in "/?#"), len(url))
    if sign >= 0:
        yield from _userinfo(url[:sign], offset, scheme)
    yield from _hosts(url[sign + 1 : path_at], offset + sign + 1)
    yield from _query(url, path_at, offset)
    yield from _path(url, sign + 1, path_at, offset)


def _userinfo(info: str, offset: int, scheme: str) -> Iterator[Sensitive]:
    user, colon, password = info.partition(":")
    if colon and password and not _stands_for(password):
        yield Sensitive("url_password", offset + len(user) + 1, offset + len(info))
    if user and not _stands_for(user):
        if is_random(user, 16):
            yield Sensitive("url_password", offset, offset + len(user))
        elif colon and user.lower() not in ("git", "user", "x-access-token", "oauth2", "root", "postgres", "admin", "guest"):
            yield Sensitive("user", offset, offset + len(user))


def _stands_for(word: str) -> bool:
    return (
        (word[0] in "<{$*[%" and not re.match("%[0-9A-Fa-f]{2}", word))
        or word.strip("*xX.") == ""
        or word.lower() in ("password", "pass", "passwd", "your_password", "pwd")
    )


def _hosts(hosts: str, offset: int) -> Iterator[Sensitive]:
    """One host, or the several of a cluster's address."""
    for piece in re.finditer("[^,]+", hosts):
        host = _HOST.fullmatch(piece[0])
        if host and is_internal(host["host"]):
            yield Sensitive("host", offset + piece.start(), offset + piece.end())


def is_internal(host: str) -> bool:
    """A host that means something inside one network only: a bare name, an internal domain, an address."""
    bare = host.strip("[].").lower()
    if not bare or bare in PUBLIC_SINGLE or bare.startswith(("redacted", "withheld")):
        return False
    try:
        return not keeps_to_itself(ipaddress.ip_address(bare))
    except ValueError:
        pass
    if "." not in bare:
        return bare.replace("-", "").replace("_", "").isalnum() and not bare.isdigit() and len(bare) >= 2
    return bool(INTERNAL_SUFFIX.search(bare)) or (bare.startswith("ip-") and "compute" in bare)


def keeps_to_itself(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    """Addresses that give nobody away: this machine, none at all, and masks."""
    return address.is_loopback or address.is_unspecified or str(address).startswith("255.") or address.is_multicast


def _query(url: str, start: int, offset: int) -> Iterator[Sensitive]:
    for found in _PARAMETER.finditer(url, start):
        name, value = found[1], found[2]
        meant = promise(name.replace("%5F", "_"))
        if name.lower() in _SIGNED and is_random(value, 10):
            meant = Promise.STRONG
        telling = _KEYLIKE.search(name) and is_random(value, 20)
        if meant is Promise.NOTHING and (telling or (is_unnamed(value) and not _TRACKS.search(name))):
            meant = Promise.TOKEN
        drawn = meant >= Promise.TOKEN and _letters_at_random(value)
        if (drawn or holds_secret(meant, value, quoted=False)) and not is_placeholder(value):
            yield Sensitive("url_token", offset + found.start(2), offset + found.end(2))


def _letters_at_random(value: str) -> bool:
    """A token that happens to hold no digit: both cases, and hardly a word."""
    wordy = wordiness(value)
    return len(value) >= 16 and value not in (value.lower(), value.upper()) and wordy is not None and wordy < WORDY


def _path(url: str, host: int, start: int, offset: int) -> Iterator[Sensitive]:
    if not _HOOK.search(url, host):
        return
    for found in re.finditer(r"/([A-Za-z0-9_:.~@-]{6,})(?=[/?#]|$)", url[start:]):
        if _FILE.search(found[1]):
            continue
        part = found[1].removeprefix("private-")
        if (
            is_random(part, 16)
            or UUID.search(part)
            or re.fullmatch(r"[TB][A-Z0-9]{8,12}", part)
            or is_random(part.rpartition(":")[2], 20)
            or (_CAUGHT.search(url, host, start + found.start() + 1) and _MIXED.fullmatch(part))
        ):
            yield Sensitive("webhook", offset + start + found.start(1), offset + start + found.end(1))
