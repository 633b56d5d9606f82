from typing import Any

import pytest

from blade.claims.claim import Claim, NotAClaim, as_json, from_json

CLAIM = Claim("c1", "two", "SELECT 2", 2, None, 1e-9, [{"rollout": "0:0", "step": None, "quote": "", "redacted": False}])


def test_a_claim_goes_to_json_and_back() -> None:
    written = as_json(CLAIM)
    assert list(written) == ["id", "text", "query", "estimator", "value", "tolerance", "evidence"]
    assert from_json(written) == CLAIM


def test_what_may_be_left_out_has_its_default() -> None:
    assert from_json({"id": "c1", "text": "t", "query": "SELECT 1", "value": None}) == Claim("c1", "t", "SELECT 1", None)


@pytest.mark.parametrize(
    "change",
    [
        {"id": 1},
        {"text": None},
        {"query": ["SELECT 1"]},
        {"estimator": 3},
        {"tolerance": "much"},
        {"tolerance": float("nan")},
        {"tolerance": True},
        {"tolerance": 1e9},
        {"tolerance": -1},
        {"evidence": "none"},
        {"evidence": ["0:0"]},
    ],
)
def test_other_shapes_are_refused(change: dict[str, Any]) -> None:
    with pytest.raises(NotAClaim):
        from_json(as_json(CLAIM) | change)


@pytest.mark.parametrize("found", [None, [], "SELECT 1", {}, {"id": "c1", "text": "t", "query": "SELECT 1"}])
def test_what_is_no_claim_is_refused(found: Any) -> None:
    with pytest.raises(NotAClaim):
        from_json(found)
