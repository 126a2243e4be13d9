// Starts the stepper in a page without a kernel, with a stand-in for the model that the kernel
// would keep.

import { followAddress, makeLink } from "./address.js";
import stepper from "./stepper.js";

/** @import { Listener, Model } from "./payload.d.ts" */

/**
 * @param {Record<string, unknown>} state
 * @returns {Model}
 */
function standIn(state) {
  /** @type {Map<string, Listener[]>} */
  const listeners = new Map();
  const of = (/** @type {string} */ event) => listeners.get(event) ?? [];
  return {
    get: (name) => state[name],
    set(name, value) {
      state[name] = value;
      for (const call of of(`change:${name}`)) call(undefined, []);
    },
    on: (event, call) => listeners.set(event, [...of(event), call]),
    off: (event, call) => listeners.set(event, of(event).filter((one) => one !== call)),
    save_changes() {},
  };
}

/**
 * In a shadow tree the page's styles don't reach the stepper, nor its styles the page.
 *
 * @param {HTMLElement} host
 */
function startStepper(host) {
  const data = host.querySelector("script")?.textContent ?? "";
  const { style, theme, ...state } = JSON.parse(data);
  const sheet = document.createElement("style");
  sheet.textContent = `:host { all: initial; display: block; } ${style}`;
  const el = document.createElement("div");
  el.dataset.mgTheme = theme;
  host.setAttribute("data-lm-suppress-shortcuts", "true"); // where the page is a notebook's output
  host.attachShadow({ mode: "open" }).append(sheet, el);
  const addressBar = state.whole ? { follow: followAddress, makeLink } : undefined;
  stepper.render({ model: { ...standIn(state), addressBar }, el });
  const root = /** @type {HTMLElement} */ (el.querySelector(".minigrad"));
  // keys that stepped are not the slides' keys, too
  root.addEventListener("keydown", (event) => event.defaultPrevented && event.stopPropagation());
  if (!state.whole) return;
  document.addEventListener("keydown", (event) => {
    if (event.target !== document.body || event.ctrlKey || event.metaKey || event.altKey) return;
    const same = new KeyboardEvent("keydown", { key: event.key, cancelable: true });
    if (!root.dispatchEvent(same)) event.preventDefault();
  });
}

/** @param {string} name of the places that this script is for */
export function startSteppers(name) {
  /** @type {NodeListOf<HTMLElement>} */
  const hosts = document.querySelectorAll(`[data-minigrad="${name}"]`);
  for (const host of hosts) {
    if (!host.shadowRoot) startStepper(host);
  }
}
