// Groups of nodes, folded to one box or open: what there is to press for it.

import { element, makeButton } from "../stepper/page/elements.js";

/** @import { Group, Key, StepperPayload } from "../stepper/page/payload.d.ts" */
/** @import { Redraw } from "../stepper/page/redraw.js" */
/** @typedef {StepperPayload["groups"]} Groups */
/** @typedef {{ fold: boolean, key: Key | null }} Wish to fold or to open one group, or all */
/** @typedef {ReturnType<typeof makeFold>} Fold */

/**
 * Without a kernel to draw another picture, there is nothing to press.
 *
 * @param {Groups} groups
 * @param {Redraw | undefined} redraw
 */
export function makeFold(groups, redraw) {
  const fold = (/** @type {Wish} */ wish) => redraw?.ask(wish);
  const toggle = (/** @type {Group} */ { key, folded }) => fold({ fold: !folded, key });
  const isAny = groups.folded || groups.open;
  return {
    toggle: redraw ? toggle : null,
    bar: redraw && isAny ? makeBar(groups, fold, toggle) : null,
  };
}

/**
 * @param {Groups} groups
 * @param {(wish: Wish) => void} fold
 * @param {(group: Group) => void} toggle
 */
function makeBar({ named, folded, open }, fold, toggle) {
  const bar = element("span", { class: "mg-scopes", role: "group", "aria-label": "Scopes" });
  for (const one of named) {
    const title = one.folded ? "show its nodes" : "show it as one box";
    const button = makeButton(one.name, title, () => toggle(one));
    button.ariaExpanded = String(!one.folded);
    button.dataset.key = one.key;
    bar.append(button);
  }
  const foldAll = (/** @type {boolean} */ wish) => () => fold({ fold: wish, key: null });
  if (folded) bar.append(makeButton("Open all", "show all nodes", foldAll(false)));
  if (open) bar.append(makeButton("Fold all", "show each as one box", foldAll(true)));
  return bar;
}
