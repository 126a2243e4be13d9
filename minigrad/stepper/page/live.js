// The live graph: a picture that follows `graph.nodes`.

import { element, keepKeys } from "./elements.js";
import { keepOnScreen } from "./one_screen.js";
import { makePictures, makePlainDrawing } from "./picture.js";
import { renderedBy } from "./theme.js";
import { makeViewport } from "./viewport.js";

/** @import { LivePayload, Model } from "./payload.d.ts" */

const MOST = 0.55; // of the height that a widget may have: the cells that record stand below it

/** @param {HTMLElement} root */
function makeLiveGraph(root) {
  const message = element("p", { class: "mg-message", role: "status" });
  /** @type {LivePayload | null} */
  let shown = null;
  const show = () => {
    if (shown) pictures?.now().show(shown.looks);
  };
  /** @type {ReturnType<typeof picturesOf> | null} */
  let pictures = null;
  const viewport = makeViewport({ label: "The graph so far", onTurn: show });
  viewport.zoom.append(viewport.fit);
  const head = element("div", { class: "mg-head" }, message, viewport.zoom);
  root.replaceChildren(element("div", { class: "mg-live" }, head, viewport.place));
  keepKeys(root);
  const stop = keepOnScreen(root, ({ height }) => {
    const most = Math.round(height * MOST);
    viewport.place.style.height = `${most - head.offsetHeight}px`; // from the first moment on
    viewport.setRoom(most - head.offsetHeight);
  });
  return {
    /** @param {LivePayload} payload */
    update(payload) {
      shown = payload;
      message.textContent = payload.message;
      pictures = Object.keys(payload.pictures).length ? picturesOf(payload) : null;
      if (!pictures) {
        viewport.tell("");
        return;
      }
      viewport.put(pictures);
      viewport.follow({ centre: payload.newest, operands: [], edges: [] });
    },
    stop() {
      stop();
      viewport.stop();
    },
  };
}

/** @param {LivePayload} payload */
function picturesOf({ pictures, kinds, brief, description }) {
  return makePictures(pictures, (text) => makePlainDrawing(text, kinds, brief, description));
}

/**
 * @param {HTMLElement} root
 * @param {Model} model
 */
function bindLiveGraph(root, model) {
  const live = makeLiveGraph(root);
  const update = () => live.update(model.get("payload"));
  model.on("change:payload", update);
  update();
  return () => {
    model.off("change:payload", update);
    live.stop();
  };
}

const render = renderedBy(bindLiveGraph);

export default { render };
