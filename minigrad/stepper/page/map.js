// A small map of a picture that is larger than its place: where one is, and a way to go elsewhere.

import { element, shape } from "./elements.js";

/** @import { Box, Part } from "./picture.js" */
/** @import { Size } from "./scales.js" */

const LARGEST = { width: 168, height: 112 }; // px
const KEY_STEP = 0.25; // of the view that an arrow key moves it by
const ARROWS = new Map([
  ["ArrowLeft", [-1, 0]],
  ["ArrowRight", [1, 0]],
  ["ArrowUp", [0, -1]],
  ["ArrowDown", [0, 1]],
]);

/**
 * @param {(x: number, y: number, smooth: boolean) => void} onGo is told the middle of the new view
 */
export function makeMap(onGo) {
  /** @type {SVGSVGElement | null} */
  let svg = null;
  /** @type {SVGElement | null} the part that is seen */
  let here = null;
  const place = element("div", { class: "mg-map", tabindex: "0", role: "group" });
  place.setAttribute("aria-label", "Map of the picture; arrow keys move the view");
  place.title = "Press or drag to go there";
  place.hidden = true;
  /** @type {[spot: SVGElement, part: Part][]} */
  let spots = [];
  /** @type {Box} */
  let view = { left: 0, right: 1, top: 0, bottom: 1 };
  const go = (/** @type {PointerEvent} */ event, /** @type {boolean} */ smooth) => {
    if (!svg) return;
    const { left, top, width, height } = svg.getBoundingClientRect();
    const { viewBox } = svg;
    onGo(
      ((event.clientX - left) / width) * viewBox.baseVal.width,
      ((event.clientY - top) / height) * viewBox.baseVal.height,
      smooth,
    );
  };
  place.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    place.setPointerCapture(event.pointerId);
    place.focus({ preventScroll: true });
    go(event, true);
  });
  place.addEventListener("pointermove", (event) => {
    if (place.hasPointerCapture(event.pointerId)) go(event, false);
  });
  place.addEventListener("keydown", (event) => {
    const way = ARROWS.get(event.key);
    if (!way || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation(); // elsewhere arrow keys step
    const [width, height] = [view.right - view.left, view.bottom - view.top];
    const [x, y] = [(view.left + view.right) / 2, (view.top + view.bottom) / 2];
    onGo(x + way[0] * width * KEY_STEP, y + way[1] * height * KEY_STEP, false);
  });
  return {
    place,
    /**
     * Draws the boxes of a picture.
     *
     * @param {Size} size
     * @param {Map<Part, Box>} parts
     * @param {SVGSVGElement} picture
     */
    draw(size, parts, picture) {
      const scale = Math.min(LARGEST.width / size.width, LARGEST.height / size.height);
      const [width, height] = [size.width * scale, size.height * scale];
      spots = [...parts].map(([part, box]) => [shape(picture, "g", {}, shape(picture, "rect", placeOf(box))), part]);
      here = shape(picture, "rect", { class: "mg-here" });
      const sides = { viewBox: `0 0 ${size.width} ${size.height}`, width, height };
      svg = /** @type {SVGSVGElement} */ (shape(picture, "svg", sides, ...spots.map(([spot]) => spot), here));
      place.replaceChildren(svg);
    },
    /** Colours the boxes as they are in the picture. */
    paint() {
      for (const [spot, { kind, shown }] of spots) {
        const name = `mg-spot ${kind} ${shown?.[1] ?? "waiting"}`;
        if (spot.getAttribute("class") !== name) spot.setAttribute("class", name);
      }
    },
    /** @param {Box} box the part that is seen */
    show(box) {
      view = box;
      for (const [name, value] of Object.entries(placeOf(box))) here?.setAttribute(name, value.toFixed(1));
    },
  };
}

/** @param {Box} box */
function placeOf({ left, right, top, bottom }) {
  return { x: left, y: top, width: right - left, height: bottom - top };
}
