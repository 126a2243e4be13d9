"""`Layout`: where everything stands, once for all frames of a film."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from typing import Any

from minigrad.diagram.dot import to_dot
from minigrad.diagram.film import Film, Look
from minigrad.diagram.graphviz_process import graphviz_process

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
    edges : dict of str to dict
        Of each edge, its curve ``pos`` and the place ``lp`` of its label.
    svg : str
        The picture with the widest text of all frames, as Graphviz drew it.
    kept : dict
        What those who draw it keep from one frame to the next.
    """

    bounds: str
    boxes: dict[str, dict[str, str]]
    edges: dict[str, dict[str, str]]
    svg: str
    kept: dict[object, object] = field(default_factory=dict, init=False, compare=False, repr=False)

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


def lay_out(film: Film, *others: Film) -> Layout:
    """Let Graphviz find a place for everything that any frame of the films of a graph shows.

    Raises
    ------
    DrawingError
        If Graphviz fails or takes too long.
    """
    # every row is as wide as it ever gets, so that no later frame outgrows its box
    reels = zip(*(one.reels for one in (film, *others)), strict=True)
    sketch = {first.key: Look("waiting", first.widest(*rest)) for first, *rest in reels}
    floating = len(film.boxes) > MOST_PLACED_LABELS
    source = to_dot(film, sketch, floating_labels=floating).source
    positions, svg = graphviz_process.render(source, "dot", ["json", "svg"])
    layout = _read(json.loads(positions), svg)
    if not floating:
        return layout
    for edge in layout.edges.values():
        edge["lp"] = _beside(edge["pos"])
    (svg,) = graphviz_process.render(to_dot(film, sketch, layout=layout).source, "nop2", ["svg"])
    return replace(layout, svg=svg.decode())


def _read(found: dict[str, Any], svg: bytes) -> Layout:
    return Layout(
        found["bb"],
        {
            item["name"]: {name: item[name] for name in ("pos", "width", "height")}
            for item in found.get("objects", ())
        },
        {
            edge["id"]: {name: edge[name] for name in ("pos", "lp") if name in edge}
            for edge in found.get("edges", ())
        },
        svg.decode(),
    )


def _beside(curve: str) -> str:
    """Return a place for a label just above a curve, near the node that uses the operand.

    A curve is written ``e,x,y x,y x,y …``: its tip, then the points of its pieces. The start
    is where an operand that is used often has all its curves together.
    """
    points = [tuple(map(float, point.split(","))) for point in curve.split(" ")[1:]]
    x = (points[-1][0] + points[-4][0]) / 2
    y = (points[-1][1] + points[-4][1]) / 2
    return f"{x:.2f},{y + LABEL_HEIGHT:.2f}"
