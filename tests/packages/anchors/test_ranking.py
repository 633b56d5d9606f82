"""Anchors are drafted from what needs reading, and their checks come out in the run."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from blade.claims.reading.facts import RunFacts
from blade.claims.reading.markdown import read_report
from blade.claims.reading.measured import run_facts
from blade.diagnosis.diagnose import diagnose, extractors
from blade.lab.example import build, write
from blade.packages.anchors.anchor import Anchor
from blade.packages.anchors.checks import Checker, check_of
from blade.packages.anchors.ranking import anchors, as_markdown
from blade.packages.scoring.stated import Stated
from blade.runs.run import open_run

REPORT = Path(__file__).parents[1] / "reports" / "desk_by_hand.md"


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunFacts]:
    path = write(build(tasks=24, seed=11), tmp_path_factory.mktemp("desk"))
    with open_run(str(path), extractors=extractors(), use_index=False) as run:
        yield run_facts(run, diagnose(run))


@pytest.fixture(scope="module")
def drafted(desk: RunFacts) -> list[Anchor]:
    made, against = anchors(REPORT.read_text(encoding="utf-8"), desk, 12)
    assert not against
    return made


def test_facts_keep_their_numbers_ids_and_evidence(drafted: list[Anchor]) -> None:
    assert len(drafted) == 12
    assert [anchor.id for anchor in drafted] == [f"B{place}" for place in range(1, 13)]
    told = REPORT.read_text(encoding="utf-8")
    lines = told.split("\n")
    for anchor in drafted:
        assert anchor.fact.removeprefix(f"Task {anchor.fact.split(':')[0][5:]}: ") in " ".join(told.split())
        assert anchor.line is not None
        assert any(char.isdigit() for char in lines[anchor.line - 1])
    assert len({anchor.fact for anchor in drafted}) == 12


def test_figures_of_the_whole_run_are_left_out(drafted: list[Anchor]) -> None:
    assert not [anchor.fact for anchor in drafted if "pass@1" in anchor.fact or "rollouts came back" in anchor.fact]
    summary = (
        "# Report\n\npass@1 is 60.4 % over 24 tasks. 9 tasks always pass, 11 sometimes, 4 never. 54 of 92 rollouts passed.\n"
    )
    assert anchors(summary, None, 12) == ([], [])


def test_checks_come_out_and_nobody_has_reviewed_them(drafted: list[Anchor]) -> None:
    for anchor in drafted:
        assert anchor.verified is True
        assert anchor.reviewed is False
        assert anchor.checks
        assert json.loads(json.dumps(anchor.checks)) == anchor.checks
    hardest = {anchor.difficulty for anchor in drafted[:4]}
    assert hardest == {"high"}


def test_a_sentence_that_does_not_come_out_becomes_no_fact(desk: RunFacts) -> None:
    told = REPORT.read_text(encoding="utf-8").replace("and they never call `find_member`", "and they all call `find_member`")
    made, against = anchors(told, desk, 12)
    assert [line for line, _ in against] == [61]
    assert not any("they all call" in anchor.fact for anchor in made)


@pytest.mark.parametrize(
    ("one", "holds"),
    [
        (Stated("outcome", "rollout 3:1", "", "pass"), True),
        (Stated("outcome", "rollout 3:1", "", "fail"), False),
        (Stated("rate", "task 3", "", "1/4"), True),
        (Stated("rate", "task 3", "", "2/4"), False),
        (Stated("bucket", "task 6", "", "never"), True),
        (Stated("call", "rollout 3:0", "find_member", "no"), True),
        (Stated("call", "rollout 3:1", "find_member", "no"), False),
        (Stated("at", "rollout 12:0", "503 service unavailable", "2"), True),
        (Stated("at", "rollout 12:0", "503 service unavailable", "3"), False),
        (Stated("cause", "task 12", "", "IR"), True),
        (Stated("cause", "task 12", "", "DA"), False),
        (Stated("value", "task 3", "", "m 0174"), True),
        (Stated("value", "task 3", "", "m 9999"), None),
    ],
    ids=str,
)
def test_a_statement_is_checked(desk: RunFacts, one: Stated, holds: bool | None) -> None:
    check = check_of(one, f"({desk.run.passes})")
    assert check is not None
    with Checker(desk) as checker:
        assert checker.verified([check]) is holds


def test_a_check_that_somebody_wrote_can_fail_but_not_break(desk: RunFacts) -> None:
    hostile = [{"query": "DROP TABLE rollouts", "value": 1}, {"query": "SELECT 1", "value": 1}, {"read": {"task": None}}, {}]
    with Checker(desk) as checker:
        assert checker.run(hostile) == [None, True, None, None]


@pytest.mark.parametrize(
    "plain", ["4:0 says “<COUNT> is **not** given” at step 1", "a_b _c_ &lt; \\x [a](b) `<d>`", "- not an item", "> no quote"]
)
def test_a_fact_reads_as_itself(plain: str) -> None:
    assert [passage.text for passage in read_report(as_markdown(plain)).passages] == [plain]
