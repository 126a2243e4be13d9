// Which part of a picture is brought into view, and where boxes are put that are far from it.

import { ENDLESS, MARGIN } from "./elements.js";

/** @import { Box } from "./picture.js" */
/** @import { Size } from "./scales.js" */
/** @typedef {[x: number, y: number]} Point */

const GAP = 14; // px between a box that was brought near and any other
const LABEL_GAP = 64; // px between it and the box at the centre: their edge has a label
const LEAST_GAP = 3; // px, where there is hardly any room
const GRID = 12; // px between two places that are tried

/**
 * What a step needs: the box at its centre, and others, nearest first.
 *
 * @param {Box} centre
 * @param {Box[]} others
 * @param {Size} room of the view
 * @returns {{ frame: Box, near: Box[], far: Box[] }} what can be seen at once, and what can not
 */
export function framed(centre, others, room) {
  const distance = (/** @type {Box} */ box) => distanceFrom(middleOf(centre), box);
  const near = [centre];
  /** @type {Box[]} */
  const far = [];
  for (const box of [...others].sort((a, b) => distance(a) - distance(b))) {
    (fits(around([...near, box]), room) ? near : far).push(box);
  }
  return { frame: around(near), near, far };
}

/**
 * @param {Box} box
 * @returns {Point}
 */
export function middleOf({ left, right, top, bottom }) {
  return [(left + right) / 2, (top + bottom) / 2];
}

/**
 * How far the middle of a box is from a point.
 *
 * @param {Point} point
 * @param {Box} box
 */
export function distanceFrom([x, y], box) {
  const [cx, cy] = middleOf(box);
  return Math.hypot(cx - x, cy - y);
}

/**
 * The box around several, with some air.
 *
 * @param {Box[]} boxes
 * @returns {Box}
 */
export function around(boxes) {
  return {
    left: Math.min(...boxes.map((box) => box.left)) - MARGIN,
    right: Math.max(...boxes.map((box) => box.right)) + MARGIN,
    top: Math.min(...boxes.map((box) => box.top)) - MARGIN,
    bottom: Math.max(...boxes.map((box) => box.bottom)) + MARGIN,
  };
}

/**
 * @param {Box} box
 * @param {Size} room
 */
function fits(box, room) {
  return box.right - box.left <= room.width && box.bottom - box.top <= room.height;
}

/**
 * By how far to move a view along one axis, so that a span is in it: not at all if it is there
 * already, or else until it is in the middle, so that one sees what comes next.
 *
 * @param {[low: number, high: number]} span
 * @param {[from: number, to: number]} view
 */
export function move([low, high], [from, to]) {
  return low < from || high > to ? offMiddle([low, high], [from, to]) : 0;
}

/**
 * By how far the middle of a span is off that of a view.
 *
 * @param {[low: number, high: number]} span
 * @param {[from: number, to: number]} view
 */
export function offMiddle([low, high], [from, to]) {
  return (low + high - from - to) / 2;
}

/**
 * Places in a view for boxes that are far from it: each as near as can be to where it comes from,
 * and on none of those that are needed as well.
 *
 * @param {Box} view
 * @param {Box[]} taken
 * @param {Box[]} far
 * @returns {Box[]}
 */
export function placesNear(view, taken, far) {
  const held = [...taken];
  return far.map((box) => {
    const place = placeFor(view, held, box);
    held.push(place);
    return place;
  });
}

/**
 * @param {Box} view
 * @param {Box[]} held the first of them is the centre
 * @param {Box} box
 */
function placeFor(view, held, box) {
  const [width, height] = [box.right - box.left, box.bottom - box.top];
  const at = (/** @type {number} */ left, /** @type {number} */ top) => ({
    left,
    top,
    right: left + width,
    bottom: top + height,
  });
  const lowest = [view.left + MARGIN, view.top + MARGIN];
  const highest = [view.right - MARGIN - width, view.bottom - MARGIN - height];
  const [left, top] = [box.left, box.top].map((wish, axis) =>
    Math.max(lowest[axis], Math.min(highest[axis], wish)),
  );
  const free = (/** @type {Box} */ place, /** @type {number} */ gap) =>
    !held.some((other, number) => overlap(place, other, number ? Math.min(GAP, gap) : gap));
  for (const gap of [LABEL_GAP, GAP, LEAST_GAP]) {
    let [best, least] = [at(left, top), ENDLESS];
    for (let x = lowest[0]; x <= highest[0]; x += GRID) {
      for (let y = lowest[1]; y <= highest[1]; y += GRID) {
        const far = Math.hypot(x - left, y - top);
        if (far < least && free(at(x, y), gap)) [best, least] = [at(x, y), far];
      }
    }
    if (least < ENDLESS) return best;
  }
  return at(left, top); // there is no room: better covered than out of sight
}

/**
 * Whether two boxes come closer than a gap.
 *
 * @param {Box} one
 * @param {Box} other
 * @param {number} gap
 */
export function overlap(one, other, gap = 0) {
  return (
    one.left < other.right + gap &&
    other.left < one.right + gap &&
    one.top < other.bottom + gap &&
    other.top < one.bottom + gap
  );
}
