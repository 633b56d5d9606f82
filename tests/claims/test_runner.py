"""Claims made over a run come out again, and false or hostile ones do not."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from blade.claims.builder import Claims
from blade.claims.claim import Claim, as_json, from_json
from blade.claims.runner import CannotCompute, recompute, recompute_all
from blade.runs.run import Run, open_run
from tests.runs.support import opened, row, write_jsonl

PER_TASK = "SELECT task, count(*) FILTER (reward >= 0.999999) AS passed, count(*) AS scored FROM rollouts WHERE class = 'scored' GROUP BY task"
QUERIES = [
    ("SELECT count(*) FROM rollouts", None),
    ("SELECT avg(reward) AS mean, 0.5 * count(*) AS half FROM rollouts", None),
    ("SELECT DISTINCT task FROM rollouts ORDER BY task", "column"),
    ("SELECT task, avg(reward) FROM rollouts GROUP BY task ORDER BY task", "rows"),
    ("SELECT max(reward) FROM rollouts WHERE class = 'none'", None),
    (PER_TASK, "rate_interval"),
    (PER_TASK, "pass_at_k"),
    (PER_TASK, "variance_split"),
    (PER_TASK, "detectable_rate"),
]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    rows = [row(task, repeat, (task + repeat) % 2) for task in range(6) for repeat in range(3)]
    with open_run(write_jsonl(tmp_path_factory.mktemp("claims") / "r.jsonl", rows), use_index=False) as found:
        yield found


@settings(max_examples=6)
@given(rewards=st.lists(st.lists(st.sampled_from([0, 1]), min_size=1, max_size=3), min_size=1, max_size=6))
def test_whatever_was_claimed_comes_out_again(rewards: list[list[int]]) -> None:
    with opened([row(task, repeat, reward) for task, given in enumerate(rewards) for repeat, reward in enumerate(given)]) as run:
        with Claims(run) as claims:
            for query, estimator in QUERIES:
                claims.add("a value", query, estimator)
            made = [from_json(claim) for claim in claims.as_json()]
        assert [found.ok for found in recompute_all(run, made)] == [True] * len(QUERIES)


def test_a_claim_holds_the_value_that_its_query_gives(run: Run) -> None:
    with Claims(run) as claims:
        assert claims.add(lambda count: f"{count} rollouts", "SELECT count(*) FROM rollouts") == 18
        rate = claims.state("the score", PER_TASK, "rate_interval", [{"rollout": "0:1", "step": 0}], id="score")
        written = claims.as_json()
    assert rate.value["value"] == pytest.approx(0.5)
    assert [(claim["id"], claim["text"]) for claim in written] == [("c1", "18 rollouts"), ("score", "the score")]
    assert written[1]["evidence"] == [{"rollout": "0:1", "step": 0}]


def test_ids_are_counted_within_their_section_and_the_same_every_time(run: Run) -> None:
    def made() -> list[str]:
        with Claims(run) as claims:
            for section in ("", "slices", "slices", ""):
                claims.add("one", "SELECT 1", section=section)
            claims.add("one", "SELECT 1", id="slices.3")
            claims.add("one", "SELECT 1", section="slices")
            return [claim.id for claim in claims.claims]

    assert made() == ["c1", "slices.1", "slices.2", "c2", "slices.3", "slices.4"] == made()


def test_an_id_stands_for_one_query(run: Run) -> None:
    with Claims(run) as claims:
        assert claims.add("one", "SELECT 1", id="x") == claims.add("one", "SELECT 1 ", id="x") == 1
        with pytest.raises(ValueError, match="twice"):
            claims.add("two", "SELECT 2", id="x")
        assert claims.add("nothing", "SELECT nothing") is None  # what cannot be computed is not claimed
        assert len(claims.claims) == 1


@pytest.mark.parametrize(
    ("claim", "why"),
    [
        (Claim("a", "", "SELECT count(*) FROM rollouts", 17), "value: 17 claimed, 18 found"),
        (Claim("a", "", PER_TASK, {"value": 0.9}, "rate_interval"), "only one side has 'ci'"),
        (Claim("a", "", "SELECT 0.5", 0.5004, tolerance=1e-3), None),
        (Claim("a", "", "SELECT 0.5", 0.502, tolerance=1e-3), "0.502 claimed"),
        (Claim("a", "", "SELECT x FROM nowhere", 1), "nowhere"),
        (Claim("a", "", "SELECT 1", 1, "no_such"), "no estimator"),
        (Claim("a", "", "SELECT 1", 1, "gain"), "affected"),
        (Claim("a", "", "DROP VIEW rollouts", 1), "not allowed"),
        (Claim("a", "", "SELECT 1; SELECT 1", 1), "2 statements"),
        (Claim("a", "", "SET threads = 2", 1), "not allowed"),
        (Claim("a", "", "SELECT count(*) FROM read_text('/etc/passwd')", 1), "disabled"),
        (Claim("a", "", "SELECT count(*) FROM 'rollouts.jsonl'", 1), "fails"),
        (Claim("a", "", "COPY (SELECT 1) TO 'stolen.csv'", 1), "not allowed"),
        (Claim("a", "", "", 1), "0 statements"),
    ],
)
def test_false_and_hostile_claims_say_why_they_do_not_hold(run: Run, claim: Claim, why: str | None) -> None:
    found = recompute(run, claim)
    assert found.ok == (why is None)
    if why is not None:
        assert why in (found.difference or "") + (found.error or "")


def test_a_query_without_end_is_cut_off(run: Run) -> None:
    with Claims(run, seconds=0.3) as claims:
        endless = "SELECT count(*) FROM range(1000000000) AS a, range(1000000000) AS b WHERE a.range + b.range = 7"
        with pytest.raises(CannotCompute, match=r"(?i)interrupt"):
            claims.value(endless)
        assert claims.add("too much", endless) is None
        assert not claims.claims
        assert claims.add("and on", "SELECT 1") == 1


def test_claims_never_change_the_run(run: Run) -> None:
    before = {path: path.read_bytes() for path in sorted(Path(run.directory).iterdir()) if path.is_file()}
    list(
        recompute_all(
            run, [Claim("a", "", sql, 1) for sql in ("DELETE FROM rollouts", "INSERT INTO tasks VALUES (1)", "ATTACH 'x.db'")]
        )
    )
    assert {path: path.read_bytes() for path in sorted(Path(run.directory).iterdir()) if path.is_file()} == before
    assert as_json(Claim("a", "", "SELECT 1", 1))["value"] == 1


class NeverAsked:
    def table_paths(self) -> dict[str, Path]:
        raise AssertionError("a table is opened although nobody asks a question")


def test_tables_are_held_for_the_first_question_only() -> None:
    with Claims(NeverAsked()) as claims:
        assert claims.as_json() == []


def test_claims_over_tables_that_are_held_come_out_again_over_the_files(run: Run, tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("hidden")
    with Claims(run.held) as claims:
        for query, estimator in QUERIES:
            claims.add("", query, estimator)
        assert claims.add("", f"SELECT content FROM read_text('{tmp_path}/secret.txt')") is None
        made = claims.as_json()
    assert all(one.ok for one in recompute_all(run, map(from_json, made)))
    assert len(made) == len(QUERIES)
