"""Two steppers drawn alike: of graphs of one structure, everything stands in one place in both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from minigrad.compare.alignment import have_same_structure
from minigrad.diagram import Film, film_of, lay_out
from minigrad.diagram.film import justify
from minigrad.stepper.variants import Variants, View
from minigrad.trace.timeline import Timeline


def unfolded(variants: Variants) -> Variants:
    """Return a copy of variants with all groups open, and the whole graph in one window."""
    made = variants.with_folded(frozenset())
    made.windows = [range(made.snapshot.count)]
    made.shown = {name: Timeline([(0, 0)]) for name in made.traces}
    return made


def draw_alike(both: Sequence[Variants]) -> None:
    """Give each of two unfolded variants one view: of the variant that is asked for.

    Raises
    ------
    DrawingError
        If Graphviz fails or takes too long.
    """
    traces = [variants.traces[variants.asked] for variants in both]
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
    for variants, trace, film, layout in zip(both, traces, films, layouts, strict=True):
        name = variants.asked
        scenes = {name: [range(len(trace.steps))]}
        variants._views = {0: View(trace.snapshot, scenes, {name: film}, layout)}


def _loosen(film: Film) -> None:
    """Put a tab where the header of a box was stretched, so that it can be stretched anew."""
    for reel in film.boxes.values():
        for place, look in enumerate(reel.values):
            header, *rows = look.lines
            left, gap, right = header.rpartition("  ")
            if gap:
                loose = f"{left.rstrip()}\t{right.lstrip()}"
                reel.values[place] = replace(look, lines=(loose, *rows))
