"""Two steppers drawn alike: of graphs of one structure, everything stands in one place in both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from minigrad.diagram import Film, film_of, lay_out
from minigrad.diagram.film import justify
from minigrad.trace.matching import have_same_structure
from minigrad.widgets.versions import Versions, View


def unfolded(versions: Versions) -> Versions:
    """Return a copy of versions with all groups open, and the whole graph in one window."""
    made = versions.with_folded(frozenset())
    made.windows = [range(made.snapshot.count)]
    made.shown = {name: [(0, 0)] for name in made.traces}
    return made


def draw_alike(both: Sequence[Versions]) -> None:
    """Give each of two unfolded versions one view: of the version that is asked for.

    Raises
    ------
    DrawingError
        If Graphviz fails or takes too long.
    """
    traces = [versions.traces[versions.asked] for versions in both]
    films = [film_of(trace) for trace in traces]
    keys = [[reel.key for reel in film.reels] for film in films]
    left, right = (trace.snapshot for trace in traces)
    if have_same_structure(left, right) and keys[0] == keys[1]:
        for film in films:
            _loosen(film)
        justify(films)
        layout = lay_out(*films)
        layouts = [layout, replace(layout)]  # each keeps its own pieces of the picture
    else:
        layouts = [lay_out(film) for film in films]
    for versions, trace, film, layout in zip(both, traces, films, layouts, strict=True):
        name = versions.asked
        scenes = {name: [range(len(trace.steps))]}
        versions._views = {0: View(trace.snapshot, scenes, {name: film}, layout)}


def _loosen(film: Film) -> None:
    """Put a tab where the header of a box was stretched, so that it can be stretched anew."""
    for reel in film.boxes.values():
        for place, look in enumerate(reel.looks):
            header, *rows = look.lines
            left, gap, right = header.rpartition("  ")
            if gap:
                loose = f"{left.rstrip()}\t{right.lstrip()}"
                reel.looks[place] = replace(look, lines=(loose, *rows))
