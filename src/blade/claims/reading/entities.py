"""What a row and a column of a table are about: the header names a measure, the first cells of the row name the thing measured."""

import re
from collections.abc import Sequence

from blade.claims.reading.facts import Facts, named

_MEASURES: tuple[tuple[re.Pattern[str], tuple[str, ...]], ...] = tuple(
    (re.compile(pattern), measures)
    for pattern, measures in (
        (r"sometimes[- ]pass(?:ing)?(?: tasks)?|sometimes", ("sometimes",)),
        (r"never[- ]pass(?:ing)?(?: tasks)?|never", ("never",)),
        (r"(?:of the )?failed(?: rollouts)?(?: in them)?|failures|fails|failing(?: rollouts)?|# failed", ("failed",)),
        (r"passed(?: rollouts)?|passes|passing(?: rollouts)?|# passed|# passes", ("passed",)),
        (r"(?:#|n|number of|total|unique)? ?(?:tasks?|problems)(?: count)?", ("tasks",)),
        (r"(?:#|n|number of|total)? ?(?:rollouts|rows|samples)(?: that report it)?", ("rollouts",)),
        (r"(?:pass@1|pass rate|success rate|accuracy|pass \(?%\)?|solve rate)(?: \(?%\)?)?(?:, booked)?", ("rate",)),
        (r"(?:mean|average|avg\.?) reward|reward|score", ("mean_reward", "reward", "rate")),
        (r"(?:#|number of|total)? ?calls", ("calls",)),
        (r"errors|failed calls|# errors", ("errors",)),
        (r"mean|average|avg\.?|mean per rollout", ("mean",)),
        (r"total|sum", ("total",)),
        (r"steps|# steps", ("steps",)),
        (r"tool calls|# tool calls", ("tool_calls",)),
        (r"(?:input|output|total|reasoning)[ _]tokens", ("{}",)),
        (r"lost(?: here)?|drop(?:ped)?|loss", ("lost",)),
        (r"share of the loss", ("share_of_loss",)),
        (r"share|%|percent(?:age)?|fraction", ("share", "share_of_loss")),
        (r"lift", ("lift",)),
        (r"gain(?: in points)?", ("gain",)),
        (r"(?:adjusted )?p(?:-value)?", ("p",)),
        (r"repeats|n|attempts", ("repeats",)),
        (r"95 % (?:interval|ci)|95% (?:interval|ci)|ci|interval", ("interval",)),
        (r"count", ("tasks", "rollouts", "failed")),
    )
)
_RUN_ROWS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), measure)
    for pattern, measure in (
        (r"pass@(?P<k>\d+)(?:, .*| \(.*\))?", "pass_at_"),
        (r"pass\^(?P<k>\d+)(?:, .*| \(.*\))?", "pass_hat_"),
        (r"(?:overall )?(?:pass rate|success rate|accuracy)(?: \(.*\))?", "rate"),
        (r"(?:mean|average|avg\.?) reward", "mean_reward"),
        (r"(?:#|n|number of|total|unique|all)? ?(?:tasks|problems)", "tasks"),
        (r"(?:#|n|number of|total|all)? ?(?:rollouts|attempts)", "rollouts"),
        (r"(?:scored|graded)(?: rollouts| rows)?", "scored"),
        (r"(?:expected|planned)(?: rollouts)?", "expected"),
        (r"(?:passed|passing)(?: rollouts)?", "passed"),
        (r"(?:failed|failing)(?: rollouts)?", "failed"),
        (r"(?:missing)(?: rollouts| rows)?", "missing"),
        (r"(?:errored)(?: rollouts| rows)?", "errored"),
        (r"(?:repeats|rollouts|attempts|samples)(?: per task)|repeats", "repeats"),
        (r"consistency|tasks that always pass", "consistency"),
        (r"oracle(?: .*)?|tasks with at least one pass", "oracle"),
        (r"coverage", "coverage"),
        (r"retry value|what retrying adds.*", "retry_value"),
        (r"share of the variance between tasks.*|icc", "icc"),
        (r"smallest change a second run like this would find.*|mde|minimum detectable effect", "mde"),
        (r"always[- ]pass(?:ing)?(?: tasks)?|always", "bucket always"),
        (r"sometimes[- ]pass(?:ing)?(?: tasks)?|sometimes", "bucket sometimes"),
        (r"never[- ]pass(?:ing)?(?: tasks)?|never", "bucket never"),
    )
)
_LABEL = re.compile(r"(?:cause )?(kg|uk|bi|ti|ir|da)\b(?: \(.*\)|: .*| – .*| - .*)?")
_TASK_HEAD = re.compile(r"task(?: ?ids?| index| name)?|problem(?: id)?|instance(?: id)?|id")
_ROLLOUT_HEAD = re.compile(r"rollout(?: ?ids?)?|repeat|attempt|run|trial")


def measures(header: str) -> tuple[str, ...]:
    """The measures that a column's header may mean, the likeliest first; none where it names no measure."""
    words = named(header)
    for pattern, found in _MEASURES:
        if pattern.fullmatch(words):
            return tuple(measure.format(words.replace(" ", "_")) for measure in found)
    return ()


def run_measure(text: str) -> str | None:
    """The measure of the run that a row is named after (`pass@1`, `total tasks`)."""
    words = named(text)
    for pattern, measure in _RUN_ROWS:
        if found := pattern.fullmatch(words):
            return measure + (found.groupdict().get("k") or "")
    return None


def is_task_head(header: str) -> bool:
    return bool(_TASK_HEAD.fullmatch(named(header)))


def is_rollout_head(header: str) -> bool:
    return bool(_ROLLOUT_HEAD.fullmatch(named(header)))


def entity(heads: Sequence[str], cells: Sequence[str], facts: Facts, section: Sequence[str] = ()) -> str | None:
    """The thing that a row is about: a task or a rollout under such a header, else the first cell that names something known."""
    for head, cell in zip(heads, cells, strict=False):
        words = named(cell).removeprefix("task ")
        for sort, is_head in (("task", is_task_head), ("rollout", is_rollout_head)):
            if is_head(head) and facts.has(f"{sort} {words}"):
                return f"{sort} {words}"
    funnel = "funnel" in " ".join((*section, *heads)).casefold() or "stage" in " ".join(heads).casefold()
    if funnel:
        return next((f"stage {named(cell)}" for cell in cells[:2] if facts.has(f"stage {named(cell)}")), None)
    for cell in cells[:3]:
        words = named(cell)
        if words and not words.replace(".", "").isdecimal() and facts.has(words):
            return words
    first = next((words for cell in cells if (words := named(cell))), "")
    found = _LABEL.fullmatch(first)
    return f"label {found[1]}" if found else None
