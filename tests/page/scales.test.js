import assert from "node:assert/strict";
import { test } from "node:test";
import { heightFor } from "../../minigrad/stepper/page/one_screen.js";
import {
  LARGEST_SCALE,
  READABLE,
  TEXT,
  ZOOM_STEP,
  bestDirection,
  scaleOfItself,
  wholeScale,
  zoomed,
} from "../../minigrad/stepper/page/scales.js";

const size = (width, height) => ({ width, height });
const place = size(640, 400);

test("the whole of a picture just fits by its longer side", () => {
  assert.equal(wholeScale(size(1280, 400), place), 0.5);
  assert.equal(wholeScale(size(320, 1600), place), 0.25);
});

test("a picture goes from left to right unless it is larger from top to bottom", () => {
  assert.equal(bestDirection({ right: size(600, 100), down: size(100, 390) }, place), "right");
  assert.equal(bestDirection({ right: size(1000, 200), down: size(400, 380) }, place), "down");
  assert.equal(bestDirection({ right: size(760, 200), down: size(400, 380) }, place), "right"); // hardly larger
  assert.equal(bestDirection({ down: size(4000, 200) }, place), "down"); // there is no other
});

test("of itself, a picture is seen whole if that can be read, or else as large as one reads", () => {
  assert.equal(scaleOfItself(3, 1, place), 1);
  assert.equal(scaleOfItself(3, 4, place), 3); // on a full screen
  assert.equal(scaleOfItself(0.7, 1, place), 0.7);
  assert.ok(scaleOfItself(0.7, 4, place) > 1); // letters for the last row of a lecture hall
  const readable = READABLE / TEXT;
  assert.equal(scaleOfItself(readable, 1, place), readable);
  assert.ok(scaleOfItself(readable * 0.99, 1, place) > readable);
  const small = scaleOfItself(0.1, 1, size(300, 200)); // in a small place
  assert.ok(small > readable && small < scaleOfItself(0.1, 1, place));
});

test("the zoom goes down to where all is seen, and up to its limit", () => {
  assert.equal(zoomed(1, ZOOM_STEP, 0.1), ZOOM_STEP);
  assert.equal(zoomed(0.11, 1 / ZOOM_STEP, 0.1), 0.1);
  assert.equal(zoomed(1, 1 / ZOOM_STEP, 3), 1); // all of a small one is seen at its own size
  assert.equal(zoomed(LARGEST_SCALE, ZOOM_STEP, 0.1), LARGEST_SCALE);
});

test("a widget leaves some of what is seen to the cells around it, and has a screen to itself", () => {
  assert.ok(heightFor(830, false) <= 650);
  assert.ok(heightFor(580, false) < 580);
  assert.equal(heightFor(1080, true), 1080);
});
