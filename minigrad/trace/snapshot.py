"""`Snapshot`: which tensors and edges a graph has, held fast at one moment."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from functools import cached_property
from typing import Literal

from minigrad.graph import ComputationGraph
from minigrad.ops.base import Values
from minigrad.progress import counted
from minigrad.tensor import Tensor
from minigrad.trace.groups import Group
from minigrad.trace.items import Edge, Item
from minigrad.trace.names import abridge, encodable, shorten, tensor_names
from minigrad.trace.numbers import format_values
from minigrad.values import frozen_copy

LONGEST_ATTRIBUTE = 24
LONGEST_NAME = 16


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
    tensors : dict of str to Item
        All tensors of the graph, whether there is a box for each or not.
    boxes : list of str
        The keys of the nodes and groups in `items`, in the order of recording.
    open_groups : list of Group
        The groups whose nodes have boxes of their own.
    framed : list of Group
        Those of them that have a frame around their boxes.
    output : str or None
        Key of the output that was given.
    spans : dict of str to range
        Of each leaf, from the first node that uses it to the last; empty without open groups.
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
        self.tensors = self.items
        self.boxes = [f"n{position}" for position in range(len(graph.nodes))]
        self.open_groups: list[Group] = []
        self.framed: list[Group] = []
        self.spans: dict[str, range] = {}
        self.scopes = graph.scopes
        self._box_of: dict[str, str] = {}
        self.count = len(graph.nodes)
        self.positions = range(self.count)
        names = tensor_names(variables or {})
        for position, node in enumerate(counted(graph.nodes, "Reading the graph")):
            values = node.recorded_values
            key = f"n{position}"
            edges = []
            for slot, operand in enumerate(node.inputs):
                source = self._key_of_operand(operand, values[slot], names)
                edges.append(Edge(f"e{len(self.edges) + slot}", source, key, slot, source))
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
        self.output = None if output is None else self.key(output)

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
        """Return the edges of the operands of a node or a group, in their order."""
        return self._edges_of.get(key, [])

    def operands(self, key: str) -> list[Item]:
        """Return what the operands of a node or a group are, in their order."""
        return [self.tensors[edge.tensor] for edge in self.edges_into(key)]

    @property
    def is_folded(self) -> bool:
        """Whether some nodes are drawn as one box."""
        return bool(self._box_of)

    def box_of(self, key: str) -> str:
        """Return the key of the box in which a tensor is: its own, or that of a group."""
        return self._box_of.get(key, key)

    def place_of(self, key: str) -> int:
        """Return the place in `boxes` of the box in which a node's tensor is; 0 for a leaf."""
        return self._places.get(self.box_of(key), 0)

    def covered(self, key: str) -> range:
        """Return the positions of the nodes that a box stands for."""
        item = self.items[key]
        if item.group is not None:
            return item.group.positions
        return range(0) if item.position is None else range(item.position, item.position + 1)

    def part(self, places: range) -> Snapshot:
        """Return some of the boxes with all their operands, and a sign where their outputs go on.

        Parameters
        ----------
        places : range
            Which ones, by their place in `boxes`, in steps of 1; of a graph without folded groups
            these are the positions of nodes.
        """
        if len(places) == len(self.boxes):
            return self
        part = copy.copy(self)
        part.boxes = self.boxes[places.start : places.stop]
        part.positions = range(self.covered(part.boxes[0]).start, self.covered(part.boxes[-1]).stop)
        part.items, part._edges_of = {}, {}
        for key in part.boxes:
            part._edges_of[key] = self._edges_of[key]
            for edge in self._edges_of[key]:
                part.items[edge.source] = self.items[edge.source]
            part.items[key] = self.items[key]
        part.edges = [edge for edges in part._edges_of.values() for edge in edges]
        for key in part.boxes:
            later = [place for place in self._users[key] if place not in places]
            if later:
                sign = self._sign(self.items[key], tuple(later))
                part.items[sign.key] = sign
                part.edges.append(Edge(f"e{sign.key}", key, sign.key, 0, key))
        return part

    def _sign(self, item: Item, later: tuple[int, ...]) -> Item:
        ends = [self.items[self.boxes[place]] for place in (later[0], later[-1])]
        first, last = (f"#{end.position}" if end.group is None else end.name for end in ends)
        name = f"to {first} {abridge(ends[0].op_name, LONGEST_NAME)}".rstrip()
        if len(later) > 1:
            name = f"to {first} … {last}, {len(later)} {'boxes' if self.is_folded else 'nodes'}"
        return Item(f"o{item.position}", "", name, "outside", item.values, None, stands_for=later)

    @cached_property
    def _places(self) -> dict[str, int]:
        return {key: place for place, key in enumerate(self.boxes)}

    @cached_property
    def _users(self) -> dict[str, list[int]]:
        """Of each box, the places of those that use what it made, each once."""
        users: dict[str, dict[int, None]] = {key: {} for key in self.boxes}
        for place, key in enumerate(self.boxes):
            for edge in self._edges_of[key]:
                if edge.source in users:
                    users[edge.source][place] = None
        return {key: list(places) for key, places in users.items()}


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
