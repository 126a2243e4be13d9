"""What a viewer without widgets is shown: a saved notebook, nbconvert, a code host."""

from __future__ import annotations

from typing import Any


def with_static(bundle: Any, static: dict[str, str]) -> Any:
    """Add static forms of a widget to its mimebundle; None, of a closed widget, stays None."""
    if bundle is None:
        return None
    data, metadata = bundle if isinstance(bundle, tuple) else (bundle, {})
    return {**data, **static}, metadata
