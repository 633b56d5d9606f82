"""What differs between two runs, and whether a difference of their scores may be said to be because of it.

Provenance side by side, each thing compared like with like: what two manifests state, or what the rows of both say. Unknown is never
equal to unknown. Exactly one known change and nothing unknown: then a change of the score is because of it. Anything else: the cause
cannot be assigned, and the further run is named that would separate the candidates.

Two things are not like the others. `repeats` is listed when it differs, but more repeats make a score more precise and not higher, so
they are no candidate for a cause and never unknown. `skills` is null where none were given: the evaluation loop writes them into every
row when they are.
"""

from dataclasses import dataclass
from typing import Any, Final

from blade.comparison.definitions import what_changed
from blade.comparison.letters import SECOND
from blade.comparison.pairing import Pairing
from blade.runs.run import Run

CAUSES: Final = ("model", "agent", "prompt", "verifier", "dataset", "sampling", "skills", "limits")
TOKEN_LIMIT: Final = "max_output_tokens"  # noqa: S105 (a limit, no password)
SETTINGS: Final = ("sampling", "limits", "environment")
NO_TOOLS: Final = "no tools"
NO_SKILLS: Final = "no skills"


@dataclass(frozen=True)
class Change:
    what: str
    a: Any
    b: Any

    @property
    def entry(self) -> dict[str, Any]:
        return {"what": self.what, "a": self.a, "b": self.b}


@dataclass(frozen=True)
class Differences:
    changed: tuple[Change, ...]
    unknown: tuple[str, ...]
    """What is not known on at least one side, so that it may have changed too."""
    letter: str = SECOND
    """What B is called."""

    @property
    def candidates(self) -> tuple[str, ...]:
        """The known changes that may move a score."""
        return tuple(change.what for change in self.changed if change.what != "repeats")

    @property
    def single_change(self) -> bool | None:
        """True: one known change and nothing unknown. False: none or several. None: what is unknown could decide it."""
        if len(self.candidates) > 1:
            return False
        return None if self.unknown else len(self.candidates) == 1

    @property
    def kind(self) -> str:
        """The one thing that is known to differ (`skills`: a skills evaluation), `several`, or `same_settings` as far as is known."""
        return "same_settings" if not self.candidates else self.candidates[0] if len(self.candidates) == 1 else "several"

    @property
    def cause(self) -> str:
        """May the report say "because of"? If not, why not, and which run would settle it."""
        if self.single_change:
            (change,) = (change for change in self.changed if change.what == self.candidates[0])
            return f"Only the {change.what} differs ({shown(change.a)} → {shown(change.b)}) and nothing needed is unknown: a difference of the scores is because of the {change.what}."
        if not self.candidates and not self.unknown:
            return "Nothing differs between the runs: a difference of the scores is chance, or something that nobody wrote down."
        return f"The cause cannot be assigned: {self._why_not()}. {self._next_run()}"

    def _why_not(self) -> str:
        reasons = []
        if len(self.candidates) > 1:
            reasons.append(f"{_listed(self.candidates)} differ at once")
        elif self.candidates:
            reasons.append(f"the {self.candidates[0]} differs")
        else:
            reasons.append("nothing is known to differ")
        if self.unknown:
            reasons.append(f"{_listed(self.unknown)} {'is' if len(self.unknown) == 1 else 'are'} not known on both sides")
        return ", and ".join(reasons)

    def _next_run(self) -> str:
        known = "Keep a manifest (<stem>_run.json) beside both runs that states " + _listed(self.unknown) if self.unknown else ""
        if len(self.candidates) > 1:
            first, *others = self.candidates
            separate = f"A run with {self.letter}'s {first} and A's {_listed(others)} would separate them"
            return f"{separate}. {known}." if known else f"{separate}."
        if self.candidates:
            return f"A run that repeats A with only {self.letter}'s {self.candidates[0]} would settle it. {known}."
        return f"A second run of A with the very same settings would show what chance alone does. {known}."


def differences(a: Run, b: Run, pairing: Pairing) -> Differences:
    """Compare everything that may move a score, in the order of the contract."""
    sides = _Sides(a, b, pairing)
    found: list[Change] = []
    unknown: list[str] = []
    for what in CAUSES:
        change, known = getattr(sides, what)()
        if change is not None:
            found.append(change)
        if not known:
            unknown.append(what)
    first, second = sides.values("repeats")
    if None not in (first, second) and first != second:
        found.append(Change("repeats", first, second))
    return Differences(tuple(found), tuple(unknown), pairing.letter)


Compared = tuple[Change | None, bool]
"""The change, if there is one, and whether enough is known on both sides to say so."""


class _Sides:
    """The two runs, one method for each thing that may differ."""

    def __init__(self, a: Run, b: Run, pairing: Pairing) -> None:
        self.a, self.b, self.pairing = a, b, pairing

    def values(self, key: str) -> tuple[Any, Any]:
        """A key of both provenances, from like sources: a name in a manifest and one in rows may be two names of one thing, so
        where the sources differ the rows of both speak. Settings have the same names everywhere."""
        kinds = [_kind(run.provenance["source"].get(key)) for run in (self.a, self.b)]
        if kinds[0] == kinds[1] or None in kinds or key in SETTINGS:
            return self.a.provenance.get(key), self.b.provenance.get(key)
        return self.a.observed_provenance.get(key), self.b.observed_provenance.get(key)

    def model(self) -> Compared:
        return _plain("model", *self.values("model"))

    def agent(self) -> Compared:
        """The agent by name, its tools, and the world it acts in (the simulated user, the harness's version)."""
        name, known = _plain("name", *self.values("agent"))
        world, world_known = _settings("environment", *self.values("environment"))
        aspects = [change for change in (name, self._tools()) if change is not None]
        found = {change.what: (change.a, change.b) for change in aspects}
        if world is not None:
            found |= {setting: (world.a[setting], world.b[setting]) for setting in world.a}
        stated = any(self.values("environment"))
        if not found:
            return None, known and (world_known or not stated)
        sides = [{aspect: pair[side] for aspect, pair in found.items()} for side in (0, 1)]
        a, b = (next(iter(side.values())) if len(side) == 1 and "name" in side else side for side in sides)
        return Change("agent", a, b), known and (world_known or not stated)

    def _tools(self) -> Change | None:
        if (change := self._run_wide("agent")) is not None:
            return Change("tools", change.a, change.b)
        first, second = self.values("tools")
        if first == second or (None in (first, second) and not self._both_asked()) or _counted(first) or _counted(second):
            return None
        return Change("tools", first or NO_TOOLS, second or NO_TOOLS)

    def prompt(self) -> Compared:
        if (change := self._run_wide("prompt")) is not None:
            return change, True
        first, second = self.values("prompt")
        if None in (first, second):
            return None, False
        if _counted(first) or _counted(second):  # prompts that vary with the task were compared task by task
            return None, bool(self.pairing.common.any())
        return (None if first == second else Change("prompt", first, second)), True

    def verifier(self) -> Compared:
        if (change := self._run_wide("verifier")) is not None:
            return change, True
        first, second = self.values("verifier")
        if first is None and second is None:
            versions = [run.provenance["environment"] or {} for run in (self.a, self.b)]
            commit = [version.get("version") for version in versions if isinstance(version, dict)]
            return None, len(commit) == 2 and commit[0] is not None and commit[0] == commit[1]
        return _plain("verifier", first, second)

    def dataset(self) -> Compared:
        """By the tasks themselves; a fingerprint counts where both manifests state one."""
        counts = self.pairing.counts
        first, second = self.a.provenance["dataset"], self.b.provenance["dataset"]
        stated = [self._stated_fingerprint(run) for run in (self.a, self.b)]
        if counts["only_a"] or counts["only_b"] or counts["redefined"] or (None not in stated and stated[0] != stated[1]):
            return Change("dataset", first, second), True
        if (change := self._run_wide("dataset")) is not None:
            return change, True
        return None, (None not in stated) or not self.pairing.undefined

    def sampling(self) -> Compared:
        first, second = self.values("sampling")
        return _settings("sampling", *(_without_limit(side) for side in (first, second)))

    def skills(self) -> Compared:
        first, second = (_skills(side) for side in self.values("skills"))
        return (None if first == second else Change("skills", first or NO_SKILLS, second or NO_SKILLS)), True

    def limits(self) -> Compared:
        first, second = self.values("limits")
        asked = self.values("sampling")
        sides = (_with_limit(limits, sampling) for limits, sampling in zip((first, second), asked, strict=True))
        return _settings("limits", *sides)

    def _run_wide(self, what: str) -> Change | None:
        """A part of the prompts that changed for the whole run."""
        parts = [part for part in sorted(self.pairing.run_wide.steps) if what_changed(part) == what]
        if not parts:
            return None
        values = [self.pairing.run_wide.values(part) for part in parts]
        return Change(what, *(", ".join(side) for side in zip(*values, strict=True)))

    def _both_asked(self) -> bool:
        """Whether the rows of both runs hold what was asked: then a part that is absent was not there."""
        return None not in (self.a.observed_provenance["prompt"], self.b.observed_provenance["prompt"])

    @staticmethod
    def _stated_fingerprint(run: Run) -> str | None:
        if run.provenance["source"].get("dataset") != "manifest":
            return None
        dataset = run.provenance["dataset"]
        stated = dataset.get("fingerprint") if isinstance(dataset, dict) else dataset
        return None if stated == run.observed_provenance["dataset"]["fingerprint"] else str(stated)


def shown(value: Any) -> str:
    """A value of a change in a few words."""
    if isinstance(value, dict):
        return ", ".join(f"{name} {inner}" for name, inner in value.items())
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _kind(source: str | None) -> str | None:
    return "rows" if source in ("rows", "inferred") else source


def _counted(value: Any) -> bool:
    """Whether provenance gives only the number of prompts or sets of tools, because they vary with the task."""
    return isinstance(value, str) and value.endswith((" system prompts", " sets of tools"))


def _plain(what: str, first: Any, second: Any) -> Compared:
    if first is None or second is None:
        return None, False
    return (None if first == second else Change(what, first, second)), True


def _settings(what: str, first: Any, second: Any) -> Compared:
    """Two sets of settings: those that both state are compared, one that only one side states is unknown."""
    if not isinstance(first, dict) or not isinstance(second, dict):
        return _plain(what, first or None, second or None)
    both = {name for name in first.keys() & second.keys() if None not in (first[name], second[name])}
    differing = sorted(name for name in both if first[name] != second[name])
    known = bool(both) and all(first.get(name) is None and second.get(name) is None for name in first.keys() ^ second.keys())
    if not differing:
        return None, known
    return Change(what, *({name: side[name] for name in differing} for side in (first, second))), known


def _without_limit(sampling: Any) -> Any:
    return {name: value for name, value in sampling.items() if name != TOKEN_LIMIT} if isinstance(sampling, dict) else sampling


def _with_limit(limits: Any, sampling: Any) -> Any:
    """The limits with that on tokens, which is asked for along with the sampling."""
    tokens = {TOKEN_LIMIT: sampling[TOKEN_LIMIT]} if isinstance(sampling, dict) and sampling.get(TOKEN_LIMIT) is not None else {}
    return tokens | limits if isinstance(limits, dict) else limits or tokens


def _skills(value: Any) -> Any:
    return value.get("hash") or value.get("path") if isinstance(value, dict) else value


def _listed(names: Any) -> str:
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else str(last)
