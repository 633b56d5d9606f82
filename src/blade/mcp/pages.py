"""Answers cut into pages that an agent can afford to read, at the ends of paragraphs where that is possible."""

from collections.abc import Iterator, Sequence
from typing import Final

from blade.errors import UsageError

MOST: Final = 10_000
"""Characters of an answer: about 2,500 tokens. No answer is longer, whatever it was made of."""
TEXT: Final = 9_400
"""Characters of text on a page: what says how to get the next has room too."""
ROOM: Final = 8_500
"""Characters of rows on a page: what is said above and below them has room too."""


def fitting(rows: Sequence[Sequence[str]]) -> int:
    """How many rows of a table fit a page; at least one, where there is any."""
    room = ROOM
    for number, row in enumerate(rows):
        room -= sum(len(cell) + 3 for cell in row)
        if room < 0:
            return max(number, 1)
    return len(rows)


def paged(text: str, page: int, call: str, most: int = TEXT) -> str:
    """One page of an answer, and how to get the next: `call` is the call without its page and its closing bracket."""
    pages = list(cut(text, most))
    if not 1 <= page <= len(pages):
        raise UsageError(f"there is no page {page}", hint=f"the answer has {len(pages)}")
    if len(pages) == 1:
        return pages[0]
    onward = f"; the next: {call}, page={page + 1})" if page < len(pages) else ""
    return f"{pages[page - 1]}\n\n[page {page} of {len(pages)}{onward}]"


def cut(text: str, most: int) -> Iterator[str]:
    """The pages of a Markdown text; together they hold every line of it, and a table that goes on has its head again."""
    page = ""
    for block in (piece for whole in text.strip("\n").split("\n\n") for piece in _pieces(whole, most)):
        if page and len(page) + 2 + len(block) > most:
            yield page
            page = ""
        page = f"{page}\n\n{block}" if page else block
    yield page


def _pieces(block: str, most: int) -> Iterator[str]:
    """A block in pieces of at most a page, at the ends of lines; a line longer than a page is cut."""
    if len(block) <= most:
        yield block
        return
    lines = block.split("\n")
    head = lines[:2] if len(lines) > 2 and lines[0].startswith("|") and lines[1].startswith("| ---") else []
    piece = list(head)
    for line in (part for whole in lines[len(head) :] for part in _parts(whole, most // 2)):
        if len(piece) > len(head) and sum(map(len, piece)) + len(piece) + len(line) > most:
            yield "\n".join(piece)
            piece = list(head)
        piece.append(line)
    yield "\n".join(piece)


def _parts(line: str, most: int) -> Iterator[str]:
    for start in range(0, max(len(line), 1), most):
        yield line[start : start + most]
