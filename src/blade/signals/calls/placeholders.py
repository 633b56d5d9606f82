"""What a model left to be filled in: `YOUR_API_KEY` in the place of a key, `<URL>` in the place of an address.

A service that refuses such a key, or a host that such an address does not name, is no failure of the machinery: it answers what the model sent.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from blade.runs.steps import Step
from blade.signals.calls.matcher import ErrorText

READ: Final = 20_000
"""Characters of what was run that are looked through."""
_ANSWERS_SENDER: Final = frozenset(["access_denied", "connection_failed"])
_LEFT_OPEN: Final = re.compile(
    r"\b(?:your|insert|enter|replace|add)[_-](?:\w{1,30}[_-]){0,4}(?:key|token|secret|password|credentials?|host|url|domain)\b"
    r"|\b(?:api|access|secret)[_-]?(?:key|token)[_-]?(?:here|goes)\b"
    r"|<(?:[\w -]{0,30}[_ -])?(?:key|token|url|host|domain|password)(?:[_ -][\w -]{0,30})?>",
    re.IGNORECASE,
)
"""Names that stand for a value; a sentence that speaks of *your API key* has blanks between its words."""


def of_the_sender(errors: tuple[ErrorText, ...], output: Sequence[Step], position: int) -> tuple[ErrorText, ...]:
    """The errors, those about a key or an address that was a placeholder as errors of what was sent."""
    if not any(error.kind in _ANSWERS_SENDER for error in errors):
        return errors
    sent = next((item for item in reversed(output[:position]) if item.kind in ("tool_call", "message")), None)
    ran = "" if sent is None else f"{sent.arguments or ''}\n{sent.text}"
    if not any(_LEFT_OPEN.search(text[-READ:]) for text in (ran, output[position].text)):
        return errors
    return tuple(replace(error, kind="invalid_arguments") if error.kind in _ANSWERS_SENDER else error for error in errors)
