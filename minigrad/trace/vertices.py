"""`Vertex`, `Edge` and `Group`: what there is to draw of a graph, at one moment."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from minigrad.engine.ops.base import Differentiable
from minigrad.engine.values import Values
from minigrad.trace.names import one_line
from minigrad.trace.notation import isolated, visible, written


@dataclass(frozen=True, slots=True)
class Group:
    """A stretch of nodes that can be drawn as one box.

    Attributes
    ----------
    key : str
        ``s0``, ``s1``, … for scopes, ``r0``, … for repeats, and ``r0-5`` for one of a repeat.
    name : str
        What it is called.
    positions : range
        Its nodes.
    depth : int
        How many groups it is in.
    count : int
        Of a repeat, how many times; 1 for all else.
    repeat : str
        Of a single repetition, the key of the repeat; empty for all else.
    """

    key: str
    name: str
    positions: range
    depth: int = 0
    count: int = 1
    repeat: str = ""

    @property
    def label(self) -> str:
        """The name as people write it; it may have several lines."""
        return written(self.name)

    @property
    def is_scope(self) -> bool:
        """Whether it is a scope, and not something that was found to repeat."""
        return self.count == 1 and not self.repeat


@dataclass(frozen=True, slots=True)
class Vertex:
    """One tensor of the graph: a leaf, or what a node made.

    Attributes
    ----------
    key : str
        ``n0``, ``n1``, … by position in ``graph.nodes``; ``t0``, ``t1``, … for leaves, by
        first use.
    given_name : str
        The tensor's own name or the variable that holds it; empty if there is neither.
    label : str
        The same as people write it, see `minigrad.trace.notation`; it may have several lines.
    name : str
        What sentences call it: one short line, never empty.
    kind : {'leaf', 'frozen', 'node', 'group', 'outside'}
        Frozen is a leaf without ``requires_grad``; group stands for several nodes that are folded
        to one box; outside for nodes that a part of a graph leaves out.
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
        Of what is outside, the places in `Snapshot.boxes` of those nodes.
    group : Group or None
        Of a group that is folded to one box.
    outputs, hidden : tuple of Vertex
        Of a group, what is used outside of it or by nothing, and the leaves used in it alone.
    operands : tuple of Vertex
        Of a node with constants written inside its box, all operands in their order; empty for
        all else.
    """

    key: str
    given_name: str
    name: str
    kind: Literal["leaf", "frozen", "node", "group", "outside"]
    values: Values
    gradient: Values | None
    position: int | None = None
    op_name: str = ""
    op: Differentiable | None = None
    attrs: tuple[str, ...] = ()
    earlier: Values | None = None
    stands_for: tuple[int, ...] = ()
    group: Group | None = None
    outputs: tuple[Vertex, ...] = ()
    hidden: tuple[Vertex, ...] = ()
    operands: tuple[Vertex, ...] = ()
    label: str = ""

    @property
    def op_label(self) -> str:
        """The name of its op, to be shown; empty if it has none."""
        return one_line(visible(self.op_name))

    @property
    def parameters(self) -> list[Vertex]:
        """Of a group, the hidden leaves that are worth a word: constants have no name."""
        return [leaf for leaf in self.hidden if leaf.kind == "leaf" or leaf.given_name]

    @property
    def is_constant(self) -> bool:
        """Whether it is a mere number: frozen, and without a name."""
        return self.kind == "frozen" and not self.given_name and not self.values.ndim

    @property
    def symbol(self) -> str:
        """The sign of the op; empty if it has none."""
        return isolated(visible(self.op.symbol)) if self.op is not None else ""


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
    tensor : str
        Key of what is used; the source itself, unless that is a group.
    uses : int
        For how many operands it stands, where it leads to a group.
    """

    key: str
    source: str
    target: str
    slot: int
    tensor: str
    uses: int = 1


def is_broadcast(node: Vertex, operand: Vertex) -> bool:
    """Tell whether an elementwise op repeated an operand, so that its gradient is a sum."""
    elementwise = node.op is not None and node.op.elementwise
    return elementwise and operand.values.shape != node.values.shape
