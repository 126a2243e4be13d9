"""`Replay`: the recorded nodes run once more, on new leaf values, into a new graph."""

from __future__ import annotations

from collections.abc import Mapping

from numpy.typing import ArrayLike, DTypeLike

from minigrad.engine.errors import GraphError, TensorError, told
from minigrad.engine.forward import call
from minigrad.engine.graph import ComputationGraph
from minigrad.engine.tensor import Tensor
from minigrad.engine.values import Values, to_values


class Replay:
    """What ``graph.replay(…)`` gives back: the new graph, and where each old tensor went.

    Each node ran again, in order, with the op and the attributes it was recorded with. All
    tensors are new: leaves without a gradient, with the old names, and the values that they were
    given or else those that the old leaf holds now. Frozen leaves may be given values as well.
    What frozen tensors alone were computed to left no node: it is a leaf and keeps its value.

    Parameters
    ----------
    old : ComputationGraph
        The graph whose nodes run again; it is left as it is.
    new_values : mapping of Tensor to array_like, optional
        For leaves of the old graph, numbers of the leaf's shape; they take its dtype.
    dtype : dtype_like, optional
        Compute in this dtype instead of that of each leaf.

    Attributes
    ----------
    graph : ComputationGraph
        The new graph, with as many nodes as the old one, in the same order.

    Raises
    ------
    GraphError
        If a key is no leaf of the old graph; here and from ``replay[tensor]``, if the old graph
        does not know the tensor.
    TensorError
        If values have another shape than their leaf, or are no numbers.
    OpError
        If an op cannot compute with the new values.

    Examples
    --------
    >>> import minigrad as mg
    >>> x, y = mg.Tensor(3.0, requires_grad=True), mg.Tensor(4.0, requires_grad=True)
    >>> graph = mg.ComputationGraph()
    >>> with graph:
    ...     w = x * y + x
    >>> again = graph.replay({x: 5.0})
    >>> again
    Replay(ComputationGraph(2 nodes: #0 mul, #1 add))
    >>> again[w].backward()
    >>> again[w].item(), again[y].grad, y.grad
    (25.0, np.float32(5.0), None)
    """

    def __init__(
        self,
        old: ComputationGraph,
        new_values: Mapping[Tensor, ArrayLike] | None = None,
        dtype: DTypeLike | None = None,
    ) -> None:
        leaves = _leaves_of(old)
        given = _checked(new_values, leaves, old, dtype)
        self.graph = old.blank()
        self._made = run_again(
            old,
            {
                leaf: Tensor(given.get(leaf, leaf.settled()), wanted, leaf.name, dtype)
                for leaf, wanted in leaves.items()
            },
            self.graph,
        )

    def __getitem__(self, tensor: Tensor) -> Tensor:
        """Return the new tensor that stands where an old one stood."""
        found = self._made.get(tensor) if isinstance(tensor, Tensor) else None
        if found is None:
            raise _not_replayed(tensor)
        return found

    def __repr__(self) -> str:
        return f"Replay({self.graph!r})"


def run_again(
    graph: ComputationGraph,
    leaves: Mapping[Tensor, Tensor],
    new: ComputationGraph | None = None,
) -> dict[Tensor, Tensor]:
    """Run the nodes of a graph again, in order, on other leaves.

    Parameters
    ----------
    graph : ComputationGraph
        The graph; it is left as it is.
    leaves : mapping of Tensor to Tensor
        What stands for each of its leaves.
    new : ComputationGraph, optional
        Where to record the calls; by default there are only values.

    Returns
    -------
    dict of Tensor to Tensor
        What stands for each tensor of the graph.

    Raises
    ------
    GraphError
        If a node uses what is neither a leaf nor the output of a node before it.
    OpError
        If an op cannot compute with the values.
    """
    made, ops = dict(leaves), graph.ops
    for node in graph.nodes:
        try:
            inputs = [made[tensor] for tensor in node.inputs]
        except KeyError as error:
            raise _not_replayed(error.args[0]) from None
        if new is None:
            output = call(node.op, node.op_name, inputs, node.attrs, ops)
        else:
            output = new.record_again(node, inputs)
        made[node.output] = output
    return made


def _not_replayed(tensor: object) -> GraphError:
    what = tensor.label if isinstance(tensor, Tensor) else told(tensor)
    return GraphError(
        f"{what} is no tensor of the graph that was replayed; ask for one of its leaves or "
        f"outputs, as in replay[w]"
    )


def _leaves_of(graph: ComputationGraph) -> dict[Tensor, bool]:
    """Return the leaves, each with whether any node was recorded when it required a gradient."""
    leaves: dict[Tensor, bool] = {}
    for node in graph.nodes:
        for tensor, wanted in zip(node.inputs, node.recorded_requires_grad, strict=True):
            if tensor.grad_fn_index is None:
                leaves[tensor] = leaves.get(tensor, False) or wanted
    return leaves


def _checked(
    new_values: Mapping[Tensor, ArrayLike] | None,
    leaves: Mapping[Tensor, bool],
    graph: ComputationGraph,
    dtype: DTypeLike | None,
) -> dict[Tensor, Values]:
    """Return the new values as they are to be computed with; nothing has run yet."""
    if new_values is not None and not isinstance(new_values, Mapping):
        raise GraphError(
            f"replay takes a dict from leaves to new values, such as {{x: 3.1}}, not "
            f"{told(new_values)}"
        )
    checked = {}
    for leaf, data in (new_values or {}).items():
        if not isinstance(leaf, Tensor):
            raise GraphError(
                f"replay takes new values for tensors, and {told(leaf)} is none; use the leaf "
                f"itself as the key: {{x: 3.1}}"
            )
        if leaf not in leaves:
            raise GraphError(_not_a_leaf(leaf, leaves, graph))
        try:
            values = to_values(data, dtype or leaf.dtype)
        except TensorError as error:
            raise TensorError(f"new values for {leaf.label} cannot be used: {error}") from None
        if values.shape != leaf.shape:
            raise TensorError(
                f"new values of shape {values.shape} for {leaf.label} of shape {leaf.shape}; give "
                f"values of that shape, or record the forward pass anew"
            )
        checked[leaf] = values
    return checked


def _not_a_leaf(tensor: Tensor, leaves: Mapping[Tensor, bool], graph: ComputationGraph) -> str:
    if graph.holds(tensor):
        return (
            f"{tensor.label} was computed by node #{tensor.grad_fn_index}, so it gets its value "
            f"from the replay; give new values to leaves: {_some(leaves)}"
        )
    return f"{tensor.label} is no leaf of this graph, whose leaves are: {_some(leaves)}"


def _some(leaves: Mapping[Tensor, bool]) -> str:
    labels = [leaf.label for leaf in list(leaves)[:4]]
    return ", ".join(labels) + (", …" if len(leaves) > 4 else "") if labels else "none"
