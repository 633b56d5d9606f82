"""The summary fits one screen, whatever the run."""

import pytest

from blade.cli.diagnose import _print
from blade.reports.failures import class_line
from blade.reports.markdown import report
from blade.reports.summary import summary
from tests.reports.support import document
from tests.reports.test_markdown import CASES, many_tasks


@pytest.mark.parametrize("name", [*CASES, "many"])
def test_it_fits_forty_lines_of_a_hundred_columns(
    name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("blade.cli.terminal.WIDTH_WITHOUT_TERMINAL", 100)
    made = many_tasks() if name == "many" else CASES[name]()
    made["funnel"] = [{"stage": f"stage {n} " + "x" * 90, "count": 24 - n, "share": 1 - n / 24, "lost": 1} for n in range(20)]
    for item in made["interventions"]:
        item["title"] = "a long title " * 30
    made["health"] = {"verdict": "unhealthy", "checks": [{"code": "coverage", "status": "fail", "message": "m " * 300}] * 9}
    _print(made, [])
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) <= 40
    assert max(map(len, lines)) <= 100


def test_it_says_what_matters() -> None:
    found = summary(document(), width=100)
    assert found.verdict == "suspect"
    assert found.checks == (("warn", "coverage: 1 of 25 expected rollouts have no score (4.0 %)"),)
    assert found.numbers == (
        ("pass@1", "62.5 % [29.2 %, 87.1 %] 95 % · pass@4 83.3 % · pass^4 16.7 %"),
        ("failed", "9 of 24 scored rollouts; 1 of 25 expected have no score"),
        ("tasks", "1 always pass, 4 sometimes, 1 never"),
    )
    assert [(stage.name, stage.count, stage.lost) for stage in found.funnel][-1] == ("passed", 15, 6)
    first = found.modes[1]
    assert (first.label, first.failed, first.lift, first.gain) == ("BI", "2 of 9", "51.2 [12.1, 90.4]", "~7.2 [1.1, 13.2]")
    assert (
        found.interventions[0][0]
        == "resolve the payment card with get_member before any charge (harness, at most about 7.2 points"
    )
    assert found.notes == (
        ("luck", "1 of 15 passing rollouts: L26:0"),
        ("unexplained", "1 of 9 failed rollouts is in no mode"),
        ("read on", "the report: blade diagnose … --out DIR · one task: blade diagnose … --task L26"),
    )


def test_a_rate_keeps_what_it_is_a_share_of_on_a_narrow_screen() -> None:
    made = document()
    for name in ("pass_at_k", "pass_hat_k"):
        made["metrics"][name]["4"]["tasks"] = 5
    assert summary(made, width=100).numbers[0][1].endswith("95 % · pass@4 83.3 % · pass^4 16.7 % (of 5 tasks)")
    assert summary(made, width=80).numbers[:2] == (
        ("pass@1", "62.5 % [29.2 %, 87.1 %] 95 %"),
        ("pass@4", "83.3 % · pass^4 16.7 % (of 5 tasks)"),
    )


def test_it_says_where_the_prompts_alone_tell_the_tasks_apart() -> None:
    made = document()
    assert "prompt" not in summary(made).what
    made["identity"] |= {"task_field": None, "inferred": True}
    assert "tasks by the hash of the prompt, " in summary(made).what


def test_of_many_stages_it_keeps_the_ends_and_those_that_lose_most() -> None:
    lost = [0, 1, 9, 0, 2, 8, 3, 7, 0, 4]
    made = document(funnel=[{"stage": f"s{n}", "count": 50, "share": 1.0, "lost": value} for n, value in enumerate(lost)])
    assert [stage.name for stage in summary(made).funnel] == ["s0", "s2", "s5", "s6", "s7", "s9"]


def test_it_names_what_is_undecided_and_the_passes_outside_the_funnel() -> None:
    made = document()
    made["health"]["undecided"] = ["noise", "task_fit"]
    made["funnel"][1] |= {"passes_lost": 2, "outside": 0}
    made["funnel"][-1] |= {"outside": 2, "passes_lost": 0}
    found = summary(made)
    assert found.undecided == "2 checks undecided: noise, task fit"
    assert found.outside == "2 of 15 passes: 2 without “called a tool”"
    assert (summary(document()).undecided, summary(document()).outside) == ("", "")


def test_it_names_the_written_files() -> None:
    assert summary(document(), written=["out/report.md"]).notes[-1][1].startswith("out/report.md · one task:")


@pytest.mark.parametrize(
    ("message", "line"),
    [
        ("The attempt ended with timeout_exceeded.", "timeout_exceeded ×3 (2 rollouts)"),
        ("The attempt ended with timeout_exceeded after 600 s.", "timeout_exceeded ×3 (2 rollouts): The attempt ended with timeout_exceeded after 600 s."),
        ("", "timeout_exceeded ×3 (2 rollouts)"),
    ],
)  # fmt: skip
def test_a_failure_class_is_said_once(message: str, line: str) -> None:
    assert class_line({"class": "timeout_exceeded", "attempts": 3, "rollouts": 2, "message": message}) == line


def test_the_tasks_of_a_mode_are_named_as_far_as_the_document_knows_them() -> None:
    made = document()
    mode = made["modes"][0]
    mode |= {"tasks": 3, "tasks_listed": ["T1"], "code": "odd", "subject": "tool"}
    findings = [{"code": "odd", "subject": "tool", "label": "BI", "step": 1, "quote": "q", "detail": "", "weight": 1.0}]
    for number in (0, 1):
        made["tasks"][number]["repeats"][0]["findings"] = findings
    first, second = (made["tasks"][number]["task"] for number in (0, 1))
    assert f"Tasks: T1, {first} and {second}. In diagnosis.json" in report(made)
