"""Time several ways to do one piece of work, side by side, and print how they compare."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Mapping

SLOW = 1.0
"""Seconds beyond which a side runs in the first rounds only."""
ROUNDS_OF_SLOW = 3


def interleaved(
    sides: Mapping[str, Callable[[], object]], rounds: int, repeats: int = 1
) -> dict[str, list[float]]:
    """Return the seconds of each side in each round; every round runs all sides in turn.

    What slows the machine down for a while slows all sides of a round, and the order
    within a round changes from one to the next. The garbage collector stays on, as it is
    for users; what a side leaves behind is collected before the next one starts.
    """
    times: dict[str, list[float]] = {name: [] for name in sides}
    names = list(sides)
    for number in range(rounds):
        start = number % len(names)
        for name in names[start:] + names[:start]:
            if number >= ROUNDS_OF_SLOW and max(times[name]) > SLOW:
                continue
            run = sides[name]
            gc.collect()
            began = time.perf_counter()
            for _ in range(repeats):
                run()
            times[name].append((time.perf_counter() - began) / repeats)
    return times


def ratios(times: Mapping[str, list[float]], side: str, unit: str) -> list[float]:
    """Return how many times as long `side` took as `unit`, in each round that both ran in."""
    return [a / b for a, b in zip(times[side], times[unit], strict=False)]


def middle(numbers: list[float]) -> str:
    """Return the median in short, and how far the middle half of the numbers reaches."""
    if len(numbers) < 4:
        return f"{statistics.median(numbers):.2f}"
    low, median, high = statistics.quantiles(numbers, n=4)
    return f"{median:.2f} ({low:.2f}–{high:.2f})"
