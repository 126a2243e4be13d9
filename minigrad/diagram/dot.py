"""The DOT text of a picture; every escape of user text is in this file."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise, product
from typing import TYPE_CHECKING, NamedTuple
from xml.sax.saxutils import escape

import graphviz

from minigrad.diagram.curves import BACK_LENGTH, Curve, Spot
from minigrad.diagram.directions import Direction
from minigrad.diagram.film import Film, Look
from minigrad.diagram.fonts import FAMILY
from minigrad.diagram.palette import BACKGROUND, BOXES, CLUSTERS, EDGES, Style, Theme
from minigrad.diagram.rows import in_one, text_width
from minigrad.trace import Edge
from minigrad.trace.notation import ISOLATE

if TYPE_CHECKING:
    from minigrad.diagram.layout import Layout

BLANK = "\u00a0"
LEFT_TO_RIGHT = "\u200e"
NOT_DRAWN = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
BOX_FONT_SIZE = 14
EDGE_FONT_SIZE = 12
BOX_LINE_HEIGHT = 17
BOX_LAST_GAP = 3
EDGE_LINE_HEIGHT = 14
EDGE_LAST_GAP = 5
POINTS_PER_INCH = 72
HEAD_LENGTH = 10
"""Points of Graphviz's arrow head."""
BACK_SHAPE = "normalnormal"
"""Of the head that points to an operand: two triangles, where an arrow's own head is one."""
CHARACTER_WIDTH = 0.602
"""Of DejaVu Sans Mono and Menlo, in parts of the font size."""
RANK_DIRECTIONS: dict[Direction, str] = {"right": "LR", "down": "TB"}
CLUSTER = "cluster_"
"""How the names of subgraphs begin that Graphviz draws an outline around."""
FLOATING_GAP = 54
"""Points between two ranks, from top to bottom, for labels that Graphviz does not know of."""
PADDING = 12
"""Points of empty space around the picture."""


class Column(NamedTuple):
    """Some ranks of a picture from top to bottom, which stand beside the others.

    Attributes
    ----------
    keys : list of str
        The boxes in it.
    heads : list of str
        Those of its first rank.
    """

    keys: list[str]
    heads: list[str]


def to_dot(
    film: Film,
    looks: Mapping[str, Look],
    theme: Theme = "light",
    layout: Layout | None = None,
    background: str | None = None,
    *,
    direction: Direction = "right",
    columns: Sequence[Column] = (),
    floating_labels: bool = False,
) -> graphviz.Digraph:
    """Write one frame as a directed graph, operands to results.

    Parameters
    ----------
    film : Film
        What there is to draw.
    looks : mapping
        The look of each box and edge.
    theme : {'light', 'dark'}
        Which colours to use.
    layout : Layout, optional
        Places to pin everything to, for Graphviz's ``nop2``; without it Graphviz chooses.
    background : str, optional
        A colour; by default that of the theme.
    direction : {'right', 'down'}
        Where the results are, seen from their operands; of a layout, that of the layout.
    columns : sequence of Column
        Where a tall picture is cut into columns, as a newspaper is: those, if there are several.
    floating_labels : bool, default False
        Leave the edges' labels out, but the space that they need between boxes.
    """
    # labels take a rank of their own; without any, edges of two ranks keep the same order of boxes
    has_labels = any(any(looks[edge.key].lines) for edge in film.snapshot.edges)
    direction = layout.direction if layout else direction
    gaps = _gaps(film, looks, direction, labelled=has_labels, floating=floating_labels)
    dot = graphviz.Digraph(
        graph_attr={
            "rankdir": RANK_DIRECTIONS[direction],
            "nodesep": f"{gaps[0]:.3f}",
            "ranksep": f"{gaps[1]:.3f}",
            "pad": f"{PADDING / POINTS_PER_INCH:.4f}",
            "margin": "0",
            "bgcolor": background or BACKGROUND[theme],
        }
        | ({"bb": layout.bounds} if layout else {})
        # where there are many boxes, the search for the very best places may take minutes
        | ({"nslimit": "1"} if floating_labels else {}),
        node_attr={
            "shape": "box",
            "fontname": FAMILY,
            "fontsize": str(BOX_FONT_SIZE),
            "margin": "0,0.03" if film.is_overview else "0.03,0.09",
        },
        edge_attr={
            "fontname": FAMILY,
            "fontsize": str(EDGE_FONT_SIZE),
            "arrowsize": "0.8",
            "minlen": "1" if has_labels or floating_labels or film.is_overview else "2",
        },
    )
    # of a film whose places are pinned, most lines are as in the frame before
    kept: dict[object, object] = layout.kept if layout else {}
    for key in film.boxes:
        what = ("dot", key, looks[key], theme)
        if what not in kept:
            _put_box(dot, film, key, looks[key], theme, layout)
            kept[what] = dot.body.pop()
        dot.body.append(kept[what])
    _put_clusters(dot, film, looks, theme, layout)
    column_of = {key: number for number, column in enumerate(columns) for key in column.keys}
    for edge in film.snapshot.edges:
        what = ("dot", edge.key, looks[edge.key], theme)
        if what not in kept:
            is_free = column_of.get(edge.source) != column_of.get(edge.target)
            floating = floating_labels
            _put_edge(dot, edge, looks[edge.key], theme, layout, floating=floating, free=is_free)
            kept[what] = dot.body.pop()
        dot.body.append(kept[what])
    if layout is None:
        _put_heads(dot, columns)
    for edge in film.snapshot.edges:
        if layout and looks[edge.key].changed:
            style = EDGES[theme][looks[edge.key].state]
            spot = Curve.read(layout.edges[edge.key]["pos"]).back()
            dot.edge(edge.target, edge.source, **back_head(spot, BACK_LENGTH, style.line))
    return dot


def _put_heads(dot: graphviz.Digraph, columns: Sequence[Column]) -> None:
    """Let each column begin at the top, to the right of the one before."""
    if len(columns) < 2:
        return
    with dot.subgraph(graph_attr={"rank": "same"}) as top:
        for column in columns:
            for key in column.heads:
                top.node(key)
    for left, right in pairwise(columns):
        for pair in product(left.heads, right.heads):
            dot.edge(*pair, style="invis")


def _put_clusters(
    dot: graphviz.Digraph,
    film: Film,
    looks: Mapping[str, Look],
    theme: Theme,
    layout: Layout | None,
) -> None:
    """Put the boxes of open groups in clusters, one in another where groups are nested."""
    style = CLUSTERS[theme]
    around: list[tuple[range, graphviz.Digraph]] = []

    def close() -> None:
        _, inner = around.pop()
        (around[-1][1] if around else dot).subgraph(inner)

    for group in film.snapshot.clustered:
        if group.key not in film.clusters:
            continue
        while around and around[-1][0].stop <= group.positions.start:
            close()
        attributes = {
            "id": group.key,
            "label": f"<{_rows(looks[group.key].lines, [True], BOX_LINE_HEIGHT, '')}>",
            "labeljust": "l",
            "style": "rounded,filled",
            "fillcolor": style.fill,
            "color": style.line,
            "fontcolor": style.text,
            "fontname": FAMILY,
            "fontsize": str(BOX_FONT_SIZE),
            "penwidth": f"{style.width:g}",
            "margin": "16",
        }
        if layout:
            attributes |= layout.clusters[group.key]
        cluster = graphviz.Digraph(f"{CLUSTER}{group.key}", graph_attr=attributes)
        for key in film.boxes_in(group):
            cluster.node(key)
        around.append((group.positions, cluster))
    while around:
        close()


def _put_box(
    dot: graphviz.Digraph, film: Film, key: str, look: Look, theme: Theme, layout: Layout | None
) -> None:
    attributes = _box_attributes(BOXES[theme][f"{film.boxes[key].kind} {look.state}"])
    attributes["id"] = key
    op = film.snapshot.vertices[key].op
    if op is not None and not op.commutative:
        # a - b is read from top to bottom: its operands must stand in that order
        attributes["ordering"] = "in"
    if layout:
        attributes |= layout.boxes[key]
    room = layout.sketch[key].lines if layout else look.lines
    dot.node(key, box_label(look, max(map(text_width, room))), **attributes)


def _put_edge(
    dot: graphviz.Digraph,
    edge: Edge,
    look: Look,
    theme: Theme,
    layout: Layout | None,
    *,
    floating: bool,
    free: bool,
) -> None:
    attributes = _edge_attributes(EDGES[theme][look.state])
    attributes["id"] = edge.key
    if layout:
        attributes |= layout.edges[edge.key]
    label = edge_label(look, bold=EDGES[theme][look.state].bold)
    if label and not floating:
        attributes["label"] = label
    if free and not layout:
        attributes["constraint"] = "false"
    if look.changed and not layout:  # with one, the head has a place of its own
        attributes |= {"dir": "both", "arrowtail": BACK_SHAPE}
    dot.edge(edge.source, edge.target, **attributes)


def back_head(spot: Spot, length: float, colour: str) -> dict[str, str]:
    """Return what makes of an edge just the head that points to an operand, at its place.

    A head by itself: Graphviz makes the head of a thick line larger than was asked for.
    """
    tail = " ".join(f"{x:.2f},{y:.2f}" for x, y in [spot.ahead(-length / 2)] * 4)
    x, y = spot.ahead(length / 2)
    return {
        "pos": f"e,{x:.2f},{y:.2f} {tail}",
        "color": colour,
        "penwidth": "1",
        "arrowhead": BACK_SHAPE,
        "arrowsize": f"{length / 2 / HEAD_LENGTH:.3f}",
    }


def box_label(look: Look, width: int) -> str:
    """Write the rows of a box: left-justified, the first one bold, and a changed gradient too.

    Graphviz puts the rows in the middle of a box that is made for wider ones, so the first is
    filled up until it is as wide as the widest.
    """
    first, *others = look.lines
    lines = (first + " " * (width - text_width(first)), *others)
    rows = _rows(lines, look.bold_rows, BOX_LINE_HEIGHT, '<BR ALIGN="LEFT"/>')
    # the height of a row is added above its text, so the last one needs some below it
    return f'<{rows}<FONT POINT-SIZE="{BOX_LAST_GAP}">{BLANK}</FONT>>'


def edge_label(look: Look, *, bold: bool) -> str:
    """Write the rows of an edge's label, centred; empty if there are none."""
    if not any(look.lines):
        return ""
    rows = _rows(look.lines, [bold] * len(look.lines), EDGE_LINE_HEIGHT, "<BR/>")
    # the arrow runs close under its label
    return f'<{rows}<FONT POINT-SIZE="{EDGE_LAST_GAP}">{BLANK}</FONT>>'


def _gaps(
    film: Film, looks: Mapping[str, Look], direction: Direction, *, labelled: bool, floating: bool
) -> tuple[float, float]:
    """Return the inches between boxes side by side, and from one rank to the next."""
    if film.is_overview:
        return (0.12, 0.24) if direction == "down" else (0.12, 0.3)
    if direction == "down":
        room = FLOATING_GAP / POINTS_PER_INCH if floating else 0.22
        return 0.3, room if labelled else 0.35
    if not labelled:
        return 0.45, 0.6 if floating else 0.3
    # one long rank and not two short ones: with these, Graphviz takes twenty times as long
    return 0.45, _widest_label(film, looks) / POINTS_PER_INCH if floating else 0.55


def _widest_label(film: Film, looks: Mapping[str, Look]) -> float:
    """Return the points that the widest label of an edge takes, with some air."""
    rows = [row for edge in film.snapshot.edges for row in looks[edge.key].lines]
    return (max(map(text_width, rows)) + 3) * EDGE_FONT_SIZE * CHARACTER_WIDTH


def _rows(lines: tuple[str, ...], bold: list[bool], height: int, end: str) -> str:
    # a blank in a larger font at both ends gives a row its height, and the box its margins
    strut = f'<FONT POINT-SIZE="{height}">{BLANK}</FONT>'
    texts = (
        f"<B>{_text(line)}</B>" if is_bold else _text(line)
        for line, is_bold in zip(lines, bold, strict=True)
    )
    return "".join(f"{strut}{text}{strut}{end}" for text in texts)


def drawn_text(line: str) -> str:
    """Return what Graphviz is given of a row: blanks that cannot be lost.

    Graphviz lays each row out by itself, and lets the first letter say which way it runs; before
    an isolated name, an invisible mark says that the row runs from left to right.
    """
    row = in_one(line)
    marked = f"{LEFT_TO_RIGHT}{row}" if ISOLATE in row else row
    return NOT_DRAWN.sub("\ufffd", marked.replace(" ", BLANK))


def _text(line: str) -> str:
    r"""Escape one row for an HTML-like label.

    A backslash is doubled: even there, Graphviz would replace ``\N`` by the name of the node.
    """
    return escape(drawn_text(line) or BLANK, {"\\": "\\\\", '"': "&quot;"})


def _box_attributes(style: Style) -> dict[str, str]:
    return {
        "style": "rounded,filled,dashed" if style.dashed else "rounded,filled",
        "fillcolor": style.fill,
        "color": style.line,
        "fontcolor": style.text,
        "penwidth": f"{style.width:g}",
    }


def _edge_attributes(style: Style) -> dict[str, str]:
    return {
        "style": "dashed" if style.dashed else "solid",
        "color": style.line,
        "fontcolor": style.text,
        "penwidth": f"{style.width:g}",
    }
