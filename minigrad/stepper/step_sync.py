"""`StepSync`: which step a widget shows, set by the page and by Python."""

from __future__ import annotations

from typing import Any

import traitlets

from minigrad.engine.checks import is_whole
from minigrad.engine.errors import PlaceError, told


class StepIndexError(PlaceError, traitlets.TraitError):
    """A step that was set and is not there; traitlets expects an error of its own kind."""


class StepIndex(traitlets.Int):  # type: ignore[type-arg]
    """The index of a step, from 0, that a user may set."""

    def validate(self, obj: Any, value: Any) -> int:
        """Return it as Python's own number."""
        count = len(obj.steps)
        if not is_whole(value) or not 0 <= value < count:
            there = f"there are steps 0 to {count - 1}"
            raise StepIndexError(f"there is no step {told(value)}; {there}")
        return int(value)


class StepSync(traitlets.HasTraits):
    """The part of a widget that knows its step, and in which variant it is told.

    Attributes
    ----------
    index : int
        The step that is shown, from 0; it can be set.
    """

    index = StepIndex(0)
    variant = traitlets.Unicode(read_only=True)
    # [step, serial number, variant], one channel for each side: the newer one counts, and a late
    # echo of an earlier step cannot take the page back
    _from_python: Any = traitlets.List().tag(sync=True)
    _from_page: Any = traitlets.List().tag(sync=True)

    @property
    def steps(self) -> list[Any]:
        """All steps, in order."""
        raise NotImplementedError

    def _move(self, index: int, variant: str) -> None:
        """Show a step of a variant, here and in the page."""
        self._from_python = [index, self._newest()[1] + 1, variant]
        self._follow()

    def _length(self, variant: str) -> int:
        """Return how many steps a variant has; none if there is no such variant."""
        raise NotImplementedError

    @traitlets.validate("_from_python", "_from_page")
    def _check_told(self, proposal: dict[str, Any]) -> list[Any]:
        """Keep what was told before, if a page sends what is no step."""
        new: list[Any] = proposal["value"]
        is_told = len(new) == 3 and all(map(is_whole, new[:2])) and isinstance(new[2], str)
        if is_told and 0 <= new[0] < self._length(new[2]):
            return new
        before: list[Any] = getattr(self, proposal["trait"].name)
        return before

    @traitlets.observe("index")
    def _tell_page(self, change: dict[str, Any]) -> None:
        newest = self._newest()
        if [change["new"], self.variant] != [newest[0], newest[2]]:
            self._from_python = [change["new"], newest[1] + 1, self.variant]

    @traitlets.observe("_from_page")
    def _follow_page(self, change: dict[str, Any]) -> None:
        self._follow()

    def _follow(self) -> None:
        """Show what the newest of the two channels says."""
        index, _, variant = self._newest()
        self.set_trait("variant", variant)
        self.index = index

    def _newest(self) -> list[Any]:
        newest: list[Any] = max(self._from_python, self._from_page, key=lambda told: told[1])
        return newest
