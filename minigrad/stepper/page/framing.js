// Which part of a picture is brought into its frame.

import { MARGIN } from "./elements.js";

/**
 * Where something is in the page, as `getBoundingClientRect` tells it.
 *
 * @typedef {{ left: number, right: number, top: number, bottom: number }} Box
 */

/**
 * What to scroll by, if not all that is at work is in the frame: until it is in the middle, so that
 * one sees what comes next. If it doesn't fit, where numbers arrive; and if that is far and wide,
 * the one that is closest to the node that passes them on, with what else fits.
 *
 * @param {Box} frame
 * @param {Box[]} atWork
 * @param {Box[]} receivers
 * @param {Box} centre
 * @returns {[right: number, down: number]}
 */
export function scrollInto(frame, atWork, receivers, centre) {
  const { left, right, top, bottom } = around(chosen(frame, atWork, receivers, centre));
  return [
    move(left, right, frame.left, frame.right),
    move(top, bottom, frame.top, frame.bottom),
  ];
}

/**
 * @param {Box} frame
 * @param {Box[]} atWork
 * @param {Box[]} receivers
 * @param {Box} centre
 */
function chosen(frame, atWork, receivers, centre) {
  if (fits(frame, atWork)) return atWork;
  if (receivers.length && fits(frame, receivers)) return receivers;
  const far = (/** @type {Box} */ box) => Math.hypot(box.left - centre.left, box.top - centre.top);
  const nearest = (/** @type {Box[]} */ some) => [...some].sort((a, b) => far(a) - far(b));
  const [first = centre] = nearest(receivers);
  const together = [first];
  for (const box of [centre, ...nearest(atWork)]) {
    if (fits(frame, [...together, box])) together.push(box);
  }
  return together;
}

/** @param {Box[]} boxes */
function around(boxes) {
  return {
    left: Math.min(...boxes.map((box) => box.left)) - MARGIN,
    right: Math.max(...boxes.map((box) => box.right)) + MARGIN,
    top: Math.min(...boxes.map((box) => box.top)) - MARGIN,
    bottom: Math.max(...boxes.map((box) => box.bottom)) + MARGIN,
  };
}

/**
 * @param {Box} frame
 * @param {Box[]} boxes
 */
function fits(frame, boxes) {
  const { left, right, top, bottom } = around(boxes);
  return right - left <= frame.right - frame.left && bottom - top <= frame.bottom - frame.top;
}

/**
 * By how much the middle of a span is off that of another, if it is not in it.
 *
 * @param {number} low
 * @param {number} high
 * @param {number} from
 * @param {number} to
 */
function move(low, high, from, to) {
  return low < from || high > to ? (low + high - from - to) / 2 : 0;
}
