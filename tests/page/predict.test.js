import assert from "node:assert/strict";
import { test } from "node:test";
import { hintFor, isNear, readNumber, scoreOf } from "../../minigrad/predict/predict.js";

for (const [text, number] of [
  ["5", 5],
  [" 5.0 ", 5],
  ["-0.25", -0.25],
  ["+3", 3],
  [".5", 0.5],
  ["3.", 3],
  ["1e-3", 0.001],
  ["2E4", 20000],
  ["1/3", 1 / 3],
  ["-1 / 4", -0.25],
  ["−2", -2],
  ["–2", -2],
  ["0,5", 0.5],
  ["1,25/2", 0.625],
  ["0,125", 0.125],
  ["1234,5", 1234.5],
  ["1,0", 1],
  ["5,0", 5],
  [" 10/2 ", 5],
  ["+.5e1", 5],
  ["0,5e1", 5],
  ["–1.0", -1],
]) {
  test(`"${text}" is read as ${number}`, () => assert.equal(readNumber(text), number));
}

for (const text of ["", " ", "x", "1/0", "1/2/3", "1e", "1,000", "5,001", "12,345", "five", "1 + 4", "0x10", "Infinity", "nan", "1 2"]) {
  test(`"${text}" is no number`, () => assert.equal(readNumber(text), null));
}

test("an answer is near within its tolerance", () => {
  assert.ok(isNear(3.0004, [3, 0.0005]));
  assert.ok(!isNear(3.0006, [3, 0.0005]));
  assert.ok(isNear(2, [2, 0]));
});

test("a mistake that is known has its hint, any other the general one", () => {
  const question = { mistakes: [[4, 0, 7], [1, 0.001, 8]], otherwise: 9 };
  assert.deepEqual([4, 1.0005, 5].map((given) => hintFor(question, given)), [7, 8, 9]);
});

test("the score counts first tries, and what was wrong the last time is missed", () => {
  const results = new Map([
    [3, { first: true, last: true }],
    [4, { first: false, last: true }],
    [5, { first: false, last: false }],
  ]);
  assert.deepEqual(scoreOf([3, 4, 5, 6], results), { asked: [3, 4, 5], right: 1, missed: [5] });
});
