"""The study of planted credentials: what is planted can be read before, and what is published is what was asked for."""

import json

from evidence.fingerprint import PUBLISHED
from evidence.secret_kinds import ROUNDS, SEEN
from evidence.secrets import SHAPES, TARGET, measure, plant, readable


def test_every_planted_credential_can_be_read_before_it_is_sanitized() -> None:
    for kinds in (SEEN, *ROUNDS.values()):
        for kind, shape, planted, row in plant(kinds, 11):
            assert planted.secret in readable(row), (kind, shape)


def test_other_draws_of_the_same_kinds_are_found_as_well() -> None:
    result = measure(SEEN, 12)
    assert result["planted"] == len(SEEN) * len(SHAPES)
    assert result["recall"] >= TARGET, result["missed"]
    assert result["false_alarms"] == 0


def test_the_published_study_is_large_enough_and_keeps_its_first_looks() -> None:
    document = json.loads((PUBLISHED / "secrets.json").read_text(encoding="utf-8"))
    assert document["planted"] >= 200
    assert document["kinds"] >= 30
    assert sum(map(len, ROUNDS.values())) >= document["kinds"] / 2
    assert document["recall"] >= TARGET
    assert set(document["first_looks"]) == set(ROUNDS)
