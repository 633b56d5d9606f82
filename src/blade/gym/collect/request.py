"""What a run is asked for: the settings of `gym eval run`, from flags and from the configuration alike."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from blade.errors import UsageError
from blade.gym.collect.expansion import Expansion, Source
from blade.gym.collect.prompts import load_prompt
from blade.gym.collect.schedule import Limits
from blade.gym.config import GymConfig
from blade.gym.skills import load_skills

MOST_ATTEMPTS = 3
Split = Literal["train", "validation", "example", "benchmark"]


class SkillsSetting(BaseModel):
    path: str | None = None


class RunRequest(BaseModel):
    """The keys of a configuration that speak of the run itself."""

    model_config = ConfigDict(extra="ignore", frozen=True)
    agent_name: str | None = None
    input_jsonl_fpath: str | None = None
    output_jsonl_fpath: str
    split: Split | None = None
    limit: int | None = Field(default=None, ge=0)
    num_repeats: int | dict[str, int] | None = None
    num_repeats_add_seed: bool = False
    prompt_config: str | None = None
    num_samples_in_parallel: int | None = Field(default=None, ge=1, le=100_000)
    responses_create_params: dict[str, Any] = Field(default_factory=dict)
    skills: SkillsSetting = SkillsSetting()
    shard: str | None = None
    max_rollout_attempts: int = Field(default_factory=lambda: _attempts_from_environment(), ge=1)
    rollout_timeout_seconds: float | None = Field(default=3_600.0, gt=0)
    disable_aggregation: bool = False
    resume_from_cache: bool = False
    overwrite: bool = False
    force: bool = False

    @property
    def output(self) -> Path:
        return Path(self.output_jsonl_fpath)

    def limits(self) -> Limits:
        return Limits(
            concurrency=self.num_samples_in_parallel or Limits.concurrency,
            attempts=self.max_rollout_attempts,
            rollout_timeout=self.rollout_timeout_seconds,
        )


def _attempts_from_environment() -> int:
    """What the reference's variable says; anything that is no whole number of at least 1 says nothing."""
    said = os.environ.get("NEMO_GYM_MAX_ROLLOUT_ATTEMPTS", "")
    return int(said) if said.isdecimal() and int(said) > 0 else MOST_ATTEMPTS


def read_request(settings: Mapping[str, Any]) -> RunRequest:
    """The request that the settings hold, or one sentence on each key that does not fit."""
    if not settings.get("output_jsonl_fpath"):
        raise UsageError("no output is given", hint="add --output results/NAME.jsonl")
    try:
        request = RunRequest.model_validate(dict(settings))
    except ValidationError as error:
        faults = "; ".join(f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in error.errors())
        raise UsageError(faults) from None
    if not request.output.name.endswith(".jsonl"):
        raise UsageError(f"the output {request.output} does not end in .jsonl", hint="rollouts are written as JSON lines")
    return request


def expansion_of(request: RunRequest, config: GymConfig) -> Expansion:
    """Which rows are to be run, as the request and the configuration's datasets say."""
    skills = load_skills(request.skills.path).reference() if request.skills.path else None
    sources = _given(request, config) if request.input_jsonl_fpath else _of_datasets(request, config)
    return Expansion(
        sources=sources,
        limit=request.limit or None,
        shard=_shard(request.shard),
        params=dict(request.responses_create_params),
        add_seed=request.num_repeats_add_seed,
        skills_ref=skills,
    )


def agents_of(config: GymConfig) -> list[str]:
    return [name for name, instance in config.instances.items() if instance.kind == "responses_api_agents"]


def _given(request: RunRequest, config: GymConfig) -> list[Source]:
    agents = agents_of(config)
    agent = request.agent_name or (agents[0] if len(agents) == 1 else None)
    path = Path(str(request.input_jsonl_fpath))
    found = path if path.exists() else config.find(str(request.input_jsonl_fpath))
    return [Source(found, agent, request.num_repeats, _prompt(request.prompt_config, config))]


def _of_datasets(request: RunRequest, config: GymConfig) -> list[Source]:
    """The datasets of the wanted split; benchmarks where nothing is said."""
    offered: list[tuple[str, dict[str, Any]]] = [
        (name, dataset)
        for name in agents_of(config)
        if request.agent_name in (None, name)
        for dataset in config.instances[name].settings.get("datasets") or []
    ]
    split = request.split or "benchmark"
    wanted = [(name, dataset) for name, dataset in offered if dataset.get("type") == split]
    if not wanted:
        kinds = ", ".join(sorted({str(dataset.get("type")) for _, dataset in offered}))
        raise UsageError(
            f"the configuration has no {split} data",
            hint=f"choose --split among {kinds}" if kinds else "give --input FILE and --agent NAME, or --benchmark NAME",
        )
    return [_source(request, config, name, dataset) for name, dataset in wanted]


def _source(request: RunRequest, config: GymConfig, agent: str, dataset: dict[str, Any]) -> Source:
    path = str(dataset["jsonl_fpath"])
    try:
        found = config.find(path)
    except UsageError:
        hint = "gym eval prepare makes it" if dataset.get("prepare_script") else "it is named by a dataset of the configuration"
        raise UsageError(f"{path} does not exist", hint=hint) from None
    repeats = request.num_repeats if request.num_repeats is not None else dataset.get("num_repeats")
    return Source(found, agent, repeats, _prompt(request.prompt_config or dataset.get("prompt_config"), config))


def _prompt(path: str | None, config: GymConfig) -> Any:
    if not path:
        return None
    return load_prompt(Path(path) if Path(path).exists() else config.find(path))


def _shard(text: str | None) -> tuple[int, int] | None:
    if text is None:
        return None
    which, _, count = text.partition("/")
    if not (which.isdigit() and count.isdigit() and int(which) < int(count)):
        raise UsageError(f"--shard {text!r} is not of the form I/N with I below N", hint="for four machines: 0/4, 1/4, 2/4, 3/4")
    return int(which), int(count)
