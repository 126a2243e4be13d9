"""`Timeline`: what holds from when on."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import Generic, TypeVar

Value = TypeVar("Value")


class Timeline(Generic[Value]):
    """Values, each with the step from which on it holds, until the next one begins.

    Parameters
    ----------
    entries : iterable of tuple
        ``(start, value)``, in the order of their starts.

    Examples
    --------
    >>> told = Timeline([(3, "a"), (7, "b")])
    >>> told.at(2), told.at(3), told.before(7), told.at(7)
    (None, 'a', 'a', 'b')
    >>> told.begins_at(7), told.begins_at(8), told.span(4)
    (True, False, (3, 7))
    """

    __slots__ = ("starts", "values")

    def __init__(self, entries: Iterable[tuple[int, Value]] = ()) -> None:
        self.starts: list[int] = []
        self.values: list[Value] = []
        for start, value in entries:
            self.add(start, value)

    def add(self, start: int, value: Value) -> None:
        """Let a value begin at a step; steps come in order."""
        self.starts.append(start)
        self.values.append(value)

    def change(self, start: int, value: Value) -> None:
        """Let a value begin at a step, in place of one that begins there, if it is another one."""
        if self.starts and self.starts[-1] == start:
            self.values[-1] = value
        elif not self.values or self.values[-1] != value:
            self.add(start, value)

    def at(self, step: int) -> Value | None:
        """Return the value that holds at a step; None before the first one."""
        place = bisect_right(self.starts, step)
        return self.values[place - 1] if place else None

    def before(self, step: int) -> Value | None:
        """Return the value that held just before a step."""
        return self.at(step - 1)

    def begins_at(self, step: int) -> bool:
        """Tell whether a value begins at a step."""
        place = bisect_left(self.starts, step)
        return place < len(self.starts) and self.starts[place] == step

    def span(self, step: int) -> tuple[int, int | None]:
        """Return where the value of a step begins, and where the next one does, if there is one."""
        place = bisect_right(self.starts, step)
        return self.starts[place - 1], self.starts[place] if place < len(self.starts) else None

    def starts_in(self, stretch: range) -> Sequence[int]:
        """Return the starts in a stretch of steps."""
        first, end = (bisect_left(self.starts, step) for step in (stretch.start, stretch.stop))
        return self.starts[first:end]

    def during(self, stretches: Iterable[range]) -> list[tuple[int, Value]]:
        """Return the entries that begin in some stretches of steps, or hold where one begins.

        Examples
        --------
        >>> Timeline([(0, "a"), (4, "b"), (6, "c"), (9, "d")]).during([range(5, 8)])
        [(4, 'b'), (6, 'c')]
        """
        places: dict[int, None] = {}
        for stretch in stretches:
            first, end = (bisect_left(self.starts, step) for step in (stretch.start, stretch.stop))
            places.update(dict.fromkeys(range(max(first - 1, 0), end)))
        return [(self.starts[place], self.values[place]) for place in places]

    def __iter__(self) -> Iterator[tuple[int, Value]]:
        return zip(self.starts, self.values, strict=True)

    def __len__(self) -> int:
        return len(self.starts)
