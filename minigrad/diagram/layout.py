"""`Layout`: where everything stands, once for all frames of a film."""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from minigrad.diagram.curves import STRAIGHTS, Curve
from minigrad.diagram.directions import DIRECTIONS, Choice, Direction, best_direction, scale_in
from minigrad.diagram.dot import (
    CHARACTER_WIDTH,
    CLUSTER,
    EDGE_FONT_SIZE,
    FLOATING_GAP,
    Column,
    to_dot,
)
from minigrad.diagram.film import Film, Look
from minigrad.diagram.graphviz.workers import own_worker
from minigrad.diagram.rows import text_width
from minigrad.trace import Edge

MOST_COLUMNS = 4
MOST_PLACED_LABELS = 30
"""Up to so many boxes Graphviz places the labels too; beyond, that takes it far too long."""
MOST_IN_COLUMNS = 120
"""Up to so many boxes, without labels, a tall picture is cut into columns."""
CELL = (690.0, 450.0)
"""Points that a picture has in the cell of a notebook, seen beside the list of files."""
LABEL_HEIGHT = 14
LABEL_GAP = 5
"""Points between a curve and a label beside it."""
WIDEST_SLANT = 100
"""Points that a curve goes aside over the height of its label; beyond, it comes from the side."""


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
    direction : {'right', 'down'}
        Where results stand, seen from their operands.
    columns : sequence of Column
        Those that a tall picture is cut into, or none.
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
    direction: Direction = "right"
    columns: Sequence[Column] = ()
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


def lay_out(
    film: Film, *others: Film, direction: Direction = "right", before: Layout | None = None
) -> Layout:
    """Let Graphviz find a place for everything that any frame of the films of a graph shows.

    Parameters
    ----------
    film, *others : Film
        What is to be shown.
    direction : {'right', 'down'}
        Where results are to stand, seen from their operands.
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
    has_labels = any(any(sketch[edge.key].lines) for edge in edges)
    is_small = len(film.boxes) <= MOST_PLACED_LABELS
    if is_small or (len(film.boxes) <= MOST_IN_COLUMNS and not has_labels):
        if direction == "right" or film.clusters:  # which Graphviz can't cut
            return _placed(film, sketch, direction, floating_labels=not is_small)
        return _in_columns(film, sketch, floating_labels=not is_small)
    layout = _placed(film, sketch, direction, floating_labels=True)
    float_labels(layout)
    (svg,) = own_worker().render(to_dot(film, sketch, layout=layout).source, "nop2", ["svg"])
    return replace(layout, svg=svg.decode())


class Layouts:
    """Where everything in some films stands in each direction, found when it is first asked for.

    Parameters
    ----------
    *films : Film
        What is to be shown, of one graph.
    before : Layouts, optional
        Those of an earlier film, as in `lay_out`.
    """

    def __init__(self, *films: Film, before: Layouts | None = None) -> None:
        self._films = films
        self._before = dict(before._found) if before else {}  # and none that came before those
        self._found: dict[Direction, Layout] = {}

    def __getitem__(self, direction: Direction) -> Layout:
        if direction not in self._found:
            before = self._before.get(direction)
            self._found[direction] = lay_out(*self._films, direction=direction, before=before)
        return self._found[direction]

    @property
    def at_hand(self) -> tuple[Direction, ...]:
        """The directions to choose from at once; of many boxes only one, which takes half the time.

        From top to bottom, since a page has more room across than text has.
        """
        return DIRECTIONS if len(self._films[0].boxes) <= MOST_PLACED_LABELS else ("down",)

    def fitting(self, choice: Choice, place: tuple[float, float] = CELL) -> Layout:
        """Return the layout that was chosen, or else the one that fits a place best.

        Parameters
        ----------
        choice : {'auto', 'right', 'down'}
            What was asked for; ``'auto'`` is one of those that are `at_hand`.
        place : tuple of float
            Width and height of the place, in points.
        """
        if choice != "auto":
            return self[choice]
        if len(self.at_hand) == 1:
            return self[self.at_hand[0]]
        return self[best_direction({one: self[one].size for one in self.at_hand}, place)]

    @cached_property
    def overview(self) -> Layouts:
        """The places of the same boxes when they are small, in the films' overviews."""
        return Layouts(*(film.overview for film in self._films))

    def copy(self) -> Layouts:
        """Return the same places for another picture, which keeps pieces of its own."""
        other = Layouts(*self._films)
        other._found = {direction: replace(self[direction]) for direction in self.at_hand}
        return other


def _placed(
    film: Film,
    sketch: dict[str, Look],
    direction: Direction,
    columns: Sequence[Column] = (),
    *,
    floating_labels: bool = False,
) -> Layout:
    dot = to_dot(
        film, sketch, direction=direction, columns=columns, floating_labels=floating_labels
    )
    # json0 has the places alone; in json, Graphviz cuts what it drew of a text with backslashes
    positions, svg = own_worker().render(dot.source, "dot", ["json0", "svg"])
    layout = _read(json.loads(positions), svg, film.snapshot.edges, sketch, direction)
    return replace(layout, columns=columns)


def _in_columns(film: Film, sketch: dict[str, Look], *, floating_labels: bool) -> Layout:
    """Place everything from top to bottom; what is too tall for a cell goes on in a column beside.

    Of all numbers of columns, that one with which the whole picture is largest in a cell.
    """
    best = _placed(film, sketch, "down", floating_labels=floating_labels)
    ranks = _ranks(film.snapshot.edges)
    for count in range(2, MOST_COLUMNS + 1):
        width, height = best.size
        if height / CELL[1] <= width / CELL[0]:
            break  # it is as wide as it is tall: more columns make it smaller
        columns = _cut(ranks, count)
        cut = _placed(film, sketch, "down", columns, floating_labels=floating_labels)
        if scale_in(CELL, cut.size) <= scale_in(CELL, best.size):
            break
        best = cut
    return best


def _ranks(edges: Sequence[Edge]) -> dict[str, int]:
    """Return how far from the top each box stands: below its operands, a leaf above its users."""
    ranks: dict[str, int] = {}
    users: dict[str, list[str]] = defaultdict(list)
    for edge in edges:  # in the order of nodes: operands come before those that use them
        users[edge.source].append(edge.target)
        ranks[edge.target] = max(ranks.get(edge.target, 0), ranks.get(edge.source, 0) + 1)
    made = {edge.target for edge in edges}
    for source, targets in users.items():
        if source not in made:
            ranks[source] = min(ranks[target] for target in targets) - 1
    return ranks


def _cut(ranks: Mapping[str, int], count: int) -> list[Column]:
    """Cut the ranks into so many columns of about the same height."""
    size = math.ceil((max(ranks.values()) + 1) / count)
    columns = []
    for first in range(0, max(ranks.values()) + 1, size):
        keys = [key for key, rank in ranks.items() if first <= rank < first + size]
        columns.append(Column(keys, [key for key in keys if ranks[key] == first]))
    return columns


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


def _read(
    found: dict[str, Any],
    svg: bytes,
    edges: list[Edge],
    sketch: dict[str, Look],
    direction: Direction,
) -> Layout:
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
            if "id" in edge
        },
        svg.decode(),
        edges,
        sketch,
        direction,
    )


def float_labels(layout: Layout) -> None:
    """Find a place for each label of an edge that Graphviz left out: near the node that uses it.

    The start is where an operand that is used often has all its curves together.
    """
    by_target: dict[str, list[Edge]] = defaultdict(list)
    for edge in layout.drawn:
        by_target[edge.target].append(edge)
    for edges in by_target.values():
        if layout.direction == "down":
            _float_beside(layout, edges)
        else:
            _float_above(layout, edges)


def _float_above(layout: Layout, edges: Sequence[Edge]) -> None:
    """Put labels above their curves; of two that run side by side, as in x * x, one below."""
    beside: dict[str, list[dict[str, str]]] = defaultdict(list)
    for edge in edges:
        beside[edge.source].append(layout.edges[edge.key])
    for places in beside.values():
        lowest = min(places, key=lambda place: _near_end(place["pos"])[1])
        for place in places:
            x, y = _near_end(place["pos"])
            below = place is lowest and len(places) > 1
            place["lp"] = f"{x:.2f},{y - LABEL_HEIGHT if below else y + LABEL_HEIGHT:.2f}"


def _float_beside(layout: Layout, edges: Sequence[Edge]) -> None:
    """Put labels above the box that curves come down to: to the right of them, or to the left."""
    curves = {edge.key: Curve.read(layout.edges[edge.key]["pos"]).places for edge in edges}
    ends = sorted(edges, key=lambda edge: _near_end(layout.edges[edge.key]["pos"])[0])
    for number, edge in enumerate(ends):
        half = _label_width(layout.sketch[edge.key]) / 2
        towards = -1 if number < len(ends) // 2 else 1
        tip, y = curves[edge.key][-1]
        y += FLOATING_GAP / 2
        near = [x for x, height in curves[edge.key] if abs(height - y) <= LABEL_HEIGHT]
        if not near or max(near) - min(near) > WIDEST_SLANT:  # it comes from the side
            near, y = [tip], y + LABEL_HEIGHT / 2
        x = max(near) + half + LABEL_GAP if towards > 0 else min(near) - half - LABEL_GAP
        layout.edges[edge.key]["lp"] = f"{x:.2f},{y:.2f}"


def _label_width(look: Look) -> float:
    return max(map(text_width, look.rows), default=0) * EDGE_FONT_SIZE * CHARACTER_WIDTH


def _near_end(curve: str) -> tuple[float, float]:
    """Return a point between the tip of a curve and where its last piece begins."""
    places = Curve.read(curve).places
    (x0, y0), (x1, y1) = places[-1 - STRAIGHTS], places[-1]
    return (x0 + x1) / 2, (y0 + y1) / 2
