"""Interventions: what to do next, ranked, each with the run that would show whether it worked.

Modes that share a fix (`fixes`) become one intervention. What puts the score itself in doubt (data, infrastructure, verifier) comes
first where it touches more than `DOUBT` of the rollouts; the rest is ranked by its gain, else by the middle of its bounds, and by
confidence. The largest of many estimates is too large, so what is ranked by is the estimate on the tasks that did not serve to find the
mode, or one drawn towards the others' (`stats.gain_ranking`). An estimate of 0 or less is no reason to change anything, and is left out.
Where most failures were tried once and are wrong answers or failed checks and no more, to measure them again comes before what adds less than a point.
What left rollouts without a score (`failed_attempts`) has no gain to be estimated, and is ranked by the share of the rollouts that it cost.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from blade import stats
from blade.diagnosis.confirmation import command, repeats_needed
from blade.diagnosis.failed_attempts import failure_interventions
from blade.diagnosis.fixes import LOOK_UP_WHAT_IS_NEEDED, REPEAT, RERUN, Fix, fix_of
from blade.diagnosis.naming import Names, names_of
from blade.diagnosis.skill import Skill
from blade.sentences import plural
from blade.signals.behaviour.action_reasons import BY_USER
from blade.signals.labels import PLUMBING

DOUBT: Final = 0.05
"""Share of the rollouts from which on faulty data, machinery or verifiers put the whole score in doubt; one odd gold in fifty tasks does not."""
A_POINT: Final = 0.01
MOST_EVIDENCE: Final = 4
MOST_TOLD: Final = 3
MOST_NAMED: Final = 6
UNSURE: Final = 0.25
BACKED: Final = 0.5
"""Confidence where no cause speaks for a mode: on its own, and backed by an action mismatch or a lift."""
NO_GAIN: Final[dict[str, Any]] = {"lower": None, "estimate": None, "upper": None, "ci": None}
NOT_RANKED: Final[dict[str, Any]] = {"value": None, "by": None}
Z: Final = 1.959964

Tasks = Mapping[str, Mapping[str, Any]]
UnionGain = Callable[[Sequence[str]], Mapping[str, Any]]


@dataclass
class Group:
    """The modes (and findings about the verifier) that one fix answers."""

    fix: Fix
    names: Names
    modes: list[Mapping[str, Any]] = field(default_factory=list)
    findings: list[Mapping[str, Any]] = field(default_factory=list)

    @property
    def ids(self) -> list[str]:
        return [mode["id"] for mode in self.modes]

    @property
    def reach(self) -> int:
        """Tasks with a rollout that carries one of its modes, as far as counts tell."""
        return max([len(self.tasks), *map(_task_count, self.modes)])

    @property
    def tasks(self) -> list[str]:
        """The tasks that it touches, those of the largest mode first."""
        listed = [task for found in (*self.modes, *self.findings) for task in _listed(found)]
        return list(dict.fromkeys(listed))


def _task_count(found: Mapping[str, Any]) -> int:
    tasks = found.get("tasks")
    return tasks if isinstance(tasks, int) else len(_listed(found))


def _listed(found: Mapping[str, Any]) -> Sequence[str]:
    tasks = found.get("tasks_listed", found.get("tasks"))
    return tasks if isinstance(tasks, list | tuple) else ()


def interventions(
    diagnosis: Mapping[str, Any], *, union_gain: UnionGain | None = None, skill: Skill | None = None
) -> list[dict[str, Any]]:
    """The interventions of a diagnosis, ranked. `union_gain` gives the gain of fixing several modes at once (gains do not add)."""
    groups = _groups(diagnosis, _own_fixes(skill))
    tasks = {task["task"]: task for task in diagnosis.get("tasks") or ()}
    told = [_intervention(group, diagnosis, tasks, union_gain) for group in groups] + failure_interventions(diagnosis)
    worth = [one for one in told if one["gain"]["estimate"] is None or one["gain"]["estimate"] > 0 or one["doubt"]]
    _rank(worth)
    again = {group.fix.name for group in groups if group.fix.name == REPEAT.name and _most_failures(group, diagnosis)}

    def worth_of(one: Mapping[str, Any]) -> float:
        return max(float(one["ranking"]["value"]), A_POINT if one["id"] in again else 0.0)

    worth.sort(key=lambda one: (not one["doubt"], -worth_of(one), -one["confidence"], one["id"]))
    for rank, one in enumerate(worth, 1):
        one["rank"] = rank
    return worth


def _most_failures(group: Group, diagnosis: Mapping[str, Any]) -> bool:
    """Whether most of what failed was tried once and no more is known of it: then to repeat it comes before what adds hardly anything."""
    failed = (diagnosis.get("denominator") or {}).get("failed") or 0
    return 2 * sum(mode.get("failed_rollouts") or 0 for mode in group.modes) > failed > 0


def _rank(told: Sequence[dict[str, Any]]) -> None:
    """Settle what each is ranked by: the held-out estimate, else the estimate drawn towards the others', else the middle of the bounds."""
    estimated = [one for one in told if one["gain"]["estimate"] is not None]
    drawn = stats.shrunken([one["gain"]["estimate"] for one in estimated], [_deviation(one["gain"]) for one in estimated])
    for one, value in zip(estimated, drawn.tolist(), strict=True):
        if one["ranking"]["by"] != "held_out":
            one["ranking"] = {"value": value, "by": "shrunken"}
    for one in told:
        if one["ranking"]["value"] is None:
            one["ranking"] = {"value": _size(one["gain"]), "by": "bounds" if one["gain"]["estimate"] is None else "estimate"}


def _deviation(gain: Mapping[str, Any]) -> float:
    """The standard deviation of an estimate, as its interval tells it."""
    return 0.0 if gain.get("ci") is None else (gain["ci"][1] - gain["ci"][0]) / (2 * Z)


def _size(gain: Mapping[str, Any]) -> float:
    """The estimate, else the middle of its bounds."""
    if gain.get("estimate") is not None:
        return float(gain["estimate"])
    return ((gain.get("lower") or 0.0) + (gain.get("upper") or 0.0)) / 2


def _own_fixes(skill: Skill | None) -> dict[str, Fix]:
    """What the labels of a `blade.yaml` say about their own fixes; else their meaning, for want of more."""
    found = {}
    for label in () if skill is None else skill.labels:
        usual = fix_of(label.code, label.label, label.meaning)
        said = label.fix.replace("{", "{{").replace("}", "}}")
        found[label.code] = usual._replace(family=label.family or usual.family, title=said or usual.title)
    return found


def _groups(diagnosis: Mapping[str, Any], own: Mapping[str, Fix]) -> list[Group]:
    groups: dict[tuple[str, str], Group] = {}

    def group_of(code: str, label: str, found: Mapping[str, Any]) -> Group:
        unnamed = code == "lookup_skipped" and not found.get("subject")
        fix = own.get(code) or (LOOK_UP_WHAT_IS_NEEDED if unnamed else fix_of(code, label))
        names = names_of(code, found, diagnosis)
        key = fix.name, names.one(fix.by) if fix.by else ""
        known = groups.get(key)
        if known is None:
            return groups.setdefault(key, Group(fix, names))
        known.names = known.names.joined(names)
        return known

    for mode in diagnosis.get("modes") or ():
        group_of(mode.get("code") or mode["signal"], mode["label"], mode).modes.append(mode)
    told = {mode.get("code") or mode["signal"] for mode in diagnosis.get("modes") or ()}
    covered = {task for mode in diagnosis.get("modes") or () if mode["label"] == "TI" for task in _listed(mode)}
    for finding in diagnosis.get("verifier_health") or ():
        if finding["code"] not in told and not covered.issuperset(_listed(finding)):
            group_of(finding["code"], "TI", finding).findings.append(finding)
    return list(groups.values())


def _intervention(group: Group, diagnosis: Mapping[str, Any], tasks: Tasks, union_gain: UnionGain | None) -> dict[str, Any]:
    gain, ranking = _gain(group, union_gain)
    again = group.fix.confirm == RERUN  # the same outputs, verified again, need no repeats
    repeats = repeats_needed(gain["estimate"], group.reach, group.tasks, tasks) if again else None
    if repeats is not None:  # fewer than the run before would leave the two hard to compare
        repeats = max(repeats, (diagnosis.get("repeats") or {}).get("mode") or 1)
    words = group.names.words()
    return {
        "id": f"{group.fix.name}.{group.names.one(group.fix.by)}" if group.fix.by else group.fix.name,
        "rank": 0,
        "family": group.fix.family,
        "title": group.fix.title.format_map(words),
        "detail": " ".join([group.fix.detail.format_map(words), *_by_user(group), *_reach(group, diagnosis)]),
        "modes": group.ids,
        "tasks": group.tasks,
        "gain": gain,
        "ranking": ranking,
        "confidence": _confidence(group, tasks),
        "doubt": _doubt(group, diagnosis),
        "confirm": {
            "command": command(group.fix.confirm, repeats, diagnosis),
            "repeats": repeats,
            "read": _read(group, diagnosis),
        },
        "evidence": _evidence(group),
    }


def _gain(group: Group, union_gain: UnionGain | None) -> tuple[dict[str, Any], dict[str, Any]]:
    """The gain of the group's modes together, and what to rank it by as far as is known yet."""
    gains = [mode["gain"] for mode in group.modes if mode.get("gain")]
    if not gains or group.fix.name == REPEAT.name:  # to measure again tells more and adds nothing
        return dict(NO_GAIN), dict(NOT_RANKED)
    if len(gains) == 1:
        ranked = next(mode for mode in group.modes if mode.get("gain")).get("ranking") or NOT_RANKED
        return {name: gains[0].get(name) for name in NO_GAIN}, dict(ranked)
    if union_gain is not None:
        found = union_gain(group.ids)
        return {name: found.get(name) for name in NO_GAIN}, dict(found.get("ranking") or NOT_RANKED)
    # Without the union: at least the largest, at most all of them together.
    largest = max(gains, key=_size)
    uppers = [gain["upper"] for gain in gains if gain.get("upper") is not None]
    whole = {name: largest.get(name) for name in NO_GAIN} | {"upper": min(1.0, sum(uppers)) if uppers else None}
    return whole, dict(NOT_RANKED)


def _by_user(group: Group) -> Iterator[str]:
    """What an agent cannot do itself and has to ask of the user, of the calls that were never made."""
    theirs = [
        str(mode.get("subject"))
        for mode in group.modes
        if mode.get("examples") and all(BY_USER in str(one.get("detail")) for one in mode["examples"])
    ]
    if theirs:
        yield f"The user was to make {', '.join(theirs[:MOST_NAMED])}: there the agent has to ask for it, and to go on until it is done."


def _reach(group: Group, diagnosis: Mapping[str, Any]) -> Iterator[str]:
    """How far it reaches, with its denominator, and what clusters say about where it comes from."""
    failed = (diagnosis.get("denominator") or {}).get("failed")
    for mode in group.modes[:MOST_TOLD]:
        hit = mode.get("failed_rollouts")
        if hit is not None and failed:
            yield f"{hit:,} of {failed:,} failed rollouts: {mode['title']}."
    if len(group.modes) > MOST_TOLD:
        yield f"{plural(len(group.modes) - MOST_TOLD, 'more mode')} like these."
    yield from (f"{finding['message'].rstrip('.')}." for finding in group.findings[:2] if finding.get("message"))
    codes = {mode.get("code") or mode["signal"] for mode in group.modes}
    clusters = [cluster for cluster in diagnosis.get("clusters") or () if cluster.get("code") in codes and cluster.get("message")]
    yield from (f"{cluster['message'].rstrip('.')}." for cluster in clusters[:2])


def _confidence(group: Group, tasks: Tasks) -> float:
    """The mean confidence of the causes that its modes give their tasks; where they give none, how well the modes are backed."""
    codes = {mode.get("code") or mode["signal"] for mode in group.modes} | {finding["code"] for finding in group.findings}
    causes = [cause for task in group.tasks if (cause := tasks.get(task, {}).get("cause"))]
    subjects = {mode.get("subject") for mode in group.modes} - {None, ""}
    of_these = [cause for cause in causes if cause.get("code") in codes or cause.get("subject") in subjects]
    said = [cause["confidence"] for cause in of_these if cause.get("confidence") is not None]
    if said:
        mean = round(float(sum(said)) / len(said), 4)
        return min(mean, BACKED) if group.modes and all(_measured_without_effect(mode) for mode in group.modes) else mean
    return BACKED if any(mode.get("backed") for mode in group.modes) else UNSURE


def _measured_without_effect(mode: Mapping[str, Any]) -> bool:
    """Whether the repeats were asked what a mode costs, and could not tell it from nothing; no mismatch speaks for it either."""
    interval = mode.get("lift_ci")
    return interval is not None and interval[0] <= 0 and not mode.get("backed")


def _doubt(group: Group, diagnosis: Mapping[str, Any]) -> bool:
    """Whether the score itself cannot be read before this is mended."""
    scored = (diagnosis.get("denominator") or {}).get("scored") or 0
    suspect = max(
        (mode.get("failed_rollouts") or 0 for mode in group.modes if mode["label"].split("+")[0] in PLUMBING), default=0
    )
    suspect += max((finding.get("rollout_count") or len(finding.get("rollouts") or ()) for finding in group.findings), default=0)
    return bool(scored) and suspect > DOUBT * scored


def _read(group: Group, diagnosis: Mapping[str, Any]) -> str | None:
    return command("read", None, diagnosis, group.tasks[0]) if group.tasks else None


def _evidence(group: Group) -> list[dict[str, Any]]:
    """Examples from its modes in turn, so that each is seen."""
    lists = [list(found.get("examples") or found.get("evidence") or ()) for found in (*group.modes, *group.findings)]
    turns = [examples[number] for number in range(MOST_EVIDENCE) for examples in lists if number < len(examples)]
    return [{name: one.get(name) for name in ("rollout", "step", "quote", "redacted")} for one in turns[:MOST_EVIDENCE]]
