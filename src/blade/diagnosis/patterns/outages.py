"""Tools that fail for reasons of their own (IR), told by how they behave and not by what they print.

The words of an outage are endless, but its shape is not. A call that is made in the same state (after the same changes) has one answer:
where some repeats of a task get it and others, for the very same call, get another text, and that text comes back for other calls of
other tasks as well, or is an error (or a text in place of JSON) where several repeats agree, then it is no answer to what was asked. The text is compared with ids and figures masked. An answer that is empty, breaks
off where the others go on, or is about something else than what was asked for, which the others name, is told the same way. What was learned from such *contested* calls is then recognised wherever it stands.

What breaks a habit of its tool needs no repeat (`habits`). Learned reward-blind over the run; findings are on failing rollouts that did not get over it.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from blade.diagnosis.findings import Finding
from blade.diagnosis.patterns.call_keys import SAME_CALL, key_calls
from blade.diagnosis.patterns.habits import LONGEST, holds_data, learn_unusual
from blade.diagnosis.patterns.named import asked_for, says_none
from blade.diagnosis.patterns.pattern import Pattern
from blade.diagnosis.views import CallRow, RolloutView, TaskView
from blade.runs.run import Run

OUTAGE: Final = Pattern(
    "tool_outage", "IR", "a call got no answer of its own: a text that came back for other calls, half an answer, or the record of another", 0.75,
    reward_aware=False,
)  # fmt: skip
PATTERNS: Final = (OUTAGE,)

READ: Final = 240
"""Characters of an output, from its beginning, that its shape is made of."""
MASK: Final = r"[0-9a-f]*[0-9][0-9a-f]*"
"""Ids and figures; Python and the database read this alike."""
MIN_KEYS: Final = 2
"""Contested calls that must have got the text."""
AGREED: Final = 2
"""Repeats that were answered alike from which on an error for the same call is the tool's own."""
COMMON: Final = 0.5
"""Share of the rollouts from which on a text is a usual answer."""
MANY: Final = 12
"""Rollouts that call a tool, from which on it can tell by itself what is usual."""
VARIES: Final = 0.3
"""Share of a tool's repeated calls with several answers from which on its answers vary by themselves."""
MIN_BEGUN: Final = 16
"""Characters of a plain text from which on it is the beginning of a longer one, and not by chance."""
EMPTY: Final = "(empty)"
CUT: Final = "(cut off)"
ELSE: Final = "(about something else)"
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
WITH asked AS (
    SELECT * FROM (
        SELECT task, name, arguments, rollout, step, output, coalesce(sum(CASE WHEN done THEN made ELSE 0 END)
               OVER (PARTITION BY rollout ORDER BY step ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS state
        FROM call_keys)
    WHERE output IS NOT NULL
)
"""
"""Calls in the state in which they were made: what the rollout had done until then. The same call in the same state has one answer."""
_CONTESTED: Final = f"""{_ASKED}, contested AS (
    SELECT task, name, arguments, state FROM asked GROUP BY ALL HAVING min(output) < max(output)
)
SELECT DISTINCT c.task, c.name, c.arguments, k.state, c.rollout, c.output, c.error_class
FROM calls AS c JOIN (SELECT * FROM asked SEMI JOIN contested USING (task, name, arguments, state)) AS k ON {SAME_CALL}
ORDER BY c.task, c.name, c.arguments, k.state, c.rollout, c.output LIMIT 20000
"""
_REPEATED: Final = f"""{_ASKED}
SELECT name, count(*) FROM (SELECT name FROM asked GROUP BY task, name, arguments, state HAVING min(rollout) < max(rollout))
GROUP BY name ORDER BY name
"""
Key = tuple[str, str, str, int]
Answers = dict[Key, dict[str, set[str]]]
"""By call and state: what came back, and the rollouts that got it."""


TRIES: Final = 3
"""How often a call is made again after an outage; who makes it more often goes round in a circle, and gets its answer every time."""
_ENDED: Final = f"""
WITH ended AS (
    SELECT *, lag(name) OVER turns AS name_before, lag(arguments) OVER turns AS arguments_before,
           lead(step) OVER turns AS next, count(*) OVER (PARTITION BY rollout, name, arguments, output) AS times
    FROM call_keys WINDOW turns AS (PARTITION BY rollout ORDER BY step)
)
SELECT c.task, c.rollout, c.name, c.arguments, c.output FROM calls AS c JOIN ended AS k ON {SAME_CALL}
WHERE k.next IS NULL AND k.times <= {TRIES} AND k.name = k.name_before AND k.arguments = k.arguments_before AND k.length < {READ}
ORDER BY c.task, c.rollout LIMIT 5000
"""
"""Rollouts that ended on a call which they had just made before."""
MIN_ENDED: Final = 3
WORD: Final = re.compile(r"[\w./-]{4,}")


def _ended_on(run: Run) -> dict[str, set[Key]]:
    """Texts on which several rollouts of several tasks ended, for different calls, none of which they speak of."""
    met: dict[str, set[tuple[str, str]]] = {}
    keys: dict[str, set[Key]] = {}
    for task, rollout, name, arguments, output in run.query(_ENDED).rows:
        spoken = {word.lower() for word in WORD.findall(output or "")}
        if not spoken & {word.lower() for word in WORD.findall(arguments)} and not says_none(output or EMPTY):
            text = shape(name, output or "")
            met.setdefault(text, set()).add((task, rollout))
            keys.setdefault(text, set()).add((task, name, arguments, 0))
    return {
        text: keys[text]
        for text, found in met.items()
        if len(found) >= MIN_ENDED and len({task for task, _ in found}) > 1 and len(keys[text]) > 1
    }


def learn_outages(run: Run) -> Outages:
    if "calls" not in run.meta["tables"]:
        return Outages()
    key_calls(run)
    ended = _ended_on(run)
    contested: Answers = {}
    failed: set[tuple[str, str]] = set()
    for task, name, arguments, state, rollout, output, error in run.query(_CONTESTED).rows:
        contested.setdefault((task, name, arguments, state), {}).setdefault(output or "", set()).add(rollout)
        if error is not None:
            failed.add((name, output))
    contested = {key: outputs for key, outputs in contested.items() if _by_several(outputs) or _cut_once(outputs)}
    failed |= {
        (key[1], output)
        for key, outputs in contested.items()
        for output in _in_place_of_data([one for one in outputs if (key[1], one) not in failed])
    }
    keys: dict[str, set[Key]] = {}
    for key, outputs in contested.items():
        for output in outputs:
            if (text := _kind(key, output, outputs)) is not None:
                keys.setdefault(text, set()).add(key)
    shared = {text for text, found in keys.items() if len(found) >= MIN_KEYS and len({key[0] for key in found}) > 1}
    varying = _varying(run, contested, shared, failed)
    shared = {text for text in shared if not all(key[1] in varying for key in keys[text])}
    keys = ended | keys
    shared |= ended.keys()
    shared -= _usual(run, sorted(shared - {CUT, ELSE}))
    elsewhere = {
        (*key[:3], output): "other repeats of the same call got what they asked for, and this one is about something else"
        for key, outputs in contested.items()
        for output in outputs
        if ELSE in shared and _about_else(key[2], output, outputs)
    }
    shared -= {ELSE}
    return Outages(
        {text: len(keys[text]) for text in sorted(shared)},
        {key[:3]: _longest(outputs) for key, outputs in contested.items() if CUT in shared and key in keys[CUT]},
        learn_unusual(run) | elsewhere | _alone(contested, failed, varying, _right(run)),
    )


def _by_several(outputs: Mapping[str, set[str]]) -> bool:
    return len(set().union(*outputs.values())) > 1


def _cut_once(outputs: Mapping[str, set[str]]) -> bool:
    """Whether one rollout got an answer to the same call as a whole and as its beginning: nobody else has to have made it."""
    return any(_breaks_off(output, _longest(outputs)) for output in outputs)


def _longest(outputs: Mapping[str, set[str]]) -> str:
    return max(outputs, key=lambda text: (len(text), text))


def _kind(key: Key, output: str, outputs: Mapping[str, set[str]]) -> str | None:
    """What an answer is held against others by: that it breaks off, or its shape; None where all of them begin alike."""
    if _breaks_off(output, _longest(outputs)):
        return CUT
    if _about_else(key[2], output, outputs):
        return ELSE
    shapes = {text: shape(key[1], text) for text in outputs}
    return shapes[output] if len(set(shapes.values())) > 1 else None


def _about_else(arguments: str, output: str, outputs: Mapping[str, set[str]]) -> bool:
    """Whether an answer of data lacks the record that was asked for, by its id or its full name, which (most of) the others name."""
    asked = asked_for(arguments)
    if not asked or not holds_data(output) or any(value in output for value in asked):
        return False
    naming = sum(len(rollouts) for text, rollouts in outputs.items() if any(value in text for value in asked))
    return naming >= len(outputs[output])


def _varying(run: Run, contested: Answers, shared: set[str], failed: set[tuple[str, str]]) -> set[str]:
    """The tools whose answers vary by themselves: to the same call they give several, and not only what is suspected."""
    several: Counter[str] = Counter()
    for key, outputs in contested.items():
        own = [text for text in outputs if _kind(key, text, outputs) not in shared and (key[1], text) not in failed]
        several[key[1]] += len(own) > 1
    return {name for name, count in run.query(_REPEATED).rows if several[name] > VARIES * count}


def _right(run: Run) -> set[tuple[str, str, str]]:
    """The calls that are just what a task expects, and that somebody made: a tool that refuses one has no reason in what it was given."""
    if "expected" not in run.meta["tables"]:
        return set()
    return set(
        run.query("""
        SELECT DISTINCT calls.task, calls.name, calls.arguments FROM calls JOIN expected USING (rollout, step)
        WHERE calls.class = 'scored' AND outcome = 'made' ORDER BY ALL LIMIT 20000""").rows
    )


def _alone(
    contested: Answers, failed: set[tuple[str, str]], varying: set[str], right: set[tuple[str, str, str]]
) -> dict[tuple[str, str, str, str], str]:
    """Errors, and texts in place of data, that stand against several repeats which were answered alike (one, where the call is as expected)."""
    found = {}
    for (task, name, arguments, _), outputs in contested.items():
        agreed = max((len(rollouts) for output, rollouts in outputs.items() if (name, output) not in failed), default=0)
        least = 1 if (task, name, arguments) in right else AGREED
        for output in outputs if agreed >= least and name not in varying else ():
            if (name, output) in failed:
                found[task, name, arguments, output] = (
                    f"{agreed} repeat{'s' * (agreed > 1)} of the same call in the same state got through"
                )
    return found


def _in_place_of_data(outputs: Iterable[str]) -> list[str]:
    """The answers to one call that are text, where others are JSON."""
    texts = [output for output in outputs if output.strip() and output.lstrip()[0] not in "{["]
    return texts if any(output.lstrip()[:1] in ("{", "[") for output in outputs) else []


def _breaks_off(output: str, longest: str) -> bool:
    begun = output.rstrip(".… ")
    if not 0 < len(begun) < min(len(longest) - 3, LONGEST) or not longest.startswith(begun):
        return False
    return longest[:1] in "{[<" or len(begun) >= MIN_BEGUN


def _usual(run: Run, shapes: list[str]) -> set[str]:
    """The shapes that a good part of a tool's rollouts get: answers after all, such as an acknowledgement or an empty list.

    A tool that few rollouts call may be struck in all of them, so such tools are counted together.
    """
    if not shapes:
        return set()
    masked = (
        f"regexp_replace(replace(left(trim(regexp_replace(output, '\\s+', ' ', 'g')), {READ}), name, '@'), '{MASK}', '#', 'g')"
    )
    rows = run.query(
        f"""SELECT shape, greatest(sum(hit) / sum(total), coalesce(max(hit / total) FILTER (total >= {MANY}), 0)) FROM (
            SELECT name, shape, count(DISTINCT rollout) AS hit, any_value(total) AS total FROM (
                SELECT name, rollout, CASE WHEN trim(output) = '' THEN '{EMPTY}' ELSE {masked} END AS shape,
                       count(DISTINCT rollout) OVER (PARTITION BY name) AS total
                FROM calls WHERE class = 'scored' AND name <> '')
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
    if _breaks_off(call.output, known.answers.get((task, call.name, call.arguments), "")):
        return CUT
    if (task, call.name, call.arguments, call.output) in known.alone:
        return call.output
    text = shape(call.name, call.output)
    return text if text in known.shapes else None


def _answered_later(rollout: RolloutView, hit: CallRow, struck: set[int]) -> bool:
    """Whether the same call, or another of its tool, was answered after the last that was not."""
    return any(
        call.step > hit.step and call.name == hit.name and id(call) not in struck and call.output for call in rollout.calls
    )
