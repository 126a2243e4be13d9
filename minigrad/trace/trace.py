"""`Trace`: the list of steps of one run, taken from the very loop that `backward` runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from minigrad.engine.arguments import check_order, choose_output
from minigrad.engine.backward import walk
from minigrad.engine.errors import BackwardError
from minigrad.engine.graph import ComputationGraph
from minigrad.engine.order import ancestor_backward_order, topological_backward_order
from minigrad.engine.tensor import Tensor
from minigrad.engine.values import Values
from minigrad.progress import counted
from minigrad.trace import words
from minigrad.trace.cached import cached_property
from minigrad.trace.gc_pause import gc_paused
from minigrad.trace.history import History
from minigrad.trace.listing import Listing, listing_of
from minigrad.trace.snapshot import Snapshot
from minigrad.trace.step_writer import StepWriter
from minigrad.trace.steps import Step

Order = str | Sequence[int]


@dataclass(eq=False, repr=False)
class Trace:
    """Every step of recording a graph and of one backward pass through it.

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
    seed_given : bool
        Whether the pass starts from a seed of the caller's.
    """

    snapshot: Snapshot
    output: str
    positions: list[int]
    ancestors: list[int]
    steps: list[Step]
    right_gradients: dict[str, Values]
    listing: Listing
    seed_given: bool

    @classmethod
    def of(
        cls,
        graph: ComputationGraph,
        output: Tensor | None = None,
        order: Order = "ancestors",
        seed: ArrayLike | None = None,
        variables: Mapping[str, object] | None = None,
        snapshot: Snapshot | None = None,
    ) -> Trace:
        """Trace a rehearsal of a pass: no gradient of the graph or its leaves is changed by it.

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
        snapshot : Snapshot, optional
            That of the graph and the output, where it is made already.

        Raises
        ------
        BackwardError, GraphError, OpError
            As `minigrad.backward` does.
        """
        output = choose_output(graph, output)
        ancestors = ancestor_backward_order(graph, output)
        positions = chosen_order(graph, order, ancestors)
        with gc_paused():
            snapshot = snapshot or Snapshot.of(graph, variables, output)
        writer = StepWriter(graph, snapshot, set(ancestors), len(positions))
        # what is not finite is shown, and numpy need not tell of it as well
        with gc_paused(), np.errstate(all="ignore"):
            walk(graph, output, seed, positions, writer.write_seed, writer.write_visit)
            records = [
                Step("record", f"n{position}", position) for position in range(len(graph.nodes))
            ]
            steps: list[Step] = records + writer.steps
        writer.close()
        right: dict[str, Values] = {}
        if positions != ancestors:
            with np.errstate(all="ignore"):
                _, of_leaves, _ = walk(graph, output, seed)
            right = {snapshot.key(tensor): gradient for tensor, gradient in of_leaves.items()}
        return cls(
            snapshot,
            snapshot.key(output),
            positions,
            ancestors,
            steps,
            right,
            listing_of(graph.nodes),
            seed is not None,
        )

    def by_edge(self) -> Trace:
        """Return the same trace with a step for each contribution."""
        return replace(self, steps=[part for step in self.steps for part in step.parts()])

    @property
    def whole(self) -> Trace:
        """The trace with nothing folded."""
        return self

    @property
    def stops(self) -> Sequence[int]:
        """The indices at which what is shown changes: all, unless some are shown as one."""
        return range(len(self.steps))

    def stop_at(self, index: int) -> int:
        """Return the stop at which an index is shown."""
        return index

    def covered(self, index: int) -> range:
        """Return the indices that are shown as one step together with an index."""
        return range(index, index + 1)

    def stops_in(self, scene: range) -> Sequence[int]:
        """Return the stops in a stretch of indices."""
        return scene

    def shown(self, index: int) -> Step:
        """Return what is shown at an index: a step, or what several come to."""
        return self.steps[index]

    def is_last(self, step: Step) -> bool:
        """Tell whether a step that is shown is the last one."""
        return step is self.shown(len(self.steps) - 1)

    def explain(self, step: Step) -> words.Words:
        """Find the words for a step that is shown."""
        told = self._words(step)
        if not self.is_last(step):
            return told
        return replace(told, sentence=f"{told.sentence} {words.conclusion(self)}")

    def _words(self, step: Step) -> words.Words:
        return words.explain(self, step)

    def final_gradient(self, key: str) -> Values | None:
        """Return a tensor's gradient after the last step."""
        return self.whole.gradient_at(key, len(self.steps) - 1)

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
        with gc_paused():
            steps = counted(self.stops, "Collecting gradients")
            return History(self.snapshot.tensors, ((stop, self.shown(stop)) for stop in steps))

    def gradient_at(self, key: str, step: int) -> Values | None:
        """Return a tensor's gradient as it is after a step."""
        gradient = self.history.gradients[key].at(step)
        return self.initial_gradient(key) if gradient is None else gradient

    def initial_gradient(self, key: str) -> Values | None:
        """Return what an earlier run left in a leaf; None for a fresh leaf and any node."""
        vertex = self.snapshot.tensors[key]
        return vertex.gradient if vertex.kind == "leaf" else None

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
        return set(self.ancestors)


def chosen_order(graph: ComputationGraph, order: Order, ancestors: list[int]) -> list[int]:
    """Return the positions that an order stands for; `ancestors` are those of the output."""
    if isinstance(order, str):
        if order == "ancestors":
            return ancestors
        if order == "append":
            return topological_backward_order(graph)
        raise BackwardError(
            f"unknown order: {order!r} (must be 'ancestors', 'append' or a list of positions)"
        )
    return check_order(graph, order)
