"""`Trace`: the list of steps of one run, taken from the very loop that `backward` runs."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from functools import cached_property

from numpy.typing import ArrayLike

from minigrad.backward import walk
from minigrad.errors import BackwardError
from minigrad.graph import ComputationGraph
from minigrad.ops.base import Values
from minigrad.order import ancestor_backward_order, topological_backward_order
from minigrad.progress import Count
from minigrad.request import check_order, choose_output
from minigrad.tensor import Tensor
from minigrad.trace.collector import collector_paused
from minigrad.trace.history import History
from minigrad.trace.listing import listing_of
from minigrad.trace.rules import local_derivatives, rule_of
from minigrad.trace.snapshot import Snapshot, held
from minigrad.trace.steps import Contribution, Step

Order = str | Sequence[int]


class Trace:
    """Every step of recording a graph and of one backward pass through it.

    The pass is a rehearsal: no gradient of the graph or its leaves is changed by it.

    Parameters
    ----------
    graph : ComputationGraph
        The graph to trace.
    output : Tensor, optional
        What to differentiate; by default the output of the last node.
    order : {'ancestors', 'append'} or sequence of int, default 'ancestors'
        The nodes that the output depends on; the whole list reversed; or positions of
        one's own, which may be wrong.
    seed : array_like, optional
        As in `minigrad.backward`.
    variables : mapping, optional
        Where to look for names of tensors that have none.

    Attributes
    ----------
    snapshot : Snapshot
        The tensors and edges that the steps speak of.
    output : str
        Key of the output.
    positions : list of int
        The order of visiting.
    ancestors : list of int
        The nodes that the output depends on.
    steps : list of Step
        The records, the seed, the visits.
    right_gradients : dict of str to numpy.ndarray
        What the right order gives to the leaves; empty if this is it.
    listing : Listing
        The code that recorded the nodes, where the graph keeps that.

    Raises
    ------
    BackwardError, GraphError, OpError
        As `minigrad.backward` does.
    """

    def __init__(
        self,
        graph: ComputationGraph,
        output: Tensor | None = None,
        order: Order = "ancestors",
        seed: ArrayLike | None = None,
        variables: Mapping[str, object] | None = None,
    ) -> None:
        output = choose_output(graph, output)
        self.ancestors = ancestor_backward_order(graph, output)
        self.positions = self._choose_order(graph, order)
        with collector_paused():
            self.snapshot = Snapshot(graph, variables, output)
        self.output = self.snapshot.key(output)
        self.seed_given = seed is not None
        self.listing = listing_of(graph.nodes)
        writer = _Writer(graph, self.snapshot, set(self.ancestors), len(self.positions))
        with collector_paused():
            walk(graph, output, seed, self.positions, writer)
            records = [
                Step("record", f"n{position}", position) for position in range(len(graph.nodes))
            ]
            self.steps: list[Step] = records + writer.finished()
        self.right_gradients = self._right_gradients(graph, output, seed)

    def by_edge(self) -> Trace:
        """Return the same trace with a step for each contribution."""
        fine = copy.copy(self)
        fine.__dict__.pop("history", None)  # it counts steps
        fine.steps = [part for step in self.steps for part in step.parts()]
        return fine

    def _choose_order(self, graph: ComputationGraph, order: Order) -> list[int]:
        if isinstance(order, str):
            if order == "ancestors":
                return self.ancestors
            if order == "append":
                return topological_backward_order(graph)
            raise BackwardError(
                f"unknown order: {order!r} (must be 'ancestors', 'append' or a list of positions)"
            )
        return check_order(graph, order)

    def _right_gradients(
        self, graph: ComputationGraph, output: Tensor, seed: ArrayLike | None
    ) -> dict[str, Values]:
        """Return what the right order gives to each leaf, by key."""
        if self.positions == self.ancestors:
            return {}
        _, of_leaves, _ = walk(graph, output, seed)
        return {self.snapshot.key(tensor): gradient for tensor, gradient in of_leaves.items()}

    def final_gradient(self, key: str) -> Values | None:
        """Return a tensor's gradient after the last step."""
        history = self.history.gradients[key]
        return history[-1][1] if history else self.initial_gradient(key)

    @property
    def unvisited(self) -> list[int]:
        """The nodes that the output depends on and that the order leaves out."""
        visited = set(self.positions)
        return [position for position in self.ancestors if position not in visited]

    @property
    def is_in_order(self) -> bool:
        """Whether each node that the output depends on is visited once, after its consumers."""
        wrong = any(step.missed or step.repeated for step in self.steps)
        return not wrong and not self.unvisited

    @property
    def wasted_visits(self) -> int:
        """How many visits were made to nodes that nothing had reached."""
        return sum(step.wasted and step.is_first_part for step in self.steps)

    @cached_property
    def history(self) -> History:
        """At which steps each gradient was set, and each edge travelled along."""
        with collector_paused():
            return History(self.snapshot.items, self.steps)

    def initial_gradient(self, key: str) -> Values | None:
        """Return what an earlier run left in a leaf; None for a fresh leaf and any node."""
        item = self.snapshot.items[key]
        return item.gradient if item.kind == "leaf" else None

    def is_dead(self, position: int) -> bool:
        """Tell whether the output does not depend on a node."""
        return position not in self._ancestor_set

    @cached_property
    def _ancestor_set(self) -> set[int]:
        return set(self.ancestors)


class _Writer:
    """Listens to the loop and writes down its steps."""

    def __init__(
        self, graph: ComputationGraph, snapshot: Snapshot, ancestors: set[int], visits: int
    ) -> None:
        self._nodes = graph.nodes
        self._snapshot = snapshot
        self._steps: list[Step] = []
        self._visit: tuple[int, Values | None] | None = None
        self._received: dict[int, tuple[Values, Values | None, Values | None]] = {}
        self._visited: set[int] = set()
        self._passed_on: set[int] = set()
        self._consumers: dict[str, list[int]] = {}
        self._count = Count("Stepping backward", visits)
        for position in sorted(ancestors):
            for edge in snapshot.edges_into(f"n{position}"):
                self._consumers.setdefault(edge.source, []).append(position)

    def seeded(self, output: Tensor, seed: Values, before: Values | None, after: Values) -> None:
        key = self._snapshot.key(output)
        self._steps.append(
            Step("seed", key, output.grad_fn_index, seed, before=held(before), after=after)
        )

    def visited(self, position: int, upstream: Values | None) -> None:
        self._close_visit()
        self._count.one()
        self._visit = (position, upstream)
        self._received = {}

    def contributed(
        self, slot: int, contribution: Values, before: Values | None, after: Values | None
    ) -> None:
        self._received[slot] = (contribution, held(before), held(after))

    def finished(self) -> list[Step]:
        self._close_visit()
        self._count.close()
        self._visit = None
        return self._steps

    def _close_visit(self) -> None:
        if self._visit is None:
            return
        position, upstream = self._visit
        key = f"n{position}"
        node = self._nodes[position]
        locals_ = local_derivatives(node)
        contributions = []
        for edge in self._snapshot.edges_into(key):
            value, before, after = self._received.get(edge.slot, (None, None, None))
            contributions.append(
                Contribution(
                    edge.key,
                    edge.source,
                    edge.slot,
                    rule_of(self._snapshot, node, edge),
                    locals_[edge.slot],
                    value,
                    before,
                    after,
                )
            )
        consumers = dict.fromkeys(self._consumers.get(key, ()))
        self._steps.append(
            Step(
                "backward",
                key,
                position,
                upstream,
                tuple(contributions),
                missed=tuple(c for c in consumers if c not in self._visited),
                repeated=position in self._passed_on,
            )
        )
        self._visited.add(position)
        if upstream is not None:
            self._passed_on.add(position)
