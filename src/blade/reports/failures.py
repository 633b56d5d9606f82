"""Attempts that failed, in words: for a screen as plain lines, for a report as a paragraph and a table."""

from collections.abc import Mapping
from typing import Any

from blade.diagnosis.failed_attempts import says_more
from blade.reports.citations import Cite, Document
from blade.reports.wording import count, name, plural, quoted, share, shown, table

MOST_CLASSES = 12
TOP_CLASSES = 3
SHORT = 110

Failed = Mapping[str, Any]


def failures_line(failed: Failed) -> str:
    """How many of the attempts failed, of how many rollouts, and how many of these have no score."""
    lost = f", {failed['unscored']:,} without a score" if failed["unscored"] else ", all scored in the end"
    return f"{failed['attempts']:,} of {plural(failed['of'], 'attempt')}, of {plural(failed['rollouts'], 'rollout')}{lost}"


def class_line(one: Failed) -> str:
    """A class with its attempts, its rollouts and the message that it gave most often."""
    said = f": {one['message']}" if says_more(one) else ""
    return f"{one['class']} ×{one['attempts']:,} ({plural(one['rollouts'], 'rollout')}){said}"


def late_line(failed: Failed) -> str:
    """The rollouts that the verifier failed on before it scored them; empty where there are none."""
    number = failed["scored_after_verifier_failure"]
    if not number:
        return ""
    return (
        f"{plural(number, 'rollout')} {'was' if number == 1 else 'were'} scored only after an attempt that failed in the verifier"
    )


def short_lines(document: Document) -> list[tuple[str, str]]:
    """The lines of a summary: the whole, the largest classes, and what was scored late; none where nothing failed."""
    failed = document.get("failed_attempts")
    if not failed:
        return []
    lines = [("attempts", f"failed: {failures_line(failed)}")]
    lines += [("", class_line(one)) for one in failed["classes"][:TOP_CLASSES]]
    more = len(failed["classes"]) - TOP_CLASSES
    lines += [("", f"and {plural(more, 'more class', 'more classes')}")] if more > 0 else []
    return lines + [("", late) for late in [late_line(failed)] if late]


def failures_paragraph(document: Document, cite: Cite) -> list[str]:
    """The sentence of an executive summary; nothing where no attempt failed."""
    failed = document.get("failed_attempts")
    if not failed:
        return []
    first = failed["classes"][0]
    said = f" Most were {name(first['class'])}" + (f": {quoted(first['message'], SHORT)}." if says_more(first) else ".")
    late = late_line(failed)
    return [
        f"**Attempts that failed.** {share(failed['attempts'], failed['of'], 'attempts')} failed, in {plural(failed['rollouts'], 'rollout')}, of "
        f"which {count(failed['unscored'])} {'has' if failed['unscored'] == 1 else 'have'} no score.{cite('failed_attempts')}{said}"
        + (f" {late[:1].upper()}{late[1:]}." if late else "")
    ]


def failures_table(document: Document, cite: Cite) -> list[str]:
    """Each class with its counts and a message; nothing where no attempt failed."""
    failed = document.get("failed_attempts")
    if not failed:
        return []
    rows = [
        (
            name(one["class"]) + cite(f"failure.{one['class']}"),
            shown(one["family"]),
            count(one["attempts"]),
            count(one["rollouts"]),
            count(one["unscored"]),
            quoted(one["message"], SHORT) if one["message"] else "–",
        )
        for one in failed["classes"][:MOST_CLASSES]
    ]
    more = len(failed["classes"]) - MOST_CLASSES
    head = ("class", "whose", "attempts", "rollouts", "left without a score", "message given most often")
    said = "A rollout without a score counts under its last attempt that failed."
    rest = [f"{plural(more, 'more class', 'more classes')} in diagnosis.json."] if more > 0 else []
    return ["### Attempts that failed", said, table(head, rows, "  rrr"), *rest]
