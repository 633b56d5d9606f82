"""Commands written as a list of their arguments, as tracebacks and configuration have them: `['tool', '-u', 'ann', '-w', '…']`.

Such a list is read as the command line that it stands for, so whatever is known of commands holds for it as well.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from blade.untrusted.detection.commands import in_commands
from blade.untrusted.detection.finding import Sensitive
from blade.untrusted.detection.headers import in_headers

LONGEST: Final = 4_096
_LIST: Final = re.compile(
    r"""[\[(]\s{0,8}(?:b?'[^'\n]{0,400}'\s{0,4},\s{0,8}){1,64}b?'[^'\n]{0,400}'|[\[(]\s{0,8}(?:"[^"\n]{0,400}"\s{0,4},\s{0,8}){1,64}"[^"\n]{0,400}\""""
)
_ITEM: Final = re.compile(r"""'(?P<one>[^'\n]*)'|"(?P<two>[^"\n]*)\"""")
_FLAGGED: Final = re.compile(r"""["']\s{0,4},\s{0,8}b?["']-""")


def in_argument_lists(text: str) -> Iterator[Sensitive]:
    """The secrets among quoted arguments in brackets."""
    if not _FLAGGED.search(text):
        return
    for listed in _LIST.finditer(text):
        items = [(one.start() + 1, one["one"] if one["one"] is not None else one["two"]) for one in _ITEM.finditer(listed[0])]
        for number, start, end in in_arguments(item for _, item in items):
            offset = listed.start() + items[number][0]
            yield Sensitive("password", offset + start, offset + end)


def in_arguments(arguments: Iterable[str]) -> Iterator[tuple[int, int, int]]:
    """The secrets among the arguments of one command: which argument, and where in it."""
    starts: list[int] = []
    line = ""
    for argument in arguments:
        starts.append(len(line))
        line += argument.replace("\n", " ") + " "
        if len(line) > LONGEST:
            return
    for one in (*in_commands(line), *in_headers(line)):
        number = max(number for number, start in enumerate(starts) if start <= one.start)
        end = starts[number + 1] - 1 if number + 1 < len(starts) else len(line) - 1
        yield number, one.start - starts[number], min(one.end, end) - starts[number]
