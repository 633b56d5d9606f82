"""A run's layout from its first rows: who asks what, in an order in which each can use what was learned before."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from blade.signals.cleaning import code_digest
from blade.signals.layout.actions import learn_calls
from blade.signals.layout.choice_lists import learn_choices, shown_options
from blade.signals.layout.counted import learn_counted
from blade.signals.layout.forms import learn_form
from blade.signals.layout.free import learn_free
from blade.signals.layout.gold import learn_gold
from blade.signals.layout.learn_state import learn_state
from blade.signals.layout.paths import real, value_at
from blade.signals.layout.retold import learn_retold, learn_retold_arguments
from blade.signals.layout.sampled import Sampled, sampled
from blade.signals.layout.shape import NOTHING, Layout, ToolKind
from blade.signals.layout.slots import learn_slots
from blade.signals.layout.state_made import learn_made, recorded_tools
from blade.signals.layout.support import MIN_TASKS
from blade.signals.layout.taken import learn_taken
from blade.signals.layout.texts import named_option
from blade.signals.layout.tool_kinds import learn_tools
from blade.signals.layout.verdicts import learn_checks
from blade.signals.layout.words import learn_words
from blade.signals.options import Options
from blade.signals.wanted.option_lists import options_of


@dataclass(frozen=True)
class LayoutLearner:
    """What `runs` asks before it scans; see `blade.runs.lessons`."""

    options: Options

    @property
    def version(self) -> str:
        return f"layout:{code_digest()}{self.options.version}"

    def learn(self, rows: Sequence[bytes], threshold: float | None) -> str:
        try:
            return learn_layout(sampled(rows, self.options, threshold)).as_text()
        except Exception:  # noqa: BLE001 (rows are hostile text: what nobody foresaw teaches nothing, and stops no run)
            return NOTHING.as_text()


def learn_layout(rows: Sequence[Sampled]) -> Layout:
    """What the rows show by themselves; nothing where they are of too few tasks, or all pass or all fail."""
    tasks = {row.task for row in rows}
    if len(tasks) < MIN_TASKS or not any(row.passed for row in rows):
        return NOTHING
    taught = learn_made(rows)
    recorded = tuple(recorded_tools(rows, taught)) if taught else ()
    tools = _kinds(rows, recorded)
    rows = [_with(row, Layout(tools=tools)) for row in rows] if tools else rows
    calls = learn_calls(rows)
    if calls:
        tools = _kinds([_with(row, Layout(calls=calls)) for row in rows], recorded)
        rows = [_with(row, Layout(tools=tools, calls=calls)) for row in rows]
    state = () if calls else learn_state(rows, taught)
    if state:
        tools = _kinds([_with(row, Layout(state=state)) for row in rows], recorded)
        rows = [_with(row, Layout(tools=tools, state=state)) for row in rows]
    shown = shown_options(rows)
    choices = {number: options for number, row in enumerate(rows) if (options := options_of(row.rollout))}
    choices |= {number: options for lists in shown.values() for number, options in lists.items()}
    gold = learn_gold(rows, choices)

    number_of = {id(row): number for number, row in enumerate(rows)}

    def golden(row: Sampled) -> str | None:
        if row.known_gold is not None:
            return row.known_gold
        for field in gold:
            value = value_at(row.rollout.fields, field.path)
            if value is not None and (named := named_option(value, field.names, choices.get(number_of[id(row)], {}))) is not None:
                return named
        return None

    taken = learn_taken(rows, golden)
    known = {field.path for field in (*gold, *taken)} | {
        real(path) for path in (*(field.path for field in gold), *(field.path for field in state))
    }
    retold = [
        field
        for field in (*learn_retold_arguments(rows), *learn_retold(rows, golden, frozenset(known)))
        if field.path not in known  # a script restates the very records that are read out of it
    ]
    return Layout(
        len(rows),
        len(tasks),
        gold,
        taken,
        learn_choices(rows, shown, golden),
        calls,
        learn_checks(rows),
        tools,
        tuple({field.path: field for field in retold}.values()),
        learn_slots(rows),
        state,
        learn_form(rows, golden),
        *learn_words(rows, golden),
        learn_free(rows),
        learn_counted(rows, state),
    )


def _kinds(rows: Sequence[Sampled], recorded: tuple[ToolKind, ...]) -> tuple[ToolKind, ...]:
    """What tools do, with those that records show to change something, whatever else is thought of them."""
    found = {kind.name: kind for kind in (*learn_tools(rows), *recorded)}
    return tuple(found[name] for name in sorted(found))


def _with(row: Sampled, layout: Layout) -> Sampled:
    return Sampled(row.task, row.passed, replace(row.rollout, options=replace(row.rollout.options, layout=layout)))
