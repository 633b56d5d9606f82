"""A property that is worked out at first use, for what is asked of every call and every rollout."""

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

T = TypeVar("T")


class once(Generic[T]):  # noqa: N801 (used as a decorator)
    """A property worked out at first use: `functools.cached_property` without the lock that it takes before Python 3.12."""

    def __init__(self, function: Callable[[Any], T]) -> None:
        self._function = function
        self._name = function.__name__
        self.__doc__ = function.__doc__

    @overload
    def __get__(self, instance: None, owner: type) -> "once[T]": ...
    @overload
    def __get__(self, instance: object, owner: type) -> T: ...
    def __get__(self, instance: object | None, owner: type) -> "once[T] | T":
        if instance is None:
            return self
        value = instance.__dict__[self._name] = self._function(instance)
        return value
