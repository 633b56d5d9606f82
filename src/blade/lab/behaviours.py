"""How the scripted assistant works on a task, and the ways in which it goes wrong.

An *episode* is the ordered list of what one rollout does and sees. `perform` plays it against the world at a given second, so a
tool outage hits whatever happens to call the service while it is down, as in life. Each planted cause changes one thing only:

==================  =====  ============================================================================================
skipped_lookup      BI     the member id is guessed from the card's digits instead of looked up; the backend accepts it
knowledge_gap       KG     an old unit of count is misunderstood, in every repeat, with a clean process
outage              IR     the stock service answers 503 for a while; one retry, then the assistant gives up
truncated           BI     the assistant thinks aloud until the output limit cuts it off, before the write or the answer
strict_verifier     TI     a right sum in other notation ("1,284.50") that the verifier's string comparison rejects
unreliable          UK     a relative date is a week off in some repeats, with nothing else different
unbacked_claim      BI     "it is done" without the call that would do it
==================  =====  ============================================================================================
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from blade.lab.desk import TOOL, Call, World, answer
from blade.lab.tasks import Task, with_guessed_member

SOUND = "sound"
CAUSES = ("skipped_lookup", "knowledge_gap", "outage", "truncated", "strict_verifier", "unreliable", "unbacked_claim")
OUTPUT_LIMIT = 700
"""`max_output_tokens` of every request; a token is four characters in this world."""
CHARACTERS_PER_TOKEN = 4

_BEFORE_READ = (
    "The request gives me a name but no record, so {tool} comes first.",
    "I should not assume anything here. {tool} will tell me what is on file.",
    "Next I need the ids. That is what {tool} is for.",
    "Before changing anything I want to see the data from {tool}.",
    "Step by step: {tool}, then the rest.",
)
_BEFORE_WRITE = (
    "I have what I need; {tool} with these values.",
    "Everything is settled, so I can go ahead with {tool}.",
    "The values are clear. Calling {tool} now.",
    "That leaves one thing to do: {tool}.",
)
_DONE = (
    "All set: your request has been carried out ({what}).",
    "Done. I have taken care of it ({what}). Is there anything else?",
    "That is arranged now ({what}). Have a good day at the bench.",
    "I have entered it for you ({what}).",
)
_GIVE_UP = (
    "I am sorry, the stock system cannot be reached right now, so I could not complete this. Please try again later.",
    "The stock service keeps failing. I was not able to finish your request.",
    "I could not get an answer from the stock system and have to stop here.",
)
_RAMBLE = (
    "Let me go over the entries once more to be certain that I read them correctly.",
    "The list has several lines, and each of them should be weighed on its own.",
    "On the other hand, the wording leaves room for another reading, which I should consider as well.",
    "If I take the first line, then the second, and compare the two, the picture stays the same.",
    "I want to be thorough, so I will restate what is known before I act.",
    "It would be a pity to overlook a detail here; one more look does no harm.",
    "To repeat the facts: the member is known, the record is open, and the rules are the usual ones.",
    "Then again, perhaps the order of the entries matters, so let me number them in my head.",
)


@dataclass(frozen=True)
class Outage:
    """The seconds during which one service answers 503."""

    opens: float
    closes: float
    service: str = "stock"

    def hits(self, call: Call, at: float) -> bool:
        return TOOL[call.name].service == self.service and self.opens <= at < self.closes


@dataclass(frozen=True)
class Turn:
    """One model call: a thought and what it led to, a tool call with its output or a closing message."""

    at: float
    thought: str | None
    call: Call | None = None
    output: str | None = None
    down: bool = False
    """The service did not answer, so the call changed nothing."""
    message: str | None = None
    cut: bool = False
    """The output limit ended this turn in the middle of its message."""


@dataclass
class Episode:
    task: Task
    started: float
    turns: list[Turn] = field(default_factory=list)

    @property
    def ended(self) -> float:
        return self.turns[-1].at if self.turns else self.started

    @property
    def accepted(self) -> list[Call]:
        """The calls that reached their service, in order."""
        return [turn.call for turn in self.turns if turn.call and not turn.down]

    @property
    def met_outage(self) -> bool:
        return any(turn.down for turn in self.turns)

    @property
    def truncated(self) -> bool:
        return bool(self.turns) and self.turns[-1].cut

    @property
    def closing(self) -> str:
        return (self.turns[-1].message or "") if self.turns else ""


class _Assistant:
    """The hand that plays an episode: keeps the clock, draws the wording, and meets the outage where there is one."""

    def __init__(self, world: World, task: Task, started: float, rng: Random, outage: Outage | None) -> None:
        self.world, self.rng, self.outage = world, rng, outage
        self.episode = Episode(task, started)
        self.clock = started

    def _tick(self, low: float, high: float) -> float:
        self.clock = round(self.clock + self.rng.uniform(low, high), 3)
        return self.clock

    def call(self, call: Call, phrases: tuple[str, ...]) -> bool:
        """Make a call, once more if the service is down; false when it stayed down."""
        for wait in (0.0, 4.0):
            at = self._tick(2.0 + wait, 6.0 + wait)
            down = self.outage is not None and self.outage.hits(call, at)
            service = TOOL[call.name].service
            output = f"503 Service Unavailable: the {service} service did not answer" if down else answer(self.world, call)
            thought = "That did not go through. I will try the same call again." if wait else self.rng.choice(phrases)
            self.episode.turns.append(Turn(at, thought.format(tool=call.name), call, output, down))
            if not down:
                return True
        return False

    def say(self, message: str, cut: bool = False) -> None:
        at = self._tick(9.0, 16.0) if cut else self._tick(2.0, 5.0)
        thought = None if self.rng.random() < 0.5 else "I can close this now."
        self.episode.turns.append(Turn(at, thought, message=message, cut=cut))

    def ramble(self) -> None:
        limit = OUTPUT_LIMIT * CHARACTERS_PER_TOKEN
        text = ""
        while len(text) < limit:
            text += self.rng.choice(_RAMBLE) + " "
        self.say(text[:limit], cut=True)


def _in_words(call: Call) -> str:
    return f"{call.name.replace('_', ' ')}: " + ", ".join(f"{key} {value}" for key, value in call.arguments.items())


def _total(rng: Random, task: Task, other_notation: bool) -> str:
    figure = str(task.expected_answer)
    if other_notation:
        pence = round(float(figure) * 100)
        figure = rng.choice((f"{pence / 100:,.2f}", f"£{pence / 100:,.2f}"))
    lead = rng.choice(("I added up the open charges.", "Here is the sum of the open lines.", "These are all charges on file."))
    return f"{lead}\nTotal: {figure}"


def perform(world: World, task: Task, cause: str, started: float, rng: Random, outage: Outage | None = None) -> Episode:
    """Play one rollout of a task under one planted cause (`sound` for none)."""
    seen = with_guessed_member(task) if cause == "skipped_lookup" else task
    writes = task.slip if cause in ("knowledge_gap", "unreliable") else seen.writes
    assistant = _Assistant(world, task, started, rng, outage)
    for read in seen.reads:
        if not assistant.call(read, _BEFORE_READ):
            assistant.say(rng.choice(_GIVE_UP))
            return assistant.episode
    if cause == "truncated":
        assistant.ramble()
        return assistant.episode
    for write in () if cause == "unbacked_claim" else writes:
        if not assistant.call(write, _BEFORE_WRITE):
            assistant.say(rng.choice(_GIVE_UP))
            return assistant.episode
    if task.expected_answer is not None:
        assistant.say(_total(rng, task, other_notation=cause == "strict_verifier"))
    else:
        assistant.say(rng.choice(_DONE).format(what="; ".join(map(_in_words, writes))))
    return assistant.episode
