"""What a configuration's data needs from a model's endpoint: tools, structured output, room for the longest prompt."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from blade.errors import UsageError
from blade.gym.collect.expansion import parse_row, read_lines
from blade.gym.config import GymConfig
from blade.gym.models.probe import Finding, Needs, probe
from blade.gym.servers.local import local_servers
from blade.gym.servers.model import ModelServer

CHARACTERS_A_TOKEN = 4
MOST_ROWS = 2_000
LEAST_TOKENS = 1_000


def needs_of(config: GymConfig) -> Needs:
    """What the datasets' rows ask for; where there are none yet, everything."""
    tools = structured = False
    longest = seen = 0
    for path in _data(config):
        for number, line in read_lines(path):
            if number > MOST_ROWS:
                break
            row = parse_row(line, path, number)
            params = row.get("responses_create_params")
            asked: Mapping[str, Any] = params if isinstance(params, dict) else {}
            tools = tools or bool(asked.get("tools"))
            structured = structured or bool((asked.get("text") or {}).get("format"))
            longest, seen = max(longest, len(line)), seen + 1
    if not seen:
        return Needs()
    tokens = max(LEAST_TOKENS, longest // CHARACTERS_A_TOKEN)
    return Needs(tool_calls=tools, structured_output=structured, longest_prompt_tokens=tokens)


async def probe_models(config: GymConfig) -> dict[str, list[Finding]]:
    """What each model's endpoint shows when it is asked, by the model's name."""
    needs = needs_of(config)
    async with local_servers(config, kinds=("responses_api_models",)) as calls:
        models = {name: server for name, server in calls.servers.items() if isinstance(server, ModelServer)}
        return {name: await probe(server, needs) for name, server in models.items()}


def _data(config: GymConfig) -> list[Path]:
    found = []
    for instance in config.instances.values():
        for dataset in instance.settings.get("datasets") or []:
            try:
                found.append(config.find(str(dataset["jsonl_fpath"])))
            except UsageError:
                continue  # not made yet: validate says so
    return found
