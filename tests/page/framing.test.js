import assert from "node:assert/strict";
import { test } from "node:test";
import { borderPoint, edgeBetween, headOf } from "../../minigrad/stepper/page/docking.js";
import { framed, move, overlap, placesNear } from "../../minigrad/stepper/page/framing.js";

const box = (left, top, width = 20, height = 10) => ({ left, top, right: left + width, bottom: top + height });
const view = box(0, 0, 400, 200);
const room = { width: 400, height: 200 };
const isIn = ({ left, right, top, bottom }, outer) =>
  left >= outer.left && right <= outer.right && top >= outer.top && bottom <= outer.bottom;

test("nothing moves if all that is needed is in view", () => {
  assert.equal(move([20, 180], [0, 200]), 0);
});

test("what is needed is brought to the middle", () => {
  assert.equal(move([300, 320], [0, 200]), 310 - 100);
});

test("all is framed that fits together, the nearest first; the rest is far", () => {
  const [node, near, far, other] = [box(300, 20), box(210, 20), box(900, 20), box(320, 120)];
  const found = framed(node, [far, near, other], room);
  assert.deepEqual(found.near, [node, near, other]);
  assert.deepEqual(found.far, [far]);
  assert.ok(isIn(near, found.frame) && isIn(other, found.frame));
});

test("boxes that are far are put into the view, as near as can be, and on no other", () => {
  const taken = [box(180, 90), box(380, 190)];
  const far = [box(900, 90), box(905, 95), box(-500, -300), box(400, 900)];
  const places = placesNear(view, taken, far);
  for (const place of places) assert.ok(isIn(place, view));
  const all = [...taken, ...places];
  all.forEach((one, number) => {
    for (const other of all.slice(number + 1)) assert.ok(!overlap(one, other));
  });
  assert.ok(places[0].left > 300 && places[2].left < 100 && places[3].top > 100);
});

test("where there is no room at all, a box is covered rather than out of sight", () => {
  const [place] = placesNear(box(0, 0, 60, 40), [box(5, 5, 50, 30)], [box(900, 0)]);
  assert.ok(isIn(place, box(0, 0, 60, 40)));
});

test("an edge leaves a box at its border, towards the other", () => {
  assert.deepEqual(borderPoint(box(0, 0, 20, 10), [110, 5]), [20, 5]);
  assert.deepEqual(borderPoint(box(0, 0, 20, 10), [10, -50]), [10, 0]);
  assert.deepEqual(edgeBetween(box(0, 0), box(100, 0)), [[20, 5], [100, 5]]);
});

test("both edges of x * x stand side by side", () => {
  const [one, other] = [0, 1].map((place) => edgeBetween(box(0, 0), box(100, 0), place, 2));
  assert.equal(one[0][1] + other[0][1], 10); // around the middle
  assert.notEqual(one[0][1], other[0][1]);
});

test("an arrow's head has its tip at the end of the line", () => {
  const [tip, left, right] = headOf([0, 0], [50, 0]);
  assert.deepEqual(tip, [50, 0]);
  assert.equal(left[0], right[0]);
  assert.equal(left[1], -right[1]);
  assert.ok(left[0] < 50);
});
