// How large a picture is shown, and in which direction.

/** @import { Direction } from "./payload.d.ts" */
/** @typedef {{ width: number, height: number }} Size */

export const PIXELS = 96 / 72; // in a point
export const TEXT = 14 * PIXELS; // px of a box's text at scale 1
export const READABLE = 11; // px of text; a picture that is read is not smaller
export const LEGIBLE = 9; // px; below, a picture turns into an overview
const READING = 12; // px of text, where a picture doesn't fit and is gone through
const READING_CLOSELY = 11.2; // … where its place is small
const FROM_FAR = 1.8; // times as large letters are on the full screen of a lecture hall
const SMALL = { width: 420, height: 240 }; // px
const WORTH_TURNING = 1.25; // as in directions.py
export const LARGEST_SCALE = 4;
export const ZOOM_STEP = 1.25;

/**
 * The scale at which a picture just fits a place.
 *
 * @param {Size} size
 * @param {Size} place
 */
export function wholeScale(size, place) {
  return Math.min(place.width / size.width, place.height / size.height);
}

/**
 * The direction in which more of a picture can be read: from left to right, unless it is larger
 * from top to bottom.
 *
 * @param {Record<Direction, Size>} sizes
 * @param {Size} place
 * @returns {Direction}
 */
export function bestDirection({ right, down }, place) {
  if (!right || !down) return right ? "right" : "down";
  const [across, along] = [right, down].map((size) => Math.min(1, wholeScale(size, place)));
  return along > WORTH_TURNING * across ? "down" : "right";
}

/**
 * The scale of a picture that nobody has zoomed: all of it, if that can be read, and no larger than
 * `largest`; else such that the part around a step can be read.
 *
 * @param {number} whole the scale at which it just fits
 * @param {number} largest more than 1 on the full screen
 * @param {Size} place
 */
export function scaleOfItself(whole, largest, place) {
  const far = largest > 1 ? FROM_FAR : 1;
  if (whole * TEXT >= READABLE * far) return Math.min(whole, largest);
  const isSmall = place.width < SMALL.width || place.height < SMALL.height;
  return ((isSmall ? READING_CLOSELY : READING) * far) / TEXT;
}

/**
 * The scale that comes of another by a factor, within the limits: down to where all of a picture is
 * seen.
 *
 * @param {number} scale
 * @param {number} factor
 * @param {number} whole the scale at which it just fits
 */
export function zoomed(scale, factor, whole) {
  return Math.min(LARGEST_SCALE, Math.max(Math.min(whole, 1), scale * factor));
}
