// A slider and a field for one leaf.

import { element, focusedBeside } from "../stepper/page/elements.js";

/** @import { Handle, Key, Nudged } from "../stepper/page/payload.d.ts" */

const MOST_NEXT = 24; // places of a dragged slider that are asked for before they are reached

/**
 * The value at a place of a slider, which counts steps from the start.
 *
 * @param {Pick<Handle, "start" | "step">} handle
 * @param {number} place
 */
export function valueAtPlace({ start, step }, place) {
  return Number((start + place * step).toPrecision(12));
}

/**
 * The places that a slider gets to next, if it is dragged on the way that it was.
 *
 * @param {number} place
 * @param {number} before
 * @param {number} steps that it has to each side
 */
export function placesAhead(place, before, steps) {
  const way = place < before ? -1 : 1;
  const next = Array.from({ length: MOST_NEXT }, (_, far) => place + way * (far + 1));
  return next.filter((one) => Math.abs(one) <= steps);
}

/**
 * The slider counts steps from the start, so that it can come back there exactly.
 *
 * @param {Handle} handle
 * @param {string} output its name
 * @param {(key: Key, value: number, next?: number[]) => void} onMove
 */
export function makeHandle(handle, output, onMove) {
  const { key, name, start, step, steps } = handle;
  const slider = element("input", { type: "range", min: -steps, max: steps, "aria-label": name });
  const field = element("input", { type: "number", step, "aria-label": `${name} as a number` });
  const told = element("span", { class: "mg-delta" });
  const put = (/** @type {number} */ value) => {
    slider.value = `${Math.round((value - start) / step)}`;
  };
  let before = 0;
  slider.addEventListener("input", () => {
    const place = slider.valueAsNumber;
    const next = placesAhead(place, before, steps).map((one) => valueAtPlace(handle, one));
    before = place;
    const value = valueAtPlace(handle, place);
    field.value = `${value}`;
    onMove(key, value, next);
  });
  field.addEventListener("input", () => {
    const value = field.valueAsNumber;
    if (!Number.isFinite(value)) return; // not all typed yet
    put(value);
    onMove(key, value);
  });
  const row = element("div", { class: "mg-handle" }, element("code", {}, name), slider, field, told);
  return {
    row,
    /**
     * While the user is ahead of the kernel, the sliders are where the user has put them.
     *
     * @param {Nudged} now
     * @param {boolean} isAhead
     */
    show(now, isAhead) {
      const value = now.values[key];
      const gradient = now.gradients[key];
      const slope = gradient === undefined ? "" : `, ∂${output}/∂${name} = ${gradient}`;
      told.textContent = `Δ ${now.nudges[key]}${slope}`;
      slider.setAttribute("aria-valuetext", `${value}; ${output} is ${now.exact}`);
      if (isAhead) return;
      put(value);
      if (focusedBeside(field) !== field) field.value = `${value}`;
    },
  };
}
