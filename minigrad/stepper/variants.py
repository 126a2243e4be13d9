"""`Variants`: one pass told in several ways, by order and by how fine the steps are."""

from __future__ import annotations

import copy
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from numpy.typing import ArrayLike

from minigrad.diagram import Film, Layout, films_of, lay_out, windows_of
from minigrad.diagram.windows import scenes_in, windows_in_time
from minigrad.engine.errors import BackwardError
from minigrad.engine.graph import ComputationGraph
from minigrad.engine.tensor import Tensor
from minigrad.export import Drawing
from minigrad.export.frames import place_of
from minigrad.fold.groups import MOST_WHOLE, FoldChoice, Groups
from minigrad.fold.snapshot import fold
from minigrad.fold.trace import fold_trace
from minigrad.trace import Snapshot, Trace, describe
from minigrad.trace.timeline import Timeline
from minigrad.trace.trace import Order
from minigrad.why.payload import why_payload

GRAINS = {"node": "a step for each node", "edge": "a step for each edge"}
OWN = "own"
LARGEST_WITH_CHOICE = MOST_WHOLE
"""Of larger graphs only the variant that was asked for is made."""
MOST_KEPT = 16
"""So many views are kept for the next time."""


@dataclass(frozen=True)
class View:
    """One window of all variants.

    Attributes
    ----------
    part : Snapshot
        The nodes that are in it.
    scenes : dict of str to list of range
        Of each variant, the steps that happen in it.
    films : dict of str to Film
        Of each variant, what they look like.
    layout : Layout
        Where everything stands, in all of them.
    """

    part: Snapshot
    scenes: dict[str, list[range]]
    films: dict[str, Film]
    layout: Layout


class Variants:
    """The traces of one graph under the names ``order/grain``, and what is seen of them.

    Attributes
    ----------
    traces : dict of str to Trace
        By name, such as ``ancestors/node``.
    groups : Groups
        What can be folded.
    folded : frozenset of str
        The keys of the groups that are.
    asked : str
        The name of the variant that was asked for.
    orders : dict of str to str
        What the page calls each order.
    windows : list of range
        The places of the boxes in each window; one for all of a small graph.
    shown : dict of str to Timeline
        Of each variant, the number of the window that is shown, from when on.
    reasons : dict
        The paths behind each gradient, as `why_payload` has them.
    """

    def __init__(
        self,
        graph: ComputationGraph,
        output: Tensor | None,
        order: Order,
        grain: str,
        seed: ArrayLike | None,
        variables: Mapping[str, object],
        folding: FoldChoice = None,
    ) -> None:
        check_grain(grain)
        first = Trace.of(graph, output, order, seed, variables)
        name = order if isinstance(order, str) else OWN
        by_order = {name: first}
        grains = [grain]
        if len(graph.nodes) <= LARGEST_WITH_CHOICE:
            grains = list(GRAINS)
            for other in ("ancestors", "append"):
                if other not in by_order:
                    by_order[other] = Trace.of(graph, output, other, seed, variables)
        self.asked = f"{name}/{grain}"
        self._whole: dict[str, Trace] = {}
        for key in ("ancestors", "append", OWN):
            if key in by_order:
                trace = by_order[key]
                for one in grains:
                    self._whole[f"{key}/{one}"] = trace.by_edge() if one == "edge" else trace
        self.orders = {key: _label(key, trace) for key, trace in by_order.items()}
        self.reasons = why_payload(graph, first)
        self.groups = Groups(first.snapshot)
        self._fold(self.groups.chosen(folding))

    def with_folded(self, folded: frozenset[str]) -> Variants:
        """Return the same variants with some groups shown as one box each, and all others open.

        These here stay as they are: a file may still be drawn from them.

        Parameters
        ----------
        folded : frozenset of str
            Keys of the groups.
        """
        other = copy.copy(self)
        other._fold(folded)
        return other

    def _fold(self, folded: frozenset[str]) -> None:
        self.folded = folded
        first = next(iter(self._whole.values())).snapshot
        snapshot = fold(first, self.groups, folded) if self.groups.all else first
        self.traces = {key: fold_trace(trace, snapshot) for key, trace in self._whole.items()}
        self.windows = windows_of(len(snapshot.boxes), MOST_WHOLE)
        self.shown = {key: windows_in_time(one, self.windows) for key, one in self.traces.items()}
        self._views: dict[int, View] = {}
        self._lock = threading.Lock()  # files are drawn in another thread

    @property
    def snapshot(self) -> Snapshot:
        """The graph, with what is folded."""
        return self.traces[self.asked].snapshot

    def view(self, number: int) -> View:
        """Return one window's pictures, laid out; those asked for last are kept.

        Raises
        ------
        DrawingError
            If Graphviz fails or takes too long.
        """
        with self._lock:
            view = self._views.get(number)
        made = view or self._make_view(number)
        with self._lock:
            self._views.pop(number, None)
            self._views[number] = made
            if len(self._views) > MOST_KEPT:
                del self._views[next(iter(self._views))]
        return made

    def _make_view(self, number: int) -> View:
        traces = list(self.traces.values())
        part = self.snapshot.part(self.windows[number])
        scenes = {
            name: scenes_in(self.shown[name], number, len(trace.steps))
            for name, trace in self.traces.items()
        }
        films = films_of(traces, part, list(scenes.values()))
        return View(part, scenes, dict(zip(self.traces, films, strict=True)), lay_out(*films))

    def view_at(self, variant: str, step: int) -> View:
        """Return the view of the window in which a step happens."""
        return self.view(self.shown[variant].at(step) or 0)

    def frame(self, variant: str, step: int) -> Drawing:
        """Return the picture of a step."""
        trace, view = self.traces[variant], self.view_at(variant, step)
        words = trace.explain(trace.shown(step))
        description = " ".join(
            [
                f"Step{place_of(trace, step)}. {words.title} {words.sentence}",
                *words.formulas,
                describe(view.part),
            ]
        )
        return Drawing(view.films[variant], step, lambda: view.layout, description)

    def same_moment(self, index: int, old: str, new: str) -> int:
        """Return the step of another variant that is about the same, or where its pass starts."""
        step = self.traces[old].steps[index]
        steps = self.traces[new].steps
        seed = next(place for place, other in enumerate(steps) if other.kind == "seed")
        for place, other in enumerate(steps):
            if (other.kind, other.tensor) == (step.kind, step.tensor):
                return place
        return seed

    def opened(self, variant: str) -> Variants:
        """Return the variants with one asked for, all groups open, and no windows but one.

        Parameters
        ----------
        variant : str
            The name of the one.
        """
        other = self.with_folded(frozenset())
        other.asked = variant
        other.windows = [range(other.snapshot.count)]
        other.shown = {name: Timeline([(0, 0)]) for name in other.traces}
        return other

    def keep(self, number: int, view: View) -> None:
        """Show a view that was made elsewhere in a window."""
        with self._lock:
            self._views[number] = view


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
    output = trace.snapshot.vertices[trace.output].name
    if order == "ancestors":
        return f"ancestors of {output}"
    if order == "append":
        return "whole list reversed"
    return f"as given: {_short_list(trace.positions)}"


def _short_list(positions: Sequence[int]) -> str:
    shown = ", ".join(map(str, positions[:6]))
    return f"[{shown}{', …' if len(positions) > 6 else ''}]"
