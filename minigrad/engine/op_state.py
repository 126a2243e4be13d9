"""Whether an op of others keeps something of a call on itself.

One instance serves every call. When backward comes to the first one, what forward left on the op
is what the last call left there: a wrong gradient, without a word.
"""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import numpy as np

from minigrad.engine.ops.base import HOUSE, Differentiable
from minigrad.engine.tensor import Tensor

DEEPEST = 8
"""So far containers in containers are looked into; whatever holds itself ends there too."""
NOTHING = object()


def state_of(op: Differentiable) -> dict[str, Any]:
    """Return what an op and its class hold now, so that `changed_attributes` can compare it."""
    return {name: _contents(value, DEEPEST) for name, value in _attributes(op)}


def changed_attributes(op: Differentiable, before: dict[str, Any]) -> list[str]:
    """Return the names of the attributes that are not as they were.

    A whole number that has grown by 1 counts calls, and is no value of one.
    """
    after = state_of(op)
    return [
        name
        for name in dict.fromkeys([*before, *after])
        if not _is_same(before.get(name, NOTHING), after.get(name, NOTHING))
    ]


def _attributes(op: Differentiable) -> Iterator[tuple[str, Any]]:
    """Yield the attributes of an op in whichever way they are kept, and those of its classes."""
    yield from getattr(op, "__dict__", {}).items()
    yield from _in_slots(op)
    for cls in type(op).__mro__:
        if cls is Differentiable or cls.__module__.startswith(HOUSE):
            return
        for name, value in vars(cls).items():
            is_method = callable(value) or hasattr(value, "__get__")
            if not (name.startswith("__") or name == "_abc_impl" or is_method):
                yield f"{cls.__name__}.{name}", value


def _in_slots(thing: Any) -> Iterator[tuple[str, Any]]:
    """Yield what something keeps in slots, by their names."""
    for cls in type(thing).__mro__:
        if cls.__module__.startswith(HOUSE):
            return
        slots = vars(cls).get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            if not name.startswith("__") and hasattr(thing, name):
                yield name, getattr(thing, name)


def _contents(value: Any, depth: int) -> Any:
    """Return a value, and with it a copy of what it holds if that can be edited in place."""
    if isinstance(value, np.ndarray):
        return (value, value.copy()) if value.flags.writeable else value
    if isinstance(value, bytearray | memoryview | array):
        return value, bytes(value)
    if isinstance(value, Tensor):
        return value, value.settled(), value.grad
    if isinstance(value, dict):
        parts = [part for item in value.items() for part in item]
    elif isinstance(value, list | tuple | set | deque):
        parts = list(value)
    elif isinstance(value, type | ModuleType):
        return value
    else:
        held = [*getattr(value, "__dict__", {}).items(), *_in_slots(value)]
        parts = [part for item in held for part in item]
    if not depth or (not parts and isinstance(value, str | int | float | tuple)):
        return value
    return (value, *(_contents(part, depth - 1) for part in parts))


def _is_same(before: Any, after: Any) -> bool:
    """Tell whether two results of `_contents` tell of one object that holds the same."""
    if before is after:
        return True
    if isinstance(before, tuple) and isinstance(after, tuple):
        return len(before) == len(after) and all(map(_is_same, before, after))
    if isinstance(before, np.ndarray) and isinstance(after, np.ndarray):
        # two copies of one array, or of another one
        return before.dtype == after.dtype and before.tobytes() == after.tobytes()
    if isinstance(before, bool) or type(before) is not type(after):
        return False
    if isinstance(before, int):
        return after in (before, before + 1)
    return isinstance(before, str | bytes | float) and before == after
