"""`History`: at which steps each gradient was set, and each edge travelled along."""

from __future__ import annotations

from collections.abc import Iterable

from minigrad.engine.values import Values
from minigrad.trace.steps import Contribution, Step
from minigrad.trace.timeline import Timeline


class History:
    """What changed when, in the steps of a trace.

    Parameters
    ----------
    keys : iterable of str
        The tensors.
    steps : iterable of tuple
        The steps, each behind its index.

    Attributes
    ----------
    gradients : dict of str to Timeline
        Of each tensor, the steps that set its gradient, and to what.
    edges : dict of str to Timeline
        Of each edge, the steps that went along it, and what was passed on.
    visits : dict of int to list
        Of each node, by its position, the steps that visited it.
    seed : int
        The step of the seed.
    """

    def __init__(self, keys: Iterable[str], steps: Iterable[tuple[int, Step]]) -> None:
        self.gradients: dict[str, Timeline[Values]] = {key: Timeline() for key in keys}
        self.edges: dict[str, Timeline[Contribution]] = {}
        self.visits: dict[int, list[int]] = {}
        self.seed = 0
        for index, step in steps:
            if step.kind == "seed":
                self.seed = index
            elif step.kind == "backward" and step.position is not None:
                self.visits.setdefault(step.position, []).append(index)
            for contribution in step.contributions:
                self.edges.setdefault(contribution.edge, Timeline()).add(index, contribution)
            # a visit that contributed nothing left all as it was
            if not step.wasted:
                for key, gradient in step.gradients().items():
                    self.gradients[key].add(index, gradient)

    def was_visited(self, position: int, step: int) -> bool:
        """Tell whether a node was visited before a step."""
        return position in self.visits and self.visits[position][0] < step

    def passed_on(self, edge: str, step: int) -> Contribution | None:
        """Return what went along an edge last before a step; None if nothing did."""
        return self.edges[edge].before(step) if edge in self.edges else None
