"""The form of an answer: a line with a gap in it, or an object in JSON with one; and what a message puts into the gap."""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import msgspec

from blade.signals.texts.speech import caseless

MAX_STATED: Final = 400


@dataclass(frozen=True)
class Form:
    """A line with a gap: what stands before and after it; or the member of an object in JSON whose name is `key`."""

    before: str
    after: str = ""
    key: str = ""

    @property
    def shown(self) -> str:
        if self.key:
            return f'{{"{self.key}": …}}'
        if self == FIRST_LINE:
            return "the first line"
        return f"{self.before} …{self.after}".strip() if self.before else "the last line"

    def stated(self, text: str) -> str | None:
        """What a message puts into the gap, the last time it uses the form; None where it does not."""
        if self.key:
            return _member_of(text, self.key)
        if self in (LAST_LINE, FIRST_LINE):
            line = text.rstrip().rpartition("\n")[2] if self == LAST_LINE else text.lstrip().partition("\n")[0]
            return _MARK.sub("", line.strip()).strip("*`").strip()[:MAX_STATED] or None
        first = next(iter(self.before.rstrip(":= ").split()), "")
        if first.isascii() and first.lower() not in caseless(text):
            return None
        found = list(_form(self.before, self.after).finditer(text))
        return found[-1]["stated"].strip().strip("*`").strip()[:MAX_STATED] or None if found else None

    def used_in(self, text: str) -> bool:
        """Whether a message has the form, whatever it puts into the gap: a member may hold a list or nothing."""
        return f'"{self.key}"' in text if self.key else self.stated(text) is not None


@lru_cache(maxsize=256)
def _member(key: str) -> re.Pattern[str]:
    return re.compile(rf'"{re.escape(key)}"\s{{0,9}}:\s{{0,9}}("(?:[^"\\\n]|\\.){{0,2000}}"|-?\d[\d.eE+-]{{0,40}}|true|false)')


def _member_of(text: str, key: str) -> str | None:
    """What the last object of a message has under a name, as it is meant: escapes are read."""
    written = next(reversed(_member(key).findall(text)), None) if f'"{key}"' in text else None
    if written is None or not written.startswith('"'):
        return written
    try:
        return str(msgspec.json.decode(written)).strip()[:MAX_STATED] or None
    except (msgspec.DecodeError, UnicodeError):
        return written.strip('"').strip()[:MAX_STATED] or None


_MARK: Final = re.compile(r"^#{2,6}\s+")
LAST_LINE: Final = Form("")
"""The last line of a message, whatever it begins with."""
FIRST_LINE: Final = Form("", "\n")
"""The first line of a message, with the reasons below it."""


@lru_cache(maxsize=256)
def _form(before: str, after: str) -> re.Pattern[str]:
    words = r"[*_`\s]{1,4}".join(re.escape(word) for word in re.split(r"\s+", before.rstrip(":= ")) if word)
    mark = r"[*_`\s]{0,4}[:=]" if before.rstrip()[-1:] in (":", "=") else ""
    closing = rf"(?=[ \t]*{re.escape(after)})" if after else r"(?=\s*$)"
    return re.compile(
        rf"(?<![^\W\d_]){words}{mark}[*_`]{{0,3}}[ \t]*(?P<stated>\S[^\n]*?){closing}", re.IGNORECASE | re.MULTILINE
    )
