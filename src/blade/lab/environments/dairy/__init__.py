"""The office of a dairy co-operative: shifts, collections, herds, batches, deliveries and payments that are seen to, and questions about them.

Rows are as trainers by reinforcement learning keep them. The dataset has `data_source`, `ability`, a `reward_model` with the `ground_truth`,
which is one text in JSON (the `tool_calls`, and the `answer` to a question), and in `extra_info` the `options` of a question that has some and
the `solution`, which says why all that is right. The verifier writes `reward_extra_info`: whether the rollout is accepted (`acc`), a
reward for the calls and one for the answer, what it took from the response (`pred`), the ground truth that it used (`gts`), lines of `feedback`
on what is wrong, or an `error` where it failed itself. It compares calls and answers as they are written, and is given no call that was turned
down. Where and when a rollout ran is in `meta_info`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from random import Random
from re import compile as pattern

from blade.lab.environments.dairy.books import Books, build_books
from blade.lab.environments.dairy.desk import TOOLS, WRITES, Desk, refused
from blade.lab.environments.dairy.errands import LOGGED
from blade.lab.environments.dairy.faults import CALLS, MODEL, expected, truth
from blade.lab.environments.dairy.lab import acidity, batch, panel, score
from blade.lab.environments.dairy.papers import account, consignment, invitation, notice
from blade.lab.environments.dairy.questions import cheese, litres, quiz, webinar, week, weekday
from blade.lab.environments.dairy.rounds import delivery, loads, shift, supplements
from blade.lab.environments.draws import Arguments, changes_found, drawn, kept, last_match, unmatched
from blade.lab.environments.environment import Environment, timed_out
from blade.lab.stage.play import Backend, Episode, Manner
from blade.lab.stage.rows import Setting
from blade.lab.stage.script import Row, Task

Family = Callable[[int, Books, Random], Task]
FAMILIES: tuple[Family, ...] = (
    cheese, shift, quiz, delivery, batch, week, notice, invitation, account, loads, webinar, score, supplements, consignment, acidity,
    weekday, panel, litres,
)  # fmt: skip
_ANSWER = pattern(r"\\boxed\{(.*?)\}")
_STEP = 480
"""The step of the training at which the policy was evaluated."""


class Dairy(Environment):
    name = "dairy"
    held_out = True
    hosts = ("dgx-a02", "dgx-a05", "dgx-b01", "dgx-b06", "dgx-c04")
    setting = Setting("dairy_office_agent_loop", "godwit-14b-rl", TOOLS, temperature=1.0)
    manner = Manner(
        thinks=0.45,
        before_read=("First I have to find the record.", "What do the books say?", "I'll search for it.", "Let me get the id."),
        before_change=("Now I can enter it.", "The ids are known, calling {tool}.", "That is all I need for {tool}."),
        pace=(0.8, 4.2),
    )

    def tasks(self, seed: int, count: int) -> list[Task]:
        return drawn(self.name, "books", build_books, FAMILIES, seed, count)

    def backend(self, task: Task) -> Backend:
        return Desk(task.facts["books"])

    def verify(self, episode: Episode, flaw: str | None, rng: Random) -> Row:
        record = (episode.task.other_gold if flaw == "cached_expectation" else episode.task.gold) or {}
        gts = record[MODEL]["ground_truth"]
        wanted, answer = expected(gts)
        calls, given = self._found(episode, flaw)
        wrong_calls = _shifted(calls, wanted) if flaw == "pairs_off_by_one" else _compared(calls, wanted)
        wrong_answer = [] if answer is None or given == answer else [f"answer: expected {answer!r}, got {given!r}"]
        failure = timed_out(rng) if flaw == "verifier_timeout" else None
        passed = failure is None and not wrong_calls and not wrong_answer
        seconds = episode.ended - episode.started
        return {
            "reward": float(passed and flaw != "reward_contradicts_checks"),
            "reward_extra_info": {
                "acc": passed,
                "tool_call_reward": None if failure else float(not wrong_calls),
                "answer_reward": None if failure or answer is None else float(not wrong_answer),
                "pred": None if failure else truth(calls, given),
                "gts": gts,
                "feedback": [] if failure else [*wrong_calls, *wrong_answer],
                "error": failure,
            },
            "meta_info": {
                "validate": True,
                "global_steps": _STEP,
                "rollout_node": episode.host,
                "started_at": episode.started,
                "timing_s": {"agent_loop": round(seconds, 3), "reward": round(rng.uniform(0.01, 0.09), 3)},
            },
        }

    def _found(self, episode: Episode, flaw: str | None) -> tuple[Arguments, str | None]:
        """The changes and the answer as the verifier finds them."""
        if flaw == "calls_not_collected":
            return [], None
        if flaw == "graded_another_rollout":
            return expected(episode.task.facts["neighbours_gold"][MODEL]["ground_truth"])[0], None
        made = changes_found(episode, self.backend(episode.task), WRITES, refused, flaw)
        width = LOGGED if flaw == "log_clips_text" else None
        lowers = flaw == "one_side_normalised"
        calls = [(one.name, {key: kept(value, width, lowers) for key, value in one.arguments.items()}) for one in made]
        return calls, kept(last_match(_ANSWER, episode.final), None, lowers)


def _compared(found: Arguments, wanted: Arguments) -> list[str]:
    """What is wrong with the changes: those that are missing beside others of the same tool, and those that nobody wanted."""
    mine, theirs = ([{"at": at, "call": one} for at, one in enumerate(ones)] for ones in (found, wanted))
    absent, left = unmatched(mine, theirs, _text_of)
    told = []
    for one in absent:
        instead = next((other for other in left if other["call"][0] == one["call"][0]), None)
        if instead is not None:
            left.remove(instead)
        told.append(_line(one["at"], one["call"], None if instead is None else instead["call"]))
    return [*told, *(f"{CALLS}: unexpected {_text_of(one)}" for one in left)]


def _text_of(row: Row) -> str:
    return _as_text(row["call"])


def _shifted(found: Arguments, wanted: Arguments) -> list[str]:
    """What is wrong with the changes for a verifier that begins to count those it found one too late."""
    beside: Sequence[tuple[str, Row] | None] = [*found[1:], *[None] * len(wanted)]
    pairs = zip(wanted, beside, strict=False)
    return [_line(at, one, other) for at, (one, other) in enumerate(pairs) if other is None or _as_text(one) != _as_text(other)]


def _line(at: int, one: tuple[str, Row], other: tuple[str, Row] | None) -> str:
    return f"{CALLS}[{at}]: expected {_as_text(one)}, got {_as_text(other) if other else None}"


def _as_text(one: tuple[str, Row]) -> str:
    """A call as it is written, which is how it is compared."""
    return f"{one[0]}({json.dumps(one[1], ensure_ascii=False)})"
