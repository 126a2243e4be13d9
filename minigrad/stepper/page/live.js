// The live graph: a picture that follows `graph.nodes`.

import { element, keepKeys } from "./elements.js";
import { makeZoom, readSvg } from "./picture.js";
import { renderedBy } from "./theme.js";

/** @import { LivePayload, Model } from "./payload.d.ts" */

/** @param {HTMLElement} root */
function makeLiveGraph(root) {
  const picture = element("div", { class: "mg-diagram", tabindex: "0", role: "group" });
  picture.setAttribute("aria-label", "The graph so far");
  const message = element("p", { class: "mg-message", role: "status" });
  const zoom = makeZoom(picture, () => picture.querySelector("svg"));
  root.replaceChildren(picture, element("div", { class: "mg-head" }, message, zoom.bar));
  keepKeys(root);
  return {
    /** @param {LivePayload} payload */
    update(payload) {
      picture.replaceChildren(...(payload.svg ? [readSvg(payload.svg)] : []));
      picture.hidden = !payload.svg;
      zoom.bar.hidden = !payload.svg;
      zoom.apply();
      message.textContent = payload.message;
    },
  };
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
  return () => model.off("change:payload", update);
}

const render = renderedBy(bindLiveGraph);

export default { render };
