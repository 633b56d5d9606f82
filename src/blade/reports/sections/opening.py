"""Executive summary and artifact inventory: what came out, what it was read from."""

from typing import Any

from blade.reports.citations import Cite, Document
from blade.reports.effects import frequency, gain, undecided, weak_checks
from blade.reports.failures import failures_paragraph
from blade.reports.task_story import quoted_evidence
from blade.reports.wording import (
    bullets,
    capital,
    clause,
    count,
    interval,
    joined,
    listed,
    name,
    percent,
    place,
    plural,
    scored_repeats,
    sentence,
    share,
    shown,
    table,
    words,
)

TOP_MODES = 3
MOST_CHECKS = 4
UNDECIDED = 600
MOST_LUCK = 5
MOST_TOOLS = 20
MOST_PROBLEMS = 12


def executive_summary(document: Document, cite: Cite) -> list[str]:
    blocks = [_score(document, cite), _trust(document), *failures_paragraph(document, cite)]
    modes = document.get("modes") or []
    failed = document["denominator"].get("failed")
    if failed == 0:
        blocks.append("**Why rollouts fail.** None of the scored rollouts failed: there is nothing to explain.")
    elif not document["denominator"]["scored"]:
        blocks.append("**Why rollouts fail.** Nothing is scored, so there are no failure modes: the attempts themselves failed.")
    elif failed is None:
        blocks.append("**Why rollouts fail.** Without a pass rule no rollout counts as failed, so there are no failure modes.")
    elif not modes:
        blocks.append(f"**Why rollouts fail.** No failure mode was found in the {plural(failed, 'failed rollout')}.")
    else:
        blocks.append(f"**Why rollouts fail.** {_leading(modes)}")
        blocks.append(bullets(_mode_line(document, mode, cite) for mode in modes[:TOP_MODES]))
    if first := next(iter(document.get("interventions") or []), None):
        said = gain(first.get("gain"), cite(f"intervention.{first['id']}.gain"), subject="It")
        blocks.append(f"**What to do first.** {sentence(first['title'])} {said}")
    if luck := document.get("luck"):
        blocks.append(f"**Passes by luck.** {_luck(luck, document, cite)}")
    if failed:
        blocks.append(f"**Not explained.** {unexplained(document, cite)}")
    if limits := document.get("limits"):
        more = f" {plural(len(limits) - 1, 'further limit')} in the reproducibility notes." if len(limits) > 1 else ""
        blocks.append(f"**What could not be told.** {sentence(limits[0])}{more}")
    return blocks


def _score(document: Document, cite: Cite) -> str:
    first, counts, rule = document["metrics"]["pass_at_1"], document["denominator"], document["pass_rule"]
    scored = counts["scored"]
    if not scored:
        lost = f"{count(counts['errored'])} errored and {count(counts['missing'])} missing"
        return f"**Score.** There is none: of {plural(counts['expected'], 'expected rollout')} none is scored, {lost}.{cite('expected', 'scored')}"
    if first["value"] is None:
        mean = document["metrics"]["mean_reward"]
        spread = f" {interval(mean['ci'], of='{:.4g}'.format)}" if mean["ci"] else ""
        value = "unknown (the sum is beyond all range)" if mean["value"] is None else f"{mean['value']:.4g}"
        return (
            f"**Score.** No pass rule fits these rewards; the mean reward is {value}{spread} over "
            f"{plural(first['tasks'], 'task')} and {plural(scored, 'scored rollout')}.{cite('mean_reward')} "
            "`--pass-threshold X` decides what passes, and only then are there buckets, modes and causes."
        )
    spread = f" {interval(first['ci'])}" if first["ci"] else ""
    method = "95 % interval over tasks" if first["ci"] else "no interval from one task"
    text = (
        f"**Score.** pass@1 is {percent(first['value'])}{spread} ({method}) over {plural(first['tasks'], 'task')}: "
        f"{share(counts['passed'], scored, 'scored rollouts')} passed and {count(counts['failed'])} failed."
        f"{cite('pass_at_1', 'pass_at_1.ci', 'failed')}"
    )
    buckets = document["headline"]["buckets"]
    if (document["repeats"]["max"] or 0) > 1:
        text += (
            f" {plural(buckets['always'], 'task')} always {'passes' if buckets['always'] == 1 else 'pass'}, {count(buckets['sometimes'])} sometimes, "
            f"{count(buckets['never'])} never.{cite('bucket.always', 'bucket.sometimes', 'bucket.never')}"
        )
    else:
        text += " Each task was tried once, so a stable failure cannot be told from a chance one."
    if rule["kind"] == "full_reward":
        text += " Rewards between 0 and 1 occur; only a full reward counts as a pass here."
    lacking = counts["errored"] + counts["missing"]
    if lacking:
        text += f" {share(lacking, counts['expected'], 'expected rollouts')} {'has' if lacking == 1 else 'have'} no score.{cite('missing')}"
    return text


def _trust(document: Document) -> str:
    health = document.get("health")
    if not health:
        return "**Can it be trusted?** The health checks were not run; `blade health` runs them."
    checks, poor, unknown = health["checks"], weak_checks(document), undecided(document)
    rest = f"; {shown(unknown, UNDECIDED)}" if unknown else ""
    if not poor:
        how = "Healthy as far as the artifacts tell" if rest else "Healthy"
        return f"**Can it be trusted?** {how}: none of the {len(checks)} checks warns{rest}."
    named = "; ".join(
        f"{words(check['code'])} {'fails' if check['status'] == 'fail' else 'warns'} ({clause(check['message'], 220)})"
        for check in poor[:MOST_CHECKS]
    )
    more = f"; and {len(poor) - MOST_CHECKS} more under aggregate results" if len(poor) > MOST_CHECKS else ""
    return f"**Can it be trusted?** The run is {shown(health['verdict'])}: {named}{more}{rest}."


def _leading(modes: list[dict[str, Any]]) -> str:
    if len(modes) == 1:
        return "One failure mode was found:"
    return f"The first {TOP_MODES} of {len(modes)} failure modes:" if len(modes) > TOP_MODES else f"{len(modes)} failure modes:"


def _mode_line(document: Document, mode: dict[str, Any], cite: Cite) -> str:
    example = next(iter(mode.get("examples") or []), None)
    seen = (
        f" As in {place(example['rollout'], example['step'])}: {quoted_evidence(example, mode.get('code'), 120)}."
        if example
        else ""
    )
    effect = gain(mode.get("gain"), cite(f"mode.{mode['id']}.gain"))
    return f"**{capital(clause(mode['title']))}** ({shown(mode['label'])}). {frequency(document, mode, cite)} {effect}{seen}"


def _luck(luck: list[dict[str, Any]], document: Document, cite: Cite) -> str:
    rollouts = dict.fromkeys(item["rollout"] for item in luck)
    kinds: dict[str, dict[str, None]] = {}
    for item in luck:
        kinds.setdefault(item["code"], {})[item["rollout"]] = None
    named = "; ".join(
        f"{words(code)} ({listed(whose, MOST_LUCK)})" for code, whose in sorted(kinds.items(), key=lambda kind: -len(kind[1]))
    )
    went = "passes" if len(rollouts) == 1 else "pass"
    passed = share(len(rollouts), document["denominator"].get("passed"), "passing rollouts")
    return f"{passed} {went} through an error, a guess or a lenient verifier: {named}."


def unexplained(document: Document, cite: Cite) -> str:
    found, failed = document.get("unexplained") or {}, document["denominator"].get("failed")
    number = found.get("rollouts")
    if number is None:
        return "How many failed rollouts no mode covers was not counted."
    if not number:
        every = "The only failed rollout" if failed == 1 else f"Every one of the {failed:,} failed rollouts"
        return f"{every} is in a failure mode.{cite('unexplained')}"
    tasks = [task["task"] for task in document.get("tasks") or () if (task.get("cause") or {}).get("label") == "unknown"]
    where = f" No cause is given for {'task' if len(tasks) == 1 else 'tasks'} {listed(tasks, 12)}." if tasks else ""
    backed = ""
    if found.get("backed_rollouts") is not None:
        number_backed = found["backed_rollouts"]
        held = (
            f"{share(number_backed, failed, 'failed rollouts')} {_are(number_backed)}"
            if number_backed
            else "No failed rollout is"
        )
        backed = f" {held} in a mode that is backed: by calls that differ from the expected ones, or by a lift that chance does not explain.{cite('unbacked')}"
    return f"{share(number, failed, 'failed rollouts')} {_are(number)} in no failure mode.{cite('unexplained')}{backed}{where}"


def _are(amount: int) -> str:
    return "is" if amount == 1 else "are"


def artifact_inventory(document: Document, cite: Cite) -> list[str]:
    present = [item for item in document["inventory"] if item["state"] != "missing"]
    missing = [item["kind"].replace("_", " ") for item in document["inventory"] if item["state"] == "missing"]
    rows = [
        (
            shown(item["kind"].replace("_", " ")),
            name(item["path"]),
            shown(item["state"]),
            count(item["rows"]),
            shown(item["note"] or ""),
        )
        for item in present
    ]
    blocks = [table(("artifact", "path", "state", "rows", "note"), rows, "   r")]
    if missing:
        blocks.append(f"Not given: {joined([shown(kind) for kind in missing])}.")
    blocks.append(bullets(_accounting(document, cite)))
    blocks += _tools(document)
    blocks += _learned(document)
    problems = document.get("problems") or []
    if problems:
        total = len(problems) + (document.get("problems_not_listed") or 0)
        blocks.append(f"{plural(total, 'problem')} while reading:")
        lines = []
        for problem in problems[:MOST_PROBLEMS]:
            at = f", line {problem['line']:,}" if problem.get("line") else ""
            lines.append(f"{words(problem['code'])}{at}: {clause(problem['message'], 240)}")
        blocks.append(bullets(lines))
        if total > MOST_PROBLEMS:
            blocks.append(f"{total - MOST_PROBLEMS:,} more in diagnosis.json and in `blade inspect`.")
    return blocks


def _accounting(document: Document, cite: Cite) -> list[str]:
    counts, identity, rule = document["denominator"], document["identity"], document["pass_rule"]

    def parts(*names: str) -> str:
        known = [f"{counts[part]:,} {part.replace('_rows', '')}" for part in names if counts.get(part) is not None]
        return " + ".join(known)

    settled = ("passed", "failed") if counts.get("passed") is not None else ("scored",)
    source = {"observed": "no plan was given, so nothing can be known to be missing"}.get(
        counts["expected_source"], f"plan from {counts['expected_source']}"
    )
    lines = [
        f"Lines: {counts['lines']:,} = {parts('rows', 'malformed', 'blank')}. "
        f"Rows: {counts['rows']:,} = {parts('scored', 'errored_rows', 'duplicate', 'conflicting', 'unexpected')}.",
        f"Expected rollouts: {counts['expected']:,} = {parts(*settled, 'errored', 'missing')} ({source}).{cite('expected')}",
    ]
    field = name(identity["task_field"]) if identity.get("task_field") else "the hash of the prompt"
    guess = " (inferred)" if identity.get("inferred") else ""
    each = scored_repeats(document["repeats"], document["headline"]["buckets"]["missing"])
    lines.append(f"A task is named by {field}{guess}; {plural(document['task_count'], 'task')}, {each}.")
    if rule["kind"] == "none":
        lines.append("Pass rule: none fits the rewards." if counts["scored"] else "Pass rule: none, as there are no rewards.")
    else:
        lines.append(
            f"Pass rule: a reward of at least {rule['threshold']:g} passes ({shown(rule['kind'])}, from {shown(rule['source'])})."
        )
    return lines


def _learned(document: Document) -> list[str]:
    """What no name tells and the rows themselves showed, with the tasks that support it."""
    learned = document.get("learned_fields") or []
    if not learned:
        return []
    rows = [
        (name(one["field"]), shown(one["meaning"]), f"{one['agreeing']} of {one['tasks']}", clause(one["why"], 160))
        for one in learned
    ]
    said = (
        "Where these rows keep some things no name tells; it was learned from how fields behave over tasks and repeats, "
        "and `skill/blade.yaml` overrides it."
    )
    return [said, table(("field", "taken for", "tasks that agree", "why"), rows, "  r ")]


def _tools(document: Document) -> list[str]:
    tools = document.get("tools") or []
    if not tools:
        return []
    changes = [tool for tool in tools if tool["kind"] == "change"]
    reads = sum(tool["kind"] == "read" for tool in tools)
    rest = len(tools) - len(changes) - reads
    rows = [
        (
            name(tool["name"]),
            shown(tool["kind"]),
            count(tool.get("calls")),
            count(tool.get("errors")),
            clause(tool.get("reason") or "", 160),
        )
        for tool in sorted(tools, key=lambda tool: (tool["kind"] != "change", -(tool.get("calls") or 0), tool["name"]))[
            :MOST_TOOLS
        ]
    ]
    unclear = f", {rest} unclear" if rest else ""
    more = f" The first {MOST_TOOLS} are listed." if len(tools) > MOST_TOOLS else ""
    said = (
        f"Of {plural(len(tools), 'tool')}, {len(changes)} change state and {reads} only read{unclear}; this was learned from the run, "
        f"and `skill/blade.yaml` overrides it.{more}"
    )
    return [said, table(("tool", "kind", "calls", "errors", "why"), rows, "  rr")]
