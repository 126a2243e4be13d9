"""What can be folded and opened, as the page is told."""

from __future__ import annotations

from typing import Any

from minigrad.diagram.rows import group_title
from minigrad.trace import Snapshot
from minigrad.trace.groups import Group
from minigrad.widgets.versions import Versions

MOST_NAMED = 12
"""Groups that have a button each; of more, only those that are open, up to so many."""


def named_groups(versions: Versions) -> dict[str, Any]:
    """Return the groups that have a button, and whether there is anything to fold or to open."""
    snapshot = versions.snapshot
    shut, opened = _shut(snapshot), snapshot.open_groups
    named = [*shut, *opened] if len(shut) + len(opened) <= MOST_NAMED else opened[:MOST_NAMED]
    return {
        "named": _told(named, snapshot),
        "folded": bool(shut),
        "open": bool(opened),
    }


def groups_in(part: Snapshot) -> list[dict[str, Any]]:
    """Return the groups that are seen in a part of the graph, in the order of the nodes."""
    seen = part.positions
    opened = [
        one
        for one in part.open_groups
        if one.positions.start < seen.stop and seen.start < one.positions.stop
    ]
    return _told([*_shut(part), *opened], part)


def _shut(part: Snapshot) -> list[Group]:
    groups = [part.items[key].group for key in part.boxes]
    return [group for group in groups if group is not None]


def _told(groups: list[Group], part: Snapshot) -> list[dict[str, Any]]:
    return [
        {
            "key": one.key,
            "name": group_title(one, folded=one.key in part.items),
            "folded": one.key in part.items,
            "first": one.positions.start,
        }
        for one in sorted(groups, key=lambda group: (group.positions.start, group.depth))
    ]
