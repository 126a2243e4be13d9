// A view: one picture of the graph, and what is told beside it in each variant.

import { panel } from "./elements.js";
import { SMALLEST_SCALE, naturalWidth } from "./picture.js";
import { makeDiagram } from "./diagram.js";
import { makeList, makeTable } from "./panels.js";

const MOST_BESIDE = 42; // characters of a gradient table that fits beside the diagram
const WIDEST_BESIDE = 860; // px that a diagram may need to stand beside the tables
const MOST_BUILT = 5; // views of a large graph that are kept ready to be shown

// All that is shown of a view: its picture, and beside it what differs from variant to variant.
export function makeView(view, go, inspect, fold) {
  const nodes = makeList("mg-nodes", "The list of nodes", view.nodes, go);
  const variants = {};
  let shown = null; // the name of the variant
  let now = 0;
  const follow = (key) => {
    const { signs, steps } = view.variants[shown];
    const [recorded, visited] = signs[key];
    go(steps[now].kind === "record" ? recorded : visited);
  };
  const diagram = makeDiagram(view, inspect, follow, fold?.toggle ?? null);
  const makeVariant = (variant) => ({
    table: makeTable(variant.table),
    order: makeList("mg-order", "Backward order", variant.order, go),
  });
  return {
    diagram,
    words: (name, step) => view.variants[name].steps[step],
    allWords: Object.values(view.variants).flatMap(({ steps }) => Object.values(steps)),
    use(name) {
      if (name !== shown) diagram.use(view.variants[name].film);
      shown = name;
      variants[name] ??= makeVariant(view.variants[name]);
      const { table, order } = variants[name];
      return {
        isBroad:
          table.characters > MOST_BESIDE ||
          naturalWidth(diagram.svg) * SMALLEST_SCALE > WIDEST_BESIDE,
        panels: [
          panel("Gradients", table.table),
          panel("Backward order", order.list),
          panel("graph.nodes", nodes.list),
        ],
      };
    },
    show(step) {
      now = step;
      const { title, sentence, formulas, key } = view.variants[shown].steps[step];
      diagram.show(step, [title, sentence, ...formulas].join(" "), key);
      variants[shown].table.show(step);
      variants[shown].order.show(step);
      nodes.show(step);
      return view.marks[key];
    },
    inspectedBy(inspector) {
      inspector.show(now, view, view.variants[shown]);
    },
  };
}

// The views that are built; those shown last are kept.
export function makeViews(payload, build) {
  const built = new Map();
  return {
    get(number) {
      const found = built.get(number) ?? (payload.views[number] && build(payload.views[number]));
      if (!found) return null;
      built.delete(number);
      built.set(number, found);
      if (built.size > MOST_BUILT) built.delete(built.keys().next().value);
      return found;
    },
  };
}
