// A picture that can be zoomed and dragged, and how a box or an edge gets a look.

import { element } from "./elements.js";

/** @import { Key, Look } from "./payload.d.ts" */

/**
 * A box or an edge of a picture, and the look that it has now.
 *
 * @typedef {object} Part
 * @property {SVGGElement} group
 * @property {Key} key
 * @property {string} kind
 * @property {NodeListOf<SVGTextElement>} texts
 * @property {Look | null} shown
 */

export const SMALLEST_SCALE = 0.8; // of the diagram's text; a wider diagram scrolls
export const LARGEST_SCALE = 4;
export const ZOOM_STEP = 1.25;

/** @param {string} text */
export function readSvg(text) {
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml");
  const root = /** @type {Element} */ (parsed.documentElement);
  const svg = /** @type {SVGSVGElement} */ (document.importNode(root, true));
  svg.removeAttribute("height");
  svg.removeAttribute("width");
  setScale(svg, null);
  return svg;
}

/**
 * The boxes and edges of a picture.
 *
 * @param {SVGSVGElement} svg
 * @returns {Part[]}
 */
export function partsOf(svg) {
  const groups = /** @type {NodeListOf<SVGGElement>} */ (svg.querySelectorAll("[data-key]"));
  return [...groups].map((group) => ({
    group,
    key: group.dataset.key ?? "",
    kind: "",
    texts: group.querySelectorAll("text"),
    shown: null,
  }));
}

/** @param {SVGSVGElement} svg */
export function naturalWidth(svg) {
  return svg.viewBox.baseVal.width * (96 / 72);
}

/**
 * How many pixels a picture needs to be read beside something else.
 *
 * @param {SVGSVGElement} svg
 */
export function readableWidth(svg) {
  return naturalWidth(svg) * SMALLEST_SCALE + 16;
}

/**
 * A scale of null stands for: as wide as there is room for, and never unreadable.
 *
 * @param {SVGSVGElement} svg
 * @param {number | null} scale
 */
function setScale(svg, scale) {
  const width = naturalWidth(svg);
  svg.style.width = `${width * (scale ?? 1)}px`;
  svg.style.minWidth = scale === null ? `${width * SMALLEST_SCALE}px` : "0";
  svg.style.maxWidth = scale === null ? "100%" : "none";
}

/**
 * The scale that comes of another by a factor, within the limits.
 *
 * @param {number} scale
 * @param {number} factor
 */
export function zoomed(scale, factor) {
  return Math.min(LARGEST_SCALE, Math.max(SMALLEST_SCALE, scale * factor));
}

/**
 * Buttons, Ctrl and the wheel, and dragging; the wheel alone scrolls the page.
 *
 * @param {HTMLElement} place
 * @param {() => SVGSVGElement | null | undefined} picture
 * @param {number | null} [scaleBefore]
 */
export function makeZoom(place, picture, scaleBefore = null) {
  let scale = scaleBefore; // null: as large as fits
  const apply = () => {
    const svg = picture();
    if (svg) setScale(svg, scale);
    smaller.ariaDisabled = String(scale === SMALLEST_SCALE);
    larger.ariaDisabled = String(scale === LARGEST_SCALE);
  };
  const zoomBy = (/** @type {number} */ factor, x = place.clientWidth / 2, y = place.clientHeight / 2) => {
    const svg = picture();
    if (!svg) return;
    const before = svg.getBoundingClientRect().width / naturalWidth(svg);
    const after = zoomed(before, factor);
    scale = after;
    const [left, top] = [place.scrollLeft + x, place.scrollTop + y];
    apply();
    place.scrollLeft = (left * after) / before - x;
    place.scrollTop = (top * after) / before - y;
  };
  const fit = () => {
    scale = null;
    apply();
  };
  const smaller = makeZoomButton("−", "Smaller", () => zoomBy(1 / ZOOM_STEP));
  const larger = makeZoomButton("+", "Larger", () => zoomBy(ZOOM_STEP));
  const whole = makeZoomButton("Fit", "Fit", fit);
  const bar = element("span", { class: "mg-zoom", role: "group", "aria-label": "Size" });
  bar.append(smaller, larger, whole);
  place.addEventListener(
    "wheel",
    (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      const { left, top } = place.getBoundingClientRect();
      const factor = event.deltaY < 0 ? ZOOM_STEP : 1 / ZOOM_STEP;
      zoomBy(factor, event.clientX - left, event.clientY - top);
    },
    { passive: false },
  );
  letDrag(place);
  return { bar, fit: whole, apply, scale: () => scale };
}

/**
 * @param {string} text
 * @param {string} name
 * @param {() => void} act
 */
function makeZoomButton(text, name, act) {
  const button = element("button", { type: "button", class: "mg-button", title: name }, text);
  button.setAttribute("aria-label", name);
  button.addEventListener("click", act);
  return button;
}

/** @param {HTMLElement} place */
function letDrag(place) {
  /** @type {{ x: number, y: number } | null} */
  let start = null;
  place.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || event.pointerType === "touch") return;
    const target = /** @type {Element} */ (event.target);
    if (target.closest("[role='button']") || target === place) return;
    event.preventDefault(); // of a selection of text
    place.focus({ preventScroll: true });
    start = { x: event.clientX + place.scrollLeft, y: event.clientY + place.scrollTop };
    place.setPointerCapture(event.pointerId);
  });
  place.addEventListener("pointermove", (event) => {
    if (!start) return;
    place.scrollLeft = start.x - event.clientX;
    place.scrollTop = start.y - event.clientY;
  });
  const end = () => {
    start = null;
  };
  place.addEventListener("pointerup", end);
  place.addEventListener("pointercancel", end);
}

/**
 * @param {Part} part
 * @param {Look} look
 */
export function showLook(part, look) {
  const [, state, changed, rows] = look;
  const kind = ["edge", "frame"].includes(part.kind) ? part.kind : `box ${part.kind}`;
  part.group.setAttribute("class", `${kind} ${state}${changed ? " changed" : ""}`);
  part.texts.forEach((text, row) => {
    text.textContent = rows[row] ?? "";
  });
  part.shown = look;
}
