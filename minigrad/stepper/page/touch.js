// Moving and zooming a picture by hand: dragging, pinching, and Ctrl with the wheel.

import { ZOOM_STEP } from "./scales.js";

const WHEEL = 150; // px of the wheel, or of two fingers on a pad, that zoom by about as much again

/** @param {HTMLElement} place */
export function letDrag(place) {
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
    place.scrollTo({ left: start.x - event.clientX, top: start.y - event.clientY, behavior: "instant" });
  });
  const end = () => {
    start = null;
  };
  place.addEventListener("pointerup", end);
  place.addEventListener("pointercancel", end);
}

/**
 * Two fingers on the screen or on a pad, and Ctrl with the wheel; the wheel alone scrolls.
 *
 * @param {HTMLElement} place
 * @param {(factor: number, x: number, y: number) => void} zoomBy
 */
export function letPinch(place, zoomBy) {
  const at = (/** @type {number} */ x, /** @type {number} */ y) => {
    const { left, top } = place.getBoundingClientRect();
    return /** @type {[x: number, y: number]} */ ([x - left, y - top]);
  };
  place.addEventListener(
    "wheel",
    (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      const factor = Math.exp(-event.deltaY / WHEEL);
      zoomBy(Math.min(ZOOM_STEP, Math.max(1 / ZOOM_STEP, factor)), ...at(event.clientX, event.clientY));
    },
    { passive: false },
  );
  let apart = 0; // px between two fingers
  const distance = (/** @type {TouchList} */ [one, other]) =>
    Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
  place.addEventListener("touchstart", ({ touches }) => {
    if (touches.length === 2) apart = distance(touches);
  });
  place.addEventListener(
    "touchmove",
    (event) => {
      if (event.touches.length !== 2 || !apart) return;
      event.preventDefault();
      const now = distance(event.touches);
      const [one, other] = event.touches;
      zoomBy(now / apart, ...at((one.clientX + other.clientX) / 2, (one.clientY + other.clientY) / 2));
      apart = now;
    },
    { passive: false },
  );
}
