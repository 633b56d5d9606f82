"""Small trees of configurations, written where a test wants them."""

from pathlib import Path
from textwrap import dedent

SERVER = "from blade.gym.servers import {kind}\n\n\nclass Tested({kind}):\n    def verify(self, state, row, response):\n        return None\n"
RESOURCES = """\
    sums:
      resources_servers:
        sums:
          entrypoint: app.py
          domain: math
          description: Adds numbers.
    sums_simple_agent:
      responses_api_agents:
        simple_agent:
          entrypoint: app.py
          resources_server: {type: resources_servers, name: sums}
          model_server: {type: responses_api_models, name: policy_model}
          max_steps: 5
          datasets:
          - {name: example, type: example, jsonl_fpath: resources_servers/sums/data/example.jsonl}
    """
MODEL = """\
    policy_model:
      responses_api_models:
        tiny_model:
          entrypoint: app.py
          openai_base_url: ${policy_base_url}
          openai_api_key: ${policy_api_key}
          openai_model: ${policy_model_name}
    """
BENCHMARK = """\
    config_paths:
    - resources_servers/sums/configs/sums.yaml
    sums24_agent:
      _inherit_from: sums_simple_agent
      responses_api_agents:
        simple_agent:
          datasets:
          - name: sums24
            type: benchmark
            prepare_script: benchmarks/sums24/prepare.py
            num_repeats: 32
    """


def write(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(text))


def write_project(root: Path) -> None:
    """A resources server, an agent, a model and a benchmark, all complete."""
    write(
        root,
        {
            "resources_servers/sums/configs/sums.yaml": RESOURCES,
            "resources_servers/sums/app.py": '"""Adds numbers."""\n' + SERVER.format(kind="ResourcesServer"),
            "resources_servers/sums/data/example.jsonl": '{"a": 1}\n\n{"a": 2}\n{"a": 3}',
            "responses_api_agents/simple_agent/app.py": '"""Calls tools until there is an answer. And more."""\n'
            + SERVER.format(kind="AgentServer"),
            "responses_api_models/tiny_model/configs/tiny_model.yaml": MODEL,
            "responses_api_models/tiny_model/app.py": SERVER.format(kind="ModelServer"),
            "benchmarks/sums24/config.yaml": BENCHMARK,
            "benchmarks/sums24/prepare.py": "",
        },
    )
