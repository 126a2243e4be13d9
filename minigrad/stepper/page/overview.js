// An overview: a picture that is too small to be read has, in each box, its op and name alone.

import { shape } from "./elements.js";
import { middleOf } from "./framing.js";
import { PIXELS } from "./scales.js";

/** @import { Key } from "./payload.d.ts" */
/** @import { Placed } from "./picture.js" */

const LETTER = 0.602; // the width of one, in parts of the font size
const LINE = 1.15; // the height of a line
const MOST_LARGER = 2; // than the smallest

/**
 * Writes into a picture what each box is, as large as the box has room for, and none much larger
 * than the others.
 *
 * @param {SVGSVGElement} svg
 * @param {Iterable<Placed>} boxes
 * @param {Record<Key, string[]>} brief one or two lines for each box
 */
export function addBriefTexts(svg, boxes, brief) {
  const all = shape(svg, "g", { class: "mg-brief", "aria-hidden": "true" }); // each box says it, too
  const found = [...boxes].map(({ part, box }) => ({ box, lines: brief[part.key] ?? [] }));
  const sizes = found.map(({ box, lines }) =>
    sizeFor(lines, (box.right - box.left) / PIXELS, (box.bottom - box.top) / PIXELS),
  );
  const most = MOST_LARGER * Math.min(...sizes);
  found.forEach(({ box, lines }, number) => {
    const size = Math.min(sizes[number], most);
    const [x, middle] = middleOf(box).map((place) => place / PIXELS);
    lines.forEach((line, row) => {
      const below = (row - (lines.length - 1) / 2) * size * LINE + size * 0.35;
      const place = { x: x.toFixed(1), y: (middle + below).toFixed(1), "font-size": size.toFixed(1) };
      all.append(shape(svg, "text", place, line));
    });
  });
  svg.append(all);
}

/**
 * The font size, in points, at which some lines fill a box.
 *
 * @param {string[]} lines
 * @param {number} width
 * @param {number} height
 */
export function sizeFor(lines, width, height) {
  const longest = Math.max(...lines.map((line) => line.length), 1);
  return Math.min((height * 0.86) / (Math.max(1, lines.length) * LINE), (width * 0.92) / (longest * LETTER));
}
