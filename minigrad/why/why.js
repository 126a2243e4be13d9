// Why a gradient is what it is: a sum over paths, each of which can be lit in the diagram.

import { NOTHING_YET, element, makeButton, write } from "../stepper/page/elements.js";
import { valueAt } from "../stepper/page/timeline.js";

/** @import { GradientRow, Key, Path, Reasons, Step, Variant, View } from "../stepper/page/payload.d.ts" */

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
  const shown = valueAt(row.gradients, step) ?? row.before;
  if (shown === total) return `At this step ${name}.grad is ${total}, as all paths together.`;
  const now = shown === NOTHING_YET ? `${name} has no gradient` : `${name}.grad is ${shown}`;
  const last = Math.max(...Object.keys(steps).map(Number));
  const why = [];
  if (row.before !== NOTHING_YET) why.push(` ${name} held ${row.before} before this pass.`);
  if (steps[last].wrong) why.push(" The order of this pass is wrong.");
  else if (step < last) why.push(" The pass has not come to its end.");
  return `At this step ${now}; all paths together come to ${total}.${why.join("")}`;
}

/** @param {(keys: Set<Key>) => void} light */
export function makeWhy(light) {
  /** @type {Key | null} */
  let key = null; // the tensor whose gradient is asked for
  /** @type {Reasons} */
  let reasons = { lit: [] };
  const now = element("p", {}, " ");
  const body = element("div");
  const makePath = (/** @type {Path} */ [line, numbers]) => {
    const keys = new Set(numbers.flatMap((number) => reasons.lit[number]));
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
    const nothing = { title: reasons.failed ?? "", paths: [], notes: [] };
    const { title, paths, notes } = reasons.told?.[key ?? ""] ?? nothing;
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
  const place = element("div", { class: "mg-reasons" }, button, body);
  body.hidden = true;
  close();
  return {
    place,
    close,
    /**
     * @param {Key} tensor
     * @param {View} view
     * @param {Variant} variant
     * @param {number} step
     */
    show(tensor, view, { table, steps }, step) {
      if (tensor !== key) close();
      key = tensor;
      reasons = view.reasons;
      const { frozen, name } = view.tensors[key];
      const reason = reasons.told?.[key];
      place.hidden = frozen || !(reason || reasons.failed);
      const row = table.find((one) => one.key === tensor);
      if (reason && row) write(now, comparedWithStep(name, reason.total, row, step, steps));
    },
  };
}
