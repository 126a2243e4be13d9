"""`Scope`: a stretch of nodes that were recorded under one name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace

from minigrad.engine.errors import GraphError, told


@dataclass(frozen=True)
class Scope:
    """A name for some of a graph's nodes, one after the other.

    Attributes
    ----------
    name : str
        What ``with graph.scope(name):`` was given.
    start, stop : int
        The positions of its nodes are ``range(start, stop)``.
    """

    name: str
    start: int
    stop: int

    @property
    def positions(self) -> range:
        """The positions of its nodes."""
        return range(self.start, self.stop)


_Entry = tuple[int, str, int]
"""Of a scope that is open: its place in the list of all, its name, its first position."""


class Scopes:
    """The scopes of one graph, each after those around it; some may still be open."""

    def __init__(self, closed: Iterable[Scope] = ()) -> None:
        self._made: list[Scope | None] = list(closed)
        self._open: list[_Entry] = []

    def opened(self, name: object, nodes: Sequence[object]) -> AbstractContextManager[None]:
        """Return what lets all that is recorded within each ``with`` belong to a new scope."""
        if not isinstance(name, str) or not name.strip():
            raise GraphError(
                f"a scope has a name that is shown, such as graph.scope("
                f'"layer 1"), not {told(name)}'
            )
        return _Within(self, name, nodes)

    def open(self, name: str, start: int) -> _Entry:
        """Begin a scope at a position."""
        entry = (len(self._made), name, start)
        self._made.append(None)
        self._open.append(entry)
        return entry

    def close(self, entry: _Entry, count: int) -> None:
        """End a scope before the position that comes next."""
        places = [place for place, _, _ in self._open]
        if entry[0] not in places:
            return  # one around it was left first, or the graph was reset
        # whatever was opened inside ends here too, so that scopes always nest
        for place, name, start in self._open[places.index(entry[0]) :]:
            self._made[place] = Scope(name, start, count)
        del self._open[places.index(entry[0]) :]

    def list(self, count: int) -> list[Scope]:
        """Return those with nodes, the open ones up to the newest node.

        Parameters
        ----------
        count : int
            How many nodes the graph has.
        """
        ends = {place: Scope(name, start, count) for place, name, start in self._open}
        scopes = [ends.get(place, scope) for place, scope in enumerate(self._made)]
        cut = [replace(scope, stop=min(scope.stop, count)) for scope in scopes if scope is not None]
        return [scope for scope in cut if scope.positions]

    def restart(self) -> None:
        """Forget all nodes: scopes that are open go on, from the first position."""
        self._open = [(place, name, 0) for place, (_, name, _) in enumerate(self._open)]
        self._made = [None] * len(self._open)


class _Within(AbstractContextManager[None]):
    """What ``graph.scope(name)`` gives: each ``with`` makes a scope, also one within another."""

    def __init__(self, scopes: Scopes, name: str, nodes: Sequence[object]) -> None:
        self._scopes = scopes
        self._name = name
        self._nodes = nodes
        self._entries: list[_Entry] = []

    def __enter__(self) -> None:
        self._entries.append(self._scopes.open(self._name, len(self._nodes)))

    def __exit__(self, *exception: object) -> None:
        self._scopes.close(self._entries.pop(), len(self._nodes))
