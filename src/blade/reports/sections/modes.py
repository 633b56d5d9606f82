"""Dominant failure modes: what failing rollouts have in common, how it compares with passing ones, and what nothing explains."""

from typing import Any

from blade.reports import wording as say
from blade.reports.citations import Cite, Document
from blade.reports.effects import frequency, gain, lift, mode_names, short_failed, short_gain, short_lift
from blade.reports.sections.opening import unexplained
from blade.reports.task_story import evidence_line

MOST_IN_TABLE = 20
MOST_CITED = 100
MOST_IN_DETAIL = 8
MOST_EXAMPLES = 4
MOST_TASKS = 12
MOST_LUCK = 12
MOST_CLUSTERS = 8


def dominant_failure_modes(document: Document, cite: Cite) -> list[str]:
    failed, modes = document["denominator"].get("failed"), document.get("modes") or []
    if failed is None:
        return ["Without a pass rule no rollout counts as failed: give `--pass-threshold X`."]
    if not failed:
        return ["No scored rollout failed.", *_luck(document, cite)]
    if not modes:
        none = "The only failed rollout could not" if failed == 1 else f"None of the {failed:,} failed rollouts could"
        return [f"{none} be assigned to a mode.", *_clusters(document, cite)]
    listed = _listed(document, modes)
    blocks = [_table(document, listed, cite)]
    if len(modes) > len(listed):
        blocks.append(f"{say.plural(len(modes) - len(listed), 'smaller mode is', 'smaller modes are')} in diagnosis.json.")
    blocks.append(
        "A rollout may be in several modes, so the rows do not add up; lift and gain are in points of the score, "
        "lift between repeats of the same task, gain at most about what fixing the mode could add. They stand in the order of the failed "
        "rollouts that each explains best, and each of those is counted there once."
    )
    if _once(document):
        blocks.append(
            "Each task was scored once, so no lift can be told: whether a mode makes rollouts fail or goes with hard tasks stays open."
        )
    for mode in modes[:MOST_IN_DETAIL]:
        blocks += _mode(document, mode, cite)
    blocks += ["### What no mode explains", unexplained(document, cite)]
    return [*blocks, *_luck(document, cite), *_clusters(document, cite)]


def _listed(document: Document, modes: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The first modes, and those that what is advised goes back to: a name in the report can be looked up there."""
    cited = {mode for item in document.get("interventions") or () for mode in item.get("modes") or ()}
    return modes[:MOST_IN_TABLE] + [mode for mode in modes[MOST_IN_TABLE:MOST_CITED] if mode["id"] in cited]


def _table(document: Document, modes: list[dict[str, Any]], cite: Cite) -> str:
    names = mode_names(document)
    rows = [
        (
            names[mode["id"]],
            say.shown(mode["label"]),
            say.clause(mode["title"], 160),
            short_failed(document, mode),
            say.count(mode["tasks"]),
            say.percent(mode.get("share_of_loss")),
            short_lift(mode),
            short_gain(mode.get("gain")) + cite(f"mode.{mode['id']}.gain"),
        )
        for mode in modes
    ]
    return say.table(("", "label", "mode", "failed rollouts", "tasks", "share of the loss", "lift", "gain"), rows, "   rrrrr")


def _mode(document: Document, mode: dict[str, Any], cite: Cite) -> list[str]:
    blocks = [
        f"### {mode_names(document)[mode['id']]} · {say.capital(say.clause(mode['title'], 160))} · {say.label(mode['label'])}"
    ]
    about = [say.sentence(mode["why"])] if mode.get("why") else []
    worth = gain(mode.get("gain"), cite(f"mode.{mode['id']}.gain"), explain=mode.get("lift") is not None)
    about += [frequency(document, mode, cite), lift(mode, cite, once=_once(document)), worth]
    blocks.append(" ".join(part for part in about if part))
    if examples := mode.get("examples"):
        blocks.append(say.bullets(evidence_line(item, mode.get("code")) for item in examples[:MOST_EXAMPLES]))
    if tasks := _tasks(document, mode):
        named = say.listed(tasks, MOST_TASKS, of=mode["tasks"])
        blocks.append(f"{'Task' if mode['tasks'] == 1 else 'Tasks'}: {named}. In diagnosis.json: {say.name(mode['id'], 160)}.")
    return blocks


def _tasks(document: Document, mode: dict[str, Any]) -> list[str]:
    """The tasks that it explains, then those that show it beside another cause, as far as the document tells their repeats."""
    found = dict.fromkeys(mode.get("tasks_listed") or ())
    if found and len(found) < mode["tasks"]:
        kind = (mode.get("code"), mode.get("subject") or "")
        for task in document.get("tasks") or ():
            seen = (finding for repeat in task.get("repeats") or () for finding in repeat.get("findings") or ())
            if any((one["code"], one.get("subject") or "") == kind for one in seen):
                found[task["task"]] = None
    return list(found)


def _once(document: Document) -> bool:
    return (document["repeats"]["max"] or 0) < 2


def _luck(document: Document, cite: Cite) -> list[str]:
    luck = document.get("luck") or []
    if not luck:
        return []
    rollouts = len({item["rollout"] for item in luck})
    lines = []
    for item in luck[:MOST_LUCK]:
        seen = f" {say.quoted(item['quote'], 140)}." if item.get("quote") else ""
        lines.append(
            f"{say.place(item['rollout'], item['step'])} ({say.words(item['code'])}): {say.clause(item['why'], 400)}.{seen}"
        )
    said = (
        f"{say.share(rollouts, document['denominator'].get('passed'), 'passing rollouts')} {'passes' if rollouts == 1 else 'pass'} through an error, a guess or a lenient "
        f"verifier; the score counts {'it' if rollouts == 1 else 'them'}, the behaviour it is meant to measure is not there."
    )
    more = [f"{len(luck) - MOST_LUCK} more in diagnosis.json."] if len(luck) > MOST_LUCK else []
    return ["### Passes that were luck", said, say.bullets(lines), *more]


def _clusters(document: Document, cite: Cite) -> list[str]:
    clusters = document.get("clusters") or []
    if not clusters:
        return []
    lines = []
    for item in clusters[:MOST_CLUSTERS]:
        said = say.sentence(item["message"], 300) if item.get("message") else _cluster(item)
        lines.append(said)
    more = [f"{len(clusters) - MOST_CLUSTERS} more in diagnosis.json."] if len(clusters) > MOST_CLUSTERS else []
    return ["### Where failures cluster", say.bullets(lines), *more]


def _cluster(item: dict[str, Any]) -> str:
    p = item.get("p_adjusted")
    tested = "" if p is None else f", adjusted p {'below 0.001' if p < 0.001 else f'{p:.3f}'}"
    return (
        f"{say.words(item['code'])} by {say.shown(item['by'])} {say.name(item['value'], 60)}: {say.share(item['hit'], item['of'])}, elsewhere "
        f"{say.share(item['rest_hit'], item['rest_of'])}{tested}."
    )
