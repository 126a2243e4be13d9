"""`Film`: how each box and edge looks at each step, and which shape holds all of it.

One film is behind the widget, the slides and the static picture. It keeps, for each box and
edge, only the steps at which its look changes; a frame is what that comes to at one step.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from minigrad.diagram.rows import (
    box_lines,
    brief_lines,
    flow,
    group_title,
    in_one,
    stretch,
    text_width,
)
from minigrad.trace import Snapshot
from minigrad.trace.notation import visible
from minigrad.trace.numbers import format_values
from minigrad.trace.timeline import Timeline
from minigrad.trace.vertices import Group


@dataclass(frozen=True, slots=True)
class Look:
    """How one box or edge looks for a while.

    Attributes
    ----------
    state : {'absent', 'waiting', 'active', 'wasted', 'done', 'dead'}
        Not recorded yet; nothing has come through; at work in this step; visited in this step
        though nothing has reached it; has been; or not needed for the output.
    lines : tuple of str
        Its rows of text, always as many, with a tab where a second column begins.
    changed : bool
        Of a box, whether this step set the gradient shown in it; of an edge, whether in this step
        something was passed back along it.
    """

    state: str
    lines: tuple[str, ...]
    changed: bool = False

    @property
    def rows(self) -> tuple[str, ...]:
        """Its rows, each as one text."""
        return tuple(map(in_one, self.lines))

    @property
    def bold_rows(self) -> list[bool]:
        """Which rows of a box are bold: the header, and the gradient if it changed."""
        last = len(self.lines) - 1
        return [row == 0 or (self.changed and row == last) for row in range(last + 1)]


class Reel(Timeline[Look]):
    """The looks of one box or edge, each from the step at which it begins."""

    __slots__ = ("key", "kind", "title")

    def __init__(self, key: str, kind: str, title: str = "") -> None:
        super().__init__()
        self.key = key
        self.kind = kind
        self.title = title

    def look(self, step: int) -> Look:
        """Return the look at a step."""
        look = self.at(step)
        assert look is not None  # a film shows each of its boxes and edges before it is looked at
        return look

    def widest(self, *others: Reel) -> tuple[str, ...]:
        """Return, row by row, the widest text of all looks, and of those of other reels."""
        looks = [look for reel in (self, *others) for look in reel.values]
        rows = zip(*(look.lines for look in looks), strict=True)
        return tuple(max(row, key=text_width) for row in rows)


class Film:
    """All frames of one picture.

    Parameters
    ----------
    snapshot : Snapshot
        The tensors and edges to draw.
    length : int
        How many frames there are.

    Attributes
    ----------
    boxes, edges : dict of str to Reel
        In the order in which they are drawn.
    clusters : dict of str to Reel
        What is drawn around the boxes of each group that is open, the outer ones first.
    widths : dict of str to int
        How wide the rows of each box are, once `justify` has measured them.
    is_overview : bool
        Whether its boxes only say what they are; they stand closer together then.
    """

    def __init__(self, snapshot: Snapshot, length: int, *, is_overview: bool = False) -> None:
        self.is_overview = is_overview
        self.snapshot = snapshot
        self.length = length
        self.widths: dict[str, int] = {}
        self.boxes = {
            vertex.key: Reel(vertex.key, vertex.kind, visible(vertex.given_name))
            for vertex in snapshot.vertices.values()
        }
        self.edges = {edge.key: Reel(edge.key, "edge") for edge in snapshot.edges}
        self.clusters = {}
        for group in snapshot.clustered:
            if set(group.positions).intersection(snapshot.positions):
                reel = self.clusters[group.key] = Reel(group.key, "frame", visible(group.name))
                reel.change(0, Look("waiting", (group_title(group),)))

    @property
    def reels(self) -> list[Reel]:
        """The clusters, the boxes, then the edges."""
        return [*self.clusters.values(), *self.boxes.values(), *self.edges.values()]

    def boxes_in(self, group: Group) -> list[str]:
        """Return the keys of the boxes in the cluster of a group."""
        part, inside = self.snapshot, group.positions
        spans = part.spans.items()
        leaves = [key for key, span in spans if span.start in inside and span[-1] in inside]
        return [
            *(key for key in leaves if key in part.vertices),
            *(key for key in part.boxes if part.covered(key).start in inside),
        ]

    def justified(self, key: str, lines: tuple[str, ...]) -> tuple[str, ...]:
        """Return the rows of a box with the second column of the header at its border."""
        return (stretch(lines[0], self.widths[key]), *lines[1:])

    @cached_property
    def overview(self) -> Film:
        """The same with small boxes, which say what they are and no numbers, and bare edges.

        Where a picture is too large to be read, that much of it can be.
        """
        film = Film(self.snapshot, self.length, is_overview=True)
        for key, reel in self.boxes.items():
            lines = tuple(brief_lines(self.snapshot.vertices[key]))
            film.boxes[key].values = [Look(look.state, lines, look.changed) for look in reel.values]
            film.boxes[key].starts = reel.starts
        for key, reel in self.edges.items():
            film.edges[key].values = [Look(look.state, ()) for look in reel.values]
            film.edges[key].starts = reel.starts
        justify([film])
        return film

    def frame(self, step: int) -> dict[str, Look]:
        """Return the look of everything at one step."""
        return {reel.key: reel.look(step) for reel in self.reels}


def justify(films: Sequence[Film]) -> None:
    """Put the second column of each header at the border of its box, in all frames of all films."""
    for key in films[0].boxes:
        reels = [film.boxes[key] for film in films]
        width = max(text_width(row) for reel in reels for look in reel.values for row in look.lines)
        for film, reel in zip(films, reels, strict=True):
            film.widths[key] = width
            reel.values = [
                replace(look, lines=film.justified(key, look.lines)) for look in reel.values
            ]


def still(snapshot: Snapshot, newest: str | None = None) -> Film:
    """Return the single frame of a graph as it stands, with the gradients it holds now.

    The node with the key `newest`, if given, is shown at work.
    """
    film = Film(snapshot, 1)
    has_run = any(
        vertex.kind == "node" and vertex.gradient is not None
        for vertex in snapshot.tensors.values()
    )
    for vertex in snapshot.vertices.values():
        state = "waiting"
        gradients = [one.gradient for one in (vertex.outputs or [vertex])]
        if vertex.kind in ("leaf", "node", "group") and has_run:
            state = "dead" if all(one is None for one in gradients) else "done"
        if vertex.kind == "leaf" and state == "dead":
            state = "waiting"
        if vertex.key == newest:
            state = "active"
        text = format_values(vertex.gradient)
        if state == "dead":
            text += "  dead"
        elif vertex.earlier is not None:
            text += f"  ({format_values(vertex.earlier)} before)"
        others = {one.key: format_values(one.gradient) for one in vertex.outputs}
        film.boxes[vertex.key].change(0, Look(state, box_lines(vertex, text, others=others)))
    for edge in snapshot.edges:
        state = film.boxes[edge.target].look(0).state
        told = flow(snapshot, edge) if snapshot.is_folded else ""
        lines = (told,) if told else ()
        film.edges[edge.key].change(0, Look("waiting" if state == "done" else state, lines))
    justify([film])
    return film
