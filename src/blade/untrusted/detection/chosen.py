"""Whether a word in prose is a password that somebody chose: letters with digits or signs, and none of the many other things that look so."""

import re
from typing import Final

from blade.untrusted.detection.judgement import ACCOUNT_AT, is_placeholder, is_unusual
from blade.untrusted.detection.randomness import UUID, is_random

LONGEST: Final = 64
_OTHER: Final = re.compile(
    r"""(?xi)
    .*[/\\={}<>|^$`"].* | .*@.*\.\w+ | .*::.* | .*\(.*            # paths, code, addresses
    | [\w.-]+\.(?:com|org|net|io|dev|de|ru|cn|jp|fr|py|js|ts|json|ya?ml|md|txt|sh|go|rs|java|c|h|cpp|html?|css|csv|log|toml|cfg|ini|pdf|png|jpe?g|zip|gz|exe|xml|sql)
    | v?\d+(?:[.,:x-]\d+)*(?:[^\W\d_]{1,3}|st|nd|rd|th|bit|bits|byte|bytes|chars?|digits?|days?|hours?|mins?|secs?|px|%)?   # numbers, versions, times
    | \d+-[a-z]+(?:-[a-z]+)* | [a-z]{1,4}-?\d{1,2} | (?-i:[A-Z]{2,10}[-_]?\d{1,6})
    | (?:sha|md|utf|base|oauth|openid|ipv|http|python|win|windows|aes|rsa|ed|ssl|tls|argon|pbkdf|bcrypt|crc|iso|rfc|cve|log4j|ascii|u?int|float|web|gpt|qwen|llama|office|kerberos|ntlm|x)[-_.]?v?\d+[a-z\d._-]{0,12}
    | (?:user|test|step|task|page|form|field|server|node|host|item|row|line|col|column|day|week|level|version|section|chapter|figure|table|part|example|option|case|account|client|device|port|slot|room|flight|order|id)[-_#]?\d{1,6}
    | (?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)[-.]?\d{1,4} | \d+[-.]?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*[-.]?\d*
    | [a-z_][a-z\d]*(?:\.[a-z_][a-z_\d]*)+
    | \w*n't | \w+'\w{1,2} | (?:sha\d+|md5):.* | data-v-[0-9a-f]{6,8}
    """
)
_STOPS: Final = re.compile(r"(?i)-(?:to|of|the|and|in|on|or|for|by|a|an|is|not|as|at|with|only|based|sensitive)(?:-|$)")
_PASSPHRASE: Final = re.compile(r"[A-Za-z]{3,12}(?:-[A-Za-z]{3,12}){2,7}\d{0,4}!?")
_LETTER: Final = re.compile(r"[^\W\d_]")
_CLASSES: Final = re.compile(r"[a-z]+|[A-Z]+|[0-9]+|[^A-Za-z0-9]+")
_JUMBLED: Final = re.compile(r"(?!.*[;&,]\w+=)(?!(?i:sha\d+|md5):|data-v-)[!-~]{8,64}")
_SIGNED: Final = re.compile(r"[A-Za-z]{2,20}(?:[_@&+][A-Za-z]{2,20}[!#*@$]{1,3}|[#*~^!][A-Za-z]{2,20}[!?#*@$]{0,3})")
_RUN_TOGETHER: Final = re.compile(
    r"(?i)(?:i(?:love|like|miss|want|need|hate|have|live|work|hope|drink|will)|let(?:me|us)|my(?:dog|cat|name|wife|baby|little|house|first|son|car)|we(?:love|live|want|need)|iam(?:the|not|a))[a-z]{3,40}"
)
_WRAPPING: Final = "\"'`*“”„«»‹›‘’「」『』【】〈〉《》()[]{}<>,;:"


def unwrapped(text: str, start: int, end: int) -> tuple[int, int]:
    """A word without the quotes, brackets and commas around it; its own last sign stays unless a sentence ends with it."""
    while start < end and text[start] in _WRAPPING + "=-–—":
        start += 1
    while start < end and text[end - 1] in _WRAPPING + ".。、-–—…":
        end -= 1
    return start, end


def is_chosen(value: str, *, least: int = 6) -> bool:
    """A word with letters and digits, or letters and signs, as one chooses for a password."""
    if not least <= len(value) <= LONGEST or is_placeholder(value):
        return False
    if is_unusual(value):
        return True
    if UUID.search(value) or _OTHER.fullmatch(value):
        return False
    return any(map(str.isdigit, value)) and bool(_LETTER.search(value))


def is_clearly_chosen(value: str) -> bool:
    """As `is_chosen`, but so that nothing has to link it to the word for a password: three signs, a year, or capitals, letters and digits."""
    if is_unusual(value):
        return True
    if not is_chosen(value) or re.fullmatch(r"[a-z]+(?:_[a-z]+)+_\d+|\w+-\d+|[A-Z\d]+", value):
        return False
    digits = sum(map(str.isdigit, value))
    return digits >= 3 or (digits >= 1 and value != value.lower() and value != value.upper() and not value[:1].isdigit())


def is_passphrase(value: str) -> bool:
    """Three and more words with hyphens between them, none of them small."""
    return bool(_PASSPHRASE.fullmatch(value)) and not _STOPS.search(value) and not is_placeholder(value)


def is_jumbled(value: str) -> bool:
    """Three of small letters, capitals, digits and signs, changing with nearly every character: what generators of passwords write."""
    runs = _CLASSES.findall(value)
    classes = {"a" if run.islower() else "A" if run.isupper() else "0" if run.isdigit() else "!" for run in runs}
    return (
        bool(_JUMBLED.fullmatch(value))
        and len(classes) >= 3
        and len(runs) > max(len(value) * 0.45, 4)
        and not UUID.search(value)
        and not ACCOUNT_AT.match(value)
    )


def is_run_together(value: str) -> bool:
    """A sentence without its spaces (`ilovemydog`), or words with a sign between them and one at the end: nobody writes so by chance."""
    return bool(_RUN_TOGETHER.fullmatch(value) or (len(value) >= 8 and _SIGNED.fullmatch(value))) and not is_placeholder(value)


def is_drawn(value: str) -> bool:
    """One long word that a machine drew, in prose that speaks of a key."""
    return len(value) >= 16 and is_random(value, 16) and not UUID.fullmatch(value) and not _OTHER.fullmatch(value)
