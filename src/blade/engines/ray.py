"""Work on a Ray cluster: one that runs already, or a local one started for the purpose.

Blade must be installed on the nodes: functions are sent by name. Ray runs a task again when its worker or node is lost, which is
safe because the functions are pure. Ray's own messages stay off the user's terminal, and its usage reports stay off: BLADE is
offline.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from types import ModuleType, TracebackType
from typing import Any, Self, TypeVar

from blade.errors import BladeError, UsageError

Item = TypeVar("Item")
Result = TypeVar("Result")

IN_FLIGHT_PER_CPU = 4
"""Deeper than for local processes, to cover the way to another node."""

RETRIES_OF_LOST_WORK = 2

SECONDS_TO_ANSWER = 10


class RayEngine:
    """Maps work over the CPUs of a Ray cluster. It connects with the first map, and shuts down only what it connected or started.

    Without an address it takes the one in `RAY_ADDRESS`, or starts a local instance with `workers` CPUs.
    """

    def __init__(self, address: str | None = None, *, workers: int | None = None) -> None:
        if workers is not None and workers < 1:
            raise UsageError(f"{workers} workers cannot do any work", hint="give --workers a number from 1 up, or leave it out")
        self.address = address or os.environ.get("RAY_ADDRESS") or "local"
        self.workers = workers
        self._ray: ModuleType | None = None
        self._connected_here = False

    def map(self, function: Callable[[Item], Result], items: Iterable[Item], /) -> Iterator[Result]:
        """The result of each item, in order; at most four items per CPU of the cluster are under way."""
        ray = self._connect()
        task = ray.remote(_work).options(max_retries=RETRIES_OF_LOST_WORK, scheduling_strategy="SPREAD", num_cpus=1)
        window = IN_FLIGHT_PER_CPU * max(1, int(ray.cluster_resources().get("CPU", 1)))
        rest = iter(items)
        under_way: deque[Any] = deque()
        try:
            while True:
                under_way.extend(task.remote(function, item) for item in islice(rest, window - len(under_way)))
                if not under_way:
                    return
                yield _result(ray, under_way[0])
                under_way.popleft()
        finally:
            for reference in under_way:
                ray.cancel(reference, force=True)

    def _connect(self) -> ModuleType:
        if self._ray is None:
            ray = _import_ray()
            if not ray.is_initialized():
                _init(ray, self.address, self.workers)
                self._connected_here = True
            self._ray = ray
        return self._ray

    def close(self) -> None:
        """Leave the cluster; a local instance that we started ends with it."""
        ray, self._ray = self._ray, None
        if ray is not None and self._connected_here:
            ray.shutdown()
            self._connected_here = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /) -> None:
        self.close()


def _work(function: Callable[[Item], Result], item: Item) -> Result:
    return function(item)


def _import_ray() -> ModuleType:
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        import ray
    except ImportError as missing:
        raise BladeError("the Ray engine needs Ray, which is not installed", hint="pip install 'blade-eval[ray]'") from missing
    module: ModuleType = ray
    return module


def _init(ray: ModuleType, address: str, workers: int | None) -> None:
    import logging

    quiet = {"logging_level": logging.ERROR, "log_to_driver": False}
    try:
        if address == "local":
            _make_token()
            ray.init("local", num_cpus=workers, include_dashboard=False, **quiet)
        else:
            _knock(address)
            ray.init(address, **quiet)
    except (OSError, RuntimeError, ValueError) as failure:
        reason = (str(failure).splitlines() or [type(failure).__name__])[0]
        if address == "local":
            raise BladeError(
                f"Ray does not start here ({reason})", hint="use the local engine, or a cluster's address"
            ) from failure
        raise BladeError(
            f"cannot reach a Ray cluster at {address} ({reason})", hint="check the address and that the cluster runs"
        ) from failure
    _keep_stdout_for_data()


def _make_token() -> None:
    """Protect a local instance by a token in our environment; left alone, Ray would write one into the user's home."""
    import secrets

    if os.environ.keys().isdisjoint({"RAY_AUTH_MODE", "RAY_AUTH_TOKEN", "RAY_AUTH_TOKEN_PATH"}):
        os.environ["RAY_AUTH_TOKEN"] = secrets.token_hex(32)


def _knock(address: str) -> None:
    """See that someone listens there: Ray itself would try for minutes, and then end the process."""
    import socket

    host, _, port = address.rpartition("://")[2].rpartition(":")
    if host and port.isdigit():
        socket.create_connection((host.strip("[]"), int(port)), timeout=SECONDS_TO_ANSWER).close()


def _keep_stdout_for_data() -> None:
    """Ray prints the death of a worker on stdout, where our data goes, even with its log off; we raise an error of our own.

    There is no public switch for it, hence the care around a private name.
    """
    from ray._private import worker

    if hasattr(worker, "print_to_stdstream"):
        worker.print_to_stdstream = lambda *_, **__: None


def _result(ray: ModuleType, reference: Any) -> Any:
    """What the task returned; what it raised is raised as itself, without Ray's wrapping."""
    try:
        return ray.get(reference)
    except ray.exceptions.RayTaskError as failure:
        raise failure.cause from failure
    except (ray.exceptions.WorkerCrashedError, ray.exceptions.OutOfMemoryError, ray.exceptions.NodeDiedError) as lost:
        raise BladeError(
            f"a Ray worker died {RETRIES_OF_LOST_WORK + 1} times on the same piece of work, most likely for lack of memory",
            hint="give the nodes fewer CPUs or more memory",
        ) from lost
