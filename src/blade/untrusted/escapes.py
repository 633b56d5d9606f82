"""Untrusted text made safe to show: on a terminal, in a table cell, in HTML, in Markdown.

A rollout can hold whatever a model or a tool wrote. Printed raw, it can repaint the screen, set the clipboard, disguise a link,
turn a line around, or carry text that only a machine sees. Three rules:

- **What steers a terminal is removed**: escape sequences with their payload, and control characters other than newline and tab.
  A carriage return becomes a newline, so no line can overwrite what stood before it. A payload that does not end on its own
  line is not believed: the introducer goes, the text stays, because a payload without an end could swallow the rest of the page.
- **What hides or reorders text is shown**, as `⟨U+202E⟩`: bidirectional overrides, zero-width and tag characters, lone
  surrogates.
  Dropping them would hide from the reader the very thing a diagnosis should see. Single joiners and direction marks stay,
  because emoji, Persian and Hebrew are written with them; a run of them is not writing, and is shown.
- **The result is stable**: cleaning it again changes nothing, and clean text comes back as the same object.
"""

import html
import re
from typing import Final

_CONTROL: Final = r"\x00-\x08\x0b-\x1f\x7f-\x9f"
_LINE_ENDS: Final = r"\x0b\x0c\x85\u2028\u2029"
_JOINERS: Final = r"\u200c-\u200f\u061c"
_HIDING: Final = (
    r"\xad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb"
    r"\ud800-\udfff\U000e0000-\U000e0fff"
)

_CONTROL_BYTES: Final = bytes([*range(0x09), *range(0x0B, 0x20), 0x7F])
_SUSPECT: Final = re.compile(f"[{_CONTROL}{_LINE_ENDS}{_JOINERS}{_HIDING}]")

# Every quantifier is possessive and every class excludes control characters, so no attempt reads past the next control
# character and the whole pass is linear in the text.
_STEERING: Final = re.compile(
    rf"""
      # OSC, DCS, SOS, PM and APC, with their payload
      (?:\x1b[\]PX^_] | [\x90\x98\x9d-\x9f]) [^{_CONTROL}\n]*+ (?:\x07 | \x1b\\ | \x9c)
      # CSI
    | (?:\x1b\[ | \x9b) [0-?]*+ [ -/]*+ [@-~]?
      # other escapes, and an introducer whose payload has no end
    | \x1b [ -/]*+ [0-~]?
    | (?P<line> \r\n? | [{_LINE_ENDS}])
    | [{_CONTROL}]
    """,
    re.VERBOSE,
)
_UNESCAPED: Final = re.compile("[\x7f-\x9f]")
"""What steers a terminal and may stand in JSON as it is."""
_CONCEALING: Final = re.compile(f"[{_HIDING}]|[{_JOINERS}]{{2,}}")


def strip_escapes(text: str) -> str:
    """The text without anything that steers a terminal, and with what hides or reorders text made visible."""
    if text.isascii():
        # Ten times as quick as an expression, and nearly all text is plain.
        encoded = text.encode()
        if len(encoded.translate(None, _CONTROL_BYTES)) == len(encoded):
            return text
    elif not _SUSPECT.search(text):
        return text
    # Two passes, because removing a sequence can bring two joiners together.
    steered = _STEERING.sub(lambda found: "\n" if found["line"] else "", text)
    return _CONCEALING.sub(_name_characters, steered)


def _name_characters(found: re.Match[str]) -> str:
    return "".join(f"⟨U+{ord(character):04X}⟩" for character in found[0])


def printable(text: str, encoding: str | None) -> str:
    """Clean text that a stream of this encoding can print: what the encoding lacks becomes a backslash escape."""
    name = encoding or "ascii"
    return strip_escapes(text).encode(name, "backslashreplace").decode(name)


def one_line(text: str, limit: int) -> str:
    """Clean text on one line, whitespace collapsed, at most `limit` characters; an ellipsis stands for what was cut.

    Redact before you shorten: half a secret is still a secret, and no longer looks like one.
    """
    if limit < 1:
        raise ValueError(f"a line of at most {limit} characters cannot show anything")
    # A cell shows the beginning, so reading a bounded part of it is enough however long the text is.
    read = text[: 8 * limit + 4_096]
    line = " ".join(strip_escapes(read).split())
    if len(line) > limit or len(read) < len(text):
        return line[: limit - 1].rstrip() + "…"
    return line


def safe_html(text: str) -> str:
    """Clean text for an HTML element or a quoted attribute."""
    return html.escape(strip_escapes(text), quote=True)


_MARKDOWN_INLINE: Final = re.compile(
    r"""
      (?P<escape> [\\`*~|\[\]]
                | (?<![^\W_])_ | _(?![^\W_])        # an underscore inside a word emphasises nothing
                | :(?=//) | (?<=\bwww)\. )          # bare addresses become links in GitHub's dialect
    | (?P<entity> < | &(?=[#\w]) )
    """,
    re.VERBOSE | re.IGNORECASE,
)
_MARKDOWN_BLOCK: Final = re.compile(r"(?P<number>[0-9]{0,9}+)(?P<marker>(?<=[0-9])[.)]|(?<![0-9])[-+>#=:])")


def safe_markdown(text: str) -> str:
    """Clean text that Markdown shows as it is: no markup, link, image, HTML, heading, list or table comes out of it.

    Lines stay lines; for a table cell, use `one_line` first. Space around a line goes: it would begin a block or break the line.
    """
    return "\n".join(_safe_markdown_line(line.strip(" \t")) for line in strip_escapes(text).split("\n"))


def _safe_markdown_line(line: str) -> str:
    inert = _MARKDOWN_INLINE.sub(lambda found: f"\\{found[0]}" if found["escape"] else html.escape(found[0]), line)
    block = _MARKDOWN_BLOCK.match(inert)
    return f"{block['number']}\\{inert[block.start('marker') :]}" if block else inert


def markdown_block(text: str, language: str = "") -> str:
    """Clean text as a fenced Markdown block whose fence is longer than any run of backticks inside."""
    clean = strip_escapes(text)
    longest = max((len(run) for run in re.findall("`+", clean)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{clean}\n{fence}"


def json_escapes(text: str) -> str:
    """JSON text that may be printed: what steers a terminal is written as an escape, so nothing of the value is lost."""
    return _UNESCAPED.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
