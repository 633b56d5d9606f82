"""What a name promises of its value: `DB_PASSWORD` holds a secret, `token` may, `max_tokens` and `primary_key` do not.

The last words of a name decide, because the last noun is what the value is. A *strong* name makes a secret of whatever stands under it
and is not a placeholder. A *weak* one (token, key, session, signature) has other uses as well, so its value has to look drawn by a machine.
"""

import re
from enum import IntEnum
from functools import lru_cache
from typing import Final

from blade.untrusted.detection.tongues import ENGLISH, PASSWORDS
from blade.untrusted.detection.wordlists import words


class Promise(IntEnum):
    NOTHING = 0
    WEAK = 1
    TOKEN = 2
    """A token of some service: also a UUID, or a shorter mixture of letters and digits."""
    STRONG = 3


_WORDS: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[^\W\d_A-Z]+|[0-9]+")
_JOINED: Final = re.compile(
    r"^(?:db|pg|my|user|admin|root|smtp|redis|mysql|postgres|ldap|ftp|sudo|http)?(?:(?P<strong>passw(?:or)?d|pass|pwd|secret|apikey|passphrase)|(?P<weak>token))$"
)
_TONGUES: Final = frozenset(
    word for word in (*ENGLISH, *PASSWORDS) if " " not in word and word not in ("parole", "sandi", "clave", "parola")
)
_UNSPACED: Final = tuple(word for word in PASSWORDS if word[0] >= "\u0e00")
_NO_PASS: Final = words("bypass compass trespass surpass encompass underpass overpass lowpass highpass bandpass")
_ENDINGS: Final = (
    "password",
    "passwd",
    "passwort",
    "kennwort",
    "passphrase",
    "passcode",
    "pwd",
    "apikey",
    "secretkey",
    "authtoken",
    "accesstoken",
    "rootpw",
    "bindpw",
    "adminpw",
    "userpw",
    "dbpw",
)
_STRONG: Final = words(
    "password passwords passwd passphrase passcode pwd pswd psw secret secrets credential credentials apikey apikeys authkey accesskey secretkey privatekey "
    "signingkey authtoken accesstoken refreshtoken bearertoken apitoken authorization mnemonic seedphrase dsn requirepass connectionstring connstring "
    "contraseña contrasena clave passwort kennwort motdepasse senha wachtwoord hasło haslo parola пароль 密码 口令 パスワード 비밀번호 psk pem keytab"
)
_STRONG_PAIRS: Final = frozenset(
    {
        "connection string",
        "conn string",
        "connection uri",
        "database url",
        "db url",
        "webhook url",
        "webhook uri",
        "hook url",
        "seed phrase",
        "recovery phrase",
    }
    | {
        "recovery code",
        "backup code",
        "recovery codes",
        "backup codes",
        "pass phrase",
        "pass word",
        "auth pass",
        "mot passe",
        "de passe",
        "palavra passe",
        "sas url",
        "account key",
    }
    | {
        "shared key",
        "pre shared",
        "service account",
        "client cert",
        "basic auth",
        "pass code",
        "access code",
        "auth code",
        "authorization code",
    }
)
_KEY_OWNERS: Final = words(
    "api app application access account admin auth authorization aws azure client consumer crypt crypto customer deploy developer encryption encrypt decryption "
    "gcp host hmac integration jwt license licence management master merchant partner private project provider publishable read rest root sas secret server service "
    "session shared sign signing ssh ssl storage subscription tenant tls token user vault webhook wif write functions function license "
    "local unseal unlock escrow wallet recovery enrollment registration activation join pairing"
)
_WEAK: Final = words(
    "token tokens key keys auth pass session sessionid sid sessid cookie cookies sig signature jwt bearer otp totp pin nonce csrf xsrf hmac salt hash webhook hook "
    "cert certificate code sas assertion ticket license licence phrase seed login creds cred nacl pat dapi"
)
_NOT_TOKENS: Final = words(
    "bos eos pad unk sep cls mask stop next page per first last image special max min total prompt completion input output num end start begin think tool reasoning "
    "text top avg mean word sub new continuation pagination cursor sync target chosen sampled"
)
_NOT_PASSES: Final = words(
    "to all test tests did is can first second third low high band by one two multi single forward backward must should will fail no overall total boarding season the a"
)
_NOT_KEYS: Final = words(
    "primary foreign answer sort dict public partition cache column row map join group lookup hot short object idempotency s3 item field data input output config "
    "json metric score index translation i18n arrow enter tab"
)
_MODIFIERS: Final = words(
    "id ids name names type length len size count url uri path file hint field label policy expiry expires ttl format version prefix at limit usage budget"
)
_SUFFIXES: Final = words(
    "value val b64 base64 enc encoded plain plaintext raw text str string prod production dev staging test live new old current hash hashed hex backup default"
)


@lru_cache(maxsize=8192)
def promise(name: str) -> Promise:
    """What a setting, header, flag, column or variable of this name holds."""
    words = [word.lower() for word in _WORDS.findall(name[-120:])]
    while words and (words[-1].isdigit() or (words[-1] in _SUFFIXES and len(words) > 1)):
        words.pop()
    if not words:
        return Promise.NOTHING
    noun, owner = words[-1], words[-2] if len(words) > 1 else ""
    if owner in ("trade", "top", "open", "dirty"):
        return Promise.NOTHING
    if noun in _STRONG or f"{owner} {noun}" in _STRONG_PAIRS or noun in _TONGUES or noun.endswith(_UNSPACED):
        return Promise.STRONG
    if noun.endswith(_ENDINGS) or (noun.endswith("pass") and 4 < len(noun) <= 12 and noun not in _NO_PASS):
        return Promise.STRONG
    if noun in ("pw", "pwd", "salt", "pepper"):
        return Promise.STRONG if owner and noun != "salt" else Promise.TOKEN
    if noun not in ("token", "pass") and (joined := _JOINED.match(noun)):
        return Promise.STRONG if joined["strong"] else Promise.TOKEN if joined["weak"] else Promise.WEAK
    told = _by_owner(noun, owner, words)
    return (
        told
        if told is not Promise.NOTHING or noun in _MODIFIERS or noun in ("token", "tokens", "key", "keys")
        else _by_earlier_words(words)
    )


def _by_earlier_words(words: list[str]) -> Promise:
    """`secret_key_base`, `client-key-data`: a secret is named, and then something of it; the value has to look like one."""
    if len(words) > 6 or not any(word in _STRONG or word in ("key", "keys") for word in words[:-1]):
        return Promise.NOTHING
    told = max((promise(" ".join(words[:size])) for size in range(1, len(words))), default=Promise.NOTHING)
    return Promise.TOKEN if told is Promise.STRONG else Promise.NOTHING


def _by_owner(noun: str, owner: str, words: list[str]) -> Promise:
    if noun in ("token", "tokens"):
        return Promise.NOTHING if owner in _NOT_TOKENS or (noun == "tokens" and not owner) else Promise.TOKEN
    if noun in ("key", "keys"):
        if owner in _NOT_KEYS:
            return Promise.NOTHING
        return Promise.STRONG if owner in _KEY_OWNERS else Promise.WEAK
    if noun == "pass" and not owner:
        return Promise.TOKEN
    if noun in ("auth", "pass", "creds") and owner:
        return Promise.NOTHING if owner in _NOT_PASSES else Promise.STRONG
    if noun in _MODIFIERS:
        # `session_id` is what a session is known by; `secret_name` is not a secret.
        return (
            Promise.WEAK
            if owner in ("session", "key", "webhook", "hook", "cookie", "access", "secret", "sid")
            and noun in ("id", "url", "uri")
            else Promise.NOTHING
        )
    if noun in _WEAK:
        return Promise.WEAK
    return Promise.WEAK if noun.endswith(("token", "apikey", "secret")) and len(words) == 1 else Promise.NOTHING


ENDPOINT_NAMES: Final = re.compile(
    r"(?i)(?:^|[_.-])(?:base_?url|api_?base|endpoint(?:_?url)?|host(?:name|_?name)?|server(?:_?(?:url|host|name|addr(?:ess)?))?|"
    r"(?:ray|head|proxy|node|db|redis|broker|bind|remote|listen)_?(?:addr(?:ess)?|host|url|ip)|fqdn|ip_?addr(?:ess)?)$"
)
USER_NAMES: Final = re.compile(
    r"(?i)(?:^|[_.-])(?:user_?name|login_?name|log_?name|os_?user|db_?user|ssh_?user|unix_?user|created_by|submitted_by|owner_?login|logname)$|^USER$"
)
