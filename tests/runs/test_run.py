"""A Run: counts that always sum, checked against the contract's text worked out by brute force; trajectories by their place."""

import gzip
import json
from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from blade.errors import UnreadableRun, UsageError
from blade.runs.run import Denominator, open_run

from .support import Line, classes, codes, encoded, opened, planned, row, states, write_jsonl

Key = tuple[int, int]
REWARDS: list[Any] = [0, 1, True, False, None, "1", float("nan")]


@dataclass(frozen=True)
class Case:
    """One rollout file, with or without a plan and failures."""

    lines: list[Line]
    plan: list[Key] | None
    failures: list[Key]

    def files(self) -> dict[str, list[Line]]:
        files: dict[str, list[Line]] = {
            "r.jsonl": self.lines,
            "r_failures.jsonl": [row(*key, 0, _ng_failure_class="x") for key in self.failures],
        }
        if self.plan is not None:
            files["r_materialized_inputs.jsonl"] = [planned(*key) for key in self.plan]
        return files


def rollout(task: int, repeat: int, reward: Any, body: int, marked: bool) -> dict[str, Any]:
    made = {"_ng_task_index": task, "_ng_rollout_index": repeat, "reward": reward, "response": {"output": [], "id": f"r{body}"}}
    return made | ({"reward_missing": True} if marked else {})


keys = st.tuples(st.integers(0, 4), st.integers(0, 2))
rows = st.builds(
    lambda key, reward, body, marked: rollout(*key, reward, body, marked),
    keys,
    st.sampled_from(REWARDS),
    st.integers(0, 1),
    st.sampled_from([False, False, False, True]),
)
cases = st.builds(
    Case,
    st.lists(st.one_of(rows, rows, rows, st.sampled_from(["", "{torn", "[]"])), max_size=40).map(
        lambda lines: [rollout(0, 0, 1, 0, False), *lines]
    ),
    st.none() | st.lists(keys, max_size=12, unique=True).map(lambda plan: sorted({(0, 0), *plan})),
    st.lists(keys, max_size=3),
)


def by_the_contract(case: Case) -> tuple[dict[str, Any], list[tuple[Key, str]]]:
    """The definitions of the contract, followed line by line."""
    found = Counter(lines=len(case.lines))
    seen: list[str] = []
    settled: list[tuple[Key, str]] = []
    scores: dict[Key, float] = {}
    for line in case.lines:
        if line == "":
            found["blank"] += 1
            continue
        if not isinstance(line, dict):
            found["malformed"] += 1
            continue
        found["rows"] += 1
        key = (line["_ng_task_index"], line["_ng_rollout_index"])
        reward = line["reward"]
        scored = isinstance(reward, bool | int) and "reward_missing" not in line
        value = json.dumps(line | {"reward": None if reward != reward else reward}, sort_keys=True)  # NaN is read as null
        if value in seen:
            settled.append((key, "duplicate"))
        elif scored and key in scores:
            settled.append((key, "conflicting"))
        elif case.plan is not None and key not in case.plan:
            settled.append((key, "unexpected"))
            if scored:
                scores[key] = float(reward)
        elif scored:
            settled.append((key, "scored"))
            scores[key] = float(reward)
        else:
            settled.append((key, "errored"))
        seen.append(value)
    attempted = [key for key, state in settled if state != "duplicate"] + case.failures
    expected = set(case.plan) if case.plan is not None else set(attempted)
    found["expected"] = len(expected)
    found["passed"] = sum(score == 1 for key, score in scores.items() if key in expected)
    found["failed"] = sum(score == 0 for key, score in scores.items() if key in expected)
    found["errored"] = sum(key not in scores and key in attempted for key in expected)
    found["missing"] = sum(key not in attempted for key in expected)
    found["attempts"] = sum(key in expected for key in attempted)
    for name in ("scored", "errored", "duplicate", "conflicting", "unexpected"):
        found["errored_rows" if name == "errored" else name] = sum(state == name for _, state in settled)
    numbers = {name: found[name] for name in Denominator.__dataclass_fields__ if name != "expected_source"}
    return numbers | {"expected_source": "observed" if case.plan is None else "inputs"}, settled


def assert_identities(found: Denominator) -> None:
    assert found.lines == found.rows + found.malformed + found.blank
    assert found.rows == found.scored + found.errored_rows + found.duplicate + found.conflicting + found.unexpected
    assert (
        found.expected
        == (found.scored if found.passed is None or found.failed is None else found.passed + found.failed)
        + found.errored
        + found.missing
    )
    assert found.passed is None or found.failed is None or found.passed + found.failed == found.scored


@settings(max_examples=20)
@given(case=cases)
def test_every_line_and_every_expected_rollout_goes_where_the_contract_says(case: Case) -> None:
    expected, settled = by_the_contract(case)
    with opened(case.files()) as run:
        assert_identities(run.denominator)
        found = asdict(run.denominator)
        if expected["scored"] == 0:
            expected |= {"passed": None, "failed": None}
        assert found == expected
        assert classes(run) == [(f"{task}:{repeat}", state) for (task, repeat), state in settled]


@settings(max_examples=10)
@given(
    files=st.dictionaries(
        st.sampled_from(["a.jsonl", "b.jsonl", "c.jsonl"]), st.lists(rows, min_size=1, max_size=12), min_size=1
    ),
    repeats=st.none() | st.integers(1, 4),
    threshold=st.none() | st.just(0.5),
)
def test_the_identities_hold_over_several_files(
    files: dict[str, list[Line]], repeats: int | None, threshold: float | None
) -> None:
    with opened(files, repeats=repeats, pass_threshold=threshold) as run:
        assert_identities(run.denominator)
        scored = [rollout for rollout, state in classes(run) if state == "scored"]
        assert len(scored) == len(set(scored))
        assert {rollout for rollout, state in states(run).items() if state == "scored"} == set(scored)
        assert run.denominator.rows == sum(map(len, files.values()))
        outcomes = run.outcomes
        assert sum(outcomes.scored) == run.denominator.scored
        assert sum(outcomes.expected) == run.denominator.expected


def test_two_shards_that_define_an_id_differently_keep_both_tasks_apart() -> None:
    files = {"a.jsonl": [row(0, 0, 1, expected_answer="4")], "b.jsonl": [row(0, 0, 0, expected_answer="5")]}
    with opened(files) as run:
        assert classes(run) == [("0:0", "scored"), ("0@b:0", "scored")]
        assert "id_collision" in codes(run)
        assert not run.meta["identity"]["renumbered"]


def test_colliding_ids_stay_apart_where_the_files_and_their_directories_bear_the_same_names() -> None:
    files = {f"{top}/run/rollouts.jsonl": [row(0, 0, 1, expected_answer=top)] for top in ("x", "y", "z")}
    with opened(files, spec="*/run/rollouts.jsonl") as run:
        assert len({rollout for rollout, _ in classes(run)}) == 3
        assert run.denominator.scored == 3


def test_rows_equal_in_value_but_not_in_bytes_are_duplicates() -> None:
    made = row(0, 0, 1, note="é")
    with opened(
        [json.dumps(made), json.dumps(dict(reversed(made.items())), ensure_ascii=False, indent=None, separators=(" , ", ": "))]
    ) as run:
        assert [state for _, state in classes(run)] == ["scored", "duplicate"]


def test_two_agents_on_the_same_tasks_are_two_experiments() -> None:
    with opened([row(0, 0, 1, agent_ref={"name": "a"}), row(0, 0, 0, agent_ref={"name": "b"})]) as run:
        assert classes(run) == [("0:0", "scored"), ("0@b:0", "scored")]
        assert "several_agents" in codes(run)


def test_scores_stand_in_where_no_row_has_a_reward() -> None:
    with opened([{"task_id": 1, "score": 1, "response": "x"}, {"task_id": 2, "score": 0, "response": "y"}]) as run:
        assert run.meta["reward_field"] == "score"
        assert (run.denominator.passed, run.denominator.failed) == (1, 1)
    with opened([{"task_id": 1, "score": 1, "reward": 0, "response": "x"}]) as run:
        assert (run.meta["reward_field"], run.denominator.passed) == ("reward", 0)
    with opened([{"task_id": 1, "score": "good", "response": "x"}]) as run:
        assert (run.meta["reward_field"], run.denominator.errored_rows) == ("reward", 1)


def test_places_lead_back_to_the_text_of_the_rows(tmp_path: Path) -> None:
    rows = [row("t", 1, 1, note="ü"), row("t", 0, 0), row("a:b", 0, 1), row("t", 0, 1)]
    write_jsonl(tmp_path / "r.jsonl", rows)
    with open_run(tmp_path, use_index=False) as run:
        assert [(place.rollout, place.state, place.line) for place in run.places("t")] == [
            ("t:0", "scored", 2),
            ("t:0", "conflicting", 4),
            ("t:1", "scored", 1),
        ]
        for place in run.places("t") + run.places("a:b"):
            assert run.text(place) == encoded(rows[place.line - 1])
        assert [place.rollout for place in run.find("t:1")] == ["t:1"]
        assert [place.rollout for place in run.find("a:b")] == ["a:b:0"]
        assert [place.rollout for place in run.find("a:b:0")] == ["a:b:0"]
        assert run.find("nobody") == run.find("t:9") == run.find("t:x") == []
        assert {name: place.line for name, place in run.scored(["a:b:0", "t:0", "t:9"]).items()} == {"t:0": 2, "a:b:0": 3}


def test_a_compressed_run_gives_the_same_tables_and_trajectories(tmp_path: Path) -> None:
    rows = [
        row(task, 0, task % 2, response={"output": [{"role": "assistant", "content": f"answer {task}"}]}) for task in range(50)
    ]
    plain = write_jsonl(tmp_path / "plain" / "r.jsonl", rows)
    packed = tmp_path / "packed" / "r.jsonl.gz"
    packed.parent.mkdir()
    packed.write_bytes(gzip.compress(plain.read_bytes()))
    query = 'SELECT rollout, class, reward, line, "offset", length FROM rollouts'
    with open_run(plain, use_index=False) as one, open_run(packed, index_dir=tmp_path / "cache") as other:
        assert one.query(query) == other.query(query)
        assert other.trajectory(other.find("7:0")[0]).output[0].text == "answer 7"


def test_a_bom_does_not_stand_in_the_way_of_the_first_trajectory(tmp_path: Path) -> None:
    (tmp_path / "r.jsonl").write_bytes(b"\xef\xbb\xbf" + encoded(row(0)) + b"\n")
    with open_run(tmp_path, use_index=False) as run:
        assert json.loads(run.text(run.find("0:0")[0])) == row(0)


def test_a_file_that_is_gone_is_said_to_be_gone(tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "r.jsonl", [row(0)])
    with open_run(path, use_index=False) as run:
        path.unlink()
        with pytest.raises(UnreadableRun, match="gone"):
            run.text(run.find("0:0")[0])


@pytest.mark.parametrize("content", [b"", b"\n\n", b"{torn", b"\0\0\0\n", b"[]\n[]\n"])
def test_a_run_without_a_readable_row_is_refused_with_its_problems(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "r.jsonl"
    path.write_bytes(content)
    with pytest.raises(UnreadableRun, match="no readable row") as caught:
        open_run(path, use_index=False)
    assert len(caught.value.problems) == sum(1 for line in content.split(b"\n") if line.strip())


def test_inputs_that_are_no_file_are_refused(tmp_path: Path) -> None:
    write_jsonl(tmp_path / "r.jsonl", [row(0)])
    with pytest.raises(UsageError, match="is not a file"):
        open_run(tmp_path, use_index=False, inputs=tmp_path / "absent.jsonl")


def test_a_changed_file_or_sidecar_is_read_again(tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "r.jsonl", [row(0, 0, 1)])

    def counts() -> tuple[int, int]:
        with open_run(path, index_dir=tmp_path / "cache") as run:
            return run.denominator.rows, run.denominator.expected

    assert counts() == (1, 1)
    write_jsonl(path, [row(0, 0, 1), row(1, 0, 1)])
    assert counts() == (2, 2)
    write_jsonl(tmp_path / "r_materialized_inputs.jsonl", [planned(task, 0) for task in range(5)])
    assert counts() == (2, 5)
    write_jsonl(tmp_path / "r_materialized_inputs.jsonl", [planned(task, 0) for task in range(3)])
    assert counts() == (2, 3)


def test_the_threshold_is_asked_of_the_same_tables(tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "r.jsonl", [row(0, 0, 0.2), row(1, 0, 0.6)])
    passed = []
    for threshold in (None, 0.5, 0.1):
        with open_run(path, index_dir=tmp_path / "cache", pass_threshold=threshold) as run:
            passed.append(run.denominator.passed)
    assert passed == [None, 1, 2]
    assert len(list((tmp_path / "cache" / "runs").iterdir())) == 1


def test_rows_that_do_not_count_are_listed_with_the_first_place() -> None:
    rows = [row(0, 0), row(0, 0), row(0, 0, reward=0), row(5, 0)]
    with opened({"r.jsonl": rows, "r_materialized_inputs.jsonl": [planned(0, 0)]}) as run:
        listed = {problem.code: problem.line for problem in run.problems}
        assert listed == {"duplicate_rows": 2, "conflicting_rows": 3, "unexpected_rows": 4}


def test_a_row_takes_its_agent_from_its_input_before_agents_are_kept_apart() -> None:
    one = {"a.jsonl": [row(0, 0)], "a_materialized_inputs.jsonl": [planned(0, 0) | {"agent_ref": {"name": "zeta"}}]}
    other = {"b.jsonl": [row(0, 0, agent_ref={"name": "alpha"})]}
    with opened(one | other) as run:
        assert run.denominator.missing == 0
        assert run.denominator.unexpected == 0
        assert {task for (task,) in run.query("SELECT task FROM tasks").rows} == {"0", "0@zeta"}


def test_large_whole_numbers_stay_apart_as_ids() -> None:
    numbers = [2**53, 2**53 + 1, 2**63 - 1, 2**63, 10**30, 10**30 + 1]
    with opened([row(number, 0) for number in numbers]) as run:
        assert {task for (task,) in run.query("SELECT task FROM tasks").rows} == {str(number) for number in numbers}


def test_a_scored_retry_comes_before_the_errored_attempt() -> None:
    with opened([row(0, 0, reward=None), row(0, 0, reward=1)]) as run:
        assert [place.state for place in run.find("0:0")] == ["scored", "errored"]


def test_secrets_in_fixed_columns_are_redacted() -> None:
    key = "sk-proj-" + "a1B2" * 10
    with opened([row(0, 0, agent_ref={"name": key}, _ng_failure_class=f"password={key}")]) as run:
        text = str(run.query("SELECT * FROM rollouts").rows) + str(run.problems)
        assert key not in text
        assert "redacted" in text


def test_who_holds_the_tables_is_closed_off_with_everybody_beside(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("hidden")
    with opened([row(0, 0), row(0, 1, reward=0)]) as run:
        beside = run.beside()
        held = run.held()
        beside.hold()
        run.hold()
        for db in (run.db, beside.db, held):
            assert db.execute("SELECT count(*) FROM rollouts").fetchall() == [(2,)]
            with pytest.raises(duckdb.PermissionException):
                db.execute(f"SELECT * FROM read_text('{secret}')")


def test_large_tables_stay_in_their_files_and_are_read_from_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("blade.runs.tables.SMALL_TABLE", 0)
    with opened([row(0, 0), row(1, 0, reward=0)]) as run:
        held = run.held()
        part = run.stretch("rollouts", ["1"])
        assert "read_parquet" in part
        assert held.execute(f"SELECT task FROM {part}").fetchall() == [("1",)]
        assert held.execute("SELECT count(*) FROM rollouts").fetchall() == [(2,)]
