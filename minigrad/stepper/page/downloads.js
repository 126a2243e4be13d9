// The menu of files. The kernel makes them, as `stepper.export` does; the page offers them.

import { ANSWER_LIMIT, NO_ANSWER, element, makeButton } from "./elements.js";

const ANSWER_LIMIT_OF_ALL = 120000; // and one with all steps
const FILES = [
  // of one step, and of all
  ["svg", false, "SVG"],
  ["png", false, "PNG"],
  ["pdf", false, "PDF"],
  ["pdf", true, "PDF pages"],
  ["gif", true, "GIF"],
  ["pptx", true, "PowerPoint"],
  ["html", true, "Web page"],
];

// What is shown while the kernel draws: how far it is, and a button that ends it.
function makeRunning(stop) {
  const text = element("span");
  const bar = element("progress");
  const button = makeButton("Stop", "end the drawing; nothing is saved", stop);
  const place = element("span", { class: "mg-running" }, element("label", {}, bar, text), button);
  place.hidden = true;
  return {
    place,
    show([what, done, total]) {
      place.hidden = false;
      bar.max = total || 1;
      bar.value = done;
      text.textContent = `${what}: ${done.toLocaleString("en")} of ${total.toLocaleString("en")}`;
    },
    // tells whether the focus was in it
    hide() {
      const hadFocus = place.contains(place.getRootNode().activeElement);
      place.hidden = true;
      return hadFocus;
    },
  };
}

// The kernel makes the files, as `stepper.export` does; the page offers them for download.
export function makeSaving(save, send, step) {
  const asked = new Map(); // of this view: others of the same stepper hear the answers too
  let timer = null;
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
    if (!menu.hidden) menu.querySelector("button").focus({ preventScroll: true });
  });
  button.ariaExpanded = "false";
  const tell = (text) => {
    status.textContent = text;
  };
  const end = (text) => {
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
    button.click();
    button.focus();
  });
  const give = (content, data) => {
    const name = content.all ? "steps" : `step_${content.step + 1}`;
    const link = element("a", { download: `${name}.${content.format}` });
    link.href = URL.createObjectURL(new Blob([data]));
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), ANSWER_LIMIT);
    return `Saved ${link.download}.`;
  };
  return {
    button,
    menu,
    receive(content, buffers) {
      if (!asked.has(content.id)) return;
      if (content.progress) {
        running.show(content.progress);
        wait();
        return;
      }
      asked.delete(content.id);
      wait();
      if (content.stopped) end("Stopped; nothing was saved.");
      else end(content.failed ?? give(content, buffers[0]));
    },
    stop: () => clearTimeout(timer),
  };
}
