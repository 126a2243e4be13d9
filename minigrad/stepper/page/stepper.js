// The stepper. Everything that is shown was computed in Python and sent once; what is shown
// depends on the step's index alone, and stepping asks no kernel.

import { makeFold } from "../../fold/fold.js";
import { makePredict } from "../../predict/predict.js";
import { followAddress, makeLink } from "./address.js";
import { makeBars } from "./bars.js";
import { makeChoices, makeControls, makeDirection, makeFinder, stepByKeys } from "./controls.js";
import { makeViewport } from "./diagram.js";
import { makeDownloads } from "./downloads.js";
import { element, focusedBeside, keepKeys, panel } from "./elements.js";
import { makeFetcher } from "./fetcher.js";
import { makeInspector } from "./inspector.js";
import { makeCode, makeExplanation } from "./panels.js";
import { makePresent } from "./present.js";
import { makeStepSync } from "./step_sync.js";
import { nodeAt, shownTogether } from "./steps.js";
import { renderedBy } from "./theme.js";
import { valueAt } from "./timeline.js";
import { makeView, makeViews } from "./views.js";

/** @import { Address, Sight } from "./address.js" */
/** @import { Control } from "./bars.js" */
/** @import { Answer as FileAnswer } from "./downloads.js" */
/** @import { Answer as ViewAnswer } from "./fetcher.js" */
/** @import { Group, Key, Model, StepperData, VariantName } from "./payload.d.ts" */
/** @import { Present } from "./present.js" */
/** @import { BuiltView } from "./views.js" */

/** @typedef {(wish: object) => void} Send asks the kernel for something */
/** @typedef {ReturnType<typeof makeStepper>} Stepper */
/**
 * What may be done with the picture, if it can be.
 *
 * @typedef {object} Camera
 * @property {(direction: string) => void} [direct]
 * @property {() => Sight} [sight]
 * @property {(to: Sight) => void} [goTo]
 */

/**
 * @param {HTMLElement} root
 * @param {StepperData} payload
 * @param {(step: number, variant: VariantName) => void} onMove
 * @param {Send | undefined} save asks for a file; where no kernel can make one, there is none
 * @param {Send} send
 * @param {Present} present
 * @param {boolean} isWhole whether it is all that its page shows
 * @param {number | null} [scaleBefore]
 */
function makeStepper(root, payload, onMove, save, send, present, isWhole, scaleBefore) {
  let name = ""; // of the variant
  /** @type {BuiltView | null} */
  let view = null;
  let used = ""; // which view and variant are in the page
  let current = 0;
  const { index, windows } = payload;
  const variant = () => payload.variants[name];
  const length = () => variant().length;
  const together = (/** @type {number} */ step) => shownTogether(variant().stops, length(), step);
  // by Next, it may have to wait for an answer; then it returns true
  const go = (/** @type {number} */ step, isNext = false) => {
    if (isNext && predict.asks(step)) return true;
    onMove(together(Math.max(0, Math.min(length() - 1, step)))[0], name);
    return false;
  };
  const controls = makeControls(go, () => view !== null);
  const jump = (/** @type {number} */ step, isNext = false) => {
    controls.stop();
    go(step, isNext);
  };
  const choices = makeChoices(payload, (chosen) => {
    controls.stop();
    const [first] = together(current);
    onMove(variant().moments[payload.variants[chosen].same]?.[first] ?? first, chosen);
  });
  const visits = () => index?.visits[variant().same] ?? [];
  // also of a step whose view is still to come
  const whereNow = () => nodeAt(visits(), current);
  const goToNode = (/** @type {number} */ position, /** @type {boolean} */ isRecording) => {
    const visit = visits()[position];
    jump(isRecording || visit === null ? position : visit);
  };
  const viewport = makeViewport(scaleBefore);
  const camera = /** @type {Camera} */ (viewport);
  const inspector = makeInspector(viewport.focus, viewport.light);
  const inspect = (/** @type {Key} */ key) => {
    controls.stop(); // one reads
    inspector.open(key);
    view?.inspectedBy(inspector);
  };
  const fold = makeFold(payload.groups, save && send);
  const views = makeViews(payload, (one) =>
    makeView({ ...one, why: payload.why }, jump, inspect, fold),
  );
  const downloads = save && makeDownloads(save, send, () => current);
  const explanation = makeExplanation();
  const predict = makePredict(payload, explanation.place, go, controls.next);
  const link = isWhole
    ? makeLink(() => ({ step: together(current)[0] + 1, ...camera.sight?.() }))
    : null;
  /** @type {Control[]} */
  const choosing = choices.selects.map((select) => ({ where: "menu", parts: [select] }));
  const bars = makeBars(
    [
      { where: "row", parts: [controls.bar] },
      { where: "room", parts: predict.toggles },
      { where: "room", parts: [viewport.fit] },
      { where: "room", parts: [present.button] },
      ...choosing,
      { where: "menu", parts: [controls.speed] },
      { where: "menu", parts: [viewport.zoom] },
      { where: "menu", parts: camera.direct ? [makeDirection(camera.direct)] : [] },
      { where: "menu", parts: index ? makeFinder(index, whereNow, goToNode) : [] },
      { where: "menu", parts: fold.bar ? [fold.bar] : [] },
      { where: "menu", parts: downloads ? [downloads.button, downloads.menu] : [] },
      { where: "menu", parts: link ? [link.button] : [] },
    ],
    [fold.status, ...(link ? [link.status] : [])],
  );
  const side = element("div", { class: "mg-side" });
  const stepper = element("div", { class: "mg-stepper" }, bars.bar, viewport.place);
  stepper.append(explanation.place, inspector.place, side);
  root.replaceChildren(stepper, ...present.layers);
  keepKeys(root);
  const code = payload.code.length ? makeCode(payload.code) : null;
  const codePanel = code ? [panel("Your code", code.list)] : [];
  const withPages = () => isWhole || present.isOn();
  stepByKeys(root, () => [...together(current), length() - 1], jump, withPages);
  const number = () => valueAt(variant().shown, current) ?? 0;
  const use = (/** @type {BuiltView} */ wanted) => {
    const which = `${variant().same} ${number()}`;
    if (used === which) return;
    used = which;
    viewport.put(wanted.diagram);
    const { panels, isBroad } = wanted.use(variant().same);
    side.replaceChildren(...codePanel, ...panels);
    side.style.visibility = "";
    stepper.classList.toggle("mg-broad", isBroad);
    explanation.makeRoomFor(wanted.allWords);
  };
  const tellWhatComes = () => {
    used = "";
    viewport.tell(windows[number()]);
    explanation.show(null);
    side.style.visibility = "hidden"; // what it tells is not of this step
  };
  const show = (/** @type {number} */ step, /** @type {VariantName} */ wanted) => {
    current = step;
    name = wanted;
    choices.show(name);
    view = views.get(number());
    const steps = together(step);
    const [at, last] = steps;
    const words = view?.words(variant().same, at) ?? null;
    controls.show(steps, words ? words.title : "", length());
    if (!view) {
      tellWhatComes();
      return;
    }
    use(view);
    const mark = view.show(at);
    code?.show(mark);
    explanation.show(words);
    predict.show(last, name);
    view.inspectedBy(inspector);
  };
  return {
    destroy() {
      controls.stop();
      fold.stop();
      downloads?.stop();
      bars.stop();
    },
    menu: bars.menu,
    receiveFile: downloads?.receive,
    show,
    showAgain: () => show(current, name),
    number,
    /** @param {string} text that is shown where the picture is missing */
    tell(text) {
      if (!view) viewport.tell(text);
    },
    prepare: views.get,
    /** @param {Address} address */
    goTo({ step, ...sight }) {
      if (step !== undefined) jump(step - 1);
      if (Object.keys(sight).length) camera.goTo?.(sight);
    },
    focus: viewport.focus,
    scale: viewport.scale,
    kept: () => ({ predict: predict.isOn() }), // also when groups are folded or opened
    /** @param {Key} key */
    groupOf(key) {
      const seen = Object.values(payload.views).flatMap(({ groups }) => groups);
      return [...payload.groups.named, ...seen].find((one) => one.key === key);
    },
    /**
     * A group that was opened or folded is looked at, wherever the step happens.
     *
     * @param {Group} group
     */
    reveal({ key, first }) {
      if (view && !viewport.reveal(key) && index) goToNode(first, whereNow().isRecording);
    },
  };
}

/**
 * @param {HTMLElement} root
 * @param {Model} model
 */
function bindStepper(root, model) {
  /** @type {Send} */
  const send = (wish) => {
    try {
      model.send?.(wish);
    } catch {
      // without an answer, the page says so
    }
  };
  const sync = makeStepSync(root, model, (step, variant) => {
    stepper.show(step, variant);
    fetcher.ask(step, variant);
  });
  // an exported page has no kernel to make files
  /** @type {Send | undefined} */
  const save =
    model.send &&
    ((wish) => {
      sync.tellKernel(); // which variant is meant
      send(wish);
    });
  const present = makePresent(root);
  const isWhole = Boolean(model.get("whole"));
  const build = (/** @type {Stepper | null} */ earlier) => {
    const payload = {
      ...model.get("payload"),
      questions: model.get("questions"),
      why: model.get("why"),
      ...earlier?.kept(),
    };
    const scale = earlier?.scale();
    const made = makeStepper(root, payload, sync.move, save, send, present, isWhole, scale);
    return { stepper: made, fetcher: makeFetcher(payload, made, send) };
  };
  let { stepper, fetcher } = build(null);
  const stop = () => {
    fetcher.stop();
    stepper.destroy();
  };
  const hear = (/** @type {ViewAnswer | FileAnswer} */ content, /** @type {DataView[]} */ buffers) => {
    if (!("view" in content)) {
      stepper.receiveFile?.(content, buffers);
      return;
    }
    fetcher.receive(content);
    fetcher.ask(...sync.shown());
  };
  // another picture of the same trace: groups were folded or opened
  const rebuild = () => {
    const active = /** @type {HTMLElement?} */ (focusedBeside(root));
    const focused = active && root.contains(active) ? active : null;
    /** @type {HTMLElement | null | undefined} */
    const holder = focused?.closest("[data-key]");
    const key = holder?.dataset.key;
    const group = key ? stepper.groupOf(key) : undefined;
    const wasOpen = stepper.menu.isOpen();
    stop();
    ({ stepper, fetcher } = build(stepper));
    if (wasOpen) stepper.menu.open();
    stepper.show(...sync.shown());
    fetcher.ask(...sync.shown());
    if (!key || !group) return;
    stepper.reveal(group);
    /** @type {HTMLElement | null} */
    const button = focused?.tagName === "BUTTON" ? root.querySelector(`button[data-key="${key}"]`) : null;
    if (button) button.focus({ preventScroll: true });
    else stepper.focus(key);
  };
  model.on("change:payload", rebuild);
  model.on("msg:custom", hear);
  sync.start();
  const stopFollowing = isWhole ? followAddress((to) => stepper.goTo(to)) : () => {};
  return () => {
    stopFollowing();
    present.stop();
    sync.stop();
    model.off("change:payload", rebuild);
    model.off("msg:custom", hear);
    stop();
  };
}

const render = renderedBy(bindStepper);

export default { render };
