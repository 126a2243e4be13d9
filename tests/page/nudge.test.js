import assert from "node:assert/strict";
import { test } from "node:test";
import { placesAhead, valueAtPlace } from "../../minigrad/nudge/handle.js";

test("a place of the slider has a value without the noise of binary fractions", () => {
  const handle = { start: 3, step: 0.05 };
  assert.equal(valueAtPlace(handle, 0), 3);
  assert.equal(valueAtPlace(handle, 1), 3.05);
  assert.equal(valueAtPlace({ start: 0.1, step: 0.1 }, 2), 0.3);
  assert.equal(valueAtPlace(handle, -60), 0);
});

test("24 places ahead are asked for, on the way that the slider goes", () => {
  assert.deepEqual(placesAhead(3, 2, 60), Array.from({ length: 24 }, (_, far) => 4 + far));
  assert.deepEqual(placesAhead(3, 4, 60).slice(0, 3), [2, 1, 0]);
});

test("no place beyond the ends of the slider is asked for", () => {
  assert.deepEqual(placesAhead(58, 57, 60), [59, 60]);
  assert.deepEqual(placesAhead(-60, -59, 60), []);
});
