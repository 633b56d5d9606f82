"""`--skill DIR`: what a benchmark says of itself changes what it should, and nothing else."""

import json
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from blade.claims.claim import from_json
from blade.claims.runner import recompute_all
from blade.diagnosis.diagnose import extractors
from blade.diagnosis.skill import load_skill
from blade.runs.run import open_run
from tests.e2e.contract import check_diagnosis
from tests.e2e.desk_runs import call, diagnosed
from tests.e2e.support import blade, message, row, write


def desk_row(task: int, repeat: int) -> dict[str, Any]:
    """Tasks 0 and 1 hold a saw; task 2 says in its field that the stock list is old. Names tell nothing of `desk_slip`."""
    looked = call("find_member", 1, json.dumps({"member": "M-1"}), query="Ada") if task != 4 else []
    slip = call("desk_slip", 2, json.dumps({"slip": 7}), item="saw" if task < 2 else f"drill {repeat}")
    output = [*looked, *slip, message("Your tool is booked.")]
    passed = task > 2 or (task == 2 and repeat == 0)
    return row(
        task,
        repeat,
        0.9 if passed else 0.2,
        response={"model": "m", "output": output},
        stock_date=20250101 if task == 2 and repeat else 20260301,
        member={"level": "gold" if task % 2 else "new"},
        verdict="fine" if passed else "bad",
    )


SKILL = """
    benchmark: lending desk
    pass: {threshold: 0.8}
    stages:
      - name: looked the member up
        when: {call: "find_*"}
      - name: held an item
        when: {call: "*", kind: change, error: false}
      - name: told the member
        when: {text: final, matches: "(?i)booked"}
    labels:
      - code: saw_held
        label: BI
        meaning: a saw was held, and saws are not lent
        when:
          all:
            - {call: desk_slip, arguments: {item: saw}}
            - {call: find_member, before: desk_slip}
        fix: Have desk_slip refuse {item} that is not lent
        family: harness
      - code: stock_stale
        label: TI
        meaning: the stock list is older than the tools
        when: {field: stock_date, lt: 20260101}
    slices: [member.level]
    tools: {desk_slip: change}
"""


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return write(tmp_path / "run.jsonl", [desk_row(task, repeat) for task in range(12) for repeat in range(3)])


def skill(folder: Path, text: str) -> Path:
    (folder / "skill").mkdir(exist_ok=True)
    (folder / "skill" / "blade.yaml").write_text(dedent(text).lstrip())
    return folder


def test_everything_it_says_is_used(run: Path, tmp_path: Path) -> None:
    plain = diagnosed(run)
    assert (plain["pass_rule"]["kind"], plain["modes"]) == ("none", [])
    assert {tool["name"]: tool["kind"] for tool in plain["tools"]}["desk_slip"] != "change"
    found = diagnosed(run, "--skill", skill(tmp_path, SKILL))
    assert (found["pass_rule"]["kind"], found["pass_rule"]["threshold"]) == ("threshold", 0.8)
    assert found["denominator"]["failed"] == 8
    [slip] = [tool for tool in found["tools"] if tool["name"] == "desk_slip"]
    assert slip["kind"] == "change"
    modes = {mode["code"]: mode for mode in found["modes"]}
    assert (modes["saw_held"]["label"], modes["saw_held"]["failed_rollouts"]) == ("BI", 6)
    assert (modes["stock_stale"]["label"], modes["stock_stale"]["failed_rollouts"]) == ("TI", 2)
    causes = {task["task"]: task["cause"]["label"] for task in found["tasks"] if task["cause"]}
    assert causes == {"0": "BI", "1": "BI", "2": "TI"}
    stages = [(stage["stage"], stage["count"]) for stage in found["funnel"]]
    named = [stage for stage in stages if stage[0] in ("looked the member up", "held an item", "told the member")]
    assert named == [("looked the member up", 33), ("held an item", 33), ("told the member", 33)]
    assert {(one["by"], one["value"]) for one in found["slices"]} >= {("member.level", "gold"), ("member.level", "new")}
    fixes = {one["title"]: one["family"] for one in found["interventions"]}
    assert fixes["Have desk_slip refuse {item} that is not lent"] == "harness"


def test_the_report_names_what_it_says(run: Path, tmp_path: Path) -> None:
    folder = skill(tmp_path, SKILL)
    result = blade("diagnose", run, "--skill", folder, "--out", tmp_path / "out")
    assert result.code == 0, result.err
    text = (tmp_path / "out" / "report.md").read_text()
    for said in ("looked the member up", "told the member", "stock stale", "member.level", "Have `desk_slip` refuse"):
        assert said in text
    again = blade("diagnose", run, "--skill", folder / "skill" / "blade.yaml", "--out", tmp_path / "again")
    assert again.code == 0
    assert (tmp_path / "again" / "report.md").read_bytes() == (tmp_path / "out" / "report.md").read_bytes()


def test_every_claim_computes_again(run: Path, tmp_path: Path) -> None:
    claims = diagnosed(run, "--skill", skill(tmp_path, SKILL))["claims"]
    with open_run(str(run), extractors=extractors(load_skill(tmp_path)), pass_threshold=0.8) as opened:
        again = list(recompute_all(opened, map(from_json, claims)))
    assert [(one.claim.id, one.difference, one.error) for one in again if not one.ok] == []


def test_every_query_runs_through_blade_sql(run: Path, tmp_path: Path) -> None:
    said = skill(tmp_path, SKILL)
    for claim in diagnosed(run, "--skill", said)["claims"]:
        assert blade("sql", run, claim["query"], "--json", "--skill", said).code == 0, claim["query"]


def test_a_pass_rule_over_fields(run: Path, tmp_path: Path) -> None:
    said = 'benchmark: x\npass: {when: {field: verdict, equals: "fine"}}\n'
    found = diagnosed(run, "--skill", skill(tmp_path, said))
    assert (found["denominator"]["passed"], found["denominator"]["failed"]) == (28, 8)
    over = diagnosed(run, "--skill", tmp_path, "--pass-threshold", 0.1)
    assert over["denominator"]["failed"] == 0


def test_a_field_that_no_row_has_is_told_among_the_limits(run: Path, tmp_path: Path) -> None:
    said = "benchmark: x\npass: {threshold: 0.8}\nslices: [categroy]\nstages:\n  - {name: a, when: {field: stok_date, exists: true}}\n"
    limits = " ".join(diagnosed(run, "--skill", skill(tmp_path, said))["limits"])
    assert "categroy" in limits
    assert "stok_date" in limits
    assert "did you mean 'stock_date'" in limits


def test_a_field_of_a_label_that_no_row_has_is_told_too(run: Path, tmp_path: Path) -> None:
    found = diagnosed(run, "--skill", skill(tmp_path, SKILL.replace("stock_date", "stok_date")))
    assert any("stok_date" in limit for limit in found["limits"])


def test_a_tool_that_no_row_has_is_warned_of_with_its_line(run: Path, tmp_path: Path) -> None:
    said = skill(tmp_path, SKILL.replace("{desk_slip: change}", "{desk_slipp: change}"))
    line = len(SKILL.strip().splitlines())
    place = f"{said / 'skill' / 'blade.yaml'}:{line}"
    for command in ("inspect", "health", "diagnose"):
        result = blade(command, run, "--skill", said, "--json")
        assert f"{place}: no row declares or calls a tool 'desk_slipp', did you mean 'desk_slip'?" in result.err
    assert any(limit.startswith(place) for limit in result.json["limits"])
    [problem] = [one for one in result.json["problems"] if one["code"] == "skill_unknown_tool"]
    assert (problem["line"], "desk_slipp" in problem["message"]) == (line, True)


@pytest.mark.parametrize("rule", ["{threshold: 0.8}", '{when: {field: verdict, equals: "fine"}}'])
def test_inspect_and_health_pass_by_the_same_rule(run: Path, tmp_path: Path, rule: str) -> None:
    said = skill(tmp_path, f"benchmark: x\npass: {rule}\n")
    whole = diagnosed(run, "--skill", said)
    seen = blade("inspect", run, "--skill", said, "--json").json
    for key in ("pass_rule", "denominator", "headline", "metrics"):
        assert seen[key] == whole[key]
    assert seen["denominator"]["failed"] == 8
    assert blade("health", run, "--skill", said, "--json").json == whole["health"]
    told = blade("inspect", run, "--skill", said).out
    assert ("reward ≥ 0.8" if "0.8" in rule else "the benchmark's own rule") in told
    assert blade("inspect", run, "--skill", said, "--pass-threshold", 0.1, "--json").json["denominator"]["failed"] == 0


def test_another_file_is_another_diagnosis(run: Path, tmp_path: Path) -> None:
    """The kept diagnosis of one skill is not given for another."""
    first = diagnosed(run, "--skill", skill(tmp_path, SKILL))
    second = diagnosed(run, "--skill", skill(tmp_path, SKILL.replace("label: TI", "label: DA")))
    causes = [{task["task"]: task["cause"]["label"] for task in found["tasks"] if task["cause"]} for found in (first, second)]
    assert (causes[0]["2"], causes[1]["2"]) == ("TI", "DA")
    assert check_diagnosis(diagnosed(run, "--skill", skill(tmp_path, SKILL))) == first


MISTAKES = {
    "benchmark: x\nstages:\n  - name: a\n    when: {text: finale}\n": [(4, "did you mean 'final'")],
    "benchmark: x\nlabels:\n  - code: refusal\n    label: BI\n    meaning: m\n    when: {call: x}\n": [(3, "built-in signal")],
    "benchmark: x\npass: {threshold: high}\ntools: 3\n": [(2, "pass.threshold"), (3, "tools")],
    "benchmark: x\ntools: {hold: write}\n": [(2, "tools")],
    "benchmark: x\na: &b [1]\nc: *b\n": [(2, "")],
    "benchmark: [\n": [(2, "")],
    "stages: []\n": [(1, "benchmark")],
}


@pytest.mark.parametrize("text", MISTAKES)
def test_mistakes_are_told_with_their_lines(run: Path, tmp_path: Path, text: str) -> None:
    result = blade("diagnose", run, "--skill", skill(tmp_path, text), "--json", "--out", tmp_path / "out")
    assert result.code == 2
    assert result.json["exit_code"] == 2
    for line, said in MISTAKES[text]:
        assert f"blade.yaml:{line}: " in result.err, result.err
        assert said in result.err
    assert not (tmp_path / "out").exists()


def test_a_folder_without_one_is_refused(run: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    result = blade("diagnose", run, "--skill", tmp_path / "empty")
    assert result.code == 2
    assert "blade.yaml" in result.err
    assert blade("diagnose", run, "--skill", tmp_path / "nowhere").code == 2
