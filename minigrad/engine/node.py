"""`GraphNode`: the note that one call of one op leaves behind."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from minigrad.engine.call_site import CallSite, Span, span_of
from minigrad.engine.ops.base import Differentiable
from minigrad.engine.ops.registry import registry
from minigrad.engine.tensor import Tensor, zeros_like
from minigrad.engine.values import Values, frozen, same_bits


class GraphNode:
    """One call of one op: which tensors went in, which came out, and its gradient.

    Attributes
    ----------
    op_name : str
        The name under which the op is registered.
    inputs : list of Tensor
        The very tensors of the call, shared and not copied.
    output : Tensor
        What the call returned.
    grad : numpy.ndarray
        The gradient of `output`: zeros from the start, filled by a backward pass.
    requires_grad : bool
        Always True; a call that needs no gradient leaves no node.
    attrs : dict
        What else the op was called with, such as an axis.
    call_site : tuple, Span or None
        The instruction that recorded it, if the graph keeps that; `source` tells its text.
    """

    # a backward pass reads `_attrs` and sets `_grad` of each node: a property would cost too much
    __slots__ = (
        "_attrs",
        "_grad",
        "_recorded",
        "call_site",
        "inputs",
        "op",
        "op_name",
        "output",
        "requires_grad",
    )

    def __init__(
        self,
        op_name: str,
        inputs: Sequence[Tensor],
        output: Tensor,
        op: Differentiable | None = None,
        attrs: dict[str, Any] | None = None,
        recorded: list[Any] | None = None,
        call_site: CallSite | None = None,
    ) -> None:
        self.op_name = op_name
        self.inputs = inputs if type(inputs) is list else list(inputs)
        self.output = output
        self.requires_grad = True
        self.op = registry.get(op_name) if op is None else op
        self._attrs = attrs
        self.call_site = call_site
        self._grad: Values | None = None
        if recorded is None:
            recorded = [one for t in inputs for one in (t._wanted, t.settled())]
            recorded.append(output.settled())
        # of each input whether it required a gradient, and its values; then the output's values.
        # A tuple of such things is nothing that the garbage collector has to look into.
        self._recorded = tuple(recorded)

    @property
    def attrs(self) -> dict[str, Any]:
        """What else the op was called with; a dict of this node alone."""
        if not self._attrs:
            self._attrs = {}
        return self._attrs

    @property
    def source(self) -> Span | None:
        """The piece of the caller's code that recorded the node, if the graph keeps that."""
        return None if self.call_site is None else span_of(self.call_site)

    @property
    def grad(self) -> Values:
        """The gradient of the output; it is zero until a backward pass reaches the node."""
        if self._grad is None:
            self._grad = zeros_like(self.output)
        return self._grad

    @grad.setter
    def grad(self, gradient: Values | None) -> None:
        self._grad = gradient

    def tensors(self) -> list[Tensor]:
        """Return the inputs, then the output."""
        return [*self.inputs, self.output]

    def changed_tensor(self) -> Tensor | None:
        """Return the first input or output that is no longer as it was recorded, if any."""
        recorded = self._recorded
        place = 0
        for tensor in self.inputs:
            if tensor._handed_out is not None:
                tensor.settled()
            wanted, values = recorded[place], recorded[place + 1]
            if tensor._wanted is not wanted:
                return tensor
            if tensor.values is not values and not same_bits(tensor.values, values):
                return tensor
            place += 2
        values = recorded[place]
        if self.output.settled() is values or same_bits(self.output.values, values):
            return None
        return self.output

    @property
    def recorded_values(self) -> list[Values]:
        """The values of the inputs, then of the output, as they were when the op ran."""
        return [*self._recorded[1::2], self._recorded[-1]]

    @property
    def recorded_requires_grad(self) -> list[bool]:
        """Whether each input required a gradient when the op ran."""
        return list(self._recorded[:-1:2])

    def __getstate__(self) -> dict[str, Any]:
        # arrays become other objects in a copy, so "the same object" is kept as a yes or no
        recorded = zip(self.tensors(), self.recorded_values, strict=True)
        same = [tensor.settled() is values for tensor, values in recorded]
        kept = {slot: getattr(self, slot) for slot in self.__slots__}
        return kept | {"same": same, "call_site": self.source}  # code itself cannot be pickled

    def __setstate__(self, state: dict[str, Any]) -> None:
        same = state.pop("same")
        for slot, value in state.items():
            setattr(self, slot, value)
        recorded = list(self._recorded)
        places = [*range(1, len(recorded), 2), len(recorded) - 1]
        for place, tensor, is_same in zip(places, self.tensors(), same, strict=True):
            recorded[place] = tensor.values if is_same else frozen(recorded[place])
        self._recorded = tuple(recorded)
        if self._grad is not None:
            self._grad = frozen(self._grad)

    def __repr__(self) -> str:
        inputs = ", ".join(map(_in_short, self.inputs))
        grad = str(self.grad) if self.grad.ndim == 0 else f"of shape {self.grad.shape}"
        return (
            f"GraphNode({self.op_name!r}, inputs=[{inputs}], output={_in_short(self.output)}, "
            f"grad={grad})"
        )


def _in_short(tensor: Tensor) -> str:
    value = str(tensor.item()) if tensor.shape == () else f"of shape {tensor.shape}"
    return f"{printable(tensor.name)}={value}" if tensor.name else value


def printable(name: str) -> str:
    """Return a name for a message, with escapes in place of what cannot be printed."""
    return name if name.isprintable() else repr(name)[1:-1]
