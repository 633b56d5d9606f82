"""IR: the machinery failed. Error texts of the infrastructure classes, and what the row itself says about its end.

An error that answers the model's arguments (not found, invalid, refused) is no infrastructure, however it is worded; the matcher
tells them apart. A failure that the row records beside the trajectory (an `error` field, a failure class, `response.error`) has
no step. The same failure is told once: by the class of its words where they have one, else as what it is.
"""

import re
from collections.abc import Iterator
from typing import Any, Final

from blade.signals.calls import matcher
from blade.signals.example import Example, call, says, user
from blade.signals.rollout import Rollout
from blade.signals.signal import Detect, Evidence, signal
from blade.signals.verifier.judging import judging_errors, raised_late

MAX_REASON: Final = 60
_EXCEPTION: Final = re.compile(r"\b[A-Z]\w*(?:Error|Exception|Timeout|Interrupt)\b")
_TERMINATIONS: Final = re.compile(
    r"infra|user_error|environment_(?:error|fail|crash)|sandbox_(?:error|fail|lost|crash)|container_(?:error|fail|lost|crash)|preempt|evict|spot_reclaim"
    r"|(?:node|host|worker|server|machine|executor)_(?:lost|fail|died|down|crash|error)|\boom\b|out_of_memory|connection_(?:lost|error)|(?:api|network|provider|model)_error"
    r"|heartbeat|lost_contact",
    re.IGNORECASE,
)
"""Reasons for which a harness ends a rollout that are not the agent's."""
_REASONS: Final = (
    "termination_reason",
    "stop_reason",
    "exit_reason",
    "end_reason",
    "abort_reason",
    "failure_reason",
    "terminal_state",
    "exit_status",
    "failure_kind",
    "outcome",
    "status",
)
PRODUCTS: Final = (
    "model_patch", "patch", "model_output", "generation", "generated_code", "submission", "completion", "prediction", "pred_text",
)  # fmt: skip
"""Fields that hold what a model made, where a harness keeps no transcript of the making."""

_EXAMPLES: Final = {
    "server_error": ("a service answered with a 5xx error", "503 Service Unavailable: the stock service did not answer"),
    "rate_limited": ("a service refused because of too many requests", "Error: 429 Too Many Requests"),
    "quota_exhausted": ("a quota, plan or credit ran out", "openai.RateLimitError: You exceeded your current quota, please check your plan"),
    "service_timeout": ("a service did not answer in time", "httpx.ReadTimeout: The read operation timed out"),
    "connection_failed": ("a connection was refused, reset or never made", "ConnectionError: [Errno 111] Connection refused"),
    "access_denied": ("a service refused the credentials", "Error: HTTP 401 Unauthorized, invalid API key"),
    "sandbox_failed": ("a sandbox, container or kernel did not start or died", "Error: failed to start container for session 7"),
    "out_of_memory": ("a process ran out of memory or was killed", "Killed"),
    "disk_full": ("no space was left on a disk", "OSError: [Errno 28] No space left on device"),
    "store_failed": ("the database or store behind a tool was locked, read-only, damaged or out of connections", "sqlite3.OperationalError: database is locked"),
    "session_lost": ("the session that a tool works in had expired or was gone", "Error: session 8d22 has expired"),
    "missing_command": ("a command that was called is not installed", "bash: jq: command not found"),
    "failed_install": ("a package could not be installed", "ERROR: No matching distribution found for erfa"),
}  # fmt: skip


def _of_class(kind: str) -> Detect:
    def detect(rollout: Rollout) -> Iterator[Evidence]:
        for place, error in rollout.recorded:
            if error.kind == kind:
                yield Evidence(None, error.line, f"in the row's {place}", kind)
                break
        for item, error in rollout.errors_by_class.get(kind, ()):
            told = "it is the whole answer" if error.decides else "a line of a longer output"
            yield Evidence(item.step, error.line, told, kind)

    detect.__module__ = __name__
    return detect


for _kind, (_meaning, _line) in _EXAMPLES.items():
    signal(_kind, label="IR", needs=("error",), meaning=_meaning, example=Example((call("lookup", _line, id="A1"),)))(
        _of_class(_kind)
    )


@signal(
    "rollout_error",
    label="IR",
    meaning="the row records an error that ended the rollout, of no class that the matcher knows",
    causal=False,  # it points at where the rollout broke off
    example=Example(fields={"error": "RuntimeError: environment went away"}),
)
def rollout_error(rollout: Rollout) -> Iterator[Evidence]:
    broke = raised_late(rollout)
    for place, error in rollout.recorded:
        if error.kind not in matcher.INFRASTRUCTURE and error.kind != "context_length" and (place, error) not in broke:
            yield Evidence(_ended(rollout), error.line, f"in the row's {place}", _class_of(error.line) or place)
            return
    result = rollout.fields.get("result")
    for holder in (result if isinstance(result, dict) else {}, rollout.fields):
        for name in _REASONS:
            reason = holder.get(name)
            if isinstance(reason, str) and len(reason) <= MAX_REASON and _TERMINATIONS.search(reason):
                yield Evidence(_ended(rollout), f"{name} = {reason}", "the harness ended the rollout", reason)
                return


def _ended(rollout: Rollout) -> int | None:
    """The step after which a rollout broke off; None where it never began."""
    return rollout.last_step if rollout.output else None


def _class_of(line: str) -> str:
    """The exception that an error text names: `RuntimeError` of `RuntimeError: environment went away`."""
    named = _EXCEPTION.search(line)
    return named[0] if named else ""


_LENGTH: Final = re.compile(r"(?<![\d.])\d{3,7}(?!\d|\.\d)")
_STATUS: Final = re.compile(r"\b(?:error code|status(?: code)?|HTTP)\W{1,3}\d{3}\b", re.IGNORECASE)
PER_TOKEN: Final = 1.5
"""Characters of a prompt for each token of the window, from which on the prompt itself cannot fit: a token has two to five."""


@signal(
    "window_too_small",
    label="IR",
    meaning="the very first request was refused for its length: the prompt itself does not fit into the window that the model was served with",
    example=Example(
        fields={"error": "This model's maximum context length is 128 tokens. However, your messages resulted in 187 tokens."},
        asked="Please read all of this before you answer. " * 6,
    ),
)
def window_too_small(rollout: Rollout) -> Iterator[Evidence]:
    if not any(item.kind in ("tool_call", "reasoning") or item.text.strip() for item in rollout.output):
        for place, error in rollout.recorded:
            if error.kind == "context_length" and _fits_not(rollout, error.line):
                yield Evidence(None, error.line, f"in the row's {place}, and nothing was done before it", "context_length")
                return


def _fits_not(rollout: Rollout, line: str) -> bool:
    """Whether an error names a window into which the prompt with its tools cannot go; a harness may have thrown away what made it too long."""
    lengths = [int(found) for found in _LENGTH.findall(_STATUS.sub("", line))]
    tools = sum(len(one.description) + len(str(one.parameters)) for one in rollout.tools.values())
    return bool(lengths) and len(rollout.prompt_text) + tools >= PER_TOKEN * min(lengths)


_TECHNICAL: Final = re.compile(
    r"\W{0,3}(?:(?:[a-z_]+\.){0,4}[A-Z]\w*(?:Error|Exception)\b\s*[:(]|<{1,2}(?!/)[^<>]{3,160}>{1,2}\s*\Z|\[(?:error|system|user[ _]simulator)[^\]]{3,160}\]\s*\Z|(?:user[ _](?:simulator|proxy|model)|persona model)\b)",
    re.IGNORECASE,
)
"""How a turn begins that a program wrote: with an exception, or all of it in brackets."""
_PERSON: Final = re.compile(r"\b(?:I|I'm|my|me|your|it says|shows)\b|\?", re.IGNORECASE)
"""What a person says who tells of an error."""
MAX_TURN: Final = 400
"""Characters of a turn up to which an error may be all of it."""


@signal(
    "user_simulator_failed",
    label="IR",
    needs=("dialogue",),
    meaning="a turn of the simulated user is the error of the program that should have written it",
    example=Example(
        (
            says("Which postcode is that?"),
            user("UserProxyError: generate_next_message() failed after 3 retries (APIConnectionError)"),
        )
    ),
)
def user_simulator_failed(rollout: Rollout) -> Iterator[Evidence]:
    for item in rollout.output if rollout.has_dialogue else ():
        if item.kind == "message" and item.role == "user" and len(item.text) <= MAX_TURN and _written_by_program(item.text):
            kind = matcher.classify(item.text)
            if kind in matcher.INFRASTRUCTURE and not matcher.is_execution(item.text):
                yield Evidence(item.step, item.text, "in the place of what the user says", str(kind))
                return


def _written_by_program(text: str) -> bool:
    return _TECHNICAL.match(text) is not None and _PERSON.search(text) is None


@signal(
    "judge_failed",
    label="IR",
    meaning="the judge that should have scored the rollout failed, so its score says nothing",
    example=Example(fields={"_ng_failure_judge_error": "judge returned 500"}),
)
def judge_failed(rollout: Rollout) -> Iterator[Evidence]:
    for told in judging_errors(rollout):
        if told.of_machinery:
            yield Evidence(None, f"{told.field} = {told.text}", "the row's own field", told.field)
            return
    if rollout.fields.get("_ng_failure_class") == "judge_failed":
        yield Evidence(None, "_ng_failure_class = judge_failed", "the row's own field", "_ng_failure_class")


@signal(
    "empty_completion",
    label="IR",
    meaning="the model produced no token and no item, which no answer looks like",
    causal=False,
    example=Example(response={"usage": {"output_tokens": 0}}),
)
def empty_completion(rollout: Rollout) -> Iterator[Evidence]:
    # A row without usage may simply not have recorded what was said, so the zero must be explicit.
    silent = not any(item.text.strip() or item.kind == "tool_call" for item in rollout.output)
    if not silent or rollout.status.output_tokens != 0 or rollout.status.cut:
        return
    made = [value for name in PRODUCTS if (value := rollout.fields.get(name))]
    if not made:
        yield Evidence(rollout.last_step, "no text and no call, 0 output tokens")
    elif rollout.output and rollout.status.input_tokens == 0 and all(map(_only_adds_files, made)):
        yield Evidence(
            rollout.last_step,
            "no text and no call, 0 tokens in and out",
            "the patch only adds files, which the harness may have laid there",
        )


_DIFF: Final = re.compile(r"^diff --git .*\n(.*)", re.MULTILINE)


def _only_adds_files(made: Any) -> bool:
    """Whether a product is a patch that touches nothing that was there before: where no model ran, it is what the harness left in the folder."""
    files = _DIFF.findall(made) if isinstance(made, str) else []
    return bool(files) and all(line.startswith("new file mode") for line in files)


@signal(
    "content_filtered",
    label="IR",
    meaning="the provider's content filter ended the response",
    causal=False,
    example=Example(response={"incomplete_details": {"reason": "content_filter"}}),
)
def content_filtered(rollout: Rollout) -> Iterator[Evidence]:
    if rollout.status.incomplete == "content_filter":
        yield Evidence(rollout.last_step, "incomplete_details.reason = content_filter")
