"""What numpy and math do with a tensor: operators of arrays record, functions are refused.

Their results would be plain numbers, and the gradient lost without a word. Python asks a tensor
for its numbers in the same way for ``float(w)``, which is meant, and for ``math.exp(w)``, which is
not; what tells them apart is the call in the learner's code that asks.
"""

from __future__ import annotations

import os
import sys
from numbers import Number
from types import FrameType
from typing import Any, NoReturn

import numpy as np
from numpy import ndarray

from minigrad.engine import ops
from minigrad.engine.call_site import OPERATOR, PACKAGE, STORE, called_by
from minigrad.engine.errors import TensorError
from minigrad.engine.ops.spelling import in_letters
from minigrad.engine.recorders import operate, silent

OPS_OF_OPERATORS = {
    np.add: "add",
    np.subtract: "sub",
    np.multiply: "mul",
    np.true_divide: "div",
    np.power: "pow",
    np.matmul: "matmul",
}
"""The op that an array's operator stands for, by the ufunc that it calls."""

OTHER_NAMES = {
    "absolute": "abs",
    "add.reduce": "sum",
    "amax": "max",
    "amin": "min",
    "concat": "concatenate",
    "divide": "div",
    "dot": "matmul",
    "expit": "sigmoid",
    "fabs": "abs",
    "float_power": "pow",
    "fmax": "maximum",
    "fmin": "minimum",
    "matvec": "matmul",
    "maximum.reduce": "max",
    "minimum.reduce": "min",
    "multiply": "mul",
    "negative": "neg",
    "permute_dims": "transpose",
    "power": "pow",
    "ravel": "reshape",
    "subtract": "sub",
    "true_divide": "div",
    "vecdot": "matmul",
    "vecmat": "matmul",
}
"""What functions of numpy and math are called here."""

WRITTEN_OUT = {
    "cbrt": "x ** (1 / 3)",
    "cosh": "(mg.exp(x) + mg.exp(-x)) / 2",
    "exp2": "2 ** x",
    "expm1": "mg.exp(x) - 1",
    "fsum": "x + y",
    "hstack": "mg.concatenate([x, y], axis=-1)",
    "hypot": "mg.sqrt(x**2 + y**2)",
    "inner": "mg.sum(x * y)",
    "log10": "mg.log(x) / math.log(10)",
    "log1p": "mg.log(1 + x)",
    "log2": "mg.log(x) / math.log(2)",
    "multiply.reduce": "x * y",
    "norm": "mg.sqrt(mg.sum(x**2))",
    "positive": "x",
    "prod": "x * y",
    "reciprocal": "1 / x",
    "sinh": "(mg.exp(x) - mg.exp(-x)) / 2",
    "square": "x ** 2",
    "std": "mg.sqrt(mg.mean((x - mg.mean(x)) ** 2))",
    "tan": "mg.sin(x) / mg.cos(x)",
    "vdot": "mg.sum(x * y)",
    "vstack": "mg.stack([x, y])",
    "var": "mg.mean((x - mg.mean(x)) ** 2)",
}
"""How to write with ops what some other functions compute."""

ORDER = {np.less, np.less_equal, np.greater, np.greater_equal}
EQUALITY = {np.equal, np.not_equal}
REMAINDER = {np.floor_divide, np.remainder, np.fmod, np.divmod}

QUESTIONS = {
    *("allclose", "array_equal", "array_equiv", "isclose", "isfinite", "isinf", "isnan"),
    *("all", "any", "argmax", "argmin", "argsort", "count_nonzero", "result_type"),
    *("array2string", "array_repr", "array_str"),
    *("empty_like", "full_like", "ones_like", "zeros_like"),
    *("ceil", "floor", "trunc", "ndim", "shape", "size"),
    *("save", "savetxt", "savez", "savez_compressed"),
}
"""Functions that ask about numbers, or store them: there is no gradient to lose."""

ARRAY_WITH_LIST = "array + [x, y]"
"""What numpy computes where an array meets a list of tensors, by whatever operator."""

ARRAY_WITH_TENSOR = "array[0] = x"
"""What puts the number of a tensor into an array."""

DEEPEST = 64
"""As many lists within lists as numpy allows."""

DISPATCHED = type(np.dot)
"""The type of numpy's functions that take arrays of others, written in C or not."""

PYTHON = os.path.dirname(os.__file__) + os.sep  # noqa: PTH120 - compared with names of files


def refuse_order(*_: object) -> NoReturn:
    """Refuse ``<`` and its like."""
    raise TensorError(
        "tensors are not compared with < and >, which have no gradient; compare their numbers: "
        "t.item() > 0, or t.data > 0"
    )


def refuse_equality(*_: object) -> NoReturn:
    """Refuse ``==`` with numbers: it would be False whatever they are."""
    raise TensorError(
        "== between tensors asks whether they are the same tensor, so a number equals none; "
        "compare numbers: t.item() == 15.0, or t.data == array"
    )


def refuse_remainder(*_: object) -> NoReturn:
    """Refuse ``//``, ``%`` and ``divmod``."""
    raise TensorError(
        "there is no op for //, % and divmod, which jump; use / for a quotient with a gradient, "
        "or numbers without one: t.item() // 2"
    )


def are_numbers(given: object) -> bool:
    """Tell whether something is a number, an array, or a list of numbers."""
    for _ in range(DEEPEST):
        if not (isinstance(given, list | tuple) and given):
            break
        given = given[0]
    return isinstance(given, Number | ndarray)


def on_ufunc(ufunc: np.ufunc, method: str, operands: tuple[Any, ...], named: Any) -> Any:
    """Do what ``array * tensor`` means, or answer a question; refuse all other ufuncs.

    Raises
    ------
    TensorError
        With the way to write it.
    """
    # an operator calls its ufunc with the array first, and says no more
    plain_call = method == "__call__" and not named
    if plain_call and ufunc in OPS_OF_OPERATORS and isinstance(operands[0], ndarray | np.generic):
        return operate(OPS_OF_OPERATORS[ufunc], operands)
    if ufunc in ORDER:
        refuse_order()
    if ufunc in EQUALITY:
        refuse_equality()
    if "out" in named:
        raise TensorError(
            "an array that a tensor is put into keeps no gradient; write a = a * t, which makes "
            "a tensor, not a *= t"
        )
    if ufunc in REMAINDER:
        refuse_remainder()
    name = ufunc.__name__ if method == "__call__" else f"{ufunc.__name__}.{method}"
    return on_function(ufunc, f"numpy.{name}", operands, named)


def on_function(function: Any, name: str, given: tuple[Any, ...], named: dict[str, Any]) -> Any:
    """Answer a question about numbers; refuse all other functions of numpy.

    Raises
    ------
    TensorError
        With the way to write it.
    """
    if name.rpartition(".")[2] not in QUESTIONS:
        raise TensorError(_loss(name))
    return function(*map(_plain, given), **{key: _plain(value) for key, value in named.items()})


def refuse_to_lose_gradient(as_array: bool) -> None:
    """Refuse to give the numbers of a tensor to a function that computes with them.

    Only what a learner's own code calls is refused: a library that plots, prints or stores
    numbers may ask for them by whatever function it likes.

    Parameters
    ----------
    as_array : bool
        Whether an array is asked for, or else a single number.

    Raises
    ------
    TensorError
        With the way to write it.
    """
    frame: FrameType | None = sys._getframe(2)  # whoever asks the tensor
    inside_numpy = None
    while frame is not None and _module(frame).partition(".")[0] == "numpy":
        if _module(frame).startswith("numpy.testing"):
            return
        inside_numpy, frame = frame.f_code.co_name, frame.f_back
    if frame is None or _is_installed(frame) or silent():
        return
    name = _computing(called_by(frame), inside_numpy, as_array)
    if name is not None and name.rpartition(".")[2] not in QUESTIONS:
        raise TensorError(_loss(name))


def _computing(called: object, inside_numpy: str | None, as_array: bool) -> str | None:
    """Return the name of a function that computes with the numbers it asks for; else None."""
    name = getattr(called, "__name__", "")
    owner = getattr(called, "__self__", None)
    if called is STORE:
        return ARRAY_WITH_TENSOR
    if called is OPERATOR:
        return ARRAY_WITH_LIST if as_array else None  # "%.2f" % w asks for a number
    if inside_numpy is not None:
        return f"numpy.{name or inside_numpy}"
    if isinstance(called, np.ufunc) or type(called) is DISPATCHED:
        return f"numpy.{name}"
    if isinstance(owner, np.ufunc):
        return f"numpy.{owner.__name__}.{name}"
    if isinstance(owner, ndarray) and name == "dot":
        return "numpy.dot"
    module = getattr(called, "__module__", None)
    return f"{module}.{name}" if module in ("math", "cmath") else None


def _plain(given: Any) -> Any:
    """Return the numbers of a tensor, and all else as it is."""
    from minigrad.engine.tensor import Tensor  # here, since it is built on this module

    return given.settled() if isinstance(given, Tensor) else given


def _loss(name: str) -> str:
    return (
        f"{name} on a tensor would give plain numbers and lose the gradient; "
        f"{_way_to_write(name)}; x.numpy() has plain numbers, without a gradient"
    )


def _way_to_write(name: str) -> str:
    if name == ARRAY_WITH_LIST:
        return "write array + mg.stack([x, y])"
    if name == ARRAY_WITH_TENSOR:
        return "write mg.stack([x, y])"
    short = name.partition(".")[2].removeprefix("linalg.")
    op_name = OTHER_NAMES.get(short, short)
    if op_name in ops.__all__:
        spellings = getattr(ops, op_name).spellings[:-1]  # the last one names the graph
        return "write " + " or ".join(in_letters(one) for one in spellings)
    if short in WRITTEN_OUT:
        return f"write {WRITTEN_OUT[short]}"
    return "there is no op of that name, so write it with those that there are"


def _module(frame: FrameType) -> str:
    return str(frame.f_globals.get("__name__", ""))


def _is_installed(frame: FrameType) -> bool:
    """Tell whether code is minigrad's own, or Python's, or a package's."""
    filename = frame.f_code.co_filename
    installed = "site-packages" in filename or "dist-packages" in filename
    return installed or filename.startswith((PACKAGE, PYTHON))
