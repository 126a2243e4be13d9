"""`Paths`: the gradient as a sum over the ways along which an input reaches the output."""

from __future__ import annotations

import heapq
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from minigrad.engine.arguments import check_seed, choose_output
from minigrad.engine.backward import contributions_of, walk
from minigrad.engine.errors import BackwardError, GraphError
from minigrad.engine.gradients import fit
from minigrad.engine.graph import ComputationGraph
from minigrad.engine.node import zeros_like
from minigrad.engine.order import ancestor_backward_order, check_graph
from minigrad.engine.tensor import Tensor
from minigrad.engine.values import Values
from minigrad.progress import Count, counted
from minigrad.trace.rules import local_derivatives, rule_of
from minigrad.trace.snapshot import Snapshot
from minigrad.trace.steps import Contribution
from minigrad.trace.vertices import Edge

NO_WEIGHT, ALL_WEIGHT = -1e6, 1e6
"""Stand for the logarithms of 0 and of infinity: sums of them are numbers still."""


@dataclass(frozen=True, slots=True)
class Path:
    """One way from an input to the output, and what the gradient owes to it.

    Attributes
    ----------
    tensors : tuple of str
        Keys of what it goes through, from the input to the output.
    arrows : tuple of Contribution
        Its arrows in the same order, each with its local derivative in symbols and numbers, and
        with what comes along it when backward goes this way alone.
    value : numpy.ndarray
        Its share of the gradient: the product of its local derivatives.
    """

    tensors: tuple[str, ...]
    arrows: tuple[Contribution, ...]
    value: Values


@dataclass(slots=True)
class _Trail:
    """The part of a path that is known already: from the output back to a tensor."""

    tensor: str
    arrow: Edge | None = None
    earlier: _Trail | None = None


class Paths:
    """All paths from one tensor of a graph to a single number that was computed from it.

    They are counted node by node, in one pass, and never listed to be counted: there may be
    more of them than atoms anywhere.

    Parameters
    ----------
    graph : ComputationGraph
        The graph.
    output : Tensor
        Of size 1.
    source : Tensor
        A leaf that requires a gradient, or the output of a node.
    variables : mapping, optional
        Where to look for names of tensors that have none.

    Attributes
    ----------
    snapshot : Snapshot
        The tensors and edges that the paths speak of.
    source, output : str
        Their keys.
    gradient : numpy.ndarray
        Of the output with respect to the source, as backward computes it.
    count : int
        How many paths there are.
    products_by_paths, products_by_backward : int
        How many multiplications by a local derivative it takes to go along each path, and how
        many backward needs, which goes along each arrow of the graph once.

    Raises
    ------
    BackwardError
        If the source is frozen, the output is not a single number, or values have changed.
    GraphError
        If one of them is no tensor of the graph.
    OpError
        If an op's backward breaks its contract.
    """

    def __init__(
        self,
        graph: ComputationGraph,
        output: Tensor,
        source: Tensor,
        variables: Mapping[str, object] | None = None,
    ) -> None:
        check_graph(graph)
        _check_tensors(output, source)
        choose_output(graph, output)
        ancestors = ancestor_backward_order(graph, output)
        if output.values.size != 1:
            raise BackwardError(
                f"paths explain the gradient of a single number, and {output.label} has shape "
                f"{output.shape}; sum it first, inside the same graph: output.sum()"
            )
        self._nodes = graph.nodes
        self._seed = check_seed(output, None)
        self.snapshot = Snapshot.of(graph, variables, output)
        self.output = self.snapshot.key(output)
        self.source = self._key_of(source)
        if not source.requires_grad:
            raise BackwardError(
                f"{source.label} is frozen, so backward computes no gradient for it and no path "
                f"is followed to it; make it with requires_grad=True and record the graph again"
            )
        gatherer = _Gatherer(graph, source, len(ancestors))
        walk(graph, output, None, None, gatherer)
        gatherer.close()
        self.gradient = gatherer.gradient
        self._count(ancestors)
        self._weigh(ancestors)

    def _key_of(self, source: Tensor) -> str:
        try:
            return self.snapshot.key(source)
        except KeyError:
            raise GraphError(
                f"{source.label} is no tensor of this graph, so there are no paths from it; ask "
                f"for one that a node of the graph uses or made"
            ) from None

    def _count(self, ancestors: list[int]) -> None:
        """Count paths and arrows: to a node lead as many paths as to its operands together."""
        self._counts = {self.source: 1}
        arrows = {self.source: 0}
        self.products_by_backward = 0
        for position in counted(ancestors[::-1], "Counting paths"):
            key = f"n{position}"
            edges = self.snapshot.edges_into(key)
            kinds = [self.snapshot.vertices[edge.source].kind for edge in edges]
            self.products_by_backward += len(kinds) - kinds.count("frozen")
            reached = [edge.source for edge in edges if edge.source in self._counts]
            if reached:
                self._counts[key] = sum(self._counts[one] for one in reached)
                arrows[key] = sum(arrows[one] + self._counts[one] for one in reached)
        self.count = self._counts.get(self.output, 0)
        self.products_by_paths = arrows.get(self.output, 0)

    def _weigh(self, ancestors: list[int]) -> None:
        """Find, for each arrow, by how much a path is lighter for taking it.

        Weights are logarithms of local derivatives, so that those of a path are added. The
        heaviest path to each tensor takes arrows without a loss only.
        """
        self._arrows: dict[str, list[Edge]] = {}
        self._local: dict[str, Values | None] = {}
        self._losses: dict[str, float] = {}
        self._targets: dict[str, str] = {}
        best = {self.source: 0.0}
        for position in counted(ancestors[::-1], "Weighing paths"):
            key = f"n{position}"
            if key not in self._counts or key == self.source:
                continue
            edges = [one for one in self.snapshot.edges_into(key) if one.source in self._counts]
            numbers = local_derivatives(self._nodes[position])
            self._local |= {edge.key: numbers[edge.slot] for edge in edges}
            weights = [_weight(numbers[edge.slot]) + best[edge.source] for edge in edges]
            best[key] = max(weights)
            self._arrows[key] = edges
            for edge, weight in zip(edges, weights, strict=True):
                self._losses[edge.key] = best[key] - weight
                self._targets[edge.key] = key

    @property
    def has_numbers(self) -> bool:
        """Whether the local derivative of each arrow is a single number."""
        return all(local is not None and local.size == 1 for local in self._local.values())

    def target_of(self, arrow: Contribution) -> str:
        """Return the key of the node to which an arrow of a path leads."""
        return self._targets[arrow.edge]

    def heaviest(self, most: int) -> list[Path]:
        """Return up to so many paths, the heaviest first.

        If a path goes along an arrow whose local derivative is not a single number, and there
        are more than `most`, then these are some of them, and maybe not the heaviest.
        """
        found: list[Path] = []
        # the least loss first; of equal ones the newest, which is the one closest to its end
        waiting: list[tuple[float, int, _Trail]] = []
        if self.count:
            waiting.append((0.0, 0, _Trail(self.output)))
        serial = 0
        while waiting and len(found) < most:
            loss, _, trail = heapq.heappop(waiting)
            if trail.tensor == self.source:
                found.append(self._path(trail))
                continue
            for edge in reversed(self._arrows[trail.tensor]):
                serial += 1
                longer = _Trail(edge.source, edge, trail)
                heapq.heappush(waiting, (loss + self._losses[edge.key], -serial, longer))
        found.sort(key=lambda path: -_size(path.value))
        return found

    def _path(self, trail: _Trail) -> Path:
        """Walk backward along one path, with what comes along it alone."""
        edges = []
        while trail.earlier is not None and trail.arrow is not None:
            edges.append(trail.arrow)
            trail = trail.earlier
        upstream = self._seed
        arrows = []
        for edge in counted(edges[::-1], "Walking along a path"):
            position = int(edge.target[1:])
            node = self._nodes[position]
            given = contributions_of(node, position, upstream)[edge.slot]
            upstream = fit(given, node, position, edge.slot)
            rule = rule_of(self.snapshot, node, edge)
            local = self._local[edge.key]
            arrows.append(
                Contribution(edge.key, edge.source, edge.slot, rule, local, upstream, None, None)
            )
        arrows.reverse()
        tensors = (*(edge.source for edge in edges), self.output)
        return Path(tensors, tuple(arrows), upstream)


class _Gatherer:
    """Adds up what comes to one tensor in a backward pass, whatever it held before."""

    def __init__(self, graph: ComputationGraph, tensor: Tensor, visits: int) -> None:
        self._nodes = graph.nodes
        self._tensor = tensor
        self._count = Count("Stepping backward", visits)
        self._position = -1
        self.gradient: Values = zeros_like(tensor)

    def seeded(self, output: Tensor, seed: Values, before: Values | None, after: Values) -> None:
        if output is self._tensor:
            self.gradient = seed

    def visited(self, position: int, upstream: Values | None) -> None:
        self._position = position
        self._count.one()

    def contributed(
        self, slot: int, contribution: Values, before: Values | None, after: Values | None
    ) -> None:
        if self._nodes[self._position].inputs[slot] is self._tensor:
            self.gradient = self.gradient + contribution

    def close(self) -> None:
        """End with the pass."""
        self._count.close()


def _check_tensors(*tensors: Any) -> None:
    for tensor in tensors:
        if not isinstance(tensor, Tensor):
            raise BackwardError(
                f"why takes a graph and two tensors, as in mg.why(graph, w, x), not "
                f"{type(tensor).__name__}"
            )


def _weight(local: Values | None) -> float:
    """Return the logarithm of a local derivative; of one that is not known, that of 1."""
    return 0.0 if local is None else _clamped_log(_size(local))


def _clamped_log(size: float) -> float:
    if size == 0:
        return NO_WEIGHT
    return math.log(size) if math.isfinite(size) else ALL_WEIGHT


def _size(values: Values) -> float:
    """Return the largest absolute value; nan counts as infinite, since it spoils all."""
    size = float(np.max(np.abs(values), initial=0.0))
    return math.inf if math.isnan(size) else size
