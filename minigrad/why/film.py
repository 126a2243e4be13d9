"""The film of paths: in each frame one way from an input to the output is lit."""

from __future__ import annotations

from collections.abc import Sequence

from minigrad.diagram.film import Film, Look, justify
from minigrad.diagram.rows import box_lines, edge_lines
from minigrad.trace import Snapshot
from minigrad.why.paths import Path


def film_of_paths(part: Snapshot, paths: Sequence[Path]) -> Film:
    """Return a film with one frame for each path, and all boxes at one place in all of them.

    Each arrow of the path has its local derivative, and what backward would pass on along it if
    there were no other path.

    Parameters
    ----------
    part : Snapshot
        What is drawn.
    paths : sequence of Path
        The paths, one at least.
    """
    film = Film(part, len(paths))
    for number, path in enumerate(paths):
        lit = set(path.tensors)
        arrows = {arrow.edge: arrow for arrow in path.arrows}
        for vertex in part.vertices.values():
            state = "active" if vertex.key in lit else "waiting"
            film.boxes[vertex.key].change(number, Look(state, box_lines(vertex, None)))
        for edge in part.edges:
            look = Look("waiting", ("", ""))
            if edge.key in arrows:
                look = Look("active", edge_lines(arrows[edge.key]))
            elif part.vertices[edge.target].kind == "outside":
                look = Look("waiting", ())
            film.edges[edge.key].change(number, look)
    justify([film])
    return film
