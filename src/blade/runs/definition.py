"""The definition of a task: what the evaluation fixed, as named parts.

Each part (expected answer, task object, tools, system prompt, ...) is hashed on its own, so that two runs can be compared on the
parts both have, and a difference can be named. The words of the user are one part: whether they count is decided per task
when all its rows are known (`task_table`), because a simulated user opens the same task with different words.
"""

import hashlib
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from msgspec import UNSET, Raw

from blade.runs.rows import Params, PromptItem, decode
from blade.runs.shapes import text_of

GOLD_FIELDS = frozenset(
    [
        "ground_truth",
        "expected_answer",
        "expected_answers",
        "expected_output",
        "expected_outputs",
        "expected",
        "expected_actions",
        "expected_files",
        "expected_state",
        "expected_response",
        "expected_value",
        "expected_values",
        "gold_patch",
        "gold_sql",
        "test_patch",
        "answer_key",
        "expected_calls",
        "expected_function_calls",
        "expected_tool_calls",
        "expected_result",
        "gold",
        "gold_answer",
        "gold_answers",
        "golden_answer",
        "reference",
        "reference_answer",
        "reference_answers",
        "reference_solution",
        "references",
        "target",
        "targets",
        "task",
        "task_hash",
        "question",
        "problem",
        "problem_statement",
        "options",
        "choices",
        "tests",
        "test_cases",
        "test_list",
        "unit_tests",
        "rubric",
        "rubrics",
        "checklist",
        "criteria",
        "instruction_id_list",
        "kwargs",
    ]
)
BOOKKEEPING = frozenset(
    [
        "reward",
        "agent_ref",
        "skills_ref",
        "reward_components",
        "ng_trajectory",
        "ng_model_call_capture",
        "ng_agent_observations",
        "id",
        "task_id",
        "problem_id",
        "instance_id",
        "task_name",
    ]
)
SYSTEM_ROLES = ("system", "developer")
SCENARIO = "task.scenario"
"""The part of a task's object that says what a dialogue is about, whatever words it opens with: all of it but what is expected."""
SCENARIO_FIELDS = ("instruction", "user_scenario", "user_instruction", "scenario")
"""Where a task says what a simulated user is to want."""
_ASKED = frozenset(["question", "problem", "problem_statement", "options", "choices"])
_NO_SCENARIO = frozenset(
    ["id", "task_id", "name", "description", "actions", "outputs", "evaluation_criteria", "annotations", "reward", "annotator"]
)
MOST_REMEMBERED = 1024
NO_TOKENS = (b"null", b"[]", b"{}", b'""')


def digest(*parts: bytes) -> str:
    """A short content hash; 64 bits, enough to tell the tasks of a run apart."""
    hasher = hashlib.blake2b(digest_size=8)
    hasher.update(b"%d:" * len(parts) % tuple(map(len, parts)))
    for part in parts:
        hasher.update(part)
    return hasher.hexdigest()


class DefinitionReader:
    """Reads the definition of row after row; equal tokens (tool lists, gold answers) are canonicalised once."""

    def __init__(self, every_field: bool = False) -> None:
        self._every_field = every_field  # in an input row every field is the dataset's own
        self._gold: list[tuple[int, str]] = []
        self._known_names = 0
        self._remembered: dict[bytes, str] = {}
        self._last_tools: tuple[bytes, str] = (b"", "")
        self._last_system: tuple[list[bytes], str] = ([], "")

    def read(self, params: Params, values: Sequence[Any], names: dict[str, int]) -> tuple[str, str | None]:
        """The parts as a JSON object of hashes, and the hash of the whole prompt (None where there is none)."""
        if len(names) != self._known_names:
            self._gold = [(number, name) for name, number in names.items() if self._defines(name)]
            self._known_names = len(names)
        parts: dict[str, str] = {}
        for number, name in self._gold:
            if number < len(values) and (value := values[number]) is not UNSET and value is not None:
                token = bytes(value) if value.__class__ is Raw else msgspec.json.encode(value, order="deterministic")
                if token != b"null":
                    parts[name] = self._canonical(token)
                    if name == "task" and (scenario := self._scenario(token)):
                        parts[SCENARIO] = scenario
        tools = bytes(params.tools)
        if tools not in NO_TOKENS:
            if tools != self._last_tools[0]:
                self._last_tools = (tools, self._canonical(tools))
            parts["tools"] = self._last_tools[1]
        system, user = _prompt(params)
        if system:
            if system != self._last_system[0]:
                self._last_system = (system, digest(*system))
            parts["system"] = self._last_system[1]
        if user:
            parts["user"] = digest(*user)
        prompt = f"{parts.get('system', '')}:{parts.get('user', '')}"
        return msgspec.json.encode(parts, order="sorted").decode(), digest(prompt.encode()) if system or user else None

    def _defines(self, name: str) -> bool:
        return name in GOLD_FIELDS or (self._every_field and name not in BOOKKEEPING and not name.startswith("_ng_"))

    def _scenario(self, token: bytes) -> str:
        """The hash of what a task's object sets up for a simulated user (its words, the state it begins in); empty where it tells a user nothing."""
        key = b"scenario:" + token
        known = self._remembered.get(key)
        if known is None:
            task = decode(token) if token[:1] == b"{" else None
            known = _set_up(task) if isinstance(task, dict) and tells_a_user(task) else ""
            self._remember(key, known)
        return known

    def _canonical(self, token: bytes) -> str:
        known = self._remembered.get(token)
        if known is None:
            known = digest(msgspec.json.encode(decode(token), order="deterministic"))
            self._remember(token, known)
        return known

    def _remember(self, token: bytes, known: str) -> None:
        if len(self._remembered) >= MOST_REMEMBERED:
            self._remembered.clear()
        self._remembered[token] = known


def tells_a_user(task: dict[str, Any]) -> bool:
    """Whether a task's object says what a simulated user is to want."""
    return any(task.get(name) for name in SCENARIO_FIELDS)


def sets_up(name: str) -> bool:
    """Whether a field of such an object belongs to what a dialogue is about, and not to what is expected of it or said about it."""
    return name in _ASKED or name not in _NO_SCENARIO | GOLD_FIELDS


def _set_up(task: dict[str, Any]) -> str:
    said = {name: value for name, value in task.items() if sets_up(name)}
    return digest(msgspec.json.encode(said, order="deterministic"))


def _prompt(params: Params) -> tuple[list[bytes], list[bytes]]:
    """The system's words and the others', as canonical bytes; empty where nothing was said."""
    given = params.input
    items: Iterable[PromptItem] = (
        (PromptItem("user", Raw(msgspec.json.encode(given))),) if isinstance(given, str) else given or ()
    )
    system = [text_of(params.instructions).encode("utf-8", "replace")] if params.instructions else []
    user: list[bytes] = []
    said = False
    for item in items:
        content = _content(bytes(item.content))
        role = item.role
        if role in SYSTEM_ROLES:
            system.append(content)
            continue
        user += (role.encode() if role.__class__ is str else str(role).encode(), content)
        said = said or bool(content)
        if role is None:  # a call or its output, which has no role
            tools = [_content(token) for token in (bytes(item.arguments), bytes(item.output)) if token != b"null"]
            user += tools
            said = said or any(tools)
    return system if any(system) else [], user if said else []


def _content(token: bytes) -> bytes:
    """A message's content as bytes that do not depend on who wrote the JSON: plain text, however it was wrapped or escaped."""
    if token in NO_TOKENS:
        return b""
    if token[:1] == b'"' and b"\\u" not in token and b"\\/" not in token:
        return token[1:-1]
    content = decode(token)
    if isinstance(content, list) and all(isinstance(part, dict) and isinstance(part.get("text"), str) for part in content):
        content = "\n".join(part["text"] for part in content)
    encoded = msgspec.json.encode(content, order="deterministic")
    return encoded[1:-1] if isinstance(content, str) else encoded
