"""`Snapshot`: which tensors and edges a graph has, held fast at one moment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from minigrad.engine.graph import ComputationGraph
from minigrad.engine.node import GraphNode
from minigrad.engine.scopes import Scope
from minigrad.engine.tensor import Tensor
from minigrad.engine.values import Values, frozen_copy
from minigrad.progress import counted
from minigrad.trace.cached import cached_property
from minigrad.trace.names import abridge, one_line, tensor_names
from minigrad.trace.notation import visible, written
from minigrad.trace.numbers import format_values
from minigrad.trace.vertices import Edge, Group, Vertex

LONGEST_ATTRIBUTE = 24
LONGEST_NAME = 16


@dataclass(eq=False, repr=False)
class Snapshot:
    """The tensors and edges of a graph at one moment; later records don't change it.

    Attributes
    ----------
    vertices : dict of str to Vertex
        What is drawn: leaves before the first node that uses them, nodes in the order of recording.
    tensors : dict of str to Vertex
        All tensors of the graph, whether there is a box for each or not.
    edges : list of Edge
        In the order of nodes and operands.
    inputs : dict of str to list of Edge
        Of each node or group, the edges of its operands.
    boxes : list of str
        The keys of the nodes and groups in `vertices`, in the order of recording.
    scopes : list of Scope
        Those of the graph.
    positions : range
        The nodes that it is about: all of them, or those of a part.
    count : int
        How many nodes the graph has.
    output : str or None
        Key of the output that was given.
    keys : dict of int to str
        The key of each tensor, by its id.
    open_groups : list of Group
        The groups whose nodes have boxes of their own.
    clustered : list of Group
        Those of them that have a cluster drawn around their boxes.
    spans : dict of str to range
        Of each leaf, from the first node that uses it to the last; empty without open groups.
    group_of : dict of str to str
        Of each tensor in a folded group, the key of the group.
    user_of : dict of str to str
        Of each constant that is written inside the box of the node that uses it, the node's key.
    """

    vertices: dict[str, Vertex]
    tensors: dict[str, Vertex]
    edges: list[Edge]
    inputs: dict[str, list[Edge]]
    boxes: list[str]
    scopes: list[Scope]
    positions: range
    count: int
    output: str | None
    keys: dict[int, str]
    open_groups: list[Group] = field(default_factory=list)
    clustered: list[Group] = field(default_factory=list)
    spans: dict[str, range] = field(default_factory=dict)
    group_of: dict[str, str] = field(default_factory=dict)
    user_of: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        graph: ComputationGraph,
        variables: Mapping[str, object] | None = None,
        output: Tensor | None = None,
    ) -> Snapshot:
        """Return what a graph has now.

        Parameters
        ----------
        graph : ComputationGraph
            The graph to look at.
        variables : mapping, optional
            Where to look for the names of tensors that have none of their own.
        output : Tensor, optional
            A tensor to include even if no node uses it, such as a leaf differentiated by itself.
        """
        reader = _Reader(tensor_names(variables or {}), graph.earlier_gradients)
        for position, node in enumerate(counted(graph.nodes, "Reading the graph")):
            reader.read(position, node)
        if output is not None and output.grad_fn_index is None:
            reader.key_of_operand(output, output.settled())
        reader.tell_apart()
        count = len(graph.nodes)
        return cls(
            reader.vertices,
            reader.vertices,
            reader.edges,
            reader.inputs,
            [f"n{position}" for position in range(count)],
            graph.scopes,
            range(count),
            count,
            None if output is None else reader.keys[id(output)],
            reader.keys,
        )

    def key(self, tensor: Tensor) -> str:
        """Return the key of a tensor of the graph."""
        return self.keys[id(tensor)]

    def position_of(self, key: str) -> int:
        """Return the position of the node that made a tensor."""
        position = self.tensors[key].position
        assert position is not None, f"{key} is a leaf"
        return position

    def edges_into(self, key: str) -> list[Edge]:
        """Return the edges that lead to a node or a group, in the order of its operands."""
        return self.inputs.get(key, [])

    def operands(self, key: str) -> list[Vertex]:
        """Return what the operands of a node or a group are, in their order."""
        inside = self.vertices[key].operands
        return list(inside) or [self.tensors[edge.tensor] for edge in self.edges_into(key)]

    @property
    def is_folded(self) -> bool:
        """Whether some nodes are drawn as one box."""
        return bool(self.group_of)

    def box_of(self, key: str) -> str:
        """Return the key of the box in which a tensor is: its own, a group's, or its user's."""
        return self.group_of.get(key) or self.user_of.get(key, key)

    def place_of(self, key: str) -> int:
        """Return the place in `boxes` of the box in which a node's tensor is; 0 for a leaf."""
        return self._places.get(self.box_of(key), 0)

    def covered(self, key: str) -> range:
        """Return the positions of the nodes that a box stands for."""
        vertex = self.vertices[key]
        if vertex.group is not None:
            return vertex.group.positions
        return range(0) if vertex.position is None else range(vertex.position, vertex.position + 1)

    @cached_property
    def loose_constants(self) -> dict[str, Edge]:
        """Constants that are one operand of one node with a box of its own, and that edge, by key.

        It takes the whole graph to tell: a part does not show all uses.
        """
        uses: dict[str, Edge | None] = {}
        for edge in self.edges:
            if self.vertices[edge.source].is_constant:
                uses[edge.source] = None if edge.source in uses else edge
        return {
            key: edge
            for key, edge in uses.items()
            if edge is not None and self.vertices[edge.target].kind == "node" and key != self.output
        }

    def part(self, places: range, *, constants: bool = True) -> Snapshot:
        """Return some of the boxes with all their operands, and a sign where their outputs go on.

        Parameters
        ----------
        places : range
            Which ones, by their place in `boxes`, in steps of 1; of a graph without folded groups
            these are the positions of nodes.
        constants : bool
            Whether each constant has a box, or stands inside that of the node that uses it, where
            it can.
        """
        inside = {} if constants else self.loose_constants
        is_whole = len(places) == len(self.boxes)
        if is_whole and not inside:
            return self
        boxes = self.boxes[places.start : places.stop]
        inputs = {
            key: [edge for edge in self.inputs[key] if edge.source not in inside] for key in boxes
        }
        vertices: dict[str, Vertex] = {}
        for key in boxes:
            for edge in inputs[key]:
                vertices.setdefault(edge.source, self.vertices[edge.source])
            vertices[key] = self.vertices[key]
            if len(inputs[key]) < len(self.inputs[key]):
                vertices[key] = replace(vertices[key], operands=tuple(self.operands(key)))
        edges = [edge for key in boxes for edge in inputs[key]]
        for key in boxes:
            later = [place for place in self._users[key] if place not in places]
            if later:
                sign = self._sign(self.vertices[key], tuple(later))
                vertices[sign.key] = sign
                edges.append(Edge(f"e{sign.key}", key, sign.key, 0, key))
        if is_whole and self.output in self.vertices:
            vertices.setdefault(self.output, self.vertices[self.output])  # a leaf nobody uses
        return replace(
            self,
            vertices=vertices,
            edges=edges,
            inputs=inputs,
            boxes=boxes,
            positions=range(self.covered(boxes[0]).start, self.covered(boxes[-1]).stop),
            user_of={key: edge.target for key, edge in inside.items() if edge.target in inputs},
        )

    def _sign(self, vertex: Vertex, later: tuple[int, ...]) -> Vertex:
        ends = [self.vertices[self.boxes[place]] for place in (later[0], later[-1])]
        first, last = (f"#{end.position}" if end.group is None else end.name for end in ends)
        name = f"to {first} {one_line(visible(ends[0].op_name), LONGEST_NAME)}".rstrip()
        if len(later) > 1:
            name = f"to {first} … {last}, {len(later)} {'boxes' if self.is_folded else 'nodes'}"
        return Vertex(
            f"o{vertex.position}", "", name, "outside", vertex.values, None, stands_for=later
        )

    @cached_property
    def _places(self) -> dict[str, int]:
        return {key: place for place, key in enumerate(self.boxes)}

    @cached_property
    def _users(self) -> dict[str, list[int]]:
        """Of each box, the places of those that use what it made, each once."""
        users: dict[str, dict[int, None]] = {key: {} for key in self.boxes}
        for place, key in enumerate(self.boxes):
            for edge in self.inputs[key]:
                if edge.source in users:
                    users[edge.source][place] = None
        return {key: list(places) for key, places in users.items()}


class _Reader:
    """Reads the nodes of a graph in their order."""

    def __init__(self, names: Mapping[int, str], earlier: Mapping[Tensor, Values]) -> None:
        self.vertices: dict[str, Vertex] = {}
        self.edges: list[Edge] = []
        self.inputs: dict[str, list[Edge]] = {}
        self.keys: dict[int, str] = {}
        self._given_by: dict[str, str] = {}
        self._unclear: set[str] = set()
        self._names = names
        self._earlier = earlier

    def read(self, position: int, node: GraphNode) -> None:
        """Add a node, its edges, and those of its operands that are leaves seen for the first time.

        What is read are the values that the node recorded.
        """
        values = node.recorded_values
        key = f"n{position}"
        edges = []
        for slot, operand in enumerate(node.inputs):
            source = self.key_of_operand(operand, values[slot])
            edges.append(Edge(f"e{len(self.edges) + slot}", source, key, slot, source))
        self.edges += edges
        self.inputs[key] = edges
        given, label = self._called(node.output)
        self._add(
            node.output,
            Vertex(
                key,
                given,
                one_line(label, LONGEST_NAME) or f"#{position}",
                "node",
                values[-1],
                held(node.output.grad),
                position,
                node.op_name,
                node.op,
                _attrs_text(node.attrs),
                label=label,
            ),
        )

    def key_of_operand(self, tensor: Tensor, values: Values) -> str:
        """Return the key of a tensor; one that is not known yet is a leaf."""
        if id(tensor) not in self.keys:
            number = len(self.vertices) - len(self.inputs)
            key = f"t{number}"
            given, label = self._called(tensor)
            constant = "" if tensor.requires_grad or values.ndim else format_values(values)
            kind: Literal["leaf", "frozen"] = "leaf" if tensor.requires_grad else "frozen"
            name = one_line(label, LONGEST_NAME) or constant or key
            gradient = held(tensor.grad)
            earlier = None if gradient is None else held(self._earlier.get(tensor))
            vertex = Vertex(key, given, name, kind, values, gradient, earlier=earlier, label=label)
            self._add(tensor, vertex)
        return self.keys[id(tensor)]

    def _add(self, tensor: Tensor, vertex: Vertex) -> None:
        self.keys[id(tensor)] = vertex.key
        self.vertices[vertex.key] = vertex

    def _called(self, tensor: Tensor) -> tuple[str, str]:
        """Return the name of a tensor, and how it is written."""
        own = tensor.name
        given = own if own is not None else self._names.get(id(tensor), "")
        label = written(given)
        if self._given_by.setdefault(label, given) != given:
            self._unclear.add(label)
        return given, label

    def tell_apart(self) -> None:
        """Leave names as they were given where two of them, ``alpha`` and ``α``, look the same."""
        for key, vertex in self.vertices.items() if self._unclear else ():
            if vertex.label in self._unclear:
                label = visible(vertex.given_name)
                name = one_line(label, LONGEST_NAME)
                self.vertices[key] = replace(vertex, label=label, name=name)


def held(gradient: Values | None) -> Values | None:
    """Return a gradient that stays as it is: leaves hold arrays that users edit in place."""
    return None if gradient is None else frozen_copy(gradient)


def _attrs_text(attrs: Mapping[str, object]) -> tuple[str, ...]:
    """Write the attributes that were given; None and False are what they are by default."""
    return tuple(
        one_line(visible(f"{name}={abridge(repr(value), LONGEST_ATTRIBUTE)}"))
        for name, value in attrs.items()
        if value is not None and value is not False
    )
