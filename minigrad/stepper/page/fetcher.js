// Asking the kernel for the views of a large graph, ahead of need.

import { ANSWER_LIMIT, NO_ANSWER, idle } from "./elements.js";

/** @import { StepperPayload, VariantName, View } from "./payload.d.ts" */
/** @import { Stepper } from "./stepper.js" */

/** @typedef {{ view: number, payload?: View, failed?: string }} Answer what the kernel sends for a view */

const MOST_AHEAD = 40; // views that are asked for before they are needed, in each direction

/**
 * The views that are shown around a step, nearest first: its own, the next, the one before, …
 *
 * @param {StepperPayload["variants"][VariantName]["shown"]} shown
 * @param {number} step
 * @param {number} most so many on each side
 */
export function viewsAround(shown, step, most) {
  const here = shown.findLastIndex(([start]) => start <= step);
  const numbers = [];
  for (let far = 0; far <= most; far += 1) {
    for (const place of [here + far, here - far]) {
      if (place in shown) numbers.push(shown[place][1]);
    }
  }
  return [...new Set(numbers)];
}

/**
 * Asks the kernel for the views of a large graph, one at a time: first the one to be shown, then
 * those that come next and before, so that a step finds its view in the page.
 *
 * @param {StepperPayload} payload
 * @param {Stepper} stepper
 * @param {(wish: object) => void} send
 */
export function makeFetcher(payload, stepper, send) {
  /** @type {Map<number, string>} */
  const failed = new Map(); // why, by the number of the view
  /** @type {number | null} */
  let asked = null;
  /** @type {number | undefined} */
  let timer;
  const prepareNext = (/** @type {number} */ step, /** @type {VariantName} */ name) => {
    const [, ...neighbours] = viewsAround(payload.variants[name].shown, step, 1);
    for (const number of neighbours) {
      if (payload.views[number]) stepper.prepare(number);
    }
  };
  return {
    /**
     * @param {number} step
     * @param {VariantName} name
     */
    ask(step, name) {
      if (payload.windows.length === 1) return;
      idle(() => prepareNext(step, name));
      const why = failed.get(stepper.number());
      if (why !== undefined) stepper.tell(why);
      const around = viewsAround(payload.variants[name].shown, step, MOST_AHEAD);
      const number = around.find((one) => !payload.views[one] && !failed.has(one)) ?? null;
      const isUrgent = number === stepper.number();
      if (number === null || number === asked || (asked !== null && !isUrgent)) return;
      asked = number;
      clearTimeout(timer);
      timer = setTimeout(() => {
        asked = null;
        stepper.tell(NO_ANSWER); // where a picture is missing
      }, ANSWER_LIMIT);
      send({ view: number });
    },
    /** @param {Answer} content */
    receive(content) {
      if (content.view === asked) {
        clearTimeout(timer);
        asked = null;
      }
      if (content.failed) {
        failed.set(content.view, content.failed);
        return;
      }
      if (content.payload) payload.views[content.view] = content.payload;
      if (content.view === stepper.number()) stepper.showAgain();
    },
    stop: () => clearTimeout(timer),
  };
}
