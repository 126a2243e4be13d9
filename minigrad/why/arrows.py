"""`Arrows`: what all the paths to one output have in common, whatever tensor they start from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from minigrad.engine.arguments import check_seed, choose_output
from minigrad.engine.backward import Visit, contribution_along, walk
from minigrad.engine.errors import BackwardError
from minigrad.engine.graph import ComputationGraph
from minigrad.engine.order import ancestor_backward_order
from minigrad.engine.tensor import Tensor, zeros_like
from minigrad.engine.values import Values
from minigrad.progress import Count
from minigrad.trace.cached import cached_property
from minigrad.trace.rules import local_derivatives, rules_of
from minigrad.trace.snapshot import Snapshot
from minigrad.trace.vertices import Edge


class Arrows:
    """The arrows of a graph that lead to a single number, with their local derivatives.

    What is found once is kept: it serves the paths from every tensor.

    Parameters
    ----------
    graph : ComputationGraph
        The graph.
    output : Tensor
        Of size 1.
    variables : mapping, optional
        Where to look for names of tensors that have none.
    snapshot : Snapshot, optional
        That of the graph and the output, where it is made already.

    Attributes
    ----------
    snapshot : Snapshot
        The tensors and edges.
    output : str
        Key of the output.
    seed : numpy.ndarray
        What backward starts from: 1.
    into : dict of int to list of Edge
        Of each node that the output depends on, the arrows from its operands; by position, in
        the order of recording.

    Raises
    ------
    BackwardError
        If the output is frozen or not a single number.
    GraphError
        If the graph did not record it.
    """

    def __init__(
        self,
        graph: ComputationGraph,
        output: Tensor,
        variables: Mapping[str, object] | None = None,
        snapshot: Snapshot | None = None,
    ) -> None:
        choose_output(graph, output)
        ancestors = ancestor_backward_order(graph, output)[::-1]
        if output.values.size != 1:
            raise BackwardError(
                f"paths explain the gradient of a single number, and {output.label} has shape "
                f"{output.shape}; sum it first, inside the same graph: output.sum()"
            )
        self.seed = check_seed(output, None)
        self.snapshot = snapshot or Snapshot.of(graph, variables, output)
        self.output = self.snapshot.key(output)
        self.into = {place: self.snapshot.edges_into(f"n{place}") for place in ancestors}
        self._graph = graph
        self._output = output
        self._local: dict[str, Values | None] = {}
        self._rules: dict[str, str] = {}

    @cached_property
    def products(self) -> int:
        """How many multiplications backward needs: one for each arrow from what is not frozen."""
        kind = {key: vertex.kind for key, vertex in self.snapshot.vertices.items()}
        arrows = (arrow for arrows in self.into.values() for arrow in arrows)
        return sum(kind[arrow.source] != "frozen" for arrow in arrows)

    def gradient(self, tensor: Tensor) -> Values:
        """Return the gradient of the output with respect to a tensor, whatever that held before.

        Raises
        ------
        BackwardError, GraphError, OpError
            As `minigrad.backward` does.
        """
        return zeros_like(tensor) + self._gradients.get(tensor, 0)  # which is never -0.0

    @cached_property
    def _gradients(self) -> dict[Tensor, Values]:
        """What one backward pass adds up in each tensor that it comes to."""
        gradients = {self._output: self.seed}
        count = Count("Stepping backward", len(self.into))

        def gather(visit: Visit) -> None:
            for tensor, contribution, _, _ in visit.passed_on.values():
                before = gradients.get(tensor)
                gradients[tensor] = contribution if before is None else before + contribution
            count.one()

        with np.errstate(all="ignore"):  # what is not finite is shown, and that is enough
            walk(self._graph, self._output, on_visit=gather)
        count.close()
        return gradients

    def local(self, arrow: Edge) -> Values | None:
        """Return the local derivative along an arrow; None if it is not one for each element."""
        if arrow.key not in self._local:
            position = self.snapshot.position_of(arrow.target)
            numbers = local_derivatives(self._graph.nodes[position])
            self._local |= {edge.key: numbers[edge.slot] for edge in self.into[position]}
        return self._local[arrow.key]

    def rule(self, arrow: Edge) -> str:
        """Return the local derivative along an arrow in symbols."""
        if arrow.key not in self._rules:
            position = self.snapshot.position_of(arrow.target)
            rules = rules_of(self.snapshot, position, self._graph.nodes[position])
            self._rules |= {edge.key: rules[edge.slot] for edge in self.into[position]}
        return self._rules[arrow.key]

    def along(self, arrow: Edge, upstream: Values) -> Values:
        """Return what is passed on along an arrow if a gradient arrives at its node.

        Raises
        ------
        BackwardError, OpError
            If values have changed, or the op's backward breaks its contract.
        """
        position = self.snapshot.position_of(arrow.target)
        node = self._graph.nodes[position]
        with np.errstate(all="ignore"):
            return contribution_along(node, position, arrow.slot, upstream)


def check_tensors(*tensors: Any) -> None:
    """Refuse anything but tensors.

    Raises
    ------
    BackwardError
        Naming what was given.
    """
    for tensor in tensors:
        if not isinstance(tensor, Tensor):
            raise BackwardError(
                f"why takes a graph and two tensors, as in mg.why(graph, w, x), not "
                f"{type(tensor).__name__}"
            )
