"""Values on a line of their own, below the line that announces them.

`Password for ann:` and then the password; `Recovery codes:` and then a list of them; a command that prints a secret (`pass show mail`,
`… | base64 -d`, `cat password.txt`) and then its output. Only the announcement makes such a word a secret, so the word has to look the part.
"""

import re
from collections.abc import Iterator
from typing import Final

from blade.untrusted.detection.chosen import is_chosen, is_clearly_chosen, is_drawn, is_jumbled, is_passphrase, is_run_together
from blade.untrusted.detection.finding import Sensitive
from blade.untrusted.detection.judgement import DESCRIBES, holds_secret, is_placeholder
from blade.untrusted.detection.names import Promise
from blade.untrusted.detection.randomness import UUID, is_random
from blade.untrusted.detection.telling import ANNOUNCED, FIELDS, places_of
from blade.untrusted.detection.tongues import CODES
from blade.untrusted.detection.wordlists import any_of, small

LONGEST_LINE: Final = 400
MOST_LISTED: Final = 24
_told: Final = places_of(ANNOUNCED)
_BULLET: Final = r"[ \t>|]{0,12}(?:(?:[-*•+]|\d{1,2}[.):]|\[[ x]\])[ \t]{1,4})?"
_ALONE: Final = re.compile(
    rf"""\r?\n(?:[ \t]*\r?\n|```\w*\r?\n|[ \t]*[-=]{{3,}}[ \t]*\r?\n){{0,2}}{_BULLET}["'`*]{{0,2}}(?P<value>[^\s"'`]{{4,4096}})["'`*]{{0,2}}[ \t\r]*(?=\n|\Z)"""
)
_LISTED: Final = re.compile(
    rf"""\r?\n(?:[ \t]*\r?\n){{0,2}}{_BULLET}(?P<line>["'`]?[\w-]{{6,40}}["'`]?(?:[ \t,|]{{1,8}}(?:\d{{1,2}}[.):][ \t]{{1,4}})?["'`]?[\w-]{{6,40}}["'`]?){{0,5}})[,\s]*?(?=\n|\Z)"""
)
_CODE: Final = re.compile(
    r"(?=[\w-]*\d)[A-Za-z0-9]{3,12}(?:-[A-Za-z0-9]{3,12}){1,5}|\d{6,12}|(?=[a-z]*\d)(?=\d*[a-z])[a-z0-9]{8,16}"
)
_WORD: Final = re.compile(r"[\w-]{6,40}")
_SPEAKS: Final = re.compile(
    r"""(?i)(?:[:：=]|\b(?:is|are|below|follows?|ist|lautet|est|es|é|è|jest|это)|(?:word|phrase|passwd|pwd|code|pin|token|secret|key|wort|senha|contraseña|пароль|密码|パスワード)s?)[\s*_"'`)\]|]*\Z"""
)
_FORGOT: Final = re.compile(r"(?i)\bforgot\b")
_FIELD: Final = any_of((*FIELDS, "passcode"))
_CODES: Final = any_of(CODES)
_NAMED: Final = r"[\w./{}:=\"'\[\]-]{0,60}(?:pass(?:word|wd|phrase|code)?|pwd|secret|token|credential|api_?key|private_?key)"
_PRINTS: Final = re.compile(
    rf"""(?ix)
    \b(?:get|show|read|lookup|describe|fetch|view|access)\b[^\n]{{0,200}}\|\s?base64\s+(?:-d|-D|--decode)
    | {_NAMED}[^\n]{{0,120}}\|\s?base64\s+(?:-d|-D|--decode)
    | \b(?:cat|head|tail|type|more|less|get-content|echo|printenv|sudo\s+cat)\s+(?:-\w+\s+)*["']?(?:\$env:|\$\{{?|%)?{_NAMED}(?:[._-]\w{{1,12}})?["'}}%]{{0,2}}\s*(?:;\s*echo)?\s*$
    | \b(?:pass\s+show|pass|op\s+read|gopass\s+show|bw\s+get\s+password|secret-tool\s+lookup|keyring\s+get|lpass\s+show|doppler\s+secrets\s+get|chamber\s+read)\s+\S
    | \bsecurity\s+find-\w+-password\b[^\n]*\s-w | \b(?:vault|consul|etcdctl)\s+(?:kv\s+)?(?:get|read)\b[^\n]*-field[= ]
    | \bsecrets?\s+(?:versions\s+)?(?:access|show|get)\b | \bget-secret-value\b | \bterraform\s+output\s+(?:-raw\s+)?{_NAMED}
    | \b(?:print-(?:access|identity)-token|get-access-token|get-login-password|create\s+token|(?:auth|auth:)\s?token|tokens?\s+create|token\s+generate|gentoken)\b
    | \b(?:openssl\s+rand|pwgen|apg|wg\s+genkey|genkey|mkpasswd|secrets\.token_\w+|key:generate\s+--show|makepasswd)\b
    """
)


def in_announced_lines(text: str) -> Iterator[Sensitive]:
    """What stands below a line that announces it."""
    if "\n" not in text:
        return
    done = -1
    for at, _ in _told(text):
        if at < done:
            continue
        end = text.find("\n", at, at + LONGEST_LINE)
        if end < 0:
            continue
        done = end
        if not (_ALONE.match(text, end - (text[end - 1] == "\r")) or _LISTED.match(text, end - (text[end - 1] == "\r"))):
            continue
        line = text[max(text.rfind("\n", 0, at) + 1, end - LONGEST_LINE) : end].rstrip()
        yield from _below(text, line, end - (text[end - 1] == "\r"))


def _below(text: str, line: str, end: int) -> Iterator[Sensitive]:
    speaks = bool(_SPEAKS.search(line)) and not DESCRIBES.search(line) and not _FORGOT.search(line)
    if speaks and _CODES.search(small(line)):
        yield from _listed(text, end)
        return
    alone = _ALONE.match(text, end)
    if alone is None or is_placeholder(alone["value"]):
        return
    value = alone["value"]
    if _PRINTS.search(line):
        told = is_random(value, 10) or is_chosen(value) or is_jumbled(value) or is_passphrase(value) or is_run_together(value)
    elif not speaks:
        return
    elif _FIELD.search(small(line)):
        told = (
            is_random(value, 10)
            or is_clearly_chosen(value)
            or is_jumbled(value)
            or is_passphrase(value)
            or is_run_together(value)
        )
    else:
        told = is_drawn(value) and holds_secret(Promise.WEAK, value, quoted=False)
    if told and not UUID.fullmatch(value):
        yield Sensitive("password", *alone.span("value"))


def _listed(text: str, end: int) -> Iterator[Sensitive]:
    """Codes below one another, one or several on a line, for as long as there is nothing else."""
    for _ in range(MOST_LISTED):
        listed = _LISTED.match(text, end)
        if listed is None:
            return
        codes = [word.span() for word in _WORD.finditer(text, *listed.span("line"))]
        if not all(_CODE.fullmatch(text, *span) for span in codes):
            return
        yield from (Sensitive("code", *span) for span in codes)
        end = listed.end()
