"""A whole answer as the stream of events that a client asked for.

Nothing is streamed while the model writes: the answer is waited for, checked and kept whole, and then told again in pieces. A client that
reads streams works, and what is recorded is the same as without.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any

Event = tuple[str | None, Any]


def event_stream(events: Iterator[Event]) -> str:
    """Server-sent events: an optional name and a line of data each."""
    return "".join((f"event: {name}\n" if name else "") + f"data: {_line(data)}\n\n" for name, data in events)


def _line(data: Any) -> str:
    return data if isinstance(data, str) else json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def chat_events(completion: Mapping[str, Any], *, with_usage: bool) -> Iterator[Event]:
    choice = completion["choices"][0]
    message = choice["message"]
    kept = {key: completion[key] for key in ("id", "created", "model", "service_tier", "system_fingerprint")}
    head = kept | {"object": "chat.completion.chunk"}
    usage = {"usage": None} if with_usage else {}

    def chunk(delta: Any, finish: str | None = None) -> Event:
        return None, head | {"choices": [{"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}]} | usage

    yield chunk({"role": "assistant", "content": ""})
    for key in ("reasoning_content", "content", "refusal"):
        if message.get(key):
            yield chunk({key: message[key]})
    for index, call in enumerate(message.get("tool_calls") or []):
        yield chunk({"tool_calls": [{"index": index, **call}]})
    yield chunk({}, choice["finish_reason"])
    if with_usage:
        yield None, head | {"choices": [], "usage": completion["usage"]}
    yield None, "[DONE]"


def message_events(message: Mapping[str, Any]) -> Iterator[Event]:
    def event(kind: str, **data: Any) -> Event:
        return kind, {"type": kind, **data}

    begun = {**message, "content": [], "stop_reason": None, "usage": {**message["usage"], "output_tokens": 0}}
    yield event("message_start", message=begun)
    for index, block in enumerate(message["content"]):
        start, deltas = _block_in_pieces(block)
        yield event("content_block_start", index=index, content_block=start)
        for delta in deltas:
            yield event("content_block_delta", index=index, delta=delta)
        yield event("content_block_stop", index=index)
    ended = {"stop_reason": message["stop_reason"], "stop_sequence": message["stop_sequence"]}
    yield event("message_delta", delta=ended, usage=message["usage"])
    yield event("message_stop")


def _block_in_pieces(block: Mapping[str, Any]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    if block["type"] == "text":
        return {"type": "text", "text": ""}, [{"type": "text_delta", "text": block["text"]}]
    if block["type"] == "thinking":
        deltas = [{"type": "thinking_delta", "thinking": block["thinking"]}, {"type": "signature_delta", "signature": ""}]
        return {"type": "thinking", "thinking": "", "signature": ""}, deltas
    arguments = json.dumps(block["input"], ensure_ascii=False)
    return {**block, "input": {}}, [{"type": "input_json_delta", "partial_json": arguments}]


def response_events(response: Mapping[str, Any]) -> Iterator[Event]:
    """The events of the Responses API, numbered."""
    for number, (name, data) in enumerate(_response_events(response)):
        yield name, {"type": name, "sequence_number": number, **data}


def _response_events(response: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    begun = {**response, "output": [], "status": "in_progress", "usage": None, "incomplete_details": None}
    yield "response.created", {"response": begun}
    yield "response.in_progress", {"response": begun}
    for index, item in enumerate(response.get("output") or []):
        at = {"output_index": index, "item_id": item.get("id")}
        yield "response.output_item.added", {"output_index": index, "item": _opened(item)}
        if item.get("type") == "message":
            for number, part in enumerate(item.get("content") or []):
                yield from _part_events(part, at | {"content_index": number})
        elif item.get("type") == "function_call":
            yield "response.function_call_arguments.delta", {**at, "delta": item.get("arguments")}
            yield "response.function_call_arguments.done", {**at, "arguments": item.get("arguments")}
        yield "response.output_item.done", {"output_index": index, "item": item}
    yield "response.incomplete" if response.get("incomplete_details") else "response.completed", {"response": response}


def _opened(item: Mapping[str, Any]) -> dict[str, Any]:
    """An item before its content has come."""
    if item.get("type") == "message":
        return {**item, "content": [], "status": "in_progress"}
    if item.get("type") == "function_call":
        return {**item, "arguments": "", "status": "in_progress"}
    return dict(item)


def _part_events(part: Mapping[str, Any], at: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    key, kind = ("refusal", "refusal") if part.get("type") == "refusal" else ("text", "output_text")
    known = {"logprobs": part.get("logprobs") or []} if kind == "output_text" else {}
    yield "response.content_part.added", {**at, "part": {**part, key: ""}}
    yield f"response.{kind}.delta", {**at, "delta": part.get(key) or "", **known}
    yield f"response.{kind}.done", {**at, key: part.get(key) or "", **known}
    yield "response.content_part.done", {**at, "part": part}
