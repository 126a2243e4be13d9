"""How fast the engine is: one piece of work in minigrad, by hand in numpy, and in other engines.

``python tests/benchmarks/engine_speed.py`` prints a table of ratios, all from one run. The other
engines come with ``pip install -e ".[bench]"``; torch is used where it is installed. Before
anything is timed, all sides are made to agree on their results.

On Linux, memory that was freed is kept by the process: otherwise the order in which arrays are
freed decides how often fresh pages are asked for, and that may cost more than the work itself.
"""

from __future__ import annotations

import argparse
import gc
import importlib
import os
import platform
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from moons import two_moons, weights_of_demo
from ratios import interleaved, middle, ratios

SIDES = {
    "numpy": "sides.by_hand",
    "minigrad": "sides.with_minigrad",
    "micrograd": "sides.with_micrograd",
    "autograd": "sides.with_autograd",
    "torch": "sides.with_torch",
}


@dataclass(frozen=True)
class Workload:
    """One piece of work: which function of each side does it, on what, and what to reach."""

    name: str
    function: str
    arguments: tuple[Any, ...]
    unit: str
    repeats: int
    reach: dict[str, float]  # at most this many times the time of that side


def workloads() -> list[Workload]:
    """Return all pieces of work, on the same numbers in every run."""
    rng = np.random.default_rng(0)

    def floats(*shape: int, scale: float = 1.0) -> np.ndarray:
        return (scale * rng.standard_normal(shape)).astype(np.float32)

    layers = [floats(a, b, scale=a**-0.5) for a, b in ((784, 256), (256, 128), (128, 10))]
    images, labels = floats(64, 784), rng.integers(0, 10, 64)
    small, large = (rng.uniform(0.1, 0.9, s).astype("f") for s in ((32, 32), (1000, 1000)))
    return [
        Workload("w = x*y + x on scalars", "scalars", (3.0, 4.0), "numpy", 300, {"micrograd": 1.5}),
        Workload(
            "chain of 10,000 ops on scalars",
            "chain",
            (np.array(0.5, np.float32), 10_000),
            "numpy",
            1,
            {"numpy": 3, "micrograd": 1.5},
        ),
        Workload("100 ops on (32, 32)", "chain", (small, 100), "numpy", 10, {"numpy": 2.5}),
        Workload("10 ops on (1000, 1000)", "chain", (large, 10), "numpy", 1, {"numpy": 1.2}),
        Workload(
            "784-256-128-10, batch of 64",
            "network",
            (layers, images, labels),
            "numpy",
            3,
            {"numpy": 1.15},
        ),
        Workload(
            "2-16-16-1 of scalars, 100 moons",
            "demo",
            (weights_of_demo(rng), *two_moons(100, rng)),
            "micrograd",
            1,
            {"torch": 1.0},
        ),
    ]


def runs_of(workload: Workload) -> dict[str, Callable[[], Sequence[Any]]]:
    """Return what each side runs for a workload; sides that are missing or cannot are left out."""
    runs = {}
    for name, module in SIDES.items():
        try:
            side = importlib.import_module(module)
        except ModuleNotFoundError as error:
            if error.name not in SIDES:
                raise
            continue
        make = getattr(side, workload.function, None)
        run = make(*workload.arguments) if make else None
        if run is not None:
            runs[name] = run
    return runs


def check_agreement(runs: dict[str, Callable[[], Sequence[Any]]]) -> None:
    """Refuse to compare sides that compute different things."""
    results = {name: [np.asarray(one) for one in run()] for name, run in runs.items()}
    for name, result in results.items():
        for ours, theirs in zip(results["minigrad"], result, strict=True):
            np.testing.assert_allclose(ours, theirs, rtol=2e-3, atol=1e-4, err_msg=name)


def measure(workload: Workload, rounds: int) -> Iterator[str]:
    """Time one workload on all sides and return the lines of its part of the table."""
    runs = runs_of(workload)
    check_agreement(runs)
    times = interleaved(runs, rounds, workload.repeats)
    yield f"{workload.name}, in units of {workload.unit}:"
    for name in runs:
        line = f"    {name:10} {middle(ratios(times, name, workload.unit)):>22}"
        if name == "minigrad":
            for unit, limit in workload.reach.items():
                reached = middle(ratios(times, name, unit)) if unit in runs else "not installed"
                line += f"    {unit} × {reached}, to reach {limit}"
        yield line


def memory_of_training(steps: int = 200) -> Iterator[str]:
    """Tell the resident memory after the tenth of many training steps and after the last."""
    import psutil

    process = psutil.Process()
    network = next(one for one in workloads() if one.function == "network")
    run = importlib.import_module(SIDES["minigrad"]).network(*network.arguments)
    gc.disable()  # what only the collector could free would show as growth
    try:
        sizes = []
        for _ in range(steps):
            run()
            sizes.append(process.memory_info().rss / 2**20)
    finally:
        gc.enable()
    yield (
        f"{steps} training steps of {network.name}, collector off: {sizes[9]:.1f} MB resident "
        f"after the tenth, {sizes[-1]:.1f} MB after the last, {max(sizes[9:]):.1f} MB at most"
    )


def keep_freed_memory() -> None:
    """Start again with a C library that keeps what is freed, where that can be asked for."""
    wanted = dict.fromkeys(("MALLOC_TRIM_THRESHOLD_", "MALLOC_MMAP_THRESHOLD_"), str(2**32))
    if sys.platform == "linux" and not wanted.items() <= os.environ.items():
        os.execve(sys.executable, [sys.executable, *sys.argv], os.environ | wanted)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=21, help="how often each side is timed")
    parser.add_argument("--only", default="", help="a part of the names of workloads to run")
    options = parser.parse_args()
    print(
        f"Median of {options.rounds} rounds (and the middle half). Python "
        f"{platform.python_version()}, numpy {np.__version__}, {os.cpu_count()} processors."
    )
    for workload in workloads():
        if options.only in workload.name:
            for line in measure(workload, options.rounds):
                print(line, flush=True)
    if options.only in "memory of training":
        for line in memory_of_training():
            print(line)


if __name__ == "__main__":
    keep_freed_memory()
    main()
