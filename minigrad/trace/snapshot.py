"""`Snapshot`: which tensors and edges a graph has, held fast at one moment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from minigrad.graph import ComputationGraph
from minigrad.ops.base import Differentiable, Values
from minigrad.tensor import Tensor
from minigrad.trace.names import abridge, encodable, shorten, tensor_names
from minigrad.trace.numbers import format_values
from minigrad.values import frozen_copy

LONGEST_ATTRIBUTE = 24


@dataclass(frozen=True)
class Item:
    """One tensor of the graph: a leaf, or what a node made.

    Attributes
    ----------
    key : str
        ``n0``, ``n1``, … by position in ``graph.nodes``; ``t0``, ``t1``, … for leaves, by
        first use.
    given_name : str
        The tensor's own name or the variable that holds it; empty if there is neither.
    name : str
        What sentences call it: one short line, never empty.
    kind : {'leaf', 'frozen', 'node'}
        Frozen is a leaf without ``requires_grad``.
    values, gradient : numpy.ndarray
        As they were; the gradient is None if there is none.
    position : int or None
        In ``graph.nodes``.
    op_name : str
        Of the node; empty for a leaf.
    op : Differentiable or None
        Of the node.
    attrs : tuple of str
        What else the op was called with: ``axis=1``.
    earlier : numpy.ndarray or None
        What a leaf held before the last backward pass added to it.
    """

    key: str
    given_name: str
    name: str
    kind: Literal["leaf", "frozen", "node"]
    values: Values
    gradient: Values | None
    position: int | None = None
    op_name: str = ""
    op: Differentiable | None = None
    attrs: tuple[str, ...] = ()
    earlier: Values | None = None

    @property
    def symbol(self) -> str:
        """The sign of the op; empty if it has none."""
        return self.op.symbol if self.op is not None else ""


@dataclass(frozen=True)
class Edge:
    """One operand of one node: ``x * x`` has two of them.

    Attributes
    ----------
    key : str
        ``e0``, ``e1``, … in the order of nodes and operands.
    source, target : str
        Keys of the operand and of the node that uses it.
    slot : int
        Which operand of the node it is.
    """

    key: str
    source: str
    target: str
    slot: int


class Snapshot:
    """The tensors and edges of a graph at one moment; later records don't change it.

    Parameters
    ----------
    graph : ComputationGraph
        The graph to look at.
    variables : mapping, optional
        Where to look for the names of tensors that have none of their own.
    output : Tensor, optional
        A tensor to include even if no node uses it, such as a leaf differentiated by itself.

    Attributes
    ----------
    items : dict of str to Item
        Leaves before the first node that uses them, nodes in the order of recording.
    edges : list of Edge
        In the order of nodes and operands.
    """

    def __init__(
        self,
        graph: ComputationGraph,
        variables: Mapping[str, object] | None = None,
        output: Tensor | None = None,
    ) -> None:
        self.items: dict[str, Item] = {}
        self.edges: list[Edge] = []
        self._keys: dict[int, str] = {}
        self._edges_of: dict[str, list[Edge]] = {}
        self._earlier = graph.earlier_gradients
        names = tensor_names(variables or {})
        for position, node in enumerate(graph.nodes):
            values = node.recorded_values
            key = f"n{position}"
            edges = []
            for slot, operand in enumerate(node.inputs):
                source = self._key_of_operand(operand, values[slot], names)
                edges.append(Edge(f"e{len(self.edges) + slot}", source, key, slot))
            self.edges += edges
            self._edges_of[key] = edges
            given = _given_name(node.output, names)
            self._add(
                node.output,
                Item(
                    key,
                    given,
                    shorten(given) or f"#{position}",
                    "node",
                    values[-1],
                    held(node.output.grad),
                    position,
                    node.op_name,
                    node.op,
                    _attrs_text(node.attrs),
                ),
            )
        if output is not None and output.grad_fn_index is None:
            self._key_of_operand(output, output.settled(), names)

    def _key_of_operand(self, tensor: Tensor, values: Values, names: Mapping[int, str]) -> str:
        if id(tensor) not in self._keys:
            number = len(self.items) - len(self._edges_of)
            key = f"t{number}"
            given = _given_name(tensor, names)
            constant = "" if tensor.requires_grad or values.ndim else format_values(values)
            kind: Literal["leaf", "frozen"] = "leaf" if tensor.requires_grad else "frozen"
            name = shorten(given) or constant or key
            gradient = held(tensor.grad)
            earlier = None if gradient is None else held(self._earlier.get(tensor))
            self._add(tensor, Item(key, given, name, kind, values, gradient, earlier=earlier))
        return self._keys[id(tensor)]

    def _add(self, tensor: Tensor, item: Item) -> None:
        self._keys[id(tensor)] = item.key
        self.items[item.key] = item

    def key(self, tensor: Tensor) -> str:
        """Return the key of a tensor of the graph."""
        return self._keys[id(tensor)]

    def edges_into(self, key: str) -> list[Edge]:
        """Return the edges of a node's operands, in their order."""
        return self._edges_of.get(key, [])

    def operands(self, key: str) -> list[Item]:
        """Return what a node's operands are, in their order."""
        return [self.items[edge.source] for edge in self.edges_into(key)]


def held(gradient: Values | None) -> Values | None:
    """Return a gradient that stays as it is: leaves hold arrays that users edit in place."""
    return None if gradient is None else frozen_copy(gradient)


def _attrs_text(attrs: Mapping[str, object]) -> tuple[str, ...]:
    """Write the attributes that were given; None and False are what they are by default."""
    return tuple(
        f"{name}={abridge(repr(value), LONGEST_ATTRIBUTE)}"
        for name, value in attrs.items()
        if value is not None and value is not False
    )


def _given_name(tensor: Tensor, names: Mapping[int, str]) -> str:
    return encodable(tensor.name if tensor.name is not None else names.get(id(tensor), ""))
