"""`gradcheck`: whether the gradient that backward gives is the one that can be measured."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from minigrad.engine.backward import walk
from minigrad.engine.errors import GradcheckError
from minigrad.engine.graph import ComputationGraph
from minigrad.engine.no_grad import no_grad
from minigrad.engine.recorders import operate
from minigrad.engine.tensor import Tensor


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
    difference of two nearby values has hardly a digit left.

    Parameters
    ----------
    fn : callable or str
        Takes as many tensors as there are inputs and returns one tensor, by means of
        operators; it is called once inside ``with graph:`` and often inside ``no_grad()``.
        Or the name of an op of the default registry.
    inputs : sequence of Tensor
        Where to compare; those with ``requires_grad=False`` are left out of the comparison.
        Keep away from kinks.
    attrs : mapping, optional
        With the name of an op, what else the op is called with, such as an axis.
    step : float, default 1e-6
        The `h` of the formula at numbers up to 1; at larger ones it grows with them.
    rtol, atol : float
        The numbers agree if ``|numeric - analytic| <= atol + rtol * |numeric|``.

    Raises
    ------
    GradcheckError
        If two numbers disagree; the message has both, the input and the place. Also if no
        input requires a gradient, since nothing would be checked.

    Examples
    --------
    >>> import minigrad as mg
    >>> x, y = mg.Tensor([1.0, 2.0], requires_grad=True), mg.Tensor(3.0, requires_grad=True)
    >>> mg.gradcheck(lambda x, y: x * y + x / y, [x, y])
    """
    inputs = list(inputs)
    if not all(isinstance(one, Tensor) for one in inputs):
        raise GradcheckError("the inputs must be tensors; wrap numbers: mg.Tensor(…, True)")
    compute = _calls_of(fn, dict(attrs or {}))
    leaves = [Tensor(t, requires_grad=t.requires_grad, dtype=np.float64) for t in inputs]
    if not any(leaf.requires_grad and leaf.values.size for leaf in leaves):
        raise GradcheckError("no input has requires_grad=True, so there is nothing to check")
    graph = ComputationGraph()
    with graph:
        output = compute(*leaves)
    if not isinstance(output, Tensor):
        raise GradcheckError(f"the function must return a Tensor, not {type(output).__name__}")
    # not all ones, and no two alike: a backward that mixes up or drops elements is found out
    seed = np.cos(np.arange(1.0, output.values.size + 1.0)).reshape(output.shape) + 1.5
    if not output.requires_grad:
        raise GradcheckError("the function does not depend on its inputs; there is no gradient")
    _, of_leaves, _ = walk(graph, output, seed)

    def weighted(values: list[NDArray[np.float64]]) -> float:
        with no_grad():
            result = compute(*[Tensor(value) for value in values])
        return float((seed * result.values).sum())

    for number, leaf in enumerate(leaves):
        if not leaf.requires_grad:
            continue
        found = of_leaves.get(leaf)
        analytic = np.zeros(leaf.shape) if found is None else np.asarray(found)
        for place in np.ndindex(leaf.shape):
            sides = []
            h = step * max(1.0, abs(float(leaf.values[place])))
            for shift in (h, -h):
                values = [np.array(other.values) for other in leaves]
                values[number][place] += shift
                sides.append(weighted(values))
            numeric = (sides[0] - sides[1]) / (2 * h)
            if not abs(numeric - analytic[place]) <= atol + rtol * abs(numeric):
                where = f" at {place}" if place else ""
                told = float(seed.item()) if seed.size == 1 else 1.0  # one number: as for seed 1
                raise GradcheckError(
                    f"gradient of input {number}{where} differs: numeric {numeric / told:.8g}, "
                    f"analytic {float(analytic[place]) / told:.8g} (input "
                    f"{leaf.values[place]:.8g}); look at the backward of the ops in this function"
                )


def _calls_of(fn: Callable[..., Tensor] | str, attrs: dict[str, Any]) -> Callable[..., Tensor]:
    """Return the function to check; that of an op's name calls the op with its attributes."""
    if isinstance(fn, str):
        return lambda *operands: operate(fn, operands, attrs)
    if not callable(fn):
        raise GradcheckError(
            f"the first argument must be a function of tensors or the name of an op, not {fn!r}"
        )
    if attrs:
        raise GradcheckError(
            f"attrs={attrs!r} go with the name of an op; call the function with its own arguments: "
            f"gradcheck(lambda a: …, inputs)"
        )
    return fn
