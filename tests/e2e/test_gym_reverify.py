"""`gym eval reverify`: stored rollouts under another verifier, without a single request to the model."""

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.shelves import CONFIG, SCRIPT, Shelves, gym
from tests.e2e.support import blade
from tests.gym.endpoints import ScriptedEndpoint

WORDS = """
from pathlib import Path

from blade.gym.servers import JudgeFailed, ResourcesServer, ResourcesSettings


class WordsSettings(ResourcesSettings):
    strict: bool = False


class Words(ResourcesServer):
    Settings = WordsSettings
    reverify_mode = "stateless"

    def verify(self, state, row, response):
        text = response["output"][-1]["content"][0]["text"]
        if row.get("judge_file") and not Path(row["judge_file"]).exists():
            raise JudgeFailed("no verdict")
        wanted = row["wanted"] if self.settings.strict else row["wanted"].rstrip("!")
        return {"reward": float(wanted in text)}
"""


class Words(Shelves):
    """Single-turn tasks whose verifier looks for a word; in every other task only a strict one misses the exclamation mark."""

    def __init__(self, folder: Path, **more: Any) -> None:
        super().__init__(folder, tasks=1)
        place = folder / "resources_servers" / "words"
        (place / "configs").mkdir(parents=True)
        (place / "app.py").write_text(WORDS)
        (place / "configs" / "words.yaml").write_text(CONFIG.replace("shelf", "words"))
        rows = []
        for number in range(8):
            prompt = {"input": [{"role": "user", "content": f"say it {number}"}]}
            rows.append({"responses_create_params": prompt, "wanted": "done!" if number % 2 else "done", **more})
        self.input.write_text("".join(json.dumps(row) + "\n" for row in rows))

    def command(self, url: str, *more: str, repeats: int = 2) -> list[str]:
        return [
            word.replace("shelf", "words") if word == "shelf" else word for word in super().command(url, *more, repeats=repeats)
        ]

    def reverify(self, *more: str, name: str = "again") -> subprocess.CompletedProcess[str]:
        chosen = ("--resources-server", "words", "--search-dir", self.folder)
        files = ("--rollouts", self.output, "--output", self.output.with_name(f"{name}.jsonl"))
        return gym(self.folder, "eval", "reverify", *chosen, *files, *more)

    def graded(self, name: str = "again") -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.output.with_name(f"{name}.jsonl").read_text().splitlines()]


@pytest.fixture(scope="module")
def endpoint(home: Path) -> Iterator[ScriptedEndpoint]:
    started = ScriptedEndpoint(home / "endpoint", SCRIPT | {"rules": [{"reply": "done"}]})
    yield started
    started.stop()


@pytest.fixture(scope="module")
def evaluated(home: Path, endpoint: ScriptedEndpoint) -> Words:
    """A run that is done; tests take a copy of it."""
    evaluation = Words(home / "evaluation")
    assert evaluation.run(endpoint.url).returncode == 0
    return evaluation


@pytest.fixture
def words(evaluated: Words, tmp_path: Path) -> Words:
    return evaluated.copied(tmp_path / "evaluation")


STRICT = "++words.resources_servers.words.strict=true"


def test_the_same_verifier_says_the_same(words: Words, endpoint: ScriptedEndpoint) -> None:
    asked = len(endpoint.requests())
    done = words.reverify()
    assert done.returncode == 0, done.stderr
    assert len(endpoint.requests()) == asked
    before = {(row["_ng_task_index"], row["_ng_rollout_index"]): row for row in words.rows()}
    for row in words.graded():
        old = before[row["_ng_task_index"], row["_ng_rollout_index"]]
        verifier = json.loads(words.output.with_name("run_run.json").read_text())["verifier"]
        assert row["reverified"] == {"previous_reward": old["reward"], "previous_verifier": verifier, "verifier": verifier}
        assert (row["reward"], row["response"]) == (old["reward"], old["response"])
    assert len(words.graded()) == 16


def test_another_verifier_is_the_exact_part_of_a_comparison(words: Words) -> None:
    assert words.reverify(STRICT).returncode == 0
    found = blade("compare", words.output, words.output.with_name("again.jsonl"), "--json").json
    parts = {part["term"]: part["delta"] for part in found["waterfall"]}
    assert parts["verifier"] == pytest.approx(-0.5)
    assert parts.get("change", 0.0) == pytest.approx(0.0)
    assert [change["what"] for change in found["changed"]] == ["verifier"]


def test_a_verifier_that_may_need_more_is_refused_or_called_unsafe(tmp_path: Path, endpoint: ScriptedEndpoint) -> None:
    words = Words(tmp_path / "stateful")
    app = words.folder / "resources_servers" / "words" / "app.py"
    app.write_text(app.read_text().replace('    reverify_mode = "stateless"\n', ""))
    words.run(endpoint.url)
    refused = words.reverify()
    assert refused.returncode == 2
    assert "--force" in refused.stderr
    assert words.reverify("--force").returncode == 0
    assert not words.output.with_name("again.jsonl").exists()
    assert len(words.graded("unsafe_again")) == 16


def test_an_output_that_is_there_is_kept_unless_asked(words: Words) -> None:
    words.reverify("--limit", "3")
    assert len(words.graded()) == 3
    refused = words.reverify()
    assert refused.returncode == 2
    assert "--overwrite" in refused.stderr
    assert words.reverify("--resume").returncode == 0
    assert len(words.graded()) == 16
    assert words.reverify("--overwrite", "--limit", "2").returncode == 0
    assert len(words.graded()) == 2
    itself = words.reverify("--overwrite", name="run")
    assert itself.returncode == 2
    assert len(words.rows()) == 16


def test_only_what_no_judge_graded(tmp_path: Path, endpoint: ScriptedEndpoint) -> None:
    judge = tmp_path / "judge"
    words = Words(tmp_path / "judged", judge_file=str(judge))
    assert words.run(endpoint.url, "--max-attempts", "1").returncode == 1
    assert {row["_ng_failure_class"] for row in words.rows("_failures")} == {"judge_failed"}
    judge.touch()
    done = words.reverify("--judge-failed-only")
    assert done.returncode == 0, done.stderr
    assert sorted(row["reward"] for row in words.graded()) == [1.0] * 16
    appended = words.reverify("--judge-failed-only", "--append", name="run")
    assert appended.returncode == 0, appended.stderr
    assert len(words.rows()) == 16
    again = words.reverify("--judge-failed-only", "--append", name="run")
    assert again.returncode == 0
    assert len(words.rows()) == 16


def test_rollouts_of_another_run_are_refused(words: Words) -> None:
    lines = words.output.read_text().splitlines()
    stranger = json.loads(lines[0]) | {"_ng_task_index": 99, "_ng_rollout_index": 0}
    words.output.write_text("\n".join([*lines, json.dumps(stranger)]) + "\n")
    done = words.reverify()
    assert done.returncode == 2
    assert "99:0 has no materialized input" in done.stderr


def test_another_environments_verifier_is_refused(words: Words) -> None:
    files = ("--rollouts", words.output, "--output", words.output.with_name("other.jsonl"))
    done = gym(words.folder, "eval", "reverify", "--benchmark", "arithmetic", *files)
    assert done.returncode == 2
    assert "were graded by words, and this configuration grades with math_with_judge" in done.stderr
    assert not words.output.with_name("other.jsonl").exists()
    missing = words.reverify("--rollouts", str(words.folder / "nope.jsonl"))
    assert "nope.jsonl does not exist" in missing.stderr
