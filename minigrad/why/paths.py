"""`Paths`: the gradient as a sum over the ways along which an input reaches the output."""

from __future__ import annotations

import heapq
import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from minigrad.engine.arguments import check_graph, check_tensor
from minigrad.engine.errors import BackwardError, GraphError
from minigrad.engine.graph import ComputationGraph
from minigrad.engine.tensor import Tensor
from minigrad.engine.values import Values
from minigrad.progress import counted
from minigrad.trace.steps import Contribution
from minigrad.trace.vertices import Edge
from minigrad.why.arrows import Arrows

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
    arrows : Arrows
        Those of the graph that lead to the number.
    source : Tensor
        A leaf that requires a gradient, or the output of a node.

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
        If the source is frozen, or values have changed.
    GraphError
        If it is no tensor of the graph.
    OpError
        If an op's backward breaks its contract.
    """

    def __init__(self, arrows: Arrows, source: Tensor) -> None:
        self._arrows = arrows
        self.snapshot = arrows.snapshot
        self.output = arrows.output
        self.source = self._key_of(source)
        if not source.requires_grad:
            raise BackwardError(
                f"{source.label} is frozen, so backward computes no gradient for it and no path "
                f"is followed to it; make it with requires_grad=True and record the graph again"
            )
        self.gradient = arrows.gradient(source)
        self.products_by_backward = arrows.products
        self._count()
        self._weigh()

    @classmethod
    def of(
        cls,
        graph: ComputationGraph,
        output: Tensor,
        source: Tensor,
        variables: Mapping[str, object] | None = None,
    ) -> Paths:
        """Return the paths from one tensor, where those from others are not asked for.

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

        Raises
        ------
        BackwardError, GraphError, OpError
            As `Arrows` and `Paths` do.
        """
        check_graph(graph)
        check_tensor(output, "output")
        check_tensor(source, "source")
        return cls(Arrows(graph, output, variables), source)

    def _key_of(self, source: Tensor) -> str:
        try:
            return self.snapshot.key(source)
        except KeyError:
            raise GraphError(
                f"{source.label} is no tensor of this graph, so there are no paths from it; ask "
                f"for one that a node of the graph uses or made"
            ) from None

    def _count(self) -> None:
        """Count paths and arrows: to a node lead as many paths as to its operands together."""
        self._counts = {self.source: 1}
        arrows = {self.source: 0}
        for edges in counted(self._arrows.into.values(), "Counting paths"):
            reached = [edge.source for edge in edges if edge.source in self._counts]
            if reached:
                key = edges[0].target
                self._counts[key] = sum(self._counts[one] for one in reached)
                arrows[key] = sum(arrows[one] + self._counts[one] for one in reached)
        self.count = self._counts.get(self.output, 0)
        self.products_by_paths = arrows.get(self.output, 0)

    def _weigh(self) -> None:
        """Find, for each arrow, by how much a path is lighter for taking it.

        Weights are logarithms of local derivatives, so that those of a path are added. The
        heaviest path to each tensor takes arrows without a loss only.
        """
        self._into: dict[str, list[Edge]] = {}
        self._losses: dict[str, float] = {}
        self._targets: dict[str, str] = {}
        best = {self.source: 0.0}
        for arrows in counted(self._arrows.into.values(), "Weighing paths"):
            edges = [one for one in arrows if one.source in self._counts]
            if not edges:
                continue
            key = edges[0].target
            weights = [_weight(self._arrows.local(edge)) + best[edge.source] for edge in edges]
            best[key] = max(weights)
            self._into[key] = edges
            for edge, weight in zip(edges, weights, strict=True):
                self._losses[edge.key] = best[key] - weight
                self._targets[edge.key] = key

    @property
    def has_numbers(self) -> bool:
        """Whether the local derivative of each arrow is a single number."""
        locals_ = (self._arrows.local(edge) for edges in self._into.values() for edge in edges)
        return all(local is not None and local.size == 1 for local in locals_)

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
            for edge in reversed(self._into[trail.tensor]):
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
        upstream = self._arrows.seed
        arrows = []
        for edge in counted(edges[::-1], "Walking along a path"):
            upstream = self._arrows.along(edge, upstream)
            rule, local = self._arrows.rule(edge), self._arrows.local(edge)
            arrows.append(
                Contribution(edge.key, edge.source, edge.slot, rule, local, upstream, None, None)
            )
        arrows.reverse()
        tensors = (*(edge.source for edge in edges), self.output)
        return Path(tensors, tuple(arrows), upstream)


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
