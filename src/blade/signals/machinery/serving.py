"""IR: what served the model did otherwise than the request asked: it cut far below the limit, or left the tools out.

The row holds both sides: what was asked for stands in its request, what was done in its response. A model is not to blame for what it was not given.
"""

import re
from collections.abc import Iterator
from typing import Final

from blade.sentences import tail
from blade.signals.example import Example, says, tool
from blade.signals.rollout import Rollout
from blade.signals.signal import Evidence, signal

FAR_BELOW: Final = 0.5
"""Share of the allowed tokens up to which an output that was cut for its length was cut by something else."""
LEAST_ALLOWED: Final = 64
WINDOWS: Final = (*(1024 << power for power in range(1, 11)), 32_000, 100_000, 128_000, 200_000, 1_000_000)
"""Sizes of context windows in use."""
NEARLY_FULL, ABOUT = 0.97, 64
_LACKS_TOOLS: Final = re.compile(
    r"\b(?:no|not any|without(?: any)?|lack(?:ing)?|(?:do|did|does)(?: not|n['’]t) (?:have|see|offer)|(?:have|had|has) no|neither|none|cannot (?:use|call|access)|unable to (?:use|call|access))\b"
    r"[^.!?\n]{0,60}\b(?:tools?|functions?|operations?|commands?|actions?|interfaces?|plug-?ins?|capabilit(?:y|ies)|means|access)\b"
    r"|\b(?:tools?|functions?|operations?|commands?)\b[^.!?\n]{0,40}\b(?:(?:are|is|were|was)(?: not|n['’]t)|none|missing|unavailable)\b",
    re.IGNORECASE,
)
"""Words of an agent that finds itself without tools."""


@signal(
    "cut_below_limit",
    label="IR",
    meaning="the output was cut for its length far below what the request allows: something between has a limit of its own",
    causal=False,
    example=Example(
        (says("Let me go over the entries once more, to be cer"),),
        response={"incomplete_details": {"reason": "max_output_tokens"}, "usage": {"output_tokens": 16}},
        params={"max_output_tokens": 1200},
    ),
)
def cut_below_limit(rollout: Rollout) -> Iterator[Evidence]:
    status = rollout.status
    if not status.cut or status.allowed is None or not status.output_tokens or status.allowed < LEAST_ALLOWED:
        return
    if status.output_tokens < FAR_BELOW * status.allowed and not _fills_window(status.output_tokens + (status.input_tokens or 0)):
        last = next((tail(item.text, 150) for item in reversed(rollout.output) if item.text.strip()), "no text")
        yield Evidence(rollout.last_step, last, f"{status.output_tokens:,} tokens were written and {status.allowed:,} allowed")


def _fills_window(tokens: int) -> bool:
    """Whether prompt and output together fill a window of a usual size: then that is what cut the output."""
    return any(NEARLY_FULL * window <= tokens <= window + ABOUT for window in WINDOWS)


@signal(
    "tools_withheld",
    label="IR",
    meaning="the request has tools, the response was served without any, and the assistant says that it has none",
    causal=False,
    example=Example(
        (says("I have no tools here with which I could look that up."),), tools=(tool("find_order"),), response={"tools": []}
    ),
)
def tools_withheld(rollout: Rollout) -> Iterator[Evidence]:
    if rollout.status.tools_withheld and not rollout.own_calls and rollout.final is not None:
        said = _LACKS_TOOLS.search(rollout.final.text)
        if said is not None:
            yield Evidence(rollout.final.step, said[0], f"the request has {len(rollout.tools)}, response.tools is empty")


_DEMANDS_CALL: Final = re.compile(
    r"\b(?:choose|emit|respond with|reply with|answer with)\b[^.!?\n]{0,30}\b(?:tool|function)[ _-]calls?\b",
    re.IGNORECASE,
)
_SHOWS_FORM: Final = re.compile(r"<\w*(?:tool|function|invoke)|```|\bJSON\b|\bXML\b|\{\s*\"|\bformat\b", re.IGNORECASE)
"""How a prompt shows in which form calls are to be written: then they are text, and a harness reads them."""
_SPELLED: Final = re.compile(r"\b\w+\([^)\n]{0,80}\)")
"""A call spelled out: it shows a form where calls are demanded, and in a task about a program it is just a function's name."""


@signal(
    "tools_undeclared",
    label="IR",
    needs=("one_turn",),
    meaning="the prompt demands a tool call, the request declares no tool, and no form is shown in which to write one",
    causal=False,
    example=Example((says("I would run the tests now."),), system="You are a coding agent. Choose the single next tool call."),
)
def tools_undeclared(rollout: Rollout) -> Iterator[Evidence]:
    if rollout.works_with_tools or rollout.unnamed_tools or rollout.final is None or rollout.has_dialogue:
        return
    if _SHOWS_FORM.search(rollout.prompt_text) is not None:
        return
    for text in (rollout.instructions, *(item.text for item in rollout.prompt)):
        demanded = _DEMANDS_CALL.search(text)
        if demanded is not None and _SPELLED.search(text) is None:
            yield Evidence(rollout.final.step, demanded[0], "the prompt says so, and the request declares no tool")
            return
