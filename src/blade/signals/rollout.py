"""The view that detectors read: one rollout with its calls, errors, tools and status, each worked out once.

*Position* is an index in `Rollout.output`; *step* is the number that people and reports use. They differ where a list was
nested inside `output`, whose items share a step. "Before" always means a smaller position.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache, wraps
from typing import Any, TypeVar

import msgspec

from blade.runs import rows, shapes
from blade.runs.rows import RowDecoder
from blade.runs.scan import RowView
from blade.runs.steps import Step, answered_calls
from blade.signals.calls import arguments, matcher
from blade.signals.calls.call import Call
from blade.signals.calls.matcher import ErrorText
from blade.signals.calls.mutation import CONFIGURED, Mutation, classify, words_of
from blade.signals.calls.placeholders import of_the_sender
from blade.signals.calls.tools import Tool, declared_in, parse_tools
from blade.signals.layout.entries import read_calls
from blade.signals.layout.paths import value_at
from blade.signals.layout.shape import written
from blade.signals.layout.state import state_calls
from blade.signals.machinery.own_doing import own_doing
from blade.signals.machinery.recorded import Recorded, recorded_errors
from blade.signals.once import once
from blade.signals.options import USUAL, Options
from blade.signals.repeats import once_for_repeats, shared
from blade.signals.wanted.expectation import Expectation, find_expectation, with_free
from blade.signals.wanted.nesting import nested
from blade.signals.wanted.settled import settled

LENGTH_REASONS = frozenset({"max_output_tokens", "length", "max_tokens"})


T = TypeVar("T")


@once_for_repeats
def lowered(text: str) -> str:
    """The text of a prompt in lower case: prompts come again with every repeat."""
    return text.lower()


@dataclass(frozen=True)
class Status:
    """What the response says about how it ended."""

    state: str | None = None
    incomplete: str | None = None
    error: str | None = None
    output_tokens: int | None = None
    input_tokens: int | None = None
    allowed: int | None = None
    """The output tokens that the request allows."""
    tools_withheld: bool = False
    """Whether the request has tools and the response says that it was served without any."""

    @property
    def cut(self) -> bool:
        """The output limit ended it."""
        return self.incomplete in LENGTH_REASONS


@dataclass(frozen=True, eq=False)
class Rollout:
    prompt: tuple[Step, ...]
    output: tuple[Step, ...]
    fields: dict[str, Any]
    status: Status
    tools: dict[str, Tool]
    instructions: str = ""
    unnamed_tools: bool = False
    options: Options = USUAL

    def until(self, step: int) -> "Rollout":
        """The same rollout as if it had ended after `step`."""
        return replace(self, output=tuple(item for item in self.output if item.step <= step))

    @once
    def calls(self) -> tuple[Call, ...]:
        return tuple([self._call(position, place) for position, place in answered_calls(self.output).items()])

    def _call(self, position: int, place: int | None) -> Call:
        made = self.output[position]
        parsed, problem = arguments.parse(made.arguments)
        errors = () if place is None else self.errors.get(place, ())
        name = made.name or ""
        return Call(
            position,
            made.step,
            name,
            made.arguments or "",
            parsed,
            problem,
            None if place is None else self.output[place],
            place,
            errors,
            self.mutation_of(name),
            by_user=made.role == "user",
        )

    @once
    def own_calls(self) -> tuple[Call, ...]:
        """The calls that the assistant made; those of a user with tools are not its doing."""
        return tuple(made for made in self.calls if not made.by_user)

    @once
    def _mutations(self) -> dict[str, Mutation]:
        return {}

    @once
    def failed_calls(self) -> tuple[Call, ...]:
        """The calls of either side that came to an error, which in most rollouts are none."""
        return tuple([made for made in self.calls if made.errors and made.error is not None]) if self.errors else ()

    def mutation_of(self, name: str) -> Mutation:
        """Whether the tool of this name changes anything."""
        known = self._mutations
        if name not in known:
            known[name] = self._mutation(name)
        return known[name]

    def _mutation(self, name: str) -> Mutation:
        tool = self.tools.get(name)
        found = classify(name, tool, self._expected, self.options.mutations)
        stated = found.reason == CONFIGURED or (tool is not None and tool.read_only is not None)
        if stated or not self.options.layout.tools:
            return found
        learned = next((tool for tool in self.options.layout.tools if tool.name == name), None)
        return found if learned is None else Mutation(learned.kind, learned.reason)

    @once
    def _expected(self) -> frozenset[str]:
        return frozenset() if self.expectation is None else self.expectation.names

    @once
    def expectation(self) -> Expectation | None:
        """The calls that the task expects, where the row tells them."""
        found = find_expectation(self.fields, self.options.expected_fields, self._learned_calls)
        return with_free(settled(found, self.tools), [field.path for field in self.options.layout.free])

    @once
    def _learned_calls(self) -> Expectation | None:
        for field in self.options.layout.calls:
            try:
                calls = read_calls(value_at(self.fields, field.path), field.name, field.arguments)
            except (ValueError, TypeError, AttributeError, OverflowError, RecursionError):
                continue  # a text that nobody foresaw is no call, and ends no run
            if calls is not None:
                return Expectation(written(field.path), calls)
        for state in self.options.layout.state:
            value = value_at(self.fields, state.path)
            calls = None if value is None else state_calls(value, state.rules)
            if calls is not None:
                return Expectation(written(state.path), calls)
        return None

    @property
    def expected_calls(self) -> bool:
        """Whether the task expects a call."""
        return self.expectation is not None and bool(self.expectation.calls)

    @once
    def errors(self) -> dict[int, tuple[ErrorText, ...]]:
        """The error texts in tool outputs and in what stands for one, by position; every text is scanned once, here."""
        found: dict[int, tuple[ErrorText, ...]] = {}
        for position, item in enumerate(self.output):
            if item.kind == "tool_output" or (
                item.kind == "message" and item.role != "assistant" and matcher.is_execution(item.text)
            ):
                errors = of_the_sender(matcher.find_errors(item.text), self.output, position)
                errors = own_doing(errors, self.output, position, self._told_before, tuple(found)) if errors else ()
            elif item.kind == "message" and item.role == "assistant":
                errors = matcher.find_provider_error(item.text)
            else:
                continue
            if errors:
                found[position] = errors
        return found

    def _told_before(self) -> str:
        """What the prompt and the declared tools say."""
        return "\n".join((self.prompt_text, *(f"{tool.description}\n{tool.parameters}" for tool in self.tools.values())))

    @once
    def _lowered(self) -> dict[int, str]:
        return {}

    def lowered(self, position: int) -> str:
        """The text of an item of the output in lower case, made once: whoever looks for a value reads the same strings."""
        known = self._lowered
        if position not in known:
            known[position] = self.output[position].text.lower()
        return known[position]

    @once
    def lowered_prompt(self) -> str:
        return lowered(self.prompt_text)

    @once
    def errors_by_class(self) -> dict[str, list[tuple[Step, ErrorText]]]:
        """The same errors by their class, each with the step it stands in."""
        found: dict[str, list[tuple[Step, ErrorText]]] = {}
        for position, errors in self.errors.items():
            for error in errors:
                found.setdefault(error.kind, []).append((self.output[position], error))
        return found

    @once
    def recorded(self) -> tuple[Recorded, ...]:
        """The errors that the row records beside the trajectory."""
        return tuple(recorded_errors(self.status.error, self.fields))

    @once
    def final(self) -> Step | None:
        """The last thing the assistant said with words, wherever it stands."""
        return next((item for item in reversed(self.output) if says_something(item)), None)

    @once
    def closing(self) -> Step | None:
        """The message that the rollout ends with (a closing word of a simulated user aside); None if it ends with anything else."""
        for item in reversed(self.output):
            if item.kind == "message" and item.role == "assistant":
                return item if item.text.strip() else None
            if item.kind in ("tool_call", "tool_output"):
                return None
        return None

    @property
    def last_step(self) -> int | None:
        return self.output[-1].step if self.output else None

    @once
    def has_dialogue(self) -> bool:
        """Whether somebody answers inside the output: then a question is part of the work."""
        return any(item.kind == "message" and item.role == "user" for item in self.output)

    @once
    def prompt_text(self) -> str:
        return shared("\n".join([self.instructions, *[item.text for item in self.prompt]]).strip())

    @once
    def request(self) -> str:
        """What the user asked last, before anything was done."""
        spoken = max((number for number, item in enumerate(self.prompt) if item.role == "assistant"), default=-1)
        return shared("\n".join([item.text for item in self.prompt[spoken + 1 :] if item.role == "user"]))

    @once
    def lowered_request(self) -> str:
        return lowered(self.request)

    @property
    def works_with_tools(self) -> bool:
        return bool(self.tools or self.calls)

    def assistant_messages(self) -> Iterator[tuple[int, Step]]:
        for position, item in enumerate(self.output):
            if says_something(item):
                yield position, item


def once_for_each(function: Callable[[Rollout], T]) -> Callable[[Rollout], T]:
    """Work something out once for each rollout, however many ask, and keep it with the rollout.

    What refers back to the rollout is not kept so: the two would hold each other.
    """
    place = f"{function.__module__}.{function.__qualname__}"

    @wraps(function)
    def known(rollout: Rollout) -> T:
        kept = rollout.__dict__
        try:
            value: T = kept[place]
        except KeyError:
            value = kept[place] = function(rollout)
        return value

    return known


def says_something(item: Step) -> bool:
    return item.kind == "message" and item.role == "assistant" and bool(item.text.strip())


_KEPT = "rollout"


def rollout_of(view: RowView, options: Options = USUAL) -> Rollout:
    """The rollout on a row that is being scanned: built once, however many extractors (of the same options) look at it."""
    known: Rollout | None = view.kept.get(_KEPT)
    if known is None:
        row, path = view.row, view.trajectory
        asked, unnamed = parse_tools(bytes(row.params.tools))
        offered, more = parse_tools(bytes(row.response.tools))
        tools, unnamed = offered | asked, unnamed or more
        if not tools and not unnamed:
            tools, unnamed = declared_in(path.fields)
        known = view.kept[_KEPT] = Rollout(
            prompt=path.prompt,
            output=path.output,
            fields=_opened(nested(path.fields)),
            status=_status(
                row.response, row.params.max_output_tokens, bool(asked) and bytes(row.response.tools).strip() == b"[]"
            ),
            tools=tools,
            instructions=shapes.text_of(row.params.instructions),
            unnamed_tools=unnamed,
            options=options,
        )
    return known


_WRAPPED = frozenset(
    [
        "verifier", "verification", "metadata", "meta", "info", "grading", "evaluation", "checks", "scores", "scorers", "report", "assessment",
        "item", "task", "example", "sample", "doc", "case", "instance", "record", "scenario", "payload", "fixture", "entry", "datapoint", "row",
    ]
)  # fmt: skip
"""Last words in the names of fields in which harnesses keep an object, some of them as its JSON text; an answer may be such a text as well."""
MAX_WRAPPED = 100_000


def _opened(fields: dict[str, Any]) -> dict[str, Any]:
    """The fields, with an object that was written down as text read back."""
    wrapped = {
        name: inner
        for name, text in fields.items()
        if isinstance(text, str)
        and text.lstrip()[:1] == "{"
        and _wraps(name)
        and len(text) <= MAX_WRAPPED
        and (inner := _object(text)) is not None
    }
    return {**fields, **wrapped} if wrapped else fields


@lru_cache(maxsize=4096)
def _wraps(name: str) -> bool:
    """Whether a field of this name holds what others made of the rollout, or a row of the dataset; the names come again with every row."""
    return name == "eval_result" or not _WRAPPED.isdisjoint(words_of(name)[-1:])


def _object(text: str) -> dict[str, Any] | None:
    try:
        value = msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def read_rollout(text: bytes, options: Options = USUAL) -> Rollout:
    """The rollout on one line of a rollout file."""
    return rollout_of(RowView(RowDecoder().decode(text), text), options)


def _status(response: rows.Response, allowed: Any, tools_withheld: bool) -> Status:
    details = response.incomplete_details
    incomplete = details.get("reason") if isinstance(details, dict) else details
    return Status(
        state=response.status if isinstance(response.status, str) else None,
        incomplete=incomplete if isinstance(incomplete, str) and incomplete else None,
        error=_error_text(response.error),
        output_tokens=_count(response.usage, "output_tokens"),
        input_tokens=_count(response.usage, "input_tokens"),
        allowed=_tokens(allowed),
        tools_withheld=tools_withheld,
    )


def _count(usage: Any, name: str) -> int | None:
    return _tokens(usage.get(name)) if isinstance(usage, dict) else None


def _tokens(told: Any) -> int | None:
    """A number of tokens; one that no machine counts to is none."""
    return told if isinstance(told, int) and not isinstance(told, bool) and abs(told) < 1 << 63 else None


def _error_text(error: Any) -> str | None:
    if isinstance(error, dict):
        parts = [str(error[name]) for name in ("code", "type", "message") if error.get(name)]
        return ": ".join(parts) or None
    return str(error) if error else None
