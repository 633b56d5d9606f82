"""DA: a list in the request that was cut short by whoever copied it there: `... 2 more`, or a line of dots between two entries, and what is expected needs those left out.

Programs that print a list for people leave out its end and say how much is missing, or its middle and put dots there. As part of a request that is no
list any more: what is left out is known to nobody but the gold. A tool may still have it, so it is held against the rollout: an expected value of a list is
told nowhere, neither in the request nor in any answer.
"""

import re
from collections.abc import Iterator
from typing import Any, Final

from blade.signals.calls.arguments import leaves
from blade.signals.calls.sameness import same
from blade.signals.example import Example, call
from blade.signals.repeats import once_for_repeats
from blade.signals.rollout import Rollout
from blade.signals.signal import Evidence, argument_subject, signal
from blade.signals.texts.origins import in_request, shown, sources_of
from blade.signals.wanted.comparison import WRONG, comparison_of

READ: Final = 20_000
_THINGS: Final = r"(?:more|others?|further|additional|remaining|items?|rows?|entries|lines?|records?|elements?|results?|truncated|omitted|hidden|not shown)"
_MORE: Final = re.compile(
    rf"^[ \t]{{0,8}}(?:[-*•>|+][ \t]{{0,3}})?[(\[<]{{0,2}}(?:(?:\.{{2,5}}|…)[ \t]{{0,3}})?(?:and |plus |\+ ?)?\d{{1,5}}(?: \w{{1,12}}){{0,2}} ?\b{_THINGS}\b"
    rf"(?: \w{{1,12}}){{0,2}}[ \t]{{0,3}}(?:\.{{2,5}}|…)?[)\]>]{{0,2}}\.?[ \t]*$"
    rf"|^[ \t]{{0,8}}[(\[<]{{0,2}}(?:\.{{2,5}}|…)[ \t]{{0,3}}[(\[<]{{0,2}}(?:list |output |rest )?(?:truncated|omitted|shortened|abridged|cut|snipped)[)\]>]{{0,2}}[ \t]*$",
    re.MULTILINE | re.IGNORECASE,
)
_GAP: Final = re.compile(
    r"(?<=[^\s.!?]\n)[ \t]{0,8}(?:[-*•>|][ \t]{1,3}|\d{1,4}[.):][ \t]{0,3})?[(\[<]?[ \t]?(?:\.{2,6}|…|⋮|(?:\. ){2,4}\.|(?:· ?){3,5})[ \t]?[)\]>]?[ \t]*(?=\n[ \t]{0,8}\S)"
)
"""A line that is nothing but dots, with a line right before it that ends no sentence, and one right behind."""
_LEFT_OUT: Final = re.compile(
    r"\.\.|…|[(\[<]|\b(?:more|others?|further|remaining|truncated|omitted|hidden|not shown)\.?$", re.IGNORECASE
)
"""A line that says how much of a list is left out; one that merely counts things (`2 items`, `2 more chairs`) has no sign of it."""


_ENDINGS: Final = (("s", ""), ("es", ""), ("y", "ies"), ("ies", "y"))


@signal(
    "list_abridged",
    label="DA",
    needs=("wrong_argument",),
    meaning="a list in the request ends with how many entries were left out, or has dots in their place, and an expected one of them is told nowhere",
    causal=False,
    example=Example(
        (call("set_menu", "ok", menu_id="M-204", dishes=["onion soup", "trout"]),),
        asked="Set the menu M-204:\n* onion soup\n* trout\n... 1 more",
        fields={
            "expected_calls": [
                {"name": "set_menu", "arguments": {"menu_id": "M-204", "dishes": ["onion soup", "trout", "lemon tart"]}}
            ]
        },
    ),
)
def list_abridged(rollout: Rollout) -> Iterator[Evidence]:
    compared = comparison_of(rollout)
    for match in compared.counted if compared is not None else ():
        for name, wanted in match.expected.arguments.items() if match.outcome == WRONG and match.call is not None else ():
            assert match.call is not None
            line = _abridged(rollout.request) if isinstance(wanted, list) else None
            if line is None:
                continue
            untold = next((value for _, value in leaves(wanted) if _told_nowhere(rollout, value)), None)
            if untold is not None:
                detail = f"the list has {line!r} where entries were left out, and {shown(untold)} is told nowhere"
                yield Evidence(match.call.step, f"{name} = {shown(wanted, 150)}", detail, argument_subject(match.call.name, name))
                return


@once_for_repeats
def _abridged(request: str) -> str | None:
    """The line of a request with which a list breaks off, or that stands for what was left out of its middle."""
    ends = next((line for found in _MORE.finditer(request[:READ]) if _LEFT_OUT.search(line := found[0].strip())), None)
    gap = _GAP.search(request[:READ]) if ends is None else None
    return ends if gap is None else gap[0].strip()


def _told_nowhere(rollout: Rollout, value: Any) -> bool:
    """Whether a value stands nowhere, as one or as several, and was given to no call."""
    if not isinstance(value, str) or len(value) <= 2:
        return False
    if any(same(value, given) for made in rollout.own_calls for _, given in made.leaves):
        return False
    return not any(in_request(rollout, form) or sources_of(rollout).places(form) for form in _numbers_of(value))


def _numbers_of(value: str) -> tuple[str, ...]:
    """A noun as it stands, and what may be its singular or plural."""
    forms = [value, f"{value}s", f"{value}es"]
    forms += [value.removesuffix(end) + put for end, put in _ENDINGS if value.endswith(end)]
    return tuple(form for form in forms if len(form) > 2)
