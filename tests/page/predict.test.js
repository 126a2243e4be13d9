import assert from "node:assert/strict";
import { test } from "node:test";
import { readNumber } from "../../minigrad/predict/predict.js";

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
]) {
  test(`"${text}" is read as ${number}`, () => assert.equal(readNumber(text), number));
}

for (const text of ["", " ", "x", "1/0", "1/2/3", "1e", "1,000", "12,345", "0x10", "Infinity", "nan", "1 2"]) {
  test(`"${text}" is no number`, () => assert.equal(readNumber(text), null));
}
