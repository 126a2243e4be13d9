// Predict mode: before Next shows a backward step, the page asks for one of its numbers, or for its
// node. Questions, answers and hints come from Python; here they are asked, judged and counted.

import { element, makeButton } from "../stepper/page/elements.js";

/** @import { Question, Questions, StepperData, VariantName } from "../stepper/page/payload.d.ts" */

const MOST_TRIES = 3; // then the answer is told
const DOUBLE_PRESS = 400; // ms after an answer in which another press of Enter is not meant
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const COMMA = /^(?![+-]?[1-9]\d{0,2},\d{3}$)([+-]?\d*),/; // that cannot mean thousands

/**
 * A number or a fraction, as learners write them; or null.
 *
 * @param {string} text
 * @returns {number | null}
 */
export function readNumber(text) {
  const plain = text.replace(/[−–]/g, "-").split("/");
  const parts = plain.map((part) => part.trim().replace(COMMA, "$1."));
  if (parts.length > 2 || !parts.every((part) => NUMBER.test(part))) return null;
  const [above, below = 1] = parts.map(Number);
  return Number.isFinite(above / below) ? above / below : null;
}

/**
 * Whether a number is as near to another as it has to be.
 *
 * @param {number} given
 * @param {[value: number, tolerance: number, ...rest: unknown[]]} wanted
 */
export function isNear(given, [value, tolerance]) {
  return Math.abs(given - value) <= tolerance;
}

/**
 * The number of the text that tells what is wrong with an answer.
 *
 * @param {Question} question
 * @param {number} given
 */
export function hintFor({ mistakes, otherwise }, given) {
  return mistakes.find((mistake) => isNear(given, mistake))?.[2] ?? otherwise;
}

/**
 * The form of one question.
 *
 * @param {Question} asked
 * @param {Questions} questions
 * @param {(isRight: boolean, mark: string) => void} onDone is told how it went, with a sign and a word
 */
function makeForm(asked, { texts, words }, onDone) {
  const { question, answer, choices, told } = asked;
  const typed = element("input", { type: "text", inputmode: "decimal", autocomplete: "off" });
  typed.setAttribute("aria-label", "Your answer");
  /** @type {HTMLElement[]} */
  const fields = choices.map(([value, label]) => {
    const field = element("input", { type: "radio", name: "node", value });
    return element("label", {}, field, element("code", {}, texts[label]));
  });
  if (!fields.length) fields.push(typed);
  const place = element("fieldset", {}, element("legend", {}, texts[question]), ...fields);
  const chosen = () => /** @type {HTMLInputElement?} */ (place.querySelector(":checked"));
  const giveUp = () => onDone(false, "○ Shown.");
  const check = makeButton("Check", "Enter", () => judge());
  const skip = makeButton("Show me", "go on without an answer", giveUp);
  const status = element("p", { role: "status" });
  const form = element("form", { class: "mg-quiz" }, place, check, skip, status);
  const tell = (/** @type {string} */ mark, /** @type {string} */ text) =>
    status.replaceChildren(element("strong", {}, mark), ` ${text}`);
  const focus = () => {
    const field = place.disabled ? null : (chosen() ?? place.querySelector("input"));
    (field ?? skip).focus({ preventScroll: true });
    field?.select();
  };
  const ask = () => {
    tell("", choices.length ? words.choose : typed.value.trim() ? words.number : words.type);
    focus();
  };
  const given = () => {
    if (!choices.length) return readNumber(typed.value);
    const field = chosen();
    return field && Number(field.value);
  };
  let left = MOST_TRIES;
  const judge = () => {
    const number = given();
    if (number === null) {
      ask();
      return;
    }
    if (isNear(number, answer)) {
      onDone(left === MOST_TRIES, "✓ Right.");
      return;
    }
    left -= 1;
    const next = left ? `${left} more ${left > 1 ? "tries" : "try"}.` : `Answer: ${texts[told]}`;
    tell("✗ Not yet.", `${texts[hintFor(asked, number)]} ${next}`);
    if (!left) {
      place.disabled = true;
      skip.textContent = "Show the step";
    }
    focus();
  };
  form.addEventListener("keydown", (event) => {
    const { tagName } = /** @type {Element} */ (event.target);
    if (event.key !== "Enter" || tagName !== "INPUT") return;
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

/**
 * Of one question: whether it was right at once, the first time it was asked and the last.
 *
 * @typedef {{ first: boolean, last: boolean }} Result
 */

/**
 * What comes of the questions that were asked: how many were right at the first try, and which are
 * still missed.
 *
 * @param {number[]} steps those that have a question
 * @param {Map<number, Result>} results
 */
export function scoreOf(steps, results) {
  const asked = steps.filter((step) => results.has(step));
  return {
    asked,
    right: asked.filter((step) => results.get(step)?.first).length,
    missed: asked.filter((step) => !results.get(step)?.last),
  };
}

/**
 * Takes the place of the explanation while a question is open, and counts below it at the end.
 *
 * @param {Pick<StepperData, "questions" | "predict" | "variants">} payload
 * @param {HTMLElement} place that of the explanation
 * @param {(step: number) => void} go
 * @param {HTMLElement} next the button
 */
export function makePredict({ questions, predict, variants }, place, go, next) {
  const { texts, lists, words } = questions;
  let isOn = false;
  let name = ""; // of the variant
  let current = 0;
  /** @type {{ step: number } & ReturnType<typeof makeForm> | null} */
  let open = null; // the question: its step and its form
  /** @type {Map<number, Result>} */
  let results = new Map(); // by step
  /** @type {number[]} */
  let queue = []; // missed ones that are still to be asked again
  /** @type {number | null} */
  let end = null; // the last of them
  /** @type {number | null} */
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
  const done = (/** @type {number} */ step, /** @type {boolean} */ isRight, /** @type {string} */ mark) => {
    results.set(step, { first: isRight, ...results.get(step), last: isRight });
    lead.replaceChildren(element("strong", {}, mark), ` ${texts[list()[step].told]}`);
    told = step;
    answered = Date.now();
    close();
    go(step);
    (buttons.firstChild ? score : next).focus({ preventScroll: true });
  };
  const ask = (/** @type {number} */ step) => {
    const form = makeForm(list()[step], questions, (isRight, mark) => done(step, isRight, mark));
    open = { step, ...form };
    lead.replaceChildren();
    place.append(open.form);
    place.classList.add("mg-asking");
    const { host } = /** @type {ShadowRoot} */ (place.getRootNode());
    const own = host ?? place.closest(".minigrad");
    const active = document.activeElement;
    if (active === document.body || own.contains(active)) {
      place.scrollIntoView({ block: "nearest" });
      open.focus();
    } else open.announce(); // whoever works elsewhere is left there
    sum();
  };
  const askFrom = (/** @type {number} */ step) => {
    told = step - 1;
    go(told);
    ask(step);
  };
  const startOver = () => {
    reset();
    askFrom(Math.min(...Object.keys(list()).map(Number)));
  };
  const askAgain = (/** @type {number[]} */ missed) => {
    end = missed[missed.length - 1];
    const [first, ...others] = missed;
    queue = others;
    askFrom(first);
  };
  const sum = () => {
    const steps = Object.keys(list()).map(Number);
    const { asked, right, missed } = scoreOf(steps, results);
    const isOver = !queue.length && current === (end ?? variants[name]?.length - 1);
    const say = (/** @type {string} */ strong, /** @type {string} */ rest) => {
      if (said.textContent === strong + rest) return; // it is read aloud once
      said.replaceChildren(element("strong", {}, strong), rest);
    };
    buttons.replaceChildren();
    if (!isOn || open || (asked.length && !isOver)) {
      said.replaceChildren();
      return;
    }
    if (asked.length) {
      const names = missed.map((step) => texts[list()[step].about]).join("; ");
      const rest = right < asked.length ? " By now, all of them." : "";
      say(`${right} of ${asked.length} at the first try.`, names ? ` Missed: ${names}.` : rest);
    } else say("", steps.length ? words.introduction : words.nothing);
    const offer = (/** @type {string} */ text, /** @type {() => void} */ act) =>
      buttons.append(makeButton(text, text, act));
    if (missed.length) offer("Ask the missed ones again", () => askAgain(missed));
    if (steps.length) offer(asked.length ? "Ask all again" : "First question", startOver);
  };
  const turn = (/** @type {boolean} */ wanted) => {
    isOn = wanted;
    toggle.setAttribute("aria-pressed", String(isOn));
    reset();
    sum();
  };
  turn(predict);
  return {
    toggles: Object.values(variants).some(({ asked }) => asked.length) ? [toggle] : [],
    isOn: () => isOn,
    /**
     * Tells whether Next has to wait: for a question that is open, or was a moment ago.
     *
     * @param {number} step
     */
    asks(step) {
      if (!isOn) return false;
      if (Date.now() - answered < DOUBLE_PRESS) return true;
      if (open) open.insist();
      else if (queue.length && current === told) askFrom(/** @type {number} */ (queue.shift()));
      else if (step in list() && !results.has(step)) ask(step);
      else return false;
      return true;
    },
    /**
     * Is told the last of the steps that are shown: a folded group shows several at once.
     *
     * @param {number} step
     * @param {VariantName} variant
     */
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
