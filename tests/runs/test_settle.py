import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from blade.runs.settle import CONFLICTING, DUPLICATE, ERRORED, SCORED, Claim, Settlement, constant_parts, differing_parts, settle

NAMES = ["a", "b", "c"]
Content = tuple[str, int | None, bool, str, int]

contents = st.tuples(
    st.sampled_from(["t", "u"]),
    st.none() | st.integers(0, 3),
    st.booleans(),
    st.sampled_from(["{}", '{"gold":"1"}', '{"gold":"2"}', '{"gold":"1","user":"x"}']),
    st.integers(0, 1),
)
runs = st.lists(st.tuples(st.integers(0, 2), contents), max_size=12)


def claims_of(run: list[tuple[int, Content]]) -> list[Claim]:
    """Rows in the order of the files; what a row holds decides what it claims."""
    ordered = sorted(run, key=lambda entry: entry[0])
    return [
        Claim(number, file, task, repeat, scored, definition, False, (body,))
        for number, (file, (task, repeat, scored, definition, body)) in enumerate(ordered)
    ]


def content(claim: Claim) -> tuple[Any, ...]:
    return (claim.task, claim.repeat, claim.scored, claim.definition, claim.glance)


def settled(claims: list[Claim], planned: list[tuple[int, str, int]] | None = None) -> Settlement:
    return settle(claims, lambda a, b: content(a) == content(b), names=NAMES, planned=planned or [])


def in_order(outcome: Settlement) -> list[tuple[str, int, str]]:
    return [(entry.task, entry.repeat, entry.state) for entry in sorted(outcome.rows, key=lambda entry: entry.row)]


def of(*rows: tuple[int, str, int | None, int], scored: bool = True) -> list[Claim]:
    """Scored claims given as (file, task, repeat, body)."""
    return claims_of([(file, (task, repeat, scored, "{}", body)) for file, task, repeat, body in rows])


@settings(max_examples=150)
@given(run=runs)
def test_every_row_ends_in_one_class_that_its_like_explain(run: list[tuple[int, Content]]) -> None:
    claims = claims_of(run)
    outcome = settled(claims)
    assert sorted(entry.row for entry in outcome.rows) == list(range(len(claims)))
    found = {entry.row: entry for entry in outcome.rows}
    counted = [(entry.task, entry.repeat) for entry in outcome.rows if entry.state == SCORED]
    assert len(counted) == len(set(counted))
    for claim in claims:
        entry = found[claim.row]
        twins = [
            other for other in claims[: claim.row] if content(other) == content(claim) and found[other.row].task == entry.task
        ]
        assert (entry.state == DUPLICATE) == bool(twins)
        if twins:
            assert (found[twins[0].row].task, found[twins[0].row].repeat) == (entry.task, entry.repeat)
        elif not claim.scored:
            assert entry.state == ERRORED
        else:
            assert entry.state in (SCORED, CONFLICTING)
        if entry.state == CONFLICTING:
            winner = next(other for other in claims if found[other.row].state == SCORED and found[other.row].task == entry.task
                          and found[other.row].repeat == entry.repeat)  # fmt: skip
            assert winner.row < claim.row
            assert (winner.file, winner.task, winner.repeat) == (claim.file, claim.task, claim.repeat)


@settings(max_examples=100)
@given(run=runs)
def test_claims_of_different_files_never_share_a_settled_key(run: list[tuple[int, Content]]) -> None:
    claims = claims_of(run)
    outcome = settled(claims)
    owner: dict[tuple[str, int], tuple[Any, ...]] = {}
    for claim, entry in zip(claims, sorted(outcome.rows, key=lambda entry: entry.row), strict=True):
        if entry.state != DUPLICATE:
            who = (claim.file, claim.task, claim.repeat if claim.repeat is not None else ("unnumbered", claim.row))
            assert owner.setdefault((entry.task, entry.repeat), who) == who


@settings(max_examples=60)
@given(run=runs)
def test_the_first_file_of_a_task_keeps_its_numbers(run: list[tuple[int, Content]]) -> None:
    claims = claims_of(run)
    found = {entry.row: entry for entry in settled(claims).rows}
    for claim in claims:
        first = min(other.file for other in claims if other.task == claim.task)
        if claim.file == first and claim.repeat is not None:
            assert (found[claim.row].task, found[claim.row].repeat) == (claim.task, claim.repeat)


@settings(max_examples=60)
@given(run=runs, seed=st.integers(0, 5))
def test_the_order_in_which_claims_are_handed_over_does_not_matter(run: list[tuple[int, Content]], seed: int) -> None:
    claims = claims_of(run)
    shuffled = random.Random(seed).sample(claims, len(claims))
    one, other = settled(claims), settled(shuffled)
    assert in_order(one) == in_order(other)
    assert one.keys == other.keys
    assert one.collisions == other.collisions
    assert one.renumbered == other.renumbered


@settings(max_examples=60)
@given(run=runs)
def test_ids_that_collide_are_kept_under_ids_that_rows_bear(run: list[tuple[int, Content]]) -> None:
    claims = claims_of(run)
    outcome = settled(claims)
    for task, kept in outcome.collisions.items():
        assert len(kept) == len(set(kept)) > 1
        rows = {claim.row for claim in claims if claim.task == task}
        assert {entry.task for entry in outcome.rows if entry.row in rows} == set(kept)
        assert outcome.differing[task] == ["gold"]
    plain = {claim.task for claim in claims} - outcome.collisions.keys()
    assert plain <= {entry.task for entry in outcome.rows}


@settings(max_examples=60)
@given(
    run=runs,
    planned=st.lists(st.tuples(st.integers(0, 2), st.sampled_from(["t", "u", "v"]), st.integers(0, 4)), max_size=8, unique=True),
)
def test_every_planned_key_has_a_place_that_no_other_key_of_its_file_has(
    run: list[tuple[int, Content]], planned: list[tuple[int, str, int]]
) -> None:
    outcome = settled(claims_of(run), sorted(planned))
    assert set(planned) <= outcome.keys.keys()
    for file in range(3):
        places = [outcome.keys[key] for key in planned if key[0] == file]
        assert len(places) == len(set(places))


CASES = [
    ("two repeats", of((0, "t", 0, 0), (0, "t", 1, 0)), [("t", 0, SCORED), ("t", 1, SCORED)]),
    ("the same row again", of((0, "t", 0, 0), (0, "t", 0, 0)), [("t", 0, SCORED), ("t", 0, DUPLICATE)]),
    ("another row under the key", of((0, "t", 0, 0), (0, "t", 0, 1)), [("t", 0, SCORED), ("t", 0, CONFLICTING)]),
    ("a copy of the conflicting row", of((0, "t", 0, 0), (0, "t", 0, 1), (0, "t", 0, 1)),
     [("t", 0, SCORED), ("t", 0, CONFLICTING), ("t", 0, DUPLICATE)]),
    ("a further repeat from another file", of((0, "t", 0, 0), (1, "t", 0, 1)), [("t", 0, SCORED), ("t", 1, SCORED)]),
    ("a copied file", of((0, "t", 0, 0), (1, "t", 0, 0)), [("t", 0, SCORED), ("t", 0, DUPLICATE)]),
    ("sparse repeats are kept", of((0, "t", 7, 0), (0, "t", 3, 0)), [("t", 7, SCORED), ("t", 3, SCORED)]),
    ("a free number of another file is kept", of((0, "t", 0, 0), (1, "t", 5, 0)), [("t", 0, SCORED), ("t", 5, SCORED)]),
    ("renumbered beyond all that are taken", of((0, "t", 0, 0), (0, "t", 4, 0), (1, "t", 0, 1), (1, "t", 4, 1)),
     [("t", 0, SCORED), ("t", 4, SCORED), ("t", 5, SCORED), ("t", 6, SCORED)]),
    ("unnumbered rows follow", of((0, "t", None, 0), (0, "t", 2, 0), (0, "t", None, 1)), [("t", 3, SCORED), ("t", 2, SCORED), ("t", 4, SCORED)]),
    ("a conflict inside the second file", of((0, "t", 0, 0), (1, "t", 0, 1), (1, "t", 0, 2)),
     [("t", 0, SCORED), ("t", 1, SCORED), ("t", 1, CONFLICTING)]),
    ("three files", of((0, "t", 0, 0), (1, "t", 0, 1), (2, "t", 0, 2)), [("t", 0, SCORED), ("t", 1, SCORED), ("t", 2, SCORED)]),
]  # fmt: skip


@pytest.mark.parametrize(("claims", "expected"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_settled_by_hand(claims: list[Claim], expected: list[tuple[str, int, str]]) -> None:
    assert in_order(settled(claims)) == expected


def test_an_errored_row_does_not_take_the_place_of_a_score() -> None:
    claims = claims_of([(0, ("t", 0, False, "{}", 0)), (0, ("t", 0, True, "{}", 1)), (0, ("t", 0, False, "{}", 2))])
    assert in_order(settled(claims)) == [("t", 0, ERRORED), ("t", 0, SCORED), ("t", 0, ERRORED)]


def test_files_that_define_a_task_alike_share_the_id_they_are_kept_under() -> None:
    """Files b and c agree with each other and not with a: two ids, not three."""
    claims = claims_of(
        [(0, ("t", 0, True, '{"gold":"1"}', 0)), (1, ("t", 0, True, '{"gold":"2"}', 0)), (2, ("t", 0, True, '{"gold":"2"}', 1))]
    )
    outcome = settled(claims)
    assert in_order(outcome) == [("t", 0, SCORED), ("t@b", 0, SCORED), ("t@b", 1, SCORED)]
    assert outcome.collisions == {"t": ["t", "t@b"]}
    assert outcome.differing == {"t": ["gold"]}


def test_what_a_plan_says_of_a_copied_row_is_said_of_the_row_it_copies() -> None:
    outcome = settled(of((0, "t", 0, 0), (1, "t", 0, 0)), [(0, "t", 0), (1, "t", 0)])
    assert outcome.keys == {(0, "t", 0): ("t", 0), (1, "t", 0): ("t", 0)}


def test_missing_rollouts_of_a_second_file_are_further_repeats() -> None:
    outcome = settled(of((0, "t", 0, 0), (1, "t", 0, 1)), [(0, "t", 0), (0, "t", 1), (1, "t", 0), (1, "t", 1)])
    assert len(set(outcome.keys.values())) == 4


@pytest.mark.parametrize(
    ("definitions", "parts"),
    [
        ([], {}),
        (['{"a":"1"}'], {"a": "1"}),
        (['{"a":"1","b":"2"}', '{"b":"2","a":"1"}'], {"a": "1", "b": "2"}),
        (['{"a":"1","b":"2"}', '{"a":"1","b":"3"}'], {"a": "1"}),
        (['{"a":"1"}', "{}"], {"a": "1"}),  # a row that says nothing does not disagree
        (['{"a":"1"}', '{"b":"1"}'], {"a": "1", "b": "1"}),
    ],
)
def test_constant_parts(definitions: list[str], parts: dict[str, str]) -> None:
    assert constant_parts(definitions) == parts
    assert constant_parts(definitions[::-1]) == parts


@pytest.mark.parametrize(
    ("a", "b", "dialogue", "expected"),
    [
        ({"gold": "1"}, {"gold": "1"}, False, []),
        ({"gold": "1"}, {"gold": "2"}, False, ["gold"]),
        ({"gold": "1"}, {"tools": "2"}, False, []),
        ({}, {"gold": "1"}, False, []),
        ({"user": "1"}, {"user": "2"}, False, ["user"]),
        ({"user": "1", "gold": "g"}, {"user": "2", "gold": "g"}, False, ["user"]),
        ({"user": "1", "gold": "g"}, {"user": "2", "gold": "g"}, True, []),
        ({"user": "1"}, {"user": "2"}, True, ["user"]),
        ({"user": "1", "gold": "g"}, {"user": "2"}, True, ["user"]),
        ({"user": "1", "gold": "g"}, {"user": "2", "gold": "h"}, True, ["gold"]),
        ({"tools": "1", "gold": "g"}, {"tools": "2", "gold": "h"}, False, ["gold", "tools"]),
    ],
)
def test_differing_parts(a: dict[str, str], b: dict[str, str], dialogue: bool, expected: list[str]) -> None:
    assert differing_parts(a, b, dialogue=dialogue) == expected
    assert differing_parts(b, a, dialogue=dialogue) == expected


def test_a_row_that_says_nothing_of_its_task_goes_with_the_other_tasks_of_its_file() -> None:
    """Two runs of the same dialogues; in the second, task b failed before anything but a greeting was recorded."""
    whole = {"a": '{"task":"1","user":"x"}', "b": '{"task":"2","user":"y"}'}
    claims = [
        Claim(number, 0, task, 0, True, definition, dialogue=True) for number, (task, definition) in enumerate(whole.items())
    ]
    claims += [Claim(2, 1, "a", 0, True, whole["a"], dialogue=True), Claim(3, 1, "b", 0, True, '{"user":"stub"}')]
    for flipped in (False, True):
        given = [replace(claim, file=1 - claim.file) for claim in claims] if flipped else claims
        found = settle(given, lambda a, b: False, names=["first", "second"])
        assert found.collisions == {}
        assert {(entry.task, entry.repeat) for entry in found.rows} == {("a", 0), ("a", 1), ("b", 0), ("b", 1)}


def test_a_row_that_says_nothing_stays_apart_where_its_file_is_another_benchmark() -> None:
    claims = [Claim(0, 0, "a", 0, True, '{"task":"1"}'), Claim(1, 0, "b", 0, True, '{"task":"2"}')]
    claims += [Claim(2, 1, "a", 0, True, '{"task":"9"}'), Claim(3, 1, "b", 0, True, '{"user":"stub"}')]
    found = settle(claims, lambda a, b: False, names=["first", "second"])
    assert {entry.task for entry in found.rows} == {"a", "b", "a@second", "b@second"}
