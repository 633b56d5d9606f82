"""Tasks made by hand: rows in the shape of the facts tables, put together into the views that patterns and contrasts take."""

import json

from blade.diagnosis.views import AnswerRow, CallRow, CheckRow, RolloutView, SignalRow, TaskView

CHANGES = ("book", "cancel", "update", "pay", "send", "submit")


def call(step, name, output="ok", *, error=None, mutation=None, **arguments):
    """A tool call with its answer at the next step; tools named like a change change something, the others read."""
    kind = mutation or ("change" if name.split("_")[0] in CHANGES else "read")
    return CallRow(step, name, json.dumps(arguments, sort_keys=True, separators=(",", ":")), step + 1, output, error, kind)


def signal(code, step=None, quote="", detail="", *, label="BI", subject=""):
    return SignalRow(code, label, subject, step, quote, detail)


def answer(expected=None, extracted=None, final=None, *, step=3):
    return AnswerRow("expected_answer" if expected is not None else None, expected, "extracted_answer", extracted, step, final)


def check(name, passed, *, field="tests", detail=""):
    return CheckRow(field, name, None if passed is None else float(passed), passed, detail)


def repeat(number, passed, *, task="7", calls=(), signals=(), answers=(), checks=(), expected=(), steps=12, reward=None):
    booked = float(passed) if reward is None else reward
    return RolloutView(f"{task}:{number}", task, number, booked, passed, steps, signals, calls, expected, answers, checks)


def task_of(*repeats):
    return TaskView(repeats[0].task, tuple(repeats))


def told(findings):
    """What matters of findings: code, rollout and step."""
    return [(finding.code, finding.rollout, finding.step) for finding in findings]
