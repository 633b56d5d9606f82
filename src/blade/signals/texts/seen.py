"""What a rollout had seen before a step: the prompt, the other side's turns, the tools' answers; and what follows from it."""

import re
from datetime import date
from typing import Final
from weakref import ref

from blade.signals.calls.call import Call
from blade.signals.repeats import once_for_repeats
from blade.signals.rollout import Rollout, once_for_each
from blade.signals.texts import values
from blade.signals.texts.derivations import Numbers, number_follows
from blade.signals.texts.sums import SMALL
from blade.signals.texts.values import digit_runs, listed_runs

MIN_COMPACT: Final = 5
"""Characters from which two strings that differ in separators only are taken for the same."""
MIN_TAIL: Final = 3
"""Digits from which the end of a longer number identifies it."""
MIN_EXTENDED: Final = 6
MOST_ADDED: Final = 4
"""Digits of a number from which on it is known again inside a longer one, and the signs that may be added to it."""
_LONG_NUMBER: Final = re.compile(r"\d{6,40}")
MAX_DERIVATIONS: Final = 30
"""Numbers of one rollout for which a calculation is looked for; further ones are let pass, so that no row takes for ever."""
_SEPARATORS: Final = b" \t\n\r\x0b\x0c\x1c\x1d\x1e\x1f_-.,:;/#$()+'\""


class Seen:
    """What stood before a call. It grows step by step, so a value is never explained by what came later.

    Looking for a string is quick; the compact text, the numbers and the dates are worked out when that does not settle it.
    """

    def __init__(self, rollout: Rollout, tries: int = MAX_DERIVATIONS) -> None:
        self._at_hand = ref(rollout)  # the rollout may keep what was seen of it, and the two must not hold each other
        self.position = 0
        self._taken = 0
        self._texts = [rollout.lowered_prompt]
        self._compact = ""
        self._compacted = 0
        self._agreed = ""
        self._pending: list[str] = []
        self._tries = tries
        self._numbers = Numbers(self._texts[0])
        self._dates: set[values.Day] = set()
        self._dated = 0
        self._altered = False
        self._calls = {made.output_position: made for made in rollout.calls if made.output_position is not None}

    def advance(self, position: int) -> None:
        """Take in everything before `position`, when it is first asked for."""
        self.position = max(self.position, position)

    def _take_in(self) -> None:
        taken, self._taken = self._taken, self.position
        for place in range(taken, self.position):
            item = self._rollout.output[place]
            if item.kind == "tool_output":
                told = self._without_echo(item.text, self._calls.get(place))
                self._altered = self._altered or told is not item.text
                self._see(self._rollout.lowered(place) if told is item.text else told.lower())
            elif item.kind == "message" and item.role != "assistant":
                self._see(self._rollout.lowered(place))
                self._agreed += "\n".join(("", *self._pending)).lower()
                self._pending.clear()
            elif item.kind == "message":
                self._pending.append(item.text)

    @property
    def _rollout(self) -> Rollout:
        rollout = self._at_hand()
        assert rollout is not None
        return rollout

    def _see(self, lowered: str) -> None:
        self._texts.append(lowered)
        self._numbers.read(lowered)

    def _without_echo(self, text: str, made: Call | None) -> str:
        """An output less the call's own arguments, where it may only be repeating them."""
        if made is None or made.arguments is None or (made.reads and made.error is None):
            return text
        for _, value in made.leaves:
            if isinstance(value, str) and len(value) >= MIN_COMPACT and value in text and not self._holds(value):
                text = text.replace(value, " ")
        return text

    def holds(self, value: str) -> bool:
        """Whether a string was seen as a whole, whatever its case and separators."""
        self._take_in()
        return self._holds(value)

    def _holds(self, value: str) -> bool:
        wanted = value.lower()
        if self._holds_word(wanted):
            return True
        compact = _compacted(wanted)
        if len(compact) < MIN_COMPACT:
            return False
        if self._compacted < len(self._texts):
            self._compact += "".join(map(_compacted, self._texts[self._compacted :]))
            self._compacted = len(self._texts)
        return compact in self._compact

    def _holds_word(self, wanted: str) -> bool:
        if "\n" in wanted:
            return _whole_word(wanted, "\n".join(self._texts))
        holding = [text for text in self._texts if wanted in text]
        return any(_whole_word(wanted, text) for text in holding)

    def _holds_number(self, plain: str) -> bool:
        """The same of a number in digits, most of which stand nowhere; an output less an echo may hold others than it came with."""
        return (self._altered or digit_runs(plain) <= runs_told(self._rollout)) and self._holds_word(plain)

    def holds_tail(self, digits: str) -> bool:
        """Whether these digits end a longer number that was seen."""
        if len(digits) < MIN_TAIL:
            return False
        self._take_in()
        tail = re.compile(rf"\d{re.escape(digits)}(?!\d)")
        return any(digits in text and tail.search(text) for text in self._texts)

    def extended(self, text: str) -> bool:
        """Whether a text is a longer number that was seen with a few signs added, as a prefix and check digits are."""
        for run in _LONG_NUMBER.findall(text):
            most = min(MOST_ADDED, len(run) - MIN_EXTENDED)
            parts = [run[at:] for at in range(most + 1)] + [run[: len(run) - at] for at in range(1, most + 1)]
            if len(text) - len(run) <= MOST_ADDED and any(self.holds(part) for part in parts):
                return True
        return False

    def agreed(self, value: str) -> bool:
        """Whether the assistant named the value and the user went on."""
        self._take_in()
        return _whole_word(value.lower(), self._agreed)

    def number(self, value: float) -> str | None:
        """Where a number comes from, if from anywhere."""
        told, key = _explained(self._rollout), (self.position, value)
        if key not in told and self._needs_no_source(value):
            return number_follows(value, set()) or "seen"
        self._tries -= 1
        if self._tries < 0:
            return "not worked out"
        if key not in told:
            told[key] = self._numbers.explain(value)
        return told[key]

    def gives(self, value: float) -> bool:
        """Whether a number comes from anywhere, which is found sooner than from where."""
        told, key = _explained(self._rollout), (self.position, value)
        if key not in told and self._needs_no_source(value):
            return True
        self._tries -= 1
        if self._tries < 0:
            return True
        if key not in told:
            if self._numbers.give(value):
                return True
            told[key] = None
        return told[key] is not None

    def _needs_no_source(self, value: float) -> bool:
        if abs(value) <= SMALL:
            return True
        self._take_in()
        return self._holds_number(f"{value:.0f}" if value.is_integer() else f"{value:.2f}")

    def date(self, wanted: date) -> bool:
        """Whether a date was seen in some form, or follows from one that was."""
        self._take_in()
        fresh = self._texts[self._dated :]
        if not self._dated:
            self._dates.update(_dates(fresh.pop(0)))
        if fresh:
            self._dates.update(values.dates_in("\n".join(("", *fresh))))
        self._dated = len(self._texts)
        relative = any(map(values.RELATIVE.search, self._texts))
        return values.date_follows(wanted, self._dates, self._numbers.all(), relative)


@once_for_each
def runs_told(rollout: Rollout) -> frozenset[bytes]:
    """The runs of digits in the prompt and in all that came from outside, wherever it stands: most numbers that are looked for are not among them."""
    told = (
        item.text
        for item in rollout.output
        if item.kind == "tool_output" or (item.kind == "message" and item.role != "assistant")
    )
    return prompt_runs(rollout.prompt_text).union(listed_runs(" ".join(told)))


@once_for_repeats
def prompt_runs(text: str) -> frozenset[bytes]:
    """The runs of digits in the prompt, or in a part of it."""
    return digit_runs(text)


@once_for_each
def _explained(rollout: Rollout) -> dict[tuple[int, float], str | None]:
    """How numbers that stand nowhere were explained before a position of the rollout at hand: more than one detector asks for the same."""
    return {}


@once_for_repeats
def _dates(text: str) -> frozenset[values.Day]:
    """Prompts are long and much the same from row to row, so what they hold is worked out once."""
    return frozenset(values.dates_in(text))


@once_for_repeats
def _compacted(text: str) -> str:
    """A text without spaces and separators."""
    spaceless = text if text.isascii() else "".join(text.split())
    return spaceless.encode("utf-8", "surrogatepass").translate(None, _SEPARATORS).decode("utf-8", "surrogatepass")


def _whole_word(wanted: str, text: str) -> bool:
    at = text.find(wanted)
    while at >= 0:
        end = at + len(wanted)
        if not (at and text[at - 1].isalnum() and wanted[:1].isalnum()) and not (
            text[end : end + 1].isalnum() and wanted[-1:].isalnum()
        ):
            return True
        at = text.find(wanted, at + 1)
    return False
