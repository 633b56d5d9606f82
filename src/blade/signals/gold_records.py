"""DA: the expected id is that of another record in a listing than the one that the request names, as where gold is a line off.

The listing itself tells: the record of the value that was given holds what the request names, and best of all; the expected id stands in another record of
the same listing, which holds less of it and nothing besides (a namesake). One repeat may have misread; telling only where all repeats agree and none passes (`diagnosis.patterns.stale_gold`).
"""

from collections.abc import Iterator

from blade.signals.comparison import comparison_of
from blade.signals.example import Example, call
from blade.signals.gold import told, wrong_arguments
from blade.signals.origins import shown
from blade.signals.rollout import Rollout
from blade.signals.schemes import of_one_scheme
from blade.signals.signal import Evidence, signal
from blade.signals.wanted_record import as_asked, stands_beside


@signal(
    "gold_beside",
    label="DA",
    meaning="the value given is in the record that the request names, the expected one in another record of the same listing; telling only where all repeats agree",
    causal=False,
    example=Example(
        (
            call("list_pilots", '[{"licence": "0761", "name": "Zanele Bianchi"}, {"licence": "0807", "name": "Greta Petrov"}]'),
            call("order_pilot", "ok", licence="0761"),
        ),
        asked="Please order the pilot Zanele Bianchi.",
        fields={"expected_calls": [{"name": "order_pilot", "arguments": {"licence": "0807"}}]},
    ),
)  # fmt: skip
def gold_beside(rollout: Rollout) -> Iterator[Evidence]:
    compared = None if rollout.has_dialogue else comparison_of(rollout)
    for path, expected, actual, step in wrong_arguments(compared) if compared is not None else ():
        if not isinstance(expected, str) or not isinstance(actual, str) or not _alike(expected, actual):
            continue
        source = as_asked(rollout, actual)
        if source is not None and stands_beside(rollout, source, actual, expected):
            yield Evidence(
                step,
                f"{path} = {shown(actual)}",
                f"{told(source)}, as the request names it; {shown(expected)} is expected, which is another record there",
                path,
            )


def _alike(one: str, other: str) -> bool:
    """Whether two values are ids of one scheme, or numbers of the same length."""
    return of_one_scheme(one, other) or (one.isdigit() and other.isdigit() and len(one) == len(other))
