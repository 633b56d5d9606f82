"""How the same conversation is logged: the fields of a row that hold it, made from Responses API items."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any, Final

from blade.lab.stage.script import Row
from blade.runs.shapes import text_of

Shape = Callable[[Row], Row]
"""The fields of a row that hold its conversation, in another shape."""


def _prompt(row: Row) -> list[tuple[str, str]]:
    return [(item["role"], text_of(item["content"])) for item in row["responses_create_params"]["input"]]


def _items(row: Row) -> list[Row]:
    return list(row["response"]["output"])


def _tools(row: Row) -> list[Row]:
    return [
        {"type": "function", "function": {key: tool[key] for key in ("name", "description", "parameters")}}
        for tool in row["responses_create_params"].get("tools", ())
    ]


def _stopped(row: Row) -> str:
    return "length" if row["response"]["status"] == "incomplete" else "stop"


def _thought(item: Row) -> str:
    return text_of(item.get("summary"))


def responses(row: Row) -> Row:
    return {name: row[name] for name in ("responses_create_params", "response")}


def chat(row: Row) -> Row:
    """Chat completions: calls inside the assistant's messages, their outputs as messages of the tool."""
    messages: list[Row] = [{"role": role, "content": text} for role, text in _prompt(row)]
    for item in _items(row):
        match item["type"]:
            case "message":
                messages.append({"role": item["role"], "content": text_of(item["content"])})
            case "reasoning":
                messages.append({"role": "assistant", "content": None, "reasoning_content": _thought(item)})
            case "function_call":
                call = {
                    "id": item["call_id"],
                    "type": "function",
                    "function": {"name": item["name"], "arguments": item["arguments"]},
                }
                messages.append({"role": "assistant", "content": None, "tool_calls": [call]})
            case "function_call_output":
                messages.append({"role": "tool", "tool_call_id": item["call_id"], "content": item["output"]})
    return {"messages": messages, "tools": _tools(row), "finish_reason": _stopped(row)}


def chat_as_text(row: Row) -> Row:
    """The same as JSON text, as tables and Parquet exports keep it."""
    made = chat(row)
    return {
        **made,
        "messages": json.dumps(made["messages"], ensure_ascii=False),
        "tools": json.dumps(made["tools"], ensure_ascii=False),
    }


def flat_calls(row: Row) -> Row:
    """Messages whose calls name tool and arguments without an object between, arguments as an object (tau2-bench)."""
    made = chat(row)
    for message in made["messages"]:
        if "tool_calls" in message:
            message["tool_calls"] = [
                {
                    "id": one["id"],
                    "name": one["function"]["name"],
                    "arguments": _object(one["function"]["arguments"]),
                    "requestor": "assistant",
                }
                for one in message["tool_calls"]
            ]
    return made


def _object(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def inspect_messages(row: Row) -> Row:
    """Inspect's messages: a call's function is its name, an error of a tool stands beside its content."""
    made = chat(row)
    for message in made["messages"]:
        if "tool_calls" in message:
            message["tool_calls"] = [
                {
                    "id": one["id"],
                    "function": one["function"]["name"],
                    "arguments": _object(one["function"]["arguments"]),
                    "type": "function",
                }
                for one in message["tool_calls"]
            ]
        if message.get("reasoning_content"):
            message["content"] = [{"type": "reasoning", "reasoning": message.pop("reasoning_content")}]
    tools = [one["function"] for one in made["tools"]]
    stop = {"length": "max_tokens", "stop": "stop"}[made["finish_reason"]]
    return {"messages": made["messages"], "tools": tools, "output": {"stop_reason": stop, "choices": []}}


def langchain(row: Row) -> Row:
    """LangChain's messages: types for roles, args as an object."""
    role = {"system": "system", "developer": "system", "user": "human", "assistant": "ai"}
    messages: list[Row] = [{"type": role[one], "content": text} for one, text in _prompt(row)]
    for item in _items(row):
        match item["type"]:
            case "message":
                messages.append({"type": role[item["role"]], "content": text_of(item["content"]), "tool_calls": []})
            case "function_call":
                call = {"name": item["name"], "args": _object(item["arguments"]), "id": item["call_id"], "type": "tool_call"}
                messages.append({"type": "ai", "content": "", "tool_calls": [call]})
            case "function_call_output":
                messages.append({"type": "tool", "content": item["output"], "tool_call_id": item["call_id"], "status": "success"})
    return {"messages": messages, "tools": _tools(row), "finish_reason": _stopped(row)}


def anthropic(row: Row) -> Row:
    """Anthropic's content blocks: the system prompt apart, tool results in the user's turns."""
    asked = _prompt(row)
    messages: list[Row] = [{"role": "user", "content": text} for role, text in asked if role == "user"]
    for item in _items(row):
        match item["type"]:
            case "message":
                messages.append({"role": item["role"], "content": [{"type": "text", "text": text_of(item["content"])}]})
            case "reasoning":
                messages.append(
                    {"role": "assistant", "content": [{"type": "thinking", "thinking": _thought(item), "signature": ""}]}
                )
            case "function_call":
                block = {"type": "tool_use", "id": item["call_id"], "name": item["name"], "input": _object(item["arguments"])}
                messages.append({"role": "assistant", "content": [block]})
            case "function_call_output":
                block = {
                    "type": "tool_result",
                    "tool_use_id": item["call_id"],
                    "content": [{"type": "text", "text": item["output"]}],
                }
                messages.append({"role": "user", "content": [block]})
    tools = [
        {
            "name": one["function"]["name"],
            "description": one["function"]["description"],
            "input_schema": one["function"]["parameters"],
        }
        for one in _tools(row)
    ]
    system = "\n".join(text for role, text in asked if role != "user")
    return {
        "system": system,
        "messages": messages,
        "tools": tools,
        "stop_reason": {"length": "max_tokens", "stop": "end_turn"}[_stopped(row)],
    }


def gemini(row: Row) -> Row:
    """Gemini's contents: parts with function calls and responses."""
    asked = _prompt(row)
    messages: list[Row] = [{"role": "user", "parts": [{"text": text}]} for role, text in asked if role == "user"]
    names: dict[str, str] = {}
    for item in _items(row):
        match item["type"]:
            case "message":
                role = "model" if item["role"] == "assistant" else "user"
                messages.append({"role": role, "parts": [{"text": text_of(item["content"])}]})
            case "function_call":
                names[item["call_id"]] = item["name"]
                call = {"name": item["name"], "args": _object(item["arguments"])}
                messages.append({"role": "model", "parts": [{"functionCall": call}]})
            case "function_call_output":
                told = _object(item["output"])
                answer = told if isinstance(told, dict) else {"result": told}
                part = {"functionResponse": {"name": names.get(item["call_id"]), "response": answer}}
                messages.append({"role": "user", "parts": [part]})
    declared = [one["function"] for one in _tools(row)]
    return {
        "system_instruction": {"parts": [{"text": text} for role, text in asked if role != "user"]},
        "contents": messages,
        "tools": [{"function_declarations": declared}],
        "finish_reason": {"length": "MAX_TOKENS", "stop": "STOP"}[_stopped(row)],
    }


def hermes(row: Row) -> Row:
    """Calls and their outputs as tags inside of texts, as RL trainers log a rollout."""
    messages: list[Row] = [{"role": role, "content": text} for role, text in _prompt(row)]
    for item in _items(row):
        match item["type"]:
            case "message":
                messages.append({"role": item["role"], "content": text_of(item["content"])})
            case "reasoning":
                messages.append({"role": "assistant", "content": f"<think>\n{_thought(item)}\n</think>"})
            case "function_call":
                made = json.dumps({"name": item["name"], "arguments": _object(item["arguments"])}, ensure_ascii=False)
                messages.append({"role": "assistant", "content": f"<tool_call>\n{made}\n</tool_call>"})
            case "function_call_output":
                messages.append({"role": "user", "content": f"<tool_response>\n{item['output']}\n</tool_response>"})
    return {"messages": messages, "tools": _tools(row), "finish_reason": _stopped(row)}


def react(row: Row) -> Row:
    """Thought, action and observation as texts."""
    messages: list[Row] = [{"role": role, "content": text} for role, text in _prompt(row)]
    for item in _items(row):
        match item["type"]:
            case "message":
                text = text_of(item["content"])
                messages.append(
                    {
                        "role": item["role"],
                        "content": f"Thought: I can answer now.\nFinal Answer: {text}" if item["role"] == "assistant" else text,
                    }
                )
            case "function_call":
                messages.append(
                    {
                        "role": "assistant",
                        "content": f"Thought: A tool is needed.\nAction: {item['name']}\nAction Input: {item['arguments']}",
                    }
                )
            case "function_call_output":
                messages.append({"role": "user", "content": f"Observation: {item['output']}"})
    return {"messages": messages, "tools": _tools(row), "finish_reason": _stopped(row)}


_BREAK = re.compile(r"__|[-./]|_|(?<=[a-z])(?=[A-Z])")


def mcp_name(tool: str) -> str:
    """`server__tool` for a tool that is named otherwise."""
    at = _BREAK.search(tool)
    return tool if at is None else f"{tool[: at.start()]}__{tool[at.end() :]}"


def mcp(row: Row) -> Row:
    """Tools under their server's name; a result lists contents and says whether it is an error."""
    params, response = dict(row["responses_create_params"]), dict(row["response"])
    tools = [{**tool, "name": mcp_name(tool["name"])} for tool in params.get("tools", ())]
    output = []
    for item in response["output"]:
        if item["type"] == "function_call":
            item = {**item, "name": mcp_name(item["name"])}
        elif item["type"] == "function_call_output":
            told = {"content": [{"type": "text", "text": item["output"]}], "isError": False}
            item = {**item, "output": json.dumps(told, ensure_ascii=False)}
        output.append(item)
    return {"responses_create_params": {**params, "tools": tools}, "response": {**response, "tools": tools, "output": output}}


SHAPES: Final[dict[str, Shape]] = {
    one.__name__: one
    for one in (responses, chat, chat_as_text, flat_calls, inspect_messages, langchain, anthropic, gemini, hermes, react, mcp)
}
