"""What the inspector shows of a tensor: its numbers as a table, a heat map, and a few figures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from minigrad.engine.values import Values
from minigrad.trace import Snapshot, Trace, Vertex
from minigrad.trace.numbers import format_number, format_shape

MOST_ROWS = 8
MOST_COLUMNS = 8
"""Of larger arrays the first and last rows and columns are shown."""
WITHOUT_GRADIENT = {
    "frozen": "{} is frozen: it gets no gradient.",
    "yet": "{} has no gradient at this step.",
}
"""What is said in place of a gradient; the page puts the name in."""


class ArrayTables:
    """The tables of all arrays of a stepper, each made once and told apart by its place."""

    def __init__(self) -> None:
        self.made: list[dict[str, Any]] = []
        self._places: dict[tuple[Any, ...], int] = {}

    def place(self, values: Values) -> int:
        """Return the place of the table of an array in `made`."""
        array = np.asarray(values)
        key = (array.shape, array.dtype.str, array.tobytes())
        if key not in self._places:
            self._places[key] = len(self.made)
            self.made.append(table(array))
        return self._places[key]

    def tensors(self, part: Snapshot) -> dict[str, Any]:
        """Return what does not change from step to step, by the key of the tensor."""
        shown = [vertex for vertex in part.vertices.values() if vertex.kind != "outside"]
        return {
            one.key: self._tensor(one) for vertex in shown for one in (vertex.outputs or [vertex])
        }

    def _tensor(self, vertex: Vertex) -> dict[str, Any]:
        origin = vertex.kind if vertex.position is None else f"made by node #{vertex.position}"
        return {
            "name": vertex.name,
            "about": f"{origin}, shape {format_shape(vertex.values.shape)}, {vertex.values.dtype}",
            "frozen": vertex.kind == "frozen",
            "value": self.place(vertex.values),
        }

    def gradients(self, trace: Trace, key: str, scenes: Sequence[range]) -> list[list[int]]:
        """Return ``[first step, place of the table]`` of each gradient that a tensor has then."""
        first = trace.initial_gradient(key)
        entries = [] if first is None else [[0, self.place(first)]]
        told = trace.history.gradients[key].during(scenes)
        return entries + [[step, self.place(values)] for step, values in told]


def table(array: np.ndarray[Any, Any]) -> dict[str, Any]:
    """Return an array as rows of text, as shades from 0 to 1, and its figures."""
    if not array.ndim:
        return {"label": format_number(float(array)), "rows": []}
    matrix, label = _as_matrix(array)
    rows, columns = _shown(matrix.shape[0], MOST_ROWS), _shown(matrix.shape[1], MOST_COLUMNS)
    shades = _shades(matrix)
    return {
        "label": label,
        "rows": [_index(row) if array.ndim > 1 else "" for row in rows],
        "columns": [_index(column) for column in columns],
        "texts": [[_text(matrix, row, column) for column in columns] for row in rows],
        "shades": [[_shade(shades, row, column) for column in columns] for row in rows],
        "figures": figures(array),
    }


def figures(array: np.ndarray[Any, Any]) -> list[tuple[str, str]]:
    """Return min, max, mean, norm and how many numbers are nan or infinite, in words."""
    finite = array[np.isfinite(array)].astype(np.float64)
    bad = [("nan", np.isnan(array).sum()), ("infinite", np.isinf(array).sum())]
    counts = [(name, str(count)) for name, count in bad if name == "nan" or count]
    if not finite.size:
        return counts
    with np.errstate(over="ignore"):
        found = [
            ("min", finite.min()),
            ("max", finite.max()),
            ("mean", finite.mean()),
            ("norm", np.sqrt((finite**2).sum())),
        ]
    return [(name, format_number(float(number))) for name, number in found] + counts


def _as_matrix(array: np.ndarray[Any, Any]) -> tuple[np.ndarray[Any, Any], str]:
    """Return a matrix to show, and which part of the array it is, if it is not all of it."""
    if array.ndim < 2:
        return array.reshape(1, -1), ""
    if array.ndim == 2:
        return array, ""
    if 0 in array.shape:
        return array.reshape(0, 0), ""
    first = (0,) * (array.ndim - 2)
    return array[first], f"[{', '.join(map(str, first))}, :, :], the first of {_count(array)}"


def _count(array: np.ndarray[Any, Any]) -> str:
    return f"{int(np.prod(array.shape[:-2]))} matrices"


def _shown(length: int, most: int) -> list[int | None]:
    """Return the places to show; None stands for those that are left out."""
    if length <= most:
        return list(range(length))
    half = (most - 1) // 2
    return [*range(most - 1 - half), None, *range(length - half, length)]


def _index(place: int | None) -> str:
    return "…" if place is None else str(place)


def _text(matrix: np.ndarray[Any, Any], row: int | None, column: int | None) -> str:
    if row is None:
        return "⋮"
    return "…" if column is None else format_number(float(matrix[row, column]))


def _shades(matrix: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return each number as a part of the largest magnitude, from -1 to 1; 0 for nan."""
    numbers = np.nan_to_num(matrix.astype(np.float64), nan=0.0, posinf=0.0, neginf=0.0)
    largest = np.abs(numbers).max(initial=0.0)
    shades: np.ndarray[Any, Any] = numbers / largest if largest else numbers
    return shades


def _shade(shades: np.ndarray[Any, Any], row: int | None, column: int | None) -> float | None:
    return None if row is None or column is None else round(float(shades[row, column]), 2)
