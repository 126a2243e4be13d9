// The bar of a widget: one row of what is used at every step, and a menu of what is rare.

import { MARGIN, element, focusedBeside, makeButton } from "./elements.js";

/**
 * Something to press, and where it stands: in the row; there if there is room for it, or else in
 * the menu; always in the menu.
 *
 * @typedef {{ where: "row" | "room" | "menu", parts: HTMLElement[] }} Control
 */

/**
 * A panel that opens over all else, not cut off by what it stands in, and the button that opens
 * it. It is closed by Escape and by a press beside it.
 */
function makeMenu() {
  const panel = element("div", { class: "mg-menu", role: "group", "aria-label": "Options", popover: "" });
  const button = makeButton("⋯", "more controls", () => {});
  button.setAttribute("aria-label", "More");
  button.popoverTargetElement = panel;
  const isOpen = () => panel.matches(":popover-open");
  const put = () => {
    const { top, bottom, right } = button.getBoundingClientRect();
    const { clientWidth, clientHeight } = document.documentElement;
    const [above, below] = [top, clientHeight - bottom].map((room) => room - 2 * MARGIN);
    const opensDown = below >= Math.min(above, panel.scrollHeight);
    Object.assign(panel.style, {
      top: opensDown ? `${bottom + 4}px` : "auto",
      bottom: opensDown ? "auto" : `${clientHeight - top + 4}px`,
      right: `${Math.max(MARGIN, clientWidth - right)}px`,
      maxHeight: `${opensDown ? below : above}px`,
    });
  };
  const listening = { capture: true, passive: true };
  const follow = () => {
    button.ariaExpanded = String(isOpen());
    const change = isOpen() ? "addEventListener" : "removeEventListener";
    for (const event of ["scroll", "resize"]) window[change](event, put, listening);
    if (isOpen()) put();
  };
  /** @param {KeyboardEvent} event */
  const close = (event) => {
    if (event.key !== "Escape" || !isOpen()) return;
    event.preventDefault();
    event.stopPropagation(); // it is meant for the menu alone
    panel.hidePopover();
    button.focus({ preventScroll: true });
  };
  /** @param {FocusEvent} event */
  const closeBehind = ({ relatedTarget }) => {
    const to = /** @type {Node | null} */ (relatedTarget);
    // or what has the focus could lie under it
    if (to && to !== button && !panel.contains(to)) panel.hidePopover();
  };
  button.addEventListener("keydown", close);
  button.addEventListener("focusout", closeBehind);
  panel.addEventListener("keydown", close);
  panel.addEventListener("focusout", closeBehind);
  panel.addEventListener("toggle", follow);
  button.ariaExpanded = "false";
  return {
    button,
    panel,
    isOpen,
    open: () => panel.showPopover(),
    stop() {
      for (const event of ["scroll", "resize"]) window.removeEventListener(event, put, listening);
    },
  };
}

/**
 * What stands for a control in the menu: it, and before it what it is called, if it doesn't say so.
 *
 * @param {HTMLElement[]} parts
 */
function entryOf(parts) {
  const entry = element("div", { class: "mg-entry" }, ...parts);
  const [{ tagName, ariaLabel }] = parts;
  if (ariaLabel && tagName !== "BUTTON") {
    entry.prepend(element("span", { "aria-hidden": "true" }, ariaLabel));
  }
  return entry;
}

/**
 * @param {Control[]} controls
 * @param {HTMLElement[]} [notices] what is said while the menu is closed: shown below the row
 */
export function makeBars(controls, notices = []) {
  const menu = makeMenu();
  const made = controls.filter(({ parts }) => parts.length);
  const partsOf = (/** @type {Control["where"]} */ wanted) =>
    made.filter(({ where }) => where === wanted).map(({ parts }) => parts);
  const ruler = element("span", { class: "mg-ruler" }); // as wide as the row, and never higher
  const row = element("div", { class: "mg-row" }, ...partsOf("row").flat());
  const bar = element("div", { class: "mg-bar" }, ruler, row);
  bar.append(element("div", { class: "mg-notices" }, ...notices));
  menu.panel.append(...partsOf("menu").map(entryOf));
  const movable = partsOf("room").map((parts) => ({ parts, entry: element("div", { class: "mg-entry" }) }));
  const toRow = () => {
    for (const { entry } of movable) entry.remove();
    menu.button.before(...movable.flatMap(({ parts }) => parts));
  };
  // buttons of one row differ in height, and stand in its middle
  const isTooLong = () => {
    const first = row.querySelector("button");
    return first !== null && menu.button.offsetTop > first.offsetTop + first.offsetHeight;
  };
  let width = 0;
  const fit = () => {
    if (!ruler.offsetWidth) return;
    const focused = /** @type {HTMLElement?} */ (focusedBeside(row));
    if (ruler.offsetWidth > width) toRow();
    width = ruler.offsetWidth;
    for (const { parts, entry } of [...movable].reverse()) {
      if (!isTooLong()) break;
      if (entry.isConnected) continue;
      entry.append(...parts);
      menu.panel.prepend(entry);
    }
    if (isTooLong()) toRow(); // there is a second row in any case
    if (focused && row.contains(focused)) reachable(focused).focus({ preventScroll: true });
  };
  row.append(menu.button, menu.panel);
  toRow();
  // the words of the step, too: there are graphs of ten steps and of ten thousand
  const observer = new ResizeObserver(fit);
  for (const one of [ruler, ...row.querySelectorAll(".mg-step")]) observer.observe(one);
  return {
    bar,
    menu,
    stop() {
      observer.disconnect();
      menu.stop();
    },
  };
}

/**
 * What takes the focus for a control: it, or the button of the closed menu that it is in.
 *
 * @param {HTMLElement} control
 * @returns {HTMLElement}
 */
export function reachable(control) {
  const menu = control.closest(".mg-menu:not(:popover-open)");
  return /** @type {HTMLElement?} */ (menu?.previousElementSibling) ?? control;
}
