"""Faults of the data: shared prompts, contested rows, rewards that are none."""

import pytest

from blade.diagnosis.patterns import Context, learn, run_findings, task_findings
from blade.diagnosis.patterns.data import learn_contested, learn_shared_prompts
from blade.diagnosis.views import task_views
from blade.signals.answer_rows import AnswersExtractor
from blade.signals.expected import ExpectedExtractor
from blade.signals.extractor import CallsExtractor, SignalsExtractor
from tests.diagnosis.patterns.support import repeat, signal, task_of
from tests.runs.support import opened, row

EXTRACTORS = (SignalsExtractor(), CallsExtractor(), AnswersExtractor())


def asked(task, prompt, gold, reward=0.0, number=0, said="I think it is 5.", **fields):
    params = {"input": [{"role": "user", "content": prompt}]}
    output = [{"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": said}]}]
    return row(task, number, reward, responses_create_params=params, expected_answer=gold, response={"output": output}, **fields)


def questions(count):
    return [asked(task, f"What is {task} + 1?", str(task + 1), 1.0) for task in range(10, 10 + count)]


def test_one_prompt_with_two_golds():
    rows = [asked(0, "Which year?", "1912"), asked(1, "Which year?", "1913"), asked(2, "Which day?", "4"), *questions(6)]
    with opened(rows, extractors=EXTRACTORS) as run:
        shared = learn_shared_prompts(run)
        assert sorted(shared) == ["0", "1"]
        assert shared["0"].others == ("1",)
        assert shared["0"].conflict == "task 0 expects 1912, task 1 expects 1913"
        context = learn(run)
        found = [finding for view in task_views(run) for finding in task_findings(view, context) if finding.label == "DA"]
    assert [(finding.code, finding.rollout) for finding in found] == [
        ("same_prompt_other_gold", "0:0"),
        ("same_prompt_other_gold", "1:0"),
    ]
    assert min(finding.weight for finding in found) > 0.8


def test_equal_gold_in_another_form_is_no_conflict():
    rows = [asked(0, "How many?", "1000"), asked(1, "How many?", "1,000"), *questions(6)]
    with opened(rows, extractors=EXTRACTORS) as run:
        assert {task: shared.conflict for task, shared in learn_shared_prompts(run).items()} == {"0": "", "1": ""}


def test_a_prompt_that_most_tasks_share_is_a_frame():
    rows = [asked(task, "Transcribe the recording.", f"text {task}") for task in range(8)]
    with opened(rows, extractors=EXTRACTORS) as run:
        assert learn_shared_prompts(run) == {}


def test_dialogues_share_their_prompt():
    def talk(task, gold):
        made = asked(task, "Hello", gold)
        made["response"]["output"].append({"type": "message", "role": "user", "content": f"I want {task}"})
        return made

    with opened([talk(0, "a1"), talk(1, "b2"), *questions(6)], extractors=EXTRACTORS) as run:
        assert learn_shared_prompts(run) == {}


def errand(task, opening, actions, number=0):
    made = asked(task, opening, None, number=number) | {"ground_truth": actions}
    made["response"]["output"].append({"type": "message", "role": "user", "content": f"I want {task}"})
    return made


MOVE = {"name": "move_event", "arguments": {"id": "7", "start": "10:00"}}


@pytest.mark.parametrize(
    ("other", "conflict"),
    [
        (
            {"name": "move_event", "arguments": {"id": "7", "start": "11:00"}},
            "tasks 0 and 1 expect the same calls with another start",
        ),
        (MOVE, None),
        ({"name": "move_event", "arguments": {"id": "8", "start": "11:00"}}, None),  # nothing says that it is the same errand
        ({"name": "cancel_event", "arguments": {"id": "7"}}, None),
    ],
)
def test_one_opening_of_a_dialogue_with_other_expected_calls(other, conflict):
    talks = [errand(task, "Move my event.", [actions], number) for task, actions in ((0, MOVE), (1, other)) for number in (0, 1)]
    rows = [*talks, *questions(6)]
    with opened(rows, extractors=(*EXTRACTORS, ExpectedExtractor())) as run:
        shared = learn_shared_prompts(run)
        assert (shared["0"].conflict if shared else None) == conflict


@pytest.mark.parametrize(
    ("scenario", "state", "action", "conflict"),
    [
        ("You want your event moved.", None, {"name": "cancel_event", "kwargs": {"id": "7"}}, True),
        ("You want your event moved.", {"busy": True}, {"name": "cancel_event", "kwargs": {"id": "7"}}, False),
        ("You want your event moved.", None, {"name": "move_event", "kwargs": MOVE["arguments"]}, False),
        ("You want your event cancelled.", None, {"name": "cancel_event", "kwargs": {"id": "7"}}, False),
        ("You want your event moved.", {"question": "Which day?"}, {"name": "cancel_event", "kwargs": {"id": "7"}}, False),
    ],
)
def test_one_scenario_of_a_simulated_user_with_other_expected_calls(scenario, state, action, conflict):
    """One repeat each, and other opening words: what the user is told, in the same state of things, makes it the same errand."""

    def talk(task, told, wanted, initial=None):
        made = errand(task, f"Hello, {task} times.", None)
        del made["ground_truth"]
        return made | {"task": {"id": str(task), "instruction": told, "actions": [wanted], "initial_state": initial}}

    first = talk(0, "You want your event moved.", {"name": "move_event", "kwargs": MOVE["arguments"]})
    with opened([first, talk(1, scenario, action, state), *questions(6)], extractors=(*EXTRACTORS, ExpectedExtractor())) as run:
        assert set(learn_shared_prompts(run)) == ({"0", "1"} if conflict else set())


@pytest.mark.parametrize(
    ("person", "outputs", "conflict"), [("u7", "12.50", True), ("u8", "12.50", False), ("u7", "13.75", False)]
)
def test_one_opening_of_a_dialogue_that_only_asks(person, outputs, conflict):
    def question(task, user_id, wanted, number):
        made = errand(task, "How much do I owe?", None, number) | {"task": {"outputs": [wanted]}}
        call = {"type": "function_call", "call_id": "c", "name": "list_invoices", "arguments": f'{{"user_id": "{user_id}"}}'}
        made["response"]["output"] += [call, {"type": "function_call_output", "call_id": "c", "output": "[]"}]
        return made

    rows = [question(*of, number) for of in ((0, "u7", "13.75"), (1, person, outputs)) for number in (0, 1)]
    with opened([*rows, *questions(6)], extractors=(*EXTRACTORS, ExpectedExtractor())) as run:
        assert bool(learn_shared_prompts(run)) is conflict
    with opened([*rows[::2], *questions(6)], extractors=(*EXTRACTORS, ExpectedExtractor())) as run:
        assert learn_shared_prompts(run) == {}  # one repeat could have begun so by chance


@pytest.mark.parametrize("field", ["expected_files", "tests", "rubric"])
def test_gold_that_is_no_answer(field):
    rows = [
        asked(0, "Sort it.", None, **{field: [{"a": "1"}]}),
        asked(1, "Sort it.", None, **{field: [{"a": "2"}]}),
        *questions(6),
    ]
    with opened(rows, extractors=EXTRACTORS) as run:
        assert {task: bool(shared.conflict) for task, shared in learn_shared_prompts(run).items()} == {"0": True, "1": True}


def test_rows_that_contradict_each_other():
    rows = [
        asked(0, "Which?", "1", 0.0),
        asked(0, "Which?", "1", 1.0, said="It is 1."),
        asked(1, "What?", "2", 0.0),
        asked(1, "What?", "2", 0.0),
    ]
    rows = [made | {"response": made["response"] | {"id": f"r{place // 2}"}} for place, made in enumerate(rows)]
    with opened(rows, extractors=EXTRACTORS) as run:
        contested = learn_contested(run)
        assert contested["0:0"].rewards == (1.0,)
        assert contested["1:0"].copies == 1
        context = learn(run)
        found = {
            finding.rollout: finding
            for view in task_views(run)
            for finding in task_findings(view, context)
            if finding.label == "DA"
        }
    assert found["0:0"].code == "conflicting_rows"
    assert "another reward" in found["0:0"].detail
    assert found["1:0"].code == "duplicate_rows"
    assert found["1:0"].weight < 0.1


def test_rewards_that_are_no_numbers():
    rows = [asked(0, "a?", "1", 1.0), asked(1, "b?", "1", float("nan")), asked(2, "c?", "1", None), asked(3, "d?", "1", 0.0)]
    rows[1]["reward"] = "NaN"
    with opened(rows, extractors=EXTRACTORS) as run:
        assert [(finding.code, finding.rollout) for finding in run_findings(run)] == [
            ("invalid_reward", "1:0"),
            ("invalid_reward", "2:0"),
        ]


def test_signals_of_the_data_are_raised_where_a_rollout_failed():
    empty = signal("empty_prompt", -1, label="DA")
    view = task_of(repeat(0, False, signals=[empty]), repeat(1, True, signals=[empty]))
    assert [(finding.code, finding.rollout) for finding in task_findings(view, Context()) if finding.label == "DA"] == [
        ("empty_prompt", "7:0")
    ]


def test_without_a_pass_rule_nothing_is_found():
    assert (
        task_findings(task_of(repeat(0, False, signals=[signal("empty_prompt", -1, label="DA")])), Context(decides=False)) == []
    )


def test_one_prompt_with_other_expected_calls():
    def errands(second):
        wanted = [[{"name": "cancel_order", "arguments": {"order_id": order}}] for order in ("W-1", second)]
        rows = [
            row(task, 0, 0.0, expected_calls=calls, responses_create_params={"input": "Cancel it."})
            for task, calls in enumerate(wanted)
        ]
        rows += [row(task, 0, 1.0, responses_create_params={"input": f"Task {task}"}) for task in range(2, 8)]
        with opened(rows, extractors=(ExpectedExtractor(),)) as run:
            return {task: bool(shared.conflict) for task, shared in learn_shared_prompts(run).items()}

    assert errands("W-2") == {"0": True, "1": True}
    assert errands("W-1") == {"0": False, "1": False}
