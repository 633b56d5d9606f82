"""What a rollout left behind: its state-changing calls and the files that its commands wrote, each in its last version.

A shell can do either, so a command counts as work where it visibly writes: a redirection, an edit in place, a file opened for writing.
Of several writes to one path only the last one is left. Two rollouts with equal work gave the verifier the same thing to judge.
"""

import re
from typing import Final

from blade.diagnosis.patterns.conduct import SHELL_ARGUMENTS, ends, parsed
from blade.diagnosis.views import CallRow, RolloutView, once

CUT_ARGUMENTS: Final = 2_000
"""Characters at which the table cuts arguments; what is as long may go on differently."""
_PATHS: Final = ("path", "file", "file_path", "filename", "filepath", "target_file")
_WRITES: Final = re.compile(
    r"(?<![0-9&<>=-])>{1,2}\s?(?!&|/dev/)[\w./~$\"'{-]+|(?:^|[;&|\s])(?:sed -i|tee |patch |git apply|mv |cp |rm |mkdir |touch |chmod )|open\([^)]*['\"][wa]"
)
_WRITING: Final = (">", "open(", "sed -i", "tee ", "patch ", "git apply", "mv ", "cp ", "rm ", "mkdir ", "touch ", "chmod ")
"""One of these stands in every command that writes."""
Work = tuple[tuple[str, str], ...]


@once
def work_calls(rollout: RolloutView) -> tuple[CallRow, ...]:
    """The calls whose effect is left at the end, in order."""
    last: dict[tuple[str, ...], CallRow] = {}
    for call in rollout.calls:
        if call.error_class is None and leaves_something(call):
            key = _target(call)
            last.pop(key, None)
            last[key] = call
    return tuple(last.values())


@once
def work(rollout: RolloutView) -> Work | None:
    """The work as something to compare; None where there is none, or where it is not known in full."""
    calls = work_calls(rollout)
    if not calls or any(len(call.arguments) >= CUT_ARGUMENTS for call in calls):
        return None
    return tuple(sorted((call.name, call.arguments) for call in calls))


def last_work(rollout: RolloutView) -> CallRow | None:
    calls = work_calls(rollout)
    return calls[-1] if calls else None


def unknown_calls(rollout: RolloutView) -> dict[str, CallRow]:
    """The first call of each tool of which nobody knows whether it changes something; shells and what ends a case aside."""
    found: dict[str, CallRow] = {}
    for call in rollout.calls:
        if call.mutation == "unknown" and call.error_class is None and call.name and not ends(call):
            given = parsed(call.arguments)
            if given and not any(key in given for key in (*SHELL_ARGUMENTS, "code")):
                found.setdefault(call.name, call)
    return found


def leaves_something(call: CallRow) -> bool:
    """Whether a call changes something that is there at the end: a record, or a file that a command writes."""
    if call.mutation == "change":
        return not ends(call)
    if call.mutation != "unknown":
        return False
    command = _command(call)
    return any(map(command.__contains__, _WRITING)) and _WRITES.search(command) is not None


def _command(call: CallRow) -> str:
    given = parsed(call.arguments) or {}
    text = next((given[key] for key in SHELL_ARGUMENTS if isinstance(given.get(key), str)), None)
    return text if text is not None else next((value for value in given.values() if isinstance(value, str)), "")


def _target(call: CallRow) -> tuple[str, ...]:
    """What a call replaces when it is made again: the whole of a file; otherwise only the very same call."""
    given = parsed(call.arguments) or {}
    path = next((given[key] for key in _PATHS if isinstance(given.get(key), str)), None)
    whole = "content" in given or "contents" in given or "file_text" in given
    return (call.name, path) if path is not None and whole else (call.name, call.arguments)
