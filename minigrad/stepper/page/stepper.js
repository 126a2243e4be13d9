// The stepper. Everything that is shown was computed in Python and sent once; what is shown
// depends on the step's index alone, and stepping asks no kernel.

import { makeFold } from "../../fold/fold.js";
import { makePredict } from "../../predict/predict.js";
import { makeBars } from "./bars.js";
import { makeChoices, makeControls, makeDirection, makeFinder, stepByKeys } from "./controls.js";
import { DIAGRAM } from "./diagram.js";
import { makeDownloads } from "./downloads.js";
import { ENDLESS, element, focusedBeside, keepKeys, panel } from "./elements.js";
import { makeFetcher } from "./fetcher.js";
import { makeInspector } from "./inspector.js";
import { heightLeft, keepOnScreen } from "./one_screen.js";
import { makeCode, makeExplanation } from "./panels.js";
import { makePresent } from "./present.js";
import { makeConstants, makeRedraw } from "./redraw.js";
import { makeStepSync } from "./step_sync.js";
import { nodeAt, shownTogether } from "./steps.js";
import { renderedBy } from "./theme.js";
import { valueAt } from "./timeline.js";
import { makeView, makeViews } from "./views.js";
import { makeViewport } from "./viewport.js";

/** @import { Address, AddressBar } from "./address.js" */
/** @import { Control } from "./bars.js" */
/** @import { Answer as FileAnswer } from "./downloads.js" */
/** @import { Answer as ViewAnswer } from "./fetcher.js" */
/** @import { Group, Key, Model, StepperData, VariantName } from "./payload.d.ts" */
/** @import { Present } from "./present.js" */
/** @import { BuiltView } from "./views.js" */
/** @import { Look } from "./viewport.js" */

/** @typedef {(wish: object) => void} Send asks the kernel for something */
/** @typedef {ReturnType<typeof makeStepper>} Stepper */

/**
 * @param {HTMLElement} root
 * @param {StepperData} payload
 * @param {(step: number, variant: VariantName) => void} onMove
 * @param {Send | undefined} save asks for a file; where no kernel can make one, there is none
 * @param {Send} send
 * @param {Present} present
 * @param {AddressBar | undefined} addressBar of a page that shows nothing else
 * @param {Look} look
 */
function makeStepper(root, payload, onMove, save, send, present, addressBar, look) {
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
  const viewport = makeViewport({
    label: DIAGRAM,
    look,
    onTurn: () => view && name && show(current, name),
  });
  const inspector = makeInspector((key) => {
    stepper.classList.remove("mg-inspecting");
    share();
    viewport.focus(key);
  }, viewport.light);
  const inspect = (/** @type {Key} */ key) => {
    controls.stop(); // one reads
    inspector.open(key);
    stepper.classList.add("mg-inspecting");
    view?.inspectedBy(inspector);
    share();
  };
  const redraw = save && makeRedraw(send);
  const fold = makeFold(payload.groups, redraw);
  const views = makeViews(payload, (one) =>
    makeView({ ...one, why: payload.why }, jump, inspect, fold),
  );
  const downloads = save && makeDownloads(save, send, () => current);
  const explanation = makeExplanation();
  const predict = makePredict(payload, explanation.place, go, controls.next);
  const turn = (/** @type {Look["direction"]} */ way) => {
    viewport.direct(way);
    if (way !== "auto" && view && !(way in view.pictures.sizes)) redraw?.ask({ direction: way });
  };
  const ways = redraw ? ["right", "down"] : Object.keys(payload.views[0].pictures);
  const direction = ways.length > 1 ? [makeDirection(viewport.look().direction, turn)] : [];
  const link = addressBar?.makeLink(() => ({ step: together(current)[0] + 1, ...viewport.sight() }));
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
      { where: "menu", parts: direction },
      { where: "menu", parts: index ? makeFinder(index, whereNow, goToNode) : [] },
      { where: "menu", parts: fold.bar ? [fold.bar] : [] },
      { where: "menu", parts: redraw ? makeConstants(payload.constants, redraw) : [] },
      { where: "menu", parts: downloads ? [downloads.button, downloads.menu] : [] },
      { where: "menu", parts: link ? [link.button] : [] },
    ],
    [...(redraw ? [redraw.status] : []), ...(link ? [link.status] : [])],
  );
  const panels = element("div", { class: "mg-panels" });
  const side = element("div", { class: "mg-side" }, panels, inspector.place);
  const stepper = element("div", { class: "mg-stepper" }, bars.bar, viewport.place);
  stepper.append(explanation.place, side);
  root.replaceChildren(stepper, ...present.layers);
  keepKeys(root);
  const code = payload.code.length ? makeCode(payload.code) : null;
  const codePanel = code ? [panel("Your code", code.list)] : [];
  const withPages = () => addressBar !== undefined || present.isOn();
  stepByKeys(root, () => [...together(current), length() - 1], jump, withPages);
  const number = () => valueAt(variant().shown, current) ?? 0;
  const use = (/** @type {BuiltView} */ wanted) => {
    const which = `${variant().same} ${number()}`;
    if (used === which) return;
    used = which;
    const told = wanted.use(variant().same);
    panels.replaceChildren(...codePanel, ...told.panels);
    stepper.classList.toggle("mg-broad", told.isBroad);
    side.style.visibility = "";
    explanation.makeRoomFor(wanted.allWords);
    share();
    viewport.put(wanted.pictures);
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
    viewport.follow(view.needed());
  };
  let height = ENDLESS; // px that all of it may have
  let isNarrow = false;
  /** What the others leave of the height is the picture's. */
  const share = () => {
    const others = [bars.bar, explanation.place, ...(isNarrow ? [side] : [])];
    viewport.setRoom(heightLeft(height, others));
  };
  const forget = keepOnScreen(root, (room) => {
    ({ height, isNarrow } = room);
    share();
  });
  return {
    destroy() {
      forget();
      viewport.stop();
      controls.stop();
      redraw?.stop();
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
      if (Object.keys(sight).length) viewport.goTo(sight);
    },
    focus: viewport.focus,
    look: viewport.look,
    kept: () => ({ predict: predict.isOn() }), // also in another picture
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
      if (view && !viewport.reveal([key]) && index) goToNode(first, whereNow().isRecording);
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
  const build = (/** @type {Stepper | null} */ earlier) => {
    const payload = {
      ...model.get("payload"),
      questions: model.get("questions"),
      why: model.get("why"),
      ...earlier?.kept(),
    };
    const look = earlier?.look() ?? { direction: payload.direction, zoom: null };
    const made = makeStepper(root, payload, sync.move, save, send, present, model.addressBar, look);
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
  // another picture of the same trace, as the kernel was asked for
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
    if (!key) return;
    if (group) stepper.reveal(group);
    /** @type {HTMLElement | null} */
    const button = focused?.tagName === "BUTTON" ? root.querySelector(`button[data-key="${key}"]`) : null;
    if (button) button.focus({ preventScroll: true });
    else if (group) stepper.focus(key);
  };
  model.on("change:payload", rebuild);
  model.on("msg:custom", hear);
  sync.start();
  const stopFollowing = model.addressBar?.follow((to) => stepper.goTo(to));
  return () => {
    stopFollowing?.();
    present.stop();
    sync.stop();
    model.off("change:payload", rebuild);
    model.off("msg:custom", hear);
    stop();
  };
}

const render = renderedBy(bindStepper);

export default { render };
