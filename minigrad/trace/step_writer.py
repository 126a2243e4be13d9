"""`StepWriter`: it is told of each visit by the loop that `backward` runs, and makes the steps."""

from __future__ import annotations

from minigrad.engine.backward import Addition, Visit
from minigrad.engine.graph import ComputationGraph
from minigrad.progress import Count
from minigrad.trace.rules import local_derivatives, rules_of
from minigrad.trace.snapshot import Snapshot, held
from minigrad.trace.steps import Contribution, Step


class StepWriter:
    """Writes down the steps of one backward pass.

    Parameters
    ----------
    graph : ComputationGraph
        The graph that the pass goes through.
    snapshot : Snapshot
        Its tensors and edges.
    ancestors : set of int
        The nodes that the output depends on.
    visits : int
        How many there will be.

    Attributes
    ----------
    steps : list of Step
        The seed and the visits, as far as the pass has come.
    """

    def __init__(
        self, graph: ComputationGraph, snapshot: Snapshot, ancestors: set[int], visits: int
    ) -> None:
        self.steps: list[Step] = []
        self._nodes = graph.nodes
        self._snapshot = snapshot
        self._visited: set[int] = set()
        self._passed_on: set[int] = set()
        self._consumers: dict[str, list[int]] = {}
        self._count = Count("Stepping backward", visits)
        for position in sorted(ancestors):
            for edge in snapshot.edges_into(f"n{position}"):
                self._consumers.setdefault(edge.source, []).append(position)

    def write_seed(self, seed: Addition) -> None:
        """Write down the seed."""
        output, value, before, after = seed
        key = self._snapshot.key(output)
        self.steps.append(
            Step("seed", key, output.grad_fn_index, value, before=held(before), after=after)
        )

    def write_visit(self, visit: Visit) -> None:
        """Write down a visit."""
        position = visit.position
        key = f"n{position}"
        consumers = dict.fromkeys(self._consumers.get(key, ()))
        self.steps.append(
            Step(
                "backward",
                key,
                position,
                visit.upstream,
                self._contributions(key, visit),
                missed=tuple(c for c in consumers if c not in self._visited),
                repeated=position in self._passed_on,
            )
        )
        self._visited.add(position)
        if visit.upstream is not None:
            self._passed_on.add(position)
        self._count.one()

    def _contributions(self, key: str, visit: Visit) -> tuple[Contribution, ...]:
        """Return what happened along each edge, also where a frozen operand got nothing."""
        node = self._nodes[visit.position]
        rules, locals_ = rules_of(self._snapshot, visit.position, node), local_derivatives(node)
        contributions = []
        for edge in self._snapshot.edges_into(key):
            value = before = after = None
            if edge.slot in visit.passed_on:
                _, value, before, after = visit.passed_on[edge.slot]
            contributions.append(
                Contribution(
                    edge.key,
                    edge.source,
                    edge.slot,
                    rules[edge.slot],
                    locals_[edge.slot],
                    value,
                    held(before),
                    held(after),
                )
            )
        return tuple(contributions)

    def close(self) -> None:
        """End with the pass."""
        self._count.close()
