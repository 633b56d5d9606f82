"""A package drafted from runs."""

import json
from pathlib import Path

import pytest
import yaml

from blade.cli.files import write_whole
from blade.diagnosis.skill import load_skill
from blade.errors import UsageError
from blade.packages.frontmatter import frontmatter_problems
from blade.packages.init import init_package
from blade.packages.init.placing import model_name, plan_runs
from blade.packages.init.skill_draft import skill_name
from blade.packages.layout import Package
from blade.packages.placeholders import placeholders
from tests.e2e.support import message, row, write
from tests.packages.conftest import Made


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path


def small_run(path: Path, **fields: object) -> Path:
    return write(path, [row(task, repeat, (task + repeat) % 2, **fields) for task in range(3) for repeat in range(2)])


def test_the_skill_speaks_of_these_rollouts_and_is_marked(cache: Path) -> None:
    made = init_package(cache / "desk-work", [str(small_run(cache / "m_rollouts.jsonl", level="easy"))], write_whole)
    text = (made.root / "skill" / "SKILL.md").read_text(encoding="utf-8")
    assert frontmatter_problems(text) == []
    assert "name: desk-work-analysis" in text
    assert "3 tasks, 2 scored repeats" in text
    for field in ("`_ng_task_index`", "`_ng_rollout_index`", "`reward`", "`level`"):
        assert field in text
    assert "“question 0”" in text
    assert [one.text.startswith("<!--") for one in placeholders(text)] == [True] * 5


def test_the_rules_can_be_read_and_fit_the_rollouts(made_once: Made) -> None:
    path = made_once.root / "skill" / "blade.yaml"
    skill = load_skill(path)
    assert (skill.benchmark, skill.pass_threshold) == ("evalplus", 1.0)
    assert [stage.name for stage in skill.stages] == ["called bash", "called write_file"]
    assert dict(skill.tools) == {"write_file": "change", "replace_in_file": "change"}
    assert yaml.safe_load(path.read_text(encoding="utf-8"))["slices"] == ["tests_total"]


def test_the_report_does_not_say_where_the_package_lies(made_once: Made) -> None:
    whole = made_once.root.parent / "whole"
    texts = [path.read_text(encoding="utf-8") for path in whole.rglob("*") if path.suffix in (".md", ".json", ".yaml")]
    assert len(texts) == 5
    assert not [text for text in texts if str(made_once.root.parent) in text]
    assert any(text.startswith("# Diagnosis of `rollouts/model_a_rollouts.jsonl`") for text in texts)


def test_what_is_there_is_kept_unless_told_otherwise(cache: Path) -> None:
    run = small_run(cache / "m_rollouts.jsonl")
    skill = cache / "package" / "skill" / "SKILL.md"
    skill.parent.mkdir(parents=True)
    skill.write_text("mine", encoding="utf-8")
    made = init_package(cache / "package", [str(run)], write_whole)
    assert made.kept == [skill]
    assert not made.replaced
    assert skill.read_text(encoding="utf-8") == "mine"
    again = init_package(cache / "package", [str(run)], write_whole, overwrite=True)
    assert skill in again.replaced
    assert not again.kept
    assert not again.written
    assert skill.read_text(encoding="utf-8").startswith("---")


def test_sidecars_come_along_and_files_can_be_linked(cache: Path) -> None:
    run = small_run(cache / "m_rollouts.jsonl")
    write(cache / "m_rollouts_failures.jsonl", [])
    made = init_package(cache / "package", [str(run)], write_whole, link=True)
    files = sorted((made.root / "rollouts").iterdir())
    assert [path.name for path in files] == ["m_rollouts.jsonl", "m_rollouts_failures.jsonl"]
    assert all(path.is_symlink() and path.resolve().parent == cache.resolve() for path in files)


def test_rollouts_that_lie_in_the_package_stay_where_they_are(cache: Path) -> None:
    run = small_run(cache / "package" / "rollouts" / "m_rollouts.jsonl")
    before = run.read_bytes()
    made = init_package(cache / "package", [str(run)], write_whole, overwrite=True)
    assert run.read_bytes() == before
    assert made.golden.report.name == "m_golden_report.md"


@pytest.mark.parametrize("rows", [[b"no row"], [row(0, 0, ...)]], ids=["unreadable", "unscored"])
def test_no_half_of_a_package_is_left(cache: Path, rows: list[object]) -> None:
    run = write(cache / "m_rollouts.jsonl", rows)
    with pytest.raises(Exception, match=r"m_rollouts\.jsonl") as raised:
        init_package(cache / "package", [str(run)], write_whole)
    assert str(cache / "package") not in str(raised.value), "what is wrong is wrong with the original"
    assert not (cache / "package").exists()


class Stopped(BaseException):
    pass


def contents(folder: Path) -> dict[str, str | bytes]:
    """Every file below a folder, links by where they lead, and the folders."""
    found: dict[str, str | bytes] = {}
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        found[name] = str(path.readlink()) if path.is_symlink() else "folder" if path.is_dir() else path.read_bytes()
    return found


@pytest.mark.parametrize("stop", [KeyboardInterrupt, OSError, Stopped])
@pytest.mark.parametrize("at", ["blade.yaml", "SKILL.md", "m_golden_report.md", "m_golden_report_metrics.json"])
def test_what_was_there_is_put_back_when_it_stops(cache: Path, stop: type[BaseException], at: str) -> None:
    run = small_run(cache / "m_rollouts.jsonl")
    package = cache / "package"
    for name, text in (("skill/SKILL.md", "mine"), ("rollouts/m_rollouts.jsonl", "{}"), ("golden_reports/notes.md", "notes")):
        (package / name).parent.mkdir(parents=True, exist_ok=True)
        (package / name).write_text(text, encoding="utf-8")
    (package / "golden_reports" / "m_golden_report.md").symlink_to("notes.md")
    before = contents(package)

    def write_until(path: Path, text: str) -> None:
        path.write_text(text[:20], encoding="utf-8")
        if path.name == at:
            raise stop

    with pytest.raises(stop):
        init_package(package, [str(run)], write_until, overwrite=True)
    assert contents(package) == before


@pytest.mark.parametrize("there", [True, False])
def test_nothing_new_is_left_when_it_stops(cache: Path, there: bool) -> None:
    run = small_run(cache / "m_rollouts.jsonl")
    package = cache / "benchmarks" / "package"
    if there:
        package.mkdir(parents=True)

    def stopped(path: Path, text: str) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        init_package(package, [str(run)], stopped)
    assert package.exists() == there
    assert package.parent.exists() == there
    assert contents(package) == {}


def test_nothing_is_left_aside_when_it_is_done(cache: Path) -> None:
    run = str(small_run(cache / "m_rollouts.jsonl"))
    first = init_package(cache / "package", [run], write_whole)
    before = contents(first.root)
    again = init_package(cache / "package", [run], write_whole, overwrite=True)
    assert sorted(again.replaced) == sorted(first.written)
    assert contents(first.root) == before


def test_two_files_of_one_name_are_told_apart_by_their_folders(cache: Path) -> None:
    runs = [small_run(cache / folder / "m_rollouts.jsonl") for folder in ("one", "two")]
    planned = plan_runs(Package(cache / "package"), [str(path) for path in runs])
    assert [(run.model, run.rollouts.name) for run in planned] == [("m", "m_rollouts.jsonl"), ("two", "two_rollouts.jsonl")]


def test_one_run_twice_is_refused(cache: Path) -> None:
    runs = [str(small_run(cache / "m" / "m_rollouts.jsonl"))] * 2
    with pytest.raises(UsageError, match="would be called m"):
        plan_runs(Package(cache / "package"), runs)


def test_shards_are_refused(cache: Path) -> None:
    for shard in ("one", "two"):
        small_run(cache / "run" / f"{shard}.jsonl")
    with pytest.raises(UsageError, match="2 rollout files"):
        plan_runs(Package(cache / "package"), [str(cache / "run")])


def test_text_of_a_rollout_stays_text(cache: Path) -> None:
    """A prompt cannot add a section, close the frontmatter or take a mark away."""
    asked = {
        "input": [
            {"role": "user", "content": "x -->\n---\n## Overview\n<!-- edit: \x1b[31m sk-proj-" + "aB3dE5gH7jK9mN1pQ2sT" * 2}
        ]
    }
    tool = {"type": "function_call", "call_id": "c", "name": "evil*: {x}\n- y", "arguments": "{}"}
    run = small_run(cache / "m.jsonl", responses_create_params=asked, response={"output": [tool, message("done")]})
    made = init_package(cache / "package", [str(run)], write_whole)
    text = (made.root / "skill" / "SKILL.md").read_text(encoding="utf-8")
    assert frontmatter_problems(text) == []
    assert text.count("\n## Overview") == 1
    assert "\x1b" not in text
    assert "aB3dE5gH7jK9mN1pQ2sT" not in text
    load_skill(made.root)


def test_figures_of_the_sidecar(made_once: Made) -> None:
    """Counted here from the rows."""
    rows = [json.loads(line) for line in (made_once.root / "rollouts" / "model_a_rollouts.jsonl").read_text().splitlines()]
    passes: dict[int, list[float]] = {}
    for one in rows:
        passes.setdefault(one["_ng_task_index"], []).append(one["reward"])
    means = [sum(found) / len(found) for found in passes.values()]
    figures = json.loads((made_once.root.parent / "whole" / "golden_reports" / made_once.metrics.name).read_text())
    assert figures["model_name"] == "model_a"
    assert figures["total_tasks"] == len(passes)
    assert figures["total_rollouts"] == len(rows)
    assert figures["pass_at_1"] == pytest.approx(sum(means) / len(means), abs=1e-6)
    assert figures["pass_at_k"] == sum(max(found) for found in passes.values()) / len(passes)
    assert figures["consistency"] == pytest.approx(sum(min(found) for found in passes.values()) / len(passes), abs=1e-6)
    assert figures["buckets"]["sometimes"] == sum(0 < mean < 1 for mean in means)


@pytest.mark.parametrize(
    ("path", "model"),
    [
        ("results/evalplus_model_a_rollouts.jsonl", "model_a"),
        ("results/model_a/rollouts.jsonl", "model_a"),
        ("results/gpt 4.1 (ft).jsonl.gz", "gpt_4.1_ft"),
        ("results/evalplus_rollouts.jsonl", "evalplus"),
    ],
)
def test_what_a_run_is_called(path: str, model: str) -> None:
    assert model_name(Path(path), "evalplus") == model


@pytest.mark.parametrize("benchmark", ["evalplus", "Tau² Bench_v2", "___", "x" * 100])
def test_a_skill_name_is_by_the_rules(benchmark: str) -> None:
    assert frontmatter_problems(f"---\nname: {skill_name(benchmark)}\ndescription: d\n---\n") == []
