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

// The kernel makes the files, as `stepper.export` does; the page offers them for download.
export function makeSaving(save, step) {
  const asked = new Set(); // of this view: others of the same stepper hear the answers too
  let timer = null;
  const menu = element("span", { class: "mg-saving", role: "group", "aria-label": "Save as" });
  const status = element("span", { role: "status" });
  menu.hidden = true;
  const button = makeButton("Save…", "save this step, or all of them", () => {
    menu.hidden = !menu.hidden;
    button.ariaExpanded = String(!menu.hidden);
    if (!menu.hidden) menu.querySelector("button").focus({ preventScroll: true });
  });
  button.ariaExpanded = "false";
  const tell = (text) => {
    clearTimeout(timer);
    status.textContent = text;
  };
  for (const [format, all, name] of FILES) {
    const ask = () => {
      const id = `${Date.now()} ${Math.random()}`;
      const wish = { format, all, step: step(), theme: "light", id };
      asked.add(wish.id);
      tell(all ? "Drawing all steps…" : "Drawing…");
      timer = setTimeout(() => {
        tell(NO_ANSWER);
      }, all ? ANSWER_LIMIT_OF_ALL : ANSWER_LIMIT);
      save(wish);
    };
    const what = all ? "all steps" : "this step";
    menu.append(makeButton(name, `save ${what} as ${format}`, ask));
  }
  menu.append(status);
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    button.click();
    button.focus();
  });
  return {
    button,
    menu,
    receive(content, buffers) {
      if (!asked.delete(content.id)) return;
      if (content.failed) {
        tell(content.failed);
        return;
      }
      const name = content.all ? "steps" : `step_${content.step + 1}`;
      const link = element("a", { download: `${name}.${content.format}` });
      link.href = URL.createObjectURL(new Blob([buffers[0]]));
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), ANSWER_LIMIT);
      tell(`Saved ${link.download}.`);
    },
  };
}
