"""Where a row says its answer a second time: a worked solution, a rationale, the text or the number of the right option, a date.

A dataset's fields are written by different hands, and gold that was changed in one of them contradicts the others. What the model, a
judge or the verifier wrote is told from it by its name here, and by varying from repeat to repeat in the diagnosis.
"""

import re
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from blade.runs.scan import RowView
from blade.signals.cleaning import code_digest, quoted
from blade.signals.data.task import objects_in
from blade.signals.layout.paths import value_at
from blade.signals.layout.retold import ASKS
from blade.signals.layout.shape import written
from blade.signals.layout.texts import sentences
from blade.signals.learning import Learns
from blade.signals.options import USUAL, Options
from blade.signals.repeats import once_for_names, once_for_repeats
from blade.signals.rollout import Rollout, once_for_each, rollout_of
from blade.signals.texts.origins import LARGEST_FLOAT, whole_word
from blade.signals.wanted.answer_fields import expected_answer, taken_answer
from blade.signals.wanted.checks import holds_verdict
from blade.signals.wanted.note_names import MAX_NAME, name_words, of_others, tells_answer
from blade.signals.wanted.option_lists import MAX_PROMPT, marked_lines, options_of, prompt_options
from blade.untrusted.quotes import clean

SCHEMA: Final = "2"
MAX_FIELDS: Final = 6
MAX_ENTRIES: Final = 40
MAX_TEXT: Final = 500
"""Characters kept of the end of a text: a solution closes with its result."""
MIN_OPTION: Final = 5
"""Characters of an option from which on its words in a text name it."""
_HOLDERS: Final = (
    "verifier_metadata", "metadata", "meta", "extra_info", "info", "task", "item", "record", "provenance", "annotation", "annotations", "scenario",
)  # fmt: skip
_ASKS: Final = ASKS | {"text", "code", "patch"}
_ANSWERS: Final = frozenset(["answer", "answers"])
"""Words for the answer itself, in the names of fields: beside the gold that may be anybody's."""
_EQUATION: Final = re.compile(r"=\s*[$€£]?-?\d[\d.,]*\s*(?:[^\W\d]{1,12}|%)?[.)]?\s*$")
"""What a worked calculation ends with."""


_MINUS: Final = re.compile(r"\u2212|(?<![\w)])[\u2010-\u2014](?=[$€£]?\d)")
"""A minus sign as print has it; a dash between two figures is a range."""


class Restated(NamedTuple):
    field: str
    value: Any


@once_for_each
def restated(rollout: Rollout) -> tuple[Restated, ...]:
    """The fields of a row that tell its answer besides the gold, as plain values, those at the top first.

    A list of texts or of remarks is a text of several lines, and an object under such a name tells by its plain members. A text of another name counts
    where it ends with an equation: it works something out. What the verifier took for the answer tells what was said.
    """
    return tuple(_restated(rollout))


def _restated(rollout: Rollout) -> list[Restated]:
    found: list[Restated] = []
    taken = taken_answer(rollout)
    places: dict[str, Any] = {
        "": rollout.fields,
        **_beside_gold(rollout),
        **{name: rollout.fields[name] for name in _HOLDERS if name in rollout.fields},
    }
    for holder, fields in places.items():
        for name, tells in _telling(fields) if isinstance(fields, dict) else ():
            if len(found) >= MAX_FIELDS:
                return found
            value = fields[name]
            if not tells and not _may_work_out(value):
                continue
            path = f"{holder}.{name}" if holder else name
            if taken is not None and path == taken[0]:
                continue
            if tells:
                fresh = (Restated(f"{path}{inner}", told) for inner, told in _values(value))
                found += [one for one in fresh if one not in found][: MAX_FIELDS - len(found)]
            elif _EQUATION.search(value[-MAX_TEXT:]):
                found.append(Restated(path, value))
    known = {one.field for one in found}
    for field in rollout.options.layout.retold:
        value = value_at(rollout.fields, field.path)
        value = "\n".join(sentences(value)) or value
        if len(found) < MAX_FIELDS and _plain(value) and written(field.path) not in known:
            found.append(Restated(written(field.path), value))
    return [*found, *_named_options(rollout, found)][:MAX_FIELDS]


@once_for_names
def _telling(names: tuple[str, ...]) -> tuple[tuple[str, bool], ...]:
    """The names of an object that may tell the answer, each with whether it says that it does; of the others the text has to."""
    return tuple((name, tells) for name in names if (tells := tells_answer(name)) or not (of_others(name) or name in _ASKS))


def _beside_gold(rollout: Rollout) -> dict[str, Any]:
    """The objects of the field in which the gold or the expected calls stand: whoever wrote these wrote what stands beside them.

    Who judges writes the gold down as well, beside a verdict and what was said; that field is another's.
    """
    answer, expectation = expected_answer(rollout), rollout.expectation
    told = (answer[0] if answer is not None else None, expectation.place if expectation is not None else None)
    tops = sorted({place.partition(".")[0] for place in told if place is not None and "." in place})
    found: dict[str, Any] = {}
    for top in tops:
        held = rollout.fields.get(top)
        inner = list(objects_in(held)) if isinstance(held, dict) and not of_others(top.removesuffix("s")) else []
        if any(_may_tell(one) for _, one in inner) and not any(holds_verdict(one) for _, one in inner):
            found |= {
                f"{top}.{path}".rstrip("."): {name: value for name, value in one.items() if not name_words(name) & _ANSWERS}
                for path, one in inner
                if not any(map(of_others, path.rstrip(".").split(".")))
            }
    return found


def _may_tell(fields: dict[str, Any]) -> bool:
    """Whether any field of an object may tell the answer, which is seen sooner than whose the object is."""
    return any(tells_answer(name) or _may_work_out(value) for name, value in fields.items())


def _may_work_out(value: Any) -> bool:
    return isinstance(value, str) and "=" in value


def _named_options(rollout: Rollout, found: list[Restated]) -> Iterator[Restated]:
    """The letter of the one option whose words a text has, for a text tells an option by them."""
    if not found:
        return
    listed = rollout.prompt_text[-MAX_PROMPT:]
    options = prompt_options(listed) or options_of(rollout) or marked_lines(listed)
    for field, value in found if options else ():
        text = value.lower() if isinstance(value, str) else ""
        named = [letter for letter, words in options.items() if len(words) >= MIN_OPTION and whole_word(words.lower(), text)]
        if len(named) == 1 and len(text) > len(options[named[0]]):
            yield Restated(f"{field} (option)", named[0])


def _values(value: Any) -> Iterator[tuple[str, Any]]:
    """The plain values that a field holds, each with the rest of its path."""
    if _plain(value):
        yield "", value
    elif isinstance(value, list) and len(value) > 1 and all(isinstance(part, str) for part in value):
        yield "", "\n".join(value)
    elif isinstance(value, list) and value and all(isinstance(part, dict) for part in value):
        if told := "\n".join(filter(None, map(_sentences, value[:MAX_ENTRIES]))):
            yield "", told
    elif isinstance(value, dict) and not _by_letter(value):
        for name, inner in value.items():
            if _plain(inner) and not of_others(name):
                yield f".{name}", inner


def _sentences(entry: dict[str, Any]) -> str:
    """What an entry of a list of remarks says: its sentences; where it has none, its plain texts. What it was taken from is no part of that."""
    texts = [value.strip() for name, value in entry.items() if isinstance(value, str) and value.strip() and not of_others(name)]
    return "; ".join([text for text in texts if " " in text] or texts[:1])


def _by_letter(value: dict[str, Any]) -> bool:
    """Whether an object holds the options of a question (`answer_choices`), of which one is the answer and the others are not."""
    return len(value) > 1 and all(len(name.strip("().: ")) == 1 for name in value)


def _plain(value: Any) -> bool:
    return (isinstance(value, str) and bool(value.strip())) or (isinstance(value, int | float) and not isinstance(value, bool))


class RestatedExtractor(Learns):
    """The table `restated`: at most MAX_FIELDS rows for a rollout."""

    table = "restated"
    columns: Final = {"field": "string", "value": "string"}

    def __init__(self, options: Options = USUAL) -> None:
        self.options = options
        self.version = f"{SCHEMA}:{code_digest()}{options.version}"

    def extract(self, view: RowView) -> Iterator[tuple[Any, ...]]:
        for field, value in restated(rollout_of(view, self.options)):
            yield quoted(field, MAX_NAME), _kept(value if isinstance(value, str) else _written(value))


def _written(value: int | float) -> str:
    return f"{value:.15g}" if abs(value) <= LARGEST_FLOAT else str(value)


@once_for_repeats
def _kept(text: str) -> str:
    """The end of a text as the table keeps it."""
    return _MINUS.sub("-", clean(text[-8 * MAX_TEXT :])[-MAX_TEXT:].strip())
