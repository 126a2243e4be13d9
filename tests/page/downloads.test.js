import assert from "node:assert/strict";
import { test } from "node:test";
import { fileName, progressText } from "../../minigrad/stepper/page/downloads.js";

test("a file of one step has its number, counted from 1", () => {
  assert.equal(fileName({ format: "svg", all: false, step: 3 }), "step_4.svg");
});

test("a file of all steps has none", () => {
  assert.equal(fileName({ format: "pptx", all: true, step: 3 }), "steps.pptx");
});

test("progress is told in numbers that can be read", () => {
  assert.equal(progressText(["Drawing", 1200, 3000]), "Drawing: 1,200 of 3,000");
});
