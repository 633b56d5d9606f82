"""Whole configurations, from files in a folder to servers that can run."""

from pathlib import Path

import pytest

from blade.errors import Exit, UsageError
from blade.gym.config import ConfigError, examine_config, resolve_config
from blade.gym.config.documents import UnreadableConfig
from tests.gym.config.trees import write, write_project

SUMS = "resources_servers/sums/configs/sums.yaml"
MODEL = "responses_api_models/tiny_model/configs/tiny_model.yaml"
BENCHMARK = "benchmarks/sums24/config.yaml"
POLICY = ["+policy_base_url=http://127.0.0.1:1/v1", "+policy_api_key=k", "+policy_model_name=m"]


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("NEMO_GYM_EXTRA_ROOTS", raising=False)
    write_project(tmp_path)
    return tmp_path


def messages(*paths: str, overrides: list[str] | None = None, stand_in: bool = True) -> list[str]:
    return [one.sentence() for one in examine_config(paths, overrides or [], stand_in_model=stand_in).problems]


def test_a_benchmark_over_its_environment(project: Path) -> None:
    config = resolve_config([BENCHMARK, MODEL], POLICY)
    assert list(config.instances) == ["sums", "sums24_agent", "policy_model"]
    agent = config.instances["sums24_agent"]
    assert (agent.kind, agent.implementation) == ("responses_api_agents", "simple_agent")
    assert agent.settings["max_steps"] == 5
    assert [item["name"] for item in agent.settings["datasets"]] == ["sums24"]
    assert agent.settings["datasets"][0]["jsonl_fpath"] == "benchmarks/sums24/data/sums24_benchmark.jsonl"
    assert config.instances["policy_model"].settings["openai_base_url"] == "http://127.0.0.1:1/v1"
    assert [path.relative_to(project) for path in config.files] == [Path(SUMS), Path(BENCHMARK), Path(MODEL)]
    assert config.notes == ()
    assert config.settings["sums24_agent"]["responses_api_agents"]["simple_agent"] == agent.settings


def test_the_later_and_the_outer_override(project: Path) -> None:
    write(
        project,
        {
            "inner.yaml": "{a: inner, b: inner, c: inner, d: inner, e: inner, config_paths: [outer.yaml]}",
            "sibling.yaml": "{b: sibling, c: sibling, d: sibling, e: sibling, config_paths: [inner.yaml]}",
            "outer.yaml": "{config_paths: [inner.yaml, sibling.yaml], c: outer, d: outer, e: outer}",
            "env.yaml": "{d: env, e: env}",
        },
    )
    config = resolve_config(["outer.yaml"], ["e=command"])
    assert [config.settings[key] for key in "abcde"] == ["inner", "sibling", "outer", "env", "command"]
    assert [path.name for path in config.files] == ["inner.yaml", "sibling.yaml", "outer.yaml", "env.yaml"]


def test_paths_on_the_command_line_and_in_env_yaml(project: Path) -> None:
    write(project, {"a.yaml": "x: 1\n", "b.yaml": "y: 2\n", "env.yaml": "config_paths: [a.yaml]\n"})
    assert resolve_config([], ["+config_paths=[a.yaml,b.yaml]"]).settings["y"] == 2
    assert resolve_config([]).settings["x"] == 1
    assert "x" not in resolve_config(["b.yaml"]).settings


def test_roots_and_their_order(project: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    searched, extra = tmp_path_factory.mktemp("searched"), tmp_path_factory.mktemp("extra")
    for root, value in ((searched, "searched"), (extra, "extra"), (project, "here")):
        write(root, {"who.yaml": f"who: {value}\n"})
    write(extra, {"env.yaml": "from: extra\n"})
    write(extra, {"data/x.jsonl": ""})
    assert resolve_config(["who.yaml"]).settings["who"] == "here"
    monkeypatch.setenv("NEMO_GYM_EXTRA_ROOTS", str(extra))
    config = resolve_config(["who.yaml"])
    assert (config.settings["who"], config.settings["from"]) == ("extra", "extra")
    assert any("who.yaml is in several places" in note for note in config.notes)
    assert resolve_config(["who.yaml"], search_dirs=[str(searched)]).settings["who"] == "searched"
    assert config.find("data/x.jsonl") == extra / "data/x.jsonl"
    with pytest.raises(UsageError, match=r"data/y.jsonl is not there"):
        config.find("data/y.jsonl")
    with pytest.raises(UsageError, match="--search-dir nowhere is not a folder"):
        resolve_config([], search_dirs=["nowhere"])


def test_everything_that_is_missing_is_reported_together(project: Path) -> None:
    write(project, {"judge.yaml": "judge: {url: '${judge_url}', key: '${oc.env:NO_SUCH_VARIABLE}', name: '???'}\n"})
    with pytest.raises(ConfigError) as error:
        resolve_config([BENCHMARK, MODEL, "judge.yaml"], ["+policy_api_key=k"])
    assert error.value.exit_code == Exit.FELL_SHORT
    said = [problem.message for problem in error.value.problems]
    assert len(said) == 5
    assert any("policy_base_url has no value" in line and "--model-url" in line and f"({MODEL}, line 5)" in line for line in said)
    assert any("policy_model_name has no value" in line and "--model NAME" in line for line in said)
    assert any("judge_url has no value" in line and "+judge_url=VALUE" in line and "env.yaml" in line for line in said)
    assert any("environment variable NO_SUCH_VARIABLE is not set" in line for line in said)
    assert any(line.startswith("judge.name has no value: ") and "set to ??? in judge.yaml, line 1" in line for line in said)


def test_interpolation(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_HOST", "example.test")
    write(
        project,
        {
            "a.yaml": """\
                host: ${oc.env:SOME_HOST}
                port: ${oc.env:NO_SUCH_VARIABLE,"80"}
                url: http://${host}:${port}
                block: {x: 1, y: "${.x}"}
                same: ${block}
                list: ["${url}", 2]
                """
        },
    )
    settings = resolve_config(["a.yaml"]).settings
    assert settings["list"] == ["http://example.test:80", 2]
    assert settings["same"] == {"x": 1, "y": 1}
    assert type(settings["host"]) is str


def test_a_gap_is_traced_to_its_root(project: Path) -> None:
    write(project, {"a.yaml": "a: ${b}\nb: x-${c}\nd: ${a}\n"})
    askers = "a (a.yaml, line 1), b (a.yaml, line 2), d (a.yaml, line 3)"
    assert messages("a.yaml") == [f"c has no value: give +c=VALUE or put it into env.yaml (asked for by {askers})"]


@pytest.mark.parametrize("text", ["a: ${b}\nb: ${a}\n", "a: {x: '${b}'}\nb: {y: '${a}'}\n", "a: ${nosuch:1}\n", "a: ${b\n"])
def test_interpolations_that_cannot_be(project: Path, text: str) -> None:
    write(project, {"a.yaml": text})
    problems = examine_config(["a.yaml"]).problems
    assert problems
    assert {one.code for one in problems} == {"interpolation"}


@pytest.mark.parametrize(
    ("tokens", "words"),
    [
        (["max_steps=3"], "did you mean sums_simple_agent.responses_api_agents.simple_agent.max_steps?"),
        (["sums.resources_servers.sums.domian=math"], "did you mean sums.resources_servers.sums.domain?"),
        (["zzz=3"], "to add it, write +zzz=…"),
        (["~sums.resources_servers.sums.descripton"], "removes nothing"),
        (["sums_simple_agent.responses_api_agents.simple_agent.datasets[4].name=x"], "too short"),
        (["+sums.resources_servers.sums.domain.more=x"], "there is a plain value"),
    ],
)
def test_overrides_that_reach_nothing(tokens: list[str], words: str) -> None:
    said = messages(SUMS, overrides=tokens)
    assert len(said) == 1
    assert words in said[0]


@pytest.mark.parametrize(
    "token", ["num_repeats=4", "policy_base_url=http://x/v1", "responses_create_params.temperature=0.5", "skills.path=s"]
)
def test_keys_of_commands_are_known(token: str) -> None:
    assert messages(SUMS, overrides=[token]) == []


def test_overrides_reach_through_inheritance() -> None:
    tokens = ["sums_simple_agent.responses_api_agents.simple_agent.max_steps=7", "sums24_agent.responses_api_agents.simple_agent.datasets[0].num_repeats=2",
              "~sums24_agent.responses_api_agents.simple_agent.entrypoint"]  # fmt: skip
    settings = resolve_config([BENCHMARK], tokens, stand_in_model=True).instances["sums24_agent"].settings
    assert settings["max_steps"] == 7
    assert settings["datasets"][0]["num_repeats"] == 2
    assert "entrypoint" not in settings


def test_overrides_reach_into_what_is_copied(project: Path) -> None:
    write(project, {"a.yaml": "a: {x: 1, y: 2}\nb: ${copy:a}\n"})
    assert resolve_config(["a.yaml"], ["b.y=3"]).settings["b"] == {"x": 1, "y": 3}


def test_a_slip_with_a_plus_is_noted() -> None:
    config = resolve_config([SUMS, MODEL], [*POLICY, "+polciy_model_name=x", "+my_own_thing=3"])
    assert config.notes == ("nothing asks for polciy_model_name; did you mean policy_model_name?",)


@pytest.mark.parametrize(
    ("token", "meant"),
    [
        ("+skill.path=x", "skills"),
        ("+skills.pth=x", "skills.path"),
        ("+responses_create_params.temprature=1", "responses_create_params.temperature"),
        ("+skills.path=x", None),
        ("+responses_create_params.top_k=5", None),
        ("+responses_create_params.metadata.seed=5", None),
    ],
)
def test_a_slip_below_a_key_that_a_command_reads_is_noted(token: str, meant: str | None) -> None:
    key = token[1:].partition("=")[0]
    notes = resolve_config([SUMS, MODEL], [*POLICY, token]).notes
    assert notes == (() if meant is None else (f"nothing asks for {key}; did you mean {meant}?",))


def test_two_files_that_know_nothing_of_each_other(project: Path) -> None:
    write(project, {"other.yaml": "sums: {resources_servers: {sums: {domain: coding}}}\n"})
    config = resolve_config([SUMS, "other.yaml"], stand_in_model=True)
    assert config.instances["sums"].settings["domain"] == "coding"
    assert len(config.notes) == 1
    assert f"sums is defined in {SUMS} and in other.yaml" in config.notes[0]
    write(project, {"knows.yaml": f"config_paths: [{SUMS}]\nsums: {{resources_servers: {{sums: {{domain: coding}}}}}}\n"})
    assert resolve_config(["knows.yaml"], stand_in_model=True).notes == ()


def test_a_dummy_model_gives_way(project: Path) -> None:
    write(project, {"dummy.yaml": "policy_model: {responses_api_models: {dummy_model: {entrypoint: app.py}}}\n"})
    config = resolve_config(["dummy.yaml", MODEL], POLICY)
    assert config.instances["policy_model"].implementation == "tiny_model"
    assert config.notes == ()
    assert resolve_config(["dummy.yaml"]).instances["policy_model"].implementation == "dummy_model"


def test_a_stand_in_where_there_is_no_model() -> None:
    with pytest.raises(ConfigError, match="choose one with --model-type"):
        resolve_config([SUMS])
    config = resolve_config([SUMS], stand_in_model=True)
    assert config.instances["policy_model"].implementation == "dummy_model"
    assert resolve_config([SUMS, MODEL], stand_in_model=True).instances["policy_model"].implementation == "tiny_model"
    given = resolve_config([SUMS, MODEL], ["+policy_model_name=mine"], stand_in_model=True)
    assert given.instances["policy_model"].settings["openai_model"] == "mine"


@pytest.mark.parametrize(
    ("block", "words"),
    [
        ("x: {resources_servers: {a: {domain: math}, b: {domain: math}}}", "x has 2 implementations (a, b)"),
        ("x: {resources_servers: {a: {domain: math}}, responses_api_agents: {b: {}}}", "at once"),
        ("x: {resources_servers: {a: {}}}", "x has no domain"),
        ("x: {resources_servers: {a: {domain: maths}}}", "did you mean math?"),
        ("x: {resources_servers: {a: 3}}", "must hold settings as keys and values"),
        ("x: {resources_servers: {}}", "must hold the name of an implementation"),
        ("x: {resource_servers: {a: {domain: math}}}", "did you mean resources_servers?"),
        ("x: {resources_servers: {a: {domain: math}}, max_steps: 3}", "max_steps stands beside resources_servers"),
        ("x: {responses_api_agents: {a: {resources_server: {type: resources_servers, name: sms}}}}", "did you mean sums?"),
        ("x: {responses_api_agents: {a: {resources_server: {type: resources_server, name: sums}}}}", "did you mean resources_servers?"),
        ("x: {responses_api_agents: {a: {model_server: {type: responses_api_models, name: sums}}}}", "as a model, and it is a resources server"),
        ("x: {responses_api_agents: {a: {datasets: [{name: d, type: train, jsonl_fpath: f}]}}}", "needs a license"),
        ("x: {responses_api_agents: {a: {datasets: [{name: d, type: example, jsonl_fpath: f, license: Mit}]}}}", "did you mean MIT?"),
        ("x: {responses_api_agents: {a: {datasets: [{name: d, type: benchmark, jsonl_fpath: f}]}}}", "needs a prepare_script"),
        ("x: {responses_api_agents: {a: {datasets: [{name: d, type: example}]}}}", "jsonl_fpath is missing"),
        ("x: {responses_api_agents: {a: {datasets: [{name: d, type: exmple, jsonl_fpath: f}]}}}", "dataset d of x: type: "),
        ("x: {responses_api_agents: {a: {datasets: [{name: d, type: example, jsonl_fpath: f, num_repeats: 0}]}}}", "num_repeats"),
        ("x: {responses_api_agents: {a: {datasets: {name: d}}}}", "must be a list"),
        ("x: {responses_api_agents: {a: {datasets: [{name: d, type: example, jsonl_fpath: f, source: {type: huggingface}}]}}}", "repo_id"),
    ],
)  # fmt: skip
def test_what_is_almost_a_server(project: Path, block: str, words: str) -> None:
    write(project, {"x.yaml": f"{block}\n"})
    said = messages(SUMS, "x.yaml")
    assert len(said) == 1, said
    assert words in said[0]


def test_problems_say_where(project: Path) -> None:
    write(
        project,
        {
            "x.yaml": "x:\n  responses_api_agents:\n    a:\n      resources_server:\n        name: sms\n        type: resources_servers\n"
        },
    )
    assert messages(SUMS, "x.yaml")[0].startswith("x.yaml, line 5: x.responses_api_agents.a.resources_server refers to sms")


def test_almost_servers_may_be_left_out(project: Path) -> None:
    write(project, {"x.yaml": "error_on_almost_servers: false\nx: {resources_servers: {a: {domain: maths}}}\n"})
    config = resolve_config(["x.yaml"])
    assert config.instances == {}
    assert len(config.notes) == 1
    assert "maths is not a domain" in config.notes[0]


def test_reserved_keys_are_no_servers(project: Path) -> None:
    write(project, {"x.yaml": "head_server: {resources_servers: 1}\nuv_thing: {resources_servers: 1}\nfree: {name: x}\n"})
    assert resolve_config(["x.yaml"]).instances == {}


def test_a_reference_to_what_was_inherited_away(project: Path) -> None:
    write(project, {"x.yaml": f"config_paths: [{SUMS}]\nmine:\n  _inherit_from: sums\n"})
    said = messages("x.yaml")
    assert len(said) == 1
    assert "sums, which is gone because mine inherits from it; did you mean mine?" in said[0]


def test_files_that_are_not_there(project: Path) -> None:
    with pytest.raises(
        UnreadableConfig, match=r"no configuration resources_servers/sums/configs/summs.yaml; did you mean .*sums.yaml\?"
    ):
        resolve_config(["resources_servers/sums/configs/summs.yaml"])
    write(project, {"a.yaml": "b: 1\nconfig_paths:\n- nope.yaml\n"})
    with pytest.raises(UnreadableConfig, match=r"^a.yaml, line 3: there is no configuration nope.yaml"):
        resolve_config(["a.yaml"])


def test_secrets_are_masked() -> None:
    shown = resolve_config([SUMS, MODEL], [*POLICY, "+responses_create_params.max_output_tokens=9"]).masked()
    assert shown["policy_api_key"] == "****"
    assert shown["policy_model"]["responses_api_models"]["tiny_model"]["openai_api_key"] == "****"
    assert shown["responses_create_params"]["max_output_tokens"] == 9
