// A widget that is the output of the cell that was just run is seen whole.
//
// Shift+Enter brings the next cell of a notebook into view at once, and JupyterLab sees to it that
// it stays there when the output comes (by `overflow-anchor`, or by scrolling once more). So an
// output grows upwards, out of sight, and its buttons are the first to go.

import { MARGIN } from "./elements.js";

/** @typedef {{ top: number, bottom: number }} Span */

const SETTLING = 3000; // ms in which JupyterLab may scroll once more
const READER = ["wheel", "pointerdown", "keydown", "touchstart"]; // what says where one looks

/**
 * The least to scroll down by, so that a widget is seen whole, or its upper part if it is too high.
 *
 * @param {Span} pane
 * @param {Span} widget
 */
export function leastScroll(pane, widget) {
  const above = widget.top - MARGIN - pane.top;
  const below = widget.bottom + MARGIN - pane.bottom;
  return above < 0 ? above : Math.max(0, Math.min(above, below));
}

/**
 * What a notebook scrolls in, if the cell that holds a widget has been run and left for the next
 * one, and one has neither gone elsewhere since nor begun to type there; pages that are no
 * notebook of Jupyter's have no such place.
 *
 * @param {HTMLElement} root
 */
function placeOf(root) {
  const notebook = root.closest(".jp-Notebook");
  const next = root.closest(".jp-Cell")?.nextElementSibling;
  const pane = notebook?.querySelector(".jp-WindowedPanel-outer");
  const focused = document.activeElement;
  if (!pane || !next?.classList.contains("jp-mod-active") || !notebook?.contains(focused)) return null;
  const isTyping = /** @type {HTMLElement} */ (focused).isContentEditable && focused?.textContent;
  const frame = pane.getBoundingClientRect();
  const { top, bottom } = next.getBoundingClientRect();
  const isSeen = (/** @type {number} */ shift) => top - shift < frame.bottom && bottom - shift > frame.top;
  // where it is kept by scrolling once more, the widget has just pushed it away
  return !isTyping && (isSeen(0) || isSeen(root.offsetHeight)) ? pane : null;
}

/**
 * Sees to it while all finds its place, until the reader does something.
 *
 * @param {HTMLElement} root
 */
export function comeIntoView(root) {
  /** @type {Element | null} */
  let pane = null;
  const bring = () => {
    if (pane) pane.scrollTop += leastScroll(pane.getBoundingClientRect(), root.getBoundingClientRect());
  };
  const observer = new ResizeObserver(() => {
    if (!pane) {
      pane = placeOf(root);
      if (!pane) return stop();
      pane.addEventListener("scroll", bring);
    }
    bring();
  });
  const stop = () => {
    clearTimeout(timer);
    observer.disconnect();
    pane?.removeEventListener("scroll", bring);
    for (const event of READER) document.removeEventListener(event, stop, true);
  };
  const timer = setTimeout(stop, SETTLING);
  for (const event of READER) document.addEventListener(event, stop, true);
  observer.observe(root);
  return stop;
}
