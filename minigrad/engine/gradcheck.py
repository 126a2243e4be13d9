"""`gradcheck`: whether the gradient that backward gives is the one that can be measured."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from minigrad.engine.backward import walk
from minigrad.engine.checks import as_named, listed, real_number
from minigrad.engine.errors import GradcheckError, MinigradError, told
from minigrad.engine.forward import OP_FAILURES, reason_of
from minigrad.engine.graph import ComputationGraph
from minigrad.engine.no_grad import no_grad
from minigrad.engine.recorders import operate
from minigrad.engine.slopes import Unusable, Value, measure
from minigrad.engine.tensor import Tensor
from minigrad.engine.values import Values

FEW, MANY = 2, 20
"""So often the same is computed again to find randomness, and before a gradient is blamed."""

SMALLEST_STEP = 1e-15
"""Beyond the last digit of a float64 nothing moves."""


def gradcheck(
    fn: Callable[..., Tensor] | str,
    inputs: Sequence[Tensor],
    attrs: Mapping[str, Any] | None = None,
    step: float = 1e-6,
    rtol: float = 1e-5,
    atol: float = 1e-7,
) -> None:
    r"""Compare the gradients of a function with central differences, number by number.

    For each number :math:`x_i` of each input, with a seed :math:`s` that is not all ones,

    .. math:: g_i \approx \frac{s \cdot f(x + h e_i) - s \cdot f(x - h e_i)}{2h}

    All is computed in float64, whatever dtype the inputs have: in float32 the
    difference of two nearby values has hardly a digit left. Where that does not agree, smaller
    and larger steps are tried: near the border of a domain, `h` must not lead beyond it.

    Parameters
    ----------
    fn : callable or str
        Takes as many tensors as there are inputs and returns one tensor, by means of
        operators; it is called once inside ``with graph:`` and often inside ``no_grad()``.
        Or the name of an op of the default registry.
    inputs : sequence of Tensor
        Where to compare; those with ``requires_grad=False`` are left out of the comparison.
        Keep away from kinks and borders: there is no slope to measure.
    attrs : mapping, optional
        With the name of an op, what else the op is called with, such as an axis.
    step : float, default 1e-6
        The first `h` of the formula at numbers up to 1; at larger ones it grows with them.
    rtol, atol : float
        The numbers agree if ``|numeric - analytic| <= atol + rtol * |numeric|``.

    Raises
    ------
    GradcheckError
        If two numbers disagree; the message has both, the input and the place. If one cannot be
        measured, since the function has a kink there, jumps, ends, or moves a mask; or if it is
        not the same twice. Also if no input requires a gradient, since nothing would be checked.

    Examples
    --------
    >>> import minigrad as mg
    >>> x, y = mg.Tensor([1.0, 2.0], requires_grad=True), mg.Tensor(3.0, requires_grad=True)
    >>> mg.gradcheck(lambda x, y: x * y + x / y, [x, y])
    """
    inputs = _tensors_of(inputs)
    compute = _calls_of(fn, {} if attrs is None else dict(as_named(attrs, "attrs", GradcheckError)))
    step = real_number(step, "step", SMALLEST_STEP, 1.0, error=GradcheckError)
    rtol = real_number(rtol, "rtol", 0.0, error=GradcheckError)
    atol = real_number(atol, "atol", 0.0, error=GradcheckError)
    leaves = [Tensor(t, requires_grad=t.requires_grad, dtype=np.float64) for t in inputs]
    if not any(leaf.requires_grad and leaf.values.size for leaf in leaves):
        raise GradcheckError("no input has requires_grad=True, so there is nothing to check")
    graph = ComputationGraph()
    # what is not finite is told below, and not by numpy
    with np.errstate(all="ignore"), graph:
        output = compute(*leaves)
    if not isinstance(output, Tensor):
        raise GradcheckError(f"the function must return a Tensor, not {type(output).__name__}")
    if not output.requires_grad:
        raise GradcheckError("the function does not depend on its inputs; there is no gradient")
    if not graph.holds(output) and output.grad_fn_index is not None:
        raise GradcheckError(
            "the function records into a graph of its own; leave out its `with graph:` and "
            "write ops without a graph, or as operators: gradcheck records them"
        )
    check = _Check(compute, leaves, output)
    with np.errstate(all="ignore"):
        check.refuse_randomness(FEW)
        _, of_leaves, _ = walk(graph, output, check.seed)
        for number, leaf in enumerate(leaves):
            if not leaf.requires_grad:
                continue
            found = of_leaves.get(leaf)
            analytic = np.zeros(leaf.shape) if found is None else np.asarray(found)
            for place in np.ndindex(leaf.shape):
                check.compare(number, place, float(analytic[place]), step, rtol, atol)
        check.refuse_randomness(FEW)


class _Check:
    """A function at one place, and how its gradients there are compared with what is measured."""

    def __init__(
        self, compute: Callable[..., Tensor], leaves: Sequence[Tensor], output: Tensor
    ) -> None:
        self._compute = compute
        self._leaves = leaves
        self._output = output.values
        # not all ones, and no two alike: a backward that mixes up or drops elements is found out
        count = output.values.size
        self.seed = np.cos(np.arange(1.0, count + 1.0)).reshape(output.shape) + 1.5
        self._unit = float(self.seed.item()) if count == 1 else 1.0  # one number: as for seed 1
        if not np.isfinite(self._output).all():
            bad = self._output[~np.isfinite(self._output)].flat[0]
            raise GradcheckError(
                f"the function gives {bad} at these inputs, where there is no slope to measure; "
                f"check it where it is finite"
            )

    def refuse_randomness(self, times: int) -> None:
        """Compute the function again, on the same inputs, so many times."""
        for _ in range(times):
            again = self._values([leaf.values for leaf in self._leaves])
            is_same = again.shape == self._output.shape and np.allclose(
                again, self._output, rtol=1e-10, atol=0, equal_nan=True
            )
            if not is_same:
                raise GradcheckError(
                    f"the function gives other values when it is called again with the same "
                    f"inputs: {_short(self._output)}, then {_short(again)}; there is randomness in "
                    f"it, or something that it changes. Draw random numbers outside of the function"
                )

    def compare(
        self,
        number: int,
        place: tuple[int, ...],
        analytic: float,
        step: float,
        rtol: float,
        atol: float,
    ) -> None:
        """Refuse a gradient that is not what can be measured."""

        def agrees(slope: float, error: float = 0.0) -> bool:
            return abs(slope - analytic) <= atol + rtol * abs(slope) + 2 * error

        at = float(self._leaves[number].values[place])
        slope = measure(
            lambda moved: self._value(number, place, moved),
            at,
            step * max(1.0, abs(at)),
            agrees,
            atol,
        )
        if slope.error == 0.0 and agrees(slope.number):
            return
        self.refuse_randomness(MANY)
        of_input = f"gradient of input {number}{f' at {place}' if place else ''}"
        told = f"analytic {analytic / self._unit:.8g} (input {at:.8g})"
        if slope.sides is not None:
            left, right = slope.sides
            slack = atol + rtol * max(abs(left), abs(right)) + 2 * slope.error
            if min(left, right) - slack <= analytic <= max(left, right) + slack:
                raise GradcheckError(
                    f"{of_input} cannot be measured: the function has a kink there, with slope "
                    f"{left / self._unit:.8g} below and {right / self._unit:.8g} above; {told} "
                    f"lies between. Check it away from the kink"
                )
        else:
            is_exact = slope.error <= max(1e-3 * abs(slope.number), atol)
            if is_exact and agrees(slope.number, slope.error):
                return
            if not is_exact and not abs(slope.number - analytic) > 10 * slope.error:
                reason = slope.reason or "its values are rounded too coarsely there"
                raise GradcheckError(
                    f"{of_input} cannot be measured: {reason}; {told}. Check it at other inputs, "
                    f"further away from where the function ends or changes"
                )
        raise GradcheckError(
            f"{of_input} differs: numeric {slope.number / self._unit:.8g}, {told}; look at the "
            f"backward of the ops in this function, and whether it takes numbers out of a tensor "
            f"(t.data, t.item(), detach), which have no gradient"
        )

    def _value(self, number: int, place: tuple[int, ...], moved: float) -> Value:
        """Return the function's value, weighted by the seed, with one number moved."""
        values = [np.array(leaf.values) for leaf in self._leaves]
        values[number][place] = moved
        try:
            result = self._values(values)
        except (MinigradError, RuntimeWarning, ArithmeticError, *OP_FAILURES) as error:
            raise Unusable(f"with {moved:.8g} the function fails: {reason_of(error)}") from None
        if result.shape != self._output.shape:
            raise Unusable(
                f"with {moved:.8g} the function gives shape {result.shape}, and not "
                f"{self._output.shape}: a mask or an index changes with the input; make it outside "
                f"of the function"
            )
        if not np.isfinite(result).all():
            bad = result[~np.isfinite(result)].flat[0]
            raise Unusable(f"with {moved:.8g} the function gives {bad}: it ends near there")
        weighted = self.seed * result
        eps = float(np.finfo(result.dtype).eps)
        return Value(float(weighted.sum()), 2 * eps * float(np.abs(weighted).sum()))

    def _values(self, values: Sequence[Values]) -> NDArray[Any]:
        with no_grad():
            result = self._compute(*[Tensor(value) for value in values])
        return np.asarray(result.values)


def _short(values: NDArray[Any]) -> str:
    return np.array2string(values, precision=6, threshold=4, separator=", ")


def _tensors_of(inputs: object) -> list[Tensor]:
    """Return the inputs; refuse what is no list of tensors."""
    tensors = listed(inputs, "inputs", "a list of tensors, such as [x, y]", GradcheckError)
    for one in tensors:
        if not isinstance(one, Tensor):
            raise GradcheckError(
                f"the inputs must be tensors, not {told(one)}; wrap numbers: mg.Tensor(…, True)"
            )
    return tensors


def _calls_of(fn: Callable[..., Tensor] | str, attrs: dict[str, Any]) -> Callable[..., Tensor]:
    """Return the function to check; that of an op's name calls the op with its attributes."""
    if isinstance(fn, str):
        return lambda *operands: operate(fn, operands, attrs)
    if not callable(fn):
        raise GradcheckError(
            f"the first argument must be a function of tensors or the name of an op, not {told(fn)}"
        )
    if attrs:
        raise GradcheckError(
            f"attrs={told(attrs)} go with the name of an op; call the function with its own "
            f"arguments: gradcheck(lambda a: …, inputs)"
        )
    return fn
