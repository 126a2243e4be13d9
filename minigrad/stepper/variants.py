"""`Variants`: one pass told in several ways, by order and by how fine the steps are."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from numpy.typing import ArrayLike

from minigrad.diagram import Film, Layouts, films_of, windows_of
from minigrad.diagram.directions import Choice
from minigrad.diagram.windows import scenes_in, windows_in_time
from minigrad.engine.checks import one_of
from minigrad.engine.errors import BackwardError
from minigrad.engine.graph import ComputationGraph
from minigrad.engine.tensor import Tensor
from minigrad.export import Drawing
from minigrad.export.frames import place_of
from minigrad.fold.groups import MOST_WHOLE, FoldChoice, Groups
from minigrad.fold.snapshot import fold
from minigrad.fold.trace import fold_trace
from minigrad.predict.payload import questions_payload
from minigrad.trace import Snapshot, Trace, describe
from minigrad.trace.timeline import Timeline
from minigrad.trace.trace import Order, chosen_order
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
        Of each variant with a trace of its own, the steps that happen in it.
    films : dict of str to Film
        Of each of these, what they look like.
    layouts : Layouts
        Where everything stands, in all of them.
    """

    part: Snapshot
    scenes: dict[str, list[range]]
    films: dict[str, Film]
    layouts: Layouts


class Variant(NamedTuple):
    """One way to tell a pass.

    Attributes
    ----------
    order : {'ancestors', 'append', 'own'}
        The order of the pass.
    grain : {'node', 'edge'}
        How much is one step.
    """

    order: str
    grain: str

    @property
    def key(self) -> str:
        """What it is known by, such as ``ancestors/node``."""
        return f"{self.order}/{self.grain}"


class Variants:
    """The traces of one graph, by order and grain, and what is seen of them.

    Attributes
    ----------
    all : dict of str to Variant
        All of them, by their keys.
    traces : dict of str to Trace
        Of each variant, its trace.
    same_as : dict of str to str
        Of each variant, the first one with the same trace: two orders are often the same, and
        what is seen of them is made and sent once.
    groups : Groups
        What can be folded.
    folded : frozenset of str
        The keys of the groups that are.
    constants : bool
        Whether each constant is a box, or stands inside that of the node that uses it.
    asked : str
        The key of the variant that was asked for.
    orders : dict of str to str
        What the page calls each order.
    windows : list of range
        The places of the boxes in each window; one for all of a small graph.
    shown : dict of str to Timeline
        Of each variant, the number of the window that is shown, from when on.
    direction : {'auto', 'right', 'down'}
        Where results are to stand, seen from their operands.
    questions : dict
        What there is to ask, as `questions_payload` has it.
    why : dict
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
        *,
        constants: bool = False,
        direction: Choice = "auto",
    ) -> None:
        grain = check_grain(grain)
        self.direction = direction
        first = Trace.of(graph, output, order, seed, variables)
        asked = Variant(order if isinstance(order, str) else OWN, grain)
        by_order = {asked.order: first}
        grains = [grain]
        if len(graph.nodes) <= LARGEST_WITH_CHOICE:
            grains = list(GRAINS)
            for other in ("ancestors", "append"):
                positions = chosen_order(graph, other, first.ancestors)
                same = (trace for trace in by_order.values() if trace.positions == positions)
                by_order.setdefault(
                    other,
                    next(same, None)
                    or Trace.of(graph, output, other, seed, snapshot=first.snapshot),
                )
        self.asked = asked.key
        self.all: dict[str, Variant] = {}
        self.same_as: dict[str, str] = {}
        self._whole: dict[str, Trace] = {}
        for name in (one for one in ("ancestors", "append", OWN) if one in by_order):
            for one in grains:
                self._add(Variant(name, one), by_order[name])
        self.orders = {key: _label(key, trace) for key, trace in by_order.items()}
        self.why = why_payload(graph, first)
        self.questions = questions_payload(
            {key: trace for key, trace in self._whole.items() if self.same_as[key] == key}
        )
        self.groups = Groups(first.snapshot)
        self._draw(self.groups.chosen(folding), constants=constants)

    def _add(self, variant: Variant, trace: Trace) -> None:
        key = variant.key
        self.all[key] = variant
        for other, before in self.all.items():
            is_same = before.grain == variant.grain
            if other in self._whole and is_same and self._whole[other].positions == trace.positions:
                self.same_as[key] = other
                self._whole[key] = self._whole[other]
                return
        self.same_as[key] = key
        self._whole[key] = trace.by_edge() if variant.grain == "edge" else trace

    @property
    def distinct(self) -> dict[str, Trace]:
        """The traces that differ, by the first variant of each."""
        return {key: trace for key, trace in self.traces.items() if self.same_as[key] == key}

    def redrawn(
        self,
        *,
        folded: frozenset[str] | None = None,
        constants: bool | None = None,
        direction: Choice | None = None,
    ) -> Variants:
        """Return the same variants in another picture; in another direction alone, it is the same.

        These here stay as they are: a file may still be drawn from them.

        Parameters
        ----------
        folded : frozenset of str, optional
            Keys of the groups that are shown as one box each, all others being open; by default
            those that are so now.
        constants : bool, optional
            Whether each constant is a box; by default as it is now.
        direction : {'auto', 'right', 'down'}, optional
            Where results are to stand; by default as it is now.
        """
        other = copy.copy(self)
        other.direction = self.direction if direction is None else direction
        folded = self.folded if folded is None else folded
        constants = self.constants if constants is None else constants
        if (folded, constants) != (self.folded, self.constants):
            other._draw(folded, constants=constants)
        return other

    def _draw(self, folded: frozenset[str], *, constants: bool) -> None:
        self.folded, self.constants = folded, constants
        first = next(iter(self._whole.values())).snapshot
        snapshot = fold(first, self.groups, folded) if self.groups.all else first
        made = {key: fold_trace(self._whole[key], snapshot) for key in set(self.same_as.values())}
        self.traces = {key: made[self.same_as[key]] for key in self._whole}
        self.windows = windows_of(len(snapshot.boxes), MOST_WHOLE)
        self.shown = {key: windows_in_time(one, self.windows) for key, one in self.traces.items()}
        self._views: dict[int, View] = {}

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
        # files are drawn in another thread; there is no lock, which a forked child might wait for
        made = self._views.get(number) or self._make_view(number)
        self._views.pop(number, None)
        self._views[number] = made
        for longest_ago in list(self._views)[:-MOST_KEPT]:
            self._views.pop(longest_ago, None)
        return made

    def _make_view(self, number: int) -> View:
        part = self.snapshot.part(self.windows[number], constants=self.constants)
        scenes = {
            name: scenes_in(self.shown[name], number, len(trace.steps))
            for name, trace in self.distinct.items()
        }
        films = films_of(list(self.distinct.values()), part, list(scenes.values()))
        return View(part, scenes, dict(zip(scenes, films, strict=True)), Layouts(*films))

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
        film = view.films[self.same_as[variant]]
        return Drawing(film, step, view.layouts, description, direction=self.direction)

    def same_moments(self, old: str, new: str) -> list[int]:
        """Return, for each step of a variant, the step of another one that is about the same.

        Where there is none, it is the one where the other pass starts.
        """
        if self.same_as[old] == self.same_as[new]:
            return list(range(len(self.traces[old].steps)))
        places: dict[tuple[str, str], int] = {}
        for place, step in enumerate(self.traces[new].steps):
            places.setdefault((step.kind, step.tensor), place)
        seed = next(place for (kind, _), place in places.items() if kind == "seed")
        steps = self.traces[old].steps
        return [places.get((step.kind, step.tensor), seed) for step in steps]

    def opened(self, variant: str) -> Variants:
        """Return the variants with one asked for, all groups open, and no windows but one.

        Parameters
        ----------
        variant : str
            The name of the one.
        """
        other = copy.copy(self)
        other._draw(frozenset(), constants=self.constants)  # with views of its own, to keep some in
        other.asked = variant
        other.windows = [range(other.snapshot.count)]
        other.shown = {name: Timeline([(0, 0)]) for name in other.traces}
        return other

    def keep(self, number: int, view: View) -> None:
        """Show a view that was made elsewhere in a window."""
        self._views[number] = view


def check_grain(grain: object) -> str:
    """Return the name of one of the two grains.

    Raises
    ------
    BackwardError
        Naming both.
    """
    return one_of(grain, "grain", GRAINS, BackwardError)


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
