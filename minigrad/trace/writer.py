"""`Writer`: it listens to the loop that `backward` runs, and writes down the steps."""

from __future__ import annotations

from minigrad.engine.graph import ComputationGraph
from minigrad.engine.tensor import Tensor
from minigrad.engine.values import Values
from minigrad.progress import Count
from minigrad.trace.rules import local_derivatives, rule_of
from minigrad.trace.snapshot import Snapshot, held
from minigrad.trace.steps import Contribution, Step


class Writer:
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
        """Write down the seed."""
        key = self._snapshot.key(output)
        self._steps.append(
            Step("seed", key, output.grad_fn_index, seed, before=held(before), after=after)
        )

    def visited(self, position: int, upstream: Values | None) -> None:
        """Begin a visit."""
        self._close_visit()
        self._count.one()
        self._visit = (position, upstream)
        self._received = {}

    def contributed(
        self, slot: int, contribution: Values, before: Values | None, after: Values | None
    ) -> None:
        """Note what an operand got in this visit."""
        self._received[slot] = (contribution, held(before), held(after))

    def finished(self) -> list[Step]:
        """Return the seed and the visits."""
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
