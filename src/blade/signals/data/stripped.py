"""DA: a request that lost what stood between angle brackets, because somebody took it for markup.

`With less than this (<5 m) wait, and with >=5 m go` is rid of its tags, and what is left says `=5 m go`: a sign of comparison that is joined to a number and
parted from the word before it. Some people write an equals sign like that, so it only bears out what readers say or leave undone.
"""

import re
from collections.abc import Iterator
from typing import Final

from blade.signals.example import Example, says, tool
from blade.signals.repeats import once_for_repeats
from blade.signals.rollout import Rollout
from blade.signals.signal import Evidence, signal

READ: Final = 4_000
_REST: Final = re.compile(r"(?<=[^\W\d_]{2}[ ])=\d++(?:[.,]\d++)*(?![\w/*^])")
"""An equals sign joined to a number and parted from a word before it."""
_SIGNS: Final = re.compile(r"[<>≤≥]|(?<!^)(?<! )=|= ")
"""Signs of comparison that came through, or that stand as they do in formulas."""


@signal(
    "comparison_stripped",
    label="DA",
    needs=("one_turn",),
    meaning="the request has `=5` in the middle of a sentence and no angle bracket, as where all from a `<` to a `>` was taken out; what a reader's complaint is held against",
    causal=False,  # a user who speaks up later says the rest
    example=Example(
        (says("The pump is at 4 bar, and I know only what to do at 5."),),
        asked="Look at the pump. With a pressure =5 open the valve.",
        tools=(tool("read_pump"),),
    ),
)
def comparison_stripped(rollout: Rollout) -> Iterator[Evidence]:
    if rollout.has_dialogue or not rollout.works_with_tools:
        return
    found = _stripped(rollout.request)
    if found is not None:
        yield Evidence(None, found, "a comparison lacks what stands before it, as where markup was taken out", "prompt")


@once_for_repeats
def _stripped(request: str) -> str | None:
    """The words around what is left of a comparison; None where signs of comparison came through."""
    found = _REST.search(request[:READ]) if "=" in request else None
    if found is None or _SIGNS.search(request):
        return None
    return " ".join(request[max(0, found.start() - 60) : found.end() + 40].split())
