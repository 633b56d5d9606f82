"""The mutations: each spoils some repeats of a task whose rollouts all pass, and says at which steps.

A mutation is given the repeats as copies and those to be hit, changes their rows, and returns the steps by rollout; None where the task
gives no occasion. It leaves the verdict alone unless it is about the verdict: the caller lets every spoiled row fail as this run's
rows fail.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass
from random import Random

from blade.lab.environments.environment import timed_out
from blade.lab.faults import troubles
from blade.lab.stage.script import Row
from blade.lab.transplant.answers import change_answer, forget_answer
from blade.lab.transplant.rollout import Rollout
from blade.lab.transplant.values import Stock, shared_changes, wrong_answers, wrong_values
from blade.signals.data.task import gold_answers

Steps = dict[str, tuple[int, ...]]
Mutate = Callable[[Sequence[Rollout], Sequence[int], Stock, Random], Steps | None]
_STOPS = (
    "I was not able to finish this, sorry.",
    "I could not complete the request.",
    "I'm unable to complete this at the moment.",
)
_CLAIMS = (
    "I have carried out your request.",
    "Done, I've made the changes you asked for.",
    "Everything has now been updated as requested.",
)


@dataclass(frozen=True)
class Mutation:
    kind: str
    label: str
    strikes: str
    """`some` repeats, `all`, or `not_all`: some, with others left to compare."""
    least: int
    """Passing repeats that a task must have."""
    mutate: Mutate


def tool_failure(repeats: Sequence[Rollout], hit: Sequence[int], stock: Stock, rng: Random) -> Steps | None:
    """A tool answers with a server error where it had answered, and the agent stops."""
    texts = troubles.TOOL_TEXTS["tool_5xx"]
    return _cut_at_call(repeats, hit, rng, lambda name: rng.choice(texts).format(tool=name))


def tool_timeout(repeats: Sequence[Rollout], hit: Sequence[int], stock: Stock, rng: Random) -> Steps | None:
    texts = troubles.TOOL_TEXTS["tool_timeout"]
    return _cut_at_call(repeats, hit, rng, lambda name: rng.choice(texts).format(tool=name))


def _cut_at_call(repeats: Sequence[Rollout], hit: Sequence[int], rng: Random, text: Callable[[str], str]) -> Steps | None:
    found: Steps = {}
    for number in hit:
        one = repeats[number]
        last = one.changes[0] if one.changes else len(one.items)
        answered = [at for at in one.calls if at <= last and one.output_of(at) is not None]
        if not answered:
            return None
        at = rng.choice(answered)
        output = one.output_of(at)
        assert output is not None
        one.items[output]["output"] = text(str(one.items[at].get("name", "tool")))
        one.items = one.items[: output + 1]
        one.say(rng.choice(_STOPS))
        forget_answer(one.row)
        found[one.rollout] = (output,)
    return found


def model_failure(repeats: Sequence[Rollout], hit: Sequence[int], stock: Stock, rng: Random) -> Steps | None:
    """The model could not be reached: no output, and what the client raised."""
    for number in hit:
        one = repeats[number]
        if not isinstance(one.row.get("response"), dict):
            return None
        one.items = []
        forget_answer(one.row)
        one.row["response"]["usage"] = None
        one.row["error"] = troubles.rollout_error(rng)
    return {repeats[number].rollout: () for number in hit}


def flipped_reward(repeats: Sequence[Rollout], hit: Sequence[int], stock: Stock, rng: Random) -> Steps | None:
    """Nothing but the verdict changes: work that passes elsewhere fails here."""
    return {repeats[number].rollout: () for number in hit}


def verifier_failure(repeats: Sequence[Rollout], hit: Sequence[int], stock: Stock, rng: Random) -> Steps | None:
    """The verifier says that it failed."""
    for number in hit:
        repeats[number].row["verifier_error"] = timed_out(rng)
    return {repeats[number].rollout: () for number in hit}


def truncation(repeats: Sequence[Rollout], hit: Sequence[int], stock: Stock, rng: Random) -> Steps | None:
    """The output limit ends the response before the first change, or in the middle of the answer."""
    found: Steps = {}
    for number in hit:
        one = repeats[number]
        items = one.items
        spoken = [at for at, item in enumerate(items) if item.get("role") == "assistant" and len(one.text(at)) > 8]
        before = [at for at in spoken if not one.changes or at < one.changes[0]]
        if not spoken:
            return None
        at = before[-1] if before else spoken[0]
        text = one.text(at)
        one.rewrite(at, text[: max(4, int(len(text) * rng.uniform(0.3, 0.7)))])
        one.items = items[: at + 1]
        forget_answer(one.row)
        one.row["response"] |= {"incomplete_details": {"reason": "max_output_tokens"}, "status": "incomplete"}
        _use_up(one.row)
        found[one.rollout] = (at,)
    return found


def _use_up(row: Row) -> None:
    """Where tokens are counted and limited, an output that its limit ended has used them all."""
    limit, usage = row["responses_create_params"].get("max_output_tokens"), row["response"].get("usage")
    if isinstance(limit, int) and isinstance(usage, dict) and "output_tokens" in usage:
        row["response"]["usage"] = usage | {"output_tokens": limit}


def repeated_call(repeats: Sequence[Rollout], hit: Sequence[int], stock: Stock, rng: Random) -> Steps | None:
    """A lookup is made again and again, and nothing comes after it."""
    found: Steps = {}
    for number in hit:
        one = repeats[number]
        last = one.changes[0] if one.changes else len(one.items)
        reads = [at for at in one.lookups if at < last and one.output_of(at) == at + 1]
        if not reads:
            return None
        at = rng.choice(reads)
        pair = one.items[at : at + 2]
        times = rng.randint(6, 10)
        again = [{**deepcopy(item), "call_id": f"{item.get('call_id')}_{turn}"} for turn in range(times) for item in pair]
        one.items = one.items[: at + 2] + again
        forget_answer(one.row)
        found[one.rollout] = tuple(at + 2 + 2 * turn for turn in range(times))
    return found


def unbacked_claim(repeats: Sequence[Rollout], hit: Sequence[int], stock: Stock, rng: Random) -> Steps | None:
    """The changes are left out, and said to have been made."""
    found: Steps = {}
    for number in hit:
        one = repeats[number]
        if not one.changes:
            return None
        one.items = one.items[: one.changes[0]]
        one.say(rng.choice(_CLAIMS))
        forget_answer(one.row)
        found[one.rollout] = (len(one.items) - 1,)
    return found


def skipped_lookup(repeats: Sequence[Rollout], hit: Sequence[int], stock: Stock, rng: Random) -> Steps | None:
    """An id that only a lookup gives is guessed: the lookup goes, and the value is another one of its shape."""
    found: Steps = {}
    for number in hit:
        one = repeats[number]
        places = _looked_up(one)
        if not places:
            return None
        at, name, value, reads = rng.choice(places)
        wrong = _other_digits(value, rng)
        changed = one.items[at]
        for place in one.changes:
            if one.arguments(place).get(name) == value:
                one.set_argument(place, name, wrong)
        gone = {place for read in reads for place in (read, one.output_of(read))}
        one.items = [item for place, item in enumerate(one.items) if place not in gone]
        found[one.rollout] = (next(place for place, item in enumerate(one.items) if item is changed),)
    return found


def _looked_up(one: Rollout) -> list[tuple[int, str, str, list[int]]]:
    """(change, argument, value, lookups) where the value stands in the answers of at most two lookups and nowhere else before."""
    asked = one.asked()
    found = []
    for at in one.changes:
        for name, value in one.arguments(at).items():
            if not isinstance(value, str) or len(value) < 5 or sum(mark.isdigit() for mark in value) < 3 or value in asked:
                continue
            reads = [
                read for read in one.lookups if read < at and (out := one.output_of(read)) is not None and value in one.text(out)
            ]
            given = [call for call in one.calls if call < at and value in str(one.arguments(call).values())]
            if 1 <= len(reads) <= 2 and not given:
                found.append((at, name, value, reads))
    return found


def _other_digits(value: str, rng: Random) -> str:
    spots = [number for number, mark in enumerate(value) if mark.isdigit()]
    chosen = rng.sample(spots, min(3, len(spots)))
    return "".join(str((int(mark) + rng.randint(1, 9)) % 10) if number in chosen else mark for number, mark in enumerate(value))


def same_wrong_argument(repeats: Sequence[Rollout], hit: Sequence[int], stock: Stock, rng: Random) -> Steps | None:
    """A quantity, a date, a flag or an option has the same wrong value in every repeat, after the same lookups."""
    return _other_argument(repeats, hit, stock, rng, different=False)


def wavering_argument(repeats: Sequence[Rollout], hit: Sequence[int], stock: Stock, rng: Random) -> Steps | None:
    """A quantity, a date, a flag or an option has a wrong value in some repeats, each time another."""
    return _other_argument(repeats, hit, stock, rng, different=True)


def _other_argument(repeats: Sequence[Rollout], hit: Sequence[int], stock: Stock, rng: Random, different: bool) -> Steps | None:
    wanted = len(hit) if different else 1
    options = [
        (tool, name, value, values)
        for tool, name, value in shared_changes(repeats)
        if not any(_told(one, tool, name, value) for one in repeats)
        and len(values := wrong_values(name, value, stock.categories.get((tool, name), ()), rng, wanted)) == wanted
    ]
    if not options:
        return None
    tool, name, value, values = rng.choice(options)
    found: Steps = {}
    for turn, number in enumerate(hit):
        one = repeats[number]
        places = [at for at in one.changes if one.items[at].get("name") == tool and one.arguments(at).get(name) == value]
        for at in places:
            one.set_argument(at, name, values[turn if different else 0])
        found[one.rollout] = (places[0],)
    return found


def _told(one: Rollout, tool: str, name: str, value: object) -> bool:
    """Whether the request, the user or a tool had said the value before the call: giving another one then is conduct, and no matter of knowing."""
    at = next(place for place in one.changes if one.items[place].get("name") == tool and one.arguments(place).get(name) == value)
    said = re.compile(rf"(?<!\w){re.escape(str(value))}(?!\w)", re.IGNORECASE)
    heard = (one.text(place) for place, item in enumerate(one.items[:at]) if item.get("role") == "user" or "output" in item)
    return any(said.search(text) for text in (one.request(), *heard))


def same_wrong_answer(repeats: Sequence[Rollout], hit: Sequence[int], stock: Stock, rng: Random) -> Steps | None:
    return _other_answer(repeats, hit, stock, rng, different=False)


def scattered_answers(repeats: Sequence[Rollout], hit: Sequence[int], stock: Stock, rng: Random) -> Steps | None:
    return _other_answer(repeats, hit, stock, rng, different=True)


def _other_answer(repeats: Sequence[Rollout], hit: Sequence[int], stock: Stock, rng: Random, different: bool) -> Steps | None:
    """The final answer is another one, in the message and in what the verifier extracted from it."""
    gold = next((text for _, text in gold_answers(repeats[0].row)), None)
    if gold is None:
        return None
    wrong = wrong_answers(gold, stock.answers, rng, len(hit) if different else 1)
    if len(wrong) < (len(hit) if different else 1):
        return None
    token = re.compile(rf"(?<![\w.]){re.escape(gold)}(?![\w]|\.\d)")
    found: Steps = {}
    for turn, number in enumerate(hit):
        one, value = repeats[number], wrong[turn if different else 0]
        at = one.final
        if at is None or not token.search(one.text(at)):
            return None
        one.rewrite(at, token.sub(value.replace("\\", r"\\"), one.text(at)))
        change_answer(one.row, gold, value)
        found[one.rollout] = (at,)
    return found


MUTATIONS: tuple[Mutation, ...] = (
    Mutation("tool_5xx", "IR", "some", 1, tool_failure),
    Mutation("tool_timeout", "IR", "some", 1, tool_timeout),
    Mutation("model_connection", "IR", "some", 1, model_failure),
    Mutation("flaky_verifier", "TI", "not_all", 2, flipped_reward),
    Mutation("verifier_timeout", "TI", "some", 1, verifier_failure),
    Mutation("truncated", "BI", "some", 1, truncation),
    Mutation("call_loop", "BI", "some", 1, repeated_call),
    Mutation("unbacked_claim", "BI", "some", 1, unbacked_claim),
    Mutation("skipped_lookup", "BI", "some", 1, skipped_lookup),
    Mutation("same_wrong_argument", "KG", "all", 2, same_wrong_argument),
    Mutation("same_wrong_answer", "KG", "all", 2, same_wrong_answer),
    Mutation("wavering_argument", "UK", "not_all", 2, wavering_argument),
    Mutation("scattered_answers", "UK", "not_all", 2, scattered_answers),
)  # fmt: skip
