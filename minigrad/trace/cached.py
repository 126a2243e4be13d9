"""`cached_property`: worked out when it is first asked for, without a lock.

That of Python 3.11 holds a lock while it computes, one for all objects of a class: threads wait for
each other, and a child that is forked meanwhile would wait for ever.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING or sys.version_info >= (3, 12):
    from functools import cached_property
else:

    class cached_property(functools.cached_property):  # noqa: N801 - it stands for that one
        """As Python 3.12 has it."""

        def __init__(self, function: Callable[[Any], Any]) -> None:
            super().__init__(function)
            self.lock = nullcontext()


__all__ = ["cached_property"]
