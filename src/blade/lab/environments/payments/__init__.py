"""The desk of a payment processor: refunds, invoices, payouts, pauses, disputes, and questions about the books.

The expected calls stand in `ground_truth` (name, and arguments as a JSON string) and the expected answer in `expected_answer`. The
verifier lists the changes it saw (`predicted_calls`, `num_predicted`), counts those that are expected (`num_correct` of
`num_expected`), and takes the answer from the line that begins with `Answer:` (`extracted_answer`, `answer_correct`). It compares
arguments as they are written and answers as text. Trial runs (`dry_run`) are no changes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

from blade.lab.desk import Call, dice
from blade.lab.environments.environment import Environment, compare, timed_out
from blade.lab.environments.payments.faults import SPOILING, spoilt
from blade.lab.environments.payments.ledger import TOOLS, WRITES, Books, books_backend, build_books, refused
from blade.lab.environments.payments.questions import reference, total
from blade.lab.environments.payments.work import dispute, invoice, pause, payout, refund
from blade.lab.stage.play import Backend, Episode, Manner
from blade.lab.stage.rows import Setting
from blade.lab.stage.script import Row, Task

Family = Callable[[int, Books, Random], Task | None]
FAMILIES: tuple[Family, ...] = (refund, invoice, total, payout, dispute, refund, pause, reference)
_ANSWER = re.compile(r"^Answer:\s*([\w.+-]+)", re.MULTILINE)


class Payments(Environment):
    name = "payments"
    hosts = ("runner-a", "runner-b", "runner-c")
    setting = Setting("payments_desk_simple_agent", "meridian-large-2", TOOLS, temperature=1.0)
    manner = Manner(
        thinks=0.4,
        before_read=(
            "I need the id for this.",
            "Let me see what {tool} has on file.",
            "Which record is it? {tool} will tell.",
            "Looking at the account first.",
            "A lookup comes first.",
        ),
        before_change=(
            "The record is clear, so {tool} comes next.",
            "That's everything {tool} asks for.",
            "Submitting it.",
            "With this id I can call {tool}.",
        ),
        pace=(1.0, 5.0),
    )

    def tasks(self, seed: int, count: int) -> list[Task]:
        books = build_books(dice(seed, self.name, "books"))
        made: list[Task] = []
        attempt = 0
        while len(made) < count:
            family = FAMILIES[(len(made) + seed) % len(FAMILIES)]
            task = family(len(made), books, dice(seed, self.name, "task", len(made), attempt))
            attempt = attempt + 1 if task is None else 0
            if task is not None:
                made.append(replace(task, facts={**task.facts, "books": books}))
        return made

    def backend(self, task: Task) -> Backend:
        return books_backend(task.facts["books"])

    def verify(self, episode: Episode, flaw: str | None, rng: Random) -> Row:
        if flaw in SPOILING and (broken := spoilt(str(flaw), episode.task)) is not None:
            episode.task = broken  # the row is written, and scored, with what the broken dataset says
        gold, blind = episode.task.gold, flaw == "calls_not_collected"
        seen = [] if blind else [made for made in episode.accepted if made.name in WRITES and not made.arguments.get("dry_run")]
        answers = self.backend(episode.task)
        expected = [Call(entry["name"], json.loads(entry["arguments"])) for entry in gold["ground_truth"]]
        found = compare([made for made in seen if not refused(answers(made))], expected)
        said = None if blind else next(iter(_ANSWER.findall(episode.final)[-1:]), None)
        wanted = gold["expected_answer"]
        right = None if wanted is None else said == wanted
        verdict: dict[str, Any] = {
            "reward": 1.0 if found.equal and right is not False else 0.0,
            "num_expected": found.expected,
            "num_predicted": len(seen),
            "num_correct": found.matched,
            "predicted_calls": [{"name": made.name, "arguments": dict(made.arguments)} for made in seen],
            "extracted_answer": said,
            "answer_correct": right,
            "evaluation_error": None,
        }
        if flaw == "verifier_timeout":
            verdict |= {"reward": 0.0, "num_correct": 0, "evaluation_error": timed_out(rng)}
        elif flaw == "flaky_verifier":
            verdict |= {"reward": 0.0, "num_correct": 0, "answer_correct": None if right is None else False}
        elif flaw == "reward_contradicts_checks":
            verdict["reward"] = 0.0
        return verdict
