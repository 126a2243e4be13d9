import assert from "node:assert/strict";
import { test } from "node:test";
import { readAddress, writeAddress } from "../../minigrad/stepper/page/address.js";

test("an address tells the step, how large the picture is, and which box is in the middle", () => {
  assert.deepEqual(readAddress("#step=4"), { step: 4 });
  assert.deepEqual(readAddress("#step=4&zoom=1.5&at=n12"), { step: 4, zoom: 1.5, at: "n12" });
  assert.deepEqual(readAddress("#at=t0&zoom=.5"), { zoom: 0.5, at: "t0" });
});

test("a node is meant by its number, too, with or without the sign", () => {
  for (const at of ["12", "#12", "%2312", "n12"]) assert.deepEqual(readAddress(`#at=${at}`), { at: "n12" });
});

test("a step outside is read as it stands: how many there are is not known here", () => {
  assert.deepEqual(readAddress("#step=-3"), { step: -3 });
  assert.deepEqual(readAddress("#step=999999999999"), { step: 999999999999 });
});

test("what makes no sense is left out, and the rest still counts", () => {
  for (const hash of ["", "#", "#4", "#results", "#step=", "#step=four", "#step=1.5", "#step=1e9", "#%"]) {
    assert.deepEqual(readAddress(hash), {}, hash);
  }
  for (const zoom of ["0", "-1", "Infinity", "NaN", "1e3", "2x"]) {
    assert.deepEqual(readAddress(`#zoom=${zoom}&step=2`), { step: 2 }, zoom);
  }
  for (const at of ["", "n", "x y", "<b>", "n1'"]) assert.deepEqual(readAddress(`#at=${at}`), {}, at);
});

test("what is written is read as the same", () => {
  assert.equal(writeAddress({ step: 4 }), "#step=4");
  assert.equal(writeAddress({ step: 4, zoom: null, at: null }), "#step=4");
  assert.equal(writeAddress({ step: 4, zoom: 1.4999, at: "n12" }), "#step=4&zoom=1.5&at=n12");
  const address = { step: 12, zoom: 0.25, at: "t3" };
  assert.deepEqual(readAddress(writeAddress(address)), address);
});
