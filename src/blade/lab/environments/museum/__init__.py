"""A museum's registrar: transports, relocations, loans, wall labels and questions. The third held-out environment, now used for tuning.

Expected changes stand in `gold_calls` (with `tool` and `args`), expected answers in `ideal`, what a label has to hold in `label_spec`. The
verifier writes one `assertions` list for everything it checked, each with what is wrong, and passes what meets them all. It is known
to be particular in two ways that a dataset of honest work never shows: calls have to come in the order of `gold_calls`, and the
first line that looks like an answer counts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import zip_longest
from random import Random

from blade.lab.desk import Call, dice
from blade.lab.environments.environment import Environment, compare, timed_out
from blade.lab.environments.museum.collection import TOOLS, WRITES, House, build_house, house_backend, refused
from blade.lab.environments.museum.questions import insured_value, permits, volunteer_sheet
from blade.lab.environments.museum.registrar_work import clear_bay, lend, ship
from blade.lab.environments.museum.wall_labels import label_checks, write_label
from blade.lab.stage.play import Backend, Episode, Manner
from blade.lab.stage.rows import Setting
from blade.lab.stage.script import Row, Task

Family = Callable[[int, House, Random], Task | None]
FAMILIES: tuple[Family, ...] = (ship, insured_value, write_label, clear_bay, permits, lend, volunteer_sheet)
_ANSWER = re.compile(r"ANSWER = ?(.*)")
Check = tuple[str, bool, str]
"""(assertion, whether it holds, what is wrong where it does not)."""


def _shown(made: Call | None) -> str:
    return "nothing" if made is None else f"{made.name}({', '.join(f'{key}={value}' for key, value in made.arguments.items())})"


def _in_order(made: Sequence[Call], expected: Sequence[Call]) -> Check:
    """Whether the expected calls are among those made, in their order."""
    rest = iter(made)
    if all(any(done.key == wanted.key for done in rest) for wanted in expected):
        return "calls_in_order", True, ""
    pairs = enumerate(zip_longest(made, expected))
    at, got, wanted = next((at, got, wanted) for at, (got, wanted) in pairs if not (got and wanted and got.key == wanted.key))
    return "calls_in_order", False, f"position {at}: expected {_shown(wanted)}, got {_shown(got)}"


def _parsed(text: str) -> str | None:
    found = _ANSWER.search(text)
    return found[1].strip() if found else None


class Museum(Environment):
    name = "museum"
    hosts = ("vault-11", "vault-12", "vault-13", "vault-14")
    setting = Setting(
        "registrar_agent", "quill-14b-chat", TOOLS, temperature=0.5, host_field="node", time_fields=("rollout_started", "rollout_finished")
    )  # fmt: skip
    manner = Manner(
        thinks=0.5,
        before_read=("Let me check the collection system.", "I need {tool} for that.", "Looking this up first.", "What does the system say?"),
        before_change=("I have what I need.", "Recording it with {tool}.", "On to {tool}.", "This can be entered now."),
        speaks=True,
        pace=(1.2, 6.5),
    )  # fmt: skip

    def tasks(self, seed: int, count: int) -> list[Task]:
        house = build_house(seed)
        made: list[Task] = []
        attempt = 0
        while len(made) < count:
            rng = dice(seed, self.name, "task", len(made), attempt)
            task = FAMILIES[(len(made) + attempt // 40) % len(FAMILIES)](len(made), house, rng)
            attempt = attempt + 1 if task is None else 0
            if task is not None:
                made.append(task)
        return made

    def backend(self, task: Task) -> Backend:
        return house_backend(task.facts["house"])

    def verify(self, episode: Episode, flaw: str | None, rng: Random) -> Row:
        parsed = _parsed(episode.final) if "ideal" in episode.task.gold else None
        if flaw == "verifier_timeout":
            return {"reward": 0.0, "grading": None, "grading_failure": timed_out(rng)}
        checks = self._checks(episode, parsed, flaw)
        if flaw == "flaky_verifier":
            checks[0] = (checks[0][0], False, "")
        elif flaw == "broken_test":
            checks[-1] = (checks[-1][0], False, "revision log: 0 entries")
        assertions = [{"assertion": name, "ok": holds, "detail": "" if holds else wrong} for name, holds, wrong in checks]
        met = sum(holds for _, holds, _ in checks)
        reward = 1.0 if met == len(checks) and flaw != "reward_contradicts_checks" else 0.0
        return {"reward": reward, "grading": {"met": met, "of": len(checks), "parsed": parsed, "assertions": assertions}}

    def _checks(self, episode: Episode, parsed: str | None, flaw: str | None) -> list[Check]:
        """What matters first, what every form has last."""
        gold = episode.task.gold
        answer = self.backend(episode.task)
        made = [done for done in episode.accepted if done.name in WRITES and not refused(answer(done))]
        expected = [Call(entry["tool"], entry["args"]) for entry in gold["gold_calls"]]
        spec: Row = gold.get("label_spec", {})
        labels = [one for one in made if spec and one.name == "labels_save" and one.arguments["accession"] == spec["accession"]]
        beyond = compare([one for one in made if one not in labels], expected).unexpected
        checks: list[Check]
        if spec:
            checks = label_checks(spec, str(labels[-1].arguments["text"]) if labels else None)
        elif "ideal" in gold:
            right = parsed is None if flaw == "inverted_verifier" else parsed == gold["ideal"]
            checks = [("answer", right, f"expected {gold['ideal']}, got {parsed}")]
        else:
            checks = [_in_order(made, expected)]
        return [
            *checks,
            ("nothing_else", not beyond, f"{beyond} unexpected"),
            ("log_complete", bool(episode.items), "no session"),
        ]
