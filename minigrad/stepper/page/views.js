// A view: one picture of the graph, and what is told beside it in each variant.

import { makeDiagram } from "./diagram.js";
import { panel } from "./elements.js";
import { makeList, makeTable } from "./panels.js";
import { makePictures } from "./picture.js";
import { entryAt } from "./timeline.js";

/** @import { Group, Key, ShownView, StepperPayload, Variant, VariantName, View } from "./payload.d.ts" */
/** @import { Inspector } from "./inspector.js" */
/** @import { Needed } from "./viewport.js" */

/** @typedef {ReturnType<typeof makeView>} BuiltView */

const MOST_BESIDE = 36; // characters of a gradient table that fits beside the picture
const AT_WORK = new Set(["active", "wasted"]); // states of an edge that the step is about
const MOST_BUILT = 5; // views of a large graph that are kept ready to be shown

/**
 * All that is shown of a view: its picture, and beside it what differs from variant to variant.
 *
 * @param {ShownView} view
 * @param {(step: number) => void} go
 * @param {(key: Key) => void} inspect
 * @param {{ toggle: ((group: Group) => void) | null } | null} fold
 */
export function makeView(view, go, inspect, fold) {
  const nodes = makeList("mg-nodes", "The list of nodes", view.nodes, go);
  /** @type {Record<VariantName, ReturnType<typeof makeVariant>>} */
  const variants = {};
  let shown = ""; // the name of the variant
  let now = 0;
  const follow = (/** @type {Key} */ key) => {
    const { signs, steps } = view.variants[shown];
    const [recorded, visited] = signs[key];
    go(steps[now].kind === "record" ? recorded : visited);
  };
  const pictures = makePictures(view.pictures, (text) =>
    makeDiagram(view, text, inspect, follow, fold?.toggle ?? null),
  );
  const makeVariant = (/** @type {Variant} */ variant) => ({
    table: makeTable(variant.table),
    order: makeList("mg-order", "Backward order", variant.order, go),
  });
  return {
    pictures,
    /**
     * @param {VariantName} name
     * @param {number} step
     */
    words: (name, step) => view.variants[name].steps[step],
    allWords: Object.values(view.variants).flatMap(({ steps }) => Object.values(steps)),
    /** @param {VariantName} name */
    use(name) {
      shown = name;
      variants[name] ??= makeVariant(view.variants[name]);
      const { table, order } = variants[name];
      return {
        isBroad: table.characters > MOST_BESIDE,
        panels: [
          panel("Gradients", table.table),
          panel("Backward order", order.list),
          panel("graph.nodes", nodes.list),
        ],
      };
    },
    /** @param {number} step */
    show(step) {
      now = step;
      const { film, steps } = view.variants[shown];
      const { title, sentence, formulas, key } = steps[step];
      pictures.now().show(film, step, [title, sentence, ...formulas].join(" "));
      variants[shown].table.show(step);
      variants[shown].order.show(step);
      nodes.show(step);
      return view.marks[key];
    },
    /**
     * What has to be seen of the picture at the step that is shown.
     *
     * @returns {Needed}
     */
    needed() {
      const { film, steps } = view.variants[shown];
      const { key, kind } = steps[now];
      const into = Object.entries(view.edges).filter(([, [, target]]) => target === key);
      const atWork = into.filter(([edge]) => AT_WORK.has(entryAt(film[edge].looks, now)?.[1] ?? ""));
      const edges = kind === "seed" ? [] : atWork.map(([edge, [source]]) => /** @type {[Key, Key]} */ ([edge, source]));
      return { centre: key, operands: [...new Set(edges.map(([, source]) => source))], edges };
    },
    /** @param {Inspector} inspector */
    inspectedBy(inspector) {
      inspector.show(now, view, view.variants[shown]);
    },
  };
}

/**
 * The views that are built; those shown last are kept.
 *
 * @param {StepperPayload} payload
 * @param {(view: View) => BuiltView} build
 */
export function makeViews(payload, build) {
  /** @type {Map<number, BuiltView>} */
  const built = new Map();
  return {
    /** @param {number} number */
    get(number) {
      const found = built.get(number) ?? (payload.views[number] && build(payload.views[number]));
      if (!found) return null;
      built.delete(number);
      built.set(number, found);
      const [first] = built.keys();
      if (built.size > MOST_BUILT) built.delete(first);
      return found;
    },
  };
}
