"""What a detector says: a kind, and where it stands. Detectors overlap, so their words are brought together here."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple


class Sensitive(NamedTuple):
    """A stretch of text that should not be shared as it is."""

    kind: str
    start: int
    end: int


PERSONAL: Final = frozenset({"email", "user", "name"})
PLACES: Final = frozenset({"host", "ip", "mac"})


def category(kind: str) -> str:
    """`personal`, `endpoint` or `credential`: whatever is not one of the former is a credential."""
    return "personal" if kind in PERSONAL else "endpoint" if kind in PLACES else "credential"


def settle(found: Iterable[Sensitive]) -> list[Sensitive]:
    """Findings in order and without overlap. A credential outweighs what is only private, and then the longer one counts.

    What loses keeps the part that nobody else covers: half a secret must not stay because another finding touched it.
    """
    clusters: list[list[Sensitive]] = []
    end = -1
    for one in sorted(set(found), key=lambda one: one.start):
        if one.start >= end:
            clusters.append([])
        clusters[-1].append(one)
        end = max(end, one.end)
    return [one for cluster in clusters for one in (cluster if len(cluster) == 1 else _settled(cluster))]


def _settled(cluster: list[Sensitive]) -> list[Sensitive]:
    """Findings that overlap one another, each cut down to what those before it in rank left over."""
    ranked = sorted(cluster, key=lambda one: (category(one.kind) != "credential", one.start - one.end, one.start))
    kept: list[Sensitive] = []
    starts: list[int] = []
    for one in ranked:
        for piece in list(_left_over(one, kept, starts)):
            at = bisect_right(starts, piece.start)
            kept.insert(at, piece)
            starts.insert(at, piece.start)
    return kept


def _left_over(one: Sensitive, kept: list[Sensitive], starts: list[int]) -> Iterator[Sensitive]:
    """The parts of a finding that none of those kept covers; they are in order, so most of them need no look."""
    at = bisect_right(starts, one.start)
    place = max(one.start, kept[at - 1].end) if at else one.start
    while place < one.end:
        if at == len(starts) or starts[at] >= one.end:
            yield Sensitive(one.kind, place, one.end)
            return
        if place < starts[at]:
            yield Sensitive(one.kind, place, starts[at])
        place = kept[at].end
        at += 1
