"""Whether a value that stands where a secret would stand is one.

Most values under a telling name are none: placeholders, references to a variable, code that computes one, a type, a word of prose.
"""

import re
from typing import Final

from blade.untrusted.detection.names import Promise
from blade.untrusted.detection.randomness import UUID, WORDY, entropy, is_hex, is_random, wordiness
from blade.untrusted.detection.wordlists import words

LONGEST: Final = 20_000
DESCRIBES: Final = re.compile(
    r"(?i)\b(?:at least|minimum|characters|must|should|e\.g|such as|(?<!would )(?<!['’]d )(?<!I )like|example(?!\.(?:com|org|net|edu))|length|format|regex)\b"
)
"""Words by which a text says what a secret has to look like, and gives none."""
_PLACEHOLDER: Final = re.compile(
    r"""(?ix)
    [<\[{…].* | \$[({].* | %[(s{%].* | .*[<{]\w[^<>{}]*[>}] .* | [x*._\#•●?-]+ | (.)\1{3,} | \.{3}.* | .*\.\.\.$ | .*…$ | .*\*{4,}.*
    | (?:your|my|the|a|an|some|any)?[\s_-]*(?:own|real|actual|example|sample|dummy|fake|test|placeholder|redacted|hidden|masked|secret|super[\s_-]?secret|default)?
      [\s_-]*(?:api|access|auth|secret|private|user|db|admin|bearer)?[\s_-]*(?:password|passwd|pass|secret|token|key|value|string|here|credentials?)s?(?:[\s_-]?(?:here|goes|value|string|placeholder)){0,3}[\d!]{0,3}
    | (?:your|insert|replace|enter|change|put|fill|paste|set|use)[\s_-].* | change_?me\w* | .*(?:placeholder|redacted|_here\b|-here\b).* | (?:todo|fixme|tbd|n/?a)\b.*
    | none|null|nil|true|false|undefined|empty|unset|not[\s_-]set|missing|required|optional|invalid|unknown|yes|no|on|off|str|string|int(?:eger)?|bool(?:ean)?|bytes|object|any|number|text|varchar(?:\(\d+\))?
    | example[\w.-]{0,20} | dummy\w{0,12} | sample[\w.-]{0,12} | withheld.* | \[?redacted.* | (?:char|varchar|text|string|optional)\b.*
    """
)
_CODE: Final = re.compile(
    r"""(?x)
    [A-Za-z_][\w.]*\s*[(\[].*                                   # a call or an index
    | (?:self|this|cls|os|env|process|config|settings|args|kwargs|request|req|ctx|opts|options|params|data|props|state|secrets|vars?|data)[.\[].*
    | [a-z_][\w]*(?:\.[A-Za-z_]\w*)+                             # an attribute
    | [\w./-]+\.(?:py|js|ts|json|ya?ml|md|txt|sh|go|rs|java|c|h|cpp|html?|css|csv|log|toml|cfg|ini)\b.*   # a file
    | [A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+                              # a constant
    | (?:await|new|lambda|function|return|import|not|if|else|f["'])\b.*
    | [=!<>+*/|&^%-].{0,2} | ->.*
    """
)
_DOTTED_FORMAT: Final = re.compile(r"[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{4,}.*")
_SPEAKS: Final = re.compile(
    r"(?i)\b(?:the|is|are|of|for|to|and|or|in|with|must|should|please|was|not|used|that|your|this|you|used|a|an|from|can|will|has|have|be|it)\b"
)
_NUMBERED: Final = re.compile(r"[A-Z]{2,10}[-_]?\d{1,6}")  # a document or a ticket
_ADDRESS: Final = re.compile(r"^\w[\w+.-]{1,30}://|\]\(\w+://")  # what an address gives away is looked for in `urls`
_STATUS: Final = re.compile(
    r"pass|secret|token|key|cred|string|field|input|^(?:in)?(?:correct|valid)|required|optional|missing|protected|crypted|abled|changed|expired|accepted|rejected|verified|persist"
)
_PATH: Final = re.compile(r"(?:/[A-Za-z][\w.@-]*){2,}/?")
ACCOUNT_AT: Final = re.compile(
    r"[A-Za-z_][\w.+-]*@(?:(?:\d{1,3}\.){3}\d{1,3}|(?:[a-z0-9-]+\.)+[a-z]{2,}|[a-z]+(?:-[a-z0-9]+)+|localhost)"
)
_STATES: Final = words(
    "wrong correct empty stored hashed saved reset weak strong secure different unsafe private hidden there mandatory needed blank unknown given provided below above following "
    "incorrect visible important case-sensitive unchanged default random generated shared unique identical simple complex available always never already still currently actually "
    "really probably usually stolen leaked exposed masked redacted working failing longer shorter better absent present exactly simply hopefully please optional either something anything nothing everything what where which"
)
"""What one says of a password instead of the password itself."""
_UNUSUAL: Final = re.compile(
    r"(?=[^a-zA-Z]*[a-zA-Z])(?=[^0-9]*[0-9])(?=[^!@#$%&*?~]*[!@#$%&*?~])(?![%@#$&*?])[\w!@#$%&*?~.-]{7,64}"
)
_SENTENCE: Final = re.compile(r"(?i) (?:the|is|are|of|for|to|and|or|in|with|your|this) ")
_CHANGES: Final = re.compile(r"[a-z]+|[A-Z]+|[0-9]+|[^A-Za-z0-9]+")
_CODE_NAME: Final = re.compile(
    r"(?i)(?:^|[^a-z])(?:pin(?:[ _-]?(?:code|number|num))?|t?otp(?:[ _-]?code)?|pass[ _-]?code|"
    r"(?:security|access|login|door|gate|alarm|unlock|backup|recovery)[ _-]?(?:code|pin|password))$|(?<=[a-z])(?:Pin|Otp|PassCode)$"
)
_VARIABLE: Final = re.compile(r"\$[A-Za-z_]\w*(?:[/.:-].*)?")
_SYMBOL: Final = re.compile(r"[^A-Za-z0-9\s]")


def is_placeholder(value: str) -> bool:
    if is_noise(value):
        return False
    if _VARIABLE.fullmatch(value) and not is_random(value[1:], 10):
        return True
    return bool(_PLACEHOLDER.fullmatch(value[:400])) or len(set(value)) <= 2


def is_noise(value: str) -> bool:
    """Letters, capitals, digits and many signs without order, as generators of salts write them: nobody's template, whatever brackets it holds."""
    if not 24 <= len(value) <= 200 or value.count(" ") > len(value) / 8:
        return False
    signs = {found[0] for found in _SYMBOL.finditer(value)}
    return len(signs) >= 6 and len(_CHANGES.findall(value)) >= len(value) / 2.5 and not _SENTENCE.search(value)


def is_code_for(name: str, value: str) -> bool:
    """A number of four to ten digits under a name for one: `pin`, `otp`, `passcode`, `verification_code`."""
    return bool(_CODE_NAME.search(name)) and bool(re.fullmatch(r"\d{4,10}", value)) and len(set(value)) > 1


def holds_secret(promise: Promise, value: str, *, quoted: bool) -> bool:
    """Whether this value under a name of that promise is a secret. `quoted`: it was delimited, so it is no stray word."""
    value = value.strip()
    if not value or len(value) > LONGEST or is_placeholder(value) or _ADDRESS.search(value):
        return False
    if promise is Promise.STRONG:
        return _strong(value, quoted)
    if promise is Promise.TOKEN and (UUID.fullmatch(value) or _mixed_token(value) or is_unusual(value)):
        return True
    return promise is not Promise.NOTHING and _drawn(value)


def chosen_password(value: str) -> bool:
    """A single word or number that somebody may have chosen, where the line says nothing but that it is a password."""
    wordlike = bool(re.fullmatch(r"[A-Za-z]?[a-z]{5,40}|\d{6,20}", value))
    return wordlike and not is_placeholder(value) and not _STATUS.search(value.lower()) and value.lower() not in _STATES


def is_unusual(value: str) -> bool:
    """Letters, digits and a sign, and nothing that code or addresses are made of: what a rule for passwords asks for, and nobody writes by chance."""
    return bool(_UNUSUAL.fullmatch(value)) and not ACCOUNT_AT.fullmatch(value) and not is_placeholder(value)


def _strong(value: str, quoted: bool) -> bool:
    if is_random(value, 12):
        return True
    if len(value) < 4 or _PATH.fullmatch(value) or (_CODE.fullmatch(value) and not _DOTTED_FORMAT.fullmatch(value)):
        return False
    words = value.split()
    if len(words) > 2 and (_SPEAKS.search(value) or len(words) > 30):
        return False
    if quoted:
        return len(value) >= 6 or _mixed(value)
    return _mixed(value) and len(value) >= 6 and not _NUMBERED.fullmatch(value)


def _mixed(value: str) -> bool:
    """Letters with digits or signs inside: what people choose as passwords and do not write as words."""
    inner = value.strip(".,;:!?)('\"")
    digits = any(character.isdigit() for character in inner)
    letters = any(character.isalpha() for character in inner)
    signs = [found[0] for found in _SYMBOL.finditer(inner) if found[0] not in "_-./:,'"]
    return letters and (digits or bool(signs))


def _mixed_token(value: str) -> bool:
    """Short tokens that follow no format: letters and digits throughout, no words, no code."""
    if (
        not 12 <= len(value) <= 4_096
        or _CODE.fullmatch(value)
        or any(character.isspace() for character in value)
        or "://" in value
    ):
        return False
    wordy = wordiness(value)
    digits = sum(character.isdigit() for character in value)
    letters = any(character.isalpha() for character in value)
    return (
        digits >= 2
        and letters
        and (wordy is None or wordy < (0.75 if digits >= 3 else WORDY))
        and not re.search(r"\d{4}-\d\d", value)
    )


def _drawn(value: str) -> bool:
    """For names with other uses: one long token that a machine drew. Hashes and words are not enough."""
    token = value.removeprefix("Bearer ").strip().rstrip("=")
    if any(character.isspace() for character in token) or len(token) < 16:
        return False
    if is_hex(token):
        return len(token) >= 20 and is_random(token, 20)
    longest = max(re.split(r"[-_.:/|~]", token), key=len)
    if len(longest) < 14 or longest.isdigit():
        # Base64 in its URL form is broken up by its own signs.
        return (
            len(token) >= 32 and is_random(token, 32) and token != token.lower() and len(longest) >= 8 and not UUID.search(token)
        )
    wordy = wordiness(longest)
    return is_random(longest, 14) or (
        len(longest) >= 16 and entropy(longest) >= 3.2 and (wordy is None or wordy < 0.4) and _mixed(longest)
    )
