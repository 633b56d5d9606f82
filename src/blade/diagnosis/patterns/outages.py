"""Tools that fail for reasons of their own (IR), told by how they behave and not by what they print.

The words of an outage are endless, but its shape is not. A call that is made in the same state (after the same changes) has one answer:
where some repeats of a task get it and others, for the very same call, get another text, and that text comes back for other calls of
other tasks as well, or is an error where several repeats agree, then it is no answer to what was asked. The text is compared with ids and figures masked. An answer that is empty, or breaks
off where the others go on, is told the same way. What was learned from such *contested* calls is then recognised wherever it stands.

Learned reward-blind over the run; findings are on failing rollouts that did not get over it.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from blade.diagnosis.findings import Finding
from blade.diagnosis.patterns.pattern import Pattern
from blade.diagnosis.views import CallRow, RolloutView, TaskView
from blade.runs.run import Run

OUTAGE: Final = Pattern(
    "tool_outage", "IR", "a call got no answer of its own: the same text came back for other calls, and repeats were answered", 0.75,
    reward_aware=False,
)  # fmt: skip
PATTERNS: Final = (OUTAGE,)

READ: Final = 240
"""Characters of an output that its shape is made of."""
LONGEST: Final = 480
"""Characters from which on an output may have been cut by the table."""
MASK: Final = r"[0-9a-f]*[0-9][0-9a-f]*"
"""Ids and figures; Python and the database read this alike."""
MIN_KEYS: Final = 2
"""Contested calls that must have got the text."""
AGREED: Final = 2
"""Repeats that were answered alike from which on an error for the same call is the tool's own."""
COMMON: Final = 0.5
"""Share of the rollouts from which on a text is a usual answer."""
VARIES: Final = 0.3
"""Share of a tool's repeated calls with several answers from which on its answers vary by themselves."""
EMPTY: Final = "(empty)"
CUT: Final = "(cut off)"
_MASKED: Final = re.compile(MASK)


@dataclass(frozen=True)
class Outages:
    """The texts that stand in the place of answers, by shape, with the contested calls that showed it."""

    shapes: Mapping[str, int] = field(default_factory=dict)
    answers: Mapping[tuple[str, str, str], str] = field(default_factory=dict)
    """By task, tool and arguments: the answer that other repeats got, where some got less."""
    alone: Mapping[tuple[str, str, str, str], str] = field(default_factory=dict)
    """By task, tool, arguments and output: an error that stands against repeats which agree, with what they say."""


def shape(tool: str, output: str) -> str:
    """An output with its tool's name, ids and figures masked."""
    text = " ".join(output.split())[:READ]
    return _MASKED.sub("#", text.replace(tool, "@") if tool else text) or EMPTY


_ASKED: Final = """
WITH before AS (
    SELECT task, rollout, name, arguments, output, error_class, coalesce(sum(CASE WHEN mutation <> 'read' AND error_class IS NULL
           THEN (hash(name, arguments) % 1000000007)::BIGINT ELSE 0 END) OVER (
               PARTITION BY rollout ORDER BY step ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS state
    FROM calls WHERE class = 'scored' AND name <> ''
), asked AS (
    SELECT task, name, arguments, state, rollout, output, error_class FROM before WHERE output IS NOT NULL
), contested AS (
    SELECT task, name, arguments, state FROM asked GROUP BY ALL HAVING count(DISTINCT output) > 1 AND count(DISTINCT rollout) > 1
)
"""
"""Calls in the state in which they were made: what the rollout had done until then. The same call in the same state has one answer."""
_CONTESTED: Final = f"""{_ASKED}
SELECT DISTINCT task, name, arguments, state, rollout, output, error_class FROM asked SEMI JOIN contested USING (task, name, arguments, state)
ORDER BY task, name, arguments, state, rollout, output LIMIT 20000
"""
_REPEATED: Final = f"""{_ASKED}
SELECT name, count(*) FILTER (outputs > 1), count(*) FROM (
    SELECT name, count(DISTINCT output) AS outputs FROM asked GROUP BY task, name, arguments, state HAVING count(DISTINCT rollout) > 1)
GROUP BY name ORDER BY name
"""
Key = tuple[str, str, str, int]


def learn_outages(run: Run) -> Outages:
    if "calls" not in run.meta["tables"]:
        return Outages()
    varying = {name for name, several, keys in run.query(_REPEATED).rows if keys >= 4 and several > VARIES * keys}
    by_key: dict[Key, dict[str, set[str]]] = {}
    failed: set[tuple[str, str]] = set()
    for task, name, arguments, state, rollout, output, error in run.query(_CONTESTED).rows:
        by_key.setdefault((task, name, arguments, state), {}).setdefault(output or "", set()).add(rollout)
        if error is not None:
            failed.add((name, output))
    keys: dict[str, set[Key]] = {}
    answers: dict[tuple[str, str, str], str] = {}
    alone: dict[tuple[str, str, str, str], str] = {}
    for key, outputs in by_key.items():
        task, name, arguments, _ = key
        longest = max(outputs, key=lambda text: (len(text), text))
        agreed = max((len(rollouts) for output, rollouts in outputs.items() if (name, output) not in failed), default=0)
        for output in outputs:
            if _breaks_off(output, longest):
                keys.setdefault(CUT, set()).add(key)
                answers[task, name, arguments] = longest
            elif len(output) < LONGEST:
                keys.setdefault(shape(name, output), set()).add(key)
                if agreed >= AGREED and (name, output) in failed and name not in varying:
                    alone[task, name, arguments, output] = f"{agreed} repeats of the same call in the same state were answered alike"
    shared = {text: found for text, found in keys.items() if len(found) >= MIN_KEYS and len({key[0] for key in found}) > 1}
    shared = {text: found for text, found in shared.items() if not all(key[1] in varying for key in found)}
    usual = _usual(run, [text for text in shared if text != CUT])
    return Outages({text: len(found) for text, found in sorted(shared.items()) if text not in usual}, answers, alone)


def _breaks_off(output: str, longest: str) -> bool:
    begun = output.rstrip(".… ")
    return 0 < len(begun) < min(len(longest) - 3, LONGEST) and longest.startswith(begun) and longest[:1] in "{[<"


def _usual(run: Run, shapes: list[str]) -> set[str]:
    """The shapes that a good part of a tool's rollouts get: answers after all, such as an acknowledgement or an empty list."""
    if not shapes:
        return set()
    masked = f"regexp_replace(replace(left(trim(regexp_replace(output, '\\s+', ' ', 'g')), {READ}), name, '@'), '{MASK}', '#', 'g')"
    rows = run.query(
        f"""SELECT shape, max(share) FROM (
            SELECT name, shape, count(DISTINCT rollout) / any_value(total) AS share FROM (
                SELECT name, rollout, CASE WHEN trim(output) = '' THEN '{EMPTY}' ELSE {masked} END AS shape,
                       count(DISTINCT rollout) OVER (PARTITION BY name) AS total
                FROM calls WHERE class = 'scored' AND name <> '' AND length(output) < {LONGEST})
            WHERE shape IN (SELECT unnest($1)) GROUP BY name, shape) GROUP BY shape""",
        (shapes,),
    ).rows
    return {text for text, share in rows if share >= COMMON}


def outages(view: TaskView, known: Outages) -> Iterator[Finding]:
    """The failing repeats whose calls met an outage and were not answered later."""
    if not known.shapes and not known.alone:
        return
    for rollout in view.failing:
        struck = [(call, text) for call in rollout.calls if (text := _text_of(view.task, call, known)) is not None]
        if not struck:
            continue
        call, text = struck[-1]
        if _answered_later(rollout, call, {id(each) for each, _ in struck}):
            continue
        first = next(each for each, _ in struck if (each.name, each.arguments) == (call.name, call.arguments))
        yield OUTAGE.found(
            rollout,
            subject=call.name,
            step=first.output_step if first.output_step is not None else first.step,
            quote=(first.output or EMPTY)[:200],
            detail=known.alone.get((view.task, call.name, call.arguments, text))
            or f"{known.shapes.get(text, 0)} calls got this where repeats of the same call were answered",
        )


def _text_of(task: str, call: CallRow, known: Outages) -> str | None:
    if call.output is None:
        return None
    if CUT in known.shapes and (whole := known.answers.get((task, call.name, call.arguments))) is not None:
        if _breaks_off(call.output, whole):
            return CUT
    if (task, call.name, call.arguments, call.output) in known.alone:
        return call.output
    text = shape(call.name, call.output) if len(call.output) < LONGEST else ""
    return text if text in known.shapes else None


def _answered_later(rollout: RolloutView, hit: CallRow, struck: set[int]) -> bool:
    """Whether the same call, or another of its tool, was answered after the last that was not."""
    return any(call.step > hit.step and call.name == hit.name and id(call) not in struck and call.output for call in rollout.calls)
