"""DA: a request that goes on from another one, which is not there.

Datasets are cut out of conversations, and a turn that was cut from its predecessor says `the same again` or `the same goods` of what nobody has told.
The words alone are weak (the record that is meant may be found with a tool), so they only bear out what readers say or leave undone.
"""

import re
from collections.abc import Iterator
from typing import Final

from blade.signals.example import Example, says, tool
from blade.signals.repeats import once_for_repeats
from blade.signals.rollout import Rollout
from blade.signals.signal import Evidence, signal

LONGEST: Final = 300
"""Characters of a request beyond which it has room for what it speaks of."""
SHORT: Final = 120
"""Characters of a request that has no room to tell again what was said before."""
_AGAIN: Final = re.compile(
    r"\b(?:the )?same (?:again|thing|procedure|here|for|goes for|as (?:before|above|last time|yesterday|usual|the (?:last|previous)))\b"
    r"|\b(?:like|as) (?:the (?:last|previous) (?:one|time)|last time|before)\b|\bditto\b",
    re.IGNORECASE,
)
_EARLIER: Final = re.compile(
    r"\b(?:as|like|the way|what(?:ever)?|which|that|just) you (?:\w+ )?(?:proposed|suggested|described|offered|explained|outlined|said|told me|recommended|listed|wrote)\b"
    r"|\b(?:one|ones|it|thing|them|what|that|which) (?:that |which )?(?:I|we) (?:\w+ )?(?:mentioned|named|described|told you about|asked about|sent)(?: (?:you|earlier|before|above|first|last time))*(?=\s*(?:[.?!,;]|$))"
    r"|\b(?:my|your|our) (?:first|last|previous|earlier|other) (?:message|question|e?mail|note|reply|answer|proposal|suggestion|request|list)\b"
    r"|\b(?:not|no) that one\b|\bthe one (?:before|after) (?:it|that)\b",
    re.IGNORECASE,
)
"""Words for what was said before, by either side."""
_SAME: Final = re.compile(
    r"(?<!\bat )(?<!\bin )(?<!\bon )(?<!\bof )(?<!\bby )\bthe same (?P<what>[a-z]{3,})\b(?! as\b)(?P<rest>[^.!?\n]*)",
    re.IGNORECASE,
)
_COMPARED: Final = re.compile(r"\bas\b(?! well)|\b(?:that|which|who|each|both|all|every)\b", re.IGNORECASE)
"""What tells beside the word what something is the same as."""
_LEADS_ON: Final = re.compile(r"\s*(?:and|also|then|now|next|or|but)\b", re.IGNORECASE)
_BEFORE: Final = re.compile(r"[.;:!?,](?!\d)|\n|\b(?:and|then|or|but|if)\b", re.IGNORECASE)
"""What parts a sentence: what stands before it may be what it goes on from."""


@signal(
    "prompt_continues",
    label="DA",
    needs=("one_turn",),
    meaning="the request goes on from another one (`the same again`), of which it tells nothing; what a reader's complaint is held against",
    causal=False,
    example=Example(
        (says("I can't tell what is meant."),), asked="Same again, please, with table 12 this time.", tools=(tool("let_table"),)
    ),
)
def prompt_continues(rollout: Rollout) -> Iterator[Evidence]:
    if rollout.has_dialogue or not rollout.works_with_tools or any(item.role == "assistant" for item in rollout.prompt):
        return
    found = continues(rollout.request.strip())
    if found is not None:
        yield Evidence(None, rollout.request.strip()[:160], f"goes on from something that is not told ({found})", "prompt")


@once_for_repeats
def continues(request: str) -> str | None:
    """The words of a short request that speak of something before it; None where it may tell itself what they stand for."""
    if not request or len(request) > LONGEST:
        return None
    earlier = _EARLIER.search(request) if len(request) <= SHORT else None
    if earlier is not None:
        return earlier[0]
    leads = _LEADS_ON.match(request)
    start = 0 if leads is None else leads.end()
    again = _AGAIN.search(request)
    if again is not None:
        return None if _BEFORE.search(request, start, again.start()) else again[0]
    same = _SAME.search(request)
    if same is None or _BEFORE.search(request, start, same.start()) or _COMPARED.search(same["rest"]):
        return None
    what = same["what"].lower()
    return None if what.rstrip("s") in request[: same.start()].lower() else f"the same {what}"
