"""`compare`: two traces side by side, stepped together, with what differs marked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import traitlets

from minigrad.compare.drawing import draw_alike
from minigrad.compare.table import table_rows
from minigrad.compare.trace_pair import TracePair
from minigrad.compare.words import Verdict, titles_of, verdict_on
from minigrad.diagram import LARGEST_WHOLE
from minigrad.engine.checks import listed, place_among
from minigrad.engine.errors import ArgumentError, DrawingError, told
from minigrad.export import Drawing
from minigrad.export.mime_bundle import mime_bundle
from minigrad.export.stacked import described, stacked_png, stacked_svg
from minigrad.stepper.assets import COMPARE, CSS
from minigrad.stepper.payload import view_payload
from minigrad.stepper.picture_widget import Held, PictureWidget
from minigrad.stepper.step_sync import StepSync
from minigrad.stepper.stepper import Stepper
from minigrad.stepper.variants import Variants
from minigrad.stepper.widget_lifetime import belongs_to_cell, whole_or_closed
from minigrad.trace import Step
from minigrad.trace.names import one_line
from minigrad.trace.notation import visible


class Comparison(StepSync, PictureWidget):
    """Two traces side by side, stepped together, and what differs at each step.

    It shows what the two steppers showed when it was made, and goes on without them.

    Attributes
    ----------
    index : int
        The step that is shown, from 0; it can be set.
    steps : list of tuple of Step
        The steps of both that are shown at one time: records by their index, then the seeds, then
        visits by their index. Whoever has fewer of them waits at the last one.
    titles : tuple of str
        What each is called.
    differences : list of str
        For each step, what differs, in words.
    """

    _esm = COMPARE
    _css = CSS
    made_by = "mg.compare(mg.step(graph, w), mg.step(graph, w, order=[0, 1]))"
    payload = traitlets.Dict().tag(sync=True)
    _variants = Held[list[Variants]]()
    _both = Held[TracePair]()
    _verdicts = Held[list[Verdict]]()

    def __init__(self, first: Stepper, second: Stepper, titles: tuple[str, str] | None) -> None:
        self._variants = [one._variants.opened(one.variant) for one in (first, second)]
        draw_alike(self._variants)
        left, right = (variants.traces[variants.asked] for variants in self._variants)
        self._both = TracePair(left, right)
        orders = [
            variants.orders[one.order]
            for variants, one in zip(self._variants, (first, second), strict=True)
        ]
        self.titles = titles or titles_of(self._both, orders)
        moments = range(len(self._both.moments))
        self._verdicts = [verdict_on(self._both, moment) for moment in moments]
        payload = {
            "mode": "compare",
            "titles": list(self.titles),
            "views": [view_payload(variants, 0) for variants in self._variants],
            "why": [variants.why for variants in self._variants],
            "moments": [list(moment) for moment in self._both.moments],
            "told": [[one.title, one.clauses] for one in self._verdicts],
            "rows": table_rows(self._both, [variants.view(0).part for variants in self._variants]),
        }
        start = [0, 0, ""]
        with whole_or_closed(self):
            super().__init__(_from_python=start, _from_page=start, payload=payload)
            belongs_to_cell(self)

    @property
    def steps(self) -> list[tuple[Step, Step]]:
        """The steps of both traces that are shown at one time."""
        left, right = self._both.traces
        return [(left.steps[ours], right.steps[theirs]) for ours, theirs in self._both.moments]

    @property
    def differences(self) -> list[str]:
        """For each step, what differs, in words."""
        return [verdict.text() for verdict in self._verdicts]

    def _length(self, variant: str) -> int:
        return 0 if variant else len(self._both.moments)

    def frames(self, index: int | None = None) -> tuple[Drawing, Drawing]:
        """Return both pictures of one step, to show or to save.

        Parameters
        ----------
        index : int, optional
            Which step, from 0, or from the end if negative; by default the one shown.

        Raises
        ------
        PlaceError
            If there is no such step; it is an IndexError too.
        """
        count = len(self._both.moments)
        chosen = place_among(self.index if index is None else index, count, "step")
        moment = self._both.moments[chosen]
        return self._frame(0, moment[0]), self._frame(1, moment[1])

    def _frame(self, side: int, step: int) -> Drawing:
        trace, variants = self._both.traces[side], self._variants[side]
        words = trace.explain(trace.steps[step])
        view = variants.view(0)
        description = " ".join([words.title, words.sentence, *words.formulas])
        return Drawing(view.films[variants.asked], step, view.layouts, description)

    def _still(self) -> dict[str, str]:
        index = self.index or -1  # unless one was chosen, the complete one
        pictures = list(zip(self.titles, self.frames(index), strict=True))
        first, second = (f"({title})" for title in self.titles)
        text = f"{self._verdicts[index].text((first, second))} {described(pictures)}"
        return mime_bundle(stacked_svg(pictures), lambda: stacked_png(pictures), text)

    def _repr(self) -> str:
        titles = " beside ".join(f"'{title}'" for title in self.titles)
        return f"Comparison({titles}, step {self.index + 1} of {len(self._both.moments)})"


def compare(first: Stepper, second: Stepper, titles: Sequence[str] | None = None) -> Comparison:
    """Show two traces side by side, stepped together, with what differs marked.

    Two orders of one graph; one graph on other inputs; an op of your own beside the built-in one.
    Tensors of one name are compared with each other; those without a name where they stand at the
    same place of graphs of the same structure, or are made by the same op at the same position.
    (What ``graph.replay`` makes has the names that tensors have, and not those of variables.)

    Parameters
    ----------
    first, second : Stepper
        As `minigrad.step` makes them, of up to 200 nodes each; of each, the order and grain that it
        shows.
    titles : sequence of str, optional
        What to call them; by default what tells them apart: their orders, their inputs or ops.

    Returns
    -------
    Comparison
        A widget with ``index``, ``steps``, ``frames(k)`` and ``differences``.

    Raises
    ------
    ArgumentError
        If one of them is no stepper, one has a step for each node and the other for each edge, or
        `titles` are not two texts.
    DrawingError
        If a graph has more than 200 nodes.

    Examples
    --------
    >>> import minigrad as mg
    >>> a = mg.Tensor(1.0, requires_grad=True)
    >>> graph = mg.ComputationGraph()
    >>> with graph:
    ...     b = a + a
    ...     c = b + b
    >>> right, wrong = mg.step(graph, c), mg.step(graph, c, order=[1, 0, 0])
    >>> comparison = mg.compare(right, wrong, titles=("right", "wrong"))
    >>> comparison
    Comparison('right' beside 'wrong', step 1 of 6)
    >>> comparison.differences[-1].split("; ")[0]
    '≠ One tensor differs. a.grad: 4.0 on the left, 8.0 on the right'
    """
    for which, one in (("first", first), ("second", second)):
        if not isinstance(one, Stepper):
            raise ArgumentError(
                f"compare takes two steppers, and the {which} is {told(one)}; make one of it: "
                f" mg.compare(mg.step(graph, w), mg.step(graph, w, order=[0, 1]))"
            )
        count = one.trace.whole.snapshot.count
        if count > LARGEST_WHOLE:
            raise DrawingError(
                f"the {which} graph has {count} nodes, and mg.compare shows up to {LARGEST_WHOLE}; "
                f"step through each by itself, or compare smaller graphs of the same kind"
            )
    if first.grain != second.grain:
        raise ArgumentError(
            f"one has a step for each {first.grain}, the other for each {second.grain}, so their "
            f"steps cannot be paired; make both with grain={first.grain!r}"
        )
    return Comparison(first, second, _checked(titles))


def _checked(titles: Any) -> tuple[str, str] | None:
    if titles is None:
        return None
    what = "two texts, such as ('right order', 'wrong order')"
    given = listed(titles, "titles", what)
    if len(given) != 2 or not all(isinstance(one, str) and one.strip() for one in given):
        raise ArgumentError(f"titles must be {what}, not {told(titles)}")
    first, second = (one_line(visible(one)) for one in given)
    return first, second
