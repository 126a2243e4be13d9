"""The film of a graph's values: boxes that stay where they are, whatever numbers they show."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from minigrad.diagram.film import Film, Look, justify
from minigrad.diagram.rows import box_lines
from minigrad.engine.values import Values
from minigrad.trace import Snapshot

WIDEST = (-1.23456789e-10, -2.3456789e-100)
"""Numbers that take as much room as any."""


def film_of_values(snapshot: Snapshot) -> Film:
    """Return a film whose first frame shows the values; the second makes room for all others."""
    film = Film(snapshot, 2)
    for vertex in snapshot.vertices.values():
        film.boxes[vertex.key].change(0, Look("waiting", box_lines(vertex, None)))
        wide = np.resize(np.array(WIDEST), vertex.values.shape)
        film.boxes[vertex.key].change(1, Look("waiting", box_lines(vertex, None, values=wide)))
    for edge in snapshot.edges:
        film.edges[edge.key].change(0, Look("waiting", ()))
    justify([film])
    return film


def looks_of_values(film: Film, values: Mapping[str, Values]) -> dict[str, Look]:
    """Return the looks of boxes and edges for other values, by key; what changed is at work."""
    looks = {}
    for key, value in values.items():
        vertex = film.snapshot.vertices[key]
        lines = film.justified(key, box_lines(vertex, None, values=value))
        changed = lines != film.boxes[key].look(0).lines
        state = "active" if changed and vertex.kind != "frozen" else "waiting"
        looks[key] = Look(state, lines, changed)
    for edge in film.snapshot.edges:
        looks[edge.key] = Look("active" if looks[edge.source].changed else "waiting", ())
    return looks
