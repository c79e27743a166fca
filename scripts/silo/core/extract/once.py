"""Properties that are worked out once: `Once` for one object, `OfWords` for all sentences of the same words.

They stand for `functools.cached_property`, whose lock costs more than most of what is asked of a sentence.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, Self, TypeVar, overload

__all__ = ["OfWords", "Once"]

Value = TypeVar("Value")


class Once(Generic[Value]):
    """The value is kept in the object's own dictionary, where it stands before this descriptor from then on."""

    def __init__(self, work: Callable[[Any], Value]) -> None:
        self.work = work
        self.name = work.__name__
        self.__doc__ = work.__doc__

    @overload
    def __get__(self, one: None, kind: type) -> Self: ...

    @overload
    def __get__(self, one: object, kind: type) -> Value: ...

    def __get__(self, one: Any, kind: type) -> Value | Self:
        if one is None:
            return self
        value = self.work(one)
        one.__dict__[self.name] = value
        return value


class OfWords(Once[Value]):
    """The value follows from the words alone and is kept in `memo`, which all sentences of the same words share."""

    @overload
    def __get__(self, one: None, kind: type) -> Self: ...

    @overload
    def __get__(self, one: object, kind: type) -> Value: ...

    def __get__(self, one: Any, kind: type) -> Value | Self:
        if one is None:
            return self
        memo: dict[str, Any] = one.memo
        if self.name in memo:
            value: Value = memo[self.name]
        else:
            memo[self.name] = value = self.work(one)
        one.__dict__[self.name] = value
        return value
