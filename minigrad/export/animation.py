"""Animations: gif, webp and animated png, every frame of one size and shown whole."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from minigrad.progress import counted

DELAY = 2.0
LAST_DELAY = 5.0
MOST_COLOURS = 256
"""Of a gif."""
PURE_COLOURS = 64
"""So many of the commonest colours, the fills and the lines, are kept exactly."""
ALL_COLOURS = 1 << 24
PIXELS_SKIPPED = 7
WAYS: dict[str, dict[str, Any]] = {
    "gif": {"format": "GIF", "disposal": 1},
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
    from PIL import Image

    frames: list[Any] = [Image.open(io.BytesIO(png)) for png in pngs]
    opaque = chosen == "gif" or not any(frame.mode == "RGBA" for frame in frames)
    frames = [frame.convert("RGB" if opaque else "RGBA") for frame in frames]
    if chosen == "gif":
        frames = with_one_palette(frames)
    way = dict(WAYS[chosen])
    if chosen == "gif":
        way["palette"] = bytes(frames[0].getpalette())  # once for all of the file
    file = io.BytesIO()
    frames[0].save(
        file,
        save_all=True,
        append_images=frames[1:],
        # browsers take less than 20 ms for a mistake, and a gif counts in hundredths of a second
        duration=[round(delay * 100) * 10 for delay in delays],
        loop=0,
        **way,
    )
    return file.getvalue()


def with_one_palette(frames: Sequence[Any]) -> list[Any]:
    """Return the frames with the same colours, chosen so that flat ones and text stay crisp."""
    from PIL import Image

    coded = [_codes(np.asarray(frame)) for frame in frames]
    counts = np.zeros(ALL_COLOURS, np.uint32)
    for codes in counted(coded, "Choosing colours"):
        counts[codes] |= 1
        # a part of the pixels tells well enough how common a colour is
        found, times = np.unique(codes.ravel()[::PIXELS_SKIPPED], return_counts=True)
        counts[found] += times.astype(np.uint32)
    used = np.flatnonzero(counts)
    used = used[np.argsort(-counts[used].astype(np.int64), kind="stable")]
    colours = np.stack([used >> 16, used >> 8 & 255, used & 255], axis=1).astype(np.int32)
    palette = _palette(colours, counts[used])
    nearest = np.zeros(ALL_COLOURS, np.uint8)
    parts = np.array_split(np.arange(len(used)), max(1, len(used) // 1000))
    for part in counted(parts, "Matching colours"):
        distances = ((colours[part, None] - palette[None]) ** 2).sum(axis=2)
        nearest[used[part]] = distances.argmin(axis=1)
    flat = palette.astype(np.uint8).tobytes()
    reduced = []
    for codes in coded:
        one = Image.fromarray(nearest[codes])
        one.putpalette(flat)
        reduced.append(one)
    return reduced


def _palette(colours: np.ndarray[Any, Any], counts: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return up to 256 colours: the commonest exactly, and a median cut of the others."""
    from PIL import Image

    if len(colours) <= MOST_COLOURS:
        return colours
    # a rare colour counts too, though less: it may be all there is of a box that shows once
    repeats = np.sqrt(counts[PURE_COLOURS:]).astype(int)
    others = np.repeat(colours[PURE_COLOURS:], repeats, axis=0).astype(np.uint8)
    cut = Image.fromarray(others[None]).quantize(
        MOST_COLOURS - PURE_COLOURS, Image.Quantize.MEDIANCUT
    )
    found = np.array(cut.getpalette(), np.int32).reshape(-1, 3)[: MOST_COLOURS - PURE_COLOURS]
    kept = [tuple(colour) for colour in (*colours[:PURE_COLOURS].tolist(), *found.tolist())]
    return np.array(list(dict.fromkeys(kept)), np.int32)


def _codes(colours: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return each colour as one number."""
    wide = colours.astype(np.uint32)
    codes: np.ndarray[Any, Any] = wide[..., 0] << 16 | wide[..., 1] << 8 | wide[..., 2]
    return codes
