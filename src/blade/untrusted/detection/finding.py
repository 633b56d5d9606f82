"""What a detector says: a kind, and where it stands. Detectors overlap, so their words are brought together here."""

from collections.abc import Iterable
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
    """Findings that overlap one another."""
    ranked = sorted(cluster, key=lambda one: (category(one.kind) != "credential", one.start - one.end, one.start))
    kept: list[Sensitive] = []
    for one in ranked:
        pieces = [(one.start, one.end)]
        for other in kept:
            pieces = [rest for piece in pieces for rest in _outside(piece, other)]
        kept += [Sensitive(one.kind, start, end) for start, end in pieces if end > start]
    return sorted(kept, key=lambda one: one.start)


def _outside(piece: tuple[int, int], other: Sensitive) -> list[tuple[int, int]]:
    start, end = piece
    if other.end <= start or end <= other.start:
        return [piece]
    return [(low, high) for low, high in ((start, other.start), (other.end, end)) if low < high]
