"""The data (DA): one prompt under two tasks, rows that contradict or repeat each other, rewards that are no numbers, gold at odds with itself.

What is asked here does not depend on who passed (reward-blind), except that findings are put on failing rollouts, where they could
explain something. In a dialogue with a simulated user the recorded prompt may be what all tasks share, so there the expected calls have to
tell that two tasks are one errand.
"""

import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from blade.answers import Relation, compare
from blade.answers.choices import option_letter
from blade.diagnosis.findings import Finding
from blade.diagnosis.patterns.given import answer_row, given_answer
from blade.diagnosis.patterns.openings import COMMON, FEW_TASKS, SharedPrompt, learn_shared_openings
from blade.diagnosis.patterns.pattern import Pattern
from blade.diagnosis.views import RolloutView, SignalRow, TaskView
from blade.runs.run import Run
from blade.signals.data.damage import BINARY

OTHER_GOLD: Final = Pattern(
    "same_prompt_other_gold",
    "DA",
    "the same prompt stands under another task with another expected answer",
    0.9,
    reward_aware=False,
)
SAME_PROMPT: Final = Pattern("same_prompt", "DA", "the same prompt stands under another task", 0.1, reward_aware=False)
CONFLICTING: Final = Pattern(
    "conflicting_rows", "DA", "another row of the same rollout in the same file says something else", 0.6, reward_aware=False
)
DUPLICATE: Final = Pattern("duplicate_rows", "DA", "the same row stands in the file again", 0.05, reward_aware=False)
INVALID_REWARD: Final = Pattern("invalid_reward", "DA", "a row whose reward is no finite number", 0.6, reward_aware=False)
PATTERNS: Final = (OTHER_GOLD, SAME_PROMPT, CONFLICTING, DUPLICATE, INVALID_REWARD)

RAISED: Final = {
    "empty_prompt": 0.9,
    "gold_in_prompt": 0.6,
    "contradictory_gold": 0.9,
    "ambiguous_options": 0.85,
    "unusable_gold": 0.85,
    "gold_damaged": 0.9,
    "gold_doubled": 0.85,
    "gold_impossible": 0.85,
    "gold_already_true": 0.85,
}
"""Signals of the data family, with the weight they have on a failing rollout."""

GOLD_PARTS: Final = (
    "ground_truth", "expected_answer", "expected_answers", "expected_output", "expected_outputs", "expected", "gold", "gold_answer",
    "gold_answers", "golden_answer", "reference_answer", "reference_answers", "target", "targets", "answer", "label", "expected_result",
    "expected_calls", "expected_actions", "expected_function_calls", "expected_tool_calls", "expected_files", "expected_state",
    "expected_response", "expected_value", "expected_values", "reference", "references", "reference_solution", "gold_patch", "gold_sql",
    "test_patch", "tests", "test_cases", "test_list", "unit_tests", "rubric", "rubrics", "checklist", "criteria", "answer_key",
)  # fmt: skip
"""Parts of a task's definition that hold what is expected."""
MIN_PASSED: Final = 2
"""Tasks that pass with odd gold from which on it is harmless."""
_ODD: Final = f"CASE WHEN contains(detail, '{BINARY}') THEN '{BINARY}' ELSE code END"
MOST_INVALID: Final = 1_000
CALLS: Final = "calls: "
"""What the text of an expectation begins with that is a list of calls."""


@dataclass(frozen=True)
class Contested:
    """Further rows of a rollout: `rewards` of the conflicting ones, the number of mere copies."""

    rewards: tuple[float | None, ...]
    copies: int


def learn_shared_prompts(run: Run) -> dict[str, SharedPrompt]:
    """Tasks that share their prompt with another (not in dialogues), with what they expect compared."""
    groups = run.query("""
        SELECT list(DISTINCT task ORDER BY task) FROM rollouts WHERE prompt_hash IS NOT NULL AND class = 'scored'
        GROUP BY prompt_hash HAVING count(DISTINCT task) > 1 AND max(user_turns) = 0 ORDER BY min(rollout)""").rows
    talks = learn_shared_openings(run)
    tasks = sorted({task for (listed,) in groups for task in listed})
    if talks and not tasks:
        return talks
    if not tasks or (len(run.outcomes.tasks) >= FEW_TASKS and len(tasks) > COMMON * len(run.outcomes.tasks)):
        return {}
    expected = _expected(run, tasks)
    found: dict[str, SharedPrompt] = {}
    for (listed,) in groups:
        for task in listed:
            others = tuple(other for other in listed if other != task)
            conflict, doubt = next((told for other in others[:20] if (told := _conflict(task, other, expected))[0]), ("", ""))
            if task not in found or (conflict and not found[task].conflict):
                found[task] = SharedPrompt(others, conflict, doubt)
    return talks | found


@dataclass(frozen=True)
class _Expected:
    """What a task expects: its text where known, and hashes of the gold and of the other parts of its definition."""

    text: str | None
    gold: Mapping[str, str]
    rest: Mapping[str, str]


def _expected(run: Run, tasks: list[str]) -> dict[str, _Expected]:
    texts: dict[str, str | None] = {}
    if "answers" in run.meta["tables"]:
        rows = run.query(
            """SELECT task, min(expected) FROM answers WHERE class = 'scored' AND expected IS NOT NULL AND task IN (SELECT unnest($1))
               GROUP BY task HAVING count(DISTINCT expected) = 1""",
            (tasks,),
        ).rows
        texts = dict(rows)
    if "expected" in run.meta["tables"]:
        rows = run.query(
            """SELECT task, string_agg(name || '(' || arguments || ')', '; ' ORDER BY number) FROM (
                   SELECT DISTINCT task, number, name, arguments FROM expected WHERE class = 'scored' AND task IN (SELECT unnest($1))
               ) GROUP BY task HAVING count(*) = count(DISTINCT number)""",
            (tasks,),
        ).rows
        texts = {**{task: f"{CALLS}{calls}" for task, calls in rows}, **texts}
    found = {}
    for task, written in run.query("SELECT task, definition_parts FROM tasks WHERE task IN (SELECT unnest($1))", (tasks,)).rows:
        parts = json.loads(written) if written else {}
        gold = {name: value for name, value in parts.items() if name in GOLD_PARTS}
        found[task] = _Expected(texts.get(task), gold, {name: value for name, value in parts.items() if name not in gold})
    return found


_NOTHING: Final = _Expected(None, {}, {})


def _conflict(task: str, other: str, expected: Mapping[str, _Expected]) -> tuple[str, str]:
    """Whether two tasks with one prompt expect different things, in words, and what makes that doubtful."""
    mine, theirs = expected.get(task, _NOTHING), expected.get(other, _NOTHING)
    differing = [name for name in sorted(mine.rest) if name in theirs.rest and mine.rest[name] != theirs.rest[name]]
    doubt = f"the tasks differ in {', '.join(differing[:3])} as well" if differing else ""
    if (mine.text or "").startswith(CALLS) and (theirs.text or "").startswith(CALLS):
        told = f"task {task} expects {_cut((mine.text or '').removeprefix(CALLS))}, task {other} {_cut((theirs.text or '').removeprefix(CALLS))}"
        return ("", "") if mine.text == theirs.text else (told, doubt)
    if mine.text is not None and theirs.text is not None:
        verdict = compare(mine.text, theirs.text)
        if verdict.same:
            return "", ""
        if verdict.relation is not Relation.DIFFERENT:
            doubt = doubt or "other words, which may mean the same"
        return f"task {task} expects {_cut(mine.text)}, task {other} expects {_cut(theirs.text)}", doubt
    contrary = any(mine.gold[name] != theirs.gold.get(name) for name in mine.gold if name in theirs.gold)
    return (f"the expected answers of tasks {task} and {other} differ", doubt) if contrary else ("", "")


def learn_contested(run: Run) -> dict[str, Contested]:
    """Rollouts with further rows of their own key."""
    rows = run.query("""
        SELECT rollout, list(reward ORDER BY line) FILTER (class = 'conflicting'), count(*) FILTER (class = 'duplicate')
        FROM rollouts WHERE class IN ('conflicting', 'duplicate') GROUP BY rollout ORDER BY rollout""").rows
    return {rollout: Contested(tuple(rewards or ()), copies) for rollout, rewards, copies in rows}


def learn_harmless(run: Run) -> frozenset[str]:
    """Kinds of odd gold that this run's verifier lets pass: rollouts of several tasks pass with it."""
    if not run.pass_rule.decides or "signals" not in run.meta["tables"]:
        return frozenset()
    rows = run.query(f"""
        SELECT {_ODD} AS odd FROM signals SEMI JOIN (SELECT rollout FROM rollouts WHERE class = 'scored' AND {run.passes}) USING (rollout)
        WHERE class = 'scored' AND (code = 'gold_already_true' OR (code = 'gold_damaged' AND contains(detail, '{BINARY}')))
        GROUP BY 1 HAVING count(DISTINCT task) >= {MIN_PASSED} ORDER BY 1""").rows
    return frozenset(odd for (odd,) in rows)


def _is_harmless(signal: SignalRow, view: TaskView, harmless: Collection[str]) -> bool:
    odd = BINARY if BINARY in signal.detail else signal.code
    return odd in harmless or (bool(view.passing) and odd in (BINARY, "gold_already_true"))


def data_findings(
    view: TaskView, shared: Mapping[str, SharedPrompt], contested: Mapping[str, Contested], harmless: Collection[str] = ()
) -> Iterator[Finding]:
    """What the data has against the failing rollouts of a task; `harmless` is odd gold that rollouts pass with elsewhere."""
    prompt = shared.get(view.task)
    for rollout in view.failing:
        if prompt is not None:
            listed = ", ".join(prompt.others[:4])
            pattern = OTHER_GOLD if prompt.conflict else SAME_PROMPT
            said = prompt.conflict or "with the same expected answer, or none known"
            yield pattern.found(
                rollout,
                step=-1,
                subject="prompt",
                quote=f"the same prompt under task {listed}",
                detail=f"{said}; but {prompt.doubt}" if prompt.doubt else said,
                weight=0.45 if prompt.doubt else None,
            )
        for signal in rollout.signals:
            if signal.code in RAISED and not _is_harmless(signal, view, harmless):
                yield Finding(
                    signal.code,
                    "DA",
                    signal.subject,
                    view.task,
                    rollout.rollout,
                    signal.step,
                    signal.quote,
                    signal.detail,
                    RAISED[signal.code],
                )
        if (rows := contested.get(rollout.rollout)) is not None:
            other = [reward for reward in rows.rewards if reward != rollout.reward]
            if rows.rewards:
                shown = ", ".join("none" if reward is None else f"{reward:g}" for reward in rows.rewards[:4])
                yield CONFLICTING.found(
                    rollout,
                    subject="rows",
                    quote=f"reward {rollout.reward:g}; further rows: {shown}",
                    detail="the first row counts"
                    + (", and another one has another reward" if other else ", all have the same reward"),
                    weight=CONFLICTING.weight if other else 0.15,
                )
            elif rows.copies:
                yield DUPLICATE.found(rollout, subject="rows", quote=f"written {rows.copies + 1} times", detail="counted once")


def took_the_equal_option(rollout: RolloutView, finding: Finding) -> bool:
    """Whether a rollout answered with the option that says the same as the expected one (`A. half = C. half`: with C)."""
    if finding.code != "ambiguous_options":
        return False
    row = answer_row(rollout)
    given = None if row is None else given_answer(row)
    taken, other = option_letter(given.text) if given is not None else None, option_letter(finding.quote.rpartition(" = ")[2])
    return taken is not None and other is not None and taken.letter == other.letter


def invalid_rewards(run: Run) -> Iterator[Finding]:
    """Rows without a finite reward that no failure explains, in a run that has rewards. They are not scored, so they belong to no view."""
    if run.denominator.scored < run.denominator.errored_rows:
        return
    rows = run.query(f"""
        SELECT task, rollout, reward_kind, unscored, error FROM rollouts
        WHERE class = 'errored' AND unscored IS NULL AND error IS NULL ORDER BY task, repeat LIMIT {MOST_INVALID}""").rows
    for task, rollout, kind, _, _ in rows:
        yield Finding(
            INVALID_REWARD.code,
            "DA",
            "reward",
            task,
            rollout,
            None,
            f"reward is {kind or 'missing'}",
            "the row cannot be scored, and nothing in it says why",
            INVALID_REWARD.weight,
        )


def _cut(text: str, limit: int = 60) -> str:
    line = " ".join(text.split())
    return line if len(line) <= limit else line[: limit - 1] + "…"
