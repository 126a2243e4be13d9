"""`ComputationGraph`: the history that a forward pass leaves behind, as a flat list of nodes."""

from __future__ import annotations

import copy
import sys
import weakref
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from types import MethodType
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn

from numpy.typing import ArrayLike

from minigrad.engine.call_site import current_call_site
from minigrad.engine.checks import listed
from minigrad.engine.errors import ArgumentError, GraphError, told
from minigrad.engine.forward import (
    Untracked,
    as_tensors,
    call,
    check_count,
    check_shape,
    constant,
    own_attrs,
)
from minigrad.engine.node import GraphNode, printable
from minigrad.engine.ops.registry import OpRegistry, registry
from minigrad.engine.recorders import NamedRecorder, leave, recorders
from minigrad.engine.scopes import Scope, Scopes
from minigrad.engine.tensor import Tensor
from minigrad.engine.values import Operand, Values

if TYPE_CHECKING:
    from minigrad.engine.replay import Replay


class ComputationGraph(NamedRecorder):
    """A flat list of nodes, filled as a side effect of running a forward pass.

    Parameters
    ----------
    ops : OpRegistry, optional
        Where ops are looked up; by default minigrad's own registry.

    Attributes
    ----------
    nodes : list of GraphNode
        In the order in which the ops ran, so every node comes after those it uses.
    earlier_gradients : dict of Tensor to numpy.ndarray
        The leaves that held a gradient already when the last backward pass added to it, and
        what they held: it is not twice the gradient without a word.
    keeps_source : bool
        Whether each node is to know the piece of the caller's code that recorded it, which
        the stepper shows. True from the start where IPython runs, as in a notebook.

    Examples
    --------
    >>> import minigrad as mg
    >>> x = mg.Tensor(3.0, requires_grad=True, name="x")
    >>> y = mg.Tensor(4.0, requires_grad=True, name="y")
    >>> graph = mg.ComputationGraph()
    >>> with graph:
    ...     w = x * y + x
    >>> [node.op_name for node in graph.nodes]
    ['mul', 'add']
    >>> w.backward()
    >>> x.grad, y.grad
    (np.float32(5.0), np.float32(3.0))
    """

    # the package, which knows how to draw, puts a function here: the engine does not know
    display: ClassVar[Callable[[ComputationGraph], dict[str, str]] | None] = None

    def __init__(self, ops: OpRegistry = registry) -> None:
        if not isinstance(ops, OpRegistry):
            raise GraphError(
                f"a graph takes the registry of its ops, or nothing: mg.ComputationGraph(), not "
                f"{told(ops)}; a graph has no name of its own, and its parts have names within "
                f'`with graph.scope("layer 1"):`'
            )
        self.nodes: list[GraphNode] = []
        self.earlier_gradients: dict[Tensor, Values] = {}
        self.keeps_source = "IPython" in sys.modules
        self.ops = ops
        self._reference = weakref.ref(self)
        self._subscribers: list[tuple[weakref.ref[Any], Callable[[Any], None]]] = []
        self._scopes: Scopes | None = None  # most graphs have none

    def record(
        self, op_name: str, inputs: Sequence[Tensor], output: Tensor, **attrs: Any
    ) -> Tensor:
        """Append a node for one call of an op, unless every input is frozen.

        Parameters
        ----------
        op_name : str
            A registered op.
        inputs : sequence of Tensor
            The operands of the call.
        output : Tensor
            What the op returned for them: a new tensor that no graph holds yet.
        **attrs
            What else the op was called with.

        Returns
        -------
        Tensor
            `output` itself. If a node was made, it requires a gradient from now on and its
            `grad_fn_index` is the node's position; otherwise it is unchanged.

        Raises
        ------
        UnregisteredOpError
            If no op of that name is registered.
        GraphError
            If an input was made by another graph or before a `reset`, or if `output` is
            not new, or has another shape than the op gives.
        OpError
            If the op takes another number of operands, or none of these shapes.
        """
        op = self.ops.get(op_name)
        inputs = listed(inputs, "inputs", "a list of the operands, such as [x, y]", GraphError)
        attrs = own_attrs(op_name, attrs)
        _check_new(op_name, inputs, output)
        for slot, tensor in enumerate(inputs):
            if tensor.grad_fn_index is not None and not self.holds(tensor):
                _refuse_foreign(self, op_name, slot, tensor)
        check_count(op, op_name, inputs)
        check_shape(op, op_name, inputs, output, attrs)
        if any(tensor._wanted for tensor in inputs):
            call_site = current_call_site() if self.keeps_source else None
            self._append(GraphNode(op_name, inputs, output, op, attrs, None, call_site))
        return output

    def apply(self, op_name: str, *operands: Operand, **attrs: Any) -> Tensor:
        """Run an op forward, record the call, and return the output.

        Inside ``with no_grad():`` nothing is recorded.

        Parameters
        ----------
        op_name : str
            A registered op.
        *operands : Tensor or array_like
            Numbers and arrays become frozen tensors.
        **attrs
            Passed on to the op.

        Raises
        ------
        UnregisteredOpError, OpError, GraphError
            As in `record`, or if the op's forward returned no floats.
        """
        return self.run_named(op_name, operands, attrs)

    def run_named(
        self, op_name: str, operands: tuple[Operand, ...], attrs: dict[str, Any]
    ) -> Tensor:
        """Run an op, and record the call unless nothing is recorded: what `apply` comes to."""
        if isinstance(recorders.get()[-1], Untracked):
            op = self.ops.get(op_name)
            return call(op, op_name, as_tensors(op_name, operands), attrs, self.ops)
        return self.run(op_name, operands, attrs)

    def run(self, op_name: str, operands: tuple[Operand, ...], attrs: dict[str, Any]) -> Tensor:
        """Run an op and record the call: what all calls come to."""
        op = self.ops.get(op_name)
        if attrs:
            attrs = own_attrs(op_name, attrs)
        nodes = self.nodes
        count = len(nodes)
        wanted = False
        inputs: list[Tensor] = []
        recorded: list[Any] = []
        # one look at each operand for all that is to be known of it: this runs for every op
        for operand in operands:
            if not isinstance(operand, Tensor):
                operand = constant(op_name, operand, operands)
            elif operand._handed_out is not None:
                operand.settled()
            maker = operand.grad_fn_index
            if maker is not None and not (maker < count and nodes[maker].output is operand):
                _refuse_foreign(self, op_name, len(inputs), operand)
            if operand._wanted:
                wanted = True
            inputs.append(operand)
            recorded.append(operand._wanted)
            recorded.append(operand.values)
        output = call(op, op_name, inputs, attrs, self.ops)
        if wanted:
            recorded.append(output.values)
            call_site = current_call_site() if self.keeps_source else None
            self._append(GraphNode(op_name, inputs, output, op, attrs, recorded, call_site))
        return output

    def record_again(self, node: GraphNode, inputs: list[Tensor]) -> Tensor:
        """Run a node of another graph on other inputs, by the same op, and record the call here."""
        op, op_name, attrs = node.op, node.op_name, node.attrs
        if attrs:
            attrs = own_attrs(op_name, attrs)
        output = call(op, op_name, inputs, attrs, self.ops)
        output.name = node.output.name
        recorded = [one for tensor in inputs for one in (tensor._wanted, tensor.settled())]
        recorded.append(output.values)
        self._append(GraphNode(op_name, inputs, output, op, attrs, recorded, node.call_site))
        return output

    def _append(self, node: GraphNode) -> None:
        output = node.output
        output._wanted = True
        output.grad_fn_index = len(self.nodes)
        output._graph = self._reference
        self.nodes.append(node)
        if self._subscribers:
            self.tell_subscribers()

    def holds(self, tensor: Tensor) -> bool:
        """Tell whether `tensor` is the output of one of this graph's nodes."""
        index = tensor.grad_fn_index if isinstance(tensor, Tensor) else None
        return index is not None and index < len(self.nodes) and self.nodes[index].output is tensor

    def scope(self, name: str) -> AbstractContextManager[None]:
        """Group what is recorded inside of ``with graph.scope(name):`` under a name.

        A drawing can fold a scope to one box. Scopes may be nested, and the same name may be
        used again: each ``with`` makes a scope of its own.

        Parameters
        ----------
        name : str
            What is shown.

        Raises
        ------
        GraphError
            If the name is no text, or an empty one.

        Examples
        --------
        >>> import minigrad as mg
        >>> x = mg.Tensor(3.0, requires_grad=True)
        >>> graph = mg.ComputationGraph()
        >>> with graph, graph.scope("square"):
        ...     y = x * x
        >>> graph.scopes
        [Scope(name='square', start=0, stop=1)]
        """
        self._scopes = self._scopes or Scopes()
        return self._scopes.opened(name, self.nodes)

    @property
    def scopes(self) -> list[Scope]:
        """The scopes that have nodes, in the order in which they were opened."""
        return self._scopes.list(len(self.nodes)) if self._scopes else []

    def replay(self, new_values: Mapping[Tensor, ArrayLike] | None = None) -> Replay:
        """Run the recorded nodes again, in order, on new leaf values, into a new graph.

        This graph and its tensors stay as they are. See `minigrad.engine.replay.Replay` for what
        comes back, and for what is refused.

        Examples
        --------
        >>> import minigrad as mg
        >>> x = mg.Tensor(3.0, requires_grad=True)
        >>> with mg.ComputationGraph() as graph:
        ...     w = x * x
        >>> again = graph.replay({x: 5.0})
        >>> again[w].item(), w.item()
        (25.0, 9.0)
        """
        # here, since replay.py is built on this module
        from minigrad.engine.replay import Replay

        return Replay(self, new_values)

    def blank(self) -> ComputationGraph:
        """Return a graph with these ops and scopes and no nodes yet, to run all of them again."""
        graph = ComputationGraph(self.ops)
        graph.keeps_source = self.keeps_source
        graph._scopes = Scopes(self.scopes)
        return graph

    def reset(self) -> None:
        """Forget all nodes. Leaves and their gradients stay as they are."""
        self.nodes.clear()
        if self._scopes:
            self._scopes.restart()
        self.earlier_gradients.clear()
        self.tell_subscribers()

    def subscribe(self, method: Callable[[], None]) -> None:
        """Call a bound method after each record, reset and backward, while its object lives.

        Raises
        ------
        ArgumentError
            If it is no method of an object.
        """
        # in two parts, since a weakref.WeakMethod takes longer to call than many an op
        method = _bound(method, "subscribe")
        self._subscribers.append((weakref.ref(method.__self__), method.__func__))

    def unsubscribe(self, method: Callable[[], None]) -> None:
        """Call a bound method no longer, if it was subscribed.

        Raises
        ------
        ArgumentError
            If it is no method of an object.
        """
        method = _bound(method, "unsubscribe")
        self._subscribers = [
            one
            for one in self._subscribers
            if one[0]() is not method.__self__ or one[1] is not method.__func__
        ]

    def tell_subscribers(self) -> None:
        """Call whoever subscribed; forget those that are gone."""
        if not self._subscribers:
            return
        gone = False
        for reference, function in tuple(self._subscribers):
            subscriber = reference()
            if subscriber is None:
                gone = True
            else:
                function(subscriber)
        if gone:
            self._subscribers = [one for one in self._subscribers if one[0]() is not None]

    def __enter__(self) -> ComputationGraph:
        recorders.set((*recorders.get(), self))
        return self

    def __exit__(self, *exception: object) -> None:
        leave(self)

    def __copy__(self) -> ComputationGraph:
        # a tensor can belong to one graph only, so a copy that shares them is not to be had
        return copy.deepcopy(self)

    def __getstate__(self) -> dict[str, Any]:
        return {
            "nodes": self.nodes,
            "earlier_gradients": self.earlier_gradients,
            "keeps_source": self.keeps_source,
            "scopes": self.scopes,
            "ops": None if self.ops is registry else self.ops,
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(state["ops"] or registry)  # type: ignore[misc]
        self.nodes = state["nodes"]
        self.earlier_gradients = state["earlier_gradients"]
        self.keeps_source = state["keeps_source"]
        self._scopes = Scopes(state["scopes"])
        for node in self.nodes:
            node.output._graph = self._reference

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, str]:
        display = type(self).display
        return {"text/plain": repr(self)} if display is None else display(self)

    def __repr__(self) -> str:
        if not self.nodes:
            return "ComputationGraph(no nodes yet)"
        count = f"{len(self.nodes)} node{'' if len(self.nodes) == 1 else 's'}"
        ops = ", ".join(f"#{k} {printable(node.op_name)}" for k, node in enumerate(self.nodes[:8]))
        more = ", …" if len(self.nodes) > 8 else ""
        leaves = ", ".join(tensor.label for tensor in list(self.earlier_gradients)[:4])
        added = "; the last backward added to gradients that were there already: " if leaves else ""
        return f"ComputationGraph({count}: {ops}{more}{added}{leaves})"


def _bound(method: object, what: str) -> MethodType:
    if not isinstance(method, MethodType):
        raise ArgumentError(f"{what} takes a method of an object, not {told(method)}")
    return method


def _check_new(op_name: str, inputs: Sequence[object], output: object) -> None:
    """Refuse to record anything but tensors, and an output that is known already."""
    for tensor in (*inputs, output):
        if not isinstance(tensor, Tensor):
            raise GraphError(
                f"record takes tensors as inputs and output, not {told(tensor)}; wrap numbers: "
                f"mg.Tensor(…)"
            )
    assert isinstance(output, Tensor)
    if output.grad_fn_index is not None or any(tensor is output for tensor in inputs):
        raise GraphError(
            f"the output of {op_name!r} must be a new tensor, but {output.label} was already "
            f"used as an input or as the output of a node; let the op return a new Tensor"
        )


def _refuse_foreign(graph: ComputationGraph, op_name: str, slot: int, tensor: Tensor) -> NoReturn:
    """Refuse an operand that another graph made, or this one before a reset."""
    owner = tensor.recorded_by()
    where = "this graph before it was reset" if owner is graph else "another graph"
    raise GraphError(
        f"operand {slot} of {op_name!r} is {tensor.label} of {where}, so no edge can lead to "
        f"it; compute it again in this graph, or start a leaf from its numbers: "
        f"mg.Tensor(t.data, requires_grad=True)"
    )
