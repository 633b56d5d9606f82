"""Telling words in a text, found once for all detectors that begin at one: looking at each character is what a search costs."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Final

from blade.untrusted.detection.tongues import CODES, ENGLISH, KEYS, LOGINS, PASSWORDS, SHORT
from blade.untrusted.detection.wordlists import any_of, small, words

# Every name of a secret contains one of these.
STEMS: Final = (
    *words(
        "pass pwd secret token key auth cred sess cookie signature sig= psk dsn mnemonic phrase connection conn_str webhook hook_url database_url db_url pswd otp pin"
    ),
    *words("contrase code sas license jwt sid hmac bearer salt pat= pat: login _pw pw= pw: pepper"),
    *(word for word in PASSWORDS if " " not in word),
)
SPOKEN: Final = (*ENGLISH, *PASSWORDS, *CODES, *KEYS, *LOGINS, "pin", "otp", *SHORT)
VERBS: Final = tuple(
    words(
        "login signin sign-in logon auth token apikey api-key -key secret cred passw user register activate license unlock join link connect configure"
    )
)
VICINITY: Final = ("passw", "pwd", "passphrase", "secret", "credential", "login", "auth", "securestring", "connect(")
FIELDS: Final = (*ENGLISH, *PASSWORDS, "pwd", "passw", *CODES)
ANNOUNCED: Final = (*FIELDS, *words("pass secret token key cred auth code openssl base64 pwgen"))
NEARBY: Final = tuple(
    words(
        "passw passphrase passcode pwd secret token key auth cred login logon sess cookie bearer signature webhook licen private unlock seed unseal totp jwt cipher crypt hmac"
    )
)
"""Words that make a secret of what was drawn and stands near them."""
PASSWORDS_SAID: Final = (*ENGLISH, *PASSWORDS, "pw", "pwd", "mdp", "credential", "creds", "securestring")
"""Words that make a secret also of what somebody chose."""
ACCOUNTS: Final = (*LOGINS, *words("account user admin root ssh ftp cred passw konto compte cuenta conta utente"))
"""Words beside which a user and a password stand as a pair."""
HEADS: Final = tuple(words("auth cred secret key token passw login account private vault"))
_ALL: Final = frozenset((*ACCOUNTS, *HEADS, *STEMS, *SPOKEN, *VERBS, *VICINITY, *FIELDS, *ANNOUNCED, *NEARBY, *PASSWORDS_SAID))
_ANY: Final = any_of(_ALL)
_ANY_ASCII: Final = any_of(word for word in _ALL if word.isascii())


@lru_cache(maxsize=2)
def _found(text: str) -> tuple[tuple[int, str], ...]:
    pattern: re.Pattern[str] = _ANY_ASCII if text.isascii() else _ANY
    return tuple((one.start(), one[0]) for one in pattern.finditer(small(text)))


def places_of(words: Iterable[str]) -> Callable[[str], Iterator[tuple[int, str]]]:
    """A search for these words, which are among those above: where each stands, in order. A word inside a longer one is found as well."""
    inside: defaultdict[str, list[tuple[int, str]]] = defaultdict(list)
    longest = sorted(set(words), key=len, reverse=True)
    for told in _ALL:
        end = 0
        for word in longest:
            if (at := told.find(word)) >= 0 and (at >= end or not inside[told]):
                inside[told].append((at, word))
                end = at + len(word)
    wanted = {told: tuple(found) for told, found in inside.items() if found}

    def search(text: str) -> Iterator[tuple[int, str]]:
        for start, told in _found(text):
            for at, word in wanted.get(told, ()):
                yield start + at, word

    return search
