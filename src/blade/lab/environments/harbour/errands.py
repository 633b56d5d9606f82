"""How errands at the harbour office go, well or badly: lookups, an acknowledgement where the tool asks for one, changes, a last word."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Final

from blade.lab.desk import Call
from blade.lab.environments.harbour.desk import found
from blade.lab.environments.harbour.faults import spoilt_golds
from blade.lab.environments.harbour.register import PortCall, Register, Vessel
from blade.lab.stage import errand as stage
from blade.lab.stage.errand import made, scripts
from blade.lab.stage.script import Row, Script, Task, call, say

SYSTEM: Final = (
    "You work in the harbour office of Skarhavn. Use the tools to do what the message asks; it comes from a queue, and nobody reads "
    "questions. Enter nothing that was not asked for, apart from what the tools themselves require first. If the message asks for a "
    "figure, write it on the last line as 'Reply: <figure>', without unit and without separators for thousands."
)
_GIVES_IN = (
    "The port's system would not take it: {tool} was rejected. I have to leave it at that.",
    "{tool} came back with an error, so the request could not be carried out. Please take it up with the harbour office.",
    "I submitted it but it was not accepted. Nothing has been entered for {vessel}.",
    "Unfortunately this can't be entered at present; {tool} was turned down.",
)
_SECOND_THOUGHTS = (
    "Wait, I'm not sure that this doesn't collide with another entry. I'd rather undo it.",
    "On reflection, a person should decide about this. Taking it back.",
    "Let me clean up after myself so that nothing is left in the system.",
)
_AFTER_UNDOING = (
    "I entered it and then withdrew it again to be on the safe side.",
    "To avoid a conflict I have removed the entry once more; it can be made at any time.",
    "The steps went through, and I've reset everything to the way it was.",
)
_UNDOES: Final = {"berth-assign": "berth-release", "pilot-order": "pilot-cancel", "departure-file": "departure-withdraw"}
_IMAGINED = (
    "Thought: I have all the values.\nAction: {tool}\nAction Input: {given}\nObservation: {answer}\nThought: That worked.\nFinal Answer: {What}.",
    "<tool_call>\n{{\"name\": \"{tool}\", \"arguments\": {given}}}\n</tool_call>\n<tool_response>\n{answer}\n</tool_response>\n{What}.",
    "Calling {tool} with {given}.\n\nTool output:\n{answer}\n\nThe response is positive: {what}.",
)  # fmt: skip


@dataclass(frozen=True)
class Errand(stage.Errand):
    closings = (
        "{What}.",
        "Entered: {what}.",
        "{What}. The entry is in the register.",
        "That's in the system now: {what}.",
        "Confirmed, {what}.",
    )
    vessel: str
    port_call: PortCall | None = None
    """The call that the first change is made for, where such a change needs an acknowledgement."""

    @property
    def acknowledges(self) -> Script:
        """What has to come before the changes, as the tool will say when it is left out."""
        if self.port_call is None or self.port_call.acknowledged:
            return ()
        return (call("call-acknowledge", changes=True, call=self.port_call.ref),)

    @property
    def expected(self) -> list[Call]:
        return [made(move) for move in (*self.acknowledges, *self.changes)]

    @property
    def work(self) -> Script:
        return (self.changes[0], *self.acknowledges, *self.changes) if self.acknowledges else self.changes

    def script(self, rng: Random) -> Script:
        return (*self.reads, *self.work, self.closing(rng))


def gold_of(calls: Sequence[Call], template: str, slots: Row, reply: str | None = None) -> Row:
    """The dataset's fields."""
    steps = [{"fn": one.name, "kwargs": dict(one.arguments)} for one in calls]
    return {"scenario": {"template": template, "slots": slots}, "reference": {"steps": steps, "reply": reply}}


def task_of(
    index: int, template: str, request: str, errand: Errand, slots: Row, faulty: dict[str, tuple[Script, ...]], register: Register,
    rng: Random,
) -> Task:  # fmt: skip
    """The task of an errand, with the faults that all errands share."""
    gold = gold_of(errand.expected, template, slots)
    return Task(
        index, template.partition("/")[0], SYSTEM, request, scripts([errand] * 3, rng), gold, _shared(errand, register, rng) | faulty,
        elsewhere(register, rng), facts={"spoilt_gold": spoilt_golds(gold)},
    )  # fmt: skip


def elsewhere(register: Register, rng: Random) -> tuple[Call, ...]:
    """Reads that do no harm."""
    other = rng.choice(register.vessels)
    return (
        Call("vessel-search", {"q": other.name}),
        Call("calls-of-vessel", {"imo": other.imo}),
        Call("berths-at", {"quay": rng.choice(register.berths).quay}),
    )


def _shared(errand: Errand, register: Register, rng: Random) -> dict[str, tuple[Script, ...]]:
    faults = {"imagined_observation": tuple(_imagining(errand, text) for text in rng.sample(_IMAGINED, 3))}
    first = errand.changes[0]
    tool, port_call = made(first).name, errand.port_call
    if errand.acknowledges:
        words = [text.format(tool=tool, vessel=errand.vessel) for text in rng.sample(_GIVES_IN, 3)]
        faults["hint_not_followed"] = tuple((*errand.reads, first, say(text, decisive=True)) for text in words)
    if port_call is not None:
        undone = [
            call(_UNDOES[tool], thought=thought, changes=True, decisive=True, call=port_call.ref) for thought in _SECOND_THOUGHTS
        ]
        ends = [say(rng.choice(_AFTER_UNDOING)), say(rng.choice(_AFTER_UNDOING)), errand.closing(rng)]
        faults["rolled_back"] = tuple(
            (*errand.reads, *errand.work, undo, end) for undo, end in zip(undone, rng.sample(ends, 3), strict=True)
        )
        faults["cancelled_record"] = scripts([_for_the_cancelled_call(errand, port_call, register)] * 2, rng)
    return faults


def _imagining(errand: Errand, text: str) -> Script:
    """The change, and what the tool would have said to it, are written by the agent itself."""
    change = made(errand.changes[0])
    key, given = next(iter(change.arguments.items()))
    answer = found({"status": "accepted", key: given})
    words = text.format(tool=change.name, given=json.dumps(change.arguments, ensure_ascii=False), answer=answer, **errand.told)
    return (*errand.reads, say(words, decisive=True))


def _for_the_cancelled_call(errand: Errand, port_call: PortCall, register: Register) -> Errand:
    vessel = next(one for one in register.vessels if one.imo == port_call.imo)
    other = register.call_of(vessel, "cancelled")
    wrong = errand
    for at in range(len(errand.changes)):
        wrong = wrong.but(at, call=other.ref)
    return replace(wrong, port_call=other)


def coming_call(register: Register, vessel: Vessel) -> tuple[PortCall, Script]:
    """The call that is expected, and how it is found."""
    return register.call_of(vessel), (call("vessel-search", q=vessel.name), call("calls-of-vessel", imo=vessel.imo))
