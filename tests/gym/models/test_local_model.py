"""The embedded model: real weights, computed here."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from blade.errors import UsageError
from blade.gym.models import local_server
from blade.gym.servers import ModelServer
from tests.gym.models.servers import ROOT, ask, during, model_server, text_of

# One small context, so that it starts quickly and computes little.
SMALL = {"parallel": 2, "context_tokens": 512, "startup_timeout_seconds": 60}


def question(text: str, seed: int = 0, tokens: int = 12) -> dict[str, Any]:
    return {"input": text, "max_output_tokens": tokens, "metadata": {"extra_body": f'{{"seed": {seed}}}'}}


def test_the_embedded_model_answers_survives_and_ends() -> None:
    async def use(model: ModelServer) -> tuple[list[dict[str, Any]], dict[str, Any], dict[str, Any], int]:
        os.kill(model.server.pid, signal.SIGINT)  # type: ignore[attr-defined]  # as Ctrl-C does to all processes of a terminal
        first = [await model.responses(question("Say hello.", seed)) for seed in (1, 1, 2)]
        form = {
            "type": "json_schema",
            "name": "n",
            "schema": {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]},
        }
        too_long = await model.responses(question("word " * 2000))
        os.kill(model.server.pid, signal.SIGKILL)  # type: ignore[attr-defined]
        again, structured = await asyncio.gather(
            model.responses(question("Say hello.", 3)),
            model.responses(question("A number?", tokens=40) | {"text": {"format": form}}),
        )
        assert text_of(structured).lstrip().startswith("{")
        return first, too_long, again, model.server.pid  # type: ignore[attr-defined]

    first, too_long, again, pid = during(model_server("local_model", SMALL), use)
    texts = [text_of(answer) for answer in first]
    assert texts[0] == texts[1] != texts[2]
    assert all(texts)
    assert text_of(again)
    assert {answer["model"] for answer in first} == {"SmolLM2-135M-Instruct"}
    assert 0 < first[0]["usage"]["output_tokens"] <= 12
    assert too_long["ng_context_overflow"] is True
    assert gone(pid)


def test_the_child_ends_when_its_parent_is_killed_though_another_process_inherited_the_pipe() -> None:
    program = f"""
import asyncio, os, sys, time
sys.path.insert(0, {str(ROOT)!r})
from blade.gym.models.local_server import LocalServer, embedded_model
async def main():
    server = await LocalServer.launch(embedded_model(), parallel=1, threads=1, context_tokens=256, deadline=60)
    heir = os.fork()
    if not heir:
        time.sleep(600)
    print(server.pid, heir, flush=True)
    await asyncio.sleep(600)
asyncio.run(main())
"""
    parent = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    child, heir = map(int, parent.stdout.readline().split())
    parent.stdout.close()
    parent.kill()
    parent.wait()
    try:
        assert gone(child)
    finally:
        os.kill(heir, signal.SIGKILL)


def test_a_model_that_cannot_be_loaded_is_an_error_with_its_last_words(tmp_path: Path) -> None:
    broken = tmp_path / "broken.gguf"
    broken.write_bytes(b"these are no weights")
    with pytest.raises(UsageError, match="ended while it started"):
        ask(model_server("local_model", SMALL | {"model_path": str(broken)}))
    with pytest.raises(UsageError, match="does not exist"):
        ask(model_server("local_model", SMALL | {"model_path": str(tmp_path / "none.gguf")}))


def test_without_the_extra_the_error_names_it() -> None:
    with pytest.raises(UsageError, match=r"blade-eval\[local-model\]"):
        local_server.embedded_model("a_package_that_nobody_installed")
    with pytest.raises(UsageError, match=r"holds no weights.*blade-eval\[local-model\]"):
        local_server.embedded_model("blade")


def gone(pid: int) -> bool:
    """Whether a process ends within a few seconds."""
    for _ in range(100):
        try:
            os.kill(pid, 0)
            if "State:\tZ" in Path(f"/proc/{pid}/status").read_text(encoding="utf-8"):
                return True
        except (ProcessLookupError, FileNotFoundError):
            return True
        time.sleep(0.1)
    return False
