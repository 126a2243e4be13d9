// The stepper. Everything that is shown was computed in Python and sent once; what is shown
// depends on the step's index alone, and stepping asks no kernel.

import { element, entryAt, keepKeys, panel } from "./elements.js";
import { makeCanvas } from "./diagram.js";
import { makeCode, makeExplanation } from "./panels.js";
import { makeInspector } from "./inspector.js";
import { makeChoices, makeControls, makeFinder, stepByKeys } from "./controls.js";
import { makeView, makeViews } from "./views.js";
import { makePredict } from "../../predict/predict.js";
import { makeSaving } from "./downloads.js";
import { makeFolding } from "../../fold/fold.js";
import { makeFetcher } from "./fetcher.js";
import { makeMoves } from "./step_sync.js";
import { renderedBy } from "./theme.js";

function makeStepper(root, payload, onMove, save, send, scaleBefore) {
  let name = null;
  let view = null;
  let used = ""; // which view and variant are in the page
  let current = 0;
  const { windows } = payload;
  const variant = () => payload.variants[name];
  const length = () => variant().length;
  // The steps that are shown together with one, the first and the last: all in a folded group.
  const together = (step) => {
    const { stops } = variant();
    if (!stops) return [step, step];
    const place = stops.findLastIndex((stop) => stop <= step);
    return [stops[place], (stops[place + 1] ?? length()) - 1];
  };
  // by Next, it may have to wait for an answer; then it returns true
  const go = (step, isNext) => {
    if (isNext && predict.asks(step)) return true;
    onMove(together(Math.max(0, Math.min(length() - 1, step)))[0], name);
    return false;
  };
  const controls = makeControls(go, () => view !== null);
  const jump = (step, isNext = false) => {
    controls.stop();
    go(step, isNext);
  };
  const choices = makeChoices(payload, (chosen) => {
    controls.stop();
    const [first] = together(current);
    onMove(variant().moments[payload.variants[chosen].same]?.[first] ?? first, chosen);
  });
  // also of a step whose view is still to come
  const whereNow = () => {
    const visits = payload.index.visits[variant().same];
    if (current < visits.length) return { isRecording: true, position: current };
    let position = visits.length; // at the seed, before the last of them
    visits.forEach((step, one) => {
      if (step !== null && step <= current && step > (visits[position] ?? 0)) position = one;
    });
    return { isRecording: false, position };
  };
  const goToNode = (position, isRecording) => {
    const visit = payload.index.visits[variant().same][position];
    jump(isRecording || visit === null ? position : visit);
  };
  const canvas = makeCanvas(scaleBefore);
  const inspector = makeInspector(canvas.focus, canvas.light);
  const inspect = (key) => {
    controls.stop(); // one reads
    inspector.open(key);
    view.inspectedBy(inspector);
  };
  const folding = makeFolding(payload.groups, save && send);
  const views = makeViews(payload, (one) =>
    makeView({ ...one, why: payload.why }, jump, inspect, folding),
  );
  const saving = save && makeSaving(save, send, () => current);
  const explanation = makeExplanation();
  const predict = makePredict(payload, explanation.place, go, controls.next);
  const options = element("div", { class: "mg-options", role: "group", "aria-label": "Options" });
  options.append(...predict.toggles, ...choices.selects, canvas.zoom);
  if (payload.index) options.append(...makeFinder(payload.index, whereNow, goToNode));
  if (folding.bar) options.append(folding.bar);
  if (saving) options.append(saving.button, saving.menu);
  const bars = element("div", { class: "mg-bars" }, controls.bar, options);
  const side = element("div", { class: "mg-side" });
  const stepper = element("div", { class: "mg-stepper" }, bars, canvas.place);
  stepper.append(explanation.place, inspector.place, side);
  root.replaceChildren(stepper);
  keepKeys(root);
  const code = payload.code.length ? makeCode(payload.code) : null;
  const codePanel = code ? [panel("Your code", code.list)] : [];
  stepByKeys(root, () => [...together(current), length() - 1], jump);
  const number = () => entryAt(variant().shown, current)[1];
  const use = () => {
    const wanted = `${variant().same} ${number()}`;
    if (used === wanted) return;
    used = wanted;
    canvas.put(view.diagram);
    const { panels, isBroad } = view.use(variant().same);
    side.replaceChildren(...codePanel, ...panels);
    side.style.visibility = "";
    stepper.classList.toggle("mg-broad", isBroad);
    explanation.makeRoomFor(view.allWords);
  };
  const show = (step, wanted) => {
    current = step;
    name = wanted;
    choices.show(name);
    view = views.get(number());
    const steps = together(step);
    const [at] = steps;
    const words = view?.words(variant().same, at) ?? null;
    controls.show(steps, words ? words.title : "", length());
    if (!view) {
      used = "";
      canvas.tell(windows[number()]);
      explanation.show(null);
      side.style.visibility = "hidden"; // what it tells is not of this step
      return;
    }
    use();
    const mark = view.show(at);
    code?.show(mark);
    explanation.show(words);
    predict.show(steps[1], name);
    view.inspectedBy(inspector);
  };
  return {
    destroy() {
      controls.stop();
      folding.stop();
      saving?.stop();
    },
    receiveFile: saving?.receive,
    show,
    showAgain: () => show(current, name),
    number,
    tell: (text) => view || canvas.tell(text),
    prepare: views.get,
    focus: canvas.focus,
    scale: canvas.scale,
    kept: () => ({ predict: predict.isOn() }), // also when groups are folded or opened
    groupOf: (key) => {
      const seen = Object.values(payload.views).flatMap(({ groups }) => groups);
      return [...payload.groups.named, ...seen].find((one) => one.key === key);
    },
    // A group that was opened or folded is looked at, wherever the step happens.
    reveal({ key, first }) {
      if (view && !canvas.reveal(key) && payload.index) goToNode(first, whereNow().isRecording);
    },
  };
}

function bindStepper(root, model) {
  const send = (wish) => {
    try {
      model.send(wish);
    } catch {
      // without an answer, the page says so
    }
  };
  const moves = makeMoves(root, model, (step, variant) => {
    stepper.show(step, variant);
    fetcher.ask(step, variant);
  });
  // an exported page has no kernel to make files
  const save =
    model.send &&
    ((wish) => {
      moves.tellKernel(); // which variant is meant
      send(wish);
    });
  let stepper = null;
  let fetcher = null;
  const build = () => {
    fetcher?.stop();
    stepper?.destroy();
    const payload = {
      ...model.get("payload"),
      questions: model.get("questions"),
      why: model.get("why"),
      ...stepper?.kept(),
    };
    stepper = makeStepper(root, payload, moves.move, save, send, stepper?.scale());
    fetcher = makeFetcher(payload, stepper, send);
  };
  const hear = (content, buffers) => {
    if (!("view" in content)) {
      stepper.receiveFile(content, buffers);
      return;
    }
    fetcher.receive(content);
    fetcher.ask(...moves.shown());
  };
  // another picture of the same trace: groups were folded or opened
  const rebuild = () => {
    const active = root.getRootNode().activeElement;
    const key = root.contains(active) && active.closest("[data-key]")?.dataset.key;
    const isButton = active?.tagName === "BUTTON";
    const group = key && stepper.groupOf(key);
    build();
    stepper.show(...moves.shown());
    fetcher.ask(...moves.shown());
    if (!group) return;
    stepper.reveal(group);
    const button = isButton && root.querySelector(`button[data-key="${key}"]`);
    if (button) button.focus({ preventScroll: true });
    else stepper.focus(key);
  };
  build();
  model.on("change:payload", rebuild);
  model.on("msg:custom", hear);
  moves.start();
  return () => {
    moves.stop();
    model.off("change:payload", rebuild);
    model.off("msg:custom", hear);
    fetcher.stop();
    stepper.destroy();
  };
}

const render = renderedBy(bindStepper);

export default { render };
