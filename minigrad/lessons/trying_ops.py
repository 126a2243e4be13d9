"""Trying out an op that a learner wrote."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from minigrad.engine.ops import Differentiable
from minigrad.engine.tensor import Tensor
from minigrad.lessons.answers import matches
from minigrad.lessons.examples import contributions, leaf
from minigrad.lessons.task import NotTriedError, answer_of

UPSTREAM = 5.0


class OneOperand:
    """An examination of an op with one operand: forward first, then backward.

    Parameters
    ----------
    pattern : Differentiable
        An op that is right.
    points : sequence of float
        Where to try; the first is where mistakes are recognised.
    in_forward : mapping
        From a wrong output at the first point to the hint.
    in_backward : mapping
        From a hint to the function of operand, output and upstream gradient that a wrong
        backward computes.
    """

    def __init__(
        self,
        pattern: Differentiable,
        points: Sequence[float],
        in_forward: Mapping[float, str],
        in_backward: Mapping[str, Callable[[float, float, float], float]],
    ) -> None:
        self._pattern = pattern
        self._points = points
        self._in_forward = in_forward
        self._in_backward = in_backward

    def __call__(self, op: Any) -> str | None:
        """Return a hint at what is wrong with the op, or None."""
        if isinstance(op, type):
            return f"Hand over an object, not the class: write `{op.__name__}()`."
        if not isinstance(op, Differentiable):
            return "An op is an object of a class that is built on `mg.Differentiable`."
        for value in self._points:
            hint = self._try(op, value)
            if hint is not None:
                return hint
        return None

    def _try(self, op: Differentiable, value: float) -> str | None:
        x = leaf(value)
        output = float(Tensor(self._pattern.forward([x])).item())
        got = answer_of(op.forward, [x])
        if not matches(_number(got), output):
            hint = next((h for v, h in self._in_forward.items() if matches(_number(got), v)), "")
            return f"`forward` makes {_told(got)} out of {value}. {hint}".strip()
        passed = answer_of(op.backward, np.float32(UPSTREAM), [x], Tensor(output))
        if not isinstance(passed, list | tuple):
            return "`backward` returns a list, with one number for each operand: `[…]`."
        if len(passed) != 1:
            return f"`backward` returned {len(passed)} numbers; there is one operand."
        if passed[0] is ...:
            raise NotTriedError
        (expected,) = contributions(self._pattern, UPSTREAM, value)
        if matches(_number(passed[0]), expected):
            return None
        for hint, wrong in self._in_backward.items():
            if matches(_number(passed[0]), wrong(value, output, UPSTREAM)):
                return hint
        return (
            f"`backward` gives {_told(passed[0])} for x = {value} and an upstream gradient of "
            f"{UPSTREAM}. It must be the upstream gradient times the local derivative at x."
        )


def _number(value: Any) -> Any:
    return value.item() if isinstance(value, Tensor) else value


def _told(value: Any) -> str:
    return str(_number(value))
