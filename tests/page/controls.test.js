import assert from "node:assert/strict";
import { test } from "node:test";
import { findNode, stepText } from "../../minigrad/stepper/page/controls.js";
import { newest } from "../../minigrad/stepper/page/step_sync.js";

const index = { ops: ["mul", "add"], op_of: [0, 1, 0, 1], names: { 1: "loss", 3: "12" } };
const find = (text, from, direction = 1) => findNode(index, text, from, direction);

test("steps are counted from 1, and several that are shown together are told as such", () => {
  assert.equal(stepText([0, 0], 5), "Step 1 of 5");
  assert.equal(stepText([2, 3], 5), "Steps 3–4 of 5");
});

test("a node is found by its number", () => {
  assert.equal(find("0", 3), 0);
  assert.equal(find("3", 0), 3);
});

test("a number beyond the last node finds none, though a node has it as its name", () => {
  assert.equal(find("4", 0), null);
  assert.equal(find("12", 0), null);
});

test("a node is found by its op or its name: the next one in the direction one goes", () => {
  assert.equal(find("mul", 0), 2);
  assert.equal(find("mul", 2), 0);
  assert.equal(find("add", 0, -1), 3);
  assert.equal(find("loss", 3), 1);
});

test("the one where one is, is found last", () => {
  assert.equal(find("loss", 1), 1);
});

test("what no node has is not found", () => {
  assert.equal(find("tanh", 0), null);
  assert.equal(find("", 0), null);
});

test("the seed stands behind the last node, and the search goes back from there", () => {
  assert.equal(find("mul", 4, -1), 2);
});

test("of two places the one with the higher serial number counts, of equal ones Python's", () => {
  const [python, page] = [[3, 1, "a/node"], [5, 2, "a/node"]];
  assert.equal(newest(python, page), page);
  assert.equal(newest([3, 2, "a/node"], page)[0], 3);
});

test("a node is found by its name as code knows it and as it is drawn", () => {
  const named = { ops: ["mul"], op_of: [0, 0], names: { 0: "w", 1: "x_1" }, drawn: { 1: ["x₁"] } };
  for (const name of ["x_1", "x₁"]) assert.equal(findNode(named, name, 0, 1), 1);
  assert.equal(findNode(named, "x1", 0, 1), null);
});
