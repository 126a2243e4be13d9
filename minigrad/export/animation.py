"""Animations: gif, webp and animated png, every frame of one size and shown whole."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from minigrad.export.needed import needed

DELAY = 2.0
LAST_DELAY = 5.0
MOST_COLOURS = 255
"""Of a gif; the last of the 256 stays free for "as it was", which makes the file small."""
PURE_COLOURS = 64
"""So many of the commonest colours, the fills and the lines, are kept exactly."""
WAYS: dict[str, dict[str, Any]] = {
    "gif": {"format": "GIF", "optimize": False, "disposal": 1},
    "webp": {"format": "WEBP", "lossless": True, "quality": 20, "method": 0},
    "apng": {"format": "PNG", "disposal": 0, "blend": 0},
}


def animation(pngs: Iterable[bytes], chosen: str, delays: Sequence[float]) -> bytes:
    """Put frames one after the other, in an endless loop.

    Parameters
    ----------
    pngs : iterable of bytes
        The frames, all of one size.
    chosen : {'gif', 'webp', 'apng'}
        The format.
    delays : sequence of float
        How long each frame is shown, in seconds.
    """
    image = needed("PIL.Image", "Pillow", chosen)
    frames = [image.open(io.BytesIO(png)) for png in pngs]
    opaque = chosen == "gif" or not any(frame.mode == "RGBA" for frame in frames)
    frames = [frame.convert("RGB" if opaque else "RGBA") for frame in frames]
    if chosen == "gif":
        frames = with_one_palette(frames)
    file = io.BytesIO()
    frames[0].save(
        file,
        save_all=True,
        append_images=frames[1:],
        # browsers take less than 20 ms for a mistake, and a gif counts in hundredths of a second
        duration=[round(delay * 100) * 10 for delay in delays],
        loop=0,
        **WAYS[chosen],
    )
    return file.getvalue()


def with_one_palette(frames: Sequence[Any]) -> list[Any]:
    """Return the frames with the same colours, chosen so that flat ones and text stay crisp."""
    image = needed("PIL.Image", "Pillow", "gif")
    counts: dict[tuple[int, int, int], int] = {}
    for frame in frames:
        for count, colour in frame.getcolors(1 << 24):
            counts[colour] = counts.get(colour, 0) + count
    colours = np.array(sorted(counts, key=lambda one: (-counts[one], one)), np.uint8)
    palette = _palette(image, colours, np.array([counts[tuple(c)] for c in colours.tolist()]))
    nearest = np.zeros(1 << 24, np.uint8)
    wide = palette.astype(np.int32)
    for part in np.array_split(colours, max(1, len(colours) // 1000)):
        distances = ((part[:, None].astype(np.int32) - wide[None]) ** 2).sum(axis=2)
        nearest[_codes(part)] = distances.argmin(axis=1)
    flat = palette.tobytes()
    reduced = []
    for frame in frames:
        one = image.fromarray(nearest[_codes(np.asarray(frame))])
        one.putpalette(flat)
        reduced.append(one)
    return reduced


def _palette(image: Any, colours: np.ndarray[Any, Any], counts: np.ndarray[Any, Any]) -> Any:
    """Return up to 255 colours: the commonest exactly, and a median cut of the others."""
    if len(colours) <= MOST_COLOURS:
        return colours
    others, weights = colours[PURE_COLOURS:], counts[PURE_COLOURS:]
    # a rare colour counts too, though less: it may be all there is of a box that shows once
    repeats = np.maximum(1, np.sqrt(weights)).astype(int)
    sample = image.fromarray(np.repeat(others, repeats, axis=0)[None])
    cut = sample.quantize(MOST_COLOURS - PURE_COLOURS, image.Quantize.MEDIANCUT)
    found = np.array(cut.getpalette(), np.uint8).reshape(-1, 3)[: MOST_COLOURS - PURE_COLOURS]
    return np.concatenate([colours[:PURE_COLOURS], found])


def _codes(colours: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return each colour as one number."""
    wide = colours.astype(np.uint32)
    codes: np.ndarray[Any, Any] = wide[..., 0] << 16 | wide[..., 1] << 8 | wide[..., 2]
    return codes
