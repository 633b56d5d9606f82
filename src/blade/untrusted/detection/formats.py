"""Tokens that name themselves by their form: a prefix, an alphabet, a length, and a checksum where the issuer adds one.

Known formats come from the issuers' own documentation. Beyond them stands one general shape, because most issuers follow the advice to make
their tokens findable: a short prefix, a separator, and a long random tail. Ids of calls, messages and runs have the same shape and are no
secrets, so a prefix that names such a thing is left alone unless the value stands in the place of a credential (`assigned`).
"""

import re
import zlib
from base64 import urlsafe_b64decode
from binascii import Error as BadBase64
from collections.abc import Iterator
from typing import Final

from blade.untrusted.detection.finding import Sensitive
from blade.untrusted.detection.randomness import UUID, is_hex, is_random, wordiness

_EDGE: Final = r"(?<![A-Za-z0-9])"
_FORMATS: Final = (
    ("aws_key_id", r"(?:AKIA|ASIA|ABIA|ACCA|AROA|AIDA)[A-Z2-7]{16}(?![A-Za-z0-9])"),
    ("google_key", r"AIza[A-Za-z0-9_-]{30,}"),
    ("google_token", r"ya29\.[A-Za-z0-9_-]{20,} | 1//0[A-Za-z0-9_-]{30,} | GOCSPX-[A-Za-z0-9_-]{20,}"),
    ("github_token", r"(?:gh[pousr]_[A-Za-z0-9]{30,} | github_pat_[A-Za-z0-9_]{40,})"),
    ("gitlab_token", r"gl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|oas|soat|ffct)-[A-Za-z0-9_.-]{16,}"),
    ("slack_token", r"xox[a-z](?:\.xox[a-z])?-[A-Za-z0-9-]{10,} | xapp-\d-[A-Za-z0-9-]{20,}"),
    ("stripe_key", r"(?:[sr]k|pk)_(?:live|test|prod)_[A-Za-z0-9]{10,} | whsec_[A-Za-z0-9+/]{20,}"),
    ("api_key", r"sk-(?=[A-Za-z_-]{0,64}[0-9])[A-Za-z0-9_-]{16,}"),
    ("sendgrid_key", r"SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}"),
    ("twilio_key", r"(?:SK|AC)[0-9a-f]{32}(?![0-9a-zA-Z])"),
    ("square_token", r"sq0[a-z]{3}-[A-Za-z0-9_-]{20,} | EAAA[A-Za-z0-9_-]{50,}"),
    ("facebook_token", r"EAA[A-Za-z0-9]{60,}"),
    ("azure_secret", r"[A-Za-z0-9_~.-]{3}\dQ~[A-Za-z0-9_~.-]{31,34}"),
    ("vault_token", r"hv[sbr]\.[A-Za-z0-9_-]{20,}"),
    ("databricks_token", r"dapi[0-9a-f]{32}(?:-\d)?"),
    ("discord_token", r"[MNO][A-Za-z0-9_-]{22,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40}"),
    ("jwt", r"eyJ[A-Za-z0-9_-]{8,}\.(?:eyJ)?[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]+)*"),
    ("crypto_key", r"AGE-SECRET-KEY-1[0-9A-Z]{50,} | [xyz]prv[1-9A-HJ-NP-Za-km-z]{100,}"),
    ("pypi_token", r"pypi-[A-Za-z0-9_-]{40,}"),
    ("atlassian_token", r"AT(?:ATT3|BB|CTT3)[A-Za-z0-9_=-]{20,}"),
    ("airtable_token", r"pat[A-Za-z0-9]{14}\.[0-9a-f]{64}"),
    ("terraform_token", r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{40,}"),
    ("fcm_key", r"AAAA[A-Za-z0-9_-]{7}:APA91b[A-Za-z0-9_-]{100,}"),
    ("docker_token", r"dckr_(?:pat|oat)_[A-Za-z0-9_-]{20,}"),
    ("artifactory_token", r"AKCp[A-Za-z0-9]{60,}"),
)
_KNOWN: Final = re.compile("|".join(rf"(?:{_EDGE}(?P<{kind}>{pattern}))" for kind, pattern in _FORMATS), re.VERBOSE)
_TELEGRAM: Final = re.compile(r"(?<!\d)\d{8,10}:AA[A-Za-z0-9_-]{32,34}(?![A-Za-z0-9_-])")
_PASSWORD_HASH: Final = re.compile(
    r"\$(?:2[abxy]?|5|6|y|7|apr1|1|argon2(?:id|i|d)|scrypt|pbkdf2-[\w-]+)\$[A-Za-z0-9./+=,$-]{20,}|\$(?:P|H|S|8|9|sha1|md5|krb5\w+)\$[A-Za-z0-9./+=,$*@-]{20,}"
    r"|(?:pbkdf2|bcrypt|argon2|scrypt|md5|sha1)(?:[_:][\w:]{1,30})?\$[\w./+=,-]{1,80}\$[\w./+=,$-]{20,}|SCRAM-SHA-\d+\$\d+:[\w/+=]+\$[\w/+=:]{20,}"
    r"|(?<![\w$-])md5[0-9a-f]{32}(?![\w-])|\{(?:CRYPT|PBKDF2|BCRYPT|ARGON2|SSHA|SMD5|MD5)[\w-]*\}[A-Za-z0-9$./+=-]{20,}|\{S?SHA(?:256|512)?\}[A-Za-z0-9+/=]{20,}"
)
TOKEN: Final = re.compile(r"(?<![A-Za-z0-9_+/.~-])[A-Za-z0-9_+/.~-]{16,}+={0,2}")

_GENERAL: Final = re.compile(
    r"(?<![A-Za-z0-9_.-])(?P<prefix>[A-Za-z][A-Za-z0-9]{0,15}(?:[-_.][A-Za-z0-9]{1,9}){0,3})[-_.](?P<tail>[A-Za-z0-9]{20,}(?:[-_.][A-Za-z0-9]{4,}){0,4}|[A-Za-z0-9_-]{28,})(?![A-Za-z0-9])"
)
_TELLING: Final = re.compile(
    r"(?i)(?:^|[-_.])(?:[a-z0-9]{0,6}(?:pat|api|key|sec|secret|token|tok|tkn|auth|sess|cred|pass|bot|oauth|access|refresh|hook|priv|[srp]k|csk)|live|prod|bot|svc|sa|pt|st|ct)(?:v?\d)?(?:$|[-_.])"
)
# Prefixes of ids in the interfaces of models, of data sets, files and versions.
IDS: Final = re.compile(
    r"(?i)(?:call|fc|rs|msg|resp|chatcmpl|cmpl|toolu|tooluse|tool|srvtoolu|run|thread|file|asst|step|batch|req|request|item|ws|ci|mcp|mcpl|img|ig|gen|evt|event|cus|sub|pi|ch|in|price|prod|"
    r"acct|order|user|task|job|trace|span|session|conv|conversation|rollout|episode|sample|row|doc|node|id|uid|uuid|sha\d*|md5|commit|hash|digest|rev|blob|tree|etag|integrity|image|"
    r"video|audio|model|ckpt|checkpoint|dataset|pod|container|deployment|replicaset|sandbox|instance|exec|artifact|cache|tmp|temp|test|chunk|page|part|version|v\d+|www|http|https|functions|tooluse|ft|ftjob|eval|vs|upl|prompt|"
    r"msgbatch|chat|completion|embd|modr|snapshot|layer|bundle|index|main|vendor|style|script|font|asset|static|dist|build|lib|ci|vm|vpc|subnet|sg|ami|vol|eni|igw|rtb|arn|i|nat|snap)"
)


def known_formats(text: str) -> Iterator[Sensitive]:
    """Tokens in a known or general format, wherever they stand."""
    for token in TOKEN.finditer(text):
        yield from _within(token[0], token.start())
    if ":AA" in text:
        yield from (Sensitive("telegram_token", *found.span()) for found in _TELEGRAM.finditer(text))
    if "$" in text or "md5" in text or "{S" in text or "{MD5" in text:
        yield from (Sensitive("password_hash", *found.span()) for found in _PASSWORD_HASH.finditer(text))


def _within(token: str, offset: int) -> Iterator[Sensitive]:
    some = False
    for found in _KNOWN.finditer(token):
        kind = found.lastgroup or "token"
        if _holds(kind, found[kind]):
            some = True
            yield Sensitive(kind, offset + found.start(kind), offset + found.start(kind) + len(found[kind].rstrip(".-")))
    if not some and "/" not in token[:-1]:
        general = _GENERAL.search(token)
        if general and _is_token(general["prefix"], general["tail"]):
            yield Sensitive("token", offset + general.start(), offset + general.end())


def _holds(kind: str, token: str) -> bool:
    if kind == "jwt":
        return _is_json(token.split(".")[0])
    if kind in ("azure_secret", "facebook_token", "square_token", "discord_token", "atlassian_token", "artifactory_token"):
        wordy = wordiness(token)
        return any(character.isdigit() for character in token) and (wordy is None or wordy < 0.5)
    return len(set(token)) > 6


def _is_json(part: str) -> bool:
    """The first part of a web token is an object in base64."""
    try:
        return urlsafe_b64decode(part + "=" * (-len(part) % 4)).startswith(b'{"')
    except (BadBase64, ValueError):
        return False


def _is_token(prefix: str, tail: str) -> bool:
    first = re.split("[-_.]", prefix)[0]
    if UUID.search(f"{prefix}-{tail}"):
        return bool(_TELLING.search(prefix)) and not IDS.fullmatch(first)
    if _TELLING.search(prefix) and not IDS.fullmatch(first):
        return any(is_random(part, 16) for part in (tail, *re.split("[-_.]", tail)))
    if IDS.fullmatch(first) or is_hex(tail.replace("-", "")):
        return False
    longest = max(re.split("[-_.]", tail), key=len)
    both_cases = longest != longest.lower() and longest != longest.upper()
    return len(prefix) <= 12 and both_cases and len(longest) >= 20 and is_random(longest, 20) and prefix.lower() == prefix


def checksum_holds(token: str) -> bool | None:
    """Whether the last six characters of a GitHub-style token are the CRC-32 of what precedes them; None for other tokens.

    Used to tell real tokens from invented ones in the report; what has the format is redacted either way.
    """
    match = re.fullmatch(r"(?:gh[pousr]|npm)_([A-Za-z0-9]{30})([A-Za-z0-9]{6})", token)
    if match is None:
        return None
    number, digits = zlib.crc32(match[1].encode()), ""
    alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
    while number:
        number, digit = divmod(number, 62)
        digits = alphabet[digit] + digits
    return digits.rjust(6, "0") == match[2]
