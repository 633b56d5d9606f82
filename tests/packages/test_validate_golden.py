"""Golden reports and what lies beside them, held against the rollouts."""

import json

import pytest

from tests.packages.conftest import ANCHOR, Made, write_anchors

BY_HAND = """# EvalPlus with model_a

## Executive summary
model_a solves the tasks in 80.2 % of its attempts (pass@1) over 24 tasks; 14 tasks always pass and 10 sometimes.

## Artifact inventory
One rollout file with 96 rollouts, and that of model_b for comparison.

## Aggregate results
| metric | value |
| --- | --- |
| pass@1 | 80.2 % |
| tasks | 24 |

## Workflow funnel
All 96 rollouts started, and 77 passed.

## Task outcome buckets
14 tasks always pass, 10 sometimes and 0 never.

## Dominant failure modes
In rollout 6:3 the tool said “old text not found” at step 7, and the agent stopped. Task 4 and task 8 waver.

## Sometimes-pass deep dives
Rollout 4:1 fails where other repeats of task 4 pass.

## Never-pass deep dives
No task fails in every repeat.

## Cross-model comparison
{cross}

## Recommendations
Have the agent try again after an error of `replace_in_file`.

## Reproducibility notes
The rollouts lie in the package; `blade diagnose` gives the figures again.
"""


@pytest.fixture
def short(package: Made) -> Made:
    """The package with a report written by hand, which is quicker to read."""
    package.report.write_text(BY_HAND.format(cross="model_b has a pass@1 of 76.0 %, model_a one of 80.2 %."), encoding="utf-8")
    return package


def test_what_init_made_passes(package: Made) -> None:
    assert package.wrong("golden") == []


def test_without_a_report(package: Made) -> None:
    package.report.unlink()
    (check,) = package.wrong("golden")
    assert check.message == "D3 golden report missing"


def test_without_a_metrics_sidecar(short: Made) -> None:
    short.metrics.unlink()
    (check,) = short.wrong("golden")
    assert check.message == "missing metrics sidecar"
    assert check.path == str(short.metrics)


def test_without_anchor_facts(short: Made) -> None:
    short.anchors.unlink()
    (check,) = short.wrong("golden")
    assert check.message == "missing anchor facts"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"pass_at_1": 0.802083', '"pass_at_1": 0.8121', "pass_at_1 = 0.8121, the rollouts give 0.802083"),
        ('"total_tasks": 24', '"total_tasks": 25', "total_tasks = 25, the rollouts give 24"),
        ('"total_rollouts": 96', '"total_rollouts": 97', "total_rollouts = 97, the rollouts give 96"),
        ('"pass_at_k": 1.0', '"pass_at_k": 0.95', "pass_at_k = 0.95"),
        ('"consistency": 0.583333', '"consistency": 0.6', "consistency = 0.6"),
        ('"sometimes": 10', '"sometimes": 11', "buckets.sometimes = 11"),
        ('"called write_file": 92', '"called write_file": 91', "funnel.called write_file = 91"),
    ],
)
def test_a_figure_that_the_rollouts_do_not_give(short: Made, old: str, new: str, said: str) -> None:
    short.put(short.metrics, old, new)
    (check,) = [check for check in short.wrong("golden") if check.id == "golden.metrics_recomputed"]
    assert said in check.message
    assert check.line is not None
    assert new in short.metrics.read_text(encoding="utf-8").splitlines()[check.line - 1]


def test_a_figure_beyond_all_range_is_wrong(short: Made) -> None:
    short.put(short.metrics, '"total_tasks": 24', f'"total_tasks": {"9" * 400}')
    assert "golden.metrics_recomputed" in {check.id for check in short.wrong("golden")}


@pytest.mark.parametrize("written", ["0.80", "0.802", "0.8020833333"])
def test_a_figure_may_be_rounded(short: Made, written: str) -> None:
    short.put(short.metrics, '"pass_at_1": 0.802083', f'"pass_at_1": {written}')
    assert short.wrong("golden") == []


def test_a_figure_that_nobody_knows_is_told_as_such(short: Made) -> None:
    short.put(short.metrics, '"k": 4', '"k": 4, "vibe": 0.9')
    found = short.validate("golden")
    assert all(check.ok for check in found)
    assert any("not checkable: vibe" in check.message for check in found)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[1]", "no JSON object"),
        ('{"pass_at_1": 1e99999999999999999999}', "not JSON"),
        ('{"model_name": ', "not JSON"),
        ('{"model_name": "model_a"}', "lacks benchmark, pass_at_1 or mean_reward"),
    ],
)
def test_a_sidecar_that_is_none(short: Made, text: str, said: str) -> None:
    short.metrics.write_text(text, encoding="utf-8")
    assert said in short.wrong("golden")[0].message


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("11 of 19 failed", "12 of 19 failed", "contradicts itself"),
        ("4:1 step 10", "44:1 step 10", "unknown rollout"),
        ("scores 4.2 points higher", "scores 6.2 points higher", "wrong number"),
    ],
)
def test_a_report_that_was_changed(package: Made, old: str, new: str, said: str) -> None:
    """In its own figures, in an id, and in what it says of the other run."""
    package.put(package.report, old, new)
    (check,) = package.wrong("golden")
    assert check.id == "golden.statements"
    assert said in check.message
    assert check.line is not None
    assert new in package.report.read_text(encoding="utf-8").splitlines()[check.line - 1]


def test_a_report_written_by_hand(short: Made) -> None:
    assert short.wrong("golden") == []


def test_what_is_true_of_the_other_run_only_is_false_elsewhere(package: Made) -> None:
    text = BY_HAND.format(cross="No comparison of the 2 runs was made here, so far.").replace(
        "| pass@1 | 80.2 % |", "| pass@1 | 76.0 % |"
    )
    package.report.write_text(text, encoding="utf-8")
    assert [check.id for check in package.wrong("golden")] == ["golden.statements"]


def test_a_report_of_tables_alone_cites_nothing(package: Made) -> None:
    lines = [
        line
        for line in BY_HAND.format(cross="None was made of these runs.").splitlines()
        if ":" not in line and "ask 4" not in line
    ]
    package.report.write_text("\n".join(lines), encoding="utf-8")
    assert "golden.evidence" in {check.id for check in package.wrong("golden")}


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            "Have the agent try again after an error of `replace_in_file`.",
            "Improve the agent a bit.",
            "says nothing under Recommendations",
        ),
        ("## Recommendations\nHave", "Have", "has no section Recommendations"),
        ("## Task outcome buckets\n", "", "has no section Task outcome buckets"),
    ],
)
def test_a_section_that_says_nothing_or_serves_for_two(short: Made, old: str, new: str, said: str) -> None:
    short.put(short.report, old, new)
    short.put(short.report, "## Workflow funnel", "## Workflow funnel, outcome buckets, recommendations")
    messages = [check.message for check in short.wrong("golden") if check.id == "golden.sections"]
    assert messages == [f"golden report {said}"]


def test_a_report_without_a_section(package: Made) -> None:
    package.report.write_text(
        BY_HAND.format(cross="Only the 2 runs of the package were compared.").replace("## Recommendations", "## Other"),
        encoding="utf-8",
    )
    (check,) = package.wrong("golden")
    assert check.message == "golden report has no section Recommendations"


@pytest.mark.parametrize(
    ("fact", "said"),
    [
        ("The model often fails when it does not test.", "not concrete"),
        ("Too short: 1", "less than 20 characters"),
        (ANCHOR.replace("6:3", "36:3"), "the run has no rollout 36:3"),
        ("Task 99 never passes in any of its 4 repeats.", "not in the data"),
        ("Rollout 6:3 fails with “segmentation fault in worker nine” at step 7.", "not in the data"),
    ],
)
def test_an_anchor_fact_that_says_nothing_or_nothing_true(short: Made, fact: str, said: str) -> None:
    write_anchors(short.anchors, ANCHOR, fact)
    (check,) = short.wrong("golden")
    assert "B2" in check.message
    assert said in check.message


def test_the_check_of_an_anchor_fact_is_run(short: Made) -> None:
    query = "SELECT count(*) FROM rollouts WHERE class = 'scored' AND task = '6' AND reward < 1"
    for value, wrong in ((1, []), (2, ["golden.anchors_true"])):
        write_anchors(short.anchors, ANCHOR, check=[{"says": "one repeat of task 6 fails", "query": query, "value": value}])
        assert [check.id for check in short.wrong("golden")] == wrong, value
    write_anchors(short.anchors, ANCHOR, check=[{"says": "a file", "query": "SELECT * FROM read_text('/etc/hosts')", "value": 1}])
    (check,) = short.wrong("golden")
    assert "its check cannot be run" in check.message


def test_an_anchor_fact_must_say_what_its_check_checks(short: Made) -> None:
    check = {"says": "task 6 shows it", "read": {"task": "6", "words": "old text not found"}}
    for more, wrong in (("", 0), (" The expected id is M-9999.", 1)):
        write_anchors(short.anchors, ANCHOR + more, check=[check])
        found = [one.message for one in short.wrong("golden")]
        assert len(found) == wrong
        assert all("M-9999 is neither in its checks nor confirmed by the run" in one for one in found)


def test_a_report_without_rollouts_of_its_model(package: Made) -> None:
    for path in package.root.glob("golden_reports/model_a*"):
        path.rename(path.with_name(path.name.replace("model_a", "model_c")))
    assert "no rollouts of model_c to hold its report against" in {check.message for check in package.wrong("golden")}


def test_json_has_the_keys_of_the_contract(short: Made) -> None:
    from blade.packages.check import as_json

    short.anchors.unlink()
    found = json.loads(json.dumps(as_json(short.validate("golden"))))
    assert found["failed"] == 1
    assert found["passed"] == len(found["checks"]) - 1
    assert all(set(check) >= {"id", "phase", "ok", "message", "path", "fix"} for check in found["checks"])
    assert {check["phase"] for check in found["checks"]} == {"golden"}
