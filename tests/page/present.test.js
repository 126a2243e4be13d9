import assert from "node:assert/strict";
import { test } from "node:test";
import { steppingKey } from "../../minigrad/stepper/page/controls.js";
import { presentingKey } from "../../minigrad/stepper/page/present.js";

const PLACE = [2, 4, 9]; // steps 2 to 4 are shown together, the last of all is 9

test("arrows, Home and End step: past all that are shown together", () => {
  assert.deepEqual(steppingKey("ArrowRight", PLACE, false), [5, true]);
  assert.deepEqual(steppingKey("ArrowLeft", PLACE, false), [1, false]);
  assert.deepEqual(steppingKey("Home", PLACE, false), [0, false]);
  assert.deepEqual(steppingKey("End", PLACE, false), [9, false]);
});

test("Page Up and Page Down step only where they are a remote's", () => {
  assert.deepEqual(steppingKey("PageDown", PLACE, true), [5, true]);
  assert.deepEqual(steppingKey("PageUp", PLACE, true), [1, false]);
  for (const key of ["PageDown", "PageUp"]) assert.equal(steppingKey(key, PLACE, false), null);
});

test("no other key steps", () => {
  for (const key of [" ", "Enter", "ArrowDown", "b", "."]) assert.equal(steppingKey(key, PLACE, true), null);
});

const acts = (key, isBlank = false, isTyping = false) => presentingKey(key, { isBlank, isTyping });

test("a full stop and b make the screen blank, and any key brings it back", () => {
  for (const key of [".", "b", "B"]) assert.equal(acts(key), "blank");
  for (const key of [".", "b", "PageDown", "ArrowLeft", " "]) assert.equal(acts(key, true), "back");
  for (const key of ["Shift", "Control"]) assert.equal(acts(key, true), null);
});

test("where letters are typed they are letters", () => {
  for (const key of [".", "b"]) assert.equal(acts(key, false, true), null);
});

test("Escape leaves, blank or not", () => {
  for (const isBlank of [false, true]) assert.equal(acts("Escape", isBlank), "leave");
});

test("keys that step are not for the screen", () => {
  for (const key of ["PageDown", "ArrowRight", "Home", "a"]) assert.equal(acts(key), null);
});
