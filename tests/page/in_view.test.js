import assert from "node:assert/strict";
import { test } from "node:test";
import { leastScroll } from "../../minigrad/stepper/page/in_view.js";

const pane = { top: 100, bottom: 900 };
const by = (top, bottom) => leastScroll(pane, { top, bottom });

test("what is seen whole stays where it is", () => {
  assert.equal(by(108, 892), 0);
  assert.equal(by(300, 500), 0);
});

test("what stands out of the pane is brought into it by no more than it takes", () => {
  assert.equal(by(-200, 400), -308); // its top comes to 108
  assert.equal(by(700, 1200), 308); // its bottom comes to 892
  assert.equal(by(2000, 2100), 1208);
});

test("of what is higher than the pane, the upper part is seen", () => {
  assert.equal(by(-200, 1200), -308);
  assert.equal(by(400, 1400), 292); // its top comes to 108
  assert.equal(by(108, 1400), 0);
});
