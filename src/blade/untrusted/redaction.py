"""Secrets found by their shape and replaced before anything is written, shown or sent.

Agents print environment variables, curl headers and config files, so transcripts carry live credentials. `redact` replaces each
with `[redacted:<kind>]`; `is_secret_key` judges a setting by its name. Two families of shapes are known:

- **tokens that name themselves**: `ghp_…`, `sk-…`, `AKIA…`, a JSON web token, a PEM block, a password inside a URL;
- **values assigned to a telling name**: `password=…`, `"api_key": "…"`, `Authorization: Bearer …`. Such a value has at least
  eight characters and does not look like a placeholder (`<your key>`, `$TOKEN`, `xxxx`), like code (`get_password()`) or prose.

Speed and safety come from the construction. Nearly all of the cost is the first look at each character, so a shape is entered at
its rarest letter (the k of `token`, the z of `authorization`) and looks back a fixed distance from there. Every repetition is
possessive or bounded, and what one failed attempt reads at length no other reads again, so the time is linear in the text,
whatever the text. The opening bracket of a marker ends every value it could stand in, so redacting twice changes nothing.
"""

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Final, NamedTuple

from blade.untrusted.escapes import strip_escapes


class Finding(NamedTuple):
    """A secret in a text: what kind it is and where it stands."""

    kind: str
    start: int
    end: int


class _Shape(NamedTuple):
    """An expression entered at one of `letters`, whose only groups (`forms` of them) are the secret, `before` more characters of it come first."""

    kind: str
    letters: str
    pattern: str
    before: int = 0
    forms: int = 1


_VALUE: Final = r"""[^\s"'`\\,;&<>()\[\]{}|]"""
_NO_DIGIT: Final = _VALUE.replace("[^", "[^0-9")
_VALUE_END: Final = rf"(?!{_VALUE})"
_QUOTE: Final = r"""(?:\\{0,3}["'`])"""
_ASSIGN: Final = rf"{_QUOTE}?[ \t]{{0,4}}(?:=>|:=|[:=])[ \t]{{0,4}}"

_PLACEHOLDER: Final = rf"""
    (?: [<{{\[…] | -----BEGIN | \$[A-Za-z_{{(] | %[(s{{] | [xX*._\#-]{{3,64}}+{_VALUE_END}
      | (?i: your | example | dummy | placeholder | redacted | hidden | change[_-]?me | (?:insert|replace|enter)[_-] ) )
"""
_CODE: Final = rf"""
    (?: [A-Za-z_][\w.]{{0,64}}+ [(\[]
      | (?=[A-Za-z_.]{{1,64}}+{_VALUE_END}) [A-Za-z_.]{{0,64}}?
        (?i: self | args | conf | environ | setting | key | token | secret | passw | cred | prompt | input ) )
"""
_PROSE: Final = rf"(?<=[ \t])[A-Za-z_.!?-]{{1,64}}+{_VALUE_END}"
_DIGIT_AND_MORE: Final = rf"(?={_NO_DIGIT}{{0,64}}+[0-9]) (?=[0-9]{{0,64}}+{_VALUE})"

_WHOLE_QUOTE: Final = rf"""{_QUOTE} (?!{_PLACEHOLDER}) ([^"'`\\\r\n]{{8,}}+)"""
_BARE_VALUE: Final = rf"(?!{_PLACEHOLDER}) (?!{_CODE}) (?!{_PROSE}) ({_VALUE}{{8,}}+)"
_ASSIGNED: Final = rf"{_ASSIGN} (?: {_WHOLE_QUOTE} | {_BARE_VALUE} )"
# `"token": "word"` is also how log probabilities are written, so a token needs digits and something else.
_ASSIGNED_TOKEN: Final = rf"{_ASSIGN} {_QUOTE}? (?!{_PLACEHOLDER}) (?!{_CODE}) {_DIGIT_AND_MORE} ({_VALUE}{{8,}}+)"

_KEY_OWNERS: Final = ("api", "access", "account", "auth", "encryption", "master", "private", "secret", "service", "signing")
_OWNED_KEY: Final = "|".join(f"(?<={owner}{link}key)" for owner in _KEY_OWNERS for link in ("", "[_-]"))
_SCHEME: Final = r"(?i:bearer|basic|token)[ ]{1,4}"
_JWT_PART: Final = "[A-Za-z0-9_-]"
_PEM_BREAK: Final = r"(?:\s|\\{1,4}[nr])*+"
_PEM_BEGIN: Final = r"EGIN (?=[A-Z0-9 ]{0,40}PRIVATE[ ]KEY) [A-Z0-9 ]{1,60}+-----"
_PEM_LINE: Final = r"(?:[A-Za-z0-9+/=]{16,}+|(?:Proc-Type|DEK-Info|Version|Comment):[^\r\n\\]{0,128}+)"
_PEM_END: Final = rf"[A-Za-z0-9+/=]{{0,15}}+{_PEM_BREAK}-----END[A-Z0-9 ]{{1,60}}+-----"


def _begins(prefix: str, word: str = "A-Za-z0-9") -> str:
    """The text before this point is `prefix`, at the beginning of a word. The n of an escaped newline is not part of a word."""
    return rf"(?<={prefix})(?:(?<![{word}]{prefix})|(?<=\\[nrt]{prefix}))"


_SHAPES: Final = (
    _Shape("credential", "kK", rf"(?i: ey (?:{_OWNED_KEY}) ) {_ASSIGNED}", forms=2),
    _Shape("credential", "kK", rf"(?i: en (?:{_begins('token')} | (?<=[_-]token)) ) {_ASSIGNED_TOKEN}"),
    _Shape("credential", "kK", rf"en (?<=[a-z]Token) {_ASSIGNED_TOKEN}"),
    _Shape("credential", "wW", rf"(?i: (?:or)? d (?: (?<=passwd) | (?<=password) ) ) {_ASSIGNED}", forms=2),
    _Shape(
        "credential", "wW", rf"(?i: d (?<=pwd) ) (?!{_ASSIGN}{_QUOTE}?[/~]) {_ASSIGNED}", forms=2
    ),  # in a shell, PWD is a directory
    _Shape("credential", "cC", rf"(?i: ret (?<=secret) ) {_ASSIGNED}", forms=2),
    _Shape(
        "authorization",
        "zZ",
        rf"(?i: ation (?<=authorization) ) {_ASSIGN} {_QUOTE}? {_SCHEME} (?!{_PLACEHOLDER}) ({_VALUE}{{8,}}+)",
    ),
    _Shape("authorization", "zZ", rf"(?i: ation (?<=authorization) ) {_ASSIGNED_TOKEN}"),
    _Shape("authorization", "B", rf"earer [ ]{{1,4}} (?!{_PLACEHOLDER}) {_DIGIT_AND_MORE} ({_VALUE}{{16,}}+)"),
    _Shape(
        "private_key", "B", rf"(?<=-----B) ({_PEM_BEGIN} (?:{_PEM_BREAK}{_PEM_LINE})++ (?:{_PEM_BREAK}{_PEM_END})?+)", before=6
    ),
    _Shape("url_password", "/", r"""(?<=://) [^\s/:@"'`<>\\\[]*+ : (?![<{$*]) ([^\s/@"'`<>\\\[]++) (?=@)"""),
    _Shape("api_key", "k", rf"(- {_begins('sk-')} (?=[A-Za-z_-]{{0,64}}[0-9])[A-Za-z0-9_-]{{16,}}+)", before=2),
    _Shape("stripe_key", "k", rf"(_(?:live|test)_ {_begins('[sr]k_(?:live|test)_')} [A-Za-z0-9]{{16,}}+)", before=2),
    _Shape("aws_key_id", "I", rf"(A {_begins('A[KS]IA')} [A-Z0-9]{{16}}) (?![A-Za-z0-9])", before=3),
    _Shape("google_key", "I", rf"(za {_begins('AIza')} [A-Za-z0-9_-]{{30,}}+)", before=2),
    _Shape("github_token", "_", rf"{_begins('gh[pousr]_')} ([A-Za-z0-9]++)", before=4),
    _Shape("github_token", "_", rf"{_begins('github_pat_')} ([A-Za-z0-9_]++)", before=11),
    _Shape("huggingface_token", "_", rf"{_begins('hf_')} ([A-Za-z0-9]++)", before=3),
    _Shape("npm_token", "_", rf"{_begins('npm_')} ([A-Za-z0-9]++)", before=4),
    _Shape("gitlab_token", "-", rf"{_begins('glpat-')} ([A-Za-z0-9_-]{{16,}}+)", before=6),
    _Shape("slack_token", "x", rf"([a-z]- {_begins('xox[a-z]-')} (?=[A-Za-z-]{{0,64}}[0-9])[A-Za-z0-9-]{{10,}}+)", before=3),
    _Shape(
        "jwt", "J", rf"{_begins('eyJ', 'A-Za-z0-9_-')} ({_JWT_PART}{{8,}}+\.{_JWT_PART}{{8,}}+(?:\.{_JWT_PART}++)?+)", before=3
    ),
)


# The letters by frequency, each with what must follow before anything else is tried: an underscore is mostly part of a name.
_LETTERS: Final = {letter: re.escape(letter) for letter in "c_wk-xICBW/KJzZ"} | {"_": "_(?=[A-Za-z0-9]{20})"}


@cache
def _combined() -> tuple[re.Pattern[str], tuple[_Shape, ...]]:
    """One expression of all shapes, branching on the letter first, and the shape of each of its groups. Built at first use."""
    branches: list[str] = []
    shape_of_group: list[_Shape] = []
    for letter, entry in _LETTERS.items():
        entered = [shape for shape in _SHAPES if letter in shape.letters]
        branches.append(f"{entry} (?: {' | '.join(shape.pattern for shape in entered)} )")
        for shape in entered:
            shape_of_group += [shape] * shape.forms
    return re.compile("|".join(branches), re.VERBOSE), tuple(shape_of_group)


def _findings(text: str) -> Iterator[Finding]:
    secret, shape_of_group = _combined()
    done = 0
    for match in secret.finditer(text):
        group = match.lastindex or 0
        shape = shape_of_group[group - 1]
        start, end = match.span(group)
        # Looking back can reach into the secret before: two PEM blocks may share their dashes.
        yield Finding(shape.kind, max(done, start - shape.before), end)
        done = end


def find_secrets(text: str) -> list[Finding]:
    """The secrets in a text, in order and without overlap."""
    return list(_findings(text))


def redact(text: str) -> str:
    """The text with each secret replaced by `[redacted:<kind>]`; the same object when there is none.

    A terminal escape right before a secret hides where it begins, so text with escapes loses them first.
    """
    if "\x1b" in text or "\x9b" in text:
        text = strip_escapes(text)
    if _combined()[0].search(text) is None:
        return text  # as nearly all texts are
    parts: list[str] = []
    done = 0
    for kind, start, end in _findings(text):
        parts += (text[done:start], f"[redacted:{kind}]")
        done = end
    return "".join((*parts, text[done:]))


_NAME_WORDS: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_SECRET_NOUNS: Final = re.compile(
    "(?:passw(?:or)?d|pwd|passphrase|secret|authorization|auth|bearer|credential|apikey|accesskey|secretkey|privatekey)s?"
)
_TOKENS_OF_TEXT: Final = re.compile("bos|eos|pad|unk|sep|cls|mask|stop|next|page|per|first|last|image|special")


@lru_cache(maxsize=4096)
def is_secret_key(name: str) -> bool:
    """Whether a setting of this name holds a secret: `hf_token` and `apiKey` do, `max_output_tokens` and `answer_key` do not.

    The last words decide, because the last noun of a name is what its value is.
    """
    *_, owner, noun = ("", "", *(word.lower() for word in _NAME_WORDS.findall(name)))
    if noun == "token":
        return not _TOKENS_OF_TEXT.fullmatch(owner)
    if noun in ("key", "keys"):
        return owner in _KEY_OWNERS
    return bool(_SECRET_NOUNS.fullmatch(noun))


def redact_value(name: str, value: str) -> str:
    """The value of a field: gone as a whole where the field's name says it is a secret, else redacted by its shapes."""
    if len(value) >= 8 and is_secret_key(name):
        return value if _MARKER.fullmatch(value) else "[redacted:credential]"
    return redact(value)


_MARKER: Final = re.compile(r"\[redacted:[a-z_]+\]")
