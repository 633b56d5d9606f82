"""What a benchmark needs from an endpoint, and whether the endpoint has it, asked with one small request each.

An endpoint that ignores tools or schemas answers politely and fails every task, hours later. `probe` asks first: one tool call, one
structured output, one long prompt. The judging of an answer is apart from the asking, and a "no" quotes the endpoint's own words.
"""

import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, Protocol

from blade.gym.models.errors import ModelError
from blade.untrusted import one_line, redact

Verdict = Literal["supported", "not supported", "failed"]
Judge = Callable[[Mapping[str, Any]], tuple[Verdict, str]]

_QUOTED: Final = 200
_WORD: Final = "apple "
_TOOL: Final = {
    "type": "function",
    "name": "report_number",
    "description": "Report a number to the user.",
    "parameters": {
        "type": "object",
        "properties": {"number": {"type": "integer", "description": "The number to report."}},
        "required": ["number"],
        "additionalProperties": False,
    },
    "strict": True,
}
_SCHEMA: Final = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "population": {"type": "integer"}},
    "required": ["city", "population"],
    "additionalProperties": False,
}


class Model(Protocol):
    async def responses(self, params: dict[str, Any]) -> dict[str, Any]: ...


@dataclass(frozen=True)
class Needs:
    """What a benchmark uses. `longest_prompt_tokens`: an estimate for its longest prompt."""

    tool_calls: bool = True
    structured_output: bool = True
    longest_prompt_tokens: int = 8_000
    max_output_tokens: int = 512


@dataclass(frozen=True)
class Finding:
    """One capability: whether the endpoint has it, and what was seen, in one sentence. `needed`: the benchmark uses it."""

    capability: Literal["tool call", "structured output", "long prompt"]
    verdict: Verdict
    sentence: str
    needed: bool = True

    @property
    def lacking(self) -> bool:
        """The benchmark needs it and the endpoint does not show it."""
        return self.needed and self.verdict != "supported"


async def probe(model: Model, needs: Needs) -> list[Finding]:
    """One finding per capability; all three are asked, and those that the benchmark does not use are marked so."""
    verdict, sentence = await _tool_call(model, needs)
    findings = [Finding("tool call", verdict, sentence, needs.tool_calls)]
    verdict, sentence = await _asked(model.responses, structured_request(needs), judge_structured)
    findings.append(Finding("structured output", verdict, sentence, needs.structured_output))
    verdict, sentence = await _asked(
        model.responses, long_request(needs), lambda answer: judge_long(answer, needs.longest_prompt_tokens)
    )
    return [*findings, Finding("long prompt", verdict, sentence)]


async def _tool_call(model: Model, needs: Needs) -> tuple[Verdict, str]:
    """Ask for a call that is required; where the endpoint does not know that choice, leave the choice to the model."""
    verdict, sentence = await _asked(model.responses, tool_request(needs, "required"), judge_tool_call)
    if verdict == "supported":
        return verdict, sentence
    second, also = await _asked(model.responses, tool_request(needs, "auto"), judge_tool_call)
    if second == "supported":
        return second, f"{also}, with tool_choice auto; with required: {sentence}"
    return verdict, sentence


async def _asked(
    ask: Callable[[dict[str, Any]], Awaitable[dict[str, Any]]], request: dict[str, Any], judge: Judge
) -> tuple[Verdict, str]:
    try:
        return judge(await ask(request))
    except ModelError as error:
        return judge_error(error)


def tool_request(needs: Needs, choice: str) -> dict[str, Any]:
    return {
        "input": [{"role": "user", "content": "Report the number 7 with the tool report_number."}],
        "tools": [_TOOL],
        "tool_choice": choice,
        "max_output_tokens": needs.max_output_tokens,
    }


def structured_request(needs: Needs) -> dict[str, Any]:
    form = {"type": "json_schema", "name": "city", "schema": _SCHEMA, "strict": True}
    return {
        "input": [{"role": "user", "content": "Name a city and its population."}],
        "text": {"format": form},
        "max_output_tokens": needs.max_output_tokens,
    }


def long_request(needs: Needs) -> dict[str, Any]:
    """A prompt of about as many tokens: a common short word with its space is one token to the usual tokenizers."""
    filler = _WORD * needs.longest_prompt_tokens
    question = f"{filler}\nWhich fruit is named above? Answer with one word."
    return {"input": [{"role": "user", "content": question}], "max_output_tokens": needs.max_output_tokens}


def judge_tool_call(answer: Mapping[str, Any]) -> tuple[Verdict, str]:
    calls = [item for item in answer["output"] if item.get("type") == "function_call"]
    if not calls:
        return "not supported", f"no tool was called; the answer was {_said(answer)}"
    if calls[0].get("name") != _TOOL["name"]:
        return "not supported", f"the call names {_quote(str(calls[0].get('name')))}, which is not the tool"
    try:
        arguments = json.loads(calls[0].get("arguments") or "")
    except ValueError:
        arguments = None
    if not isinstance(arguments, dict) or not isinstance(arguments.get("number"), int):
        return "not supported", f"the call's arguments do not follow the schema: {_quote(str(calls[0].get('arguments')))}"
    return "supported", "the tool was called with arguments that follow its schema"


def judge_structured(answer: Mapping[str, Any]) -> tuple[Verdict, str]:
    try:
        found = json.loads(_text(answer))
    except ValueError:
        return "not supported", f"the answer is not JSON: {_said(answer)}"
    if not (
        isinstance(found, dict)
        and set(found) == {"city", "population"}
        and isinstance(found["city"], str)
        and isinstance(found["population"], int)
    ):
        return "not supported", f"the answer is JSON that does not follow the schema: {_said(answer)}"
    return "supported", "the answer follows the schema"


def judge_long(answer: Mapping[str, Any], tokens: int) -> tuple[Verdict, str]:
    """A prompt counts as read when the endpoint's own count says so; a cut prompt is the endpoint's way of not saying no."""
    if answer.get("ng_context_overflow"):
        return "not supported", f"a prompt of about {tokens} tokens does not fit into the context"
    read = (answer.get("usage") or {}).get("input_tokens")
    if isinstance(read, int) and read < tokens // 2:
        return "not supported", f"of about {tokens} tokens the endpoint counted {read}: the prompt was cut"
    counted = "" if read is None else f" ({read} by the endpoint's count)"
    return "supported", f"a prompt of about {tokens} tokens was answered{counted}"


def judge_error(error: ModelError) -> tuple[Verdict, str]:
    """A refusal of the request says that the endpoint cannot; anything else says nothing about what it can."""
    return ("not supported" if error.category == "client_error" else "failed"), str(error)


def _text(answer: Mapping[str, Any]) -> str:
    parts = [part for item in answer["output"] if item.get("type") == "message" for part in item.get("content") or []]
    return "".join(part.get("text") or part.get("refusal") or "" for part in parts)


def _said(answer: Mapping[str, Any]) -> str:
    return _quote(_text(answer)) if _text(answer) else "empty"


def _quote(text: str) -> str:
    return f"“{one_line(redact(text), _QUOTED)}”"
