"""`Snapshot`: which tensors and edges a graph has, held fast at one moment."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from minigrad.graph import ComputationGraph
from minigrad.ops.base import Differentiable, Values
from minigrad.progress import counted
from minigrad.tensor import Tensor
from minigrad.trace.names import abridge, encodable, shorten, tensor_names
from minigrad.trace.numbers import format_values
from minigrad.values import frozen_copy

LONGEST_ATTRIBUTE = 24
LONGEST_NAME = 16


@dataclass(frozen=True, slots=True)
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
    kind : {'leaf', 'frozen', 'node', 'outside'}
        Frozen is a leaf without ``requires_grad``; outside stands for nodes that a part of a
        graph leaves out.
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
    stands_for : tuple of int
        Of what is outside, the positions of those nodes.
    """

    key: str
    given_name: str
    name: str
    kind: Literal["leaf", "frozen", "node", "outside"]
    values: Values
    gradient: Values | None
    position: int | None = None
    op_name: str = ""
    op: Differentiable | None = None
    attrs: tuple[str, ...] = ()
    earlier: Values | None = None
    stands_for: tuple[int, ...] = ()

    @property
    def symbol(self) -> str:
        """The sign of the op; empty if it has none."""
        return self.op.symbol if self.op is not None else ""


@dataclass(frozen=True, slots=True)
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
    positions : range
        The nodes that it is about: all of them, or those of a part.
    count : int
        How many nodes the graph has.
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
        self.count = len(graph.nodes)
        self.positions = range(self.count)
        names = tensor_names(variables or {})
        for position, node in enumerate(counted(graph.nodes, "Reading the graph")):
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

    def part(self, positions: range) -> Snapshot:
        """Return some of the nodes with all their operands, and a sign where their outputs go on.

        Parameters
        ----------
        positions : range
            Which nodes, in steps of 1.
        """
        if len(positions) == self.count:
            return self
        part = copy.copy(self)
        part.positions = positions
        part.items, part._edges_of = {}, {}
        for position in positions:
            key = f"n{position}"
            part._edges_of[key] = self._edges_of[key]
            for edge in self._edges_of[key]:
                part.items[edge.source] = self.items[edge.source]
            part.items[key] = self.items[key]
        part.edges = [edge for edges in part._edges_of.values() for edge in edges]
        for position in positions:
            later = [one for one in self._users[f"n{position}"] if one not in positions]
            if later:
                sign = self._sign(position, tuple(later))
                part.items[sign.key] = sign
                part.edges.append(Edge(f"e{sign.key}", f"n{position}", sign.key, 0))
        return part

    def _sign(self, position: int, later: tuple[int, ...]) -> Item:
        first = self.items[f"n{later[0]}"]
        name = f"to #{first.position} {abridge(first.op_name, LONGEST_NAME)}"
        if len(later) > 1:
            name = f"to #{later[0]} … #{later[-1]}, {len(later)} nodes"
        values = self.items[f"n{position}"].values
        return Item(f"o{position}", "", name, "outside", values, None, stands_for=later)

    @cached_property
    def _users(self) -> dict[str, list[int]]:
        """Of each node, the positions of those that use its output, each once."""
        users: dict[str, dict[int, None]] = {key: {} for key in self._edges_of}
        for position in range(self.count):
            for edge in self._edges_of[f"n{position}"]:
                if edge.source in users:
                    users[edge.source][position] = None
        return {key: list(positions) for key, positions in users.items()}


def is_broadcast(node: Item, operand: Item) -> bool:
    """Tell whether an elementwise op repeated an operand, so that its gradient is a sum."""
    elementwise = node.op is not None and node.op.elementwise
    return elementwise and operand.values.shape != node.values.shape


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
