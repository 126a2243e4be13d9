"""`Trace`: the list of steps of one run, taken from the very loop that `backward` runs."""

from __future__ import annotations

import copy
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from functools import cached_property

from numpy.typing import ArrayLike

from minigrad.backward import walk
from minigrad.errors import BackwardError
from minigrad.graph import ComputationGraph
from minigrad.ops.base import Values
from minigrad.order import ancestor_backward_order, topological_backward_order
from minigrad.progress import counted
from minigrad.request import check_order, choose_output
from minigrad.tensor import Tensor
from minigrad.trace.collector import collector_paused
from minigrad.trace.folding import merged_steps
from minigrad.trace.history import History
from minigrad.trace.listing import listing_of
from minigrad.trace.snapshot import Snapshot
from minigrad.trace.steps import Step
from minigrad.trace.writer import Writer

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
        writer = Writer(graph, self.snapshot, set(self.ancestors), len(self.positions))
        with collector_paused():
            walk(graph, output, seed, self.positions, writer)
            records = [
                Step("record", f"n{position}", position) for position in range(len(graph.nodes))
            ]
            self.steps: list[Step] = records + writer.finished()
        self.right_gradients = self._right_gradients(graph, output, seed)
        self._unfolded: Trace | None = None
        self._merged: dict[int, Step] = {}
        self._starts: list[int] = []

    def by_edge(self) -> Trace:
        """Return the same trace with a step for each contribution."""
        fine = copy.copy(self)
        fine.__dict__.pop("history", None)  # it counts steps
        fine.steps = [part for step in self.steps for part in step.parts()]
        return fine

    def folded(self, snapshot: Snapshot) -> Trace:
        """Return the same trace as it is shown where groups are folded to boxes.

        Its steps are counted as before, so that an index means one moment however much is folded;
        but what happens inside of a box is shown at once.

        Parameters
        ----------
        snapshot : Snapshot
            That of this trace, folded by `minigrad.trace.folding.fold`.
        """
        made = copy.copy(self.whole)
        made.snapshot = snapshot
        if snapshot.is_folded:
            for cached in ("history", "_alive"):  # they tell of what is shown
                made.__dict__.pop(cached, None)
            made._unfolded = self.whole
            made._merged = merged_steps(self.whole.steps, snapshot)
            made._starts = list(made._merged)
        return made

    @property
    def whole(self) -> Trace:
        """The trace with nothing folded."""
        return self._unfolded or self

    @property
    def stops(self) -> Sequence[int]:
        """The indices at which what is shown changes: all, or the first ones of what is merged."""
        return self._starts or range(len(self.steps))

    def stop_at(self, index: int) -> int:
        """Return the stop at which an index is shown."""
        return self._starts[bisect_right(self._starts, index) - 1] if self._starts else index

    def covered(self, index: int) -> range:
        """Return the indices that are shown as one step together with an index."""
        if not self._starts:
            return range(index, index + 1)
        place = bisect_right(self._starts, index)
        end = self._starts[place] if place < len(self._starts) else len(self.steps)
        return range(self._starts[place - 1], end)

    def stops_in(self, scene: range) -> Sequence[int]:
        """Return the stops in a stretch of indices."""
        if not self._starts:
            return scene
        first, end = (bisect_left(self._starts, index) for index in (scene.start, scene.stop))
        return self._starts[first:end]

    def shown(self, index: int) -> Step:
        """Return what is shown at an index: a step, or what several come to."""
        return self._merged[self.stop_at(index)] if self._starts else self.steps[index]

    def is_last(self, step: Step) -> bool:
        """Tell whether a step that is shown is the last one."""
        return step is self.shown(len(self.steps) - 1)

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
        history = self.whole.history.gradients[key]
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
            steps = counted(self.stops, "Collecting gradients")
            return History(self.snapshot.tensors, ((stop, self.shown(stop)) for stop in steps))

    def initial_gradient(self, key: str) -> Values | None:
        """Return what an earlier run left in a leaf; None for a fresh leaf and any node."""
        item = self.snapshot.tensors[key]
        return item.gradient if item.kind == "leaf" else None

    def is_dead(self, position: int) -> bool:
        """Tell whether the output does not depend on a node, or on any of a group.

        Parameters
        ----------
        position : int
            Of the node, or of the first node of a folded group.
        """
        return position not in self._alive

    @cached_property
    def _alive(self) -> set[int | None]:
        if not self.snapshot.is_folded:
            return set(self.ancestors)
        boxes = {self.snapshot.box_of(f"n{position}") for position in self.ancestors}
        return {self.snapshot.items[key].position for key in boxes}
