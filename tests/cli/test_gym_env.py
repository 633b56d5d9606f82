"""`gym env validate` and `gym env resolve` as a user types them."""

import json
from pathlib import Path

import pytest
import yaml

from tests.cli.test_gym_list import gym
from tests.gym.config.trees import write, write_project

MODEL = ["--model-type", "tiny_model"]
POLICY = ["--model", "m", "--model-url", "http://127.0.0.1:1/v1", "--model-api-key", "sk-hidden-value-123"]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    write_project(tmp_path)
    return tmp_path


def test_a_valid_configuration(project: Path) -> None:
    done = gym(project, "env", "validate", "--resources-server", "sums", *MODEL, *POLICY)
    assert (done.returncode, done.stderr) == (0, "")
    assert "example (example, 3 rows): resources_servers/sums/data/example.jsonl" in " ".join(done.stdout.split())
    assert "agent             sums_simple_agent (simple_agent)" in done.stdout
    assert done.stdout.endswith("This configuration can run.\n")


def test_what_a_run_still_needs(project: Path) -> None:
    done = gym(project, "env", "validate", "--benchmark", "sums24", *MODEL, "--json")
    assert done.returncode == 0
    found = json.loads(done.stdout)
    assert found["valid"]
    assert [one["name"] for one in found["components"]] == ["sums", "sums24_agent", "policy_model"]
    assert found["datasets"][0] | {"agent": ""} == {
        "agent": "",
        "name": "sums24",
        "type": "benchmark",
        "path": "benchmarks/sums24/data/sums24_benchmark.jsonl",
        "rows": None,
        "exists": False,
        "num_repeats": 32,
        "prompt_config": None,
        "prepare_script": "benchmarks/sums24/prepare.py",
    }
    assert [line.partition(" ")[0] for line in found["needed_for_a_run"]] == [
        "policy_base_url",
        "policy_api_key",
        "policy_model_name",
    ]


def test_by_name(project: Path) -> None:
    found = json.loads(gym(project, "env", "validate", "sums24", "--json").stdout)
    assert (found["name"], found["kind"], found["valid"]) == ("sums24", "benchmark", True)
    unknown = gym(project, "env", "validate", "sums42")
    assert unknown.returncode == 2
    assert "did you mean sums24?" in unknown.stderr


def test_an_invalid_configuration_lists_everything(project: Path) -> None:
    write(
        project,
        {
            "bad.yaml": """\
                config_paths: [resources_servers/sums/configs/sums.yaml]
                a: {resources_servers: {nowhere: {domain: maths}}}
                b: {responses_api_agents: {simple_agnt: {resources_server: {type: resources_servers, name: sms}}}}
                url: ${judge_url}
                """
        },
    )
    done = gym(project, "env", "validate", "--config", "bad.yaml", "--json")
    assert done.returncode == 1
    said = [one["message"] for one in json.loads(done.stdout)["problems"]]
    assert len(said) == 4
    for words in ("maths is not a domain", "did you mean sums?", "judge_url has no value", "did you mean simple_agent?"):
        assert any(words in message for message in said), words
    text = gym(project, "env", "validate", "--config", "bad.yaml")
    assert text.returncode == 1
    assert text.stdout.endswith("4 problems.\n")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "no configuration is given"),
        (["--benchmark", "sums42"], "did you mean sums24?"),
        (["--config", "nope.yaml"], "there is no configuration nope.yaml"),
        (["--config", "torn.yaml"], "torn.yaml, line 2: not valid YAML"),
        (["--benchmrk", "x"], "--benchmark"),
        (["--benchmark", "sums24", "+a=[1"], "the value of a cannot be read"),
        (["sums24", "sums"], "one name at a time"),
    ],
)
def test_what_cannot_be_read(project: Path, arguments: list[str], words: str) -> None:
    write(project, {"torn.yaml": "a: [1\n"})
    done = gym(project, "env", "validate", *arguments)
    assert done.returncode == 2
    assert words in done.stderr


def test_resolve_prints_yaml_without_secrets(project: Path) -> None:
    write(project, {"env.yaml": "hf_token: hf_abcdefghijklmnop\ndb: postgres://u:pw@h/x\n"})
    done = gym(
        project, "env", "resolve", "--benchmark", "sums24", *MODEL, *POLICY, "+responses_create_params.max_output_tokens=64"
    )
    assert (done.returncode, done.stderr) == (0, "")
    found = yaml.safe_load(done.stdout)
    model = found["policy_model"]["responses_api_models"]["tiny_model"]
    assert model == {
        "entrypoint": "app.py",
        "openai_base_url": "http://127.0.0.1:1/v1",
        "openai_api_key": "****",
        "openai_model": "m",
    }
    assert (found["hf_token"], found["db"]) == ("****", "postgres://u:****@h/x")
    assert found["responses_create_params"]["max_output_tokens"] == 64
    assert "sums_simple_agent" not in found
    assert "hidden" not in done.stdout
    as_json = gym(
        project,
        "env",
        "resolve",
        "--benchmark",
        "sums24",
        *MODEL,
        *POLICY,
        "+responses_create_params.max_output_tokens=64",
        "--json",
    )
    assert json.loads(as_json.stdout) == found


def test_resolve_with_gaps(project: Path) -> None:
    done = gym(project, "env", "resolve", "--benchmark", "sums24", *MODEL)
    assert done.returncode == 1
    assert yaml.safe_load(done.stdout)["policy_model"]["responses_api_models"]["tiny_model"]["openai_model"] == "???"
    assert "the configuration has 3 problems" in done.stderr
    for flag in ("--model-url URL", "--model-api-key KEY", "--model NAME"):
        assert flag in done.stderr
    assert json.loads(gym(project, "env", "resolve", "--benchmark", "sums24", *MODEL, "--json").stdout)["exit_code"] == 1


def test_overrides_and_warnings(project: Path) -> None:
    write(project, {"other.yaml": "sums: {resources_servers: {sums: {domain: coding}}}\n"})
    done = gym(
        project,
        "env",
        "resolve",
        "--resources-server",
        "sums",
        "--config",
        "other.yaml",
        *MODEL,
        *POLICY,
        "~sums.resources_servers.sums.description",
    )
    assert done.returncode == 0, done.stderr
    server = yaml.safe_load(done.stdout)["sums"]["resources_servers"]["sums"]
    assert server == {"entrypoint": "app.py", "domain": "math"}
    assert done.stderr.startswith("warning: sums is defined in other.yaml and in resources_servers/sums/configs/sums.yaml")


def test_a_number_for_a_model_is_a_name(project: Path) -> None:
    done = gym(
        project,
        "env",
        "resolve",
        "--resources-server",
        "sums",
        *MODEL,
        "--model",
        "4",
        "--model-url",
        "u,v",
        "--model-api-key",
        "null",
    )
    assert done.returncode == 0, done.stderr
    found = yaml.safe_load(done.stdout)
    assert (found["policy_model_name"], found["policy_base_url"]) == ("4", "u,v")
