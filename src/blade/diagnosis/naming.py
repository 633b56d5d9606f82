"""The names that an intervention puts into its sentence: the tool, the argument, the value, the limit, in the run's own words."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from blade.signals.signal import parted
from blade.untrusted.escapes import one_line

MOST_NAMED: Final = 3
_ARGUMENT: Final = re.compile(r"[\w.\[\]-]{1,120}")
# Where the words of an error hold the value that the fix is about.
_VALUES: Final = {
    "missing_command": re.compile(
        r"([\w.+/-]+): (?:command )?not found|not found: ([\w.+/-]+)|'([\w.+/-]+)' is not recognized|([\w.+/-]+): bad interpreter"
    ),
    "failed_install": re.compile(r"found for ([\w.+/-]+)|locate package ([\w.+/-]+)|404[^\n]*?([\w.+-]+)$"),
}
_MISSING: Final = {"missing_command": ("the missing commands",), "failed_install": ("the missing packages",)}
_CLASSES: Final = {
    "server_error": "server errors",
    "service_timeout": "time-outs",
    "connection_failed": "failed connections",
    "empty_completion": "empty completions",
    "user_simulator_failed": "failures of the simulated user",
    "window_too_small": "windows too small for the prompt",
    "garbled_output": "garbled outputs",
    "message_broken_off": "messages broken off",
    "stream_lost": "messages broken off",
    "call_not_parsed": "calls that were not parsed",
    "cut_below_limit": "outputs cut below their limit",
    "tools_withheld": "requests that lost their tools",
}


@dataclass(frozen=True)
class Names:
    """Each a list, because one fix may answer several modes; nothing is said twice."""

    tool: tuple[str, ...] = ()
    argument: tuple[str, ...] = ()
    subject: tuple[str, ...] = ()
    target: tuple[str, ...] = ()
    value: tuple[str, ...] = ()
    limit: str = ""

    def one(self, name: str) -> str:
        """The name that tells this fix from its like."""
        found = getattr(self, name) if name else ()
        return found[0] if found else ""

    def joined(self, other: "Names") -> "Names":
        def both(one: tuple[str, ...], more: tuple[str, ...]) -> tuple[str, ...]:
            return tuple(dict.fromkeys((*one, *more)))

        return Names(
            both(self.tool, other.tool),
            both(self.argument, other.argument),
            both(self.subject, other.subject),
            both(self.target, other.target),
            both(self.value, other.value),
            self.limit,
        )

    def words(self) -> dict[str, str]:
        """What stands for each in a sentence: names of the run in backticks, and plain words where there is none."""
        return {
            "tool": _listed(self.tool, "`") or "the tool",
            "argument": _listed(self.argument, "`") or "the argument",
            "subject": _listed(self.subject) or "see the evidence",
            "target": _listed(self.target, "`") or "what the change needs",
            "value": _listed(self.value) or "such errors",
            "limit": f" above {self.limit}" if self.limit else "",
            "at": f" of {self.limit} tokens" if self.limit else "",
        }


def _listed(names: Sequence[str], tick: str = "") -> str:
    *most, last = [f"{tick}{_untick(name) if tick else name}{tick}" for name in names[:MOST_NAMED]] or [""]
    more = len(names) - MOST_NAMED
    if more > 0:
        return f"{', '.join([*most, last])} and {more} more"
    return f"{', '.join(most)} and {last}" if most else last


def _untick(name: str) -> str:
    """A name that can stand between backticks."""
    return name.replace("`", "'")


def names_of(code: str, found: Mapping[str, Any], diagnosis: Mapping[str, Any]) -> Names:
    """The names of one mode (or one finding about the verifier)."""
    subject = one_line(str(found.get("subject") or ""), 120)
    tool, argument = parted(subject, (told.get("name") for told in diagnosis.get("tools") or ()))
    examples = list(found.get("examples") or found.get("evidence") or ())
    return Names(
        tool=(tool,) if tool else (),
        argument=(argument,) if argument else (),
        subject=(subject,) if subject else (),
        target=tuple(dict.fromkeys(filter(None, (_target(example) for example in examples))))[:MOST_NAMED],
        value=_values(code, subject, examples),
        limit=_limit(diagnosis),
    )


def _target(example: Mapping[str, Any]) -> str | None:
    """The argument that an example's detail begins with (`tool.argument: why`)."""
    head, colon, _ = str(example.get("detail") or "").partition(":")
    return head if colon and "." in head and _ARGUMENT.fullmatch(head) else None


def _values(code: str, subject: str, examples: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    pattern = _VALUES.get(code)
    if code in _CLASSES:
        return (_CLASSES[code],)
    if pattern is None:
        return (subject.replace("_", " "),) if subject else (code.replace("_", " "),)
    matches = (pattern.search(str(example.get("quote") or "")[:500]) for example in examples)
    return tuple(dict.fromkeys(f"`{next(filter(None, match.groups()))}`" for match in matches if match)) or _MISSING.get(code, ())


def _limit(diagnosis: Mapping[str, Any]) -> str:
    sampling = (diagnosis.get("provenance") or {}).get("sampling") or {}
    limit = sampling.get("max_output_tokens") if isinstance(sampling, Mapping) else None
    return f"{limit:,}" if isinstance(limit, int) and not isinstance(limit, bool) else ""
