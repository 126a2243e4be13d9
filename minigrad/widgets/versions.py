"""`Versions`: one pass told in several ways, by order and by how fine the steps are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from numpy.typing import ArrayLike

from minigrad.diagram import Film, films_of, lay_out
from minigrad.errors import BackwardError
from minigrad.graph import ComputationGraph
from minigrad.tensor import Tensor
from minigrad.trace import Trace
from minigrad.trace.run import Order
from minigrad.widgets.payload import film_payload, graph_payload, trace_payload
from minigrad.widgets.sheets import Sheets

GRAINS = {"node": "a step for each node", "edge": "a step for each edge"}
OWN = "own"
LARGEST_WITH_CHOICE = 60
"""Of larger graphs only the version that was asked for is made."""


class Versions:
    """The traces of one graph under the names ``order/grain``, their films and one layout.

    Attributes
    ----------
    traces : dict of str to Trace
        By name, such as ``ancestors/node``.
    films : dict of str to Film
        By the same names.
    asked : str
        The name of the version that was asked for.
    orders : dict of str to str
        What the page calls each order.
    """

    def __init__(
        self,
        graph: ComputationGraph,
        output: Tensor | None,
        order: Order,
        grain: str,
        seed: ArrayLike | None,
        variables: Mapping[str, object],
    ) -> None:
        check_grain(grain)
        first = Trace(graph, output, order, seed, variables)
        name = order if isinstance(order, str) else OWN
        by_order = {name: first}
        grains = [grain]
        if len(graph.nodes) <= LARGEST_WITH_CHOICE:
            grains = list(GRAINS)
            for other in ("ancestors", "append"):
                if other not in by_order:
                    by_order[other] = Trace(graph, output, other, seed, variables)
        self.asked = f"{name}/{grain}"
        self.traces: dict[str, Trace] = {}
        for key in ("ancestors", "append", OWN):
            if key in by_order:
                trace = by_order[key]
                for one in grains:
                    self.traces[f"{key}/{one}"] = trace.by_edge() if one == "edge" else trace
        self.films: dict[str, Film] = dict(
            zip(self.traces, films_of(list(self.traces.values())), strict=True)
        )
        self.layout = lay_out(*self.films.values())
        self.orders = {key: _label(key, trace) for key, trace in by_order.items()}

    def payload(self) -> dict[str, Any]:
        """Return what the page needs of all versions."""
        sheets = Sheets()
        trace = self.traces[self.asked]
        grains = dict.fromkeys(name.split("/")[1] for name in self.traces)
        orders = dict.fromkeys(name.split("/")[0] for name in self.traces)
        return {
            "orders": [[key, self.orders[key]] for key in orders],
            "grains": [[key, GRAINS[key]] for key in grains],
            **graph_payload(trace),
            "tensors": sheets.tensors(trace),
            "versions": {
                name: {
                    "film": film_payload(self.films[name]),
                    **trace_payload(one),
                    "gradients": sheets.gradients(one),
                }
                for name, one in self.traces.items()
            },
            "sheets": sheets.made,
        }

    def same_moment(self, index: int, old: str, new: str) -> int:
        """Return the step of another version that is about the same, or where its pass starts."""
        step = self.traces[old].steps[index]
        steps = self.traces[new].steps
        seed = next(place for place, other in enumerate(steps) if other.kind == "seed")
        for place, other in enumerate(steps):
            if (other.kind, other.tensor) == (step.kind, step.tensor):
                return place
        return seed


def check_grain(grain: object) -> None:
    """Refuse anything but the names of the two grains.

    Raises
    ------
    BackwardError
        Naming both.
    """
    if grain not in GRAINS:
        raise BackwardError(f"unknown grain: {grain!r} (must be 'node' or 'edge')")


def _label(order: str, trace: Trace) -> str:
    output = trace.snapshot.items[trace.output].name
    if order == "ancestors":
        return f"ancestors of {output}"
    if order == "append":
        return "whole list reversed"
    return f"as given: {_short_list(trace.positions)}"


def _short_list(positions: Sequence[int]) -> str:
    shown = ", ".join(map(str, positions[:6]))
    return f"[{shown}{', …' if len(positions) > 6 else ''}]"
