import assert from "node:assert/strict";
import { test } from "node:test";
import { writeOut } from "../../minigrad/stepper/page/diagram.js";
import { makePictures, sizeOf } from "../../minigrad/stepper/page/picture.js";

const text = (width, height) => `<svg viewBox="0.00 0.00 ${width} ${height}"/>`;

test("the size of a picture is that of its view box, in pixels", () => {
  assert.deepEqual(sizeOf(text(75, 150)), { width: 100, height: 200 });
});

test("a picture is made when it is first turned to, and kept", () => {
  const made = [];
  const pictures = makePictures({ right: text(300, 75), down: text(75, 300) }, (svg, direction) => {
    made.push(direction);
    return { svg };
  });
  const down = pictures.turn("down");
  assert.equal(down.svg, text(75, 300));
  assert.deepEqual(pictures.size(), { width: 100, height: 400 });
  pictures.turn("right");
  assert.equal(pictures.turn("down"), down);
  assert.deepEqual(made, ["down", "right"]);
});

test("rows that are sent as null stay as they were", () => {
  const looks = [[0, "absent", false, ["x", "—"]], [2, "active", true, [null, "1.0"]], [3, "done", false, [null, null]]];
  writeOut(looks);
  assert.deepEqual(looks.map(([, , , rows]) => rows), [["x", "—"], ["x", "1.0"], ["x", "1.0"]]);
});
