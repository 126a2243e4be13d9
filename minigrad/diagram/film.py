"""`Film`: how each box and edge looks at each step, and which shape holds all of it.

One film is behind the widget, the slides and the static picture. It keeps, for each box and
edge, only the steps at which its look changes; a frame is what that comes to at one step.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from minigrad.diagram.rows import box_lines, edge_lines, stretch, sum_text, text_width
from minigrad.errors import DrawingError
from minigrad.graph import ComputationGraph
from minigrad.trace import Contribution, Snapshot, Step, Trace
from minigrad.trace.numbers import NOTHING_YET, format_values

LARGEST = 200
"""Graphs with more nodes than this are not drawn: nobody could read them."""


def check_size(graph: ComputationGraph) -> None:
    """Refuse a graph that is too large for a picture, before any time is spent on it.

    Raises
    ------
    DrawingError
        Telling the number of nodes and the limit.
    """
    if len(graph.nodes) > LARGEST:
        raise DrawingError(
            f"the graph has {len(graph.nodes)} nodes, and pictures are drawn of up to {LARGEST}; "
            f"record a smaller part of the computation into a graph of its own"
        )


@dataclass(frozen=True)
class Look:
    """How one box or edge looks for a while.

    Attributes
    ----------
    state : {'absent', 'waiting', 'active', 'done', 'dead'}
        Not recorded yet; nothing has come through; at work in this step; has been; or not
        needed for the output.
    lines : tuple of str
        Its rows of text, always as many.
    changed : bool
        Whether this step set the gradient shown in the box.
    """

    state: str
    lines: tuple[str, ...]
    changed: bool = False

    @property
    def bold_rows(self) -> list[bool]:
        """Which rows of a box are bold: the header, and the gradient if it changed."""
        last = len(self.lines) - 1
        return [row == 0 or (self.changed and row == last) for row in range(last + 1)]


@dataclass
class Reel:
    """The looks of one box or edge, each with the step at which it begins."""

    key: str
    kind: str
    title: str = ""
    starts: list[int] = field(default_factory=list)
    looks: list[Look] = field(default_factory=list)

    def show(self, step: int, look: Look) -> None:
        """Let a look begin at a step; steps come in order."""
        if self.starts and self.starts[-1] == step:
            self.looks[-1] = look
        elif not self.looks or self.looks[-1] != look:
            self.starts.append(step)
            self.looks.append(look)

    def at(self, step: int) -> Look:
        """Return the look at a step."""
        return self.looks[bisect_right(self.starts, step) - 1]

    def widest(self, *others: Reel) -> tuple[str, ...]:
        """Return, row by row, the widest text of all looks, and of those of other reels."""
        looks = [look for reel in (self, *others) for look in reel.looks]
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
    """

    def __init__(self, snapshot: Snapshot, length: int) -> None:
        self.snapshot = snapshot
        self.length = length
        self.boxes = {
            item.key: Reel(item.key, item.kind, item.given_name) for item in snapshot.items.values()
        }
        self.edges = {edge.key: Reel(edge.key, "edge") for edge in snapshot.edges}

    @property
    def reels(self) -> list[Reel]:
        """The boxes, then the edges."""
        return [*self.boxes.values(), *self.edges.values()]

    def frame(self, step: int) -> dict[str, Look]:
        """Return the look of everything at one step."""
        return {reel.key: reel.at(step) for reel in self.reels}


def justify(films: Sequence[Film]) -> None:
    """Give the boxes of a kind one width, with the last word of the header at the border."""
    for kind in ("leaf", "frozen", "node"):
        reels = [reel for film in films for reel in film.boxes.values() if reel.kind == kind]
        rows = [row for reel in reels for look in reel.looks for row in look.lines]
        width = max(map(text_width, rows), default=0)
        for reel in reels:
            reel.looks = [
                replace(look, lines=(stretch(look.lines[0], width), *look.lines[1:]))
                for look in reel.looks
            ]


def still(snapshot: Snapshot, newest: str | None = None) -> Film:
    """Return the single frame of a graph as it stands, with the gradients it holds now.

    The node with the key `newest`, if given, is shown at work.
    """
    film = Film(snapshot, 1)
    has_run = any(
        item.kind == "node" and item.gradient is not None for item in snapshot.items.values()
    )
    for item in snapshot.items.values():
        state = "waiting"
        if item.kind != "frozen" and has_run:
            state = "done" if item.gradient is not None else "dead"
        if item.kind == "leaf" and state == "dead":
            state = "waiting"
        if item.key == newest:
            state = "active"
        text = format_values(item.gradient)
        if state == "dead":
            text += "  dead"
        elif item.earlier is not None:
            text += f"  ({format_values(item.earlier)} before)"
        film.boxes[item.key].show(0, Look(state, box_lines(item, text)))
    for edge in snapshot.edges:
        state = film.boxes[edge.target].at(0).state
        film.edges[edge.key].show(0, Look("waiting" if state == "done" else state, ()))
    justify([film])
    return film


def film_of(trace: Trace) -> Film:
    """Return the film of a trace: one frame for each of its steps."""
    return films_of([trace])[0]


def films_of(traces: Sequence[Trace]) -> list[Film]:
    """Return the films of several traces of one graph, with boxes of the same widths."""
    films = [_film_of(trace) for trace in traces]
    justify(films)
    return films


def _film_of(trace: Trace) -> Film:
    film = Film(trace.snapshot, len(trace.steps))
    for item in trace.snapshot.items.values():
        text = format_values(trace.initial_gradient(item.key))
        is_leaf = item.kind != "node"
        lines = box_lines(item, text, computed=is_leaf)
        film.boxes[item.key].show(0, Look("waiting" if is_leaf else "absent", lines))
    for edge in trace.snapshot.edges:
        film.edges[edge.key].show(0, Look("absent", ("", "")))
    for index, step in enumerate(trace.steps):
        if index:
            _settle(film, trace, index, trace.steps[index - 1])
        if step.kind == "record":
            _record(film, index, step)
        elif step.kind == "seed":
            _seed(film, trace, index, step)
        else:
            _visit(film, trace, index, step)
    return film


def _record(film: Film, index: int, step: Step) -> None:
    lines = box_lines(film.snapshot.items[step.tensor], NOTHING_YET)
    film.boxes[step.tensor].show(index, Look("active", lines))
    for edge in film.snapshot.edges_into(step.tensor):
        film.edges[edge.key].show(index, Look("active", ("", "")))


def _seed(film: Film, trace: Trace, index: int, step: Step) -> None:
    for item in film.snapshot.items.values():
        if item.position is not None and trace.is_dead(item.position):
            lines = box_lines(item, f"{NOTHING_YET}  dead")
            film.boxes[item.key].show(index, Look("dead", lines))
            for edge in film.snapshot.edges_into(item.key):
                film.edges[edge.key].show(index, Look("dead", ("", "")))
    item = film.snapshot.items[step.tensor]
    text = f"{format_values(step.after)}  (seed)"
    if step.before is not None:
        text = sum_text(step.before, [step.upstream], step.after)
    film.boxes[item.key].show(index, Look("active", box_lines(item, text), changed=True))


def _visit(film: Film, trace: Trace, index: int, step: Step) -> None:
    film.boxes[step.tensor].show(index, Look("active", film.boxes[step.tensor].at(index).lines))
    received: dict[str, list[Contribution]] = {}
    for contribution in step.contributions:
        lines = edge_lines(contribution)
        film.edges[contribution.edge].show(index, Look("active", lines))
        if contribution.value is not None and contribution.after is not None:
            received.setdefault(contribution.tensor, []).append(contribution)
    for key, contributions in received.items():
        text = sum_text(
            contributions[0].before, [c.value for c in contributions], contributions[-1].after
        )
        item = film.snapshot.items[key]
        state = film.boxes[key].at(index).state
        if item.kind == "leaf" and not step.wasted:
            state = "active"
        look = Look(state, box_lines(item, text), changed=not step.wasted)
        film.boxes[key].show(index, look)


def _settle(film: Film, trace: Trace, index: int, previous: Step) -> None:
    """Let what was at work in the step before come to rest."""
    dead = previous.position is not None and trace.is_dead(previous.position)
    for key, gradient in previous.gradients().items():
        item = film.snapshot.items[key]
        state = "done" if item.kind == "leaf" else film.boxes[key].at(index).state
        film.boxes[key].show(index, Look(state, box_lines(item, format_values(gradient))))
    reel = film.boxes[previous.tensor]
    if previous.kind == "backward":
        rest = "dead" if dead else "done"
        reel.show(index, Look(rest, reel.at(index).lines))
        for contribution in previous.contributions:
            edge = film.edges[contribution.edge]
            edge.show(index, Look(rest, edge.at(index).lines))
    elif reel.at(index).state == "active" and reel.kind == "node":
        reel.show(index, Look("waiting", reel.at(index).lines))
    if previous.kind == "record":
        for one in film.snapshot.edges_into(previous.tensor):
            film.edges[one.key].show(index, Look("waiting", ("", "")))
