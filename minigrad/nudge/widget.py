"""`nudge`: sliders for the leaves, and what the gradient promised beside what happens."""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import traitlets

from minigrad.diagram import LARGEST_WHOLE, Film, Layouts
from minigrad.engine.arguments import check_graph
from minigrad.engine.checks import as_named, real_number
from minigrad.engine.errors import DrawingError, MinigradError, TensorError
from minigrad.engine.graph import ComputationGraph
from minigrad.engine.tensor import Tensor
from minigrad.export import Drawing
from minigrad.nudge.film import film_of_values, looks_of_values
from minigrad.nudge.nudged_graph import Handle, NudgedGraph, NudgeResult
from minigrad.nudge.plot import plot_of
from minigrad.nudge.words import tell_nudge
from minigrad.stepper.assets import CSS, NUDGE
from minigrad.stepper.payload import brief_of, looks_of, pictures_of
from minigrad.stepper.picture_widget import Held, PictureWidget
from minigrad.stepper.widget_lifetime import belongs_to_cell, whole_or_closed
from minigrad.trace import describe
from minigrad.trace.names import caller_variables
from minigrad.trace.numbers import format_number

AHEAD_LIMIT = 0.03
"""Seconds for what the page may ask for next."""


class Nudge(PictureWidget):
    """Sliders for the leaves of a graph, its diagram, and a promise held against what happens.

    The graph and its tensors stay as they are: it is run again on the nudged values. The page
    sends the newest values as soon as the last ones were answered, and none in between; with the
    answer come the next places of the slider that is dragged, so that the page can go on by itself.

    Attributes
    ----------
    values : dict of str to float
        Where each slider is, by the name of its leaf.
    """

    _esm = NUDGE
    _css = CSS
    made_by = "mg.nudge(graph, w)"
    payload = traitlets.Dict().tag(sync=True)
    _nudged = Held[NudgedGraph]()
    _values = Held[dict[str, float]]()
    _result = Held[NudgeResult]()
    _film = Held[Film]()
    _layouts = Held[Layouts]()

    def __init__(self, nudged: NudgedGraph) -> None:
        self._nudged = nudged
        self._values = nudged.starts
        self._result = nudged.at(self._values)
        self._moved = nudged.handles[0].key
        self._film = film_of_values(nudged.snapshot)
        self._layouts = Layouts(self._film)
        payload = {
            "mode": "nudge",
            "pictures": pictures_of(self._film, self._layouts, "auto"),
            "kinds": {reel.key: reel.kind for reel in self._film.reels},
            "brief": brief_of(nudged.snapshot),
            "description": describe(nudged.snapshot),
            "output": nudged.snapshot.vertices[nudged.output].name,
            "handles": [_handle(handle) for handle in nudged.handles],
            "now": self._told(self._values, self._result),
        }
        with whole_or_closed(self):
            super().__init__(payload=payload)
            self.on_msg(self._answer)
            belongs_to_cell(self)

    @property
    def values(self) -> dict[str, float]:
        """Where each slider is, by the name of its leaf."""
        return {handle.name: self._values[handle.key] for handle in self._nudged.handles}

    def move(self, **values: float) -> None:
        """Set sliders, by the names of their leaves, here and in the page.

        Raises
        ------
        TensorError
            If there is no such leaf, or a value is no finite number.
        OpError
            If an op cannot compute with the new values; then all stays as it was.

        Examples
        --------
        >>> import minigrad as mg
        >>> x, y = mg.Tensor(3.0, requires_grad=True), mg.Tensor(4.0, requires_grad=True)
        >>> graph = mg.ComputationGraph()
        >>> with graph:
        ...     w = x * y + x
        >>> nudge = mg.nudge(graph, w)
        >>> nudge.move(x=5.0)
        >>> nudge
        Nudge(x = 5.0, y = 4.0: w = 25.0, promised 15.0 + 5.0 × 2.0 = 25.0)
        """
        self._set({self._nudged.key_of(name): value for name, value in values.items()})
        self.send({"now": self._told(self._values, self._result)})

    def _set(self, values: dict[str, Any], moved: str | None = None) -> None:
        names = {handle.key: handle.name for handle in self._nudged.handles}
        wanted = self._values | {
            key: real_number(value, names[key], error=TensorError) for key, value in values.items()
        }
        self._result = self._nudged.at(wanted)
        self._values = wanted
        newest = next(reversed(values), self._moved)
        self._moved = moved if moved in list(names) else newest

    def _answer(self, _: Any, content: Any, buffers: Any) -> None:
        """Move to the values that the page sends, and tell it what comes of them."""
        if not isinstance(content, dict) or "id" not in content:
            return  # whoever sends that waits for no answer
        try:
            self._set(content["values"], content.get("moved"))
            told = self._told(self._values, self._result)
            self.send({"id": content["id"], "now": told, "ahead": self._ahead(content)})
        except Exception as error:  # the page is where the user looks
            self.send({"id": content["id"], "failed": str(error)})

    def _ahead(self, content: dict[str, Any]) -> list[dict[str, Any]]:
        """Return what there will be at the next places of the slider, as many as time allows.

        On its way to the kernel and back a request takes longer than to be answered.
        """
        end = time.monotonic() + AHEAD_LIMIT
        told: list[dict[str, Any]] = []
        with suppress(MinigradError):  # nobody has asked for that place yet
            for place in content.get("ahead", ()):
                if time.monotonic() > end:
                    break
                values = self._values | {self._moved: place}
                told.append(self._told(values, self._nudged.at(values)))
        return told

    def _told(self, values: dict[str, float], result: NudgeResult) -> dict[str, Any]:
        """Return all that the page shows for some values."""
        words = tell_nudge(self._nudged, result)
        looks = looks_of_values(self._film, result.values)
        return {
            "values": values,
            "moved": self._moved,
            "nudges": {
                handle.key: _signed(values[handle.key] - handle.start)
                for handle in self._nudged.handles
            },
            "gradients": {
                key: format_number(gradient) for key, gradient in result.gradients.items()
            },
            "boxes": looks_of({key: looks[key] for key in self._film.boxes if key in looks}),
            "edges": [
                key
                for key, look in looks.items()
                if key in self._film.edges and look.state == "active"
            ],
            "promised": words.promised,
            "exact": words.exact,
            "difference": words.difference,
            "shrinking": words.shrinking,
            "sentence": words.sentence,
            "plot": self._plot(values, result),
        }

    def _plot(self, values: dict[str, float], result: NudgeResult) -> str:
        """Draw the output against the leaf that was moved last."""
        nudged, key = self._nudged, self._moved
        vertices = nudged.snapshot.vertices
        handle = next(one for one in nudged.handles if one.key == key)
        others_rest = all(other == key for other in result.nudges)
        start = (handle.start, result.start) if others_rest and not handle.is_frozen else None
        return plot_of(
            (handle.label, vertices[nudged.output].name),
            nudged.curve(key, values),
            start,
            (values[key], result.exact),
            result.gradients.get(key),
            result.promised,
        )

    def frame(self) -> Drawing:
        """Return the picture of the graph as it was recorded, to show or to save."""
        description = describe(self._nudged.snapshot)
        return Drawing(self._film, 0, self._layouts, description)

    def _still(self) -> dict[str, str]:
        picture = self.frame()
        return {**picture.still(), "text/plain": f"{self!r}. {picture.description}"}

    def _repr(self) -> str:
        words = tell_nudge(self._nudged, self._result)
        output = self._nudged.snapshot.vertices[self._nudged.output].name
        values = ", ".join(
            f"{handle.label} = {format_number(self._values[handle.key])}"
            for handle in self._nudged.handles
        )
        return f"Nudge({values}: {output} = {words.exact}, promised {words.promised})"


def _handle(handle: Handle) -> dict[str, Any]:
    return {
        "key": handle.key,
        "name": handle.label,
        "frozen": handle.is_frozen,
        "start": handle.start,
        "step": handle.step,
        "steps": handle.steps,
    }


def _signed(number: float) -> str:
    text = format_number(round(number, 12))
    return f"+{text}" if number > 0 else text


def nudge(
    graph: ComputationGraph,
    output: Tensor | None = None,
    *,
    variables: Mapping[str, object] | None = None,
) -> Nudge:
    """Show sliders for the leaves, and hold what the gradient promises against what happens.

    If x moves by Δx, the gradient promises that w moves by ``∂w/∂x · Δx``; the graph, run again on
    the new value, tells by how much it does. The smaller the nudge, the closer the two.

    Parameters
    ----------
    graph : ComputationGraph
        The graph that recorded `output`, of up to 200 nodes. Neither it nor its tensors change.
    output : Tensor, optional
        A single number; by default the output of the last node.
    variables : mapping, optional
        Names for tensors that have none of their own; by default the caller's variables.

    Returns
    -------
    Nudge
        A widget with a slider and a field for each leaf that is a single number, frozen ones
        too; ``move(x=5.0)`` does the same from Python.

    Raises
    ------
    BackwardError, GraphError, OpError
        If the output is no single number, no leaf is one, and as `minigrad.backward` does.
    ArgumentError
        If `variables` is no dict.
    DrawingError
        If the graph has more than 200 nodes, or cannot be drawn.

    Examples
    --------
    >>> import minigrad as mg
    >>> x, y = mg.Tensor(3.0, requires_grad=True), mg.Tensor(4.0, requires_grad=True)
    >>> graph = mg.ComputationGraph()
    >>> with graph:
    ...     w = x * y + x
    >>> mg.nudge(graph, w)
    Nudge(x = 3.0, y = 4.0: w = 15.0, promised 15.0)
    """
    check_graph(graph)
    if len(graph.nodes) > LARGEST_WHOLE:
        raise DrawingError(
            f"the graph has {len(graph.nodes)} nodes, and mg.nudge shows up to {LARGEST_WHOLE}; "
            f"graph.replay({{x: …}}) runs a graph of any size again"
        )
    names = caller_variables() if variables is None else as_named(variables, "variables")
    return Nudge(NudgedGraph(graph, output, names))
