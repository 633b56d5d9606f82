"""BI, at the end: how the rollout stopped and what it left behind. None of these is causal: a prefix ends elsewhere."""

import re
from collections.abc import Iterator
from typing import Any, Final

import msgspec

from blade.signals.asked import LAST_LINE, asked_form
from blade.signals.example import Example, call, says, thinks
from blade.signals.mutation import words_of
from blade.signals.repeats import once_for_repeats
from blade.signals.rollout import Rollout
from blade.signals.signal import Evidence, signal
from blade.signals.speech import asks_back, gives_up, refuses

MIN_CALLS_EXHAUSTED: Final = 3
"""Calls from which ending on a tool output means that the steps ran out, where nothing says so outright."""
_TERMINAL_WORDS: Final = frozenset([
    "submit", "final", "finish", "finished", "done", "complete", "answer", "exit", "end", "transfer", "terminate", "stop",
    "handoff", "escalate", "report", "click",
])  # fmt: skip
_STEP_LIMITS: Final = frozenset(
    ["max_steps", "max_turns", "max_iterations", "step_limit", "turn_limit", "exit_cost", "exit_context", "too_many_steps"]
)
_REASON_FIELDS: Final = (
    "termination_reason",
    "stop_reason",
    "finish_reason",
    "exit_status",
    "exit_reason",
    "terminal_state",
    "failure_reason",
)

_BOXED: Final = re.compile(r"\\+boxed\s*\{|\\+fbox\s*\{|\\+boxed\s+\S")
_ASKS_BOXED: Final = re.compile(
    r"\b(?:put|place|enclose|wrap|write|give|present|answer|box|in|within|inside|using|use|with|as|form|format)\b[^.\n]{0,80}\\+boxed\b",
    re.IGNORECASE,
)
_TAG_PAIR: Final = re.compile(r"<(answer|final_answer|solution|result|output|response)>.{0,200}?</\1>", re.DOTALL)
_ASKS_JSON: Final = re.compile(
    r"\b(?:respond|reply|answer|output|return|give|produce|format)\b[^.\n]{0,60}\b(?:only |valid |a |single |strict |as |in |with )*JSON\b(?! schema\b)",
    re.IGNORECASE,
)
_ASKED_LINE: Final = re.compile(
    r"\b(?:close|end|finish|conclude|last line|final line)\b[^\n]{0,80}?['\"`“][ \t]*\**([A-Z][A-Za-z ]{2,24}:)", re.IGNORECASE
)
_ASKS_BARE: Final = re.compile(
    r"\b(?:answer|reply|respond|output|return|give|write|state|print)\b[^.\n]{0,30}?\b(?:only|just|nothing but|a single)\b[^.\n]{0,20}?\b(number|integer|letter)\b"
    r"|\b(?:answer|reply|respond|output|return|give|write|state|print)\b[^.\n]{0,30}?\b(number|integer|letter) (?:only|alone|and nothing else)\b",
    re.IGNORECASE,
)
_BARE: Final = {
    "number": re.compile(r"\W{0,4}[-+]?\d[\d,.]*(?:/\d+)?(?:[eE][-+]?\d+)?\s?%?\W{0,4}"),
    "letter": re.compile(r"\W{0,4}[A-Za-z]\W{0,4}"),
}
"""What a line looks like that holds a number (a letter) and nothing else."""


def _ended_by(rollout: Rollout) -> str | None:
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
    said = _ended_by(rollout)
    if said is not None and said.lower() in _STEP_LIMITS:
        yield Evidence(rollout.last_step, f"ended by {said}", subject=said.lower())
        return
    if rollout.fields.get("truncated") is True and rollout.fields.get("terminated") is False:
        yield Evidence(rollout.last_step, "truncated = true, terminated = false")
        return
    # Signature of the simple agent (gym-interop §7.1): the last step's tools were run, and no answer followed.
    status = rollout.status
    if said is not None or status.incomplete or status.error or rollout.recorded:
        return
    if len(rollout.calls) >= MIN_CALLS_EXHAUSTED and rollout.output[-1].kind == "tool_output":
        last = rollout.calls[-1]
        if not _TERMINAL_WORDS & set(words_of(last.name)):
            yield Evidence(rollout.last_step, last.short, f"{len(rollout.calls)} calls, no answer after the last", last.name)


@signal(
    "stopped_for_errors",
    label="BI",
    meaning="the harness stopped the rollout because of the agent's own errors",
    causal=False,
    example=Example((call("book", "Error: no seats"),), fields={"termination_reason": "too_many_errors"}),
)
def stopped_for_errors(rollout: Rollout) -> Iterator[Evidence]:
    said = _ended_by(rollout)
    if said is not None and said.lower() in ("agent_error", "too_many_errors", "malformed_output", "format_error"):
        yield Evidence(rollout.last_step, f"ended by {said}", subject=said.lower())


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
        last = next((item.text[-150:] for item in reversed(rollout.output) if item.text.strip()), "")
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
        yield Evidence(rollout.last_step, rollout.output[-1].text[-150:] or "no text")


@signal(
    "refusal",
    label="BI",
    meaning="the assistant refuses the request as such",
    causal=False,
    example=Example((says("I'm sorry, but I can't assist with that."),)),
)
def refusal(rollout: Rollout) -> Iterator[Evidence]:
    if rollout.final is not None and (said := refuses(rollout.final.text)):
        yield Evidence(rollout.final.step, said)


@signal(
    "question_back",
    label="BI",
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
    if said := gives_up(rollout.final.text):
        yield Evidence(rollout.final.step, said)


@signal(
    "wrong_format",
    label="BI",
    meaning="the answer lacks the form that the prompt asked for",
    causal=False,
    example=Example((says("The answer is 12."),), asked="What is 3 x 4? Put the answer in \\boxed{}."),
)
def wrong_format(rollout: Rollout) -> Iterator[Evidence]:
    closing = rollout.closing
    if closing is None or rollout.status.cut or rollout.has_dialogue or refuses(closing.text) or gives_up(closing.text):
        return
    asked, wanted = _last_request(rollout)
    if any(made.changes and made.error is None for made in rollout.calls):
        asked = wanted  # what a system prompt says of answers holds for those who were asked for one
    missing = _missing_form(asked, wanted, closing.text, files=bool(rollout.calls))
    if missing:
        yield Evidence(closing.step, closing.text[-150:], missing, missing.removeprefix("asked for "))


def _last_request(rollout: Rollout) -> tuple[str, str]:
    """What was asked last (the turns after the assistant's last one), and the user's part of it."""
    turns = list(rollout.prompt)
    spoken = max((number for number, item in enumerate(turns) if item.role == "assistant"), default=-1)
    last = turns[spoken + 1 :]
    return "\n".join(item.text for item in last), "\n".join(item.text for item in last if item.role == "user")


def _missing_form(asked: str, wanted: str, answer: str, files: bool) -> str | None:
    """The form that `asked` wants and `answer` lacks. A closing line counts where the user himself (`wanted`) asks for it."""
    boxed, tags = _asked_marks(asked)
    if boxed:
        return None if _BOXED.search(answer) else "asked for \\boxed{}"
    if tags and not any(f"<{tag}>" in answer for tag in tags):
        return f"asked for <{tags[0]}>"
    form = asked_form(wanted)
    if form is not None and form != LAST_LINE and not form.before.startswith("<"):
        return None if form.stated(answer) is not None else f"asked for {form.shown!r}"
    line = _asked_line(wanted[-6_000:])
    if line is not None and not re.search(rf"{re.escape(line.rstrip(':'))}[*_`\s]{{0,4}}:", answer, re.IGNORECASE):
        return f"asked for a line {line!r}"
    if not files and _asks_json(asked) and not _holds_json(answer):
        return "asked for JSON"
    return None if files else _missing_bare(wanted, answer)


@once_for_repeats
def _asked_marks(asked: str) -> tuple[bool, tuple[str, ...]]:
    """Whether a prompt asks for a box, and the tags that it shows; prompts come again with every repeat."""
    if "boxed" in asked and _ASKS_BOXED.search(asked):
        return True, ()
    return False, tuple(sorted({found[1] for found in _TAG_PAIR.finditer(asked[-6_000:])})) if "</" in asked else ()


@once_for_repeats
def _asks_json(asked: str) -> bool:
    return "json" in asked[-3_000:].lower() and _ASKS_JSON.search(asked[-3_000:]) is not None


def _missing_bare(wanted: str, answer: str) -> str | None:
    """The bare number or letter that a request asks for, where an answer of one line is more than that.

    A longer answer may hold its working, and the request may be about its end: that is left to others.
    """
    line = answer.strip()
    if not line or "\n" in line or (what := _asked_bare(wanted)) is None:
        return None
    has_it = re.search(r"\d", line) if what == "number" else re.search(r"\b[A-Za-z]\b", line)
    return f"asked for the {what} alone" if has_it and not _BARE[what].fullmatch(line) and "boxed" not in line else None


@once_for_repeats
def _asked_bare(wanted: str) -> str | None:
    """What a request wants alone: a number or a letter."""
    told = _ASKS_BARE.search(wanted[-3_000:])
    return None if told is None else "letter" if (told[1] or told[2]).lower() == "letter" else "number"


@once_for_repeats
def _asked_line(wanted: str) -> str | None:
    """The line that a prompt asks for; prompts come again with every repeat."""
    found = _ASKED_LINE.search(wanted)
    return None if found is None else found[1]


def _holds_json(answer: str) -> bool:
    """Whether an object or list can be read in an answer, in a fence or bare."""
    for opening, closing in (("{", "}"), ("[", "]")):
        start, end = answer.find(opening), answer.rfind(closing)
        if 0 <= start < end:
            try:
                msgspec.json.decode(answer[start : end + 1])
            except (msgspec.DecodeError, UnicodeError, RecursionError):
                continue
            return True
    # Several objects, one after another, or JSON with comments: somebody tried, and a parser must judge.
    return "```json" in answer or answer.lstrip()[:1] in ("{", "[")
