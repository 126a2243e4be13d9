"""`NudgedGraph`: what comes out if inputs are nudged, beside what the gradient promised."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from minigrad.engine.arguments import check_graph, choose_output
from minigrad.engine.backward import walk
from minigrad.engine.errors import BackwardError, TensorError
from minigrad.engine.graph import ComputationGraph
from minigrad.engine.replay import Replay, run_again
from minigrad.engine.tensor import Tensor
from minigrad.engine.values import Values
from minigrad.trace.notation import visible
from minigrad.trace.snapshot import Snapshot

FRACTIONS = (1.0, 0.5, 0.1, 0.01)
"""Of the nudges; for each, it is measured by how much the promise is off."""
POINTS = 41
FEWEST_STEPS = 50
"""That a slider has to each side of the start, at least."""


@dataclass(frozen=True, slots=True)
class Handle:
    """One leaf that can be nudged: a single number.

    Attributes
    ----------
    key, name : str
        Of its tensor; a constant's name says which node uses it.
    label : str
        The name as people write it, on one line.
    is_frozen : bool
        Whether it has no gradient.
    start : float
        Its value before any nudge.
    step : float
        From one place of its slider to the next.
    steps : int
        How many places the slider has to each side of the start.
    """

    key: str
    name: str
    label: str
    is_frozen: bool
    start: float
    step: float
    steps: int

    @property
    def reach(self) -> tuple[float, float]:
        """Both ends of the slider."""
        return self.start - self.steps * self.step, self.start + self.steps * self.step


@dataclass(frozen=True, slots=True)
class NudgeResult:
    """What there is to see when the leaves have certain values.

    Attributes
    ----------
    values : dict of str to numpy.ndarray
        Of all tensors, by key.
    nudges : dict of str to float
        Of the leaves with a gradient that are not at their start, how far they are from it.
    start : float
        The output before these nudges. Frozen leaves have no part in a promise: the start is
        where they are now.
    gradients : dict of str to float
        Of the output at the start, for each leaf that has one.
    promised, exact : float
        The output after the nudges: by ``start + Σ gradient · nudge``, and computed.
    errors : tuple of float
        ``exact - promised`` for the nudges, and for smaller ones: see `FRACTIONS`.
    """

    values: dict[str, Values]
    nudges: dict[str, float]
    start: float
    gradients: dict[str, float]
    promised: float
    exact: float
    errors: tuple[float, ...]


class NudgedGraph:
    """A graph that is run again, in float64, on nudged leaves; the graph itself stays as it is.

    Parameters
    ----------
    graph : ComputationGraph
        The graph that recorded `output`.
    output : Tensor, optional
        A single number; by default the output of the last node.
    variables : mapping, optional
        Where to look for names of tensors that have none.

    Attributes
    ----------
    snapshot : Snapshot
        The tensors and edges, with their names.
    output : str
        The output's key.
    handles : list of Handle
        The leaves that can be nudged: those with a gradient, then the frozen ones.

    Raises
    ------
    BackwardError
        If the output is frozen or not a single number, or no leaf is one.
    GraphError
        If `output` was recorded by another graph.
    """

    def __init__(
        self,
        graph: ComputationGraph,
        output: Tensor | None = None,
        variables: Mapping[str, object] | None = None,
    ) -> None:
        check_graph(graph)
        output = choose_output(graph, output)
        if output.values.size != 1 or output.grad_fn_index is None:
            raise BackwardError(
                f"nudge compares single numbers that a graph computed, and {output.label} has "
                f"shape {output.shape}; sum it first, inside the same graph: output.sum()"
            )
        self.snapshot = Snapshot.of(graph, variables, output)
        self.output = self.snapshot.key(output)
        leaves = dict.fromkeys(
            tensor for node in graph.nodes for tensor in node.inputs if tensor.grad_fn_index is None
        )
        starts = {leaf: _start(leaf) for leaf in leaves if leaf.shape == ()}
        starts = {leaf: start for leaf, start in starts.items() if math.isfinite(start)}
        if not starts:
            raise BackwardError(
                "no leaf of this graph is a single finite number, so there is none to nudge; for "
                "arrays, graph.replay({x: …}) runs the graph again on other values"
            )
        twin = Replay(graph, starts, np.float64)
        self._graph = twin.graph
        self._output = twin[output]
        self._keys = {twin[leaf]: self.snapshot.key(leaf) for leaf in leaves}
        self._leaves = {key: leaf for leaf, key in self._keys.items()}
        handles = [self._handle(self.snapshot.key(leaf), start) for leaf, start in starts.items()]
        self.handles = sorted(handles, key=lambda handle: handle.is_frozen)
        self._bases: dict[tuple[float, ...], tuple[float, dict[str, float]]] = {}
        self._curves: dict[object, list[tuple[float, float]]] = {}

    def _handle(self, key: str, start: float) -> Handle:
        vertex = self.snapshot.vertices[key]
        name, label = vertex.given_name, vertex.name
        if not name:
            user = next(edge.target for edge in self.snapshot.edges if edge.source == key)
            name = label = f"{label} in #{self.snapshot.position_of(user)}"
        half = max(1.0, abs(start))
        step = _round_step(half / FEWEST_STEPS)
        return Handle(
            key, name, label, vertex.kind == "frozen", start, step, math.ceil(half / step)
        )

    @property
    def starts(self) -> dict[str, float]:
        """The value of each handle before any nudge, by key."""
        return {handle.key: handle.start for handle in self.handles}

    def key_of(self, name: str) -> str:
        """Return the key of the handle with a name.

        Raises
        ------
        TensorError
            If there is none.
        """
        for handle in self.handles:
            if name in (handle.name, handle.label):
                return handle.key
        names = ", ".join(visible(handle.name) for handle in self.handles)
        raise TensorError(f"there is no {name!r} to nudge; there are: {names}")

    def at(self, values: Mapping[str, float]) -> NudgeResult:
        """Return what there is to see when the handles have these values, by key."""
        with np.errstate(all="ignore"):  # an infinity or nan is shown, and that is enough
            return self._at(self.starts | dict(values))

    def _at(self, values: dict[str, float]) -> NudgeResult:
        start, gradients = self._base(values)
        made = self._run(values)
        seen = {key: made[leaf].values for leaf, key in self._keys.items()}
        for position, node in enumerate(self._graph.nodes):
            seen[f"n{position}"] = made[node.output].values
        nudges = {
            one.key: values[one.key] - one.start
            for one in self.handles
            if not one.is_frozen and values[one.key] != one.start
        }
        promise = sum(gradients[key] * nudge for key, nudge in nudges.items())
        exact = made[self._output].item()
        errors = [exact - (start + promise)]
        for fraction in FRACTIONS[1:] if nudges else ():
            nearer = {key: self.starts[key] + fraction * nudge for key, nudge in nudges.items()}
            reached = self._run(values | nearer)[self._output].item()
            errors.append(reached - (start + fraction * promise))
        return NudgeResult(seen, nudges, start, gradients, start + promise, exact, tuple(errors))

    def _run(self, values: Mapping[str, float]) -> dict[Tensor, Tensor]:
        """Run all nodes forward, for their values alone, and return what stands for each tensor."""
        leaves = {leaf: leaf for leaf in self._keys}
        for key, value in values.items():
            leaves[self._leaves[key]] = Tensor.of_values(np.asarray(value, np.float64)[()])
        return run_again(self._graph, leaves)

    def _base(self, values: Mapping[str, float]) -> tuple[float, dict[str, float]]:
        """Return the output and its gradients where only frozen leaves are not at their start."""
        frozen = {one.key: values[one.key] for one in self.handles if one.is_frozen}
        place = tuple(frozen.values())
        if place not in self._bases:
            leaves = {self._leaves[key]: value for key, value in (self.starts | frozen).items()}
            replay = self._graph.replay(leaves)
            _, of_leaves, _ = walk(replay.graph, replay[self._output])
            gradients = {
                one.key: float(np.sum(of_leaves.get(replay[self._leaves[one.key]], 0.0)))
                for one in self.handles
                if not one.is_frozen
            }
            self._bases = {place: (replay[self._output].item(), gradients)}
        return self._bases[place]

    def curve(self, key: str, values: Mapping[str, float]) -> list[tuple[float, float]]:
        """Return the output along the reach of one handle, the others being where they are."""
        values = self.starts | dict(values)
        handle = next(one for one in self.handles if one.key == key)
        low, high = handle.reach
        ends = (min(low, values[key]), max(high, values[key]))
        others = tuple(value for other, value in values.items() if other != key)
        if (key, ends, others) not in self._curves:
            places = np.linspace(*ends, POINTS).tolist()
            with np.errstate(all="ignore"):
                points = [(x, self._run(values | {key: x})[self._output].item()) for x in places]
            self._curves = {(key, ends, others): points}  # it stays while one leaf is dragged
        return self._curves[key, ends, others]


def _start(leaf: Tensor) -> float:
    """Return a leaf's number as it is written: 3.1, not the 3.0999999 that float32 holds."""
    return float(str(leaf.settled()[()]))


def _round_step(size: float) -> float:
    """Return the largest of 1, 2 and 5, times a power of ten, that is not above a size.

    Examples
    --------
    >>> _round_step(0.06), _round_step(0.02), _round_step(3.0)
    (0.05, 0.02, 2.0)
    """
    power = math.floor(math.log10(size))
    factor = max(one for one in (1, 2, 5) if one * 10.0**power <= size * (1 + 1e-9))
    return float(f"{factor}e{power}")
