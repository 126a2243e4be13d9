"""The film of a graph's values: boxes that stay where they are, whatever numbers they show."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from minigrad.diagram.film import Film, Look, justify
from minigrad.diagram.rows import box_lines, stretch, text_width
from minigrad.ops.base import Values
from minigrad.trace import Item, Snapshot
from minigrad.trace.numbers import format_values

WIDEST = (-1.23456789e-10, -2.3456789e-100)
"""Numbers that take as much room as any."""


def film_of_values(snapshot: Snapshot) -> Film:
    """Return a film whose first frame shows the values; the second makes room for all others."""
    film = Film(snapshot, 2)
    for item in snapshot.items.values():
        film.boxes[item.key].show(0, Look("waiting", _lines(item, item.values)))
        wide = np.resize(np.array(WIDEST), item.values.shape)
        film.boxes[item.key].show(1, Look("waiting", _lines(item, wide)))
    for edge in snapshot.edges:
        film.edges[edge.key].show(0, Look("waiting", ()))
    justify([film])
    return film


def looks_of_values(film: Film, values: Mapping[str, Values]) -> dict[str, Look]:
    """Return the looks of boxes and edges for other values, by key; what changed is at work."""
    items = film.snapshot.items
    looks = {}
    for key, value in values.items():
        recorded = film.boxes[key].looks[0].lines
        if _is_constant(items[key]):  # it is called by its value
            first, *rest = _lines(items[key], value)
            # the header was made as wide as the widest row of any box of its kind
            lines = (stretch(first, text_width(recorded[0])), *rest)
        else:
            label = recorded[-1].removesuffix(format_values(items[key].values))
            lines = (*recorded[:-1], label + format_values(value))
        changed = lines != recorded
        state = "active" if changed and items[key].kind != "frozen" else "waiting"
        looks[key] = Look(state, lines, changed)
    for edge in film.snapshot.edges:
        looks[edge.key] = Look("active" if looks[edge.source].changed else "waiting", ())
    return looks


def _lines(item: Item, values: Values) -> tuple[str, ...]:
    name = format_values(values) if _is_constant(item) else item.name
    return box_lines(replace(item, values=values, name=name), None)


def _is_constant(item: Item) -> bool:
    return item.kind == "frozen" and not item.given_name and not item.values.ndim
