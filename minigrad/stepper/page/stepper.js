// The stepper. Everything that is shown was computed in Python and sent once; what is shown
// depends on the step's index alone, and stepping asks no kernel.

import { element, keepKeys, panel } from "./elements.js";
import { makeCanvas } from "./diagram.js";
import { makeCode, makeExplanation } from "./panels.js";
import { makeInspector } from "./inspector.js";
import { makeChoices, makeControls, makeFinder, stepByKeys } from "./controls.js";
import { makeView, makeViews } from "./views.js";
import { makePredict } from "../../predict/predict.js";
import { makeDownloads } from "./downloads.js";
import { makeFold } from "../../fold/fold.js";
import { makeFetcher } from "./fetcher.js";
import { makeStepSync } from "./step_sync.js";
import { renderedBy } from "./theme.js";
import { entryAt } from "./timeline.js";

// The step of another variant that is about the same, or else where its backward pass starts.
function sameMoment({ kind, key }, steps) {
  const all = Object.entries(steps);
  const same = all.find(([, step]) => step.kind === kind && step.key === key);
  return Number((same ?? all.find(([, step]) => step.kind === "seed"))[0]);
}

function makeStepper(root, payload, onMove, save, send, scaleBefore) {
  let name = null;
  let view = null;
  let used = ""; // which view and variant are in the page
  let current = 0;
  const { windows } = payload;
  const length = () => payload.variants[name].length;
  // The steps that are shown together with one, the first and the last: all in a folded group.
  const together = (step) => {
    const { stops } = payload.variants[name];
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
    // variants to choose from are those of small graphs, which have a single view
    const { variants } = payload.views[0];
    const [first] = together(current);
    onMove(sameMoment(variants[name].steps[first], variants[chosen].steps), chosen);
  });
  // also of a step whose view is still to come
  const whereNow = () => {
    const visits = payload.index.visits[name];
    if (current < visits.length) return { isRecording: true, position: current };
    let position = visits.length; // at the seed, before the last of them
    visits.forEach((step, one) => {
      if (step !== null && step <= current && step > (visits[position] ?? 0)) position = one;
    });
    return { isRecording: false, position };
  };
  const goToNode = (position, isRecording) => {
    const visit = payload.index.visits[name][position];
    jump(isRecording || visit === null ? position : visit);
  };
  const canvas = makeCanvas(scaleBefore);
  const inspector = makeInspector(canvas.focus, canvas.light);
  const inspect = (key) => {
    controls.stop(); // one reads
    inspector.open(key);
    view.inspectedBy(inspector);
  };
  const fold = makeFold(payload.groups, save && send);
  const views = makeViews(payload, (one) => makeView(one, jump, inspect, fold));
  const downloads = save && makeDownloads(save, send, () => current);
  const explanation = makeExplanation();
  const predict = makePredict(payload, explanation.place, go, controls.next);
  const options = element("div", { class: "mg-options", role: "group", "aria-label": "Options" });
  options.append(...predict.toggles, ...choices.selects, canvas.zoom);
  if (payload.index) options.append(...makeFinder(payload.index, whereNow, goToNode));
  if (fold.bar) options.append(fold.bar);
  if (downloads) options.append(downloads.button, downloads.menu);
  const bars = element("div", { class: "mg-bars" }, controls.bar, options);
  const side = element("div", { class: "mg-side" });
  const stepper = element("div", { class: "mg-stepper" }, bars, canvas.place);
  stepper.append(explanation.place, inspector.place, side);
  root.replaceChildren(stepper);
  keepKeys(root);
  const code = payload.code.length ? makeCode(payload.code) : null;
  const codePanel = code ? [panel("Your code", code.list)] : [];
  stepByKeys(root, () => [...together(current), length() - 1], jump);
  const number = () => entryAt(payload.variants[name].shown, current)[1];
  const use = () => {
    const wanted = `${name} ${number()}`;
    if (used === wanted) return;
    used = wanted;
    canvas.put(view.diagram);
    const { panels, isBroad } = view.use(name);
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
    controls.show(steps, view ? view.words(name, at).title : "", length());
    if (!view) {
      used = "";
      const [first, last] = windows[number()];
      canvas.tell(`Nodes #${first} to #${last}: the kernel is drawing this part of the graph.`);
      explanation.show(null);
      side.style.visibility = "hidden"; // what it tells is not of this step
      return;
    }
    use();
    const mark = view.show(at);
    code?.show(mark);
    explanation.show(view.words(name, at));
    predict.show(steps[1], name);
    view.inspectedBy(inspector);
  };
  return {
    destroy() {
      controls.stop();
      fold.stop();
      downloads?.stop();
    },
    receiveFile: downloads?.receive,
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
  const moves = makeStepSync(root, model, (step, variant) => {
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
    const payload = { ...model.get("payload"), ...stepper?.kept() };
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
