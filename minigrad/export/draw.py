"""`draw`: the picture of a graph as it stands."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress

from minigrad.diagram import LARGEST_WHOLE, Layouts, Theme, still
from minigrad.diagram.directions import Choice, check_direction
from minigrad.diagram.palette import check_theme
from minigrad.diagram.windows import check_nodes
from minigrad.engine.checks import as_named, yes_or_no
from minigrad.engine.errors import DrawingError, told
from minigrad.engine.graph import ComputationGraph
from minigrad.export.drawing import Drawing
from minigrad.fold.groups import FoldChoice
from minigrad.fold.snapshot import fold_as_chosen
from minigrad.progress import one_work
from minigrad.trace import Snapshot, describe
from minigrad.trace.names import caller_variables, notebook_variables

LARGEST_SHOWN = 5_000
"""Nodes; a larger graph with scopes does not show itself: to fold it takes a while."""


def draw(
    graph: ComputationGraph,
    *,
    nodes: range | None = None,
    fold: FoldChoice = None,
    constants: bool = False,
    theme: Theme | None = None,
    variables: Mapping[str, object] | None = None,
    direction: Choice = "auto",
) -> Drawing:
    """Draw a graph with the values and gradients that it holds now.

    Parameters
    ----------
    graph : ComputationGraph
        A graph with at least one node.
    nodes : range, optional
        The positions of the nodes to draw, up to 200, such as ``range(100, 125)``; by default all.
        Where an output goes on to nodes outside of it, a sign says so. Nothing is folded then.
    fold : bool or iterable of str, optional
        Which scopes (``with graph.scope("layer 1"):``) are drawn as one box: all, none, or those
        of the given names. By default all if the graph has more than 30 nodes; and chains of equal
        patterns, such as a loop leaves behind, if it has more than 200.
    constants : bool, default False
        Draw each number without a name, the 0.5 of ``x * 0.5``, as a box of its own, and not
        inside the box of the node that uses it.
    theme : {'light', 'dark'}, optional
        Which colours to use; by default light, and dark where it is shown in a dark notebook.
    variables : mapping, optional
        Names for tensors that have none of their own; by default the caller's variables.
    direction : {'auto', 'right', 'down'}, default 'auto'
        From left to right, from top to bottom, or as it fits the cell of a notebook best.

    Returns
    -------
    Drawing
        Shows itself in a notebook; has ``svg``, ``to_graphviz()`` and ``save(path)``.

    Raises
    ------
    DrawingError
        If it is no graph, has no nodes, or there are too many, or none, to draw; if there is no
        such theme or direction, or no scope of a name to fold; if `constants` is no yes or no.
    ArgumentError
        If `variables` is no dict.

    Examples
    --------
    >>> import minigrad as mg
    >>> graph, x = mg.ComputationGraph(), mg.Tensor(3.0, requires_grad=True)
    >>> w = mg.mul(graph, x, x)
    >>> mg.draw(graph)
    Drawing(Computation graph of 1 node: #0 mul, w = x × x = 9.0.)
    """
    names = caller_variables() if variables is None else as_named(variables, "variables")
    constants = yes_or_no(constants, "constants", DrawingError)
    return drawing_of(graph, theme, names, nodes, fold, constants=constants, direction=direction)


def drawing_of(
    graph: ComputationGraph,
    theme: Theme | None,
    variables: Mapping[str, object],
    nodes: range | None = None,
    fold: FoldChoice = None,
    *,
    constants: bool = False,
    direction: Choice = "auto",
) -> Drawing:
    """Draw a graph with given names."""
    if not isinstance(graph, ComputationGraph):
        raise DrawingError(f"only a ComputationGraph can be drawn, not {told(graph)}")
    if not graph.nodes:
        raise DrawingError(
            "the graph has no nodes yet, so there is nothing to draw; record a forward pass "
            "first, with at least one tensor that has requires_grad=True"
        )
    if theme is not None:
        theme = check_theme(theme)
    direction = check_direction(direction)
    with one_work():
        snapshot = Snapshot.of(graph, variables)
        if nodes is None:
            snapshot = fold_as_chosen(snapshot, fold, LARGEST_WHOLE)
        snapshot = snapshot.part(check_nodes(nodes, snapshot), constants=constants)
    return drawing_of_part(snapshot, theme, direction)


def drawing_of_part(
    snapshot: Snapshot,
    theme: Theme | None = None,
    direction: Choice = "auto",
    *,
    show_newest: bool = False,
    before: Layouts | None = None,
) -> Drawing:
    """Draw what is there of a graph, folded and cut out as it is.

    Perhaps with its newest node at work, and in the places that it had before.
    """
    newest = snapshot.box_of(f"n{snapshot.count - 1}")
    film = still(snapshot, newest if show_newest else None)
    layouts = Layouts(film, before=before)
    return Drawing(film, 0, layouts, describe(snapshot), theme, direction)


def show_graph(graph: ComputationGraph) -> dict[str, str]:
    """Return what a notebook shows for a graph that is the last expression of a cell."""
    count = len(graph.nodes)
    if 0 < count <= LARGEST_WHOLE:
        return drawing_of(graph, None, notebook_variables())._repr_mimebundle_()
    if count <= LARGEST_SHOWN and graph.scopes:
        with suppress(DrawingError):  # it was worth a try
            return drawing_of(graph, None, notebook_variables())._repr_mimebundle_()
    return {"text/plain": repr(graph)}
