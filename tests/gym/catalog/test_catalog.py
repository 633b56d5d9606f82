"""What is listed. The components that come with BLADE are listed too, so tests look for names of their own."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blade.gym.catalog import Entry, EntryType, entries, matches
from tests.gym.config.trees import BENCHMARK, write, write_project


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("NEMO_GYM_EXTRA_ROOTS", raising=False)
    write_project(tmp_path)
    return tmp_path


def of_project(project: Path, what: EntryType | None = None) -> dict[str, Entry]:
    return {entry.name: entry for entry in entries(what) if entry.path.is_relative_to(project)}


def test_a_benchmark(project: Path) -> None:
    assert of_project(project, "benchmarks")["sums24"].listed() == {
        "name": "sums24",
        "kind": "benchmark",
        "status": "no-manifest",
        "domain": "math",
        "description": "Adds numbers.",
        "version": None,
        "integration_profile": None,
        "modality": None,
        "licensing": None,
        "lifecycle": "active",
        "num_repeats": 32,
        "agent_name": "sums24_agent",
    }


def test_benchmarks_by_their_files(project: Path) -> None:
    write(
        project,
        {
            "benchmarks/prompts/plain.yaml": "user: '{question}'\n",
            "benchmarks/empty/README.md": "",
            "benchmarks/sums24/prompt.yaml": "user: '{question}'\n",
            "benchmarks/sums24/hard.yaml": BENCHMARK.replace("num_repeats: 32", "num_repeats: 3"),
            "benchmarks/nested/inner/config.yaml": BENCHMARK,
            "benchmarks/suite/config.yaml": """\
                config_paths: [benchmarks/sums24/config.yaml]
                second:
                  _copy: sums24_agent
                """,
            "benchmarks/none/config.yaml": "config_paths: [resources_servers/sums/configs/sums.yaml]\n",
            "benchmarks/torn/config.yaml": "a: [1\n",
            "benchmarks/lost/config.yaml": "config_paths: [nowhere.yaml]\n",
            "benchmarks/asks/config.yaml": f"judge_url: ${{somebody_gives_it}}\n{BENCHMARK.replace('    ', '', 1).replace(chr(10) + '    ', chr(10))}",
        },
    )
    found = of_project(project, "benchmarks")
    assert sorted(found) == ["asks", "lost", "nested/inner", "none", "sums24", "sums24/hard", "torn"]
    assert {name: entry.fields["status"] for name, entry in found.items() if entry.reason} == dict.fromkeys(
        ("lost", "none", "torn"), "broken"
    )
    assert found["torn"].listed()["reason"].startswith("benchmarks/torn/config.yaml, line 2: not valid YAML")
    assert "nowhere.yaml" in found["lost"].listed()["reason"]
    assert found["sums24/hard"].fields["num_repeats"] == 3
    assert found["asks"].fields["domain"] == "math"


def test_what_a_benchmark_says_of_itself(project: Path) -> None:
    text = (project / "benchmarks/sums24/config.yaml").read_text()
    manifest = "{version: '1.2', description: From the manifest, domain: coding, lifecycle: deprecated}"
    alone = """\
        solo:
          responses_api_agents:
            simple_agent:
              {domain: agent, description: By itself, datasets: [{name: solo, type: benchmark, prepare_script: p.py}]}
        """
    write(
        project,
        {
            "benchmarks/worded/config.yaml": text.replace("num_repeats: 32", "description: Of the data"),
            "benchmarks/full/config.yaml": text,
            "benchmarks/full/manifest.yaml": manifest,
            "benchmarks/full/easy.yaml": text,
            "benchmarks/solo/config.yaml": alone,
        },
    )
    found = of_project(project, "benchmarks")
    assert {name: (entry.description, entry.domain) for name, entry in found.items()} == {
        "sums24": ("Adds numbers.", "math"),
        "worded": ("Of the data", "math"),
        "full": ("From the manifest", "coding"),
        "full/easy": ("Adds numbers.", "math"),
        "solo": ("By itself", "agent"),
    }
    assert [found["full"].fields[key] for key in ("version", "lifecycle", "status")] == ["1.2", "deprecated", "experimental"]


def test_the_catalog_is_benchmarks_and_environments(project: Path) -> None:
    write(project, {"environments/garden/config.yaml": "config_paths: [resources_servers/sums/configs/sums.yaml]\n"})
    found = of_project(project)
    assert {name: entry.fields["kind"] for name, entry in found.items()} == {
        "garden": "environment",
        "sums": "environment",
        "sums24": "benchmark",
    }
    assert list(of_project(project, "environments")) == sorted(found)


def test_env_yaml_has_no_say(project: Path) -> None:
    write(project, {"env.yaml": "a: [1\n"})
    assert of_project(project, "benchmarks")["sums24"].reason is None


def test_agents_models_and_resources_servers(project: Path) -> None:
    write(
        project,
        {
            "responses_api_agents/alone/configs/alone.yaml": "alone: {responses_api_agents: {alone: {description: By itself, datasets: [{name: x}]}}}\n",
            "responses_api_agents/alone/configs/fast.yaml": "fast: {responses_api_agents: {alone: {datasets: [{name: x}]}}}\n",
            "responses_api_models/tiny_model/configs/seven.yaml": "policy_model: {responses_api_models: {tiny_model: {model: seven-b}}}\n",
            "responses_api_models/tiny_model/configs/torn.yaml": "a: [\n",
            "resources_servers/torn/configs/torn.yaml": "a: [\n",
            "resources_servers/code_only/app.py": "",
        },
    )
    agents = of_project(project, "agents")
    assert agents["alone"].listed() == {"name": "alone", "pattern": "B (self-contained)", "self_contained": True, "variants": ["alone", "fast"], "description": "By itself"}  # fmt: skip
    assert agents["simple_agent"].listed()["pattern"] == "A (composable)"
    assert agents["simple_agent"].description == "Calls tools until there is an answer."
    models = of_project(project, "models")
    assert models["tiny_model"].listed() == {"name": "tiny_model", "model": None, "model_group": "tiny_model"}
    assert models["tiny_model/seven"].listed() == {"name": "tiny_model/seven", "model": "seven-b", "model_group": "tiny_model"}
    assert models["tiny_model/torn"].listed()["status"] == "broken"
    servers = of_project(project, "resources-servers")
    assert servers["sums"].listed() == {"name": "sums", "domain": "math", "description": "Adds numbers."}
    assert servers["torn"].reason
    assert "code_only" not in servers


def test_one_entry_in_detail(project: Path) -> None:
    shown = of_project(project, "benchmarks")["sums24"].inspected()
    assert list(shown) == ["name", "type", "domain", "description", "details", "usage_example"]
    assert shown["details"]["prepared by"] == "benchmarks/sums24/prepare.py"
    assert all(isinstance(text, str) and text for text in shown["details"].values())
    assert "--benchmark sums24" in shown["usage_example"]


def test_the_first_root_wins(project: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    other = tmp_path_factory.mktemp("other")
    write_project(other)
    found = {entry.name: entry for entry in entries("benchmarks", [str(other)])}
    assert found["sums24"].path.is_relative_to(other)


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("sum", True),
        ("SUMS", True),
        ("math", True),
        ("numbers", True),
        ("numbres", True),
        ("maths", True),
        ("cooking", False),
        ("s", True),
    ],
)
def test_words_that_find(query: str, found: bool) -> None:
    entry = Entry("sums_24", "benchmark", Path(), {"domain": "math", "description": "Adds numbers."})
    assert matches(entry, query) is found


@given(st.text(min_size=1), st.text(), st.text())
def test_any_part_of_a_name_finds_it(part: str, before: str, after: str) -> None:
    if part.strip() and (before + part + after).casefold().find(part.strip().casefold()) >= 0:
        assert matches(Entry(f"{before}{part}{after}", "agent", Path()), part)
