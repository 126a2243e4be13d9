// The menu of files. The kernel makes them, as `stepper.export` does; the page offers them.

import { ANSWER_LIMIT, NO_ANSWER, element, focusedBeside, makeButton } from "./elements.js";

/**
 * What the kernel tells of a file: how far it is, that it was stopped or failed, or what it holds.
 *
 * @typedef {object} Answer
 * @property {string} id
 * @property {[what: string, done: number, total: number]} [progress]
 * @property {boolean} [stopped]
 * @property {string} [failed]
 * @property {string} format
 * @property {boolean} all
 * @property {number} step
 */
/** @typedef {ReturnType<typeof makeDownloads>} Downloads */

const ANSWER_LIMIT_OF_ALL = 120000; // and one with all steps
/** @type {[format: string, all: boolean, name: string][]} */
const FILES = [
  ["svg", false, "SVG"],
  ["png", false, "PNG"],
  ["pdf", false, "PDF"],
  ["pdf", true, "PDF pages"],
  ["gif", true, "GIF"],
  ["pptx", true, "PowerPoint"],
  ["html", true, "Web page"],
];

/**
 * What a file is called: by its step, from 1 as the page counts, if it is of one.
 *
 * @param {{ format: string, all: boolean, step: number }} file
 */
export function fileName({ format, all, step }) {
  return `${all ? "steps" : `step_${step + 1}`}.${format}`;
}

/**
 * How far a drawing is, in words.
 *
 * @param {[what: string, done: number, total: number]} progress
 */
export function progressText([what, done, total]) {
  return `${what}: ${done.toLocaleString("en")} of ${total.toLocaleString("en")}`;
}

/**
 * What is shown while the kernel draws: how far it is, and a button that ends it.
 *
 * @param {() => void} stop
 */
function makeRunning(stop) {
  const text = element("span");
  const bar = element("progress");
  const button = makeButton("Stop", "end the drawing; nothing is saved", stop);
  const place = element("span", { class: "mg-running" }, element("label", {}, bar, text), button);
  place.hidden = true;
  return {
    place,
    /** @param {[what: string, done: number, total: number]} progress */
    show(progress) {
      const [, done, total] = progress;
      place.hidden = false;
      bar.max = total || 1;
      bar.value = done;
      text.textContent = progressText(progress);
    },
    /** Tells whether the focus was in it. */
    hide() {
      const hadFocus = place.contains(focusedBeside(place));
      place.hidden = true;
      return hadFocus;
    },
  };
}

/**
 * Hands a file to whoever looks, as browsers do.
 *
 * @param {string} name
 * @param {DataView} data
 */
function give(name, data) {
  const link = element("a", { download: name });
  link.href = URL.createObjectURL(new Blob([/** @type {DataView<ArrayBuffer>} */ (data)]));
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), ANSWER_LIMIT);
}

/**
 * @param {(wish: object) => void} save asks for a file
 * @param {(wish: object) => void} send asks for something else
 * @param {() => number} step that is shown
 */
export function makeDownloads(save, send, step) {
  /** @type {Map<string, boolean>} of this view, whether it is one of all steps: others hear answers too */
  const asked = new Map();
  /** @type {number | undefined} */
  let timer;
  const menu = element("span", { class: "mg-saving", role: "group", "aria-label": "Save as" });
  const status = element("span", { role: "status" });
  const running = makeRunning(() => {
    send({ stop: [...asked.keys()] });
    tell("Stopping…");
  });
  menu.hidden = true;
  const button = makeButton("Save…", "save this step, or all of them", () => {
    menu.hidden = !menu.hidden;
    button.ariaExpanded = String(!menu.hidden);
    if (!menu.hidden) menu.querySelector("button")?.focus({ preventScroll: true });
  });
  button.ariaExpanded = "false";
  const tell = (/** @type {string} */ text) => {
    status.textContent = text;
  };
  const end = (/** @type {string} */ text) => {
    if (running.hide()) button.focus({ preventScroll: true });
    tell(text);
  };
  const wait = () => {
    clearTimeout(timer);
    if (!asked.size) return;
    const limit = [...asked.values()].includes(true) ? ANSWER_LIMIT_OF_ALL : ANSWER_LIMIT;
    timer = setTimeout(() => end(NO_ANSWER), limit);
  };
  for (const [format, all, name] of FILES) {
    const ask = () => {
      const id = `${Date.now()} ${Math.random()}`;
      asked.set(id, all);
      tell(all ? "Saving all steps…" : "Saving…");
      wait();
      save({ format, all, step: step(), theme: "light", id });
    };
    const what = all ? "all steps" : "this step";
    menu.append(makeButton(name, `save ${what} as ${format}`, ask));
  }
  menu.append(status, running.place);
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    event.preventDefault(); // what it stands in stays open
    button.click();
    button.focus();
  });
  return {
    button,
    menu,
    /**
     * @param {Answer} content
     * @param {DataView[]} buffers
     */
    receive(content, buffers) {
      if (!asked.has(content.id)) return;
      if (content.progress) {
        running.show(content.progress);
        wait();
        return;
      }
      asked.delete(content.id);
      wait();
      if (content.stopped) {
        end("Stopped; nothing was saved.");
      } else if (typeof content.failed === "string") {
        end(content.failed);
      } else {
        give(fileName(content), buffers[0]);
        end(`Saved ${fileName(content)}.`);
      }
    },
    stop: () => clearTimeout(timer),
  };
}
