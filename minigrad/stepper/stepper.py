"""`step`: the stepper, a trace that one walks through in the page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

import traitlets
from numpy.typing import ArrayLike

from minigrad.diagram.directions import Choice, check_direction
from minigrad.engine.arguments import check_graph
from minigrad.engine.checks import as_named, place_among, yes_or_no
from minigrad.engine.errors import BackwardError, DrawingError, told
from minigrad.engine.graph import ComputationGraph
from minigrad.engine.tensor import Tensor
from minigrad.export import Drawing
from minigrad.export.frames import Deck, place_of
from minigrad.export.options import Options
from minigrad.predict.payload import check_predict
from minigrad.progress import one_work
from minigrad.stepper.assets import CSS, STEPPER
from minigrad.stepper.download_jobs import DownloadJobs
from minigrad.stepper.exporting import Exporting, file_for_page
from minigrad.stepper.payload import payload_of, view_payload, whole_payload
from minigrad.stepper.picture_widget import Held, PictureWidget
from minigrad.stepper.step_sync import StepSync
from minigrad.stepper.variants import Variants
from minigrad.stepper.webpage import webpage
from minigrad.stepper.widget_lifetime import belongs_to_cell, whole_or_closed
from minigrad.trace import Step, Trace
from minigrad.trace.gc_pause import gc_paused
from minigrad.trace.names import caller_variables
from minigrad.trace.trace import Order


class Stepper(Exporting, StepSync, PictureWidget):
    """A trace shown as a diagram, a gradient table and a sentence for each step.

    Attributes
    ----------
    index : int
        The step that is shown, from 0; it can be set.
    order : str
        The order of the pass that is shown: ``"ancestors"``, ``"append"``, or ``"own"`` if a list
        was given. It can be set.
    grain : {'node', 'edge'}
        Whether a step is a whole node or one of its edges; it can be set.
    constants : bool
        Whether each number without a name is a box of its own; it can be set.
    steps : list of Step
        All steps: the records, the seed, then the visits in their order.
    trace : Trace
        Where the steps come from.
    """

    _esm = STEPPER
    _css = CSS
    made_by = "mg.step(graph, w)"
    payload = traitlets.Dict().tag(sync=True)
    questions = traitlets.Dict().tag(sync=True)
    why = traitlets.Dict().tag(sync=True)
    _variants = Held[Variants]()

    def __init__(self, variants: Variants, *, predict: bool = False) -> None:
        self._variants = variants
        self._predict = predict
        self._saving = DownloadJobs(lambda *sent: self.send(*sent))
        start = [0, 0, variants.asked]
        # what takes time comes first, so that no page sees a part of it
        payload = payload_of(variants) | {"predict": self._predict}
        with whole_or_closed(self):
            super().__init__(
                _from_python=start,
                _from_page=start,
                payload=payload,
                questions=variants.questions,
                why=variants.why,
            )
            self.set_trait("variant", variants.asked)
            self.on_msg(self._answer)
            belongs_to_cell(self)

    @property
    def trace(self) -> Trace:
        """The trace that is shown."""
        return self._variants.traces[self.variant]

    @property
    def steps(self) -> list[Step]:
        """All steps of the trace, in order."""
        return self.trace.steps

    @property
    def order(self) -> str:
        """The order of the pass that is shown."""
        return self._variants.all[self.variant].order

    @order.setter
    def order(self, order: str) -> None:
        self._show_variant(order, self.grain)

    @property
    def grain(self) -> str:
        """Whether a step is a whole node or one of its edges."""
        return self._variants.all[self.variant].grain

    @grain.setter
    def grain(self, grain: str) -> None:
        self._show_variant(self.order, grain)

    @property
    def constants(self) -> bool:
        """Whether each number without a name is a box of its own."""
        return self._variants.constants

    @constants.setter
    def constants(self, constants: bool) -> None:
        self._redraw(constants=yes_or_no(constants, "constants", DrawingError))

    @property
    def direction(self) -> Choice:
        """In which direction the picture was asked for; the page may show it in another one."""
        return self._variants.direction

    @direction.setter
    def direction(self, direction: Choice) -> None:
        self._redraw(direction=check_direction(direction))

    def _length(self, variant: str) -> int:
        trace = self._variants.traces.get(variant)
        return len(trace.steps) if trace else 0

    def _show_variant(self, order: object, grain: object) -> None:
        is_named = isinstance(order, str) and isinstance(grain, str)
        key = f"{order}/{grain}" if is_named else ""
        if key not in self._variants.all:
            raise BackwardError(
                f"there is no order {told(order)} with grain {told(grain)} here; this stepper has "
                f"{', '.join(map(repr, self._variants.traces))}, as order/grain; for another order "
                f"make another one: mg.step(graph, output, order=…)"
            )
        self._move(self._variants.same_moments(self.variant, key)[self.index], key)

    def _answer(self, _: Any, content: Any, buffers: Any) -> None:
        """Send the page the view that it asks for, or begin with the file, or end that."""
        if not isinstance(content, dict):
            return  # whoever sends that waits for no answer
        try:
            if "fold" in content:
                self._redraw(folded=self._folded_by(content))
                return
            if "constants" in content:
                self._redraw(constants=content["constants"])
                return
            if "direction" in content:
                self._redraw(direction=check_direction(content["direction"]))
                return
            if "view" in content:
                self.send(content | {"payload": view_payload(self._variants, content["view"])})
            elif "stop" in content:
                self._saving.stop(*content["stop"])
            else:
                self._saving.ask(content, partial(file_for_page, self._deck(), content))
        except Exception as error:  # the page is where the user looks
            self.send(content | {"failed": str(error)})
        except KeyboardInterrupt:
            self.send(content | {"failed": "The kernel was interrupted while it drew this."})
            raise

    def fold(self, *names: str) -> None:
        """Show scopes as one box each, whose nodes are stepped over at once.

        Parameters
        ----------
        *names : str
            Which ones, by their names; without any, all scopes, and chains of equal patterns.

        Raises
        ------
        DrawingError
            If there is no scope of a name.
        """
        self._redraw(folded=self._variants.folded | self._variants.groups.chosen(names or True))

    def unfold(self, *names: str) -> None:
        """Show the nodes of scopes again; without names, of all.

        Raises
        ------
        DrawingError
            If there is no scope of a name.
        """
        self._redraw(folded=self._variants.folded - self._variants.groups.chosen(names or True))

    def _folded_by(self, content: dict[str, Any]) -> frozenset[str]:
        """Return what is folded after a press in the page; without a key it is about everything."""
        key, groups = content["key"], self._variants.groups
        keys = frozenset(one for one in groups.all if key is None or one == key)
        now = self._variants.folded
        return now | keys if content["fold"] else now - keys

    def _redraw(self, **wanted: Any) -> None:
        """Show another picture of the same steps, as `Variants.redrawn` makes it."""
        if all(getattr(self._variants, name) == choice for name, choice in wanted.items()):
            return
        with one_work():
            variants = self._variants.redrawn(**wanted)
            payload = payload_of(variants) | {"predict": self._predict}
        self._variants, self.payload = variants, payload

    def close(self) -> None:
        """End the widget, and the drawing of files for its page."""
        self._saving.stop()
        super().close()

    def frame(self, step: int | None = None) -> Drawing:
        """Return the picture of one step, to show or to save.

        Parameters
        ----------
        step : int, optional
            Which one, from 0, or from the end if negative; by default the one shown.

        Raises
        ------
        PlaceError
            If there is no such step; it is an IndexError too.
        """
        chosen = place_among(self.index if step is None else step, len(self.steps), "step")
        return self._variants.frame(self.variant, chosen)

    def _deck(self) -> Deck:
        # what is shown may change before all of a file is drawn
        trace, variants, variant, predict = self.trace, self._variants, self.variant, self._predict

        def page(options: Options, index: int, title: str) -> bytes:
            wanted = predict if options.predict is None else options.predict
            shown = variants.redrawn(direction=options.direction)
            sent = {
                "payload": whole_payload(shown) | {"predict": wanted},
                "questions": shown.questions,
                "why": shown.why,
            }
            picture = shown.frame(variant, len(trace.steps) - 1).svg
            return webpage(sent, variant, picture, options, index, title)

        return Deck(
            trace,
            partial(variants.frame, variant),
            lambda index: variants.view_at(variant, index).part,
            self.index,
            page,
        )

    def _still(self) -> dict[str, str]:
        return self.frame(self.index or -1).still()  # if none was chosen, complete

    def _repr(self) -> str:
        return f"Stepper(step{place_of(self.trace, self.index)})"


def step(
    graph: ComputationGraph,
    output: Tensor | None = None,
    order: Order = "ancestors",
    *,
    grain: str = "node",
    predict: bool = False,
    seed: ArrayLike | None = None,
    variables: Mapping[str, object] | None = None,
    fold: bool | Iterable[str] | None = None,
    constants: bool = False,
    direction: Choice = "auto",
) -> Stepper:
    """Show a graph being recorded and differentiated, step by step.

    The backward pass in it is a rehearsal by the loop that `backward` itself runs: no
    gradient of the graph or of its leaves is changed.

    Parameters
    ----------
    graph : ComputationGraph
        The graph that recorded `output`.
    output : Tensor, optional
        What to differentiate; by default the output of the last node.
    order : {'ancestors', 'append'} or sequence of int, default 'ancestors'
        The nodes that the output depends on, last first; the whole list of nodes reversed;
        or positions of one's own, which may be wrong: the steps then say where.
    grain : {'node', 'edge'}, default 'node'
        Whether a step is a whole node, or one contribution along one edge. Up to 60 nodes, the
        page offers both, and the other orders.
    predict : bool, default False
        Start with predict mode on: before a backward step is shown, the page asks for one of its
        numbers, or for the node that comes next. Up to 60 nodes, the page has a button for it.
    seed : array_like, optional
        The gradient to start from, in the shape of `output`.
    variables : mapping, optional
        Names for tensors that have none of their own; by default the caller's variables.
    fold : bool or iterable of str, optional
        Which scopes (``with graph.scope("layer 1"):``) are shown as one box: all, none, or those
        of the given names. By default all if the graph has more than 30 nodes, and with them
        chains of equal patterns, such as a loop leaves behind.
    constants : bool, default False
        Draw each number without a name, the 0.5 of ``x * 0.5``, as a box of its own, and not
        inside the box of the node that uses it. The page has a button for it.
    direction : {'auto', 'right', 'down'}, default 'auto'
        Where results stand, seen from their operands: to the right, below, or as it fits the place
        that the picture has. The page can change it.

    Returns
    -------
    Stepper
        A widget with ``index``, ``steps``, ``frame(k)`` and ``export(path)``.

    Raises
    ------
    BackwardError, GraphError, OpError
        As `minigrad.backward` does; also for another grain, and if `predict` is no yes or no.
    ArgumentError
        If `variables` is no dict.
    DrawingError
        If the picture cannot be laid out, there is no such direction, or no scope of a name to
        fold, or `constants` is no yes or no.

    Examples
    --------
    >>> import minigrad as mg
    >>> x, y = mg.Tensor(3.0, requires_grad=True), mg.Tensor(4.0, requires_grad=True)
    >>> graph = mg.ComputationGraph()
    >>> with graph:
    ...     w = x * y + x
    >>> stepper = mg.step(graph, w)
    >>> [taken.kind for taken in stepper.steps]
    ['record', 'record', 'seed', 'backward', 'backward']
    """
    check_graph(graph)
    names = caller_variables() if variables is None else as_named(variables, "variables")
    predict = check_predict(predict, len(graph.nodes))
    constants = yes_or_no(constants, "constants", DrawingError)
    direction = check_direction(direction)
    with one_work(), gc_paused():
        variants = Variants(
            graph,
            output,
            order,
            grain,
            seed,
            names,
            fold,
            constants=constants,
            direction=direction,
        )
        return Stepper(variants, predict=predict)
