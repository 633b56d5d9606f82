"""A fact must say what its checks check, whoever edited it."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from blade.claims.reading.facts import RunFacts
from blade.claims.reading.measured import run_facts
from blade.diagnosis.diagnose import diagnose, extractors
from blade.lab.example import build, write
from blade.packages.anchors.anchor import Anchor
from blade.packages.anchors.ranking import anchors
from blade.packages.anchors.said import unconfirmed
from blade.runs.run import open_run

REPORT = Path(__file__).parents[1] / "reports" / "desk_by_hand.md"
ID = re.compile(r"\bM-\d{4}\b")


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunFacts]:
    path = write(build(tasks=24, seed=11), tmp_path_factory.mktemp("desk"))
    with open_run(str(path), extractors=extractors(), use_index=False) as run:
        yield run_facts(run, diagnose(run))


@pytest.fixture(scope="module")
def drafted(desk: RunFacts) -> list[Anchor]:
    return anchors(REPORT.read_text(encoding="utf-8"), desk, 100)[0]


def test_facts_as_they_were_drafted_are_confirmed(drafted: list[Anchor], desk: RunFacts) -> None:
    assert len(drafted) > 10
    assert {anchor.fact: unconfirmed(anchor.fact, anchor.checks, desk) for anchor in drafted} == {
        anchor.fact: None for anchor in drafted
    }


def test_an_id_that_was_edited_is_named(drafted: list[Anchor], desk: RunFacts) -> None:
    edited = [(anchor, ID.sub("M-9999", anchor.fact, count=1)) for anchor in drafted if ID.search(anchor.fact)]
    assert edited
    for anchor, fact in edited:
        assert "M-9999" in (unconfirmed(fact, anchor.checks, desk) or "")


def test_words_that_were_put_in_are_named(drafted: list[Anchor], desk: RunFacts) -> None:
    anchor = drafted[0]
    for more, said in (
        ("It cost 48,213 tokens.", "48,213"),
        ("It says “a segmentation fault in worker nine”.", "a segmentation fault in worker nine"),
        ("That was on 2031-07-09:", "2031-07-09"),
        ("It is 73.19 % of them.", "73.19"),
    ):
        assert unconfirmed(f"{anchor.fact} {more}", anchor.checks, desk) == said


def test_the_report_s_own_figures_are_not_the_run_s(drafted: list[Anchor], desk: RunFacts) -> None:
    anchor = drafted[0]
    assert unconfirmed(f"{anchor.fact} That is so with confidence 0.8731 [c977].", anchor.checks, desk) is None
