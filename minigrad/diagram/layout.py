"""`Layout`: where everything stands, once for all frames of a film."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from minigrad.diagram.dot import CLUSTER, to_dot
from minigrad.diagram.film import Film, Look
from minigrad.diagram.graphviz.workers import own_worker
from minigrad.diagram.rows import text_width
from minigrad.trace import Edge

MOST_PLACED_LABELS = 30
"""Up to so many boxes Graphviz places the labels too; beyond, that takes it far too long."""
LABEL_HEIGHT = 14


@dataclass(frozen=True)
class Layout:
    """Positions as Graphviz writes them, in points, y upwards.

    Attributes
    ----------
    bounds : str
        The bounding box, ``left,bottom,right,top``.
    boxes : dict of str to dict
        Of each box, its ``pos``, ``width`` and ``height``.
    clusters : dict of str to dict
        Of each cluster, its ``bb`` and the place ``lp`` of its title.
    edges : dict of str to dict
        Of each edge, its curve ``pos`` and the place ``lp`` of its label.
    svg : str
        The picture with the widest text of all frames, as Graphviz drew it.
    drawn : list of Edge
        What it was made for: these edges,
    sketch : dict of str to Look
        and these texts.
    kept : dict
        What those who draw it keep from one frame to the next.
    """

    bounds: str
    boxes: dict[str, dict[str, str]]
    clusters: dict[str, dict[str, str]]
    edges: dict[str, dict[str, str]]
    svg: str
    drawn: list[Edge]
    sketch: dict[str, Look]
    kept: dict[object, object] = field(default_factory=dict, init=False, compare=False, repr=False)

    def holds(self, edges: Sequence[Edge], looks: Mapping[str, Look]) -> bool:
        """Tell whether these edges and texts have their place in it too."""
        return (
            self.drawn == edges
            and list(self.sketch) == list(looks)
            and all(_fits(look, self.sketch[key]) for key, look in looks.items())
        )

    @property
    def borders(self) -> tuple[float, float, float, float]:
        """Left, bottom, right and top in points, without padding."""
        left, bottom, right, top = map(float, self.bounds.split(","))
        return left, bottom, right, top

    @property
    def size(self) -> tuple[float, float]:
        """Width and height in points, without padding."""
        left, bottom, right, top = self.borders
        return right - left, top - bottom


def lay_out(film: Film, *others: Film, before: Layout | None = None) -> Layout:
    """Let Graphviz find a place for everything that any frame of the films of a graph shows.

    Parameters
    ----------
    film, *others : Film
        What is to be shown.
    before : Layout, optional
        That of an earlier film; if this one has its place in it too, it is kept.

    Raises
    ------
    DrawingError
        If Graphviz fails or takes too long.
    """
    # every row is as wide as it ever gets, so that no later frame outgrows its box
    reels = zip(*(one.reels for one in (film, *others)), strict=True)
    sketch = {first.key: Look("waiting", first.widest(*rest)) for first, *rest in reels}
    edges = film.snapshot.edges
    if before is not None and before.drawn == edges and list(before.sketch) == list(sketch):
        if before.holds(edges, sketch):
            return replace(before)  # without what was kept, which would grow from film to film
        sketch = {key: _wider(look, before.sketch[key]) for key, look in sketch.items()}
    floating = len(film.boxes) > MOST_PLACED_LABELS
    source = to_dot(film, sketch, floating_labels=floating).source
    # json0 has the places alone; in json, Graphviz cuts what it drew of a text with backslashes
    positions, svg = own_worker().render(source, "dot", ["json0", "svg"])
    layout = _read(json.loads(positions), svg, edges, sketch)
    if not floating:
        return layout
    beside: dict[tuple[str, str], list[dict[str, str]]] = defaultdict(list)
    for edge in edges:
        beside[edge.source, edge.target].append(layout.edges[edge.key])
    for places in beside.values():
        # of two that run side by side, as in x * x, the lower one has its label below
        lowest = min(places, key=lambda place: _label_point(place["pos"])[1])
        for place in places:
            x, y = _label_point(place["pos"])
            below = place is lowest and len(places) > 1
            place["lp"] = f"{x:.2f},{y - LABEL_HEIGHT if below else y + LABEL_HEIGHT:.2f}"
    (svg,) = own_worker().render(to_dot(film, sketch, layout=layout).source, "nop2", ["svg"])
    return replace(layout, svg=svg.decode())


def _fits(look: Look, room: Look) -> bool:
    """Tell whether a look has as many rows as another one, and none that is wider."""
    return len(look.lines) == len(room.lines) and all(
        text_width(line) <= text_width(widest)
        for line, widest in zip(look.lines, room.lines, strict=True)
    )


def _wider(look: Look, other: Look) -> Look:
    """Return a look with the wider text of two in each row: room that is found is kept."""
    if len(look.lines) != len(other.lines):
        return look
    rows = zip(look.lines, other.lines, strict=True)
    return replace(look, lines=tuple(max(row, key=text_width) for row in rows))


def _read(found: dict[str, Any], svg: bytes, edges: list[Edge], sketch: dict[str, Look]) -> Layout:
    return Layout(
        found["bb"],
        {
            vertex["name"]: {name: vertex[name] for name in ("pos", "width", "height")}
            for vertex in found.get("objects", ())
            if "pos" in vertex
        },
        {
            cluster["name"].removeprefix(CLUSTER): {
                name: cluster[name] for name in ("bb", "lp", "lwidth", "lheight") if name in cluster
            }
            for cluster in found.get("objects", ())
            if "bb" in cluster
        },
        {
            edge["id"]: {name: edge[name] for name in ("pos", "lp") if name in edge}
            for edge in found.get("edges", ())
        },
        svg.decode(),
        edges,
        sketch,
    )


def _label_point(curve: str) -> tuple[float, float]:
    """Return the point of a curve to put a label at: near the node that uses the operand.

    A curve is written ``e,x,y x,y x,y …``: its tip, then the points of its pieces. The start
    is where an operand that is used often has all its curves together.
    """
    points = [tuple(map(float, point.split(","))) for point in curve.split(" ")[1:]]
    return (points[-1][0] + points[-4][0]) / 2, (points[-1][1] + points[-4][1]) / 2
