// The diagram of a stepper: its boxes can be pressed, and what is at work is brought into view.

import { MARGIN, element, entryAt } from "./elements.js";
import { makeZoom, readSvg, showLook } from "./picture.js";

// The picture of a view. Its boxes can be pressed: a tensor is inspected, a sign that stands for
// nodes outside of the view leads there.
export function makeDiagram(view, onInspect, onFollow, folding) {
  const svg = readSvg(view.svg);
  svg.setAttribute("role", "group"); // of boxes that can be pressed, and no mere image
  const parts = [...svg.querySelectorAll("[data-key]")].map((group) => {
    const { key } = group.dataset;
    return { group, key, kind: "", looks: [], texts: group.querySelectorAll("text"), shown: null };
  });
  const groups = new Map(parts.map(({ key, group }) => [key, group]));
  const [{ signs, film }] = Object.values(view.variants);
  const boxes = [
    ...Object.entries(view.tensors)
      .filter(([key]) => groups.has(key))
      .map(([key, { name }]) => ({
        ...{ key, group: groups.get(key), name: `Inspect ${name}` },
        press: () => onInspect(key),
      })),
    ...(folding.toggle ? view.groups : [])
      .filter(({ key }) => groups.has(key))
      .map((one) => ({
        key: one.key,
        group: one.folded ? groups.get(one.key) : groups.get(one.key).querySelector("text"),
        name: `${one.folded ? "Open" : "Fold"} ${one.name}`,
        press: () => folding.toggle(one),
      })),
    ...Object.keys(signs).map((key) => ({
      ...{ key, group: groups.get(key), name: `Go ${film[key].looks[0][3][0]}` },
      press: () => onFollow(key),
    })),
  ];
  for (const { group, name, press } of boxes) {
    group.setAttribute("role", "button");
    group.setAttribute("aria-label", name);
    group.setAttribute("tabindex", "-1");
    group.addEventListener("click", press);
  }
  boxes[0]?.group.setAttribute("tabindex", "0"); // the others by arrow keys
  return {
    svg,
    boxes,
    use(film) {
      for (const part of parts) {
        Object.assign(part, film[part.key]);
        writeOut(part.looks);
        part.shown = null;
      }
    },
    show(step, words, key) {
      for (const part of parts) {
        const look = entryAt(part.looks, step);
        if (look !== part.shown) showLook(part, look);
      }
      svg.setAttribute("aria-label", words);
      const atWork = parts.filter((part) => part.kind !== "edge" && isAtWork(part));
      bringIntoView(
        svg.parentNode,
        atWork.map(({ group }) => group),
        atWork.filter(({ shown: [, , changed] }) => changed).map(({ group }) => group),
        groups.get(key),
      );
    },
    // An attribute and no class: a look sets all classes anew.
    light(keys) {
      for (const { key, group } of parts) group.toggleAttribute("data-lit", keys.has(key));
      const lit = boxes.filter(({ key }) => keys.has(key)).map(({ group }) => group);
      bringIntoView(svg.parentNode, lit, [], null);
    },
  };
}

// Looks are sent with null for a row that stays as it was.
function writeOut(looks) {
  let before = [];
  for (const look of looks) {
    look[3] = look[3].map((row, place) => row ?? before[place]);
    before = look[3];
  }
}

// Where the pictures of the views are put, one at a time, to be zoomed, dragged, and gone through
// from box to box.
export function makeCanvas(scaleBefore) {
  const place = element("div", { class: "mg-diagram", tabindex: "0", role: "group" });
  place.setAttribute(
    "aria-label",
    "Diagram; left and right arrow keys step, up and down go from box to box",
  );
  let diagram = null;
  place.addEventListener("keydown", (event) => {
    const boxes = diagram?.boxes ?? [];
    const now = boxes.findIndex(({ group }) => group === event.target);
    if (now < 0) return;
    const towards = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (towards) {
      const next = boxes[(now + towards + boxes.length) % boxes.length].group;
      boxes[now].group.setAttribute("tabindex", "-1");
      next.setAttribute("tabindex", "0");
      next.focus();
    } else if (event.key === "Enter" || event.key === " ") {
      boxes[now].press();
    } else return;
    event.preventDefault();
  });
  const zoom = makeZoom(place, () => diagram?.svg, scaleBefore);
  return {
    place,
    zoom: zoom.bar,
    scale: zoom.scale,
    // Scrolls to a box; says whether there is one.
    reveal(key) {
      const box = diagram?.boxes.find((one) => one.key === key);
      if (box) bringIntoView(place, [box.group], [], box.group);
      return Boolean(box);
    },
    focus(key) {
      const box = diagram?.boxes.find((one) => one.key === key);
      (box?.group ?? place).focus({ preventScroll: true });
    },
    light: (keys) => diagram?.light(keys),
    put(another) {
      if (another === diagram) return;
      const hadFocus = place.contains(place.getRootNode().activeElement);
      diagram = another;
      place.replaceChildren(another.svg);
      place.style.minHeight = "";
      zoom.apply();
      if (hadFocus) place.focus({ preventScroll: true });
    },
    tell(text) {
      if (diagram) place.style.minHeight = `${place.offsetHeight}px`; // nothing below moves
      diagram = null;
      place.replaceChildren(element("p", { class: "mg-message", role: "status" }, text));
    },
  };
}

// Scrolls the diagram, never the page, if not all that is at work is in it: until it is in the
// middle, so that one sees what comes next. If it doesn't fit, where numbers arrive; and if that
// is far and wide, the one that is closest to the node that passes them on, with what else fits.
function bringIntoView(place, atWork, changed, foremost) {
  if (!atWork.length) return;
  const frame = place.getBoundingClientRect();
  const boxOf = (group) => group.getBoundingClientRect();
  const span = (boxes, start, end) => [
    Math.min(...boxes.map((box) => box[start])) - MARGIN,
    Math.max(...boxes.map((box) => box[end])) + MARGIN,
  ];
  const fits = (boxes) => {
    const [left, right] = span(boxes, "left", "right");
    const [top, bottom] = span(boxes, "top", "bottom");
    return right - left <= frame.width && bottom - top <= frame.height;
  };
  const receivers = changed.map(boxOf);
  let boxes = atWork.map(boxOf);
  if (!fits(boxes) && receivers.length && fits(receivers)) boxes = receivers;
  if (!fits(boxes)) {
    const centre = boxOf(foremost ?? atWork[0]);
    const far = (box) => Math.hypot(box.left - centre.left, box.top - centre.top);
    const nearest = (some) => [...some].sort((a, b) => far(a) - far(b));
    const [first = centre] = nearest(receivers);
    const others = [centre, ...nearest(boxes)];
    boxes = [first];
    for (const box of others) {
      if (fits([...boxes, box])) boxes.push(box);
    }
  }
  const move = (start, end, from, to) => {
    const [low, high] = span(boxes, start, end);
    return low < from || high > to ? (low + high - from - to) / 2 : 0;
  };
  place.scrollLeft += move("left", "right", frame.left, frame.right);
  place.scrollTop += move("top", "bottom", frame.top, frame.bottom);
}

function isAtWork(part) {
  const [, state, changed] = part.shown;
  return state === "active" || state === "wasted" || changed;
}
