"""Which verdicts a gate lets through, stops, or leaves undecided."""

import pytest

from blade.comparison.gates import GATES, decide

VERDICTS = ("improved", "regressed", "equivalent", "inconclusive", "not_comparable")
CODES = {"regressed": (0, 1, 0, 0, 3), "not-improved": (0, 1, 1, 3, 3), "not-equivalent": (1, 1, 0, 3, 3)}


@pytest.mark.parametrize("gate", GATES)
def test_every_verdict_under_every_gate(gate: str) -> None:
    assert tuple(decide(gate, [verdict]).code for verdict in VERDICTS) == CODES[gate]


@pytest.mark.parametrize(
    ("verdicts", "code", "pair"),
    [
        (("improved", "regressed", "inconclusive"), 1, 1),
        (("improved", "inconclusive", "equivalent"), 1, 2),
        (("improved", "inconclusive", "improved"), 3, 1),
        (("improved", "improved"), 0, 0),
    ],
)
def test_of_several_pairs_the_worst_decides(verdicts: tuple[str, ...], code: int, pair: int) -> None:
    found = decide("not-improved", verdicts)
    assert (found.code, found.pair) == (code, pair)
