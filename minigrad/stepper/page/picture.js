// A picture that can be zoomed and dragged, and how a box or an edge gets a look.

import { element } from "./elements.js";

export const SMALLEST_SCALE = 0.8; // of the diagram's text; a wider diagram scrolls
const LARGEST_SCALE = 4;
const ZOOM_STEP = 1.25;

export function readSvg(text) {
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml");
  const svg = document.importNode(parsed.documentElement, true);
  svg.removeAttribute("height");
  svg.removeAttribute("width");
  setScale(svg, null);
  return svg;
}

export function naturalWidth(svg) {
  return svg.viewBox.baseVal.width * (96 / 72);
}

// A scale of null stands for: as wide as there is room for, and never unreadable.
function setScale(svg, scale) {
  const width = naturalWidth(svg);
  svg.style.width = `${width * (scale ?? 1)}px`;
  svg.style.minWidth = scale === null ? `${width * SMALLEST_SCALE}px` : "0";
  svg.style.maxWidth = scale === null ? "100%" : "none";
}

// Buttons, Ctrl and the wheel, and dragging; the wheel alone scrolls the page.
export function makeZoom(place, picture, scaleBefore = null) {
  let scale = scaleBefore; // null: as large as fits
  const buttons = {};
  const apply = () => {
    if (picture()) setScale(picture(), scale);
    buttons.Smaller.ariaDisabled = String(scale === SMALLEST_SCALE);
    buttons.Larger.ariaDisabled = String(scale === LARGEST_SCALE);
  };
  const zoomBy = (factor, x = place.clientWidth / 2, y = place.clientHeight / 2) => {
    if (!picture()) return;
    const before = picture().getBoundingClientRect().width / naturalWidth(picture());
    scale = Math.min(LARGEST_SCALE, Math.max(SMALLEST_SCALE, before * factor));
    const [left, top] = [place.scrollLeft + x, place.scrollTop + y];
    apply();
    place.scrollLeft = (left * scale) / before - x;
    place.scrollTop = (top * scale) / before - y;
  };
  const bar = element("span", { class: "mg-zoom", role: "group", "aria-label": "Size" });
  const actions = [
    ["−", "Smaller", () => zoomBy(1 / ZOOM_STEP)],
    ["+", "Larger", () => zoomBy(ZOOM_STEP)],
    [
      "Fit",
      "Fit",
      () => {
        scale = null;
        apply();
      },
    ],
  ];
  for (const [text, name, act] of actions) {
    const button = element("button", { type: "button", class: "mg-button", title: name }, text);
    button.setAttribute("aria-label", name);
    button.addEventListener("click", act);
    buttons[name] = button;
    bar.append(button);
  }
  place.addEventListener(
    "wheel",
    (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      const { left, top } = place.getBoundingClientRect();
      const factor = event.deltaY < 0 ? ZOOM_STEP : 1 / ZOOM_STEP;
      zoomBy(factor, event.clientX - left, event.clientY - top);
    },
    { passive: false },
  );
  letDrag(place);
  return { bar, apply, scale: () => scale };
}

function letDrag(place) {
  let start = null;
  place.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || event.pointerType === "touch") return;
    if (event.target.closest("[role='button']") || event.target === place) return;
    event.preventDefault(); // of a selection of text
    place.focus({ preventScroll: true });
    start = { x: event.clientX + place.scrollLeft, y: event.clientY + place.scrollTop };
    place.setPointerCapture(event.pointerId);
  });
  place.addEventListener("pointermove", (event) => {
    if (!start) return;
    place.scrollLeft = start.x - event.clientX;
    place.scrollTop = start.y - event.clientY;
  });
  for (const end of ["pointerup", "pointercancel"]) {
    place.addEventListener(end, () => {
      start = null;
    });
  }
}

export function showLook(part, look) {
  const [, state, changed, rows] = look;
  const kind = ["edge", "frame"].includes(part.kind) ? part.kind : `box ${part.kind}`;
  part.group.setAttribute("class", `${kind} ${state}${changed ? " changed" : ""}`);
  part.texts.forEach((text, row) => {
    text.textContent = rows[row] ?? "";
  });
  part.shown = look;
}
