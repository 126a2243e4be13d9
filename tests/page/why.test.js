import assert from "node:assert/strict";
import { test } from "node:test";
import { comparedWithStep } from "../../minigrad/why/why.js";

const row = { before: [[0, "—"], [5, "1.0"], [6, "5.0"]] };
const steps = { 3: { wrong: false }, 4: { wrong: false }, 5: { wrong: false } };
const compared = (step, told = row, last = steps) => comparedWithStep("x", "5.0", told, step, last);

test("where the step shows what all paths come to, it says so", () => {
  assert.equal(compared(5), "At this step x.grad is 5.0, as all paths together.");
});

test("before the end of the pass it says what is missing", () => {
  assert.equal(
    compared(4),
    "At this step x.grad is 1.0; all paths together come to 5.0. The pass has not come to its end.",
  );
  assert.match(compared(3), /x has no gradient; .* not come to its end/);
});

test("a gradient from before the pass and a wrong order are told", () => {
  const told = compared(5, { before: [[0, "2.0"], [6, "7.0"]] });
  assert.match(told, /x\.grad is 7\.0; .* x held 2\.0 before this pass\.$/);
  const wrong = compared(5, { before: [[0, "—"], [6, "1.0"]] }, { 5: { wrong: true } });
  assert.match(wrong, /The order of this pass is wrong\.$/);
});
