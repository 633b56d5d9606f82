"""The file of anchor facts, as we write it and as others do."""

import json
from pathlib import Path
from typing import Any

import pytest

from blade.errors import UsageError
from blade.packages.anchors.anchor import Anchor, anchors_of, as_json, load_anchors

FACT = "12:0 never calls `find_member` and books on M-0664."


def written(folder: Path, document: Any) -> Path:
    path = folder / "facts.json"
    path.write_text(document if isinstance(document, str) else json.dumps(document), encoding="utf-8")
    return path


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    anchors = [Anchor("B1", FACT, "high", 12, [{"says": "x", "query": "SELECT 1", "value": 1}], True, reviewed=True)]
    document = as_json(anchors, "desk", "model_a", "model_a_golden_report.md")
    assert document["review_required"] is False
    assert load_anchors(written(tmp_path, document)) == anchors


def test_facts_of_others_need_no_more_than_the_sentence(tmp_path: Path) -> None:
    others = {"anchor_facts": [{"id": "B1", "fact": FACT, "difficulty": "high", "mean_score": 3.5}]}
    assert load_anchors(written(tmp_path, others)) == [Anchor("B1", FACT, "high")]
    assert load_anchors(written(tmp_path, [{"fact": FACT}])) == [Anchor("B1", FACT)]


@pytest.mark.parametrize(
    ("document", "said"),
    [
        ("{", "line 1: not JSON"),
        ({}, "no list of anchor facts"),
        ([], "no anchor facts"),
        ([{"id": "B1", "fact": "short"}], "number 1 has no `fact`"),
        ([{"id": "B1", "fact": FACT}, {"id": "B1", "fact": FACT + " Again."}], "'B1' stands for two"),
    ],
)
def test_a_bad_file_is_refused_in_a_sentence(tmp_path: Path, document: Any, said: str) -> None:
    with pytest.raises(UsageError) as error:
        load_anchors(written(tmp_path, document))
    assert said in str(error.value)
    assert "facts.json" in str(error.value)


@pytest.mark.parametrize(
    "document", [{"facts": [{"fact": FACT}, 3]}, [{"fact": FACT}], {"anchors": 1, "facts": [{"fact": FACT}]}]
)
def test_facts_are_found_as_they_stand(document: Any) -> None:
    assert anchors_of(document) == [{"fact": FACT}]


@pytest.mark.parametrize("document", [{}, [], 3, None, {"facts": {}}])
def test_no_facts_are_none(document: Any) -> None:
    assert anchors_of(document) == []
