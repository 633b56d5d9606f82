"""BI, while working: how the rollout uses its tools and what it makes of their answers.

A call *fails* when its whole output is an error (`Call.error`). Errors of the argument classes answer what the model asked; errors
of the infrastructure may be retried as they are, so repeating them is no fault. A call that cannot be judged yet (its answer has
not come) is not judged.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice, takewhile
from typing import Any, Final

from blade.runs.steps import Step
from blade.signals.calls import arguments, matcher
from blade.signals.calls.call import Call
from blade.signals.calls.mutation import hands_over, words_of
from blade.signals.calls.refused_calls import beyond_retrying
from blade.signals.calls.tools import Tool
from blade.signals.example import Example, call, says, tool
from blade.signals.rollout import Rollout, says_something
from blade.signals.signal import Evidence, argument_subject, signal
from blade.signals.texts.speech import admits_failure, claims_success

MIN_CYCLE: Final = 2
"""How often two calls must alternate, both rounds complete, to count as thrashing."""
MAX_VIOLATIONS: Final = 3
_MEANS: Final = frozenset(["by", "with", "via", "from", "using"])
"""Words in the name of a tool behind which stands how it does what it does."""
MIN_NAMED_VALUE: Final = 4
"""Characters from which a value in an error text is that argument and not a coincidence."""


@signal(
    "repeated_call",
    label="BI",
    needs=("call",),
    meaning="the same call with the same arguments, again, after the same answer and with nothing changed in between",
    example=Example((call("get_order", '{"status": "open"}', id=7), call("get_order", '{"status": "open"}', id=7))),
)
def repeated_call(rollout: Rollout) -> Iterator[Evidence]:
    answers: dict[tuple[str, str], str] = {}
    for made in rollout.own_calls if _answered_alike(rollout.own_calls) else ():
        if made.output is None:
            continue
        if answers.get(made.key) == made.output.text:
            yield Evidence(made.step, made.short, f"answered as before: {made.output.text[:120]}", made.name)
        elif not made.reads and made.error is None:
            answers.clear()  # looking again after a change is a check, not a repetition
        if made.error is None or made.error.kind not in matcher.INFRASTRUCTURE:
            answers[made.key] = made.output.text


def _answered_alike(calls: Sequence[Call]) -> bool:
    """Whether two calls of one tool have answers of one length, as every repeated call with the answer before does."""
    answered = [(made.name, len(made.output.text)) for made in calls if made.output is not None]
    return len(set(answered)) < len(answered)


@signal(
    "thrashing",
    label="BI",
    needs=("call",),
    meaning="two calls that alternate, each with the arguments it had before, or a change made, changed and made again",
    example=Example((call("set_seat", "ok", seat="12A"), call("set_seat", "ok", seat="14C"), call("set_seat", "ok", seat="12A"))),
)
def thrashing(rollout: Rollout) -> Iterator[Evidence]:
    done: list[Call] = []
    flagged = -1
    for made in rollout.own_calls:
        if made.output is None:
            continue
        done.append(made)
        if len(done) > flagged + MIN_CYCLE and _alternates(done):
            flagged = len(done)
            yield Evidence(made.step, made.short, f"alternates with {done[-2].short}", made.name)
        elif len(done) >= 3 and _undoes(done[-3], done[-2], done[-1]) and made.changes:
            yield Evidence(made.step, made.short, f"was {done[-2].short} in between, and this before that", made.name)


def _alternates(done: list[Call]) -> bool:
    if len(done) < 2 * MIN_CYCLE or not _is_same(done[-1], done[-3]):
        return False
    first, second, *_ = keys = [made.key for made in done[-2 * MIN_CYCLE :]]
    return first != second and all(key == (first, second)[number % 2] for number, key in enumerate(keys))


def _is_same(one: Call, other: Call) -> bool:
    """Whether two calls are the same; the keys of most need not be made to see that they are not."""
    return one.name == other.name and one.arguments == other.arguments and one.key == other.key


def _undoes(before: Call, between: Call, again: Call) -> bool:
    """The same change twice with another value of the same tool between; a retry after an error is none."""
    return (
        between.name == again.name
        and _is_same(before, again)
        and again.key != between.key
        and before.error is None
        and between.error is None
    )


@signal(
    "unparsable_arguments",
    label="BI",
    needs=("call",),
    meaning="the arguments of a call are no JSON object",
    example=Example((call("book", '{"error": "Invalid tool call arguments"}', raw='{"seat": "12A"'),)),
)
def unparsable_arguments(rollout: Rollout) -> Iterator[Evidence]:
    for made in rollout.own_calls:
        if made.problem is not None and _takes_json(rollout, made):
            yield Evidence(made.step, f"{made.name}({made.raw})", made.problem, made.name)


def _takes_json(rollout: Rollout, made: Call) -> bool:
    """Custom tools, hosted tools and logs of code take plain text; a text that does not begin as JSON is no failed object."""
    return made.name in rollout.tools or made.raw.lstrip()[:1] == "{"


@signal(
    "schema_violation",
    label="BI",
    needs=("call",),
    meaning="arguments that the tool's schema does not allow: a required one missing, an unknown one, a wrong type or value",
    example=Example((call("book", "ok", seat=12),), tools=(tool("book", seat="string"),)),
)
def schema_violation(rollout: Rollout) -> Iterator[Evidence]:
    for made in rollout.own_calls:
        declared = rollout.tools.get(made.name)
        if declared is None or made.arguments is None:
            continue
        kinds = tuple([value.__class__ for value in made.arguments.values()])
        if _by_type_alone(declared) and _PLAIN.issuperset(kinds):
            found = _violated_by(declared, tuple(made.arguments), kinds)
        else:
            found = _violated(declared, made.arguments)
        if found:
            # Each violation begins with the argument it is about.
            yield Evidence(made.step, made.short, "; ".join(found), argument_subject(made.name, found[0].split(" ", 1)[0]))


def _violated(declared: Tool, given: dict[str, Any]) -> list[str]:
    return list(islice(arguments.violations(given, declared.parameters), MAX_VIOLATIONS))


_EXAMPLES: Final[dict[type, Any]] = {str: "", int: 0, bool: False, type(None): None}
_PLAIN: Final = frozenset(_EXAMPLES)
"""Types of which every value fits a schema without enumerations, or none does."""


@lru_cache(maxsize=4096)
def _violated_by(declared: Tool, names: tuple[str, ...], kinds: tuple[type, ...]) -> list[str]:
    """What arguments of these types have against a schema: a tool is called again and again with the same ones."""
    return _violated(declared, {name: _EXAMPLES[kind] for name, kind in zip(names, kinds, strict=True)})


@lru_cache(maxsize=512)
def _by_type_alone(declared: Tool) -> bool:
    """Whether a schema has no enumeration, so that types decide what plain arguments have against it."""
    properties = declared.parameters.get("properties")
    return isinstance(properties, dict) and not any(isinstance(one, dict) and "enum" in one for one in properties.values())


@signal(
    "unknown_tool",
    label="BI",
    needs=("call",),
    meaning="a call of a tool that does not exist",
    example=Example((call("fly", "Error: unknown tool 'fly'"),), tools=(tool("walk"),)),
)
def unknown_tool(rollout: Rollout) -> Iterator[Evidence]:
    closed = bool(rollout.tools) and not rollout.unnamed_tools
    for made in rollout.own_calls:
        if closed and made.name and made.name not in rollout.tools:
            yield Evidence(made.step, made.short, "not among the declared tools", made.name)
        elif made.name not in rollout.tools and any(error.kind == "unknown_tool" and error.decides for error in made.errors):
            yield Evidence(made.step, made.short, made.errors[0].line[:120], made.name)


@signal(
    "failed_call",
    label="BI",
    needs=("error",),
    meaning="a call that the tool answered with an error about what was asked of it",
    example=Example((call("pay", "Error: payment method not found", card="card_1"),)),
)
def failed_call(rollout: Rollout) -> Iterator[Evidence]:
    for made in rollout.failed_calls:
        if not made.by_user and made.error is not None and made.error.kind in matcher.ARGUMENT_CLASSES:
            yield Evidence(made.step, made.error.line, f"{made.error.kind}: {made.short[:200]}", made.name)


@signal(
    "feedback_misread",
    label="BI",
    needs=("error",),
    meaning="the same error from the same tool again, for an argument value that it had already refused",
    example=Example(
        (
            call("pay", "Error: payment method not found", payment_method_id="card_1", amount=5),
            call("pay", "Error: payment method not found", payment_method_id="card_1", amount=6),
        )
    ),
)
def feedback_misread(rollout: Rollout) -> Iterator[Evidence]:
    refused: dict[tuple[str, str], set[tuple[str, str]]] = {}
    for made in rollout.failed_calls:
        if made.by_user or made.error is None or made.error.kind not in matcher.ARGUMENT_CLASSES or made.arguments is None:
            continue
        given = {(path, str(value)) for path, value in made.leaves}
        before = refused.get((made.name, made.error.line), set())
        # Another error of a search with other terms is a search going on; the value that the error speaks of must have stayed.
        kept = sorted(leaf for leaf in given & before if _speaks_of(made.error.line, *leaf))
        if kept:
            path, value = kept[0]
            told = f"{made.name}: {path} is still {value}"[:300]
            yield Evidence(made.step, made.error.line, told, argument_subject(made.name, path))
        refused[made.name, made.error.line] = before | given


def _speaks_of(error: str, path: str, value: str) -> bool:
    """Whether an error names an argument: by its value, or by all words of its name but the technical last one."""
    said = error.lower()
    if len(value) >= MIN_NAMED_VALUE and value.lower() in said:
        return True
    words = [word for word in words_of(path.rpartition(".")[2]) if word not in ("id", "ids", "number", "new")]
    return bool(words) and any(len(word) > 3 for word in words) and all(word.removesuffix("s") in said for word in words)


@signal(
    "error_ignored",
    label="BI",
    needs=("error",),
    meaning="a state-changing call failed, and the assistant then reported success without having made it succeed",
    example=Example(
        (call("cancel_order", "Error: order already shipped", id=7), says("I have successfully cancelled your order."))
    ),
)
def error_ignored(rollout: Rollout) -> Iterator[Evidence]:
    if not rollout.failed_calls:
        return
    calls = {made.output_position: made for made in rollout.calls if made.output_position is not None}
    failed: list[Call] = []
    for position, item in enumerate(rollout.output):
        made = calls.get(position)
        if made is not None and made.error is None and not made.reads:
            failed.clear()  # something went through since
        elif made is not None and made.error is not None and made.changes:
            failed.append(made)
        elif failed and says_something(item):
            # The first thing said after an error is where it is owned up to, or not.
            claim = claims_success(item.text)
            if claim and not admits_failure(item.text):
                for first in failed:
                    yield Evidence(first.step, first.errors[0].line, f"step {item.step} says: {claim[:150]}", first.name)
            failed.clear()


@signal(
    "error_not_retried",
    label="BI",
    needs=("error",),
    meaning="a call failed, and nothing of its kind was tried again before the end",
    causal=False,
    example=Example((call("search", "503 Service Unavailable", q="saw"), says("I could not find it."))),
)
def error_not_retried(rollout: Rollout) -> Iterator[Evidence]:
    last = {made.name: made for made in rollout.calls} if rollout.failed_calls else {}
    for made in rollout.failed_calls:
        if (
            not made.by_user
            and made.error is not None
            and made.error.kind != "unknown_tool"
            and last[made.name] is made
            and not _made_up(rollout, made)
            and not beyond_retrying(rollout, made)
        ):
            yield Evidence(made.step, made.error.line, f"{made.error.kind}: {made.short[:200]}", made.name)


def _made_up(rollout: Rollout, failed: Call) -> bool:
    """Whether what a call failed to do came about otherwise: by a tool of its kind, by a change with the same arguments, or, where a lookup was told no, in a change that went through."""
    told_no = failed.reads and failed.error is not None and failed.error.kind in matcher.ARGUMENT_CLASSES
    return any(
        made.error is None
        and made.output is not None
        and (
            (told_no and made.changes)
            or _same_purpose(words_of(made.name), words_of(failed.name))
            or (made.changes and len(failed.leaves) > 1 and made.leaves == failed.leaves)
        )
        for made in rollout.calls
        if made.position > failed.position
    )


def _same_purpose(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether two tools do the same by other means: `find_user_by_email` and `find_user_by_name`."""
    shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
    behind = {*one[shared - 1 : shared + 1], *other[shared : shared + 1]}
    return shared > 1 and not _MEANS.isdisjoint(behind)


@signal(
    "command_timed_out",
    label="BI",
    needs=("error",),
    meaning="something that the model ran hit the tool's time limit",
    example=Example((call("bash", "Command timed out after 60 seconds", cmd="python solve.py"),)),
)
def command_timed_out(rollout: Rollout) -> Iterator[Evidence]:
    for item, error in rollout.errors_by_class.get("command_timeout", ()):
        yield Evidence(item.step, error.line, subject=_tool_at(rollout, item))


def _tool_at(rollout: Rollout, item: Step) -> str:
    """The tool whose answer an item is; empty where it is none's."""
    return next((made.name for made in rollout.calls if made.output is item), "")


@signal(
    "handed_over",
    label="BI",
    needs=("call",),
    meaning="the rollout handed the case to a person before it had changed anything",
    example=Example((call("transfer_to_human_agents", "Transfer successful", summary="wants a refund"),)),
)
def handed_over(rollout: Rollout) -> Iterator[Evidence]:
    for made in rollout.calls:
        if made.changes and made.output is not None and made.error is None:
            return
        if hands_over(made.name):
            yield Evidence(made.step, made.short, subject=made.name)
            return


@signal(
    "unbacked_claim",
    label="BI",
    meaning="the assistant reports something as done, and no call before it could have done it",
    example=Example((call("get_loan", '{"due": "2026-03-04"}', id="L1"), says("Done! I have extended your loan by a week."))),
)
def unbacked_claim(rollout: Rollout) -> Iterator[Evidence]:
    # A call that may have changed something counts, and so does one whose answer never came.
    changed = min((made.position for made in rollout.calls if not made.reads), default=len(rollout.output))
    called = 0 if rollout.tools else rollout.calls[0].position if rollout.calls else len(rollout.output)
    for position, item in rollout.assistant_messages():
        if position > changed:
            return
        if position < called or item.text.count("```") > 1:
            continue  # where nothing but text can be produced, writing it down is doing it
        claim = claims_success(item.text)
        if claim:
            yield Evidence(item.step, claim, "no state-changing call before it")
            return
