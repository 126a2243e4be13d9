// Asking the kernel for the views of a large graph, ahead of need.

import { ANSWER_LIMIT, NO_ANSWER, idle } from "./elements.js";
import { entryAt } from "./timeline.js";

const MOST_AHEAD = 40; // views that are asked for before they are needed, in each direction

// Asks the kernel for the views of a large graph, one at a time: first the one to be shown, then
// those that come next and before, so that a step finds its view in the page.
export function makeFetcher(payload, stepper, send) {
  const failed = new Map(); // why, by the number of the view
  let asked = null;
  let timer = null;
  const inTime = (name) => payload.variants[name].shown;
  const wanted = (step, name) => {
    const shown = inTime(name);
    const here = shown.indexOf(entryAt(shown, step));
    for (let far = 0; far <= MOST_AHEAD; far += 1) {
      for (const place of [here + far, here - far]) {
        const number = shown[place]?.[1];
        const isMissing = number !== undefined && !payload.views[number];
        if (isMissing && !failed.has(number)) return number;
      }
    }
    return null;
  };
  const neighbours = (step, name) => {
    const shown = inTime(name);
    const here = shown.indexOf(entryAt(shown, step));
    return [here + 1, here - 1].map((place) => shown[place]?.[1]).filter((n) => payload.views[n]);
  };
  return {
    ask(step, name) {
      if (payload.windows.length === 1) return;
      idle(() => neighbours(step, name).forEach(stepper.prepare));
      if (failed.has(stepper.number())) stepper.tell(failed.get(stepper.number()));
      const number = wanted(step, name);
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
    receive(content) {
      if (content.view === asked) {
        clearTimeout(timer);
        asked = null;
      }
      if (content.failed) {
        failed.set(content.view, content.failed);
        return;
      }
      payload.views[content.view] = content.payload;
      if (content.view === stepper.number()) stepper.showAgain();
    },
    stop: () => clearTimeout(timer),
  };
}
