import assert from "node:assert/strict";
import { test } from "node:test";
import { viewsAround } from "../../minigrad/stepper/page/fetcher.js";
import { nodeAt, shownTogether } from "../../minigrad/stepper/page/steps.js";

test("without folded groups, each step is shown by itself", () => {
  assert.deepEqual(shownTogether(null, 5, 3), [3, 3]);
});

test("the steps of a folded group are shown together, from its stop to the one before the next", () => {
  const stops = [0, 2, 3, 6];
  const shown = [0, 1, 2, 4, 6, 7].map((step) => shownTogether(stops, 8, step));
  assert.deepEqual(shown, [[0, 1], [0, 1], [2, 2], [3, 5], [6, 7], [6, 7]]);
});

test("while a graph is recorded, a step is about the node with its number", () => {
  assert.deepEqual(nodeAt([4, 3], 1), { isRecording: true, position: 1 });
});

test("at the seed, one stands behind the last node", () => {
  assert.deepEqual(nodeAt([4, 3], 2), { isRecording: false, position: 2 });
});

test("in the backward pass, a step is about the node that was visited last", () => {
  assert.equal(nodeAt([4, 3], 3).position, 1);
  assert.equal(nodeAt([4, 3], 4).position, 0);
});

test("a node that is never visited is passed over", () => {
  assert.equal(nodeAt([5, null, 4], 5).position, 0);
  assert.equal(nodeAt([5, null, 4], 4).position, 2);
});

test("the views around a step: its own, the next, the one before, and so on, each once", () => {
  const shown = [[0, 0], [40, 1], [80, 2], [100, 1], [140, 0]];
  assert.deepEqual(viewsAround(shown, 50, 1), [1, 2, 0]);
  assert.deepEqual(viewsAround(shown, 90, 40), [2, 1, 0]);
  assert.deepEqual(viewsAround(shown, 0, 1), [0, 1]);
});
