"""Literals handed to what logs in, signs or encrypts: the class says what they are, no name of a parameter does.

`Fernet(b"…")`, `HTTPBasicAuth("ann", "…")`, `ClientSecretCredential(tenant, client, "…")`, `hmac.new(b"…", …)`, `smtp.login("ann", "…")`.
"""

import re
from collections.abc import Iterator
from typing import Final

from blade.untrusted.detection.chosen import is_chosen, is_clearly_chosen, is_passphrase
from blade.untrusted.detection.finding import Sensitive
from blade.untrusted.detection.judgement import is_placeholder
from blade.untrusted.detection.randomness import UUID, is_hex, is_random

MOST_ARGUMENTS: Final = 6
_OPENED: Final = re.compile(r"""\((?=\s{0,20}(?:[rbuf]{0,2}["'`]|[\w.]{1,60}\s{0,2},))""")
_CALLED: Final = re.compile(r"[A-Za-z_]\w{1,50}(?:[.:]{1,2}(?:new|create|of|from\w*|init|for\w*))?\Z")
_ARGUMENT: Final = re.compile(
    r"""\s{0,20}(?:\w{1,40}\s?[=:]\s?)?(?:[rbuf]{0,2}(?P<mark>["'`])(?P<value>[^"'`\n\\]{0,4096})(?P=mark)|[\w.\[\]]{1,60})(?:\.encode\(\)|\.getBytes\(\))?\s{0,20}(?P<next>,?)"""
)
_SECRETIVE: Final = re.compile(
    r"(?i)fernet|auth(?!or(?:s|ed)?(?:$|[.:_]))|cred|cipher|secret|signer|signing|hmac|crypt|token|apikey|api_key|aes|chacha|serializer|private_?key|keypair|passw"
)
_CLIENT: Final = re.compile(r"(?:Client|Bot|API|Api|Session|SDK|Connection|Service)\Z|^(?:Github|Gitlab|Telegram|Slack|OpenAI)")
_OTHER: Final = re.compile(r"[{}<>]|^[/.#]|^\w+(?:_\w+)*_(?:id|name|url|key|field)$|://|^(?:GET|POST|PUT|utf-8)$")
_CONNECT: Final = re.compile(
    r"(?i)connect\w*\Z|connection\Z|\bpdo\Z|datasource\Z|open(?:db|conn\w*)\Z|drivermanager|sqlalchemy|session\Z|(?:set|with)_?auth\w*\Z"
)
_SETS: Final = re.compile(
    r"(?i)(?:create|add|new|make|register|invite)_?(?:super|admin|db)?_?user\Z|sign_?up\Z|register\Z|(?:set|check|verify|hash|make|change|reset|update|generate|compare)_?(?:pass(?:word|wd)?|pw|pwd)(?:_hash|hash)?\Z|hashpw\Z|(?:en|de)crypt\w*\Z|typewrite\Z"
)
_LOGIN: Final = re.compile(
    r"(?i)basic_?auth|digest_?auth|plain_?auth|password|credentials?\Z|log_?in\Z|sign_?in\Z|authenticate\Z|logon\Z"
)


def in_calls(text: str) -> Iterator[Sensitive]:
    """Secrets among the arguments of calls."""
    for opened in _OPENED.finditer(text):
        called = _CALLED.search(text, max(opened.start() - 60, 0), opened.start())
        if called is None:
            continue
        secretive, login = _SECRETIVE.search(called[0]), _LOGIN.search(called[0])
        connects = _CONNECT.search(called[0])
        sets = _SETS.search(called[0])
        if secretive or login or connects or sets or _CLIENT.search(called[0]):
            yield from _given(
                text, opened.end(), login=bool(login), connects=bool(connects), sets=bool(sets), least=16 if secretive else 24
            )


def _given(text: str, place: int, *, login: bool, connects: bool, sets: bool, least: int) -> Iterator[Sensitive]:
    for number in range(MOST_ARGUMENTS):
        argument = _ARGUMENT.match(text, place)
        if argument is None:
            return
        value = argument["value"]
        told = (
            (sets and _is_handed(value or ""))
            or (login and number == 1 and _is_password(value or ""))
            or (connects and number >= 1 and _is_handed(value or ""))
        )
        if value and (told or _is_drawn(value, least)):
            yield Sensitive("key", *argument.span("value"))
        if not argument["next"]:
            return
        place = argument.end()


def _is_drawn(value: str, least: int) -> bool:
    bare = value.rstrip("=")
    if len(bare) < least or UUID.search(bare) or is_placeholder(value) or any(sign in bare for sign in " ,:;(){}[]<>"):
        return False
    return is_random(bare, 32 if is_hex(bare) else least) and "://" not in bare and not bare.startswith(("/", "."))


def _is_handed(value: str) -> bool:
    """A password among what a connection is opened with: names of hosts and databases have no digits and signs like these."""
    return is_clearly_chosen(value) or is_passphrase(value) or (is_chosen(value) and "." not in value and "_" not in value)


def _is_password(value: str) -> bool:
    """Whatever stands second in a call that logs in, unless it stands for something."""
    return 4 <= len(value) <= 100 and not is_placeholder(value) and not _OTHER.search(value) and len(value.split()) <= 6
