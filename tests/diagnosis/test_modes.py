"""Failure modes: who votes for what, and the condition that counts the carriers."""

from blade.diagnosis.causes import cause
from blade.diagnosis.modes import Modes, any_mode, is_signature, signal_condition, votes
from blade.diagnosis.patterns.conduct import Lookup
from blade.diagnosis.patterns.lookups import decided_without
from tests.diagnosis.made import finding, repeat, task_view


def added(*tasks, skipped=None, signals=("lookup_skipped", "action_wrong_argument", "refusal")):
    modes = Modes(skipped or {}, frozenset(signals))
    for view, findings in tasks:
        modes.add(votes(view, cause(view, findings), findings))
    return modes


def one(task, findings_of):
    view = task_view(*(repeat(number, False, task=task) for number in range(2)))
    return view, {rollout.rollout: findings_of(rollout.rollout) for rollout in view.failing}


def test_one_mode_over_tasks_names_what_it_is_about():
    tasks = [one(task, lambda rollout: [finding("lookup_skipped", "BI", rollout, "get_user")]) for task in ("a", "b")]
    (mode,) = added(*tasks).modes()
    assert (mode.id, mode.label, mode.votes, mode.tasks) == ("lookup_skipped.get_user", "BI", 4, ("a", "b"))
    assert "get_user" in mode.title
    assert [example.task for example in mode.examples] == ["a", "b"]
    assert mode.reward_blind


def test_each_failing_rollout_votes_once_and_for_its_cause():
    view, findings = one(
        "a",
        lambda rollout: [
            finding("action_wrong_argument", "BI", rollout, "pay.card", weight=0.95),
            finding("lookup_skipped", "BI", rollout, "get_user", weight=0.8),
        ],
    )
    modes = added((view, findings)).modes()
    assert [(mode.code, mode.votes) for mode in modes] == [("lookup_skipped", 2)]


def test_a_reading_of_a_symptom_is_counted_as_the_symptom():
    view, findings = one("a", lambda rollout: [finding("same_wrong_argument", "KG", rollout, "book.bags")])
    (mode,) = added((view, findings)).modes()
    assert (mode.code, mode.label) == ("action_wrong_argument", "KG")
    assert mode.condition == signal_condition("action_wrong_argument", "book.bags")


def mixed_task(second):
    """A task whose cause is shaky knowledge, one of whose failing repeats has something else."""
    view = task_view(*(repeat(number, number > 2, task="a") for number in range(4)))
    shaky = {f"a:{number}": [finding("scattered_answers", "UK", f"a:{number}", "answer", weight=0.7)] for number in range(2)}
    return view, {**shaky, "a:2": [second], "a:3": []}


def test_a_cause_of_another_label_keeps_its_own():
    cut = finding("output_truncated", "BI", "a:2", weight=0.9)
    modes = added(mixed_task(cut), signals=("output_truncated",)).modes()
    assert {(mode.code, mode.label) for mode in modes} == {("scattered_answers", "UK"), ("output_truncated", "BI")}


def test_a_symptom_has_the_label_of_its_tasks_cause():
    symptom = finding("action_missing", "BI", "a:2", "pay", weight=0.6)
    modes = added(mixed_task(symptom), signals=("action_missing",)).modes()
    assert {(mode.code, mode.label) for mode in modes} == {("scattered_answers", "UK"), ("action_missing", "UK")}


def test_what_nothing_explains_is_in_no_mode():
    view, findings = one("a", lambda rollout: [finding("failed_call", "BI", rollout)] if rollout == "a:0" else [])
    modes = added((view, findings))
    assert modes.modes() == []


def test_conditions_quote_hostile_names():
    assert "subject = 'x'' OR 1=1 --'" in signal_condition("refusal", "x' OR 1=1 --")


def test_a_pattern_without_a_condition_lists_its_rollouts_and_is_not_reward_blind():
    view, findings = one("a'b", lambda rollout: [finding("same_wrong_answer", "KG", rollout, "answer")])
    (mode,) = added((view, findings)).modes()
    assert mode.condition == "r.rollout IN ('a''b:0', 'a''b:1')"
    assert not mode.reward_blind


def test_many_modes_make_one_short_condition():
    tasks = [one(f"t{n}", lambda rollout, n=n: [finding("refusal", "BI", rollout, f"tool_{n}")]) for n in range(1_200)]
    listed = one("x", lambda rollout: [finding("same_wrong_answer", "KG", rollout, "answer")])
    whole = one("y", lambda rollout: [finding("lookup_skipped", "BI", rollout)])
    modes = added(*tasks, listed, whole).modes()
    assert {mode.code for mode in modes if is_signature(mode)} == {"refusal"}
    condition = any_mode(modes)
    assert condition.count(" OR ") == 2  # signals by subject and by code in one place, then the list
    assert "('refusal', 'tool_1199')" in condition
    assert "code IN ('lookup_skipped')" in condition or "code = 'lookup_skipped'" in condition
    assert "'x:0', 'x:1'" in condition
    assert any_mode([]) == "false"


def test_the_calls_are_read_once_for_however_many_lookups():
    kinds = [Lookup(f"get_{n}", part) for n in range(40) for part in ("", ".id")]
    tasks = [one(f"t{n}", lambda rollout, n=n: [finding("skipped_lookup", "BI", rollout, str(kinds[n]))]) for n in range(80)]
    modes = added(*tasks, skipped={("skipped_lookup", str(kind)): kind for kind in kinds}).modes()
    assert {mode.condition for mode in modes} == {decided_without(kind) for kind in kinds}
    assert all(mode.reward_blind for mode in modes)
    assert any_mode(modes[:1]) == f"({modes[0].condition})"
    assert any_mode(modes).count("FROM calls") == any_mode(modes[:2]).count("FROM calls")


def test_where_the_cause_is_unknown_what_is_too_faint_for_one_stands_for_no_rollout():
    view, findings = one("a", lambda rollout: [finding("wrong_format", "BI", rollout, "<answer>", weight=0.08)])
    assert cause(view, findings).label == "unknown"
    assert not added((view, findings), signals=("wrong_format",)).modes()
