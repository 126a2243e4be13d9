"""`Folds`: folding the scopes of a stepper to one box each, and opening them again."""

from __future__ import annotations

from typing import Any

from minigrad.progress import one_work
from minigrad.widgets.payload import payload_of
from minigrad.widgets.versions import Versions


class Folds:
    """The part of a `Stepper` that folds; the step that is shown stays the same."""

    _versions: Versions
    payload: Any

    def fold(self, *names: str) -> None:
        """Show scopes as one box each, whose nodes are stepped over at once.

        Parameters
        ----------
        *names : str
            Which ones, by their names; without any, all scopes, and chains of equal patterns.

        Raises
        ------
        DrawingError
            If there is no scope of a name.
        """
        self._show_folded(self._versions.folded | self._versions.groups.chosen(names or True))

    def unfold(self, *names: str) -> None:
        """Show the nodes of scopes again; without names, of all.

        Raises
        ------
        DrawingError
            If there is no scope of a name.
        """
        self._show_folded(self._versions.folded - self._versions.groups.chosen(names or True))

    def fold_for_page(self, content: dict[str, Any]) -> None:
        """Fold or open what was pressed in the page; without a key, everything."""
        key, groups = content["key"], self._versions.groups
        keys = frozenset(groups.all if key is None else [key])
        now = self._versions.folded
        self._show_folded(now | keys if content["fold"] else now - keys)

    def _show_folded(self, folded: frozenset[str]) -> None:
        if folded != self._versions.folded:
            with one_work():
                versions = self._versions.with_folded(folded)
                payload = payload_of(versions) | {"predict": self.payload["predict"]}
            self._versions, self.payload = versions, payload
