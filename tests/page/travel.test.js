import assert from "node:assert/strict";
import { test } from "node:test";
import { wayBack } from "../../minigrad/stepper/page/travel.js";

const straight = (to) => (distance) => ({ x: (to.x * distance) / 100, y: (to.y * distance) / 100 });

test("what is passed back comes from the node, against the arrow, to where its head rests", () => {
  const way = wayBack(straight({ x: 100, y: 0 }), 100, { x: 30, y: 0 });
  assert.deepEqual(way[0], { x: 100, y: 0, angle: -180 });
  assert.deepEqual(way.at(-1), { x: 30, y: 0, angle: -180 });
  const across = way.map(({ x }) => x);
  assert.deepEqual(across, [...across].sort((a, b) => b - a));
});

test("from top to bottom, it goes up", () => {
  const way = wayBack(straight({ x: 0, y: 100 }), 100, { x: 0, y: 30 });
  assert.deepEqual([...new Set(way.map(({ angle }) => angle))], [-90]);
});

test("on a bend, its head never turns around", () => {
  // to the left, and from a little downwards to a little upwards: past where angles begin anew
  const bow = (distance) => ({ x: distance, y: 20 - (distance - 50) ** 2 / 125 });
  const angles = wayBack(bow, 100, { x: 20, y: 12.8 }).map(({ angle }) => angle);
  const turns = angles.slice(1).map((angle, place) => Math.abs(angle - angles[place]));
  assert.ok(angles.at(0) < -180 || angles.at(-1) < -180 || Math.max(...angles) > 180, `${angles}`);
  assert.ok(Math.max(...turns) < 20, `${angles}`);
});
