"""The environment behind the server's own door, with its worker processes, and what its sessions weigh."""

import asyncio
import json
import pickle
from pathlib import Path
from typing import Any

from blade.gym.servers import ResourcesServer
from blade.gym.servers.calls import LocalCalls
from blade.gym.servers.components import build, find
from resources_servers.workplace_assistant.generate import DATA
from resources_servers.workplace_assistant.state import Workplace

from .playing import Row, expected, row_of, use

ROOT = Path(__file__).parents[3]


async def _played(row: Row) -> tuple[list[Any], Row]:
    """A rollout over the endpoints: one unknown tool, one refused call, the expected calls, the verdict."""
    component = find("resources_servers", "workplace_assistant", [ROOT])
    server = build(component, "workplace_assistant", {"domain": "agent", "num_workers": 1}, LocalCalls())
    assert isinstance(server, ResourcesServer)
    await server.start()
    try:
        cookies = (await server.handle("POST", "/seed_session", row, {})).cookies
        replies = [
            await server.handle("POST", "/no_such_tool", {}, cookies),
            await server.handle("POST", "/email_delete_email", {"email_id": "em-9999"}, cookies),
            await server.handle("POST", "/company_directory_find_email_address", {"name": "Noor Haddad"}, cookies),
        ]
        for call in row["ground_truth"]:
            replies += [await server.handle("POST", f"/{call['name']}", json.loads(call["arguments"]), cookies)]
        verdict = await server.handle("POST", "/verify", {**row, "response": {"output": expected(row)}}, cookies)
        return replies, verdict.body
    finally:
        await server.stop()


def test_a_rollout_over_the_endpoints() -> None:
    row = row_of("email_delete_period")
    replies, verdict = asyncio.run(_played(row))
    assert replies[0].status == 404
    assert replies[1].status == 200
    assert str(replies[1].body).startswith("Error executing tool 'email_delete_email': there is no email with email_id 'em-9999'")
    assert "noor.haddad2@larkfell.example" in json.dumps(replies[2].body)
    assert all(reply.status == 200 and "deleted" in json.dumps(reply.body) for reply in replies[3:])
    assert verdict["reward"] == 1.0
    assert verdict["category"] == "workplace_assistant_email"
    assert verdict["tables_differ"] == []


def test_a_session_is_small_to_send() -> None:
    state = Workplace()
    assert len(pickle.dumps(state)) < 500
    for number in range(1, 101):
        use(state, "email_reply_email", email_id=f"em-{number:04d}", body="Thank you. " * 20)
    sent = pickle.dumps(state)
    assert len(sent) < 200_000
    assert pickle.loads(sent) == state


def test_the_example_rows_are_tasks_of_the_whole_set() -> None:
    lines = (DATA / "example.jsonl").read_text(encoding="utf-8").splitlines()
    stored = (DATA / "validation.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 5
    assert set(lines) <= set(stored)
