"""`why`: where a gradient comes from, as a list of paths that shows itself."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

import numpy as np

from minigrad.diagram import LARGEST_WHOLE, Layouts, Theme
from minigrad.diagram.directions import Choice, check_direction
from minigrad.diagram.palette import check_theme
from minigrad.diagram.windows import check_nodes
from minigrad.engine.checks import as_named, place_among, whole_number
from minigrad.engine.errors import BackwardError
from minigrad.engine.graph import ComputationGraph
from minigrad.engine.tensor import Tensor
from minigrad.export.drawing import Drawing
from minigrad.export.mime_bundle import DARK_STYLE, FOLLOWS, html_image, png_if_drawable
from minigrad.export.stacked import stacked_png
from minigrad.progress import one_work
from minigrad.trace.cached import cached_property
from minigrad.trace.names import caller_variables
from minigrad.why.film import film_of_paths
from minigrad.why.paths import Paths
from minigrad.why.words import WhyWords, describe_path, tell_why

MOST_PICTURES = 4
"""In a notebook so many paths are drawn at once; the others can be asked for."""
CODE_STYLE = "background: none; color: inherit; padding: 0"
ONE_SCREEN = """<style>
.mg-why-list { max-height: 640px; overflow: auto; }
@media print { .mg-why-list { max-height: none; } }
</style>"""
"""However many paths there are, they take no more than is seen of a notebook at once."""
STYLE = (
    "margin: 0 0 12px; padding: 8px 12px; width: max-content; max-width: 100%; overflow-x: auto; "
    "background: #ffffff; color: #16202b; border: 1px solid #cfd5dc; border-radius: 8px"
)


class Why:
    """The gradient of an output with respect to one tensor, as a sum over paths.

    A path's share is the product of the local derivatives along it. In a notebook each path
    stands there with its picture.

    Attributes
    ----------
    paths : list of minigrad.why.paths.Path
        The heaviest first. Each has its tensors, its arrows with their local derivatives, and
        its value, the share.
    count : int
        How many paths there are in all.
    gradient : numpy.ndarray
        What all of them come to together.
    rest : numpy.ndarray
        What those that are not listed come to together.
    products_by_paths, products_by_backward : int
        How many multiplications by a local derivative it takes to go along each path by itself,
        and how many backward needs.
    """

    def __init__(self, paths: Paths, most: int) -> None:
        self._all = paths
        self.paths = paths.heaviest(most)
        self.count = paths.count
        self.gradient = paths.gradient
        with np.errstate(all="ignore"):  # of infinite shares, the rest is nan
            self.rest = paths.gradient - sum(path.value for path in self.paths)
        self.products_by_paths = paths.products_by_paths
        self.products_by_backward = paths.products_by_backward
        self._layouts: dict[range, Layouts] = {}

    def draw(
        self,
        number: int = 0,
        *,
        nodes: range | None = None,
        theme: Theme | None = None,
        direction: Choice = "auto",
    ) -> Drawing:
        """Return the picture of the graph with one path lit, to show or to save.

        Parameters
        ----------
        number : int, default 0
            Which of `paths`.
        nodes : range, optional
            The positions of the nodes to draw, up to 200; by default all.
        theme : {'light', 'dark'}, optional
            Which colours to use; by default light, and dark where it is shown in a dark notebook.
        direction : {'auto', 'right', 'down'}, default 'auto'
            From left to right, from top to bottom, or as it fits best.

        Raises
        ------
        PlaceError
            If there is no such path; it is an IndexError too.
        DrawingError
            If there are too many nodes to draw.

        Examples
        --------
        >>> import minigrad as mg
        >>> graph, x = mg.ComputationGraph(), mg.Tensor(3.0, requires_grad=True)
        >>> w = mg.mul(graph, x, x)
        >>> mg.why(graph, w, x).draw(1)
        Drawing(Path 2 of 2: x →² #0: x = 3.0)
        """
        number = place_among(number, len(self.paths), "path")
        if theme is not None:
            theme = check_theme(theme)
        direction = check_direction(direction)
        chosen = check_nodes(nodes, self._all.snapshot)
        film = film_of_paths(self._all.snapshot.part(chosen, constants=False), self.paths)
        layouts = self._layouts.setdefault(chosen, Layouts(film))
        description = describe_path(self._all, number, self.paths[number])
        return Drawing(film, number, layouts, description, theme, direction)

    @cached_property
    def _words(self) -> WhyWords:
        return tell_why(self._all, self.paths, self.rest)

    @property
    def title(self) -> str:
        """What the gradient is, and over how many paths it is the sum."""
        return self._words.title

    @property
    def lines(self) -> list[str]:
        """Each path with its product, in symbols and in numbers."""
        return self._words.lines

    @property
    def unlisted(self) -> str:
        """What the paths that are not listed come to; empty if all are."""
        return self._words.unlisted

    @property
    def remarks(self) -> list[str]:
        """What is to be said about the paths, and about how backward saves visiting each."""
        return self._words.remarks

    def __repr__(self) -> str:
        lines = [*self.lines, *([self.unlisted] if self.unlisted else [])]
        return "\n".join([self.title, *(f"  {line}" for line in lines), *self.remarks])

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, str]:
        is_drawn = self._all.snapshot.count <= LARGEST_WHOLE
        shown = self.lines[:MOST_PICTURES] if is_drawn else []
        pictures = [(line, self.draw(number)) for number, line in enumerate(shown)]
        png = png_if_drawable(lambda: stacked_png(pictures)) if pictures else {}
        return {"text/html": self._html(pictures), **png, "text/plain": repr(self)}

    def _html(self, pictures: list[tuple[str, Drawing]]) -> str:
        parts = [DARK_STYLE, ONE_SCREEN, f"<p><strong>{escape(self.title)}</strong></p>"]
        for line, drawing in pictures:
            caption = f'<code style="{CODE_STYLE}">{escape(line)}</code>'
            card = f'<figure class="{FOLLOWS}" style="{STYLE}" tabindex="0">'
            attributes = 'style="max-width: none"'
            image = html_image(drawing.svg, drawing.description, attributes=attributes)
            parts.append(f"{card}<figcaption>{caption}</figcaption>{image}</figure>")
        others = self.lines[len(pictures) :]
        parts += [f'<p><code style="{CODE_STYLE}">{escape(line)}</code></p>' for line in others]
        parts += [f"<p>{escape(text)}</p>" for text in (self.unlisted, *self.remarks) if text]
        # formulas run from left to right, also in a page that does not
        return "\n".join(['<div class="mg-why-list" dir="ltr" tabindex="0">', *parts, "</div>"])


def why(
    graph: ComputationGraph,
    output: Tensor,
    source: Tensor,
    *,
    most: int = 10,
    variables: Mapping[str, object] | None = None,
) -> Why:
    """Tell where a gradient comes from: the sum over all paths, each with its product.

    Parameters
    ----------
    graph : ComputationGraph
        The graph that recorded `output`.
    output : Tensor
        What was differentiated: a single number.
    source : Tensor
        With respect to what: a leaf, or the output of a node.
    most : int, default 10
        How many paths to list, the heaviest first. The others are counted, and what they come to
        is stated; that takes no time, however many they are.
    variables : mapping, optional
        Names for tensors that have none of their own; by default the caller's variables.

    Returns
    -------
    Why
        Shows itself; has ``paths``, ``count``, ``rest`` and ``draw(k)``.

    Raises
    ------
    BackwardError, GraphError, OpError
        If `source` is frozen or not in the graph, `output` is no single number, `most` is no
        count, and as `minigrad.backward` does.
    ArgumentError
        If `variables` is no dict.

    Examples
    --------
    >>> import minigrad as mg
    >>> x, y = mg.Tensor(3.0, requires_grad=True), mg.Tensor(4.0, requires_grad=True)
    >>> graph = mg.ComputationGraph()
    >>> with graph:
    ...     w = x * y + x
    >>> print(repr(mg.why(graph, w, x)).partition("Path by path")[0].strip())
    ∂w/∂x = 5.0: the sum over 2 paths from x to w
      x → #0 → #1: y · 1 = 4.0 · 1 = 4.0
      x → #1: 1 = 1.0
    """
    most = whole_number(most, "most", 1, error=BackwardError)
    names = caller_variables() if variables is None else as_named(variables, "variables")
    with one_work():
        return Why(Paths.of(graph, output, source, names), most)
