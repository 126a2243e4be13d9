"""`StepSync`: which step a widget shows, set by the page and by Python."""

from __future__ import annotations

from typing import Any

import traitlets


class StepSync(traitlets.HasTraits):
    """The part of a widget that knows its step, and in which variant it is told.

    Attributes
    ----------
    index : int
        The step that is shown, from 0; it can be set.
    """

    index = traitlets.Int(0)
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

    @traitlets.validate("index")
    def _check_index(self, proposal: dict[str, Any]) -> int:
        index: int = proposal["value"]
        if not 0 <= index < len(self.steps):
            raise traitlets.TraitError(
                f"there is no step {index}; there are steps 0 to {len(self.steps) - 1}"
            )
        return index

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
