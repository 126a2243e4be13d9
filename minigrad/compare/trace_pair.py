"""`TracePair`: two traces, stepped together, and what differs at each moment."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from minigrad.compare.alignment import Pair, moments_of, pairs_of
from minigrad.engine.values import Values
from minigrad.trace.cached import cached_property
from minigrad.trace.numbers import format_values
from minigrad.trace.table import recorded_at, row_name
from minigrad.trace.trace import Trace
from minigrad.trace.vertices import Vertex

CLOSE = 1e-6
"""Part of the largest number: rounding in another order makes no difference worth a sign."""


@dataclass(frozen=True, slots=True)
class Difference:
    """What differs of one tensor at one moment.

    Attributes
    ----------
    pair : tuple of str
        Its keys on the left and on the right.
    value, gradient : bool
        Which of its numbers differ.
    is_new : bool
        Whether this step, on either side, set one of its numbers.
    """

    pair: tuple[str, str]
    value: bool
    gradient: bool
    is_new: bool


class TracePair:
    """Two traces whose tensors and steps are paired.

    Parameters
    ----------
    left, right : Trace
        The traces; of any two graphs.

    Attributes
    ----------
    traces : tuple of Trace
        Both.
    pairs : list of tuple of str or None
        The keys of tensors that belong together: leaves, then nodes.
    moments : list of tuple of int
        The steps of both that are shown at one moment.
    """

    def __init__(self, left: Trace, right: Trace) -> None:
        self.traces = (left, right)
        self.pairs = pairs_of(left, right)
        self.moments = moments_of(left, right)
        self._compared: dict[tuple[int, int], bool] = {}

    def vertex(self, side: int, key: str) -> Vertex:
        """Return a tensor of one side."""
        return self.traces[side].snapshot.vertices[key]

    def value(self, side: int, key: str, moment: int) -> Values | None:
        """Return a value as it is shown at a moment: None before it is recorded."""
        vertex = self.vertex(side, key)
        step = self.moments[moment][side]
        return vertex.values if recorded_at(self.traces[side], vertex) <= step else None

    def gradient(self, side: int, key: str, moment: int) -> Values | None:
        """Return a gradient as it is after the step of a moment."""
        return self.traces[side].gradient_at(key, self.moments[moment][side])

    def differences(self, moment: int) -> list[Difference]:
        """Return the tensors of both sides whose numbers differ at a moment."""
        return self._differences[moment]

    @cached_property
    def _differences(self) -> list[list[Difference]]:
        found: list[list[Difference]] = [[] for _ in self.moments]
        for ours, theirs in self.pairs:
            if ours is None or theirs is None:
                continue
            turns = self.turns((ours, theirs))
            for turn, end in zip(turns, [*turns[1:], len(self.moments)], strict=True):
                value = self._differ(self.value(0, ours, turn), self.value(1, theirs, turn))
                gradient = self._differ(
                    self.gradient(0, ours, turn), self.gradient(1, theirs, turn)
                )
                if value or gradient:
                    known = Difference((ours, theirs), value, gradient, is_new=False)
                    found[turn].append(replace(known, is_new=True))
                    for moment in range(turn + 1, end):
                        found[moment].append(known)
        return found

    def turns(self, pair: Pair) -> list[int]:
        """Return the moments at which a number of a tensor is set, on either side; and the first.

        From one to the next all stays as it is.
        """
        turns = {0}
        for side, key in enumerate(pair):
            if key is None:
                continue
            trace, moments = self.traces[side], self._moment_of[side]
            turns.add(moments[recorded_at(trace, self.vertex(side, key))])
            turns.update(moments[step] for step in trace.history.gradients[key].starts)
        return sorted(turns)

    @cached_property
    def _moment_of(self) -> list[dict[int, int]]:
        """Of each side, the first moment at which a step is shown."""
        found: list[dict[int, int]] = [{}, {}]
        for moment, steps in enumerate(self.moments):
            for side, step in enumerate(steps):
                found[side].setdefault(step, moment)
        return found

    def waits(self, side: int, moment: int) -> bool:
        """Tell whether one side stays where it was, as it has no more steps for now."""
        return moment > 0 and self.moments[moment][side] == self.moments[moment - 1][side]

    def _differ(self, ours: Values | None, theirs: Values | None) -> bool:
        if ours is None or theirs is None:
            return ours is not theirs
        key = (id(ours), id(theirs))  # which the traces keep alive
        if key not in self._compared:
            self._compared[key] = differ(ours, theirs)
        return self._compared[key]

    def name(self, pair: Pair) -> str:
        """Return what both sides call a tensor; both names, if they differ."""
        return _joined([self.vertex(side, key) for side, key in enumerate(pair) if key is not None])

    def row_name(self, pair: Pair) -> str:
        """Return what its row in a table is called: with the position of a node."""
        vertices = [self.vertex(side, key) for side, key in enumerate(pair) if key is not None]
        positions = dict.fromkeys(
            f"#{one.position}" for one in vertices if one.position is not None
        )
        name = _joined(vertices)
        if not positions or name in positions or len(vertices) == 1:
            return row_name(vertices[0]) if len(vertices) == 1 else name
        return f"{name} ({' / '.join(positions)})"


def _joined(vertices: list[Vertex]) -> str:
    given = [vertex for vertex in vertices if vertex.given_name] or vertices
    return " / ".join(dict.fromkeys(vertex.name for vertex in given))


def differ(ours: Values, theirs: Values) -> bool:
    """Tell whether two arrays differ: in how they are written, or by more than rounding.

    Examples
    --------
    >>> import numpy as np
    >>> differ(np.float32(0.1) * 3, np.float32(0.3)), differ(np.ones(9), np.arange(9.0))
    (False, True)
    """
    if ours.shape != theirs.shape or format_values(ours) != format_values(theirs):
        return True
    numbers = np.concatenate([np.ravel(ours), np.ravel(theirs)]).astype(np.float64)
    largest = np.abs(numbers[np.isfinite(numbers)]).max(initial=0.0)
    return not np.allclose(ours, theirs, rtol=CLOSE, atol=CLOSE * largest, equal_nan=True)
