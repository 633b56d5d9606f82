"""Names instead of paths: `--benchmark gsm8k` is `benchmarks/gsm8k/config.yaml` under the first root that has it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from blade.errors import UsageError
from blade.gym.config.problems import did_you_mean
from blade.gym.config.roots import holders

SUFFIX = ".yaml"
MOST_LISTED = 12


@dataclass(frozen=True)
class Selector:
    """A kind of thing that has a name: where its configurations lie, and the flag that chooses one."""

    flag: str
    noun: str
    folder: str
    configs: str = ""
    """The folder inside each component that holds its configurations; without one they lie in the component itself."""

    def candidates(self, name: str) -> list[str]:
        """The relative paths that a name may mean, most direct first."""
        head, _, flavor = name.partition("/")
        if self.configs:
            return [f"{self.folder}/{head}/{self.configs}/{flavor or head}{SUFFIX}"]
        if not flavor:
            return [f"{self.folder}/{head}/config{SUFFIX}"]
        return [f"{self.folder}/{head}/{flavor}{SUFFIX}", f"{self.folder}/{head}/{flavor}/config{SUFFIX}"]


BENCHMARK = Selector("--benchmark", "benchmark", "benchmarks")
ENVIRONMENT = Selector("--environment", "environment", "environments")
RESOURCES_SERVER = Selector("--resources-server", "resources server", "resources_servers", "configs")
MODEL_TYPE = Selector("--model-type", "model type", "responses_api_models", "configs")
AGENT = Selector("--agent", "agent", "responses_api_agents", "configs")


def select(selector: Selector, name: str, roots: Sequence[Path]) -> str:
    """The relative path of the configuration that a name stands for; a UsageError with the nearest names otherwise."""
    if name.endswith((".yaml", ".yml")):
        raise UsageError(f"{selector.flag} takes a name, and {name} is a file", hint=f"write --config {name}")
    if not name or name.startswith("/") or ".." in name.split("/"):
        raise UsageError(f"{selector.flag} takes the name of a {selector.noun}, not {name!r}")
    for candidate in selector.candidates(name):
        if holders(candidate, roots):
            return candidate
    known = sorted(names(selector, roots))
    near = did_you_mean(name, known)
    if not near:
        flavors = [other for other in known if other.partition("/")[0] == name]
        listed = flavors or known
        near = (
            f"; there {'is' if len(listed) == 1 else 'are'} {', '.join(listed[:MOST_LISTED])}{' …' if len(listed) > MOST_LISTED else ''}"
            if listed
            else ""
        )
    raise UsageError(f"there is no {selector.noun} {name}{near or f', nor any {selector.folder}/ folder here'}", hint=None)


def names(selector: Selector, roots: Sequence[Path]) -> set[str]:
    """Every name that `select` would find."""
    return {name for name, _ in configurations(selector, roots)}


def configurations(selector: Selector, roots: Sequence[Path]) -> Iterator[tuple[str, Path]]:
    """Each name with the file it stands for; a name that several roots have comes once, from the first of them."""
    seen: set[str] = set()
    for root in roots:
        for path in sorted((root / selector.folder).glob(f"*/{selector.configs or '.'}/**/*{SUFFIX}")):
            relative = path.relative_to(root / selector.folder)
            name = _name(relative, selector)
            if name not in seen and "prompts" not in relative.parts[1:-1]:
                seen.add(name)
                yield name, path


def _name(relative: Path, selector: Selector) -> str:
    head, *between = relative.parts[:-1]
    if selector.configs:
        flavor = "/".join([*between[1:], relative.stem])
        return head if flavor == head else f"{head}/{flavor}"
    folder = "/".join([head, *between])
    return folder if relative.stem == "config" else f"{folder}/{relative.stem}"
