"""`Differentiable`: an op is its forward and its backward in one place."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from minigrad.engine.values import Values

if TYPE_CHECKING:
    from minigrad.engine.tensor import Tensor

HOUSE = __package__ + "."


class Differentiable(ABC):
    """An op that a graph can record: how to run it, and how to pass a gradient back.

    A subclass writes both methods; without a backward it cannot be made, so a
    graph never holds a computation that it does not know how to differentiate.
    One instance serves every call, so an op keeps no state of a call on itself.

    Attributes
    ----------
    symbol : str
        The sign drawn in the box of the op, such as ``×``.
    derivatives : tuple of str
        The local derivative for each operand in symbols, where ``{0}``, ``{1}``, …
        stand for the names of the operands and ``{out}`` for that of the output. It also
        tells how many operands there are; empty, it leaves both open.
    elementwise : bool
        True if each element of the output depends on one element of each operand
        (after broadcasting). Then a local derivative is a plain array of numbers that can
        stand on an edge of the diagram, and a gradient for a broadcast operand may be
        returned in the output's shape: the backward pass sums it.
    commutative : bool
        True if swapping the operands changes nothing; a diagram may then draw them in
        either order.
    left_factors : tuple of int
        The operands whose local derivative stands to the left of the upstream gradient, where
        the order matters, as in a product of matrices.
    passes_on : str
        How all operands get the upstream gradient, in words: ``multiplied by the other
        operand``. Without it the words are made from `derivatives`.
    returns_new_arrays : bool
        True if the arrays that forward and backward return are new ones that nobody else
        keeps, or read-only: the upstream gradient, or a view of it or of an operand's values.
        Then they need not be copied to be safe. A subclass that writes its own forward or
        backward does not inherit this promise.

    Examples
    --------
    >>> import minigrad as mg
    >>> class Square(mg.Differentiable):
    ...     def forward(self, inputs):
    ...         return inputs[0].values ** 2
    ...     def backward(self, grad_output, inputs, output):
    ...         return [grad_output * 2 * inputs[0].values]
    >>> ops = mg.OpRegistry()
    >>> ops.register("square", Square())
    >>> x, graph = mg.Tensor(3.0, requires_grad=True), mg.ComputationGraph(ops)
    >>> graph.apply("square", x).backward()
    >>> x.grad
    np.float32(6.0)
    """

    symbol: ClassVar[str] = ""
    derivatives: ClassVar[tuple[str, ...]] = ()
    elementwise: ClassVar[bool] = False
    commutative: ClassVar[bool] = False
    left_factors: ClassVar[tuple[int, ...]] = ()
    passes_on: ClassVar[str] = ""
    returns_new_arrays: ClassVar[bool] = False
    is_of_house: ClassVar[bool] = False
    """Whether it is one of minigrad's own, which keep nothing of a call."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls.is_of_house = cls.__module__.startswith(HOUSE)
        promiser: Any = next(one for one in cls.__mro__ if "returns_new_arrays" in vars(one))
        is_other = cls.forward is not promiser.forward or cls.backward is not promiser.backward
        if is_other and not cls.is_of_house:
            cls.returns_new_arrays = False  # what one class promises, another may not keep

    @abstractmethod
    def forward(self, inputs: Sequence[Tensor], *_: Any, **attrs: Any) -> Values | Tensor:
        """Compute the output's values; an op without attributes leaves out ``**attrs``.

        Parameters
        ----------
        inputs : sequence of Tensor
            The operands. Read ``.values`` (read-only numpy); nothing is recorded while an
            op runs.
        **attrs
            What else the call was given, such as an axis.

        Returns
        -------
        numpy.ndarray or Tensor
            The result, of floating dtype.
        """

    @abstractmethod
    def backward(
        self, grad_output: Values, inputs: Sequence[Tensor], output: Tensor, *_: Any, **attrs: Any
    ) -> Sequence[Values | Tensor | None]:
        """Turn the upstream gradient into one contribution for each operand.

        Parameters
        ----------
        grad_output : numpy.ndarray
            The upstream gradient: shape and dtype of `output`.
        inputs : sequence of Tensor
            The very tensors that `forward` was given.
        output : Tensor
            What `forward` returned.
        **attrs
            What `forward` was given.

        Returns
        -------
        sequence of numpy.ndarray, Tensor or None
            One per operand, in the operand's shape: upstream gradient times local
            derivative. None is allowed for an operand with ``requires_grad=False``.
        """


class Elementwise(Differentiable):
    """The ops that work number by number and return arrays of their own."""

    elementwise = True
    returns_new_arrays = True
