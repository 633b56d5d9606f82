"""DA: a request that names somebody of whom there are two, and says nothing that tells them apart.

The lookup by that name lists both, the request names of either just as much, and one of them is expected. Whoever takes the other one, or asks back, had
no way to know; which lookup could have told, had it been made, is no fault of the request. Telling only where none passes
(`diagnosis.patterns.stale_gold`).
"""

import re
from collections.abc import Iterator
from typing import Final

from blade.signals.calls.arguments import leaves
from blade.signals.calls.mutation import words_of
from blade.signals.calls.sameness import same
from blade.signals.example import Example, call
from blade.signals.repeats import once_for_repeats
from blade.signals.rollout import Rollout
from blade.signals.signal import Evidence, argument_subject, signal
from blade.signals.texts.origins import shown, whole_word
from blade.signals.texts.schemes import RECORD
from blade.signals.wanted.comparison import FAILED, MISSING, WRONG, Comparison, Match, comparison_of
from blade.signals.wanted.restated import restated
from blade.signals.wanted.wanted_record import Alike, named_alike

NOTED: Final = "as the row itself says elsewhere"
"""Said where another field of the row has what tells the expected one from the other."""
_CHOOSES: Final = re.compile(
    r"\b(?:first|second|third|last|next|other|another|former|latter|previous|both|each|either|any|all|every|most|least|more|less|only|senior|junior|main|primary|current|active"
    r"|new|old|newer|older|younger|larger|smaller|longer|shorter|higher|lower|earlier|later|\w{2,}est)\b",
    re.IGNORECASE,
)
"""Words by which one of several may be chosen, whatever is on record of them."""

_QUOTED: Final = re.compile(r"\"[^\"\n]{1,400}\"|“[^”\n]{1,400}”|«[^»\n]{1,400}»")
"""What a request dictates chooses nobody."""


@signal(
    "record_not_told_apart",
    label="DA",
    needs=("departure", "one_turn"),
    meaning="a lookup by the name in the request lists two of that name, and nothing in the request says which of them is expected; telling only where none passes",
    causal=False,
    example=Example(
        (
            call("find_person", '[{"id": "P-70512", "name": "Ann Lee", "role": "actor"}, {"id": "P-81334", "name": "Ann Lee", "role": "singer"}]', name="Ann Lee"),
            call("book_slot", "ok", person="P-70512"),
        ),
        asked="Book a slot for Ann Lee.",
        fields={"expected_calls": [{"name": "book_slot", "arguments": {"person": "P-81334"}}]},
    ),
)  # fmt: skip
def record_not_told_apart(rollout: Rollout) -> Iterator[Evidence]:
    compared = None if rollout.has_dialogue else comparison_of(rollout)
    records = list(_not_taken(compared)) if compared is not None and compared.executed else []
    for match, path, value in records if records and not _chooses(rollout.request) else ():
        alike = named_alike(rollout, value)
        if alike is not None and _taken(match, path, alike) and not _told_by_another(rollout, alike):
            noted = any(isinstance(text, str) and _tells(rollout, text, alike) for _, text in restated(rollout))
            told = f"{alike.lookup.name} (step {alike.lookup.step}) lists {1 + len(alike.others)} called {alike.name}, and the request does not say which; {shown(value)} is expected"
            step = match.call.step if match.call is not None else alike.lookup.step
            yield Evidence(step, alike.name, f"{told}, {NOTED}" if noted else told, argument_subject(match.expected.name, path))
            return


def _not_taken(compared: Comparison) -> Iterator[tuple[Match, str, str]]:
    """The records that calls name which were not made as they are expected, each with its place among the arguments."""
    for match in compared.counted:
        for path, value in leaves(match.expected.arguments) if match.outcome in (WRONG, MISSING, FAILED) else ():
            if isinstance(value, str) and RECORD.fullmatch(value) is not None:
                yield match, path, value


@once_for_repeats
def _chooses(request: str) -> bool:
    return _CHOOSES.search(_QUOTED.sub(" ", request)) is not None


def _taken(match: Match, path: str, alike: Alike) -> bool:
    """Whether another record of the name was taken in the place of the expected one, or none."""
    if match.outcome != WRONG:
        return True
    given = [differs.actual for differs in match.differences if differs.path == path]
    return bool(given) and any(same(given[0], told) for record in alike.others for told in record.values())


def _told_by_another(rollout: Rollout, alike: Alike) -> bool:
    """Whether a lookup that was never made for the expected one takes what the records have besides what was asked with: it may know what tells them apart.

    The `id` of what `find_person` lists is the `person_id` of another tool.
    """
    called = {made.name for made in rollout.calls if any(str(value) in alike.own for _, value in made.leaves)}
    known = {key for record in alike.others for key in record} - set(alike.lookup.arguments or ())
    known |= {f"{word}_{key}" for word in words_of(alike.lookup.name) for key in known}
    for tool in rollout.tools.values():
        properties, needed = tool.parameters.get("properties"), tool.parameters.get("required")
        if (
            tool.name in called
            or tool.name == alike.lookup.name
            or not isinstance(properties, dict)
            or rollout.mutation_of(tool.name).kind == "change"
        ):
            continue
        keys = set(needed if isinstance(needed, list) and needed else properties)
        if keys and keys <= known | set(alike.lookup.arguments or ()) and keys & known:
            return True
    return False


def _tells(rollout: Rollout, text: str, alike: Alike) -> bool:
    """Whether a text has something that only the expected record holds, and that the request lacks."""
    return any(
        whole_word(value.lower(), text.lower()) and value.lower() not in rollout.lowered_request for value in alike.own if value
    )
