// Groups of nodes, folded to one box or open: what there is to press for it.

import { element, makeButton } from "./elements.js";

const MOST_NAMED = 12; // groups with a button of their own; of more, those that are open

// Without `fold` there is no kernel to draw another picture, and nothing to press.
export function makeFolding(groups, fold) {
  const toggle = ({ key, folded }) => fold({ fold: !folded, key });
  return {
    groups: fold ? groups : [],
    toggle,
    bar: fold && groups.length ? makeBar(groups, fold, toggle) : null,
  };
}

function makeBar(groups, fold, toggle) {
  const bar = element("span", { class: "mg-scopes", role: "group", "aria-label": "Scopes" });
  const named = groups.length > MOST_NAMED ? groups.filter(({ folded }) => !folded) : groups;
  for (const one of named.slice(0, MOST_NAMED)) {
    const title = one.folded ? "show its nodes" : "show it as one box";
    const button = makeButton(one.name, title, () => toggle(one));
    button.ariaExpanded = String(!one.folded);
    button.dataset.key = one.key;
    bar.append(button);
  }
  if (groups.some(({ folded }) => folded)) {
    bar.append(makeButton("Open all", "show all nodes", () => fold({ fold: false, key: null })));
  }
  if (groups.length > 1 && groups.some(({ folded }) => !folded)) {
    bar.append(makeButton("Fold all", "show each as one box", () => fold({ fold: true, key: null })));
  }
  return bar;
}
