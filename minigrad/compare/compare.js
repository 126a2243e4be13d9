// Two traces side by side, or above each other where there is less room, stepped together.

import { ENDLESS, element, keepKeys, panel, shape } from "../stepper/page/elements.js";
import { heightLeft, keepOnScreen } from "../stepper/page/one_screen.js";
import { DIAGRAM } from "../stepper/page/diagram.js";
import { makeViewport } from "../stepper/page/viewport.js";
import { makeExplanation } from "../stepper/page/panels.js";
import { makeInspector } from "../stepper/page/inspector.js";
import { makeBars } from "../stepper/page/bars.js";
import { makePresent } from "../stepper/page/present.js";
import { makeControls, stepByKeys } from "../stepper/page/controls.js";
import { makeView } from "../stepper/page/views.js";
import { makeStepSync } from "../stepper/page/step_sync.js";
import { makeCommonTable } from "./table.js";
import { BESIDE, STACKED, verdictOn } from "./words.js";
import { renderedBy } from "../stepper/page/theme.js";
import { valueAt } from "../stepper/page/timeline.js";

/** @import { ComparePayload, Key, Model, ShownView, VariantName } from "../stepper/page/payload.d.ts" */

const ORDER = 1; // which of a view's panels that is

/**
 * A dashed outline around a box and a sign at its corner; seen where it differs. No part of it is
 * a path, a rectangle or a text: those are the box's own, and have its state's colours.
 *
 * @param {SVGElement} group
 */
function addSign(group) {
  const box = group.querySelector("rect");
  if (!box) return; // the title of a scope has no box
  const [x, y, width, height] = ["x", "y", "width", "height"].map((name) =>
    Number(box.getAttribute(name)),
  );
  const [left, top, right, bottom] = [x - 5, y - 5, x + width + 5, y + height + 5];
  const points = `${left},${top} ${right},${top} ${right},${bottom} ${left},${bottom}`;
  const lines = ["-5,-2.5 5,-2.5", "-5,2.5 5,2.5", "3.5,-6 -3.5,6"];
  const strokes = lines.map((line) => shape(group, "polyline", { points: line }));
  const place = { class: "mg-sign", transform: `translate(${right - 5} ${top + 5})` };
  group.append(
    shape(group, "polygon", { class: "mg-outline", points }),
    shape(group, "g", place, shape(group, "circle", { r: 10 }), ...strokes),
  );
}

/**
 * @param {ShownView} payload
 * @param {(step: number) => void} jump
 * @param {() => void} stop the player
 */
function makeSide(payload, jump, stop) {
  const viewport = makeViewport({
    label: DIAGRAM,
    onTurn: () => {
      for (const { group } of view.pictures.now().boxes) addSign(group);
      again();
    },
  });
  const inspector = makeInspector(viewport.focus, viewport.light);
  const inspect = (/** @type {Key} */ key) => {
    stop(); // one reads
    inspector.open(key);
    view.inspectedBy(inspector);
  };
  const [variant] = Object.keys(payload.variants);
  const view = makeView(payload, jump, inspect, null); // nothing is folded here
  let again = () => {};
  const explanation = makeExplanation();
  explanation.makeRoomFor(view.allWords);
  const title = element("h3");
  const words = element("div", { class: "mg-words" }, explanation.place);
  words.append(view.use(variant).panels[ORDER]);
  const pane = element("div", { class: "mg-pane" }, viewport.place, words);
  const head = element("div", { class: "mg-head" }, title, viewport.zoom);
  viewport.zoom.append(viewport.fit);
  const place = element("section", { class: "mg-one" }, head, pane, inspector.place);
  viewport.put(view.pictures);
  return {
    place,
    /** @param {number} room px that it may be high */
    share(room) {
      viewport.setRoom(heightLeft(room, [head, words]));
    },
    stop: viewport.stop,
    /** @param {string} text */
    name(text) {
      title.textContent = title.title = text;
      place.setAttribute("aria-label", text);
    },
    /**
     * @param {number} step
     * @param {Set<Key | null>} differing
     */
    show(step, differing) {
      view.show(step);
      explanation.show(view.words(variant, step));
      view.inspectedBy(inspector);
      for (const { key, group, name } of view.pictures.now().boxes) {
        const differs = differing.has(key);
        group.toggleAttribute("data-differs", differs);
        group.setAttribute("aria-label", differs ? `${name}, which differs` : name);
      }
      viewport.follow(view.needed());
      again = () => this.show(step, differing);
    },
  };
}

/**
 * @param {HTMLElement} root
 * @param {ComparePayload} payload
 * @param {(moment: number, variant: VariantName) => void} onMove
 */
function makeComparison(root, payload, onMove) {
  const { views, why, titles, moments, told, rows } = payload;
  let current = 0;
  let words = BESIDE;
  const last = moments.length - 1;
  const go = (/** @type {number} */ moment) => {
    onMove(Math.max(0, Math.min(last, moment)), "");
    return false; // there are no questions to wait for
  };
  const controls = makeControls(go, () => true);
  const jump = (/** @type {number} */ moment) => {
    controls.stop();
    go(moment);
  };
  const sides = views.map((view, side) => {
    const goTo = (/** @type {number} */ step) =>
      jump(moments.findIndex((both) => both[side] === step));
    return makeSide({ ...view, why: why[side] }, goTo, controls.stop);
  });
  const verdict = makeExplanation();
  const table = makeCommonTable(rows);
  const present = makePresent(root);
  const bars = makeBars([
    { where: "row", parts: [controls.bar] },
    { where: "room", parts: [present.button] },
    { where: "menu", parts: [controls.speed] },
  ]);
  const both = element("div", { class: "mg-both" }, ...sides.map(({ place }) => place));
  const below = element("div", { class: "mg-common" }, panel("Both in one table", table.table));
  const comparison = element("div", { class: "mg-compare" }, bars.bar, verdict.place, both, below);
  root.replaceChildren(comparison, ...present.layers);
  keepKeys(root);
  stepByKeys(root, () => [current, current, last], jump, present.isOn);
  const name = () => {
    sides.forEach((side, number) => {
      side.name(`${words.titles[number]} · ${titles[number]}`);
    });
    table.name(words.where);
    verdict.makeRoomFor(told.map((one) => verdictOn(one, words.where)));
  };
  const show = (/** @type {number} */ moment) => {
    current = moment;
    const text = verdictOn(told[moment], words.where);
    controls.show([moment, moment], text.title, moments.length);
    verdict.show(text);
    table.show(moment);
    const differing = rows.filter(({ marks }) => valueAt(marks, moment));
    sides.forEach((side, number) => {
      side.show(moments[moment][number], new Set(differing.map(({ keys }) => keys[number])));
    });
  };
  let room = ENDLESS; // px that all of it may be high
  /** What the others leave of the height is the two pictures'. */
  const share = () => {
    const left = heightLeft(room, [bars.bar, verdict.place, below]);
    for (const side of sides) side.share(left / (words === STACKED ? 2 : 1));
  };
  const forget = keepOnScreen(root, ({ height }) => {
    room = height;
    share();
  });
  // what is told depends on where the two stand, and that on the room there is
  const observer = new ResizeObserver(() => {
    const [first, second] = sides.map(({ place }) => place.offsetTop);
    const found = second > first ? STACKED : BESIDE;
    if (found === words) return;
    words = found;
    name();
    show(current);
    share();
  });
  observer.observe(both);
  name();
  return {
    show,
    destroy() {
      observer.disconnect();
      forget();
      for (const side of sides) side.stop();
      controls.stop();
      bars.stop();
      present.stop();
    },
  };
}

/**
 * @param {HTMLElement} root
 * @param {Model} model
 */
function bindComparison(root, model) {
  const sync = makeStepSync(root, model, (moment) => comparison.show(moment));
  const comparison = makeComparison(root, model.get("payload"), sync.move);
  sync.start();
  return () => {
    sync.stop();
    comparison.destroy();
  };
}

const render = renderedBy(bindComparison);

export default { render };
