"""Two steppers drawn alike: of graphs of one structure, everything stands in one place in both."""

from __future__ import annotations

from collections.abc import Sequence

from minigrad.compare.alignment import have_same_structure
from minigrad.diagram import Layouts
from minigrad.diagram.film import justify
from minigrad.diagram.scenes import loose_film_of
from minigrad.stepper.variants import Variants, View


def draw_alike(both: Sequence[Variants]) -> None:
    """Give each of two opened variants its one view: of the variant that is asked for.

    Raises
    ------
    DrawingError
        If Graphviz fails or takes too long.
    """
    traces = [variants.traces[variants.asked] for variants in both]
    parts = [one.snapshot.part(range(one.snapshot.count), constants=one.constants) for one in both]
    films = [loose_film_of(*drawn) for drawn in zip(traces, parts, strict=True)]
    rows = [[(reel.key, len(reel.values[0].lines)) for reel in film.reels] for film in films]
    left, right = (trace.snapshot for trace in traces)
    if have_same_structure(left, right) and rows[0] == rows[1]:
        justify(films)
        shared = Layouts(*films)
        layouts = [shared, shared.copy()]  # each keeps its own pieces of the picture
    else:
        for film in films:
            justify([film])
        layouts = [Layouts(film) for film in films]
    for variants, part, film, places in zip(both, parts, films, layouts, strict=True):
        name = variants.asked
        scenes = {name: [range(film.length)]}
        variants.keep(0, View(part, scenes, {name: film}, places))
