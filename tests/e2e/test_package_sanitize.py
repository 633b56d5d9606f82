"""`blade package sanitize` as a user calls it: files in, clean files out, the same scores."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.support import blade, blade_peak, blade_process
from tests.shared_data import needs_shared_data, shared_data

SECRET = "aB3dE5gH7jK9mN1pQ2sT4vW6xY8zA0cD"
EMAIL = "ann.lee@corp.example"


def row(task: int, repeat: int, **more: Any) -> dict[str, Any]:
    return {
        "_ng_task_index": task,
        "_ng_rollout_index": repeat,
        "reward": float((task + repeat) % 2),
        "responses_create_params": {"input": [{"role": "user", "content": f"Task {task}: write to {EMAIL}"}]},
        "response": {
            "output": [
                {
                    "type": "function_call",
                    "name": "send",
                    "call_id": "call_1",
                    "arguments": json.dumps({"to": EMAIL, "api_key": SECRET}),
                },
                {
                    "type": "function_call_output",
                    "call_id": "call_1",
                    "output": "sent from /home/annlee/work by db-1.corp.internal:5432",
                },
                {
                    "type": "message",
                    "role": "assistant",
                    "content": [{"type": "output_text", "text": f"annlee of Acme Labs did it ({repeat})."}],
                },
            ],
            "usage": {"input_tokens": 10, "output_tokens": 5, "total_tokens": 15},
        },
        "expected_answer": f"hidden {task}",
        "category": "mail",
    } | more


@pytest.fixture
def package(tmp_path: Path) -> Path:
    folder = tmp_path / "package"
    folder.mkdir()
    rows = [json.dumps(row(task, repeat)) for task in range(4) for repeat in range(2)]
    (folder / "run.jsonl").write_text("\n".join([*rows[:-1], f"broken {{ password={SECRET}", rows[-1]]) + "\n")
    (folder / "run_aggregate_metrics.json").write_text(json.dumps({"mean/reward": 0.5, "owner": EMAIL}, indent=2))
    (folder / "report.md").write_text(
        f"# Report\n\nTask 3 mailed {EMAIL}.\n\n-----BEGIN PRIVATE KEY-----\n{SECRET * 2}\n-----END PRIVATE KEY-----\n\nEnd.\n"
    )
    (folder / "blade.yaml").write_text("benchmark: mail\nshare: [category]\n")
    (folder / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0")
    return folder


@pytest.fixture
def key(tmp_path: Path) -> Path:
    path = tmp_path / "key"
    path.write_bytes(bytes(range(32)))
    return path


def texts(folder: Path) -> str:
    return "\n".join(path.read_text() for path in sorted(folder.rglob("*")) if path.is_file())


def test_a_package_is_cleaned_and_its_scores_stay(package: Path, key: Path, tmp_path: Path) -> None:
    out = tmp_path / "shared"
    result = blade(
        "package",
        "sanitize",
        package,
        "--out",
        out,
        "--key-file",
        key,
        "--private",
        "Acme Labs",
        "--report",
        tmp_path / "r.json",
        "--json",
    )
    assert result.code == 0, result.err
    shared = texts(out)
    for private in (SECRET, EMAIL, "annlee", "Acme Labs", "db-1.corp.internal"):
        assert private not in shared
        assert private not in result.out
    assert "hidden 3" in shared  # no blade.yaml was given
    assert not (out / "picture.png").exists()
    assert result.json["left_out"] == ["picture.png"]
    assert result.json["checked_rows"] == 9
    assert result.json["totals"]["credential"] >= 10
    assert json.loads((tmp_path / "r.json").read_text()) == result.json
    entry = next(one for one in result.json["findings"] if one["kind"] == "credential")
    assert entry["file"] == "run.jsonl"
    assert entry["line"] == 1
    assert entry["path"] == "$.response.output[0].arguments|json.api_key"
    before, after = (blade("inspect", folder / "run.jsonl", "--json", "--no-index").json for folder in (package, out))
    for name in ("denominator", "headline", "task_count", "repeats", "pass_rule"):
        assert after[name] == before[name]


def test_fields_that_are_not_cleared_are_withheld(package: Path, key: Path, tmp_path: Path) -> None:
    out = tmp_path / "shared"
    result = blade("package", "sanitize", package, "--out", out, "--skill", package, "--key-file", key, "--json")
    assert result.code == 0, result.err
    rows = [json.loads(line) for line in (out / "run.jsonl").read_text().splitlines() if line.startswith("{")]
    assert {one["category"] for one in rows} == {"mail"}
    assert all(one["expected_answer"].startswith("[withheld sha256:") for one in rows)
    assert len({one["expected_answer"] for one in rows}) == 4
    assert result.json["totals"]["withheld"] == 8


def test_the_same_key_gives_the_same_names_in_another_call(package: Path, key: Path, tmp_path: Path) -> None:
    for name, paths in (("one", [package / "run.jsonl"]), ("two", [package / "run.jsonl"])):
        assert blade("package", "sanitize", *paths, "--out", tmp_path / name, "--key-file", key).code == 0
    assert (tmp_path / "one/run.jsonl").read_bytes() == (tmp_path / "two/run.jsonl").read_bytes()
    assert blade("package", "sanitize", package / "run.jsonl", "--out", tmp_path / "three").code == 0
    assert (tmp_path / "three/run.jsonl").read_bytes() != (tmp_path / "one/run.jsonl").read_bytes()


def test_sanitizing_the_copy_again_changes_nothing(package: Path, key: Path, tmp_path: Path) -> None:
    assert blade("package", "sanitize", package, "--out", tmp_path / "one", "--key-file", key).code == 0
    again = blade("package", "sanitize", tmp_path / "one", "--out", tmp_path / "two", "--key-file", key, "--json")
    assert again.json["totals"] == {"credential": 0, "personal": 0, "endpoint": 0, "withheld": 0}
    assert texts(tmp_path / "one") == texts(tmp_path / "two")


def test_archives_stay_archives(package: Path, key: Path, tmp_path: Path) -> None:
    (tmp_path / "run.jsonl.gz").write_bytes(gzip.compress((package / "run.jsonl").read_bytes()))
    assert blade("package", "sanitize", tmp_path / "run.jsonl.gz", "--out", tmp_path / "out", "--key-file", key).code == 0
    assert blade("package", "sanitize", package / "run.jsonl", "--out", tmp_path / "out", "--key-file", key).code == 0
    assert gzip.decompress((tmp_path / "out/run.jsonl.gz").read_bytes()) == (tmp_path / "out/run.jsonl").read_bytes()


def test_a_name_of_a_file_is_cleaned_too(package: Path, tmp_path: Path) -> None:
    named = package / f"{EMAIL}_run.jsonl"
    (package / "run.jsonl").rename(named)
    assert blade("package", "sanitize", named, "--out", tmp_path / "out").code == 0
    (written,) = (tmp_path / "out").iterdir()
    assert written.name.startswith("redacted-email-")


def test_the_screen_shows_no_secret(package: Path, tmp_path: Path) -> None:
    result = blade_process("package", "sanitize", package, "--out", tmp_path / "out")
    assert result.code == 0
    assert "every reward, index and count is what it was" in result.out
    assert SECRET not in result.out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["{package}/nowhere", "--out", "{out}"], "does not exist"),
        (["{package}", "--out", "{package}"], "output folder itself"),
        (["{package}", "--out", "{out}", "--key-file", "{package}/nokey"], "cannot be read"),
        (["{package}", "--out", "{out}", "--key-file", "{package}/report.md"], "the key lies among the files"),
        (["{package}", "--out", "{package}/report.md"], "is a file"),
        (["{package}/run.jsonl", "{package}/copy/run.jsonl", "--out", "{out}"], "would both be written"),
        (["{package}", "--out", "{out}", "--private", "x"], "too short"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_sentence(package: Path, tmp_path: Path, arguments: list[str], says: str) -> None:
    (package / "copy").mkdir()
    (package / "copy/run.jsonl").write_text("{}\n")
    given = [argument.format(package=package, out=tmp_path / "out") for argument in arguments]
    result = blade("package", "sanitize", *given)
    assert result.code == 2
    assert says in result.err


def test_a_pass_rule_over_a_withheld_field_is_refused(package: Path, tmp_path: Path) -> None:
    (package / "blade.yaml").write_text("benchmark: mail\npass: {when: {field: verdict, equals: ok}}\nshare: [category]\n")
    result = blade("package", "sanitize", package, "--out", tmp_path / "out", "--skill", package)
    assert result.code == 2
    assert "add verdict to share" in result.err
    assert not (tmp_path / "out").exists()


def test_a_link_is_followed_only_to_what_was_given(package: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "notes.txt").write_text("nobody else's business\n")
    for name, target in {
        "file.txt": outside / "notes.txt",
        "folder": outside,
        "nowhere": outside / "gone",
        "inside.md": package / "report.md",
        "itself": package / "itself",
    }.items():
        (package / name).symlink_to(target)
    result = blade("package", "sanitize", package, "--out", tmp_path / "out", "--json")
    assert result.code == 0, result.err
    assert result.json["links_left_out"] == ["file.txt", "folder", "nowhere"]
    assert "business" not in texts(tmp_path / "out")
    assert (tmp_path / "out/inside.md").read_text().startswith("# Report")
    shown = blade("package", "sanitize", package, "--out", tmp_path / "again")
    assert "file.txt: a link that leads out of what was given" in shown.out
    both = blade("package", "sanitize", package, outside, "--out", tmp_path / "both", "--json")
    assert both.json["links_left_out"] == []
    assert (tmp_path / "both/file.txt").read_text() == "nobody else's business\n"
    alone = blade("package", "sanitize", package / "file.txt", "--out", tmp_path / "alone")
    assert alone.code == 0, alone.err


def test_copies_are_replaced_only_when_asked(package: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "report.md").write_text("mine\n")
    (out / "other.md").write_text("mine too\n")
    refused = blade("package", "sanitize", package, "--out", out)
    assert refused.code == 2
    assert "--overwrite" in refused.err
    assert sorted(path.name for path in out.iterdir()) == ["other.md", "report.md"]
    assert (out / "report.md").read_text() == "mine\n"
    replaced = blade("package", "sanitize", package, "--out", out, "--overwrite", "--json")
    assert replaced.code == 0, replaced.err
    assert replaced.json["stays"] == ["other.md"]
    assert (out / "report.md").read_text().startswith("# Report")
    assert (out / "other.md").read_text() == "mine too\n"


def test_the_report_replaces_no_input(package: Path, tmp_path: Path) -> None:
    before = (package / "run.jsonl").read_bytes()
    result = blade("package", "sanitize", package, "--out", tmp_path / "out", "--report", package / "run.jsonl")
    assert result.code == 2
    assert "would replace the input" in result.err
    assert (package / "run.jsonl").read_bytes() == before


def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    small, large = tmp_path / "small.jsonl", tmp_path / "large.jsonl"
    lines = [json.dumps(row(task, 0, padding="word " * 400)) + "\n" for task in range(200)]
    small.write_text("".join(lines))
    with large.open("w") as file:
        for _ in range(12):
            file.writelines(lines)
    peaks = [blade_peak("package", "sanitize", path, "--out", tmp_path / path.stem)[1] for path in (small, large)]
    assert peaks[1] < peaks[0] + 40


@needs_shared_data
def test_real_rows_keep_their_scores(tmp_path: Path) -> None:
    folder = shared_data()
    assert folder is not None
    for name in ("gym/blackjack", "gym/anyswe_agent", "gym/jailbreak_detection"):
        result = blade("package", "sanitize", folder / name, "--out", tmp_path / name, "--json")
        assert result.code == 0, result.err
        assert result.json["checked_rows"] > 0
