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
import { SMALLEST_SCALE, makeZoom, naturalWidth, readSvg, showLook } from "../stepper/page/picture.js";
import { renderedBy } from "../stepper/page/theme.js";

const MOST_NEXT = 24; // places of a dragged slider that are asked for before they are reached
const MOST_FRAMES = 1000;

// A slider and a field for one leaf. The slider counts steps from the start, so that it can come
// back there exactly.
function makeHandle({ key, name, start, step, steps }, output, onMove) {
  const slider = element("input", { type: "range", min: -steps, max: steps, "aria-label": name });
  const field = element("input", { type: "number", step, "aria-label": `${name} as a number` });
  const told = element("span", { class: "mg-delta" });
  const valueAt = (place) => Number((start + place * step).toPrecision(12));
  let before = 0;
  slider.addEventListener("input", () => {
    const place = slider.valueAsNumber;
    const way = place < before ? -1 : 1;
    before = place;
    field.value = valueAt(place);
    const next = Array.from({ length: MOST_NEXT }, (_, far) => place + way * (far + 1));
    onMove(key, valueAt(place), next.filter((one) => Math.abs(one) <= steps).map(valueAt));
  });
  field.addEventListener("input", () => {
    const value = field.valueAsNumber;
    if (!Number.isFinite(value)) return; // not all typed yet
    slider.value = Math.round((value - start) / step);
    onMove(key, value);
  });
  const row = element("div", { class: "mg-handle" }, element("code", {}, name), slider, field, told);
  return {
    row,
    // While the user is ahead of the kernel, the sliders are where the user has put them.
    show(now, isAhead) {
      const value = now.values[key];
      const gradient = now.gradients[key];
      const slope = gradient === undefined ? "" : `, ∂${output}/∂${name} = ${gradient}`;
      told.textContent = `Δ ${now.nudges[key]}${slope}`;
      slider.setAttribute("aria-valuetext", `${value}; ${output} is ${now.exact}`);
      if (isAhead) return;
      slider.value = Math.round((value - start) / step);
      if (field.getRootNode().activeElement !== field) field.value = value;
    },
  };
}

// The promise and what happened, as lines of numbers, and a sentence that says what to see.
function makeVerdict() {
  const list = element("dl", { class: "mg-verdict" });
  const parts = [
    ["promised", "The gradient promised"],
    ["exact", "What happened"],
    ["difference", "Off by"],
    ["shrinking", "Nudged less"],
  ].map(([key, title]) => {
    const value = element("dd");
    const term = element("dt", { "data-line": key }, title);
    list.append(element("div", {}, term, value));
    return { key, value };
  });
  const sentence = element("p", { "aria-live": "polite" }, " ");
  return {
    place: element("div", { class: "mg-explanation" }, element("div", {}, list, sentence)),
    show(now) {
      for (const { key, value } of parts) {
        value.textContent = now[key] || NOTHING_YET;
      }
      write(sentence, now.sentence);
    },
  };
}

// While one drags, it is one row of a box that changes, and the rest of the page stays untouched.
function showNumbers(part, look) {
  const { shown, texts } = part;
  if (shown?.[1] !== look[1] || shown[2] !== look[2]) {
    showLook(part, look);
    return;
  }
  look[3].forEach((row, place) => {
    if (row !== shown[3][place]) texts[place].textContent = row;
  });
  part.shown = look;
}

function makeNudge(root, payload, ask) {
  const { output, handles, kinds } = payload;
  const picture = element("div", { class: "mg-diagram", tabindex: "0", role: "group" });
  picture.setAttribute("aria-label", "The graph with its values");
  const svg = readSvg(payload.svg);
  svg.setAttribute("aria-label", payload.description);
  picture.append(svg);
  // beside it there is the plot, if both can be read
  picture.style.flexBasis = `${naturalWidth(svg) * SMALLEST_SCALE + 16}px`;
  const parts = [...svg.querySelectorAll("[data-key]")].map((group) => {
    const { key } = group.dataset;
    return { group, key, kind: kinds[key], texts: group.querySelectorAll("text"), shown: null };
  });
  const move = (key, value, next) => ask({ [key]: value }, next);
  const made = handles.map((one) => makeHandle(one, output, move));
  const sliders = element("div", { class: "mg-sliders" });
  for (const [title, isFrozen] of [
    ["Leaves", false],
    ["Frozen, without a gradient", true],
  ]) {
    const rows = made.filter((_, place) => handles[place].frozen === isFrozen);
    if (!rows.length) continue;
    const group = element("fieldset", {}, element("legend", {}, title));
    group.append(...rows.map(({ row }) => row));
    sliders.append(group);
  }
  const back = makeButton("Back to the start", "set all sliders back", () => {
    ask(Object.fromEntries(handles.map(({ key, start }) => [key, start]).reverse()));
  });
  const plot = element("div", { class: "mg-plot" });
  const status = element("p", { class: "mg-message", role: "status" });
  const verdict = makeVerdict();
  const zoom = makeZoom(picture, () => svg);
  const bars = element("div", { class: "mg-bars" }, sliders);
  bars.append(element("div", { class: "mg-options" }, back, zoom.bar));
  const views = element("div", { class: "mg-views" }, picture, plot);
  root.replaceChildren(element("div", { class: "mg-nudge" }, bars, views, verdict.place, status));
  zoom.apply();
  keepKeys(root);
  return {
    show(now, isAhead) {
      const active = new Set(now.edges);
      for (const part of parts) {
        const state = active.has(part.key) ? "active" : "waiting";
        showNumbers(part, now.boxes[part.key] ?? [0, state, false, []]);
      }
      for (const handle of made) handle.show(now, isAhead);
      const figure = readSvg(now.plot);
      figure.removeAttribute("style"); // its size is that of its place
      plot.replaceChildren(figure);
      verdict.show(now);
    },
    tell(text) {
      status.textContent = text;
    },
  };
}

// The newest values are sent when the last ones are answered: nothing queues, the last value wins.
// What the page knows already, it shows at once.
function bindNudge(root, model) {
  const frames = new Map();
  let current = null; // the frame that the user wants
  let wanted = null;
  let asked = null;
  let serial = Math.random(); // of this view: others hear its answers too
  let timer = null;
  const nameOf = ({ moved, values }) => JSON.stringify([moved, Object.entries(values).sort()]);
  const keep = (frame) => {
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
      model.send({ id: asked, ...wanted });
    } catch {
      // without an answer, the page says so
    }
    wanted = null;
  };
  const ask = (values, places = []) => {
    const moved = Object.keys(values).at(-1) ?? current.moved;
    current = { moved, values: { ...current.values, ...values } };
    const known = frames.get(nameOf(current));
    if (known) nudge.show(known, true);
    const isNew = (place) =>
      !frames.has(nameOf({ moved, values: { ...current.values, [moved]: place } }));
    wanted = { values: { ...wanted?.values, ...values }, moved, ahead: places.filter(isNew) };
    send();
  };
  const nudge = makeNudge(root, model.get("payload"), ask);
  const hear = (content) => {
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
  current = model.get("payload").now;
  nudge.show(current, false);
  ask({}); // another view, or Python, may have moved
  return () => {
    model.off("msg:custom", hear);
    clearTimeout(timer);
  };
}

const render = renderedBy(bindNudge);

export default { render };
