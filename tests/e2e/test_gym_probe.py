"""`gym env validate --probe`: what the data needs and the endpoint lacks, found before a run and not hours into it."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.shelves import CONFIG, Shelves, gym
from tests.gym.endpoints import ScriptedEndpoint

CALL = {"when": {"contains": "report_number"}, "reply": {"calls": [{"name": "report_number", "arguments": {"number": 7}}]}}
CITY = {"when": {"contains": "population"}, "reply": '{"city": "Lyon", "population": 520000}'}
TOOLS = {"tools": [{"type": "function", "name": "shelf_add", "parameters": {"type": "object"}}]}
DATASET = """
      datasets:
      - {name: shelves, type: example, jsonl_fpath: in.jsonl}
"""


@pytest.fixture
def probed(tmp_path: Path) -> Iterator[Any]:
    started: list[ScriptedEndpoint] = []

    def probe(*rules: dict[str, Any], params: dict[str, Any]) -> tuple[int, dict[str, Any], str]:
        started.append(ScriptedEndpoint(tmp_path / f"endpoint{len(started)}", {"rules": [*rules, {"reply": "hello"}]}))
        shelves = Shelves(tmp_path / f"evaluation{len(started)}", tasks=2)
        rows = [json.loads(line) for line in shelves.input.read_text().splitlines()]
        for row in rows:
            row["responses_create_params"] |= params
        shelves.input.write_text("".join(json.dumps(row) + "\n" for row in rows))
        config = shelves.folder / "resources_servers" / "shelf" / "configs" / "shelf.yaml"
        config.write_text(CONFIG.replace("      max_steps: 6\n", "      max_steps: 6" + DATASET))
        words = ["env", "validate", "--resources-server", "shelf", "--search-dir", str(shelves.folder), "--probe"]
        words += ["--model-url", started[-1].url, "--model", "scripted", "--model-api-key", "none"]
        done = [gym(shelves.folder, *words, *more) for more in ([], ["--json"])]
        assert done[0].returncode == done[1].returncode
        return done[1].returncode, json.loads(done[1].stdout), done[0].stdout

    yield probe
    for endpoint in started:
        endpoint.stop()


def verdicts(document: dict[str, Any]) -> dict[str, tuple[str, bool]]:
    return {finding["capability"]: (finding["verdict"], finding["lacking"]) for finding in document["probe"]}


def test_an_endpoint_that_has_everything(probed: Any) -> None:
    code, document, text = probed(CALL, CITY, params=TOOLS)
    assert code == 0
    assert set(verdicts(document).values()) == {("supported", False)}
    assert "This configuration can run." in text


def test_what_is_needed_and_lacking_is_named(probed: Any) -> None:
    code, document, text = probed(CITY, params=TOOLS)
    assert code == 1
    assert verdicts(document)["tool call"] == ("not supported", True)
    assert "The data needs what the endpoint lacks: tool call." in text


def test_what_the_data_does_not_need_is_no_fault(probed: Any) -> None:
    code, document, _ = probed(params={})
    assert code == 0
    assert verdicts(document)["tool call"] == ("not supported", False)
    assert verdicts(document)["structured output"] == ("not supported", False)


def test_an_endpoint_that_refuses_says_why(probed: Any) -> None:
    refusal = {"reply": {"status": 400, "body": {"error": {"message": "tools are not enabled here"}}}}
    code, document, _ = probed(refusal, params=TOOLS)
    assert code == 1
    assert any("tools are not enabled here" in finding["sentence"] for finding in document["probe"])
