"""`watch`: a picture of a graph that grows while later cells record."""

from __future__ import annotations

import time
import weakref
from collections.abc import Mapping
from typing import Any

import traitlets

from minigrad.diagram import windows_of
from minigrad.diagram.directions import Choice, check_direction
from minigrad.engine.arguments import check_graph
from minigrad.engine.checks import as_named, yes_or_no
from minigrad.engine.errors import DrawingError
from minigrad.engine.graph import ComputationGraph
from minigrad.export import Drawing, drawing_of_part
from minigrad.fold.snapshot import fold_as_chosen
from minigrad.progress import one_work
from minigrad.stepper.assets import CSS, LIVE
from minigrad.stepper.payload import brief_of, looks_of, pictures_of
from minigrad.stepper.picture_widget import Held, PictureWidget
from minigrad.stepper.widget_lifetime import (
    belongs_to_cell,
    follow_cells,
    unfollow_cells,
    whole_or_closed,
)
from minigrad.trace import Snapshot
from minigrad.trace.names import notebook_variables

SHORTEST_PAUSE = 0.04
"""Seconds between two pictures in a cell that records many nodes."""
REST = 12
"""Drawing may take one part of the time, and leaves so many to the cell."""
EMPTY = "Nothing recorded yet. The first op inside “with graph:” will show up here."


class LiveGraph(PictureWidget):
    """A picture that follows ``graph.nodes``.

    It holds the graph weakly, and the graph holds it weakly: neither keeps the other alive.
    """

    _esm = LIVE
    _css = CSS
    made_by = "mg.watch(graph)"
    payload = traitlets.Dict().tag(sync=True)
    _variables = Held[Mapping[str, object] | None]()
    _drawing = Held[Drawing | None]()

    def __init__(
        self,
        graph: ComputationGraph,
        variables: Mapping[str, object] | None = None,
        *,
        constants: bool = False,
        direction: Choice = "auto",
    ) -> None:
        self._graph = weakref.ref(graph)
        self._variables = variables
        self._constants = constants
        self._direction = direction
        self._stale = False
        self._next_time = 0.0
        self._drawn = (0, False)
        self._drawing = None
        with whole_or_closed(self):
            super().__init__()
            self.refresh()
            graph.subscribe(self._graph_changed)
            follow_cells(self)
            belongs_to_cell(self)

    def _graph_changed(self) -> None:
        # also after a picture in the middle of a cell: variables get their values later
        self._stale = True
        graph = self._graph()
        if graph is None or time.monotonic() < self._next_time:
            return
        # in a loop that resets and records anew, a whole picture stays until the next one is whole
        if _progress(graph) >= self._drawn:
            self.refresh()

    def refresh(self) -> None:
        """Draw the graph as it is now."""
        graph = self._graph()
        if graph is None:
            return
        started = time.monotonic()
        self._drawn = _progress(graph)
        with one_work():
            self.payload = self._picture(graph)
        spent = time.monotonic() - started if graph.nodes else 0.0  # the first node is waited for
        self._next_time = time.monotonic() + max(SHORTEST_PAUSE, REST * spent)

    def cell_has_run(self) -> None:
        """Draw the graph if it changed in the cell that has just run."""
        if self._stale:
            self._stale = False
            self.refresh()

    def close(self) -> None:
        """End the widget; it follows the graph no longer."""
        if self.comm is not None:  # or nothing of it was made yet
            unfollow_cells(self)
            graph = self._graph()
            if graph is not None:
                graph.unsubscribe(self._graph_changed)
        super().close()

    def _picture(self, graph: ComputationGraph) -> dict[str, Any]:
        names = notebook_variables() if self._variables is None else self._variables
        count = len(graph.nodes)
        if not count:
            return {"mode": "live", "pictures": {}, "message": EMPTY}
        held = f"graph.nodes holds {count} node{'' if count == 1 else 's'}"
        try:
            snapshot = Snapshot.of(graph, names)
            if graph.scopes:
                # what repeats stays open: one wants to see the newest node come
                snapshot = fold_as_chosen(snapshot, None, count)
            window = windows_of(len(snapshot.boxes))[-1]
            part = snapshot.part(window, constants=self._constants)
            before = self._drawing.layouts if self._drawing else None
            show_newest = not _has_gradients(graph)
            drawing = drawing_of_part(
                part, direction=self._direction, show_newest=show_newest, before=before
            )
            shown = self._shown(drawing)
            self._drawing = drawing
        except Exception as error:  # whatever it is must not end the user's forward pass
            return {"mode": "live", "pictures": {}, "message": f"The picture failed: {error}"}
        last = snapshot.tensors[f"n{count - 1}"]
        message = f"{held}; the newest is #{count - 1} {last.op_label}."
        if part.positions.start:
            message += f" The picture shows #{part.positions.start} to #{count - 1}."
        newest = snapshot.box_of(last.key)
        return {"mode": "live", "message": message, "newest": newest, **shown}

    def _shown(self, drawing: Drawing) -> dict[str, Any]:
        """Return what the page needs to show a picture."""
        return {
            "pictures": pictures_of(drawing.film, drawing.layouts, self._direction),
            "kinds": {reel.key: reel.kind for reel in drawing.film.reels},
            "looks": looks_of(drawing.looks),
            "brief": brief_of(drawing.snapshot),
            "description": drawing.description,
        }

    def _still(self) -> dict[str, str]:
        if self._drawing and self.payload["pictures"]:
            return self._drawing.still()
        return {"text/plain": self.payload["message"]}

    def _repr(self) -> str:
        graph = self._graph()
        return f"LiveGraph({graph!r})"


def _progress(graph: ComputationGraph) -> tuple[int, bool]:
    """Return how far a graph has come: how many nodes it has, and whether a pass has been run."""
    return len(graph.nodes), _has_gradients(graph)


def _has_gradients(graph: ComputationGraph) -> bool:
    return any(node.output.grad is not None for node in graph.nodes)


def watch(
    graph: ComputationGraph,
    *,
    variables: Mapping[str, object] | None = None,
    constants: bool = False,
    direction: Choice = "auto",
) -> LiveGraph:
    """Show a picture of a graph that grows while this cell and later ones record.

    Parameters
    ----------
    graph : ComputationGraph
        The graph to follow; it may be empty.
    variables : mapping, optional
        Names for tensors that have none of their own; by default the notebook's variables.
    constants : bool, default False
        Draw each number without a name, the 0.5 of ``x * 0.5``, as a box of its own, and not
        inside the box of the node that uses it.
    direction : {'auto', 'right', 'down'}, default 'auto'
        From left to right, from top to bottom, or as it fits best.

    Returns
    -------
    LiveGraph
        A widget; show it by making it the last expression of a cell.

    Raises
    ------
    GraphError
        If it is no graph.
    ArgumentError
        If `variables` is no dict.
    DrawingError
        If there is no such direction, or `constants` is no yes or no.

    Examples
    --------
    >>> import minigrad as mg
    >>> graph, x = mg.ComputationGraph(), mg.Tensor(3.0, requires_grad=True)
    >>> live = mg.watch(graph)
    >>> w = mg.mul(graph, x, x)
    >>> live
    LiveGraph(ComputationGraph(1 node: #0 mul))
    """
    check_graph(graph)
    names = None if variables is None else as_named(variables, "variables")
    constants = yes_or_no(constants, "constants", DrawingError)
    direction = check_direction(direction)
    return LiveGraph(graph, names, constants=constants, direction=direction)
