"""Rules as SQL conditions on a row `r` of `rollouts`, so that a stage's count is a query that anyone can run again."""

from collections.abc import Mapping
from dataclasses import dataclass

from blade.diagnosis.skill.comparison import sql_number
from blade.diagnosis.skill.rules import All, CallRule, FieldRule, Not, Rule, SignalRule, TextRule, observation_id
from blade.diagnosis.skill.rules import Any as AnyOf
from blade.errors import UsageError
from blade.runs.quoting import identifier, literal
from blade.runs.run import Run

NUMERIC = ("BIGINT", "DOUBLE", "INTEGER", "HUGEINT", "FLOAT", "UBIGINT")


@dataclass(frozen=True)
class Facts:
    """What a run's tables hold, as far as compiling needs it."""

    columns: Mapping[str, str]  # of `rollouts`, with their types
    tables: frozenset[str]


def facts_of(run: Run) -> Facts:
    columns = {row[0]: row[1] for row in run.query("DESCRIBE rollouts").rows}
    return Facts(columns, frozenset(run.meta["tables"]))


def condition(rule: Rule, facts: Facts) -> str:
    """SQL over `r` that is true or false, never NULL. A field that no row has is missing everywhere."""
    match rule:
        case FieldRule(path, comparison):
            text, number = _column(path, facts)
            return f"({comparison.sql(text, number)})"
        case SignalRule(code, subject):
            about = f" AND s.subject GLOB {literal(subject)}" if subject else ""
            return f"EXISTS (SELECT 1 FROM {_table('signals', facts)} AS s WHERE s.rollout = r.rollout AND s.class = r.class AND s.code = {literal(code)}{about})"
        case CallRule() if not rule.scanned:
            return _call(rule, facts)
        case CallRule() | TextRule():
            held = f"o.condition = {literal(observation_id(rule))}"
            return f"EXISTS (SELECT 1 FROM {_table('observations', facts)} AS o WHERE o.rollout = r.rollout AND o.class = r.class AND {held})"
        case Not(inner):
            return f"(NOT {condition(inner, facts)})"
        case All(rules):
            return f"({' AND '.join(condition(inner, facts) for inner in rules)})"
        case AnyOf(rules):
            return f"({' OR '.join(condition(inner, facts) for inner in rules)})"


def _table(name: str, facts: Facts) -> str:
    if name not in facts.tables:
        raise UsageError(f"the rules need the table {name!r}, and the run was opened without what fills it")
    return name


def place_of(path: str, facts: Facts) -> tuple[str, str] | None:
    """The column that holds a field, and the path inside it where the field lies deeper."""
    for name in (f"row.{path}", path):  # a field whose name is taken by a fact stands as `row.<name>`
        if name in facts.columns:
            return name, ""
    parts = path.split(".")
    for cut in range(len(parts) - 1, 0, -1):
        outer = ".".join(parts[:cut])
        for name in (f"row.{outer}", outer):
            if facts.columns.get(name) == "VARCHAR":
                return name, "$" + "".join(f'."{part}"' for part in parts[cut:])
    return None


def field_sql(path: str, facts: Facts) -> str | None:
    """SQL for a field of `r` as text, or None where no row has it: what slices group by."""
    return None if place_of(path, facts) is None else _column(path, facts)[0]


def _column(path: str, facts: Facts) -> tuple[str, str]:
    """SQL for the field's text and for its number."""
    place = place_of(path, facts)
    if place is None:
        return "CAST(NULL AS VARCHAR)", "CAST(NULL AS DOUBLE)"
    name, inside = place
    column = f"r.{identifier(name)}"
    if inside:
        text = f"CASE WHEN json_valid({column}) THEN json_extract_string({column}, {literal(inside)}) END"
        return text, sql_number(text)
    text = column if facts.columns[name] == "VARCHAR" else f"CAST({column} AS VARCHAR)"
    return text, f"CAST({column} AS DOUBLE)" if facts.columns[name] in NUMERIC else sql_number(text)


def _call(rule: CallRule, facts: Facts) -> str:
    calls = _table("calls", facts)
    tests = [f"c.rollout = r.rollout AND c.class = r.class AND c.name GLOB {literal(rule.name)}"]
    if rule.kind is not None:
        tests.append(f"c.mutation = {literal(rule.kind)}")
    if rule.error is not None:
        tests.append(
            f"c.error_class = {literal(rule.error)}"
            if isinstance(rule.error, str)
            else f"c.error_class IS {'NOT ' if rule.error else ''}NULL"
        )
    for name, order in ((rule.before, "<"), (rule.after, ">")):
        if name is not None:
            first = f"SELECT min(d.step) FROM {calls} AS d WHERE d.rollout = r.rollout AND d.class = r.class AND d.name GLOB {literal(name)}"
            tests.append(f"c.step {order} ({first})")
    where = " AND ".join(tests)
    if rule.at_least == 1:
        return f"EXISTS (SELECT 1 FROM {calls} AS c WHERE {where})"
    return f"((SELECT count(*) FROM {calls} AS c WHERE {where}) >= {rule.at_least})"
