"""An environment whose verifier waits in the event loop and computes in workers."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from blade.gym.servers.calls import LocalCalls, Reply
from blade.gym.servers.components import build, find
from tests.gym.servers.on_disk import write

PATIENT = """
    import asyncio, time
    from blade.gym.servers import ResourcesServer, tool

    class Patient(ResourcesServer):
        @tool
        async def odd_tool(self, state) -> object:
            return {"what": object()}

        @tool
        async def array_tool(self, state) -> object:
            import numpy
            return {"all": numpy.arange(3)}

        async def verify(self, state, row, response):
            import numpy
            how = row["how"]
            if how == "hang after":
                await self.in_worker("compute", 0.0)
                await asyncio.sleep(60)
            if how == "object":
                return {"reward": 1.0, "why": object()}
            if how == "numpy":
                return {"reward": numpy.float32(0.5), "n": numpy.int64(3)}
            both = await asyncio.gather(self.in_worker("compute", 0.15), self.in_worker("compute", 0.15))
            return {"reward": sum(both)}

        def compute(self, seconds):
            time.sleep(seconds)
            return 0.5
"""
SECONDS = 1.5


async def verified(calls: LocalCalls, how: str) -> Reply:
    cookies = (await calls.post("patient", "/seed_session", {})).cookies
    return await calls.post("patient", "/verify", {"how": how, "response": {}}, cookies=cookies)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write(tmp_path / "resources_servers" / "patient" / "app.py", PATIENT)
    return tmp_path


def talk(root: Path, what: Any) -> Any:
    async def run() -> Any:
        calls = LocalCalls()
        settings = {"verify_timeout_seconds": SECONDS, "num_workers": 1}
        server = build(find("resources_servers", "patient", [root]), "patient", settings, calls)
        calls.servers["patient"] = server
        await server.start()
        try:
            return await what(calls)
        finally:
            await server.stop()

    return asyncio.run(run())


def test_waiting_for_a_worker_uses_up_no_deadline(root: Path) -> None:
    """Twelve verdicts of 0.3 s each, one worker: the last waits longer than a verdict may take."""

    async def it(calls: LocalCalls) -> list[Reply]:
        return await asyncio.gather(*(verified(calls, "compute") for _ in range(12)))

    assert [reply.body.get("reward") for reply in talk(root, it)] == [1.0] * 12


def test_the_deadline_goes_on_after_the_wait(root: Path) -> None:
    async def it(calls: LocalCalls) -> Reply:
        return await asyncio.wait_for(verified(calls, "hang after"), 20)

    reply = talk(root, it)
    assert (reply.status, reply.body["error"]["class"]) == (500, "verifier_timeout")


def test_values_that_no_row_can_hold_are_refused_where_they_are_made(root: Path) -> None:
    async def it(calls: LocalCalls) -> list[Reply]:
        cookies = (await calls.post("patient", "/seed_session", {})).cookies
        tools = [await calls.post("patient", path, {}, cookies=cookies) for path in ("/odd_tool", "/array_tool")]
        return [await verified(calls, "object"), await verified(calls, "numpy"), *tools]

    refused, numbers, odd, array = talk(root, it)
    said = "what it returned cannot be written as JSON: a value of type builtins.object is no JSON value"
    assert (refused.status, refused.body["error"]["class"], refused.body["error"]["message"]) == (500, "verifier_error", said)
    assert (numbers.body["reward"], numbers.body["n"]) == (0.5, 3)
    assert type(numbers.body["reward"]) is float
    assert (odd.status, odd.body) == (200, f"Error executing tool 'odd_tool': {said}")
    assert array.body == {"all": [0, 1, 2]}
