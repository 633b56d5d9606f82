"""DA: gold that is a refusal: whichever model wrote it would not say what the request asks for."""

import re
from collections.abc import Iterator
from typing import Final

from blade.signals.example import Example, call
from blade.signals.rollout import Rollout
from blade.signals.signal import Evidence, signal
from blade.signals.texts.origins import in_request, shown
from blade.signals.texts.speech import says_it_is_ai
from blade.signals.wanted.comparison import comparison_of
from blade.signals.wanted.differing import wrong_arguments

_CANNOT: Final = re.compile(
    r"\b(?:I['’]m|I am) (?:not able|unable) to (?:generate|write|create|produce|compose|help|assist|comply|provide)\b|\bI (?:can(?:no|['’])t|cannot|won['’]t|will not) (?:generate|write|create|produce|compose|help|assist|comply|fulfil+|provide)\b",
    re.IGNORECASE,
)
_REFUSED: Final = {
    "name": "set_sign",
    "arguments": {"board_id": "B-1204", "wording": "As an AI language model I can't help with this."},
}


@signal(
    "gold_refuses",
    label="DA",
    needs=("wrong_argument",),
    meaning="an argument of an expected call is the refusal of whichever model wrote the gold",
    causal=False,
    example=Example(
        (
            call(
                "set_sign",
                "ok",
                board_id="B-1204",
                wording="We would be happy to have you over for lunch at the end of the month.",
            ),
        ),
        asked="Have board B-1204 say: We would be happy to have you over for lunch at the end of the month.",
        fields={"expected_calls": [_REFUSED]},
    ),
)
def gold_refuses(rollout: Rollout) -> Iterator[Evidence]:
    compared = comparison_of(rollout)
    for path, expected, actual, step in wrong_arguments(compared) if compared is not None else ():
        if isinstance(expected, str) and in_request(rollout, actual) and (says_it_is_ai(expected) or _CANNOT.search(expected)):
            yield Evidence(step, f"{path} = {shown(expected)}", "what a model says when it refuses", path)
            return
