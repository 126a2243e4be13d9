// Predict mode: before Next shows a backward step, the page asks for one of its numbers, or for its
// node. Questions, answers and hints come from Python; here they are asked, judged and counted.

import { element, makeButton } from "../stepper/page/elements.js";

const MOST_TRIES = 3; // then the answer is told
const DOUBLE_PRESS = 400; // ms after an answer in which another press of Enter is not meant
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const COMMA = /^(?![+-]?[1-9]\d{0,2},\d{3}$)([+-]?\d*),/; // that cannot mean thousands

// A number, a fraction, or null.
function readNumber(text) {
  const plain = text.replace(/[−–]/g, "-").split("/");
  const parts = plain.map((part) => part.trim().replace(COMMA, "$1."));
  if (parts.length > 2 || !parts.every((part) => NUMBER.test(part))) return null;
  const [above, below = 1] = parts.map(Number);
  return Number.isFinite(above / below) ? above / below : null;
}

// The form of one question; `onDone` is told how it went, with a sign and a word.
function makeForm(asked, { texts, words }, onDone) {
  const { question, answer, mistakes, otherwise, choices, told } = asked;
  const typed = element("input", { type: "text", inputmode: "decimal", autocomplete: "off" });
  typed.setAttribute("aria-label", "Your answer");
  const fields = choices.map(([value, label]) => {
    const field = element("input", { type: "radio", name: "node", value });
    return element("label", {}, field, element("code", {}, texts[label]));
  });
  if (!fields.length) fields.push(typed);
  const place = element("fieldset", {}, element("legend", {}, texts[question]), ...fields);
  const chosen = () => place.querySelector(":checked");
  const giveUp = () => onDone(false, "○ Shown.");
  const check = makeButton("Check", "Enter", () => judge());
  const skip = makeButton("Show me", "go on without an answer", giveUp);
  const status = element("p", { role: "status" });
  const form = element("form", { class: "mg-quiz" }, place, check, skip, status);
  const tell = (mark, text) => status.replaceChildren(element("strong", {}, mark), ` ${text}`);
  const focus = () => {
    const wanted = place.disabled ? skip : (chosen() ?? place.querySelector("input"));
    wanted.focus({ preventScroll: true });
    wanted.select?.();
  };
  const ask = () => {
    tell("", choices.length ? words.choose : typed.value.trim() ? words.number : words.type);
    focus();
  };
  const isNear = (given, [value, tolerance]) => Math.abs(given - value) <= tolerance;
  let left = MOST_TRIES;
  const judge = () => {
    const given = choices.length ? chosen() && Number(chosen().value) : readNumber(typed.value);
    if (given === null) {
      ask();
      return;
    }
    if (isNear(given, answer)) {
      onDone(left === MOST_TRIES, "✓ Right.");
      return;
    }
    left -= 1;
    const [, , hint] = mistakes.find((mistake) => isNear(given, mistake)) ?? [0, 0, otherwise];
    const next = left ? `${left} more ${left > 1 ? "tries" : "try"}.` : `Answer: ${texts[told]}`;
    tell("✗ Not yet.", `${texts[hint]} ${next}`);
    if (!left) {
      place.disabled = true;
      skip.textContent = "Show the step";
    }
    focus();
  };
  form.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.target.tagName !== "INPUT") return;
    event.preventDefault(); // or the page is sent
    if (!event.repeat) judge();
  });
  return {
    form,
    focus,
    insist: () => (place.disabled ? giveUp() : ask()),
    announce: () => tell("", words.stopped),
  };
}

// Takes the place of the explanation while a question is open, and counts below it at the end.
export function makePredict({ questions, predict, variants }, place, go, next) {
  const { texts, lists, words } = questions;
  let isOn = false;
  let name = ""; // of the variant
  let current = 0;
  let open = null; // the question: its step and its form
  let results = new Map(); // by step: whether it was right at once, the first and the last time
  let queue = []; // missed ones that are still to be asked again
  let end = null; // the last of them
  let told = null; // the step that a question or its answer led to
  let answered = 0;
  // by step; where a folded group shows several steps at once, none is asked
  const list = () => {
    const { asked, same } = variants[name] ?? { asked: [], same: "" };
    return Object.fromEntries(asked.map((step) => [step, lists[same][step]]));
  };
  const toggle = makeButton("Predict", words.introduction, () => turn(!isOn));
  toggle.classList.add("mg-predict");
  const lead = element("div", { class: "mg-lead", role: "status" });
  const said = element("div", { role: "status" });
  const buttons = element("div");
  const score = element("div", { class: "mg-score", tabindex: "-1" }, said, buttons);
  place.prepend(lead);
  place.append(score);
  const close = () => {
    open?.form.remove();
    open = null;
    place.classList.remove("mg-asking");
  };
  const reset = () => {
    close();
    lead.replaceChildren();
    results = new Map();
    queue = [];
    end = null;
  };
  const done = (isRight, mark) => {
    const { step } = open;
    results.set(step, { first: isRight, ...results.get(step), last: isRight });
    lead.replaceChildren(element("strong", {}, mark), ` ${texts[list()[step].told]}`);
    told = step;
    answered = Date.now();
    close();
    go(step);
    (buttons.firstChild ? score : next).focus({ preventScroll: true });
  };
  const ask = (step) => {
    open = { step, ...makeForm(list()[step], questions, done) };
    lead.replaceChildren();
    place.append(open.form);
    place.classList.add("mg-asking");
    const own = place.getRootNode().host ?? place.closest(".minigrad");
    const active = document.activeElement;
    if (active === document.body || own.contains(active)) {
      place.scrollIntoView({ block: "nearest" });
      open.focus();
    } else open.announce(); // whoever works elsewhere is left there
    sum();
  };
  const askFrom = (step) => {
    told = step - 1;
    go(told);
    ask(step);
  };
  const startOver = () => {
    reset();
    askFrom(Math.min(...Object.keys(list())));
  };
  const askAgain = (missed) => {
    end = missed.at(-1);
    queue = missed;
    askFrom(queue.shift());
  };
  const sum = () => {
    const steps = Object.keys(list()).map(Number);
    const asked = steps.filter((step) => results.has(step));
    const missed = asked.filter((step) => !results.get(step).last);
    const isOver = !queue.length && current === (end ?? variants[name]?.length - 1);
    const say = (strong, rest) => {
      if (said.textContent === strong + rest) return; // it is read aloud once
      said.replaceChildren(element("strong", {}, strong), rest);
    };
    buttons.replaceChildren();
    if (!isOn || open || (asked.length && !isOver)) {
      said.replaceChildren();
      return;
    }
    if (asked.length) {
      const right = asked.filter((step) => results.get(step).first).length;
      const names = missed.map((step) => texts[list()[step].about]).join("; ");
      const rest = right < asked.length ? " By now, all of them." : "";
      say(`${right} of ${asked.length} at the first try.`, names ? ` Missed: ${names}.` : rest);
    } else say("", steps.length ? words.introduction : words.nothing);
    const offer = (text, act) => buttons.append(makeButton(text, text, act));
    if (missed.length) offer("Ask the missed ones again", () => askAgain(missed));
    if (steps.length) offer(asked.length ? "Ask all again" : "First question", startOver);
  };
  const turn = (wanted) => {
    isOn = wanted;
    toggle.setAttribute("aria-pressed", String(isOn));
    reset();
    sum();
  };
  turn(predict);
  return {
    toggles: Object.values(variants).some(({ asked }) => asked.length) ? [toggle] : [],
    isOn: () => isOn,
    // Tells whether Next has to wait: for a question that is open, or was a moment ago.
    asks(step) {
      if (!isOn) return false;
      if (Date.now() - answered < DOUBLE_PRESS) return true;
      if (open) open.insist();
      else if (queue.length && current === told) askFrom(queue.shift());
      else if (step in list() && !results.has(step)) ask(step);
      else return false;
      return true;
    },
    // Is told the last of the steps that are shown: a folded group shows several at once.
    show(step, variant) {
      if (variant !== name) reset();
      else if (open && open.step !== step + 1) close();
      name = variant;
      current = step;
      if (step !== told) {
        told = null; // from here on, one goes one's own way
        queue = [];
        end = null;
        lead.replaceChildren();
      }
      sum();
    },
  };
}
