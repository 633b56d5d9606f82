"""BI: something was to be looked up, and was guessed, taken from elsewhere or left out.

A lookup is *skipped* when a value that a call needed came from a read tool only afterwards, or would have come from one that was not
called. The tool is named from the rollout itself: the answer in which the right value turned up later, the declared tool whose
words speak of the argument, or the lookup that the task expects. Where nothing names it, the subject stays empty: other rollouts of
the task may have had the value from somewhere (table `given`), and that is for the diagnosis.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final

from blade.signals.behaviour.people import resolver_of
from blade.signals.calls import matcher
from blade.signals.calls.call import Call
from blade.signals.calls.mutation import READ, words_of
from blade.signals.calls.sameness import Difference, same
from blade.signals.calls.tools import Tool
from blade.signals.data.damage import damage
from blade.signals.example import Example, call, user
from blade.signals.rollout import Rollout
from blade.signals.signal import Evidence, argument_subject, signal
from blade.signals.texts.origins import NOTHING, given_later, origin, shown, sources_of, traceable
from blade.signals.wanted.comparison import Comparison, comparison_of
from blade.signals.wanted.request_words import speaks_of, things_of

_REASONING: Final = frozenset(["think", "reflect", "calculate", "compute", "plan", "convert", "estimate"])
"""Tools that read nothing: leaving them out leaves nothing unknown."""
_TECHNICAL: Final = frozenset(
    ["id", "ids", "number", "new", "the", "key", "ref", "code", "value", "name", "to", "of", "from", "by"]
)
SPOKEN_OF: Final = "the request speaks of it"
"""Said of a lookup that was left out although the request names what it is about."""
PUT_RIGHT: Final = "put right in a later call"
"""Said of a value that was wrong in a call which the tool refused, and right when the call was made again: nothing came of it."""
NEVER_CALLED: Final = "the task expects this lookup, and its tool was never called"
BY_CHANCE: Final = 100
"""A number below it stands in many an answer (an hour, a day, a count): that one holds it says nothing of where it comes from."""
_RESOLVED: Final = re.compile(r"@|\d")
"""What a value looks like that is looked up: an address, or something with digits."""
_DATE: Final = re.compile(r"\d{4}-\d{2}-\d{2}")


@signal(
    "lookup_skipped",
    label="BI",
    meaning="a read tool that gives what was needed was not called before: a value was wrong or guessed, or an expected lookup left out",
    causal=False,
    example=Example(
        (
            user("Pay with my card ending in 7334."),
            call("pay", "Error: payment method not found", payment_id="card_7334"),
            call("get_user", '{"payment_methods": ["card_9074"]}', user_id="u1"),
            call("pay", "ok", payment_id="card_9074"),
        )
    ),
)
def lookup_skipped(rollout: Rollout) -> Iterator[Evidence]:
    compared = comparison_of(rollout)
    told: set[tuple[int, str]] = set()
    for found in (*_for_expected(rollout, compared), *_after_a_refusal(rollout), *_expected_lookups(rollout, compared)):
        if found.step is None or (found.step, found.subject) not in told:
            told.add((found.step or 0, found.subject))
            yield found


def _for_expected(rollout: Rollout, compared: Comparison | None) -> Iterator[Evidence]:
    """Wrong values of expected calls, of failed tries too, that a lookup would have put right."""
    for match in compared.counted if compared else ():
        pairs = [] if match.call is None else [(match.call, match.differences)]
        pairs += [pair for pair in match.attempts if pair[0] is not match.call]
        for made, differs in sorted(pairs, key=lambda pair: pair[0].position):
            for difference in differs:
                tool = _tool_for(rollout, made, difference)
                if tool is not None:
                    put_right = f"; {PUT_RIGHT}" if _put_right(rollout, made, difference.expected) else ""
                    why = f"expected is {shown(difference.expected)}"
                    yield _evidence(made, difference.path, difference.actual, (tool[0], f"{tool[1]}{put_right}"), why)


def _put_right(rollout: Rollout, refused: Call, right: Any) -> bool:
    """Whether the tool refused a call, and was given the right value when it was called again."""
    if refused.error is None:
        return False
    later = [made for made in rollout.own_calls if made.position > refused.position and made.name == refused.name]
    return any(same(value, right) for made in later if made.arguments for _, value in made.leaves)


def _evidence(made: Call, path: str, actual: Any, tool: tuple[str, str], why: str) -> Evidence:
    name, how = tool
    return Evidence(made.step, f"{path}={shown(actual)}", f"{argument_subject(made.name, path)}: {why}; {how}", name)


def _tool_for(rollout: Rollout, made: Call, differs: Difference) -> tuple[str, str] | None:
    """The read tool that gives the right value, and how that is known; None where the value stood there before, or nobody knows."""
    right = differs.expected
    if damage(right, differs.actual) is not None:
        return None
    if isinstance(right, int | float) and abs(right) < BY_CHANCE:
        return None
    later = given_later(rollout, right, made.position)
    if later is not None and later.tool is not None:
        return (
            (later.tool, f"{later.tool} gave it at step {later.step}, after the call") if _looks_up(rollout, later.tool) else None
        )
    if isinstance(right, int | float) and (name := _asked_about(rollout, made, differs)) is not None:
        return name, f"{name} was not called, {SPOKEN_OF}, and neither figure follows from what was seen"
    if not isinstance(right, str) or not traceable(right) or not _RESOLVED.search(right):
        return None
    if any(place.position < made.position for place in sources_of(rollout).places(right)):
        return None
    name = _declared_for(rollout, made, differs.path, right)
    if name is not None:
        return name, f"{name} was not called, and its description speaks of it"
    return None if _DATE.match(right) else ("", "no answer of a tool in this rollout holds it")


def _looks_up(rollout: Rollout, name: str) -> bool:
    return rollout.mutation_of(name).kind == READ and not set(words_of(name)) & _REASONING


def _declared_for(rollout: Rollout, made: Call, path: str, right: str) -> str | None:
    """The declared read tool, not called so far, whose words speak of an argument: the one with most words in common."""
    wanted = {word.removesuffix("s") for word in words_of(path.rpartition(".")[2])} - _TECHNICAL
    called = {other.name for other in rollout.calls if other.position < made.position}
    if "@" in right and (directory := resolver_of(rollout, made)):
        return None if directory in called else directory
    best: tuple[int, str] | None = None
    for name, tool in rollout.tools.items():
        if name in called or not _looks_up(rollout, name) or _takes(tool, path.rpartition(".")[2]):
            continue
        shared = len(wanted & _words(tool))
        if shared and shared == len(wanted) and (best is None or shared > best[0]):
            best = shared, name
    return None if best is None else best[1]


def _asked_about(rollout: Rollout, made: Call, differs: Difference) -> str | None:
    """The declared read tool, not called so far, about something that the request names and no called tool is about, where a figure was guessed."""
    if not traceable(differs.expected) or sources_of(rollout).places(differs.expected):
        return None
    if NOTHING not in origin(rollout, differs.actual, made.position):
        return None
    called = {other.name for other in rollout.calls if other.position < made.position}
    known = {word for name in called for word in things_of(name)}
    return next(
        (
            name
            for name in rollout.tools
            if name not in called
            and _looks_up(rollout, name)
            and any(word not in known and speaks_of(rollout.request, word) for word in things_of(name))
        ),
        None,
    )


def _takes(tool: Tool, argument: str) -> bool:
    """Whether a tool must be given the value: then it does not give it."""
    needed = tool.parameters.get("required")
    return isinstance(needed, list) and argument in needed


@lru_cache(maxsize=1024)
def _words(tool: Tool) -> frozenset[str]:
    return frozenset(word.removesuffix("s") for word in (*words_of(tool.name), *words_of(tool.description)))


def _after_a_refusal(rollout: Rollout) -> Iterator[Evidence]:
    """A value that a tool refused, put right by a lookup that came only then."""
    for number, refused in enumerate(rollout.own_calls):
        if not refused.changes or refused.error is None or refused.error.kind not in matcher.ARGUMENT_CLASSES:
            continue
        again = next(
            (later for later in rollout.own_calls[number + 1 :] if later.name == refused.name and later.error is None), None
        )
        if again is None or not refused.arguments or not again.arguments:
            continue
        before = dict(refused.leaves)
        for path, value in again.leaves:
            if path not in before or same(before[path], value) or not isinstance(value, str) or not _RESOLVED.search(value):
                continue
            later = given_later(rollout, value, refused.position)
            if later is not None and later.tool is not None and _looks_up(rollout, later.tool):
                how = f"{later.tool} gave {shown(value)} at step {later.step}, after the call had been refused; {PUT_RIGHT}"
                yield _evidence(refused, path, before[path], (later.tool, how), "a guess")


def _expected_lookups(rollout: Rollout, compared: Comparison | None) -> Iterator[Evidence]:
    """Lookups that the task expects and whose tools were never called, where it expects nothing to be changed: there they decide."""
    if compared is None or not compared.executed or compared.counted:
        return
    called = {made.name for made in rollout.calls}
    for match in compared.matches:
        name = match.expected.name
        if name not in called and _looks_up(rollout, name):
            step = rollout.final.step if rollout.final is not None else rollout.last_step
            yield Evidence(step, match.expected.short, NEVER_CALLED, name)
