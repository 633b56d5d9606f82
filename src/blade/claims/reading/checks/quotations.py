"""Do the words stand in the transcripts that a report quotes, where it says they do?

A quotation belongs to the rollouts named before it in its sentence, at their steps where it gives them; else to the last one named
in the passage, or in the one before it where the passage only quotes; else to the task of its section. One that belongs to nobody may
be the writer's own words, and is at most found to be right.
"""

import re
from collections.abc import Iterator
from dataclasses import replace

from blade.claims.reading.document import Span
from blade.claims.reading.quotes import Quote
from blade.claims.reading.reading import Read, Reading
from blade.claims.reading.references import Reference
from blade.claims.reading.tally import QUOTE_NOT_FOUND
from blade.claims.reading.transcripts import holds, words

_EXPECTED = re.compile(r"\bexpect(?:ed|s)\s*:?\s*[“\"«]?$", re.I)
_STEP_BEHIND = re.compile(r"[”\"»`]?\s*[(,]?\s*(?:at\s+)?step\s+(?P<step>\d+)\b")
MOST_TRIED = 64
"""Rollouts that are read for a quotation which belongs to a task, or to nobody."""


def check_quotations(reading: Reading) -> None:
    if not reading.bound:
        return
    before: list[Reference] = []
    for read in reading.everywhere():
        quoting = [*read.quotes, *(one for one in read.code if one.telling)]
        if read.passage.kind == "quote" and not quoting and read.text.strip():
            quoting = [Quote(Span(0, len(read.text)), read.text)]
        for quote in quoting:
            if not (quote.redacted or quote.absence):
                _check(reading, read, quote, _owners(read, quote) or (before if read.passage.kind == "quote" else []))
        if read.passage.kind == "heading":
            before = []
        if read.rollouts:
            before = read.rollouts[-1:]


def _owners(read: Read, quote: Quote) -> list[Reference]:
    """The rollouts that the quotation is ascribed to: the list that stands nearest before it in its sentence, or right behind it."""
    sentence = read.passage.sentence_at(quote.span.start)
    behind = [one for one in read.rollouts if quote.span.end <= one.span.start]
    if behind and re.fullmatch(
        r"[”\"»`]?[.,]?\s*\(\s*(?:in|from|at|see|e\.g\.)?\s*", read.text[quote.span.end : behind[0].span.start]
    ):
        return behind[:1]
    ahead = [one for one in read.rollouts if sentence.start <= one.span.start < quote.span.start]
    if ahead:
        return list(_run_up(read.text, ahead))
    if behind and re.fullmatch(r"[”\"»`]?\s*[\[–—-]?\s*(?:in|from)?\s*", read.text[quote.span.end : behind[0].span.start]):
        return behind[:1]
    ahead = [one for one in read.rollouts if one.span.start < quote.span.start]
    return ahead[-1:]


def _run_up(text: str, ahead: list[Reference]) -> Iterator[Reference]:
    """The last of the references and those joined to it: `8:2 step 7 and 8:3 step 7: “…”`."""
    later: Reference | None = None
    for one in reversed(ahead):
        if later is not None:
            end = one.step_span.end if one.step_span else one.span.end
            if not re.fullmatch(r"\s*(?:,|and|,\s*and|&)\s*", text[end : later.span.start]):
                return
        yield one
        later = one


def _check(reading: Reading, read: Read, quote: Quote, owners: list[Reference]) -> None:
    known = [_at_step(read, quote, one) for one in owners if one.name in reading.names.rollouts]
    if _EXPECTED.search(read.text[: quote.span.start]):  # what the task wanted stands in the row, at no step
        known = [replace(one, step=None, step_span=None) for one in known]
    if owners and not known:
        return
    wrong = [one for one in known if not _stands(reading, one, quote.text)]
    if known and not wrong:
        reading.tally.hold(read.passage, quote.span)
        for one in known:
            reading.tally.hold(read.passage, one.span)
            if one.step_span is not None:
                reading.tally.hold(read.passage, one.step_span)
        return
    if wrong and not quote.code and (quote.telling or _adjoins(read, quote, wrong[-1])):
        places = [place for one in wrong for place in _elsewhere(reading, one, quote.text)]
        expected = f"it stands at {places[0]}" if places else f"no such words in {wrong[0].name}"
        reading.tally.judge(False, read.passage, quote.span, QUOTE_NOT_FOUND, expected, places[:3], found=quote.text)
        return
    task = reading.scopes.get(read.passage.number)
    candidates = [name for name in reading.names.rollouts if task is not None and name.rpartition(":")[0] == task]
    if not known and any(_in(reading, name, quote.text) for name in sorted(candidates)[:MOST_TRIED]):
        reading.tally.hold(read.passage, quote.span)


def _adjoins(read: Read, quote: Quote, one: Reference) -> bool:
    """Whether nothing stands between a rollout and the quotation: then even a single word is said to be its own."""
    end = one.step_span.end if one.step_span else one.span.end
    return bool(re.fullmatch(r"\s*[:–—(]?\s*[“\"«]", read.text[end : quote.span.start]))


def _at_step(read: Read, quote: Quote, one: Reference) -> Reference:
    """The rollout with the step that stands right behind the quotation, where none stands before it."""
    behind = _STEP_BEHIND.match(read.text, quote.span.end)
    if one.step is not None or not behind:
        return one
    return replace(one, step=int(behind["step"]), step_span=Span(*behind.span("step")))


def _in(reading: Reading, rollout: str, text: str) -> bool:
    return any(holds(row, text) for run in reading.facts.runs for row in run.transcripts.whole(rollout))


def _stands(reading: Reading, one: Reference, text: str) -> bool:
    """At its step, where one is given; what was written beside the conversation has none. Or the diagnosis says so too."""
    if any(_shown(step, said, one, text) for run in reading.facts.runs for step, said in run.evidence.get(one.name, ())):
        return True
    if one.step is None:
        rows = [row for run in reading.facts.runs for row in run.transcripts.whole(one.name)]
        states = [words(facts.state) for facts in reading.facts.rollouts(one.name)]
        return any(holds(row, text) for row in (*rows, *states))
    steps = [said for run in reading.facts.runs for said in run.transcripts.at(one.name, one.step)]
    return any(holds(said, text) for said in steps)


def _shown(step: int | None, said: str, one: Reference, text: str) -> bool:
    """Whether evidence of a diagnosis is what is quoted, perhaps cut short."""
    if step is not None and one.step is not None and step != one.step:
        return False
    wanted = words(text.rstrip("…. "))
    return wanted in said or (text.endswith("…") and said.startswith(wanted.rstrip()))


def _elsewhere(reading: Reading, one: Reference, text: str) -> Iterator[str]:
    for run in reading.facts.runs:
        for step in run.transcripts.where(one.name, text):
            yield f"{one.name} step {step}"
