// Nudges: sliders for the leaves, and what they come to.

import {
  ANSWER_LIMIT,
  NOTHING_YET,
  NO_ANSWER,
  element,
  keepKeys,
  makeButton,
  write,
} from "../stepper/page/elements.js";
import { heightLeft, keepOnScreen } from "../stepper/page/one_screen.js";
import { makePictures, makePlainDrawing, readSvg } from "../stepper/page/picture.js";
import { renderedBy } from "../stepper/page/theme.js";
import { makeViewport } from "../stepper/page/viewport.js";
import { makeHandle } from "./handle.js";

/** @import { Handle, Key, Look, Model, Nudged, NudgePayload } from "../stepper/page/payload.d.ts" */

/** @typedef {Pick<Nudged, "moved" | "values">} Wish where the user has put the sliders, and which last */
/** @typedef {Partial<Pick<Nudged, "moved">> & { values: Record<Key, number>, ahead: number[] }} Request */
/**
 * What the kernel answers: what there is now, and what there would be at places ahead.
 *
 * @typedef {{ id: number, now?: Nudged, ahead?: Nudged[], failed?: string }} Answer
 */

const MOST_FRAMES = 1000;

// The promise and what happened, as lines of numbers, and a sentence that says what to see.
function makeVerdict() {
  const list = element("dl", { class: "mg-verdict" });
  /** @type {["promised" | "exact" | "difference" | "shrinking", string][]} */
  const titles = [
    ["promised", "The gradient promised"],
    ["exact", "What happened"],
    ["difference", "Off by"],
    ["shrinking", "Nudged less"],
  ];
  const parts = titles.map(([key, title]) => {
    const value = element("dd");
    const term = element("dt", { "data-line": key }, title);
    list.append(element("div", {}, term, value));
    return { key, value };
  });
  const sentence = element("p", { "aria-live": "polite" }, " ");
  return {
    place: element("div", { class: "mg-explanation" }, element("div", {}, list, sentence)),
    /** @param {Nudged} now */
    show(now) {
      for (const { key, value } of parts) {
        value.textContent = now[key] || NOTHING_YET;
      }
      write(sentence, now.sentence);
    },
  };
}

/**
 * The sliders of the leaves, those that get a gradient apart from those that don't.
 *
 * @param {Handle[]} handles
 * @param {{ row: HTMLElement }[]} made
 */
function makeSliders(handles, made) {
  const sliders = element("div", { class: "mg-sliders" });
  const add = (/** @type {string} */ title, /** @type {boolean} */ isFrozen) => {
    const rows = made.filter((_, place) => handles[place].frozen === isFrozen);
    if (!rows.length) return;
    const group = element("fieldset", {}, element("legend", {}, title));
    group.append(...rows.map(({ row }) => row));
    sliders.append(group);
  };
  add("Leaves", false);
  add("Frozen, without a gradient", true);
  return sliders;
}

/**
 * @param {HTMLElement} root
 * @param {NudgePayload} payload
 * @param {(values: Record<Key, number>, places?: number[]) => void} ask
 */
function makeNudge(root, payload, ask) {
  const { output, handles, kinds, brief, description } = payload;
  const pictures = makePictures(payload.pictures, (text) =>
    makePlainDrawing(text, kinds, brief, description),
  );
  /** @type {Record<Key, Look>} */
  let looks = {};
  const viewport = makeViewport({
    label: "The graph with its values",
    onTurn: () => pictures.now().show(looks),
  });
  const made = handles.map((one) =>
    makeHandle(one, output, (key, value, next) => ask({ [key]: value }, next)),
  );
  const sliders = makeSliders(handles, made);
  const back = makeButton("Back to the start", "set all sliders back", () => {
    ask(Object.fromEntries(handles.map(({ key, start }) => [key, start]).reverse()));
  });
  const plot = element("div", { class: "mg-plot" });
  const status = element("p", { class: "mg-message", role: "status" });
  const verdict = makeVerdict();
  viewport.zoom.append(viewport.fit);
  const bars = element("div", { class: "mg-bars" }, sliders);
  bars.append(element("div", { class: "mg-options" }, back, viewport.zoom));
  const views = element("div", { class: "mg-views" }, viewport.place, plot);
  root.replaceChildren(element("div", { class: "mg-nudge" }, bars, views, verdict.place, status));
  keepKeys(root);
  const forget = keepOnScreen(root, ({ height }) => {
    const isBelow = plot.offsetTop > viewport.place.offsetTop + viewport.place.offsetHeight / 2;
    const others = [bars, verdict.place, status, ...(isBelow ? [plot] : [])];
    viewport.setRoom(heightLeft(height, others));
  });
  return {
    /**
     * @param {Nudged} now
     * @param {boolean} isAhead
     */
    show(now, isAhead) {
      const active = new Set(now.edges);
      const edges = Object.keys(kinds).filter((key) => kinds[key] === "edge");
      looks = { ...now.boxes };
      for (const key of edges) looks[key] = [0, active.has(key) ? "active" : "waiting", false, []];
      viewport.put(pictures);
      pictures.now().show(looks);
      for (const handle of made) handle.show(now, isAhead);
      const figure = readSvg(now.plot);
      figure.removeAttribute("style"); // its size is that of its place
      plot.replaceChildren(figure);
      verdict.show(now);
    },
    /** @param {string} text */
    tell(text) {
      status.textContent = text;
    },
    stop() {
      forget();
      viewport.stop();
    },
  };
}

/**
 * What one frame is known by: it depends on the values and on the leaf that was moved last.
 *
 * @param {Wish} wish
 */
function nameOf({ moved, values }) {
  return JSON.stringify([moved, Object.entries(values).sort()]);
}

/**
 * The newest values are sent when the last ones are answered: nothing queues, the last value wins.
 * What the page knows already, it shows at once.
 *
 * @param {HTMLElement} root
 * @param {Model} model
 */
function bindNudge(root, model) {
  /** @type {NudgePayload} */
  const payload = model.get("payload");
  /** @type {Map<string, Nudged>} */
  const frames = new Map();
  /** @type {Wish} */
  let current = payload.now;
  /** @type {Request | null} */
  let wanted = null;
  /** @type {number | null} */
  let asked = null;
  let serial = Math.random(); // of this view: others hear its answers too
  /** @type {number | undefined} */
  let timer;
  const keep = (/** @type {Nudged} */ frame) => {
    if (frames.size >= MOST_FRAMES) frames.clear();
    frames.set(nameOf(frame), frame);
  };
  const send = () => {
    if (asked !== null || wanted === null) return;
    serial += 1;
    asked = serial;
    timer = setTimeout(() => {
      asked = null;
      nudge.tell(NO_ANSWER);
    }, ANSWER_LIMIT);
    try {
      model.send?.({ id: asked, ...wanted });
    } catch {
      // without an answer, the page says so
    }
    wanted = null;
  };
  const ask = (/** @type {Record<Key, number>} */ values, /** @type {number[]} */ places = []) => {
    const moved = Object.keys(values).at(-1) ?? current.moved;
    current = { moved, values: { ...current.values, ...values } };
    const known = frames.get(nameOf(current));
    if (known) nudge.show(known, true);
    const isNew = (/** @type {number} */ place) =>
      !frames.has(nameOf({ moved, values: { ...current.values, [moved]: place } }));
    wanted = { values: { ...wanted?.values, ...values }, moved, ahead: places.filter(isNew) };
    send();
  };
  const nudge = makeNudge(root, payload, ask);
  const hear = (/** @type {Answer} */ content) => {
    if (content.id === asked) {
      clearTimeout(timer);
      asked = null;
      nudge.tell(content.failed ?? "");
    }
    content.ahead?.forEach(keep);
    const { now } = content;
    if (now) {
      keep(now);
      const isAhead = asked !== null || wanted !== null;
      if (!isAhead) current = now;
      const known = frames.get(nameOf(current));
      nudge.show(known ?? now, isAhead);
    }
    send();
  };
  model.on("msg:custom", hear);
  nudge.show(payload.now, false);
  ask({}); // another view, or Python, may have moved
  return () => {
    model.off("msg:custom", hear);
    clearTimeout(timer);
    nudge.stop();
  };
}

const render = renderedBy(bindNudge);

export default { render };
