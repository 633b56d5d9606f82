"""Engines: where work runs. An engine maps a function over items, on this machine's processes or on a Ray cluster.

Whatever the engine and however many workers, `map` yields the same results in the order of the items: the function sees one
item at a time and nothing else, so how the work is spread cannot show in the numbers. It streams: only a bounded number of items
is under way at once, so memory does not grow with the input. The function and the items must be picklable; the function is sent
by name, so it lives at the top of a module.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from types import TracebackType
from typing import Literal, Protocol, Self, TypeVar

from blade.errors import UsageError

Item = TypeVar("Item")
Result = TypeVar("Result")


class Engine(Protocol):
    """Maps work over workers. Use it in a `with` block: leaving the block ends whatever is still running."""

    def map(self, function: Callable[[Item], Result], items: Iterable[Item], /) -> Iterator[Result]:
        """The result of each item, in order, as soon as it is there. The first failure is raised as itself."""
        ...

    def close(self) -> None:
        """Let the workers go. Closing twice is harmless."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /) -> None: ...


def open_engine(
    kind: Literal["local", "ray"] = "local",
    workers: int | None = None,
    ray_address: str | None = None,
    preload: Sequence[str] = (),
) -> Engine:
    """The engine by name. `workers` defaults to the CPUs we may use; `preload` names modules that the local workers will need."""
    if kind == "local":
        from blade.engines.local import LocalEngine

        return LocalEngine(workers, preload=preload)
    if kind == "ray":
        from blade.engines.ray import RayEngine

        return RayEngine(ray_address, workers=workers)
    raise UsageError(f"there is no engine called {kind!r}", hint="use local or ray")


__all__ = ["Engine", "open_engine"]
