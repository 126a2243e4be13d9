// A widget that is the output of the cell that was just run is seen whole.
//
// Shift+Enter brings the next cell of a notebook into view at once; when the output comes, the
// browser keeps that cell where it is (JupyterLab lets it scroll by no other, `overflow-anchor`).
// So an output grows upwards, out of sight, and its buttons are the first to go.

import { MARGIN } from "./elements.js";

/** @typedef {{ top: number, bottom: number }} Span */

const SETTLING = 1000; // ms for the notebook and the widget to find their places
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
  const { top, bottom } = next.getBoundingClientRect();
  const frame = pane.getBoundingClientRect();
  return !isTyping && top < frame.bottom && bottom > frame.top ? pane : null;
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
      pane.addEventListener("scroll", bring); // the notebook does so once more when cells have grown
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
