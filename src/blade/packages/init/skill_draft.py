"""A SKILL.md drafted from runs: what their rows, stages and failure modes show, with marks where somebody has to say the rest."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from blade.packages.frontmatter import LONGEST_NAME
from blade.packages.placeholders import DRAFT_MARK, EDIT_MARK
from blade.packages.row_fields import Field, row_fields, sample_rows
from blade.reports import wording as say
from blade.reports.markdown import HEADINGS
from blade.runs.run import Run
from blade.untrusted.escapes import one_line
from blade.untrusted.quotes import quote

Document = Mapping[str, Any]
MOST_FIELDS: Final = 40
MOST_MODES: Final = 12
LONGEST_PROMPT: Final = 400
PROMPT: Final = "responses_create_params"
_KNOWN: Final = {
    PROMPT: "what the model was asked: `input` (messages), `tools`, sampling",
    "response": "what it did: `output` in steps, `usage`, `status`, `error`",
    "agent_ref": "which agent ran it",
}
_OF_REPORT: Final = (
    "score with its interval, whether it can be trusted, the leading failure modes, what to do first",
    "every file that was read, what is missing, where every row went",
    "pass@1, pass@k, consistency, coverage, each over so many tasks",
    "each stage with count, share and loss",
    "always, sometimes, never, missing: counts and task ids",
    "each mode with label, failed rollouts, tasks, share of the loss, examples with quotes",
    "passing and failing repeats of one task side by side, where they part",
    "what was tried, the evidence for the cause, the strongest alternative",
    "against the other runs of the package, on common tasks",
    "the change, the gain it could bring, how to confirm it",
    "commands, versions, limits, what could not be checked",
)


def skill_name(benchmark: str) -> str:
    """A name by the rules of Agent Skills."""
    slug = re.sub(r"[^a-z0-9]+", "-", benchmark.casefold()).strip("-")
    return f"{slug[: LONGEST_NAME - 9].strip('-') or 'benchmark'}-analysis"


def skill_draft(benchmark: str, runs: Sequence[tuple[str, Run, Document]]) -> str:
    """`runs` are the package's, each with its file within the package and its diagnosis; the first one is described."""
    path, run, document = runs[0]
    name = one_line(benchmark, 80)
    plain = re.sub(r"[^\w .()-]", " ", name)
    blocks = [
        "\n".join(
            (
                "---",
                f"name: {skill_name(benchmark)}",
                f"description: How to read the rollouts of {plain}, find why tasks fail, and report it. Use it when a run of this benchmark",
                "  is to be analysed or two of its runs are to be compared.",
                "---",
            )
        ),
        f"{DRAFT_MARK}, made from {say.plural(len(runs), 'run')}. Read it against the data, correct it, and delete this line. -->",
        f"# Reading {say.name(name)}",
        *_overview(run, document),
        *_schema(run, document),
        *_funnel(document),
        *_taxonomy(document),
        *_workflow(path, runs),
        *_template(),
    ]
    return "\n\n".join(blocks) + "\n"


def _overview(run: Run, document: Document) -> Iterator[str]:
    yield "## Overview"
    repeats, rule = document["repeats"], document["pass_rule"]
    yield f"{say.plural(document['task_count'], 'task')}, {say.plural(repeats['mode'] or 0, 'scored repeat')} of each in most cases."
    prompt = next((text for row in sample_rows(run) if (text := _asked(row))), "")
    if prompt:
        yield f"A task reads like this: {say.quoted(quote(prompt, LONGEST_PROMPT))}"
    tools = [f"{say.name(tool['name'])} ({say.shown(tool['kind'])})" for tool in document.get("tools") or ()]
    if tools:
        yield f"Tools that are called, and whether they read or change something: {', '.join(tools[:MOST_FIELDS])}."
    low, high, values = run.query(
        "SELECT min(reward), max(reward), count(DISTINCT reward) FROM rollouts WHERE class = 'scored'"
    ).rows[0]
    passes = (
        f"a reward of at least {rule['threshold']:g} passes ({rule['kind']})"
        if rule["threshold"] is not None
        else "no rule says what passes"
    )
    yield f"Rewards lie between {low:g} and {high:g}, with {say.plural(values, 'different value')}; {passes}."
    yield f"{EDIT_MARK} which capability does a task test, how does the verifier compute the reward, and when is it wrong? -->"


def _asked(row: Mapping[str, Any]) -> str:
    """The last thing that a user said in the prompt."""
    asked = row.get(PROMPT)
    given = asked.get("input") if isinstance(asked, Mapping) else None
    if isinstance(given, str):
        return given
    said = [one.get("content") for one in given or () if isinstance(one, Mapping) and one.get("role") == "user"]
    parts = said[-1] if said else ""
    if isinstance(parts, list):
        return " ".join(str(part.get("text", "")) for part in parts if isinstance(part, Mapping))
    return str(parts or "")


def _schema(run: Run, document: Document) -> Iterator[str]:
    yield "## Input schema"
    identity = document["identity"]
    roles = {
        identity["task_field"]: "the task",
        identity["repeat_field"]: "the repeat of the task",
        identity["reward_field"]: "the reward",
    }
    slices = {item["by"] for item in document.get("slices") or ()}
    if identity["inferred"]:
        yield "No field names the task on all rows, so the hash of the prompt does."
    rows = [
        (say.name(field.name, 80), say.joined(field.kinds) or "null", _role(field, roles, slices), say.inside(field.example, 80))
        for field in list(row_fields(run).values())[:MOST_FIELDS]
    ]
    yield say.table(("field", "holds", "what it is", "example"), rows)
    yield f"{EDIT_MARK} what do the verifier's own fields mean, and which of them can be trusted? -->"


def _role(field: Field, roles: Mapping[str, str], slices: set[str]) -> str:
    if field.name in roles:
        return roles[field.name]
    if field.name in _KNOWN:
        return _KNOWN[field.name]
    if field.name.startswith("_ng_"):
        return "written by the evaluation loop"
    return "task metadata to slice by" if field.name in slices else "of the task or of the verifier"


def _funnel(document: Document) -> Iterator[str]:
    yield "## Workflow funnel"
    yield "A rollout counts for a stage only if it reached all stages before it. In the run that this was drafted from:"
    rows = [
        (
            say.shown(stage["stage"], 80),
            say.clause(stage.get("meaning") or "", 160),
            say.count(stage["count"]),
            say.count(stage["lost"]),
        )
        for stage in document.get("funnel") or ()
    ]
    yield say.table(("stage", "reached when", "rollouts", "lost here"), rows, "llrr")
    yield f"{EDIT_MARK} which steps does a good solution go through? Put them into blade.yaml as stages. -->"


def _taxonomy(document: Document) -> Iterator[str]:
    yield "## Failure taxonomy"
    yield (
        "One primary label for each failed task: DA (data artifact), IR (infrastructure), TI (task or verifier issue), BI (behaviour), "
        "UK (unreliable knowledge), KG (knowledge gap). Suspect data, infrastructure and verifier before the model. Failure modes "
        "that were found, each with the signal or pattern that detects it:"
    )
    rows = [
        (
            say.clause(mode["title"], 160),
            say.shown(mode["label"]),
            say.name(mode["signal"], 60),
            say.count(mode["failed_rollouts"]),
        )
        for mode in (document.get("modes") or ())[:MOST_MODES]
    ]
    yield say.table(("mode", "label", "detected by", "failed rollouts"), rows, "lllr") if rows else "None so far."
    yield f"{EDIT_MARK} which failures has only this benchmark, and how are they told apart? Put rules into blade.yaml as labels. -->"


def _workflow(path: str, runs: Sequence[tuple[str, Run, Document]]) -> Iterator[str]:
    yield "## Analysis workflow"
    yield (
        "Deterministic metrics first, trajectories second, causes third. From the folder of the package, so that its rules apply; "
        "every number in the report comes from one of these commands, and every diagnosis names a task, a rollout and a step."
    )
    others = [other for other, _, _ in runs[1:]]
    lines = [
        f"blade inspect {path}",
        f"blade health {path}",
        f"blade diagnose {path} --skill . --out report",
        *(f"blade compare {other} {path}" for other in others[:1]),
        f"blade show {path} TASK:REPEAT",
        "blade verify report/report.md",
    ]
    yield "```bash\n" + "\n".join(lines) + "\n```"
    yield (
        "1. Read where every row went: missing, errored and duplicate rows change the score before any model does.\n"
        "2. Read the funnel and the buckets, then the modes by the share of the loss that they explain.\n"
        "3. For each leading mode read a passing and a failing repeat of one task, and quote the step at which they part.\n"
        "4. Name the cause, the strongest alternative, and the change that would confirm it."
    )


def _template() -> Iterator[str]:
    yield "## Report template"
    yield "A report has these sections, in this order; one that does not apply says so in a sentence."
    yield "\n".join(
        f"{number}. {title}: {text}." for number, (title, text) in enumerate(zip(HEADINGS, _OF_REPORT, strict=True), 1)
    )
