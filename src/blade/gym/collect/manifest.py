"""The run's manifest, `<stem>_run.json`: everything that a reader needs to know where the numbers come from.

Model, agent, verifier, dataset, prompt, sampling, skills, repeats and limits are stated in the form that `blade` reads; beside them
stand the resolved configuration with secrets masked, the command line, versions, and what happened to the run (resumed, forced).
"""

import platform
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec

from blade import __version__
from blade.errors import UsageError
from blade.gym.collect.expansion import Expansion
from blade.gym.config import GymConfig, Instance
from blade.gym.config.masking import MASK, is_secret, masked
from blade.gym.files import written_together
from blade.gym.servers.components import check, component_of
from blade.untrusted.redaction import redact

Row = dict[str, Any]
SAMPLING = ("temperature", "top_p", "max_output_tokens", "reasoning")
MODEL_NAMES = ("openai_model", "model", "model_name")
ENDPOINT = "the endpoint's default"
WIRING = (
    "entrypoint",
    "host",
    "port",
    "num_workers",
    "verbose",
    "datasets",
    "domain",
    "description",
    "value",
    "verified",
    "verified_url",
)
IDENTITY = ("model", "agent", "verifier", "dataset", "prompt", "sampling", "skills", "repeats", "limits", "code", "plan")
"""What must be the same when a run is resumed."""


@dataclass
class PlanFigures:
    """What is learned from the rows of the plan while they are written."""

    rollouts: int = 0
    tasks: int = 0
    _repeats: Counter[int] = field(default_factory=Counter)
    _sampling: dict[str, set[str]] = field(default_factory=lambda: {name: set() for name in SAMPLING})
    agents: set[str] = field(default_factory=set)
    _digest: Any = field(default_factory=sha256)

    def take(self, row: Row, line: bytes) -> None:
        self.rollouts += 1
        task = row["_ng_task_index"]
        self.tasks += task not in self._repeats
        self._repeats[task] += 1
        self.agents.add(str(row["agent_ref"].get("name")))
        for name in SAMPLING:
            value = row["responses_create_params"].get(name)
            self._sampling[name].add(ENDPOINT if value is None else msgspec.json.encode(value).decode())
        self._digest.update(line)

    @property
    def fingerprint(self) -> str:
        return str(self._digest.hexdigest()[:16])

    def stated(self) -> Row:
        counts = set(self._repeats.values())
        agents = sorted(self.agents)
        return {
            "agent": agents[0] if len(agents) == 1 else agents,
            "sampling": {name: _only(values) for name, values in self._sampling.items()},
            "repeats": counts.pop() if len(counts) == 1 else None,
            "plan": self.fingerprint,
        }


def describe(
    config: GymConfig, expansion: Expansion, figures: PlanFigures, limits: Mapping[str, Any], command: Sequence[str]
) -> Row:
    """The manifest of a run that is about to begin."""
    used = _used(config, figures.stated()["agent"])
    skills = expansion.skills_ref
    return {
        "schema": "gym.run/1",
        "state": "running",
        "started_at": _now(),
        "finished_at": None,
        "command": shown_command(command),
        "model": _model(used, config),
        **figures.stated(),
        "verifier": _coded(used, "resources_servers", config),
        "dataset": _dataset(expansion, figures),
        "prompt": _prompts(expansion),
        "skills": "none" if skills is None else f"{skills['path']}@{skills['hash']}",
        "limits": _limits(used, config) | dict(limits),
        "environment": {"blade": __version__},
        "code": {"agent": _coded(used, "responses_api_agents", config), "model": _coded(used, "responses_api_models", config)},
        "versions": {"blade": __version__, "python": platform.python_version(), "platform": platform.platform()},
        "shard": None if expansion.shard is None else list(expansion.shard),
        "seed_per_repeat": expansion.add_seed,
        "config": config.masked(),
        "history": [],
    }


def differences(before: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """What a resumed run would change, a phrase each."""
    return [
        f"{name} was {_short(before[name])}, is {_short(now.get(name))}"
        for name in IDENTITY
        if name in before and not _same(name, before[name], now.get(name))
    ]


def _same(name: str, before: Any, now: Any) -> bool:
    if name == "dataset" and isinstance(before, dict) and isinstance(now, dict):  # where its files lie says nothing
        return bool(before.get("fingerprint") == now.get("fingerprint"))
    return bool(before == now or (isinstance(before, list) and now in before))


def read(path: Path) -> Row | None:
    try:
        found = msgspec.json.decode(path.read_bytes())
    except (OSError, msgspec.DecodeError):
        return None
    return found if isinstance(found, dict) else None


def write(path: Path, manifest: Row) -> None:
    """All or nothing: a reader never meets half a manifest."""
    with written_together(path) as files:
        files[0].write(msgspec.json.format(msgspec.json.encode(manifest), indent=2) + b"\n")


def noted(manifest: Row, event: str, **more: Any) -> Row:
    """The manifest with one more line of history."""
    return manifest | {"history": [*manifest.get("history", []), {"at": _now(), "event": event, **more}]}


def finished(manifest: Row, state: str, counts: Row) -> Row:
    return manifest | {"state": state, "finished_at": _now(), "counts": counts}


def _used(config: GymConfig, agent: str | list[str]) -> list[Instance]:
    """The instances that the run's agents reach, the agents first."""
    names = [agent] if isinstance(agent, str) else list(agent)
    found: dict[str, Instance] = {}
    while names:
        name = names.pop(0)
        if name in found or name not in config.instances:
            continue
        found[name] = config.instances[name]
        names += [value["name"] for value in found[name].settings.values() if isinstance(value, dict) and "name" in value]
    return list(found.values())


def _model(used: Iterable[Instance], config: GymConfig) -> Any:
    """The name of the model that the agent speaks with."""
    for instance in used:
        if instance.kind == "responses_api_models":
            settings = _settled(instance, config)
            return next((settings[key] for key in MODEL_NAMES if settings.get(key)), instance.implementation)
    return None


def _settled(instance: Instance, config: GymConfig) -> Row:
    """The instance's settings with the defaults of its class."""
    try:
        component = component_of(instance, config.roots)
    except UsageError:  # the server runs elsewhere, and so does its code
        return instance.settings
    settled: Row = check(component, instance.name, instance.settings).model_dump(mode="json")
    return settled


def _coded(used: Iterable[Instance], kind: str, config: GymConfig) -> Any:
    """An implementation with a hash over its code and its settings, so that a changed verifier is another verifier."""
    found = [coded(instance, config) for instance in used if instance.kind == kind]
    return found[0] if len(found) == 1 else found or None


def coded(instance: Instance, config: GymConfig) -> str:
    try:
        return f"{instance.implementation}@{_code_hash(instance, config)}"
    except UsageError:
        return f"{instance.implementation}@elsewhere"


def _code_hash(instance: Instance, config: GymConfig) -> str:
    folder = Path(component_of(instance, config.roots).folder)
    digest = sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts and path not in _datasets(config):
            digest.update(path.relative_to(folder).as_posix().encode() + b"\0" + _file_hash(path).encode() + b"\0")
    settings = {name: value for name, value in masked(instance.settings).items() if not _is_wiring(name, instance.kind)}
    digest.update(msgspec.json.encode(settings, order="deterministic"))
    return digest.hexdigest()[:12]


def _datasets(config: GymConfig) -> set[Path]:
    """Data that is run, and so is no part of the code beside which it may lie."""
    listed = [dataset for instance in config.instances.values() for dataset in instance.settings.get("datasets") or []]
    return {root / str(dataset.get("jsonl_fpath")) for dataset in listed for root in config.roots}


def _is_wiring(name: str, kind: str) -> bool:
    """Where a server is, and how patient it is with its endpoint: nothing that changes what is answered."""
    if name in WIRING:
        return True
    patience = name.endswith(("_url", "_key", "_seconds")) or name.startswith(("max_retr", "max_concurrent", "max_answer"))
    return kind == "responses_api_models" and patience


def _limits(used: Iterable[Instance], config: GymConfig) -> Row:
    return {
        name: value
        for instance in used
        if instance.kind != "responses_api_models"
        for name, value in _settled(instance, config).items()
        if name.startswith("max_") or name.endswith("_timeout_seconds")
    }


def _dataset(expansion: Expansion, figures: PlanFigures) -> Row:
    files = [{"path": str(source.path), "sha256": _file_hash(source.path)} for source in expansion.sources]
    whole = (
        sha256("".join(file["sha256"] for file in files).encode()).hexdigest()[:16] if len(files) > 1 else files[0]["sha256"][:16]
    )
    part = "" if not expansion.limit else f"#first-{expansion.limit}"
    return {"fingerprint": f"{whole}{part}", "tasks": figures.tasks, "files": files}


def _prompts(expansion: Expansion) -> Any:
    found = sorted({_prompt(source) for source in expansion.sources})
    return found[0] if len(found) == 1 else found


def _prompt(source: Any) -> str:
    if source.prompt is None:
        return "in the rows"
    text = f"{source.prompt.system}\0{source.prompt.user}"
    return f"{Path(source.prompt.path or 'prompt').name}@{sha256(text.encode()).hexdigest()[:12]}"


def _file_hash(path: Path) -> str:
    digest = sha256()
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def shown_command(command: Sequence[str]) -> list[str]:
    """The command line without the values of flags and keys that hold secrets."""
    shown: list[str] = []
    hide = False
    for word in command:
        name, equals, _ = word.partition("=")
        secret = is_secret(name.lstrip("+-~").rpartition(".")[2].replace("-", "_"))
        shown.append(MASK if hide else f"{name}={MASK}" if equals and secret else redact(word))
        hide = secret and not equals and word.startswith("--")
    return shown


def mixed(before: Row, now: Row) -> Row:
    """The manifest of a run that goes on: where forced changes make two values of one, both."""
    both: Row = {}
    for name in IDENTITY:
        if name in before and name in now and before[name] != now[name] and name != "dataset":
            earlier = before[name] if isinstance(before[name], list) else [before[name]]
            both[name] = [*earlier, now[name]] if now[name] not in earlier else earlier
    return before | both


def _only(values: set[str]) -> Any:
    if len(values) != 1:
        return sorted(values)
    value = next(iter(values))
    return value if value == ENDPOINT else msgspec.json.decode(value)


def _short(value: Any) -> str:
    text = value if isinstance(value, str) else msgspec.json.encode(value).decode()
    return text if len(text) <= 120 else f"{text[:117]}…"


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def command_line() -> list[str]:
    return [Path(sys.argv[0]).name, *sys.argv[1:]]
