"""Work for the engines: functions at the top of a module, so that they can be sent to other processes by name."""

import os
import signal
import socket
import time
from pathlib import Path

from blade.errors import UnreadableRun


def square(number: int) -> int:
    return number * number


def identity(value: object) -> object:
    return value


def sleep_then_return(task: tuple[int, float]) -> int:
    number, seconds = task
    time.sleep(seconds)
    return number


def where(_: int) -> int:
    time.sleep(0.05)
    return os.getpid()


def ray_node(number: int) -> tuple[int, str]:
    import ray

    time.sleep(0.2)
    return number, ray.get_runtime_context().get_node_id()


def fail_on_three(number: int) -> int:
    if number == 3:
        raise UnreadableRun("row three is bad", path="a.jsonl", line=3, hint="fix it", problems=["one"])
    return number


class Awkward(Exception):
    """Pickles, but cannot be unpickled: its constructor wants more than its args."""

    def __init__(self, one: int, two: int) -> None:
        super().__init__(f"{one} and {two}")


def fail_awkwardly(number: int) -> int:
    raise Awkward(number, number)


def die_on_three(number: int) -> int:
    if number == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def note_pid_and_hang(folder: str) -> None:
    Path(folder, str(os.getpid())).write_text(socket.gethostname())
    time.sleep(600)
