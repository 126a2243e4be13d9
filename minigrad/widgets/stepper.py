"""`step`: the stepper, a trace that one walks through in the page."""

from __future__ import annotations

import base64
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import anywidget
import traitlets
from numpy.typing import ArrayLike

from minigrad.diagram import Theme, check_size, film_of, lay_out
from minigrad.export import Drawing
from minigrad.graph import ComputationGraph
from minigrad.order import check_graph
from minigrad.tensor import Tensor
from minigrad.trace import Step, Trace, describe, explain
from minigrad.trace.names import caller_variables
from minigrad.trace.run import Order
from minigrad.widgets.assets import CSS, ESM
from minigrad.widgets.fallback import with_static
from minigrad.widgets.payload import film_payload, trace_payload

FALLBACK_WIDTH = 1200


class Stepper(anywidget.AnyWidget):
    """A trace shown as a diagram, a gradient table and a sentence for each step.

    Attributes
    ----------
    index : int
        The step that is shown, from 0; it can be set.
    steps : list of Step
        All steps: the records, the seed, one visit for each node of the order.
    trace : Trace
        Where the steps come from.
    """

    _esm = ESM
    _css = CSS
    payload = traitlets.Dict().tag(sync=True)
    index = traitlets.Int(0)
    # [step, serial number], one channel for each side: the newer one counts, and a late echo
    # of an earlier step cannot take the page back
    _from_python = traitlets.List([0, 0]).tag(sync=True)
    _from_page = traitlets.List([0, 0]).tag(sync=True)

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self._film = film_of(trace)
        self._layout = lay_out(self._film)
        super().__init__()
        self.payload = {
            "mode": "step",
            "svg": self.frame(0).svg,
            "film": film_payload(self._film),
            **trace_payload(trace),
        }

    @property
    def steps(self) -> list[Step]:
        """All steps of the trace, in order."""
        return self.trace.steps

    @traitlets.validate("index")
    def _check_index(self, proposal: dict[str, Any]) -> int:
        index: int = proposal["value"]
        if not 0 <= index < len(self.steps):
            raise traitlets.TraitError(
                f"there is no step {index}; this trace has steps 0 to {len(self.steps) - 1}"
            )
        return index

    @traitlets.observe("index")
    def _tell_page(self, change: dict[str, Any]) -> None:
        if change["new"] != self._newest()[0]:
            self._from_python = [change["new"], self._newest()[1] + 1]

    @traitlets.observe("_from_page")
    def _follow_page(self, change: dict[str, Any]) -> None:
        self.index = self._newest()[0]

    def _newest(self) -> list[int]:
        newest: list[int] = max(self._from_python, self._from_page, key=lambda told: told[1])
        return newest

    def frame(self, step: int | None = None) -> Drawing:
        """Return the picture of one step, to show or to save.

        Parameters
        ----------
        step : int, optional
            Which one, from 0, or from the end if negative; by default the one shown.

        Raises
        ------
        IndexError
            If there is no such step.
        """
        chosen = self.index if step is None else step
        if not -len(self.steps) <= chosen < len(self.steps):
            raise IndexError(
                f"there is no step {chosen}; this trace has steps 0 to {len(self.steps) - 1}"
            )
        chosen %= len(self.steps)
        words = explain(self.trace, self.steps[chosen])
        description = " ".join(
            [
                f"Step {chosen + 1} of {len(self.steps)}. {words.title} {words.sentence}",
                *words.formulas,
                describe(self.trace.snapshot),
            ]
        )
        return Drawing(self._film, chosen, lambda: self._layout, description)

    def export(
        self,
        path: str | os.PathLike[str],
        *,
        step: int | None = None,
        width: int | None = None,
        theme: Theme = "light",
        background: str | None = None,
        overwrite: bool = False,
    ) -> Path:
        """Write the picture of one step to an ``.svg``, ``.png`` or ``.pdf`` file.

        Parameters
        ----------
        path : path_like
            Where to, with the suffix that says what.
        step : int, optional
            Which step, from 0; by default the one shown.
        width, theme, background, overwrite
            As in `Drawing.save`.

        Returns
        -------
        pathlib.Path
            Where it was written.

        Raises
        ------
        ExportError, DrawingError, IndexError
            If the file cannot be written, the picture cannot be made, or there is no such step.
        """
        return self.frame(step).save(
            path, width=width, theme=theme, background=background, overwrite=overwrite
        )

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        picture = self.frame()
        static = {
            "image/svg+xml": picture.svg,
            "image/png": base64.b64encode(picture.png(FALLBACK_WIDTH)).decode(),
            "text/plain": picture.description,
        }
        return with_static(super()._repr_mimebundle_(**kwargs), static)

    def __repr__(self) -> str:
        return f"Stepper(step {self.index + 1} of {len(self.steps)})"


def step(
    graph: ComputationGraph,
    output: Tensor | None = None,
    order: Order = "ancestors",
    *,
    seed: ArrayLike | None = None,
    variables: Mapping[str, object] | None = None,
) -> Stepper:
    """Show a graph being recorded and differentiated, step by step.

    The backward pass in it is a rehearsal by the loop that `backward` itself runs: no
    gradient of the graph or of its leaves is changed.

    Parameters
    ----------
    graph : ComputationGraph
        The graph that recorded `output`.
    output : Tensor, optional
        What to differentiate; by default the output of the last node.
    order : {'ancestors', 'append'} or sequence of int, default 'ancestors'
        The nodes that the output depends on, last first; the whole list of nodes reversed;
        or positions of one's own, which may be wrong: the steps then say where.
    seed : array_like, optional
        The gradient to start from, in the shape of `output`.
    variables : mapping, optional
        Names for tensors that have none of their own; by default the caller's variables.

    Returns
    -------
    Stepper
        A widget with ``index``, ``steps``, ``frame(k)`` and ``export(path)``.

    Raises
    ------
    BackwardError, GraphError, OpError
        As `minigrad.backward` does.
    DrawingError
        If the picture cannot be laid out.

    Examples
    --------
    >>> import minigrad as mg
    >>> x, y = mg.Tensor(3.0, requires_grad=True), mg.Tensor(4.0, requires_grad=True)
    >>> graph = mg.ComputationGraph()
    >>> with graph:
    ...     w = x * y + x
    >>> stepper = mg.step(graph, w)
    >>> [taken.kind for taken in stepper.steps]
    ['record', 'record', 'seed', 'backward', 'backward']
    """
    check_graph(graph)
    check_size(graph)
    names = caller_variables() if variables is None else variables
    return Stepper(Trace(graph, output, order, seed, names))
