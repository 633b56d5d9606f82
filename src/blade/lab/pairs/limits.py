"""Rollouts cut off at a limit on tokens, as real endpoints do it: the item at which it is reached stops in the middle, is marked
incomplete, and nothing follows; the response says `incomplete` and why.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from blade.lab.pairs.world import Rollout, World
from blade.lab.stage.play import CHARACTERS_PER_TOKEN, Episode
from blade.lab.stage.script import Row


def cut_off(world: World, rollouts: Sequence[Rollout], limit: int) -> list[Rollout]:
    """The same rollouts under a limit; those that stay below it are untouched."""
    return [
        rollout if rollout.episode.written_tokens <= limit else world.graded(rollout, _cut(rollout.episode, limit))
        for rollout in rollouts
    ]


def limited_row(row: Row, limit: int) -> Row:
    """A row whose request, response and usage tell of the limit."""
    response = {**row["response"], "max_output_tokens": limit}
    if response["incomplete_details"] is not None and response["usage"] is not None:
        usage = response["usage"]
        response["usage"] = {**usage, "output_tokens": limit, "total_tokens": usage["input_tokens"] + limit}
    return {
        **row,
        "responses_create_params": {**row["responses_create_params"], "max_output_tokens": limit},
        "response": response,
    }


def _cut(episode: Episode, limit: int) -> Episode:
    left = limit
    items: list[Row] = []
    for item in episode.items:
        tokens = -(-len(_written(item)) // CHARACTERS_PER_TOKEN)
        if tokens > left:
            items += [_cut_item(item, left * CHARACTERS_PER_TOKEN)] if left else []
            break
        left -= tokens
        items.append(item)
    done = sum(item["type"] == "function_call_output" for item in items)
    last = items[-1]
    said = last["content"][0]["text"] if last["type"] == "message" and last["role"] == "assistant" else ""
    return replace(episode, items=items, accepted=episode.accepted[:done], final=said, truncated=True)


def _written(item: Row) -> str:
    """What the model wrote of an item; nothing of a tool's answer or of the user's words."""
    match item["type"]:
        case "reasoning":
            return "".join(part["text"] for part in item["summary"])
        case "function_call":
            return str(item["arguments"])
        case "message" if item["role"] == "assistant":
            return "".join(part["text"] for part in item["content"])
    return ""


def _cut_item(item: Row, left: int) -> Row:
    def shortened(parts: Sequence[Row]) -> list[Row]:
        return [{**parts[0], "text": str(parts[0]["text"])[:left]}]

    changed: dict[str, Any]
    match item["type"]:
        case "reasoning":
            changed = {"summary": shortened(item["summary"]), "status": "incomplete"}
        case "function_call":
            changed = {"arguments": str(item["arguments"])[:left], "status": "incomplete"}
        case _:
            changed = {"content": shortened(item["content"]), "status": "incomplete"}
    return {**item, **changed}


def percentile_limit(rollouts: Sequence[Rollout], share: float) -> int:
    """A limit that so large a share of the rollouts reaches."""
    written = sorted(rollout.episode.written_tokens for rollout in rollouts)
    return max(1, written[round((1 - share) * (len(written) - 1))])
