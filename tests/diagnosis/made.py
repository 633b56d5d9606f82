"""Task views made by hand: a few words for what the facts tables would say."""

from collections.abc import Sequence

from blade.diagnosis.findings import Finding
from blade.diagnosis.views import CallRow, RolloutView, SignalRow, TaskView


def signal(code: str, label: str = "BI", subject: str = "", step: int | None = 3, quote: str = "", detail: str = "") -> SignalRow:
    return SignalRow(code, label, subject, step, quote, detail)


def made_call(
    step: int, name: str, arguments: str = "{}", output: str | None = "ok", error: str | None = None, mutation: str = "read"
) -> CallRow:
    return CallRow(step, name, arguments, None if output is None else step + 1, output, error, mutation)


def repeat(
    number: int, passed: bool, *, task: str = "t", signals: Sequence[SignalRow] = (), calls: Sequence[CallRow] = ()
) -> RolloutView:
    return RolloutView(f"{task}:{number}", task, number, float(passed), passed, 10, signals, calls, (), (), ())


def task_view(*rollouts: RolloutView) -> TaskView:
    return TaskView(rollouts[0].task, rollouts)


def finding(code: str, label: str, rollout: str, subject: str = "", weight: float = 0.8, step: int | None = 3) -> Finding:
    return Finding(code, label, subject, rollout.rpartition(":")[0], rollout, step, f"{code} seen", "", weight)
