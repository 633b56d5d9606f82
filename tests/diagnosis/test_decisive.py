from typing import Any

import msgspec
import pytest

from blade.diagnosis.decisive import Candidate, decisive_agent, decisive_steps, decisive_window
from blade.diagnosis.decisive.cues import cues, off_task
from blade.diagnosis.decisive.turns import turns_of
from blade.signals.example import Example, call, says
from blade.signals.rollout import Rollout, read_rollout
from blade.signals.signal import Signal

CODE = "Let us look.\n```python\nprint(open('a.csv').read())\n```"
FAILED = "exitcode: 1 (execution failed)\nCode output: FileNotFoundError: a.csv"
WORKED = "exitcode: 0 (execution succeeded)\nCode output: 12"
STATES = (
    "The founders were Anna Berg and Carl Dahl, and the house was sold in 1987 for 4,250 crowns to the city of the north by them."
)
LONG = "We should look at the list first and then decide together which of the entries counts, because the order of the entries matters a lot here."


def named(agent: str, text: str) -> dict[str, Any]:
    return {**says(text), "name": agent}


def ran(text: str) -> dict[str, Any]:
    return {"type": "message", "role": "user", "name": "terminal", "content": text}


def talk(*items: dict[str, Any], opening: str | None = None, **fields: Any) -> Rollout:
    """A conversation of agents; `opening` stands in the prompt and bears the name of the planner."""
    asked: dict[str, Any] = {"type": "message", "role": "user", "content": opening or "Find it."}
    if opening is not None:
        asked["name"] = "Planner"
    return read_rollout(
        msgspec.json.encode({"responses_create_params": {"input": [asked]}, "response": {"output": list(items)}, **fields})
    )


def shown(rollout: Rollout) -> list[tuple[int, list[str]]]:
    turns = turns_of(rollout)
    return [(turn.step, sorted(found)) for turn, found in zip(turns, cues(turns, rollout.fields), strict=True)]


def test_turns_are_what_agents_did_and_the_machine_belongs_to_them() -> None:
    turns = turns_of(talk(named("A", CODE), ran(FAILED), named("B", "I see."), opening="Plan: read a.csv."))
    assert [(turn.step, turn.agent, turn.opening, turn.acts, turn.after_result) for turn in turns] == [
        (-1, "Planner", True, False, False),
        (0, "A", False, True, False),
        (2, "B", False, False, True),
    ]
    assert (turns[1].result_step, turns[1].error is not None) == (1, True)


def test_a_prompt_without_a_name_is_nobodys_turn() -> None:
    assert [turn.step for turn in turns_of(talk(named("A", LONG)))] == [0]


def test_a_call_is_a_turn_of_whoever_spoke_last() -> None:
    turns = turns_of(talk(named("A", "I will look it up."), *call("get_order", "Error: order not found", id="7")))
    assert [(turn.agent, turn.call, turn.result_step) for turn in turns] == [("A", False, None), ("A", True, 2)]


@pytest.mark.parametrize(
    ("items", "expected"),
    [
        ((named("A", LONG),), [(0, [])]),
        ((named("A", CODE), ran(WORKED)), [(0, ["acts"])]),
        (
            (named("A", CODE), ran(FAILED), named("B", CODE), ran(FAILED)),
            [(0, ["acts", "first_failed"]), (2, ["acts"])],
        ),
        ((named("A", STATES), named("B", STATES)), [(0, ["first_unsupported"]), (1, [])]),
        ((named("A", CODE), ran(WORKED), named("B", STATES)), [(0, ["acts"]), (2, [])]),
        ((named("A", f"Assuming a rate of ten percent. {LONG}"),), [(0, ["made_up"])]),
        ((named("A", f"Could you tell me the date? {LONG}"),), [(0, ["hands_on"])]),
        ((named("A", "TERMINATE"),), [(0, ["closes"])]),
        ((*call("cancel_order", "ok", id="7"),), [(0, ["acts", "changes"])]),
    ],
)
def test_cues_of_turns(items: tuple[dict[str, Any], ...], expected: list[tuple[int, list[str]]]) -> None:
    assert shown(talk(*items)) == expected


@pytest.mark.parametrize(
    ("opening", "fields", "found"),
    [
        (
            "Count the lighthouses built before the harbour wall.",
            {"question": "How many lighthouses were built before the harbour wall?"},
            False,
        ),
        ("Debug the script that fails.", {"question": "How many lighthouses were built before the harbour wall?"}, True),
        ("Debug the script that fails.", {}, False),
        ("Debug the script that fails.", {"question": 7}, False),
    ],
)
def test_an_opening_is_off_task_where_it_hardly_mentions_the_question(opening: str, fields: dict[str, Any], found: bool) -> None:
    assert (off_task(opening, fields) is not None) == found


def test_invented_values_outrank_talk_and_the_first_failure_is_named() -> None:
    ranked = decisive_steps(
        talk(
            named("A", LONG),
            named("B", f"Assuming a sample data set. {LONG}"),
            named("C", CODE),
            ran(FAILED),
            named("C", "TERMINATE"),
        ),
        [],
    )
    assert [(candidate.step, candidate.agent, candidate.code) for candidate in ranked[:2]] == [
        (2, "C", "acts"),
        (1, "B", "made_up"),
    ]
    assert ranked[-1].step == 4
    assert sum(candidate.score for candidate in ranked) == pytest.approx(1.0)


def test_a_signal_counts_at_its_turn_or_at_the_turn_whose_output_it_stands_in() -> None:
    rollout = read_rollout(Example((*call("get", "a", id=1), *call("get", "b", id=2), says(LONG))).text())
    for step in (2, 3):
        best = decisive_steps(rollout, [Signal("ungrounded_argument", step, "id=2")])[0]
        assert (best.step, best.code, best.why) == (2, "ungrounded_argument", "ungrounded_argument: id=2")
    assert decisive_steps(rollout, [Signal("ungrounded_argument", None, "id=2")])[0].step == 0


def test_equals_rank_by_step_and_nothing_is_claimed_for_them() -> None:
    ranked = decisive_steps(talk(named("A", LONG), named("A", LONG)), [])
    assert [(candidate.step, candidate.score, candidate.code) for candidate in ranked] == [(0, 0.5, "no_cue"), (1, 0.5, "no_cue")]


def test_no_turn_no_candidate() -> None:
    assert decisive_steps(talk(), []) == []
    assert decisive_agent([]) is None
    assert decisive_window([], 3) is None


def test_neither_reward_nor_expected_answer_moves_the_ranking() -> None:
    items = (named("A", STATES), named("B", CODE), ran(FAILED))
    plain = decisive_steps(talk(*items), [])
    assert decisive_steps(talk(*items, reward=1.0, ground_truth="Anna Berg", expected_answer="1987"), []) == plain


def test_what_is_shown_of_a_transcript_holds_no_escapes_and_no_secrets() -> None:
    secret = "sk-" + "a1B2c3D4e5F6g7H8i9J0" * 2
    best = decisive_steps(talk(named("A\x1b[31m", f"Assuming the key is \x1b[31m{secret}. {LONG}")), [])[0]
    assert "\x1b" not in best.why + best.agent
    assert secret not in best.why


CANDIDATES = [
    Candidate(0, 0.4, "made_up", "", "A"),
    Candidate(6, 0.3, "acts", "", "B"),
    Candidate(5, 0.2, "acts", "", "B"),
    Candidate(8, 0.1, "acts", "", "C"),
]


def test_the_agent_is_whose_steps_are_together_the_likeliest() -> None:
    assert decisive_agent(CANDIDATES) == "B"


@pytest.mark.parametrize(("reach", "step"), [(0, 0), (1, 5), (3, 3)])
def test_the_window_holds_the_most_chance(reach: int, step: int) -> None:
    """Within 1: 5 and 6 hold .5, step 0 .4. Within 3: step 3 reaches 0, 5 and 6, which hold .9."""
    assert decisive_window(CANDIDATES, reach) == step
