"""`Tensor`: numbers that may ask for a gradient and remember which node made them."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from minigrad.engine.checks import whole_number, yes_or_no
from minigrad.engine.errors import TensorError, told
from minigrad.engine.numpy_calls import refuse_to_lose_gradient
from minigrad.engine.operators import Operators
from minigrad.engine.values import FLOAT32_ONE, Values, frozen, frozen_copy, same_bits, to_values

if TYPE_CHECKING:
    from minigrad.engine.graph import ComputationGraph


class Tensor(Operators):
    """A numpy array of floats that can take part in a computation graph.

    Parameters
    ----------
    data : array_like
        The numbers; they are copied. Python numbers, and integer or boolean arrays,
        become float32; float arrays keep their dtype.
    requires_grad : bool, default False
        Whether a gradient is wanted. False makes the tensor frozen.
    name : str, optional
        The name shown in diagrams, where ``alpha``, ``x_1`` and ``w^2`` are written as α, x₁ and
        w². Without one, diagrams look for a variable that holds the tensor.
    dtype : dtype_like, optional
        A floating dtype to convert to.

    Attributes
    ----------
    values : numpy.ndarray
        The numbers as ops read them: read-only, and a numpy scalar for the shape ``()``. What
        is edited in place through `data` shows here when the tensor is used next; read `data`
        to see it at once, and assign to `data`, not here.
    grad : numpy.ndarray or None
        The gradient, of the tensor's own shape and dtype; None until one was computed.
        In a leaf it adds up over runs until `zero_grad`.
    grad_fn_index : int or None
        The position in ``graph.nodes`` of the node that made this tensor; None in a leaf.

    Raises
    ------
    TensorError
        If `data` holds anything but real numbers in a regular grid.

    Examples
    --------
    >>> import minigrad as mg
    >>> x = mg.Tensor([1, 2, 3], requires_grad=True)
    >>> x.shape, x.dtype, x.grad
    ((3,), dtype('float32'), None)
    """

    # a graph sets `_graph` of each output, and looks at `_handed_out` and `_wanted` of each
    # operand, as its nodes do: that runs for every op, and a method would cost as much as the rest
    __slots__ = (
        "__weakref__",
        "_graph",
        "_handed_out",
        "_name",
        "_wanted",
        "grad",
        "grad_fn_index",
        "values",
    )

    values: Values
    _handed_out: NDArray[Any] | None
    _graph: weakref.ref[ComputationGraph] | None
    grad: Values | None
    _name: str | None
    _wanted: bool
    grad_fn_index: int | None

    def __init__(
        self,
        data: ArrayLike,
        requires_grad: bool = False,
        name: str | None = None,
        dtype: DTypeLike | None = None,
    ) -> None:
        kind: type = type(data)
        if kind is float and dtype is None:
            self.values = FLOAT32_ONE * data  # as `to_scalar` does
        else:
            self.values = to_values(_numbers(data), dtype)
        self._handed_out = None
        self._graph = None
        self._name = None
        self.grad = None
        self.grad_fn_index = None
        self._wanted = requires_grad is True or _yes_or_no(requires_grad)
        if name is not None:
            self.name = name

    @classmethod
    def of_values(cls, values: Values) -> Tensor:
        """Wrap the values of an op's output, which are read-only already, without a copy."""
        tensor = cls.__new__(cls)
        tensor.values = values
        tensor._handed_out = None
        tensor._graph = None
        tensor._name = None
        tensor.grad = None
        tensor.grad_fn_index = None
        tensor._wanted = False
        return tensor

    def settled(self) -> Values:
        """Take over what was edited through `data`, and return the values.

        They are another object then; as long as nothing changed they are the same one. That
        is how a graph knows whether the values that it recorded are still the ones in place.
        """
        edited = self._handed_out
        if edited is not None and not same_bits(edited, self.values):
            if (edited.shape, edited.dtype) != (self.shape, self.dtype):
                self._handed_out = None
                raise TensorError(
                    f"{self.label} was {self.dtype} of shape {self.shape}, and its .data was made "
                    f"{edited.dtype} of shape {edited.shape} in place; a tensor keeps both: make "
                    f"a new Tensor, or use mg.reshape"
                )
            self.values = frozen_copy(edited)
        return self.values

    @property
    def data(self) -> NDArray[Any]:
        """The numbers as an array that may be edited or assigned.

        What was recorded before the change keeps the old numbers, and a backward pass
        through it is refused. Assigned values must have the tensor's shape, and take its dtype.
        """
        if self._handed_out is None:
            self._handed_out = np.array(self.values)
        return self._handed_out

    @data.setter
    def data(self, new: ArrayLike) -> None:
        values = to_values(_numbers(new), self.dtype)
        if values.shape != self.shape:
            raise TensorError(
                f"new data of shape {values.shape} for {self.label} of shape {self.shape}; "
                f"a tensor keeps its shape: assign values of that shape, or make a new Tensor"
            )
        if self._handed_out is not None:
            self._handed_out[...] = values  # whoever holds it or a view of it stays connected
        if not same_bits(values, self.values):
            self.values = values

    def _ask_for_gradient(self, requires_grad: bool) -> None:
        self._wanted = _yes_or_no(requires_grad)

    # ops look at it for each operand, and `attrgetter` is quicker than a function
    requires_grad = property(attrgetter("_wanted"), _ask_for_gradient)

    @property
    def name(self) -> str | None:
        """The name shown in diagrams; None leaves it to the variable that holds the tensor."""
        return self._name

    @name.setter
    def name(self, name: str | None) -> None:
        if name is not None and not isinstance(name, str):
            raise TensorError(f"a tensor's name must be a string or None, not {told(name)}")
        self._name = name

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape, as in numpy; ``()`` for a single number."""
        return self.values.shape

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return self.values.ndim

    @property
    def size(self) -> int:
        """How many numbers there are."""
        return self.values.size

    @property
    def dtype(self) -> np.dtype[Any]:
        """The floating dtype, the same for the values and the gradient."""
        return self.values.dtype

    @property
    def label(self) -> str:
        """How messages call this tensor: its name, or else what it is."""
        if self.name:
            return f"tensor {self.name!r}"
        if self.grad_fn_index is not None:
            return f"the output of node #{self.grad_fn_index}"
        return "an unnamed leaf"

    def item(self) -> float:
        """Return the only number of a tensor of size 1 as a Python float."""
        if self.values.size != 1:
            raise TensorError(
                f"a single number is only in a tensor with exactly one; {self.label} has shape "
                f"{self.shape}; read .data for all of them"
            )
        return float(self.settled().item())

    def numpy(self) -> NDArray[Any]:
        """Return the numbers as an array of its own, which no graph knows."""
        return np.array(self.settled())

    def tolist(self) -> Any:
        """Return the numbers as nested lists of Python floats, or a single one as a float."""
        return self.settled().tolist()

    def backward(self, seed: ArrayLike | None = None) -> None:
        """Run a backward pass from this tensor: see `minigrad.backward`."""
        _backward_from()(self, seed)

    def recorded_by(self) -> ComputationGraph | None:
        """Return the graph whose node made this tensor; None for a leaf, or if it is gone."""
        return None if self._graph is None else self._graph()

    def detach(self) -> Tensor:
        """Return a frozen leaf with these numbers, which no graph knows."""
        return Tensor.of_values(self.settled())

    def requires_grad_(self, requires_grad: bool = True) -> Tensor:
        """Ask for a gradient, or no longer, and return the tensor itself; leaves only.

        Raises
        ------
        TensorError
            If a graph recorded this tensor as an output, or `requires_grad` is not True or False.
        """
        if self.grad_fn_index is not None:
            raise TensorError(
                f"{self.label} requires a gradient because of what it was computed from; detach() "
                f"gives a frozen tensor with its numbers"
            )
        self.requires_grad = requires_grad
        return self

    def zero_grad(self) -> None:
        """Forget the gradient: `grad` is None again."""
        self.grad = None

    def __len__(self) -> int:
        if not self.shape:
            raise TensorError(
                "a tensor with a single number has no length and no rows; reshape(1) makes it a row"
            )
        return self.shape[0]

    def __iter__(self) -> Iterator[Tensor]:
        return (self[place] for place in range(len(self)))

    def __setitem__(self, place: object, value: object) -> None:
        raise TensorError(
            f"a tensor's numbers cannot be assigned one by one, since a graph may have recorded "
            f"them; edit {self.label} through .data before it is used, or make a new Tensor"
        )

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> NDArray[Any]:
        if self.requires_grad:
            refuse_to_lose_gradient(as_array=True)
        return np.array(self.settled(), dtype=dtype)

    def __float__(self) -> float:
        if self.requires_grad:
            refuse_to_lose_gradient(as_array=False)
        return self.item()

    def __int__(self) -> int:
        return _whole(int, self.item())

    __trunc__ = __int__

    def __round__(self, digits: int | None = None) -> float:
        if digits is None:
            return _whole(round, self.item())
        return round(self.item(), whole_number(digits, "digits", error=TensorError))

    def __format__(self, how: str) -> str:
        if not how:
            return str(self)
        try:
            if self.shape == ():
                return format(self.item(), how)
            return np.array2string(
                np.asarray(self.settled()),
                separator=", ",
                formatter={"float_kind": lambda number: format(float(number), how)},
            )
        except ValueError as error:
            raise TensorError(
                f"{self.label} cannot be written as {how!r}: {error}; "
                f"f'{{w:.2f}}' writes two decimals"
            ) from None

    def __repr__(self) -> str:
        numbers = np.array2string(np.asarray(self.settled()), separator=", ", threshold=20)
        parts = [f"{self.item()!s}" if self.shape == () else numbers]
        if self.name is not None:
            parts.append(f"name={self.name!r}")
        if self.grad_fn_index is not None:
            parts.append(f"grad_fn_index={self.grad_fn_index}")
        elif self.requires_grad:
            parts.append("requires_grad=True")
        return f"Tensor({', '.join(parts)})"

    def __getstate__(self) -> dict[str, Any]:
        # the graph is found again by whoever copies or loads the graph itself
        kept = ("grad", "grad_fn_index", "_name", "_wanted")
        return {"values": self.settled(), **{slot: getattr(self, slot) for slot in kept}}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._handed_out = None
        self._graph = None
        for slot, value in state.items():
            setattr(self, slot, value)
        self.values = frozen(self.values)  # a copied array can be edited again


def zeros_like(tensor: Tensor) -> Values:
    """Return zeros of a tensor's shape and dtype."""
    return frozen(np.zeros(tensor.shape, tensor.dtype))


def _yes_or_no(requires_grad: Any) -> bool:
    """Return what was given for `requires_grad` as a bool.

    Raises
    ------
    TensorError
        If it is neither True nor False.
    """
    if isinstance(requires_grad, str):
        raise TensorError(
            f"requires_grad must be True or False, not {told(requires_grad)}; a name is given as "
            f"name={told(requires_grad)}"
        )
    return yes_or_no(requires_grad, "requires_grad", TensorError)


@cache
def _backward_from() -> Callable[[Tensor, ArrayLike | None], None]:
    """Return what `Tensor.backward` calls: it is built on this module, so it is imported later."""
    from minigrad.engine.backward import backward_from

    return backward_from


def _whole(rounded: Callable[[float], int], number: float) -> int:
    """Return a number as a whole one."""
    try:
        return rounded(number)
    except (ValueError, OverflowError):
        raise TensorError(f"{number} has no whole number beside it; look at t.item()") from None


def _numbers(data: Any) -> ArrayLike:
    """Return the numbers of a tensor, or the data itself; a list of tensors is refused."""
    if isinstance(data, Tensor):
        return data.settled()
    if isinstance(data, list | tuple) and next(tensors_in(data), None) is not None:
        raise TensorError(
            "a tensor made from a list of tensors would lose their gradients; join them with "
            "mg.stack([…]), or pass their numbers: [t.item() for t in …]"
        )
    return data  # type: ignore[no-any-return]


def tensors_in(data: Any) -> Iterator[Tensor]:
    """Yield the tensors that are somewhere in lists, tuples or dicts, or the only one."""
    waiting = [data]
    seen: set[int] = set()  # a list may be in itself
    while waiting:
        one = waiting.pop()
        if isinstance(one, Tensor):
            yield one
        elif isinstance(one, list | tuple | dict) and id(one) not in seen:
            seen.add(id(one))
            waiting += one.values() if isinstance(one, dict) else one
