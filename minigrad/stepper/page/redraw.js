// Another picture of the same steps, which the kernel draws: groups folded or open, and constants
// as boxes of their own or inside those of the nodes that use them.

import { ANSWER_LIMIT, NO_ANSWER, element, makeButton } from "./elements.js";

/** @import { StepperPayload } from "./payload.d.ts" */
/** @typedef {ReturnType<typeof makeRedraw>} Redraw */

/**
 * With the answer all of the page is built anew.
 *
 * @param {(wish: object) => void} send
 */
export function makeRedraw(send) {
  const status = element("span", { role: "status" });
  /** @type {number | undefined} */
  let timer;
  return {
    status,
    /** @param {object} wish */
    ask(wish) {
      status.textContent = "Drawing…";
      clearTimeout(timer);
      timer = setTimeout(() => {
        status.textContent = NO_ANSWER;
      }, ANSWER_LIMIT);
      send(wish);
    },
    stop: () => clearTimeout(timer),
  };
}

/**
 * @param {StepperPayload["constants"]} constants
 * @param {Redraw} redraw
 */
export function makeConstants(constants, redraw) {
  if (constants === null) return [];
  const title = constants ? "write each inside the box that uses it" : "draw each number as an operand";
  const button = makeButton("Numbers as boxes", title, () => redraw.ask({ constants: !constants }));
  button.ariaPressed = String(constants);
  button.dataset.key = "constants";
  return [button];
}
