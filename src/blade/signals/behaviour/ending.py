"""BI, at the end: how the rollout stopped and what it left behind. None of these is causal: a prefix ends elsewhere."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any, Final

from blade.runs.steps import Step
from blade.sentences import tail
from blade.signals.behaviour.loops import last_loop
from blade.signals.calls.mutation import hands_over, words_of
from blade.signals.example import Example, call, says, thinks
from blade.signals.rollout import Rollout, once_for_each
from blade.signals.signal import Evidence, signal
from blade.signals.texts.speech import asks_back, gives_up, refuses

MIN_CALLS_EXHAUSTED: Final = 3
"""Calls from which ending on a tool output means that the steps ran out, where nothing says so outright."""
MIN_RUN: Final = 2
"""Messages with code that were answered, from which on somebody runs what is written."""
_TERMINAL_WORDS: Final = frozenset([
    "submit", "final", "finish", "finished", "done", "complete", "answer", "exit", "end", "transfer", "terminate", "stop",
    "handoff", "escalate", "report", "click",
])  # fmt: skip
_STEP_LIMITS: Final = frozenset(
    ["max_steps", "max_turns", "max_iterations", "step_limit", "turn_limit", "exit_cost", "exit_context", "too_many_steps"]
)
_OWN_ERRORS: Final = ("agent_error", "too_many_errors", "malformed_output", "format_error")
_COUNTED: Final = "too_many_errors"
"""The reason that is about all errors of a rollout; the others are about the one that ended it."""
ITS_TURN: Final = "the turn was the agent's"
"""Said of an end before the agent could answer what stands last: what it had not done by then, it may have been about to do."""
_REASON_FIELDS: Final = (
    "termination_reason",
    "stop_reason",
    "finish_reason",
    "exit_status",
    "exit_reason",
    "terminal_state",
    "failure_reason",
)


@once_for_each
def ended_by(rollout: Rollout) -> str | None:
    """What the harness says ended the rollout, where it says it."""
    places: list[dict[str, Any]] = [rollout.fields]
    places += [
        value
        for name in ("result", "info", "metadata", "verifier_metadata")
        if isinstance(value := rollout.fields.get(name), dict)
    ]
    for place in places:
        for name in _REASON_FIELDS:
            if isinstance(place.get(name), str):
                return str(place[name])
    return None


@signal(
    "steps_exhausted",
    label="BI",
    meaning="the rollout ran out of steps: it ends on a tool's answer, or the harness says so",
    causal=False,
    example=Example((call("ls", "a b"), call("cat", "text", f="a"), call("cat", "more", f="b"))),
)
def steps_exhausted(rollout: Rollout) -> Iterator[Evidence]:
    if last_loop(rollout) is None and (found := _out_of_steps(rollout)) is not None:
        yield found


@signal(
    "endless_loop",
    label="BI",
    needs=("call",),
    meaning="the rollout made the same call (or the same two or three in turn) with the same answer to its end",
    causal=False,
    example=Example(tuple(call("get_line", '{"status": "active"}', id="L7") for _ in range(7))),
)
def endless_loop(rollout: Rollout) -> Iterator[Evidence]:
    loop = last_loop(rollout)
    if loop is not None and (_out_of_steps(rollout) is not None or _ends_on_a_call(rollout)):
        told = "" if loop.first.output is None else f", each time answered: {loop.first.output.text[:120]}"
        yield Evidence(
            loop.first.step, loop.first.short, f"the last {loop.calls} calls repeat those before{told}", loop.first.name
        )


def _out_of_steps(rollout: Rollout) -> Evidence | None:
    """What shows that a rollout ran out of steps; its subject is the tool that was called last."""
    said = ended_by(rollout)
    calling = rollout.own_calls[-1].name if rollout.own_calls else ""
    if said is not None and said.lower() in _STEP_LIMITS:
        return Evidence(rollout.last_step, f"ended by {said}", subject=calling)
    if rollout.fields.get("truncated") is True and rollout.fields.get("terminated") is False:
        return Evidence(rollout.last_step, "truncated = true, terminated = false", subject=calling)
    # Signature of the simple agent (gym-interop §7.1): the last step's tools were run, and no answer followed.
    if said is not None or _was_broken_off(rollout):
        return None
    if not rollout.calls and (ran := _left_unrun(rollout)):
        # Of no step: what used the steps up was done before.
        return Evidence(
            None, tail(rollout.output[-1].text, 150), f"ends with code that nobody ran; the {ran} before were run", "code"
        )
    if len(rollout.calls) >= MIN_CALLS_EXHAUSTED and _ends_on_a_call(rollout):
        last = rollout.calls[-1]
        if not _TERMINAL_WORDS & set(words_of(last.name)):
            return Evidence(rollout.last_step, last.short, f"{len(rollout.calls)} calls, no answer after the last", last.name)
    return None


def _was_broken_off(rollout: Rollout) -> bool:
    status = rollout.status
    return bool(status.incomplete or status.error or rollout.recorded)


def _ends_on_a_call(rollout: Rollout) -> bool:
    """Whether a tool's answer stands last, and not because something broke the rollout off."""
    return bool(rollout.calls) and not _was_broken_off(rollout) and rollout.output[-1].kind == "tool_output"


def _left_unrun(rollout: Rollout) -> int:
    """How many messages with code were answered before the last one, which has code too and got no answer; nought where it is otherwise."""
    if not rollout.output or not _holds_code(rollout.output[-1]):
        return 0
    before = [(item, after) for item, after in pairwise(rollout.output) if _holds_code(item)]
    answered = sum(after.role == "user" for _, after in before)
    return answered if answered >= MIN_RUN and answered >= len(before) - 1 else 0


def _holds_code(item: Step) -> bool:
    return item.kind == "message" and item.role == "assistant" and "```" in item.text


@signal(
    "stopped_for_errors",
    label="BI",
    meaning="the harness stopped the rollout because of the agent's own errors",
    causal=False,
    example=Example((call("book", "Error: no seats"),), fields={"termination_reason": "too_many_errors"}),
)
def stopped_for_errors(rollout: Rollout) -> Iterator[Evidence]:
    said = ended_by(rollout)
    if said is not None and said.lower() in _OWN_ERRORS and _shows_error(rollout, said.lower()):
        yield Evidence(rollout.last_step, f"ended by {said}", subject=said.lower())


@signal(
    "ended_as_error",
    label="BI",
    meaning="the harness gives an error of the agent as the reason of the end, and the rollout shows none",
    causal=False,
    example=Example((says("x"),), fields={"termination_reason": "agent_error"}),
)
def ended_as_error(rollout: Rollout) -> Iterator[Evidence]:
    said = ended_by(rollout)
    if said is not None and said.lower() in _OWN_ERRORS and not _shows_error(rollout, said.lower()):
        waiting = rollout.output and (rollout.output[-1].role == "user" or rollout.output[-1].kind == "tool_output")
        turn = f", and {ITS_TURN}" if waiting else ""
        yield Evidence(rollout.last_step, f"ended by {said}", f"no error of the agent is to be seen{turn}", said.lower())


def _shows_error(rollout: Rollout, said: str) -> bool:
    """Whether a rollout shows an error that its harness may have stopped it for: one that it had not got past already."""
    if rollout.recorded:
        return True
    wrong = [made for made in rollout.own_calls if made.error is not None or made.problem is not None]
    if not wrong or said == _COUNTED:
        return bool(wrong)
    last = wrong[-1]
    return all(made.position <= last.position for made in rollout.calls) and not any(
        item.kind == "message" and item.role == "assistant" for item in rollout.output[last.position + 1 :]
    )


@signal(
    "output_truncated",
    label="BI",
    meaning="the output limit cut the response off",
    causal=False,
    example=Example(
        (says("Let me go over the entries once more, to be cer"),),
        response={"incomplete_details": {"reason": "max_output_tokens"}},
    ),
)
def output_truncated(rollout: Rollout) -> Iterator[Evidence]:
    if rollout.status.cut and not _overflowed(rollout):
        last = next((tail(item.text, 150) for item in reversed(rollout.output) if item.text.strip()), "")
        yield Evidence(
            rollout.last_step, last or "no text", f"incomplete: {rollout.status.incomplete}", rollout.status.incomplete or ""
        )


def _overflowed(rollout: Rollout) -> bool:
    """An empty completion with finish `length` is how a server reports a prompt that was too long (gym-interop §1.3)."""
    if not rollout.output or not rollout.status.cut:
        return rollout.status.cut
    last = rollout.output[-1]
    return last.kind == "tool_output" or (
        last.kind == "message" and not last.text.strip() and not any(item.kind == "reasoning" for item in rollout.output)
    )


@signal(
    "context_overflow",
    label="BI",
    meaning="the conversation grew beyond the model's context",
    causal=False,
    example=Example((call("cat", "Error: maximum context length is 8192 tokens", f="big.txt"),)),
)
def context_overflow(rollout: Rollout) -> Iterator[Evidence]:
    for place, error in rollout.recorded:
        if error.kind == "context_length":
            yield Evidence(None, error.line, f"in the row's {place}", "context_length")
            return
    for item, error in rollout.errors_by_class.get("context_length", ()):
        if error.decides:
            yield Evidence(item.step, error.line, subject="context_length")
            return
    if rollout.status.cut and _overflowed(rollout):
        yield Evidence(rollout.last_step, "an empty completion that ended by length")


@signal(
    "no_final_answer",
    label="BI",
    meaning="the model thought, and never answered",
    causal=False,
    example=Example((thinks("Let me see. The first line says 4."),)),
)
def no_final_answer(rollout: Rollout) -> Iterator[Evidence]:
    if (
        rollout.output
        and rollout.final is None
        and not rollout.calls
        and any(item.kind == "reasoning" for item in rollout.output)
    ):
        yield Evidence(rollout.last_step, tail(rollout.output[-1].text, 150) or "no text")


@signal(
    "refusal",
    label="BI",
    meaning="the assistant refuses the request as such",
    causal=False,
    example=Example((says("I'm sorry, but I can't assist with that."),)),
)
def refusal(rollout: Rollout) -> Iterator[Evidence]:
    if rollout.final is None:
        return
    if rollout.has_dialogue and any(made.changes and made.error is None for made in rollout.own_calls):
        return  # what somebody asks once a change was made is no longer the request as such
    if said := refuses(rollout.final.text):
        yield Evidence(rollout.final.step, said)


@signal(
    "question_back",
    label="BI",
    needs=("one_turn",),
    meaning="the rollout ends with a question in a task where nobody answers",
    causal=False,
    example=Example((says("Could you please provide the order number?"),), asked="Cancel my last order."),
)
def question_back(rollout: Rollout) -> Iterator[Evidence]:
    if rollout.has_dialogue or rollout.closing is None or _prompt_is_dialogue(rollout):
        return
    if said := asks_back(rollout.closing.text):
        yield Evidence(rollout.closing.step, said)


def _prompt_is_dialogue(rollout: Rollout) -> bool:
    """Whether the prompt is a conversation to be continued by one turn: there a question can be the right turn."""
    return any(item.role == "assistant" for item in rollout.prompt)


@signal(
    "gave_up",
    label="BI",
    meaning="the rollout ends by saying that it could not do it, and has changed nothing",
    causal=False,
    example=Example(
        (call("search", "503 Service Unavailable", q="saw"), says("I am sorry, I was not able to finish your request."))
    ),
)
def gave_up(rollout: Rollout) -> Iterator[Evidence]:
    if rollout.final is None or not rollout.works_with_tools:
        return
    if any(made.error is None and made.output is not None and made.changes for made in rollout.calls):
        return
    if rollout.expectation is not None and any(hands_over(expected.name) for expected in rollout.expectation.calls):
        return  # to say that it takes somebody else is what the task expects
    if said := gives_up(rollout.final.text):
        yield Evidence(rollout.final.step, said)
