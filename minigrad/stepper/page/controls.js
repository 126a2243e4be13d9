// What one steps with: buttons, the slider, the player, the menus, and the search for a node.

import { element, makeButton, makeSelect } from "./elements.js";

const SPEEDS = { slow: 4000, normal: 2200, fast: 1000 }; // ms from step to step

// Goes from step to step by itself, with one timer, until the end or until someone moves.
function makePlayer(advance) {
  let timer = null;
  const button = makeButton("Play", "step by itself", () => (timer === null ? play() : stop()));
  const speed = makeSelect("Speed", Object.keys(SPEEDS).map((name) => [name, name]), () => {
    if (timer !== null) wait();
  });
  speed.value = "normal";
  const stop = () => {
    clearTimeout(timer);
    timer = null;
    button.textContent = "Play";
  };
  const wait = () => {
    clearTimeout(timer);
    timer = setTimeout(play, SPEEDS[speed.value]);
  };
  const play = () => {
    button.textContent = "Pause";
    if (advance()) wait();
    else stop();
  };
  return { button, speed, stop };
}

export function makeControls(go, isShown) {
  const bar = element("div", { class: "mg-controls", role: "group", "aria-label": "Stepping" });
  const buttons = {};
  let [first, last] = [0, 0]; // steps that are shown at once
  let count = 1;
  let expected = null; // the step that the player goes to; any other is someone else's
  const player = makePlayer(() => {
    if (!isShown()) return true; // its picture is still to come
    expected = last < count - 1 ? last + 1 : 0;
    return !go(expected, true) && last < count - 1; // unless it stops for a question
  });
  const move = (target, isNext = false) => {
    player.stop();
    go(target, isNext);
  };
  const moves = [
    ["Start", "first step", () => 0],
    ["Back", "previous step", () => first - 1],
    ["Next", "next step", () => last + 1],
    ["End", "last step", () => count - 1],
  ];
  for (const [name, title, target] of moves) {
    buttons[name] = makeButton(name, title, () => move(target(), name === "Next"));
    bar.append(buttons[name]);
  }
  buttons.Next.classList.add("mg-primary");
  const slider = element("input", { type: "range", min: 0, step: 1, "aria-label": "Step" });
  slider.addEventListener("input", () => move(Number(slider.value)));
  const label = element("span", { class: "mg-step" });
  bar.append(player.button, player.speed, slider, label);
  return {
    bar,
    next: buttons.Next,
    stop: player.stop,
    show(steps, title, all) {
      [first, last] = steps;
      count = all;
      if (first !== expected) player.stop();
      const numbers = first === last ? ` ${first + 1}` : `s ${first + 1}–${last + 1}`;
      label.textContent = `Step${numbers} of ${count}`;
      slider.max = count - 1;
      slider.value = first;
      slider.setAttribute("aria-valuetext", `${label.textContent}: ${title}`);
      // aria-disabled and not disabled: a pressed button must keep the focus at the end
      for (const name of ["Start", "Back"]) buttons[name].ariaDisabled = String(first === 0);
      for (const name of ["Next", "End"]) buttons[name].ariaDisabled = String(last === count - 1);
    },
  };
}

// Keys that step, wherever the focus is, but for what takes such keys itself. `place` returns the
// first and the last of the steps that are shown together, and the last of all.
export function stepByKeys(root, place, jump) {
  root.onkeydown = (event) => {
    const [first, last, end] = place();
    const plain = !(event.ctrlKey || event.metaKey || event.altKey || event.shiftKey);
    const target = event.target;
    const keys = { ArrowRight: last + 1, ArrowLeft: first - 1, Home: 0, End: end };
    if (!plain || !(event.key in keys)) return;
    if (["INPUT", "SELECT"].includes(target.tagName)) return;
    event.preventDefault();
    jump(keys[event.key], event.key === "ArrowRight");
  };
}

// Which order, and how fine; a menu with a single entry is not shown.
export function makeChoices({ orders, grains, variants }, onChoose) {
  const places = [
    ["Order of the backward pass", orders, "order: "],
    ["How much is one step", grains, ""],
  ];
  const selects = places.map(([label, choices, before]) =>
    makeSelect(
      label,
      choices.map(([value, text]) => [value, before + text]),
      () => onChoose(chosen()),
    ),
  );
  const chosen = () => {
    const [wanted, fineness] = selects.map((select) => select.value);
    const isIt = ([, { order, grain }]) => order === wanted && grain === fineness;
    return Object.entries(variants).find(isIt)[0];
  };
  return {
    selects: selects.filter((select) => select.options.length > 1),
    show(key) {
      const { order, grain } = variants[key];
      [selects[0].value, selects[1].value] = [order, grain];
    },
  };
}

// Finds a node of a large graph by its number, or the next one with an op or a name.
export function makeFinder({ ops, op_of: opOf, names }, now, goTo) {
  const field = element("input", { type: "search", class: "mg-find", placeholder: "12, mul, loss" });
  const status = element("span", { role: "status" });
  const find = (text, from, direction) => {
    const count = opOf.length;
    if (/^\d+$/.test(text)) return Number(text) < count ? Number(text) : null;
    for (let far = 1; far <= count; far += 1) {
      const position = (from + direction * far + count) % count;
      if (ops[opOf[position]] === text || names[position] === text) return position;
    }
    return null;
  };
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    const text = field.value.trim().replace(/^#/, "");
    const { position, isRecording } = now();
    const found = text ? find(text, position, isRecording ? 1 : -1) : null;
    status.textContent = text && found === null ? `There is no node ${text}.` : "";
    if (found !== null) goTo(found, isRecording);
  });
  const label = element("label", { class: "mg-finder" }, "Go to node", field);
  return [label, status];
}
