import assert from "node:assert/strict";
import { test } from "node:test";
import { writeOut } from "../../minigrad/stepper/page/diagram.js";
import { scrollInto } from "../../minigrad/stepper/page/framing.js";
import { LARGEST_SCALE, SMALLEST_SCALE, ZOOM_STEP, zoomed } from "../../minigrad/stepper/page/picture.js";

const box = (left, top, width = 20, height = 10) => ({ left, top, right: left + width, bottom: top + height });
const frame = box(0, 0, 200, 100);

test("the zoom stays between its limits, whatever the factor", () => {
  assert.equal(zoomed(1, ZOOM_STEP), ZOOM_STEP);
  assert.equal(zoomed(SMALLEST_SCALE, 1 / ZOOM_STEP), SMALLEST_SCALE);
  assert.equal(zoomed(LARGEST_SCALE, ZOOM_STEP), LARGEST_SCALE);
});

test("from one limit of the zoom to the other in a few presses", () => {
  let scale = SMALLEST_SCALE;
  let presses = 0;
  for (; scale < LARGEST_SCALE; presses += 1) scale = zoomed(scale, ZOOM_STEP);
  assert.equal(presses, 8);
});

test("nothing is scrolled if all that is at work is in the frame", () => {
  const boxes = [box(20, 20), box(150, 80)];
  assert.deepEqual(scrollInto(frame, boxes, [], boxes[0]), [0, 0]);
});

test("what is at work is brought to the middle", () => {
  const boxes = [box(300, 20)];
  assert.deepEqual(scrollInto(frame, boxes, [], boxes[0]), [310 - 100, 0]);
});

test("if all of it does not fit, what receives numbers is brought to the middle", () => {
  const [node, receiver] = [box(20, 20), box(400, 20)];
  assert.deepEqual(scrollInto(frame, [node, receiver], [receiver], node), [410 - 100, 0]);
});

test("if the receivers are far apart, the one closest to the node, with what else fits", () => {
  const [node, near, far] = [box(300, 20), box(210, 20), box(900, 20)];
  const [right] = scrollInto(frame, [node, near, far], [near, far], node);
  assert.equal(right, (210 + 320) / 2 - 100);
});

test("rows that are sent as null stay as they were", () => {
  const looks = [[0, "absent", false, ["x", "—"]], [2, "active", true, [null, "1.0"]], [3, "done", false, [null, null]]];
  writeOut(looks);
  assert.deepEqual(looks.map(([, , , rows]) => rows), [["x", "—"], ["x", "1.0"], ["x", "1.0"]]);
});
