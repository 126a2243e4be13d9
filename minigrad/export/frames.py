"""`Frame` and `Deck`: the steps that are exported, each with its picture, words and numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from minigrad.engine.checks import listed, place_among
from minigrad.engine.errors import ExportError, told
from minigrad.trace import Snapshot, Trace, Words
from minigrad.trace.table import Row, gradient_rows

if TYPE_CHECKING:
    from minigrad.diagram.directions import Choice
    from minigrad.export.drawing import Drawing
    from minigrad.export.options import Options

Steps = str | Iterable[int]


@dataclass(frozen=True)
class Frame:
    """One picture and what there is to say about it.

    Attributes
    ----------
    drawing : Drawing
        The picture.
    place : str
        Which step it is, from 1, and of how many; empty for a diagram by itself.
    words : Words
        Title, sentence and formulas.
    rows : list of Row
        The gradient table.
    key : str
        Of the box that the step is about; empty for a diagram by itself.
    is_overview : bool
        Whether the picture is too large to be read, so that an overview stands in its place.
    """

    drawing: Drawing
    place: str
    words: Words
    rows: list[Row]
    key: str = ""
    is_overview: bool = False

    @property
    def diagram(self) -> Drawing:
        """What is drawn of the whole graph: the picture, or its overview."""
        return self.drawing.overview if self.is_overview else self.drawing

    def turned(self, direction: Choice) -> Frame:
        """Return the frame with its picture in another direction."""
        return replace(self, drawing=self.drawing.turned(direction))


def place_of(trace: Trace, index: int) -> str:
    """Tell which step is shown, or which ones at once: `` 3 of 5``, or ``s 3–4 of 5``."""
    steps = trace.covered(index)
    first, last = steps[0] + 1, steps[-1] + 1
    numbers = f" {first}" if first == last else f"s {first}–{last}"
    return f"{numbers} of {len(trace.steps)}"


@dataclass(frozen=True)
class Deck:
    """All that a stepper can be asked for by an export.

    Attributes
    ----------
    trace : Trace
        The steps.
    drawing : callable
        Makes the picture of a step, given its index from 0.
    part : callable
        Returns the part of the graph that the picture shows.
    current : int
        The step that is shown.
    page : callable
        Makes the page that steps through them, given the options, the step it opens at and its
        title.
    """

    trace: Trace
    drawing: Callable[[int], Drawing]
    part: Callable[[int], Snapshot]
    current: int
    page: Callable[[Options, int, str], bytes]

    def frame(self, index: int) -> Frame:
        """Return one step to export."""
        step, part = self.trace.shown(index), self.part(index)
        return Frame(
            self.drawing(index),
            f"step{place_of(self.trace, index)}",
            self.trace.explain(step),
            gradient_rows(self.trace, index, part),
            part.box_of(step.tensor),
        )

    def choose(self, steps: Steps) -> list[int]:
        """Return the indices from 0 of the steps that are meant.

        Parameters
        ----------
        steps : 'all' or iterable of int
            All of them, or some by their index, from the end if negative.

        Raises
        ------
        ExportError
            If there are none, or something else than whole numbers.
        PlaceError
            If the trace has no such step; it is an IndexError too.
        """
        count = len(self.trace.steps)
        if isinstance(steps, str):
            if steps != "all":
                raise ExportError(
                    f"unknown steps: {told(steps)} (must be 'all', a range or a list)"
                )
            return list(self.trace.stops)
        what = "'all', a range or a list of indices (of a single one, say step=…)"
        given = listed(steps, "steps", what, ExportError)
        chosen = [place_among(index, count, "step", ExportError) for index in given]
        if not chosen:
            raise ExportError("no steps to export; say steps='all', or which ones by their indices")
        return chosen
