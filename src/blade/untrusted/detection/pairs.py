"""A user and a password side by side: `Test accounts: ann / Kestrel2017`, `admin:kestrel17`, `ann|Kestrel2017`, one a line or several.

Only a sign stands between the two, so either the line speaks of accounts and logging in, or the user is one that every system has.
"""

import re
from collections.abc import Iterator
from typing import Final

from blade.untrusted.detection.chosen import is_chosen, is_clearly_chosen, is_jumbled, is_passphrase, is_run_together, unwrapped
from blade.untrusted.detection.finding import Sensitive
from blade.untrusted.detection.judgement import DESCRIBES
from blade.untrusted.detection.telling import ACCOUNTS, places_of
from blade.untrusted.detection.wordlists import words

_PAIR: Final = re.compile(
    r"(?<![\w/.:@#$%?&=-])(?<!\*\*)[\"'`(]?(?P<user>(?!(?i:sha\d+|md5):)[A-Za-z][\w.+-]{1,40}(?:@[\w.-]{1,60})?)[\"'`]?(?P<sign>[ ]?/[ ]?|[ ]:[ ]|:|[ ]?\|[ ]?|[ ]-{1,2}>?[ ]|[ ]?→[ ]?|,[ ]?)[\"'`]?(?P<value>[^\s\"'`,;|<>()]{5,64})"
)
_DIGIT_OR_SIGN: Final = re.compile(r"[\d!@#$%^&*]")
_accounts: Final = places_of(ACCOUNTS)
EVERYWHERE: Final = words(
    "admin administrator root user test tester demo guest sa postgres mysql oracle pi ubuntu tomcat jenkins operator support superuser sysadmin dbadmin elastic grafana rabbitmq nagios cisco minioadmin"
)
REACH: Final = 120
LINES: Final = 4


def in_pairs(text: str) -> Iterator[Sensitive]:
    """Passwords that stand beside their user."""
    done = 0
    for at, _ in _accounts(text):
        if at < done:
            continue
        start = max(text.rfind("\n", max(at - 3, 0), at) + 1, done, at - 3)
        done = _reach(text, at)
        if not DESCRIBES.search(text, start, done):
            yield from _pairs(text, start, done)


def _reach(text: str, at: int) -> int:
    """The rest of the line and the first lines below it: `Accounts:`, and then one after the other."""
    end = at
    for _ in range(LINES):
        close = text.find("\n", end, end + REACH)
        if close < 0:
            return min(end + REACH, len(text))
        end = close + 1
    return end - 1


def _pairs(text: str, start: int, end: int) -> Iterator[Sensitive]:
    for pair in _PAIR.finditer(text, start, end):
        if pair.end() == end < len(text) and not text[end].isspace():
            return  # cut in two
        begin, close = pair.span("value")
        if pair["sign"] == ":" and (colon := text.find(":", begin, close)) > 0:
            close = colon  # a line of a file of users goes on
        inner = unwrapped(text, begin, close)
        value = text[slice(*inner)]
        usual = pair["user"].lower() in EVERYWHERE
        if pair["value"][0] != "-" and (usual or pair["sign"][0] != ",") and _is_password(value, usual) and not _is_other(value):
            yield Sensitive("password", *inner)


def _is_other(value: str) -> bool:
    """`src/module2`, `user:1000`, `host:8080`, `#W123` and the names of code are no passwords."""
    plain = not _DIGIT_OR_SIGN.search(value) or value.isdigit() or value[0] in "#+-." or any(sign in value for sign in "/\\=")
    return plain or value.upper() == value or (value.islower() and ("." in value or "_" in value))


def _is_password(value: str, usual: bool) -> bool:
    return (
        is_clearly_chosen(value)
        or is_jumbled(value)
        or (usual and (is_chosen(value) or is_passphrase(value) or is_run_together(value)))
    )
