"""What has to be said, and what must not be: texts of the dataset that a verifier looks for in the messages.

Such a field is named after it (`must_mention`, an assertion of the type `content_contains`, a list of `minefields`), is the same in all
repeats, and goes with the reward: rollouts that pass say what has to be said, and do not say what must not be.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from blade.signals.calls.mutation import words_of
from blade.signals.layout.columns import by_task, columns, constant, of_judge
from blade.signals.layout.paths import KIND_KEYS, OF_KIND, records
from blade.signals.layout.sampled import Sampled
from blade.signals.layout.shape import Field, Path
from blade.signals.layout.support import AGREEING

MIN_TASKS: Final = 2
"""Tasks that pass and say it that are enough for a field of such a name."""
MOST_TASKS: Final = 60
MAX_PIECE: Final = 200
MAX_PIECES: Final = 20
_SAID: Final = frozenset(
    ["contain", "contains", "include", "includes", "mention", "mentions", "say", "says", "phrase", "phrases", "keyword", "keywords", "communicate", "icontains", "substring", "substrings", "told", "tell"]
)  # fmt: skip
_NEVER: Final = frozenset(
    ["not", "never", "forbidden", "forbid", "forbids", "banned", "minefield", "minefields", "avoid", "avoids", "exclude", "excludes", "excluded", "without", "taboo", "prohibited", "disallowed", "blocklist", "withhold", "withheld", "confidential", "undisclosed", "absent", "omit", "lacks"]
)  # fmt: skip
_WORDS: Final = frozenset(["word", "words", "text", "texts", "string", "strings", "term", "terms"])
_MINES: Final = frozenset(
    ["minefield", "minefields", "taboo", "blocklist", "withhold", "withheld", "confidential", "undisclosed"]
)
"""Names that tell of words together with one that forbids, and names that do so by themselves."""
_TELLS_KIND: Final = re.compile(r"[\w-]+")


def learn_words(rows: Sequence[Sampled], golden: Callable[[Sampled], str | None]) -> tuple[tuple[Field, ...], tuple[Field, ...]]:
    """The fields that hold what has to be said where no answer is expected, and those that hold what must not be; at most one of each."""
    found: dict[bool, list[Field]] = {True: [], False: []}
    for path, column in columns(rows, _any).items():
        wanted = _names(path)
        if wanted is None or records(path) or any(path[: len(field.path)] == field.path for field in found[wanted]):
            continue
        mine = {number: value for number, value in column.items() if pieces_of(value) and not (wanted and golden(rows[number]))}
        if not mine or not _same_in_repeats(rows, mine) or of_judge(rows, path, mine):
            continue
        told = agreeing = 0
        for numbers in list(by_task(rows, mine).values())[:MOST_TASKS]:
            number = next((number for number in numbers if rows[number].passed), None)
            if number is not None:
                told += 1
                agreeing += all(_says(rows[number], piece) is wanted for piece in pieces_of(mine[number]))
        if agreeing >= MIN_TASKS and agreeing >= AGREEING * told:
            found[wanted].append(Field(path, told, agreeing))
    return tuple(found[True][:1]), tuple(found[False][:1])


def _any(value: Any) -> bool:
    return isinstance(value, str | list | dict)


def _same_in_repeats(rows: Sequence[Sampled], column: dict[int, Any]) -> bool:
    """As `constant`, but all tasks may want the same."""
    return constant(rows, column) or all(
        len({repr(column[number]) for number in numbers}) == 1 for numbers in by_task(rows, column).values()
    )


def _names(path: Path) -> bool | None:
    """Whether a path is named after what has to be said (True) or must not be (False)."""
    last = path[-1].partition(OF_KIND)[2] or path[-1]
    says = bool(_SAID & set(words_of(last)))
    if any(_NEVER & set(words_of(part)) for key in path for part in _TELLS_KIND.findall(key)):
        return False if says or (_WORDS | _MINES) & set(words_of(last)) else None
    return True if says else None


def pieces_of(value: Any) -> list[str]:
    """The texts that a field lists, through the objects that hold them."""
    return list(dict.fromkeys(_pieces(value)))[:MAX_PIECES]


def _pieces(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        if 1 < len(value.strip()) <= MAX_PIECE:
            yield value.strip()
    elif isinstance(value, list):
        for inner in value:
            yield from _pieces(inner)
    elif isinstance(value, dict):
        for key, inner in value.items():
            if key not in KIND_KEYS:
                yield from _pieces(inner)


def _says(row: Sampled, piece: str) -> bool:
    said = " ".join(item.text for _, item in row.rollout.assistant_messages()).lower()
    return re.search(rf"(?<![^\W_]){re.escape(piece.lower())}(?![^\W_])", said) is not None
