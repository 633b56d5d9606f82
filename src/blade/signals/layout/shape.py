"""What was learned of a run's layout, as plain data that goes into the version of an extractor and into the diagnosis."""

from typing import Final

import msgspec

Path = tuple[str, ...]
"""Keys from the row inwards; an index for a place in a list. Text that holds JSON is gone through as what it stands for."""

AS_IS, FROM_ZERO, FROM_ONE, BY_TEXT = "", "index from 0", "index from 1", "text of the option"


def written(path: Path) -> str:
    return ".".join(path)


class Field(msgspec.Struct, frozen=True):
    """A field of known meaning. `tasks` of those that could tell, `agreeing` of them say so; `names` is how gold names an option."""

    path: Path
    tasks: int
    agreeing: int
    names: str = AS_IS


class CallsField(msgspec.Struct, frozen=True):
    """A list of expected calls. `name` and `arguments` are the keys of an entry that hold the tool and what is given to it.

    No `name`: the entry's only key is the tool. No `arguments`: all its other keys are. Entries that are texts (`book(seat="12A")`)
    need neither.
    """

    path: Path
    tasks: int
    agreeing: int
    name: str | None = None
    arguments: str | None = None


class StateRule(msgspec.Struct, frozen=True):
    """Which tool makes an expected record: those under the keys `context`, with the values of `marks` where several tools make such records.

    `places` are the record's values, each with the argument that holds it. A record `follows` from calls of these tools that make
    another record of the same thing (the stock that is left after a sale); where there is none, its own `tool` makes it, if it has one. What `shares` is made by the call
    that makes such a record too: each tells some of its arguments. A record that is only `named` holds what its call answers besides.
    `holds` are columns of which a record has any, where nothing but its columns tells which of several tools makes it.
    """

    context: Path
    tool: str
    places: tuple[tuple[Path, Path], ...]
    marks: tuple[tuple[Path, str], ...] = ()
    follows: tuple[str, ...] = ()
    shares: bool = False
    named: bool = False
    holds: tuple[Path, ...] = ()


class StateField(msgspec.Struct, frozen=True):
    """Expected records, and the calls that they stand for."""

    path: Path
    tasks: int
    agreeing: int
    rules: tuple[StateRule, ...] = ()


class ChecksField(msgspec.Struct, frozen=True):
    """Named checks: a list of objects, or an object by name. `verdict` is the key of an entry (none: the entry itself).

    `good` are the verdicts, as JSON, of a check that holds; none where verdicts are shares, which the reward is the mean of.
    """

    path: Path
    tasks: int
    agreeing: int
    name: str | None = None
    verdict: str | None = None
    good: tuple[str, ...] = ()


class FormField(msgspec.Struct, frozen=True):
    """The signs around the answer in a final message; none but the end of a line where it is the first line (`form.FIRST_LINE`)."""

    before: str
    after: str
    tasks: int
    agreeing: int

    @property
    def path(self) -> Path:
        return (f"{self.before} … {self.after}".strip() if self.before or self.after.strip() else "the first line",)


class ToolKind(msgspec.Struct, frozen=True):
    name: str
    kind: str
    reason: str


class Layout(msgspec.Struct, frozen=True):
    """Of each meaning the fields that have it, the best supported first; `rows` and `tasks` is what was looked at."""

    rows: int = 0
    tasks: int = 0
    expected: tuple[Field, ...] = ()
    extracted: tuple[Field, ...] = ()
    options: tuple[Field, ...] = ()
    calls: tuple[CallsField, ...] = ()
    checks: tuple[ChecksField, ...] = ()
    tools: tuple[ToolKind, ...] = ()
    retold: tuple[Field, ...] = ()
    slots: tuple[Field, ...] = ()
    state: tuple[StateField, ...] = ()
    form: tuple[FormField, ...] = ()
    said: tuple[Field, ...] = ()
    unsaid: tuple[Field, ...] = ()
    """What has to be said, and what must not be."""
    free: tuple[Field, ...] = ()
    """Arguments that are not compared, each under its tool."""
    counted: tuple[Field, ...] = ()
    """Asserted figures that are the number of the asserted records."""

    @property
    def found(self) -> bool:
        return bool(
            self.expected
            or self.extracted
            or self.options
            or self.calls
            or self.checks
            or self.tools
            or self.retold
            or self.slots
            or self.state
            or self.form
            or self.said
            or self.unsaid
            or self.free
        )

    def as_text(self) -> str:
        return msgspec.json.encode(self).decode()


NOTHING: Final = Layout()


def read_layout(text: str) -> Layout:
    return msgspec.json.decode(text, type=Layout)
