"""`draw`: a graph as a picture that shows itself in a notebook and saves itself to a file."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

import graphviz

from minigrad.diagram import Layout, Theme, lay_out, still
from minigrad.diagram.dot import to_dot
from minigrad.diagram.svg import to_svg
from minigrad.errors import DrawingError
from minigrad.export.frames import export_frame
from minigrad.graph import ComputationGraph
from minigrad.trace import Snapshot, describe
from minigrad.trace.names import caller_variables, notebook_variables


class Drawing:
    """The picture of a graph as it stood when `draw` was called.

    In a notebook it shows itself. `svg` is its text, `to_graphviz` hands out the DOT
    source for changes of one's own, and `save` writes a file.
    """

    def __init__(
        self,
        graph: ComputationGraph,
        theme: Theme = "light",
        variables: Mapping[str, object] | None = None,
    ) -> None:
        if not isinstance(graph, ComputationGraph):
            raise DrawingError(f"draw takes a ComputationGraph, not {type(graph).__name__}")
        if not graph.nodes:
            raise DrawingError(
                "the graph has no nodes yet, so there is nothing to draw; record a forward pass "
                "first, with at least one tensor that has requires_grad=True"
            )
        if theme not in ("light", "dark"):
            raise DrawingError(f"unknown theme: {theme!r} (must be one of 'light', 'dark')")
        self.theme: Theme = theme
        self._snapshot = Snapshot(graph, variables)
        self._film = still(self._snapshot)

    @cached_property
    def _layout(self) -> Layout:
        return lay_out(self._film)

    @property
    def description(self) -> str:
        """The picture in words."""
        return describe(self._snapshot)

    @cached_property
    def svg(self) -> str:
        """The picture as SVG text, complete in itself."""
        return to_svg(
            self._film,
            self._film.frame(0),
            self._layout,
            self.theme,
            description=self.description,
        )

    def to_graphviz(self) -> graphviz.Digraph:
        """Return the picture as a `graphviz.Digraph`, not laid out yet."""
        return to_dot(self._film, self._film.frame(0), self.theme)

    def save(
        self,
        path: str | os.PathLike[str],
        *,
        width: int = 1600,
        background: str | None = None,
        overwrite: bool = False,
    ) -> Path:
        """Write the picture to a file.

        Parameters
        ----------
        path : path_like
            Ends in ``.svg``, ``.png`` or ``.pdf``.
        width : int, default 1600
            Of a PNG, in pixels; the height follows.
        background : str, optional
            A colour; by default white, or near black in the dark theme.
        overwrite : bool, default False
            Whether a file that is already there may be replaced.

        Returns
        -------
        pathlib.Path
            Where it was written.

        Raises
        ------
        ExportError
            If the suffix is unknown, or the file is there already or cannot be written.
        DrawingError
            If the picture cannot be made.

        Examples
        --------
        >>> import tempfile, minigrad as mg
        >>> graph, x = mg.ComputationGraph(), mg.Tensor(3.0, requires_grad=True, name="x")
        >>> w = mg.mul(graph, x, x)
        >>> mg.draw(graph).save(f"{tempfile.mkdtemp()}/w.svg").name
        'w.svg'
        """
        return export_frame(
            self._film,
            lambda: self._layout,
            0,
            path,
            theme=self.theme,
            width=width,
            background=background,
            description=self.description,
            overwrite=overwrite,
        )

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, str]:
        return {"image/svg+xml": self.svg, "text/plain": self.description}

    def __repr__(self) -> str:
        return f"Drawing({self.description})"


def draw(
    graph: ComputationGraph,
    *,
    theme: Theme = "light",
    variables: Mapping[str, object] | None = None,
) -> Drawing:
    """Draw a graph with the values and gradients that it holds now.

    Parameters
    ----------
    graph : ComputationGraph
        A graph with at least one node.
    theme : {'light', 'dark'}
        Which colours to use.
    variables : mapping, optional
        Names for tensors that have none of their own; by default the caller's variables.

    Returns
    -------
    Drawing
        Shows itself in a notebook; has ``svg``, ``to_graphviz()`` and ``save(path)``.

    Raises
    ------
    DrawingError
        If the graph has no nodes.

    Examples
    --------
    >>> import minigrad as mg
    >>> graph, x = mg.ComputationGraph(), mg.Tensor(3.0, requires_grad=True)
    >>> w = mg.mul(graph, x, x)
    >>> mg.draw(graph)
    Drawing(Computation graph of 1 node: #0 mul, w = x × x = 9.0.)
    """
    return Drawing(graph, theme, caller_variables() if variables is None else variables)


def show_graph(graph: ComputationGraph) -> dict[str, str]:
    """Return what a notebook shows for a graph that is the last expression of a cell."""
    if not graph.nodes:
        return {"text/plain": repr(graph)}
    return Drawing(graph, variables=notebook_variables())._repr_mimebundle_()
