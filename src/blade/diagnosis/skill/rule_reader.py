"""From the nodes of a `when:` to a rule, noting everything that is wrong with it on the way."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any, Final

from blade.diagnosis.skill.comparison import OPERATORS, TEXT_OPERATORS, Comparison, pattern_fault
from blade.diagnosis.skill.document import Node
from blade.diagnosis.skill.problems import Notes, shown
from blade.diagnosis.skill.rules import PLACES, All, CallRule, FieldRule, Not, Rule, SignalRule, TextRule
from blade.diagnosis.skill.rules import Any as AnyOf

HEADS: Final = ("field", "signal", "call", "text", "all", "any", "not")
KINDS: Final = ("read", "change", "unknown")
MAX_PATH: Final = 200
SYNONYMS: Final = {
    "equal": "equals",
    "eq": "equals",
    "==": "equals",
    "is": "equals",
    ">": "gt",
    ">=": "gte",
    "<": "lt",
    "<=": "lte",
    "regex": "matches",
    "match": "matches",
    "one_of": "in",
    "and": "all",
    "or": "any",
    "tool": "call",
    "args": "arguments",
    "count": "at_least",
}


@dataclass
class RuleReader:
    """`signals` are the codes that a rule may ask for: the built-in ones and plugins', and for stages the labels of the file."""

    notes: Notes
    signals: Collection[str]
    reward_blind: bool = False
    """For signals: whether they go with failure is tested against the rewards, so they must not be made from them."""

    def read(self, node: Node, place: str) -> Rule | None:
        if node.kind != "mapping":
            self._note(node, place, f"a rule is a mapping that begins with {', '.join(HEADS)}, not {node.what}")
            return None
        heads = [name for name in node.entries if name in HEADS]
        if not heads:
            self._no_head(node, place)
            return None
        if len(heads) > 1:
            self._note(
                node,
                place,
                f"{' and '.join(heads)} in one rule; put them as two rules under `all:` or `any:`",
                node.key_lines[heads[1]],
            )
            return None
        head = heads[0]
        readers: dict[str, Callable[[Node, str], Rule | None]] = {
            "field": self._field,
            "signal": self._signal,
            "call": self._call,
            "text": self._text,
        }
        return readers[head](node, place) if head in readers else self._compound(head, node, place)

    def _no_head(self, node: Node, place: str) -> None:
        if not node.entries:
            self._note(node, place, f"an empty rule; it begins with {', '.join(HEADS)}")
            return
        first = next(iter(node.entries))
        self.notes.unknown(node.key_lines[first], place, "rule", first, HEADS, SYNONYMS)

    def _compound(self, head: str, node: Node, place: str) -> Rule | None:
        self._only(node, place, (head,), "word beside a compound rule")
        inner, where = node.entries[head], f"{place}.{head}"
        if head == "not":
            negated = self.read(inner, where)
            return None if negated is None else Not(negated)
        if inner.kind != "list" or not inner.items:
            self._note(inner, where, f"a list of rules is needed, not {inner.what if inner.kind != 'list' else 'an empty one'}")
            return None
        found = [self.read(item, f"{where}[{number}]") for number, item in enumerate(inner.items)]
        rules = tuple(rule for rule in found if rule is not None)
        if len(rules) < len(found):
            return None
        return All(rules) if head == "all" else AnyOf(rules)

    def _field(self, node: Node, place: str) -> Rule | None:
        path = self.text(node.entries["field"], f"{place}.field", MAX_PATH)
        comparison = self._comparison(node, place, {"field"}, OPERATORS)
        if path is not None and self.reward_blind and path.split(".")[0] == "reward":
            self._note(
                node.entries["field"],
                place,
                "a label cannot look at the reward: whether it goes with failure is tested against the rewards of rollouts with and without it",
            )
            return None
        return None if path is None or comparison is None else FieldRule(path, comparison, node.line)

    def _text(self, node: Node, place: str) -> Rule | None:
        where = self.word(node.entries["text"], f"{place}.text", PLACES, "text")
        comparison = self._comparison(node, place, {"text"}, TEXT_OPERATORS)
        return None if where is None or comparison is None else TextRule(where, comparison)

    def _signal(self, node: Node, place: str) -> Rule | None:
        self._only(node, place, ("signal", "subject"), "word of a signal rule")
        code = self.text(node.entries["signal"], f"{place}.signal", 100)
        subject = self.glob(node.entries.get("subject"), f"{place}.subject")
        if code is None:
            return None
        if code not in self.signals:
            self.notes.unknown(node.entries["signal"].line, place, "signal", code, self.signals)
            return None
        return SignalRule(code, subject)

    def _call(self, node: Node, place: str) -> Rule | None:
        known = ("call", "arguments", "output", "error", "kind", "before", "after", "at_least")
        self._only(node, place, known, "word of a call rule")
        entries = node.entries
        name = self.glob(entries["call"], f"{place}.call")
        arguments = self._arguments(entries.get("arguments"), f"{place}.arguments")
        output = entries.get("output")
        return (
            None
            if name is None
            else CallRule(
                name,
                arguments,
                None if output is None else self._comparison(output, f"{place}.output", set(), TEXT_OPERATORS),
                self._error(entries.get("error"), f"{place}.error"),
                None if "kind" not in entries else self.word(entries["kind"], f"{place}.kind", KINDS, "kind"),
                self.glob(entries.get("before"), f"{place}.before"),
                self.glob(entries.get("after"), f"{place}.after"),
                self._at_least(entries.get("at_least"), f"{place}.at_least"),
                node.line,
            )
        )

    def _arguments(self, node: Node | None, place: str) -> tuple[tuple[str, Comparison], ...]:
        if node is None:
            return ()
        if node.kind != "mapping" or not node.entries:
            self._note(node, place, "a mapping from an argument's name to a value or a comparison is needed")
            return ()
        found: list[tuple[str, Comparison]] = []
        for name, given in node.entries.items():
            where = f"{place}.{name}"
            if given.kind == "mapping":
                comparison = self._comparison(given, where, set(), OPERATORS)
            elif given.kind == "scalar" and given.value is not None:
                comparison = Comparison((("equals", given.value),))
            else:
                self._note(given, where, f"a value or a comparison is needed, not {given.what}")
                continue
            if comparison is not None:
                found.append((name, comparison))
        return tuple(found)

    def _error(self, node: Node | None, place: str) -> bool | str | None:
        if node is None:
            return None
        if isinstance(node.value, bool | str) and node.kind == "scalar":
            return node.value
        self._note(node, place, "true, false or a class of error is needed")
        return None

    def _at_least(self, node: Node | None, place: str) -> int:
        if node is None:
            return 1
        if isinstance(node.value, int) and not isinstance(node.value, bool) and node.value >= 1:
            return node.value
        self._note(node, place, "a whole number from 1 on is needed")
        return 1

    def _comparison(self, node: Node, place: str, beside: Collection[str], allowed: Collection[str]) -> Comparison | None:
        if node.kind != "mapping":
            self._note(node, place, f"a comparison is needed ({', '.join(allowed)}), not {node.what}")
            return None
        tests: list[tuple[str, Any]] = []
        sound, ignore_case = True, False
        for name, operand in node.entries.items():
            line, where = node.key_lines[name], f"{place}.{name}"
            if name in beside:
                continue
            if name == "ignore_case":
                ignore_case = self.flag(operand, where) or False
            elif name not in allowed:
                self.notes.unknown(line, place, "operator", name, (*allowed, "ignore_case"), SYNONYMS)
                sound = False
            else:
                value = self._operand(name, operand, where)
                sound = sound and value is not None
                tests.append((name, value))
        if sound and not tests:
            self._note(node, place, f"nothing to compare with; give one of {', '.join(allowed)}")
            return None
        return Comparison(tuple(tests), ignore_case) if sound else None

    def _operand(self, operator: str, node: Node, place: str) -> Any:
        if operator == "exists":
            return self.flag(node, place)
        if operator == "in":
            return self._several(node, place)
        if node.kind != "scalar" or node.value is None:
            self._note(node, place, f"one value is needed, not {node.what}")
            return None
        if operator in ("gt", "gte", "lt", "lte"):
            return self.number(node, place)
        if operator in ("contains", "matches"):
            return self._wanted_text(operator, node, place)
        return node.value

    def _wanted_text(self, operator: str, node: Node, place: str) -> str | None:
        if not isinstance(node.value, str) or not node.value:
            self._note(
                node,
                place,
                f"a text is needed, not {node.what}; put it in quotes" if node.value != "" else "an empty text is in everything",
            )
            return None
        if operator == "matches" and (fault := pattern_fault(node.value)) is not None:
            self._note(node, place, f"not a pattern that can be used (RE2): {fault}")
            return None
        return node.value

    def _several(self, node: Node, place: str) -> tuple[Any, ...] | None:
        if node.kind != "list" or not node.items:
            self._note(node, place, "a list of values is needed")
            return None
        if any(item.kind != "scalar" or item.value is None for item in node.items):
            self._note(node, place, "only plain values can stand in this list")
            return None
        return tuple(item.value for item in node.items)

    def text(self, node: Node | None, place: str, limit: int = 2_000) -> str | None:
        """A text that is not empty."""
        if node is None:
            return None
        value = node.value if isinstance(node.value, str) else str(node.value) if isinstance(node.value, int | float) else None
        if isinstance(node.value, bool) or node.kind != "scalar" or value is None or not value.strip():
            self._note(node, place, f"a text is needed, not {node.what if node.value != '' else 'an empty one'}")
            return None
        if len(value) > limit:
            self._note(node, place, f"longer than {limit:,} characters")
            return None
        return value

    def glob(self, node: Node | None, place: str) -> str | None:
        found = self.text(node, place, 200)
        if found is not None and node is not None and any(sign in found for sign in "[]"):
            self._note(node, place, "only * and ? stand for other characters here")
            return None
        return found

    def word(self, node: Node, place: str, known: Collection[str], what: str) -> str | None:
        value = self.text(node, place)
        if value is not None and value not in known:
            self.notes.unknown(node.line, place, what, value, known)
            return None
        return value

    def flag(self, node: Node, place: str) -> bool | None:
        if isinstance(node.value, bool):
            return node.value
        self._note(node, place, f"true or false is needed, not {node.what}")
        return None

    def number(self, node: Node, place: str) -> float | None:
        if isinstance(node.value, int | float) and not isinstance(node.value, bool):
            return node.value
        self._note(node, place, f"a number is needed, not {node.what} ({shown(node.value)})")
        return None

    def _only(self, node: Node, place: str, known: Collection[str], what: str) -> None:
        for name in node.entries:
            if name not in known:
                self.notes.unknown(node.key_lines[name], place, what, name, known, SYNONYMS)

    def _note(self, node: Node, place: str, message: str, line: int | None = None) -> None:
        self.notes.add(node.line if line is None else line, place, message)
