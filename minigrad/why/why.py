"""`why`: where a gradient comes from, path by path, in words and in pictures."""

from __future__ import annotations

import math
from collections.abc import Mapping
from html import escape

from minigrad.diagram import LARGEST_WHOLE, Layout, Theme, lay_out
from minigrad.diagram.windows import check_nodes
from minigrad.engine.errors import BackwardError
from minigrad.engine.graph import ComputationGraph
from minigrad.engine.tensor import Tensor
from minigrad.export.drawing import Drawing
from minigrad.progress import one_work
from minigrad.trace import Contribution
from minigrad.trace.names import caller_variables
from minigrad.trace.numbers import as_factor, format_values
from minigrad.trace.words import as_symbol
from minigrad.why.film import film_of_paths
from minigrad.why.paths import Path, Paths

MOST_PICTURES = 4
"""In a notebook so many paths are drawn at once; the others can be asked for."""
LONGEST_PATH = 8
"""Of longer paths the middle is left out."""
MOST_DIGITS = 15
SMALL = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
CODE_STYLE = "background: none; color: inherit; padding: 0"
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
        self.rest = paths.gradient - sum(path.value for path in self.paths)
        self.products_by_paths = paths.products_by_paths
        self.products_by_backward = paths.products_by_backward
        self._layouts: dict[range, Layout] = {}

    def draw(
        self, number: int = 0, *, nodes: range | None = None, theme: Theme = "light"
    ) -> Drawing:
        """Return the picture of the graph with one path lit, to show or to save.

        Parameters
        ----------
        number : int, default 0
            Which of `paths`.
        nodes : range, optional
            The positions of the nodes to draw, up to 200; by default all.
        theme : {'light', 'dark'}
            Which colours to use.

        Raises
        ------
        IndexError
            If there is no such path.
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
        count = len(self.paths)
        if not -count <= number < count:
            last = f"this has paths 0 to {count - 1}" if count else "there are none"
            raise IndexError(f"there is no path {number} here; {last}")
        chosen = check_nodes(nodes, self._all.snapshot)
        film = film_of_paths(self._all.snapshot.part(chosen), self.paths)

        def layout() -> Layout:
            if chosen not in self._layouts:
                self._layouts[chosen] = lay_out(film)
            return self._layouts[chosen]

        number %= count
        description = f"Path {number + 1} of {self._told_count()}: {self._line(self.paths[number])}"
        return Drawing(film, number, layout, description, theme)

    @property
    def title(self) -> str:
        """What the gradient is, and over how many paths it is the sum."""
        vertices = self._all.snapshot.vertices
        output, source = vertices[self._all.output].name, vertices[self._all.source].name
        start = f"∂{output}/∂{source} = {format_values(self.gradient)}"
        if not self.count:
            return f"{start}: no path leads from {source} to {output}, which does not depend on it"
        if self.count == 1:
            return f"{start}: there is one path from {source} to {output}"
        return f"{start}: the sum over {self._told_count()} paths from {source} to {output}"

    def _told_count(self) -> str:
        return tell(self.count)

    def _line(self, path: Path) -> str:
        """Write a path and its product, in symbols and in numbers."""
        source = self._all.snapshot.vertices[self._all.source].name
        positions = (self._all.snapshot.position_of(key) for key in path.tensors[1:])
        steps = zip(path.arrows, positions, strict=True)
        stations = [source, *(f"→{self._which(arrow)} #{node}" for arrow, node in steps)]
        symbols = [as_symbol(arrow.rule) for arrow in path.arrows]
        parts = [_shortened(symbols, " · ")]
        if all(arrow.local is not None for arrow in path.arrows):
            numbers = [
                symbol if arrow.rule in ("1", "-1") else as_factor(arrow.local)
                for symbol, arrow in zip(symbols, path.arrows, strict=True)
                if arrow.local is not None
            ]
            parts.append(_shortened(numbers, " · "))
        parts.append(format_values(path.value))
        product = " = ".join(dict.fromkeys(part for part in parts if part))
        return f"{_shortened(stations, ' ')}: {product}"

    def _which(self, arrow: Contribution) -> str:
        """Return a small number if the same tensor is several operands of a node: x * x."""
        others = self._all.snapshot.edges_into(self._all.target_of(arrow))
        is_one_of_several = sum(edge.source == arrow.tensor for edge in others) > 1
        return str(arrow.slot + 1).translate(SMALL) if is_one_of_several else ""

    @property
    def unlisted(self) -> str:
        """What the paths that are not listed come to; empty if all are."""
        more = self.count - len(self.paths)
        if not more:
            return ""
        noun = "path" if more == 1 else "paths"
        told = f"and {tell(more)} more {noun}, together {format_values(self.rest)}"
        if not self._all.has_numbers:
            told += (
                " (some local derivatives are arrays, so these are some of the paths, and not "
                "always the heaviest)"
            )
        return told

    @property
    def remarks(self) -> list[str]:
        """What is to be said about the paths, and about how backward saves visiting each."""
        remarks = []
        if any(arrow.local is None for path in self.paths for arrow in path.arrows):
            remarks.append(
                "Where numbers are missing, a local derivative is not one number for each "
                "element. The share of such a path is what backward passes on along it alone."
            )
        if any(self._which(arrow) for path in self.paths for arrow in path.arrows):
            remarks.append(
                "A small number at an arrow says which operand it is, where a node uses one tensor "
                "more than once."
            )
        if self.count > 1:
            remarks.append(
                f"Path by path, that takes {tell(self.products_by_paths)} products, one for each "
                f"arrow of each path. Backward adds up what comes to a tensor before it goes on, "
                f"so it need not visit each path: it takes {tell(self.products_by_backward)} "
                f"products, one for each arrow of the graph, and finds the gradients of all other "
                f"tensors on the way."
            )
        return remarks

    @property
    def lines(self) -> list[str]:
        """Each path with its product, in symbols and in numbers."""
        if self._all.source == self._all.output:
            return []  # a path without an arrow: the title says it all
        return [self._line(path) for path in self.paths]

    def __repr__(self) -> str:
        lines = [*self.lines, *([self.unlisted] if self.unlisted else [])]
        return "\n".join([self.title, *(f"  {line}" for line in lines), *self.remarks])

    def _repr_html_(self) -> str:
        parts = [f"<p><strong>{escape(self.title)}</strong></p>"]
        is_drawn = self._all.snapshot.count <= LARGEST_WHOLE
        for number, line in enumerate(self.lines):
            caption = f'<code style="{CODE_STYLE}">{escape(line)}</code>'
            if is_drawn and number < MOST_PICTURES:
                svg = self.draw(number).svg
                picture = svg[svg.index("<svg") :]
                start = f'<figure style="{STYLE}" tabindex="0"><figcaption>{caption}</figcaption>'
                parts.append(f"{start}{picture}</figure>")
            else:
                parts.append(f"<p>{caption}</p>")
        parts += [f"<p>{escape(text)}</p>" for text in (self.unlisted, *self.remarks) if text]
        return "\n".join(parts)


def tell(count: int) -> str:
    """Write a count: with commas, or in powers of ten where nobody would read its digits.

    Examples
    --------
    >>> tell(2**40), tell(2**400)
    ('1,099,511,627,776', 'about 2.58·10^120')
    """
    if count < 10**MOST_DIGITS:
        return f"{count:,}"
    exponent = math.log10(count)  # of whole numbers of any size
    return f"about {10 ** (exponent % 1):.2f}·10^{int(exponent)}"


def _shortened(parts: list[str], between: str) -> str:
    """Join the parts; of many, leave out the middle and say how many."""
    if len(parts) > LONGEST_PATH:
        parts = [*parts[:3], f"… {len(parts) - 6} more …", *parts[-3:]]
    return between.join(parts)


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
    if not isinstance(most, int) or isinstance(most, bool) or most < 1:
        raise BackwardError(f"most must be a whole number from 1, not {most!r}")
    names = caller_variables() if variables is None else variables
    with one_work():
        return Why(Paths.of(graph, output, source, names), most)
