"""A command called in this process, as near to a process of its own as that can be: folder, environment, streams and component modules.

A process costs a second of imports; tests that need a real one (signals, kills, closed streams, what workers print) start it themselves.
"""

import contextlib
import io
import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest import mock

from blade.cli.main import gym_main
from blade.gym.config.instances import KINDS


def called(
    main: Callable[[Sequence[str]], None],
    *words: object,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    encoding: str = "utf-8",
) -> subprocess.CompletedProcess[str]:
    """What `main` left when it was given these words: exit code and both streams, which take what the encoding can say."""
    arguments = [str(word) for word in words]
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding=encoding, newline="\n") for _ in range(2))
    code: Any = 0
    with contextlib.ExitStack() as stack:
        stack.enter_context(contextlib.chdir(cwd or Path.cwd()))
        stack.enter_context(mock.patch.dict(os.environ, os.environ if env is None else env, clear=True))
        stack.enter_context(mock.patch.object(sys, "argv", ["gym" if main is gym_main else "blade", *arguments]))
        stack.enter_context(_own_components())
        stack.enter_context(contextlib.redirect_stdout(out))
        stack.enter_context(contextlib.redirect_stderr(err))
        try:
            main(arguments)
        except SystemExit as left:
            code = left.code
    return subprocess.CompletedProcess(arguments, int(code or 0), _content(out), _content(err))


def components() -> dict[str, ModuleType]:
    """The modules of servers, agents and models that are loaded."""
    return {name: module for name, module in sys.modules.items() if name.split(".", 1)[0] in KINDS}


@contextlib.contextmanager
def _own_components() -> Any:
    """Code of components is loaded anew, as in a new process, and forgotten afterwards."""
    before = components()
    for name in before:
        del sys.modules[name]
    try:
        yield
    finally:
        for name in components():
            del sys.modules[name]
        sys.modules.update(before)


def _content(stream: io.TextIOWrapper) -> str:
    stream.flush()
    buffer = stream.buffer
    assert isinstance(buffer, io.BytesIO)
    return buffer.getvalue().decode("utf-8", "surrogateescape")
