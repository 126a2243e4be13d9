"""`Layout`: where everything stands, once for all frames of a film."""

from __future__ import annotations

import json
from dataclasses import dataclass

from minigrad.diagram.dot import to_dot
from minigrad.diagram.film import Film, Look
from minigrad.diagram.graphviz_process import graphviz_process


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
    """

    bounds: str
    boxes: dict[str, dict[str, str]]
    edges: dict[str, dict[str, str]]
    svg: str

    @property
    def size(self) -> tuple[float, float]:
        """Width and height in points, without padding."""
        left, bottom, right, top = map(float, self.bounds.split(","))
        return right - left, top - bottom


def lay_out(film: Film) -> Layout:
    """Let Graphviz find a place for everything that any frame of a film shows.

    Raises
    ------
    DrawingError
        If Graphviz fails or takes too long.
    """
    # every row is as wide as it ever gets, so that no later frame outgrows its box
    sketch = {reel.key: Look("waiting", reel.widest()) for reel in film.reels}
    source = to_dot(film, sketch).source
    positions, svg = graphviz_process.render(source, "dot", ["json", "svg"])
    found = json.loads(positions)
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
