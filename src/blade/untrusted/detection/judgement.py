"""Whether a value that stands where a secret would stand is one.

Most values under a telling name are none: placeholders, references to a variable, code that computes one, a type, a word of prose.
"""

import re
from typing import Final

from blade.untrusted.detection.names import Promise
from blade.untrusted.detection.randomness import entropy, is_hex, is_random, wordiness

LONGEST: Final = 20_000
_PLACEHOLDER: Final = re.compile(
    r"""(?ix)
    [<\[{…].* | \$[\w({].* | %[(s{%].* | .*[<{]\w[^<>{}]*[>}] .* | [x*._\#•●?-]+ | (.)\1{3,} | \.{3}.* | .*\.\.\.$ | .*…$ | .*\*{4,}.*
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
    | [A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+                              # a constant
    | (?:await|new|lambda|function|return|import|not|if|else|f["'])\b.*
    | [=!<>+*/|&^%-].{0,2} | ->.*
    """
)
_DOTTED_FORMAT: Final = re.compile(r"[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{4,}.*")
_SPEAKS: Final = re.compile(
    r"(?i)\b(?:the|is|are|of|for|to|and|or|in|with|must|should|please|was|not|used|that|your|this|you|used|a|an|from|can|will|has|have|be|it)\b"
)
_SYMBOL: Final = re.compile(r"[^A-Za-z0-9\s]")


def is_placeholder(value: str) -> bool:
    return bool(_PLACEHOLDER.fullmatch(value[:400])) or len(set(value)) <= 2


def holds_secret(promise: Promise, value: str, *, quoted: bool) -> bool:
    """Whether this value under a name of that promise is a secret. `quoted`: it was delimited, so it is no stray word."""
    value = value.strip()
    if not value or len(value) > LONGEST or is_placeholder(value) or value.isspace():
        return False
    if promise is Promise.STRONG:
        return _strong(value, quoted)
    return promise is Promise.WEAK and _drawn(value)


def _strong(value: str, quoted: bool) -> bool:
    if is_random(value, 12):
        return True
    if len(value) < 4 or (_CODE.fullmatch(value) and not _DOTTED_FORMAT.fullmatch(value)):
        return False
    words = value.split()
    if len(words) > 2 and (_SPEAKS.search(value) or len(words) > 30):
        return False
    if quoted:
        return len(value) >= 6 or _mixed(value)
    return _mixed(value) and len(value) >= 6


def _mixed(value: str) -> bool:
    """Letters with digits or signs inside: what people choose as passwords and do not write as words."""
    inner = value.strip(".,;:!?)('\"")
    digits = any(character.isdigit() for character in inner)
    letters = any(character.isalpha() for character in inner)
    signs = [found[0] for found in _SYMBOL.finditer(inner) if found[0] not in "_-./:,'"]
    return letters and (digits or bool(signs))


def _drawn(value: str) -> bool:
    """For names with other uses: one long token that a machine drew. Hashes and words are not enough."""
    token = value.removeprefix("Bearer ").strip()
    if any(character.isspace() for character in token) or len(token) < 12:
        return False
    if is_hex(token):
        return len(token) >= 20 and is_random(token, 20)
    if is_random(token, 14):
        return True
    longest = max(re.split(r"[-_.:/|~]", token), key=len)
    wordy = wordiness(longest)
    return len(longest) >= 16 and entropy(longest) >= 3.2 and (wordy is None or wordy < 0.4) and _mixed(longest)
