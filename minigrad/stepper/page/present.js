// A widget on the full screen, for a lecture hall: nothing around it, large, and it hears all keys.

import { element, makeButton } from "./elements.js";
import { reachable } from "./bars.js";

const ON = "mg-presenting";
const BLANKS = [".", "b", "B"]; // what presenters' remotes send for a blank screen
const WITH_OTHERS = ["Alt", "Control", "Meta", "Shift"];
const DIALOG = { role: "dialog", "aria-modal": "true", "aria-label": "Presentation" };
const TELL_BLANK = "The screen is blank; any key brings it back.";

/** @typedef {ReturnType<typeof makePresent>} Present */

/**
 * What a key does while a widget is presented, beside stepping.
 *
 * @param {string} key
 * @param {{ isBlank: boolean, isTyping: boolean }} now
 * @returns {"leave" | "blank" | "back" | null}
 */
export function presentingKey(key, { isBlank, isTyping }) {
  if (key === "Escape") return "leave";
  if (isBlank) return WITH_OTHERS.includes(key) ? null : "back";
  return BLANKS.includes(key) && !isTyping ? "blank" : null;
}

/**
 * Whether keys are letters where the focus is.
 *
 * @param {Element} field
 */
function takesLetters(field) {
  const { tagName, type } = /** @type {HTMLInputElement} */ (field);
  return tagName === "SELECT" || (tagName === "INPUT" && !["range", "radio"].includes(type));
}

/**
 * How far all is scrolled that an element stands in, also outside of a shadow tree.
 *
 * @param {Element} inside
 * @returns {() => void} scrolls it there again
 */
function keptScroll(inside) {
  /** @type {(() => void)[]} */
  const kept = [];
  for (let one = parentOf(inside); one; one = parentOf(one)) {
    const [place, { scrollTop, scrollLeft }] = [one, one];
    kept.push(() => Object.assign(place, { scrollTop, scrollLeft }));
  }
  return () => {
    for (const again of kept) again();
  };
}

/**
 * @param {Element} one
 * @returns {Element | null}
 */
function parentOf(one) {
  const root = one.getRootNode();
  return one.parentElement ?? (root instanceof ShadowRoot ? root.host : null);
}

/**
 * Where the browser refuses the full screen, as in some frames, it fills the window.
 *
 * @param {HTMLElement} root
 */
export function makePresent(root) {
  const black = element("div", { class: "mg-black" });
  const status = element("p", { class: "mg-unseen", role: "status" });
  let isOn = false;
  let scrollAgain = () => {};
  const blank = (/** @type {boolean} */ isBlank) => {
    black.hidden = !isBlank;
    status.textContent = isBlank ? TELL_BLANK : "";
  };
  // in the full screen nothing else is seen, so nothing else takes a key or the focus
  const passOn = (/** @type {KeyboardEvent} */ event) => {
    if (event.composedPath().includes(root)) return;
    event.stopPropagation();
    const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
    const same = { key, ctrlKey, metaKey, altKey, shiftKey, cancelable: true };
    if (!root.dispatchEvent(new KeyboardEvent("keydown", same))) event.preventDefault();
  };
  const comeBack = (/** @type {FocusEvent} */ event) => {
    if (!event.composedPath().includes(root)) root.focus({ preventScroll: true });
  };
  const actOf = (/** @type {KeyboardEvent} */ { key, target, ctrlKey, metaKey, altKey }) => {
    if (ctrlKey || metaKey || altKey) return null;
    const isTyping = takesLetters(/** @type {Element} */ (target));
    return presentingKey(key, { isBlank: !black.hidden, isTyping });
  };
  // before all else: a key that wakes the screen does nothing more
  const blankByKey = (/** @type {KeyboardEvent} */ event) => {
    const act = actOf(event);
    if (act !== "blank" && act !== "back") return;
    event.preventDefault();
    event.stopImmediatePropagation();
    blank(act === "blank");
  };
  // after all else: what is open inside closes first
  const leaveByKey = (/** @type {KeyboardEvent} */ event) => {
    if (actOf(event) !== "leave") return;
    event.preventDefault();
    leave();
  };
  const listen = (/** @type {"addEventListener" | "removeEventListener"} */ change) => {
    window[change]("keydown", /** @type {EventListener} */ (passOn), true);
    document[change]("focusin", /** @type {EventListener} */ (comeBack));
    root[change]("keydown", /** @type {EventListener} */ (blankByKey), true);
    root[change]("keydown", /** @type {EventListener} */ (leaveByKey));
  };
  const enter = async () => {
    isOn = true;
    scrollAgain = keptScroll(root);
    const place = root.parentElement;
    if (place) place.style.minHeight = `${root.offsetHeight}px`; // what is below stays where it is
    button.ariaPressed = "true";
    root.classList.add(ON);
    for (const [name, value] of Object.entries(DIALOG)) root.setAttribute(name, value);
    listen("addEventListener");
    try {
      await root.requestFullscreen();
      if (!isOn) document.exitFullscreen(); // one left it before it was there
    } catch {
      if (!isOn) return;
      root.popover = "manual";
      root.showPopover();
    }
    if (isOn) root.focus({ preventScroll: true });
  };
  const leave = () => {
    if (!isOn) return;
    isOn = false;
    blank(false);
    listen("removeEventListener");
    root.classList.remove(ON);
    for (const name of Object.keys(DIALOG)) root.removeAttribute(name);
    root.popover = null;
    if (root.matches(":fullscreen")) document.exitFullscreen();
    if (root.parentElement) root.parentElement.style.minHeight = "";
    button.ariaPressed = "false";
    settle();
  };
  const settle = () => {
    scrollAgain();
    reachable(button).focus({ preventScroll: true });
  };
  const change = () => {
    if (root.matches(":fullscreen")) return;
    leave(); // by the browser's own key
    requestAnimationFrame(scrollAgain); // the window has its old size again
  };
  const button = makeButton("Present", "on the full screen; Escape leaves it", () => {
    if (isOn) leave();
    else enter();
  });
  black.addEventListener("click", () => blank(false));
  root.addEventListener("fullscreenchange", change);
  button.ariaPressed = "false";
  blank(false);
  return {
    button,
    /** What lies over all else in the root. */
    layers: [black, status],
    isOn: () => isOn,
    stop() {
      leave();
      root.removeEventListener("fullscreenchange", change);
    },
  };
}
