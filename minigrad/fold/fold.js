// Groups of nodes, folded to one box or open: what there is to press for it.

import { ANSWER_LIMIT, NO_ANSWER, element, makeButton } from "../stepper/page/elements.js";

/** @import { Group, Key, StepperPayload } from "../stepper/page/payload.d.ts" */
/** @typedef {StepperPayload["groups"]} Groups */
/** @typedef {{ fold: boolean, key: Key | null }} Wish to fold or to open one group, or all */
/** @typedef {ReturnType<typeof makeFold>} Fold */

/**
 * Without a way to send, there is no kernel to draw another picture, and nothing to press. With
 * the answer all of this is built anew.
 *
 * @param {Groups} groups
 * @param {((wish: Wish) => void) | undefined} send
 */
export function makeFold(groups, send) {
  const status = element("span", { role: "status" });
  /** @type {number | undefined} */
  let timer;
  const fold = (/** @type {Wish} */ wish) => {
    status.textContent = "Drawing…";
    clearTimeout(timer);
    timer = setTimeout(() => {
      status.textContent = NO_ANSWER;
    }, ANSWER_LIMIT);
    send?.(wish);
  };
  const toggle = (/** @type {Group} */ { key, folded }) => fold({ fold: !folded, key });
  const isAny = groups.folded || groups.open;
  return {
    toggle: send ? toggle : null,
    bar: send && isAny ? makeBar(groups, fold, toggle) : null,
    status,
    stop: () => clearTimeout(timer),
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
