// A small map of a picture that is larger than its place: where one is, and a way to go elsewhere.

import { element } from "./elements.js";

/** @import { Box, Part, Placed } from "./picture.js" */
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
  // no svg: a widget has one, its picture
  const sheet = element("div", { class: "mg-map-sheet" });
  const here = element("div", { class: "mg-here" }); // the part that is seen
  const place = element("div", { class: "mg-map", tabindex: "0", role: "group" });
  place.setAttribute("aria-label", "Map; arrow keys move the view");
  place.append(sheet);
  place.hidden = true;
  /** @type {[spot: HTMLElement, part: Part][]} */
  let spots = [];
  /** @type {Box} */
  let view = { left: 0, right: 1, top: 0, bottom: 1 };
  let scale = 1; // of the map
  const go = (/** @type {PointerEvent} */ event, /** @type {boolean} */ smooth) => {
    const { left, top } = sheet.getBoundingClientRect();
    onGo((event.clientX - left) / scale, (event.clientY - top) / scale, smooth);
  };
  const put = (/** @type {HTMLElement} */ one, /** @type {Box} */ { left, right, top, bottom }) => {
    const places = { left, top, width: right - left, height: bottom - top };
    for (const [name, value] of Object.entries(places)) one.style.setProperty(name, `${value * scale}px`);
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
     * @param {Iterable<Placed>} boxes
     */
    draw(size, boxes) {
      scale = Math.min(LARGEST.width / size.width, LARGEST.height / size.height);
      put(sheet, { left: 0, top: 0, right: size.width, bottom: size.height });
      spots = [...boxes].map(({ part, box }) => {
        const spot = element("i");
        put(spot, box);
        return [spot, part];
      });
      sheet.replaceChildren(...spots.map(([spot]) => spot), here);
    },
    /** Colours the boxes as they are in the picture. */
    paint() {
      for (const [spot, { kind, shown }] of spots) {
        const name = `mg-spot ${kind} ${shown?.[1] ?? "waiting"}`;
        if (spot.className !== name) spot.className = name;
      }
    },
    /** @param {Box} box the part that is seen */
    show(box) {
      view = box;
      put(here, box);
    },
  };
}
