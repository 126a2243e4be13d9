// Why a gradient is what it is: a sum over paths, each of which can be lit in the diagram.

import { NOTHING_YET, element, makeButton, write } from "../stepper/page/elements.js";
import { valueAt } from "../stepper/page/timeline.js";

/** @import { GradientRow, Key, Path, ShownView, Step, Variant, Why } from "../stepper/page/payload.d.ts" */

/**
 * The paths are about the right gradient, and the step that is shown may not have got there.
 *
 * @param {string} name
 * @param {string} total
 * @param {GradientRow} row
 * @param {number} step
 * @param {Record<number, Step>} steps
 */
export function comparedWithStep(name, total, row, step, steps) {
  const shown = valueAt(row.before, step + 1); // which is after this step
  const [[, atFirst]] = row.before;
  if (shown === total) return `At this step ${name}.grad is ${total}, as all paths together.`;
  const now = shown === NOTHING_YET ? `${name} has no gradient` : `${name}.grad is ${shown}`;
  const last = Math.max(...Object.keys(steps).map(Number));
  const because = [];
  if (atFirst !== NOTHING_YET) because.push(` ${name} held ${atFirst} before this pass.`);
  if (steps[last].wrong) because.push(" The order of this pass is wrong.");
  else if (step < last) because.push(" The pass has not come to its end.");
  return `At this step ${now}; all paths together come to ${total}.${because.join("")}`;
}

/** @param {(keys: Set<Key>) => void} light */
export function makeWhy(light) {
  /** @type {Key | null} */
  let key = null; // the tensor whose gradient is asked for
  /** @type {Why} */
  let why = {}; // what is told of all tensors
  /** @type {Key[][]} */
  let lit = []; // what is lit for each edge, by its number
  const now = element("p", {}, " ");
  const body = element("div");
  const makePath = (/** @type {Path} */ [line, numbers]) => {
    const keys = new Set(numbers.flatMap((number) => lit[number]));
    const path = element("button", { type: "button", "aria-pressed": "false" }, line);
    path.onclick = path.onfocus = () => {
      for (const one of body.querySelectorAll("button")) one.ariaPressed = String(one === path);
      light(keys);
    };
    return path;
  };
  const open = () => {
    body.hidden = false;
    button.ariaExpanded = "true";
    const nothing = { title: why.failed ?? "", paths: [], notes: [] };
    const { title, paths, notes } = why.told?.[key ?? ""] ?? nothing;
    const buttons = paths.map(makePath);
    const list = element("ol", { "aria-label": "Paths" });
    list.append(...buttons.map((path) => element("li", {}, path)));
    const head = element("p", {}, element("strong", {}, title));
    if (buttons.length) head.append(" Press a path to light it in the diagram.");
    const told = notes.map((text) => element("p", {}, text));
    body.replaceChildren(head, ...(buttons.length ? [now, list] : []), ...told);
    buttons[0]?.focus({ preventScroll: true });
  };
  const close = () => {
    if (!body.hidden) light(new Set());
    body.hidden = true;
    button.ariaExpanded = "false";
  };
  const button = makeButton("Why this gradient?", "its paths", () =>
    body.hidden ? open() : close(),
  );
  const place = element("div", { class: "mg-why" }, button, body);
  body.hidden = true;
  close();
  return {
    place,
    close,
    /**
     * @param {Key} tensor
     * @param {ShownView} view
     * @param {Variant} variant
     * @param {number} step
     */
    show(tensor, view, { table, steps }, step) {
      if (tensor !== key) close();
      key = tensor;
      ({ why, lit } = view);
      const { frozen, name } = view.tensors[key];
      const reason = why.told?.[key];
      place.hidden = frozen || !(reason || why.failed);
      const row = table.find((one) => one.key === tensor);
      if (reason && row) write(now, comparedWithStep(name, reason.total, row, step, steps));
    },
  };
}
