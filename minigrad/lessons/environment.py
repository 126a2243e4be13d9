"""Whether everything is there that the notebooks need."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib import metadata

from minigrad.engine.errors import MinigradError

PACKAGES = ("numpy", "graphviz", "pygraphviz", "anywidget", "ipywidgets", "matplotlib")
OLDEST_PYTHON = (3, 11)


@dataclass(frozen=True)
class Need:
    """One thing that the notebooks need, whether it is there, and what to do if not."""

    name: str
    fulfilled: bool
    detail: str

    def __str__(self) -> str:
        return f"[{'OK' if self.fulfilled else 'FAIL'}] {self.name}: {self.detail}"


class EnvironmentReport(list[Need]):
    """All needs; printed as one line each."""

    @property
    def fulfilled(self) -> bool:
        """Whether nothing is missing."""
        return all(need.fulfilled for need in self)

    def __repr__(self) -> str:
        return "\n".join(map(str, self))

    def _repr_pretty_(self, printer: object, cycle: bool) -> None:
        printer.text(repr(self))  # type: ignore[attr-defined]


def check_environment() -> EnvironmentReport:
    """Look at Python, the packages and the Graphviz worker, and say how to mend what fails."""
    running = sys.version_info[:2]
    wanted = ".".join(map(str, OLDEST_PYTHON))
    report = EnvironmentReport(
        [
            Need(
                "Python",
                running >= OLDEST_PYTHON,
                f"{running[0]}.{running[1]} (needed: {wanted} or newer)",
            )
        ]
    )
    report += [_look_for(package) for package in PACKAGES]
    report.append(_try("drawing", _draw_something))
    return report


def _look_for(package: str) -> Need:
    try:
        return Need(package, True, metadata.version(package))
    except metadata.PackageNotFoundError:
        return Need(package, False, f"not installed; run: python -m pip install {package}")


def _try(name: str, attempt: Callable[[], str]) -> Need:
    try:
        return Need(name, True, attempt())
    except (MinigradError, ImportError, OSError) as error:
        return Need(
            name, False, f"{error}; run: python -m pip install --force-reinstall pygraphviz"
        )


def _draw_something() -> str:
    from minigrad.diagram.graphviz.process import graphviz_process

    graphviz_process.render("digraph { a -> b }", "dot", ["svg"])
    return "Graphviz answers"
