import assert from "node:assert/strict";
import { test } from "node:test";
import { verdictOn } from "../../minigrad/compare/words.js";
import { columnsOf, signOf, widthsOf } from "../../minigrad/compare/table.js";

const WHERE = ["on the left", "on the right"];
const row = {
  keys: ["t0", "t0"],
  name: "x",
  values: [[[0, "3.0"]], [[0, "3.0"]]],
  gradients: [[[0, "—"], [4, "5.0"]], [[0, "—"], [4, "1.0"]]],
  marks: [[0, ""], [4, "≠ grad"]],
};
const other = { ...row, values: [[[0, "3.0"]], [[0, "4.0"]]] };

test("where both sides have the same values, they have one column", () => {
  assert.deepEqual(columnsOf([row]), [["values", 0], ["gradients", 0], ["gradients", 1]]);
  assert.equal(columnsOf([row, other]).length, 4);
});

test("a column of the table is as wide as its widest text of any moment", () => {
  const widths = widthsOf([{ ...row, name: "a tensor with a name" }], columnsOf([row]));
  assert.deepEqual(widths, [22, 19, 19, 19, 19]);
});

test("at the end of a row stands what differs, or on which side alone it is", () => {
  assert.equal(signOf(row, "≠ grad", WHERE), "≠ grad");
  assert.equal(signOf(row, "", WHERE), " ");
  assert.equal(signOf({ ...row, keys: ["t0", null] }, "", WHERE), "only on the left");
  assert.equal(signOf({ ...row, keys: [null, "t0"] }, "", WHERE), "only on the right");
});

test("numbers in a clause stand for the words of the sides, and texts for themselves", () => {
  const told = ["One tensor differs.", [["x.grad: 5.0 ", 0, ", 1.0 ", 1], ["length"]]];
  assert.equal(verdictOn(told, WHERE).sentence, "x.grad: 5.0 on the left, 1.0 on the right; length.");
  assert.equal(verdictOn(["Nothing differs.", []], WHERE).sentence, "");
});
