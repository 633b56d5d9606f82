"""What the detectors say about real runs whose answers are known."""

import gzip

import pytest

from blade.runs.rows import BadRow
from blade.signals import installed, read_rollout, run_detector
from blade.signals.calls.matcher import INFRASTRUCTURE
from tests.shared_data import needs_shared_data, shared_data
from tests.signals.support import DETECTORS


def lines(path):
    data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    return [line for line in data.splitlines() if line.strip()]


def rollouts(path):
    for line in lines(path):
        try:
            yield read_rollout(line)
        except BadRow:
            continue


def by_key(run):
    path = shared_data() / f"{run}.jsonl.gz"
    return {(rollout.fields["_ng_task_index"], rollout.fields["_ng_rollout_index"]): rollout for rollout in rollouts(path)}


def rows_with(run, codes):
    return sum(any(run_detector(DETECTORS[code], rollout) for code in codes) for rollout in by_key(run).values())


@needs_shared_data
def test_connection_failures_are_found_where_they_are_and_nowhere_else():
    run = "taubench/retail__gemini-2.0-flash__tool-calling__1t_run{}"
    assert rows_with(run.format(1), ["connection_failed"]) == 35
    infrastructure = [*INFRASTRUCTURE, "rollout_error", "empty_completion", "judge_failed"]
    assert rows_with(run.format(1), infrastructure) == 35
    assert rows_with(run.format(3), infrastructure) == 0


# Read, each to its end: the assistant asks something that wants a yes, the user says yes and ###STOP### in one turn, and the call was never made.
YES_AND_STOP = {
    "taubench/retail__gpt-4.1__tool-calling__1t": {0, 2, 35, 77, 80, 93, 97, 100, 102, 103, 106},
    "taubench/retail__gpt-4.1-mini__tool-calling__1t": {2, 35, 85, 114},
    "taubench/retail__gemini-2.0-flash__tool-calling__1t_run1": {18, 35, 45},
    "taubench/retail__gemini-2.0-flash__tool-calling__1t_run3": {19, 42, 44, 74, 80, 91},
    "taubench/airline__gpt-4o__tool-calling__4t": set(),
    "tau2_sft_pair/telecom__gpt-4.1__base": set(),
}


@needs_shared_data
@pytest.mark.parametrize("run", YES_AND_STOP)
def test_users_who_say_yes_and_leave_in_one_turn(run):
    found = {task for (task, _), rollout in by_key(run).items() if run_detector(DETECTORS["left_with_yes"], rollout)}
    assert found == YES_AND_STOP[run]


@needs_shared_data
@pytest.mark.parametrize("run", ["taubench/retail__gpt-4.1__tool-calling__1t", "taubench/airline__gpt-4o__tool-calling__4t", "tau2/airline__claude-sonnet-4-5__llm_agent__1t", "gsm8k/6b_verification", "livecodebench/o1-mini"])  # fmt: skip
def test_clean_runs_show_no_infrastructure_and_no_data_fault(run):
    path = shared_data() / f"{run}.jsonl.gz"
    suspects = [detector for detector in installed().detectors if detector.label in ("IR", "DA", "TI")]
    found = [d.code for rollout in rollouts(path) for d in suspects for _ in run_detector(d, rollout)]
    untaken = ["program_not_taken"] * 2  # read: their fences are opened twice, and `code` is empty
    off = ["gold_off_record"]  # read: in one task a passenger is expected with a date of birth that no record has
    left = ["left_with_yes"] * len(YES_AND_STOP["taubench/retail__gpt-4.1__tool-calling__1t"])
    made_up = ["user_off_script"]  # read: 123 Main Street, where the user is to name its default address
    kept = [
        "user_withheld"
    ] * 3  # read: asked for the user id that begins its instructions, the user says that it does not have it
    known = {
        "livecodebench/o1-mini": untaken,
        "taubench/retail__gpt-4.1__tool-calling__1t": left + made_up,
        "taubench/airline__gpt-4o__tool-calling__4t": off * 4 + kept,
        "tau2/airline__claude-sonnet-4-5__llm_agent__1t": ["left_with_yes", *off],
    }
    assert sorted(found) == sorted(known.get(run, []))


@needs_shared_data
def test_a_guessed_card_is_ungrounded_and_a_derived_amount_is_not():
    airline = by_key("taubench/airline__gpt-4o__tool-calling__4t")
    found = {key: run_detector(DETECTORS["ungrounded_argument"], rollout) for key, rollout in airline.items()}
    guesses = {key: [(signal.step, signal.quote) for signal in signals] for key, signals in found.items() if signals}
    assert guesses[26, 0] == [(20, "payment_id=credit_card_7334")]
    assert guesses[26, 2] == [(26, "payment_id=credit_card_7334")]
    assert not {(26, 1), (26, 3), (37, 0), (37, 1), (37, 2), (37, 3)} & set(guesses)
    assert len(guesses) <= 6


@needs_shared_data
def test_no_detector_fails_on_any_shared_file():
    for path in sorted(shared_data().rglob("*.jsonl*")):
        if "raw" in path.parts or "reward_profiling" in path.name:
            continue
        for rollout in list(rollouts(path))[:60]:
            known = {item.step for item in (*rollout.prompt, *rollout.output)} | {None}
            for detector in installed().detectors:
                assert {signal.step for signal in run_detector(detector, rollout)} <= known, (path, detector.code)
