"""What a skill's Markdown refers to: links and files, and the commands it shows, each with its line."""

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final
from urllib.parse import unquote, urlsplit

from markdown_it import MarkdownIt
from markdown_it.token import Token

SHELLS: Final = ("bash", "sh", "shell", "zsh", "console", "text", "")
"""Languages of fenced blocks whose lines may be commands."""
OURS: Final = ("blade", "gym")
_FILE: Final = re.compile(r"(?:references|scripts|assets)/[\w./-]*\w")
_ENDS: Final = re.compile(r"\|\||&&|[|;&<>]")
_VARIABLE: Final = re.compile(r"^(?:\w+=\$\(|\w+=\S*\s+|\$ )")


@dataclass(frozen=True)
class Reference:
    """A file that is referred to (and the heading in it), or another place that nobody can look at here."""

    line: int
    path: str
    heading: str = ""


@dataclass(frozen=True)
class Command:
    line: int
    words: tuple[str, ...]


def references(text: str) -> Iterator[Reference]:
    """Links and images to files and headings, and files of the skill's own folders that stand as code."""
    for token, line in _inline(text):
        target = token.attrs.get("href") or token.attrs.get("src")
        if isinstance(target, str):
            parts = urlsplit(target)
            if not parts.scheme and not parts.netloc:
                yield Reference(line, unquote(parts.path), unquote(parts.fragment))
        elif token.type == "code_inline" and _FILE.fullmatch(token.content):
            yield Reference(line, token.content)


def commands(text: str) -> Iterator[Command]:
    """Calls of our own commands: in blocks of shell and as code in a sentence."""
    for token in MarkdownIt("commonmark").parse(text):
        if token.type == "fence" and token.map and token.info.strip().lower().split(" ")[0] in SHELLS:
            for number, line in _joined(token.content, token.map[0] + 2):
                yield from _calls(number, line)
    for inline, place in _inline(text):
        if inline.type == "code_inline":
            yield from _calls(place, inline.content)


def headings(text: str) -> set[str]:
    """The anchors of a text's headings, as GitHub makes them."""
    tokens = MarkdownIt("commonmark").parse(text)
    titles = [tokens[place + 1].content for place, token in enumerate(tokens) if token.type == "heading_open"]
    return {re.sub(r"[^\w\- ]", "", re.sub(r"[`*]", "", title).lower()).replace(" ", "-") for title in titles}


def _inline(text: str) -> Iterator[tuple[Token, int]]:
    """Every inline token with its line."""
    for block in MarkdownIt("commonmark").enable("table").parse(text):
        if block.type != "inline" or not block.map:
            continue
        line = block.map[0] + 1
        for token in block.children or ():
            if token.type in ("softbreak", "hardbreak"):
                line += 1
            yield token, line


def _joined(block: str, first: int) -> Iterator[tuple[int, str]]:
    """Lines, those that end with a backslash with the next."""
    number, held = first, ""
    for place, line in enumerate(block.split("\n")):
        number = number if held else first + place
        if line.rstrip().endswith("\\"):
            held += line.rstrip()[:-1] + " "
            continue
        yield number, held + line
        held = ""


def _calls(number: int, line: str) -> Iterator[Command]:
    stripped = _VARIABLE.sub("", line.strip())
    try:
        lexer = shlex.shlex(stripped, posix=True, punctuation_chars="|;&<>()")
        lexer.whitespace_split = True
        words = list(lexer)
    except ValueError:
        return
    call: list[str] = []
    for word in [*words, ";"]:
        if _ENDS.match(word) or set(word) <= set("()"):
            if call and call[0].rsplit("/", 1)[-1] in OURS and len(call) > 1:
                yield Command(number, (call[0].rsplit("/", 1)[-1], *call[1:]))
            call = []
        else:
            call.append(word)
