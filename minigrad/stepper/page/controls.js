// What one steps with: buttons, the slider, the player, choices, and the search for a node.

import { element, makeButton, makeSelect } from "./elements.js";

/** @import { Index, StepperPayload, VariantName } from "./payload.d.ts" */

const ISOLATES = /[\u2066-\u2069]/g; // around a name that runs from right to left, copied with it
const SPEEDS = { slow: 4000, normal: 2200, fast: 1000 }; // ms from step to step

/**
 * Goes from step to step by itself, with one timer, until the end or until someone moves.
 *
 * @param {() => boolean} advance tells whether there is more to come
 */
function makePlayer(advance) {
  /** @type {number | undefined} */
  let timer;
  const button = makeButton("Play", "step by itself", () =>
    timer === undefined ? play() : stop(),
  );
  const speed = makeSelect("Speed", Object.keys(SPEEDS).map((name) => [name, name]), () => {
    if (timer !== undefined) wait();
  });
  speed.value = "normal";
  button.classList.add("mg-play");
  const tell = (/** @type {boolean} */ isPlaying) => {
    button.textContent = isPlaying ? "Pause" : "Play";
    button.classList.toggle("mg-playing", isPlaying);
  };
  const stop = () => {
    clearTimeout(timer);
    timer = undefined;
    tell(false);
  };
  const wait = () => {
    clearTimeout(timer);
    timer = setTimeout(play, SPEEDS[/** @type {keyof typeof SPEEDS} */ (speed.value)]);
  };
  const play = () => {
    tell(true);
    if (advance()) wait();
    else stop();
  };
  return { button, speed, stop };
}

/**
 * Which steps are shown, counted from 1: one, or several that are shown together.
 *
 * @param {[first: number, last: number]} steps
 * @param {number} count
 */
export function stepText([first, last], count) {
  const numbers = first === last ? ` ${first + 1}` : `s ${first + 1}–${last + 1}`;
  return `Step${numbers} of ${count}`;
}

/**
 * A button that shows a sign, and is called by its name all the same.
 *
 * @param {string} sign
 * @param {HTMLButtonElement} button
 */
function withSign(sign, button) {
  button.setAttribute("aria-label", button.textContent);
  button.textContent = sign;
  return button;
}

/** @typedef {[first: number, last: number]} Steps the steps that are shown at once */

/**
 * @param {(step: number, isNext: boolean) => boolean} go tells whether it waits for an answer
 * @param {() => boolean} isShown whether the picture of the step is there
 */
export function makeControls(go, isShown) {
  const bar = element("div", { class: "mg-controls", role: "group", "aria-label": "Stepping" });
  /** @type {Steps} */
  let [first, last] = [0, 0];
  let count = 1;
  let expected = -1; // the step that the player goes to; any other is someone else's
  const player = makePlayer(() => {
    if (!isShown()) return true; // its picture is still to come
    expected = last < count - 1 ? last + 1 : 0;
    return !go(expected, true) && last < count - 1; // unless it stops for a question
  });
  const move = (/** @type {number} */ target, isNext = false) => {
    player.stop();
    go(target, isNext);
  };
  const start = withSign("|◀", makeButton("Start", "first step", () => move(0)));
  const back = makeButton("Back", "previous step", () => move(first - 1));
  const next = makeButton("Next", "next step", () => move(last + 1, true));
  const end = withSign("▶|", makeButton("End", "last step", () => move(count - 1)));
  next.classList.add("mg-primary");
  const slider = element("input", { type: "range", min: 0, step: 1, "aria-label": "Step" });
  slider.addEventListener("input", () => move(Number(slider.value)));
  const label = element("span", { class: "mg-step" });
  bar.append(start, back, next, end, player.button, slider, label);
  return {
    bar,
    speed: player.speed,
    next,
    stop: player.stop,
    /**
     * @param {Steps} steps
     * @param {string} title
     * @param {number} all
     */
    show(steps, title, all) {
      [first, last] = steps;
      count = all;
      if (first !== expected) player.stop();
      label.textContent = stepText(steps, count);
      slider.max = `${count - 1}`;
      slider.value = `${first}`;
      slider.setAttribute("aria-valuetext", `${label.textContent}: ${title}`);
      // aria-disabled and not disabled: a pressed button must keep the focus at the end
      for (const one of [start, back]) one.ariaDisabled = String(first === 0);
      for (const one of [next, end]) one.ariaDisabled = String(last === count - 1);
    },
  };
}

/**
 * The step that a key leads to, and whether it is one forward; null if the key does not step.
 * Page Up and Page Down are what a presenter's remote sends.
 *
 * @param {string} key
 * @param {[first: number, last: number, end: number]} place the first and the last of the steps
 *   that are shown together, and the last of all
 * @param {boolean} withPages
 * @returns {[step: number, isNext: boolean] | null}
 */
export function steppingKey(key, [first, last, end], withPages) {
  if (key === "ArrowRight" || (withPages && key === "PageDown")) return [last + 1, true];
  if (key === "ArrowLeft" || (withPages && key === "PageUp")) return [first - 1, false];
  if (key === "Home") return [0, false];
  return key === "End" ? [end, false] : null;
}

/**
 * Keys that step, wherever the focus is, but for what takes such keys itself.
 *
 * @param {HTMLElement} root
 * @param {() => [first: number, last: number, end: number]} place
 * @param {(step: number, isNext?: boolean) => void} jump
 * @param {() => boolean} withPages whether Page Up and Page Down step, and do nothing else
 */
export function stepByKeys(root, place, jump, withPages) {
  root.onkeydown = (event) => {
    const { key, target, ctrlKey, metaKey, altKey, shiftKey } = event;
    const { tagName } = /** @type {Element} */ (target);
    const found = steppingKey(key, place(), withPages());
    if (!found || ctrlKey || metaKey || altKey || shiftKey) return;
    if (!key.startsWith("Page") && ["INPUT", "SELECT"].includes(tagName)) return;
    event.preventDefault();
    jump(...found);
  };
}

/**
 * Which order, and how fine; a menu with a single entry is not shown.
 *
 * @param {StepperPayload} payload
 * @param {(variant: VariantName) => void} onChoose
 */
export function makeChoices({ orders, grains, variants }, onChoose) {
  const choose = () => {
    for (const [key, one] of Object.entries(variants)) {
      if (one.order === order.value && one.grain === grain.value) onChoose(key);
    }
  };
  const order = makeSelect("Order of the backward pass", orders, choose);
  const grain = makeSelect("How much is one step", grains, choose);
  return {
    selects: [order, grain].filter((select) => select.options.length > 1),
    /** @param {VariantName} key */
    show(key) {
      order.value = variants[key].order;
      grain.value = variants[key].grain;
    },
  };
}

/**
 * Which way the picture runs; "auto" is by what fits its place.
 *
 * @param {(direction: string) => void} choose
 * @param {string} [chosen]
 */
export function makeDirection(choose, chosen = "auto") {
  /** @type {[value: string, text: string][]} */
  const ways = [["auto", "as it fits"], ["right", "left to right"], ["down", "top to bottom"]];
  const select = makeSelect("Direction", ways, choose);
  select.value = chosen;
  return select;
}

/**
 * The position of a node of a large graph by its number, or of the next one with an op or a name,
 * be it as code knows it or as it is drawn.
 *
 * @param {Index} index
 * @param {string} text
 * @param {number} from where one is
 * @param {1 | -1} direction
 * @returns {number | null}
 */
export function findNode({ ops, op_of: opOf, names, drawn }, text, from, direction) {
  const count = opOf.length;
  if (/^\d+$/.test(text)) return Number(text) < count ? Number(text) : null;
  for (let far = 1; far <= count; far += 1) {
    const position = (from + direction * far + count) % count;
    const called = [ops[opOf[position]], names[position], ...(drawn?.[position] ?? [])];
    if (called.includes(text)) return position;
  }
  return null;
}

/**
 * A field that leads to a node of a large graph.
 *
 * @param {Index} index
 * @param {() => { position: number, isRecording: boolean }} now
 * @param {(position: number, isRecording: boolean) => void} goTo
 */
export function makeFinder(index, now, goTo) {
  const field = element("input", { type: "search", class: "mg-find", placeholder: "12, mul, loss" });
  const status = element("span", { role: "status" });
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    const text = field.value.replace(ISOLATES, "").trim().replace(/^#/, "");
    const { position, isRecording } = now();
    const found = text ? findNode(index, text, position, isRecording ? 1 : -1) : null;
    status.textContent = text && found === null ? `There is no node ${text}.` : "";
    if (found !== null) goTo(found, isRecording);
  });
  const label = element("label", { class: "mg-finder" }, "Go to node", field);
  return [label, status];
}
