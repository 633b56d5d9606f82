"""The definition of a task: what the evaluation fixed, as named parts.

Each part (expected answer, task object, tools, system prompt, ...) is hashed on its own, so that two runs can be compared on the
parts both have, and a difference can be named. The words of the user are one part: whether they count is decided per task
when all its rows are known (`tasks`), because a simulated user opens the same task with different words.
"""

import hashlib
from collections.abc import Iterable
from typing import Any

import msgspec

from blade.runs.rows import Fields, Params, PromptItem
from blade.runs.shapes import text_of

GOLD_FIELDS = frozenset(
    """ground_truth expected_answer expected_answers expected_output expected_outputs expected expected_actions expected_calls
    expected_function_calls expected_tool_calls expected_result gold gold_answer gold_answers golden_answer reference reference_answer
    reference_answers reference_solution references target targets task task_hash question problem problem_statement options choices tests
    test_cases test_list unit_tests rubric rubrics checklist criteria instruction_id_list kwargs""".split()
)
BOOKKEEPING = frozenset(
    "responses_create_params response reward agent_ref skills_ref reward_components ng_trajectory ng_model_call_capture "
    "ng_agent_observations id task_id problem_id instance_id task_name _ng_task_index _ng_rollout_index".split()
)
SYSTEM_ROLES = ("system", "developer")
MOST_REMEMBERED = 4096


def digest(*parts: bytes) -> str:
    """A short content hash; 64 bits, enough to tell the tasks of a run apart."""
    hasher = hashlib.blake2b(digest_size=8)
    for part in parts:
        hasher.update(len(part).to_bytes(8, "little"))
        hasher.update(part)
    return hasher.hexdigest()


class DefinitionReader:
    """Reads the definition of row after row; equal tokens (tool lists, gold answers) are canonicalised once."""

    def __init__(self, every_field: bool = False) -> None:
        self._every_field = every_field  # in an input row every field is the dataset's own
        self._remembered: dict[bytes, str] = {}

    def read(self, fields: Fields, params: Params) -> tuple[str, str | None]:
        """The parts as a JSON object of hashes, and the hash of the whole prompt (None where there is none)."""
        parts: dict[str, str] = {}
        for name, raw in fields.items():
            if name in GOLD_FIELDS or (self._every_field and name not in BOOKKEEPING and not name.startswith("_ng_")):
                token = bytes(raw)
                if token != b"null":
                    parts[name] = self._canonical(token)
        tools = bytes(params.tools)
        if tools not in (b"null", b"[]"):
            parts["tools"] = self._canonical(tools)
        prompt = params.input
        items: Iterable[PromptItem] = [PromptItem(role="user", content=prompt)] if isinstance(prompt, str) else prompt or ()
        system: list[bytes] = [text_of(params.instructions).encode()] if params.instructions else []
        user: list[bytes] = []
        for item in items:
            text = _content_bytes(item.content)
            if item.role in SYSTEM_ROLES:
                system.append(text)
            else:
                user += (str(item.role).encode(), text)
        if any(system):
            parts["system"] = digest(*system)
        if any(user[1::2]):
            parts["user"] = digest(*user)
        whole = digest(*system, *user) if any(system) or any(user[1::2]) else None
        return msgspec.json.encode(parts, order="sorted").decode(), whole

    def _canonical(self, token: bytes) -> str:
        known = self._remembered.get(token)
        if known is None:
            known = digest(msgspec.json.encode(msgspec.json.decode(token), order="deterministic"))
            if len(self._remembered) >= MOST_REMEMBERED:
                self._remembered.clear()
            self._remembered[token] = known
        return known


def _content_bytes(content: Any) -> bytes:
    if isinstance(content, str):
        return content.encode("utf-8", "replace")
    if isinstance(content, list) and all(isinstance(part, dict) and isinstance(part.get("text"), str) for part in content):
        return "\n".join(part["text"] for part in content).encode("utf-8", "replace")
    return b"" if content is None else msgspec.json.encode(content, order="deterministic")
