"""Whatever a row holds: no detector crashes, none points outside the trajectory, and none that is causal looks ahead."""

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from blade.runs.rows import RowDecoder
from blade.runs.scan import RowView
from blade.signals import installed, read_rollout, run_detector
from blade.signals.answer_rows import AnswersExtractor
from blade.signals.calls.matcher import find_errors
from blade.signals.expected import ExpectedExtractor, GivenExtractor
from blade.signals.wanted.checks import ChecksExtractor

TEXTS = st.one_of(
    st.text(max_size=30),
    st.sampled_from(
        [
            "Error: payment method not found",
            "503 Service Unavailable",
            "bash: jq: command not found",
            "I have cancelled your order.",
            "Could you confirm card_4711?",
            '{"error": "rate limit"}',
            "Traceback (most recent call last):\nKeyError: 1",
            "",
            "2024-05-22 costs 136 and 109",
        ]
    ),
)
SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(-(10**6), 10**6), st.floats(allow_nan=False, allow_infinity=False), TEXTS
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=5), inner, max_size=3)),
    max_leaves=6,
)
ARGUMENTS = st.one_of(
    VALUES,
    st.dictionaries(st.sampled_from(["id", "amount", "date", "email", "note"]), VALUES).map(
        lambda value: msgspec.json.encode(value).decode()
    ),
)
NAMES = st.sampled_from(["get_order", "cancel_order", "bash", "edit", "transfer_to_human_agents", "submit", ""])
ITEMS = st.one_of(
    st.fixed_dictionaries(
        {
            "type": st.just("message"),
            "role": st.sampled_from(["assistant", "user", "system"]),
            "content": st.one_of(TEXTS, VALUES),
        }
    ),
    st.fixed_dictionaries(
        {"type": st.just("function_call"), "name": NAMES, "call_id": st.sampled_from(["1", "2"]), "arguments": ARGUMENTS}
    ),
    st.fixed_dictionaries(
        {"type": st.just("function_call_output"), "call_id": st.sampled_from(["1", "2"]), "output": st.one_of(TEXTS, VALUES)}
    ),
    st.fixed_dictionaries({"type": st.just("reasoning"), "summary": VALUES}),
    VALUES,
)
FIELDS = st.dictionaries(
    st.sampled_from(
        [
            "error",
            "result",
            "expected_answer",
            "extracted_answer",
            "options",
            "_ng_failure_class",
            "judge_error",
            "verifier_error",
            "truncated",
            "ground_truth",
            "checks",
            "follow_instruction_list",
        ]
    ),
    VALUES,
)
EXPECTED = st.lists(
    st.fixed_dictionaries({"name": NAMES, "arguments": st.dictionaries(st.sampled_from(["id", "amount", "order_id"]), VALUES)}),
    max_size=3,
)
RESPONSES = st.fixed_dictionaries({}, optional={"usage": VALUES, "incomplete_details": VALUES, "error": VALUES, "status": VALUES})
ROWS = st.builds(
    lambda items, fields, prompt, tools, response, expected: {"responses_create_params": {"input": prompt, "tools": tools}, "response": {"output": items, **response}, **fields, "expected_calls": expected},
    st.lists(ITEMS, max_size=8),
    FIELDS,
    st.one_of(TEXTS, st.lists(ITEMS, max_size=2)),
    VALUES,
    RESPONSES,
    st.one_of(st.none(), EXPECTED),
)  # fmt: skip


@settings(max_examples=150)
@given(ROWS)
def test_no_detector_crashes_or_points_outside_the_trajectory(row):
    rollout = read_rollout(msgspec.json.encode(row))
    known = {item.step for item in (*rollout.prompt, *rollout.output)} | {None}
    for detector in installed().detectors:
        for signal in run_detector(detector, rollout):
            assert signal.step in known
            assert isinstance(signal.quote, str)
            assert isinstance(signal.detail, str)


@settings(max_examples=100)
@given(ROWS)
def test_every_table_takes_whatever_a_row_holds(row):
    text = msgspec.json.encode(row)
    view = RowView(RowDecoder().decode(text), text)
    for extractor in (ExpectedExtractor(), GivenExtractor(), AnswersExtractor(), ChecksExtractor()):
        for values in extractor.extract(view):
            assert len(values) == len(extractor.columns)


@settings(max_examples=100)
@given(ROWS, st.integers(0, 8))
def test_a_causal_detector_finds_in_the_beginning_what_it_finds_in_the_whole(row, step):
    rollout = read_rollout(msgspec.json.encode(row))
    beginning = rollout.until(step)
    for detector in installed().detectors:
        if detector.causal:
            whole = {(signal.step, signal.quote) for signal in run_detector(detector, rollout)}
            early = {(signal.step, signal.quote) for signal in run_detector(detector, beginning)}
            assert early <= whole, detector.code


@pytest.mark.parametrize(
    "unit", ["Error: x\n", "a: ", "I have ", "(", "{", "Aa.", "\n\n", " ", "E   ", "1 ", "error", "Traceback (most recent\n"]
)
def test_the_matcher_is_linear(unit):
    import time

    def seconds(length):
        text = (unit * length)[:length]
        started = time.process_time()
        find_errors(text)
        return time.process_time() - started

    seconds(1_000)
    assert seconds(100_000) < 1.0
