import assert from "node:assert/strict";
import { test } from "node:test";
import { entryAt, valueAt } from "../../minigrad/stepper/page/timeline.js";

const timeline = [[0, "a"], [3, "b"], [4, "c"]];

test("the last entry that has begun counts", () => {
  assert.deepEqual([0, 1, 2, 3, 4, 99].map((step) => valueAt(timeline, step)), [..."aaabcc"]);
  assert.equal(entryAt(timeline, 3), timeline[1]);
});

test("before the first entry there is none", () => {
  assert.equal(entryAt([[2, "late"]], 1), null);
  assert.equal(valueAt([], 0), null);
});

test("a value of zero is a value", () => {
  assert.equal(valueAt([[1, 0]], 1), 0);
});
