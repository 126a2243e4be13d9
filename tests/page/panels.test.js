import assert from "node:assert/strict";
import { test } from "node:test";
import { columnWidths, columnsIn, piecesOf, placeOf, weight, withoutResult } from "../../minigrad/stepper/page/panels.js";

const row = {
  key: "t0",
  name: "x",
  value: [[0, "3.0"]],
  before: [[0, "—"], [5, "12.345"]],
  after: [[0, "—"], [4, "12.345 dead"]],
  changed: [4],
};

test("a column is as wide as its widest text of any step, and two characters more", () => {
  assert.deepEqual(columnWidths([row]), [8, 7, 8, 13]);
});

test("a column is as wide as its title, at least", () => {
  assert.deepEqual(columnWidths([]), [8, 7, 8, 7]);
  assert.equal(columnWidths([{ ...row, name: "a long name" }])[0], 13);
});

test("an entry of several steps is now in each of them", () => {
  const entry = { text: "#1 add", step: 3, last: 5 };
  assert.deepEqual([2, 3, 4, 5, 6].map((step) => placeOf(entry, step)), ["next", "now", "now", "now", "past"]);
});

test("the result of a formula is what stands behind its last sign of equality", () => {
  assert.deepEqual(withoutResult("x.grad: 1.0 × 4.0 = 4.0"), ["x.grad: 1.0 × 4.0 = ", "4.0"]);
  assert.deepEqual(withoutResult("z = x × y = 3.0 × 4.0 = 12.0")[1], "12.0");
});

test("words with more formulas need more room than longer words", () => {
  const long = { title: "a".repeat(50), sentence: "", formulas: [] };
  assert.ok(weight({ title: "", sentence: "", formulas: ["b"] }) > weight(long));
});

test("of a mark, the first line begins and the last line ends where it says", () => {
  const mark = [1, 3, 4, 2];
  assert.deepEqual(columnsIn("x = f(", 1, mark), [4, 6]);
  assert.deepEqual(columnsIn("    a,", 2, mark), [4, 6]);
  assert.deepEqual(columnsIn(") + 1", 3, mark), [0, 2]);
  assert.deepEqual(columnsIn(") + 1", 3, [1, 3, 4, 0]), [0, 5]);
});

test("code is cut at words that run from right to left, and no control of direction is obeyed", () => {
  const words = (code) => piecesOf(code).map(({ text, isWord }) => (isWord ? [text] : text));
  assert.deepEqual(words("w = x_1 - é"), ["w = x_1 - é"]);
  assert.deepEqual(words("א_1 - סוף.mul(x)"), [["א_1"], " - ", ["סוף"], ".mul(x)"]);
  assert.deepEqual(words("'سلام عليكم'"), ["'", ["سلام"], " ", ["عليكم"], "'"]);
  assert.deepEqual(words("a\u202eb = 'ߊ\u200f'"), ["a\\u202eb = '", ["ߊ"], "\\u200f'"]);
});
