// The page's half of the host; host.py says what it is for.

const ASK_AGAIN = 40; // ms between two questions whether the kernel has something to say
const models = new Map(); // by the id of each widget's line
const cleanUps = [];

const encode = (buffer) => {
  const bytes = new Uint8Array(buffer.buffer ?? buffer, buffer.byteOffset, buffer.byteLength);
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
};
const decode = (text) => new DataView(Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer);
const isSame = (one, other) => {
  if (Object.is(one, other)) return true;
  if (!one || !other || typeof one !== "object" || typeof other !== "object") return false;
  if (one instanceof DataView || other instanceof DataView) return false;
  const names = Object.keys(one);
  return (
    Array.isArray(one) === Array.isArray(other) &&
    names.length === Object.keys(other).length &&
    names.every((name) => name in other && isSame(one[name], other[name]))
  );
};

function putBuffers(state, paths, buffers) {
  paths.forEach((path, number) => {
    const place = path.slice(0, -1).reduce((held, name) => held[name], state);
    place[path.at(-1)] = buffers[number];
  });
  return state;
}

// Tells the kernel something, or asks it only for news, and hears all that it has to say.
async function exchange(message) {
  for (const one of JSON.parse(await window.kernel(JSON.stringify(message)))) hear(one);
}

let serial = 0;
function tell(line, data, buffers = []) {
  serial += 1;
  const message = { id: serial, line, data, buffers: buffers.map(encode) };
  return { id: serial, handled: exchange(message) };
}

async function askForNews() {
  await exchange(null);
  setTimeout(askForNews, ASK_AGAIN);
}

function hear({ type, line, data, buffers, answered }) {
  const decoded = buffers.map(decode);
  if (type === "comm_open") {
    models.set(line, new Model(line, putBuffers(data.state, data.buffer_paths, decoded)));
  } else if (type === "comm_close") {
    models.get(line)?.close();
  } else if (data.method === "custom") {
    models.get(line)?.trigger("msg:custom", data.content, decoded);
  } else {
    const state = putBuffers(data.state, data.buffer_paths, decoded);
    models.get(line)?.receive(data.method, state, answered);
  }
}

// Does what ipywidgets' model does. A change goes to the kernel when it is saved, one message at a
// time; until the kernel's echo of the last one is here, older echoes count for nothing.
class Model {
  #line;
  #state;
  #listeners = [];
  #changed = new Set();
  #isWaiting = false; // for the kernel to handle what was saved
  #wantsSave = false;
  #expected = new Map(); // the message whose echo is awaited, by the name of what was changed
  #isClosed = false;

  constructor(line, state) {
    this.#line = line;
    this.#state = state;
  }

  get(name) {
    return this.#state[name];
  }

  set(name, value) {
    if (this.#put(name, value)) this.#changed.add(name);
  }

  save_changes() {
    this.#mustBeOpen();
    if (this.#isWaiting) {
      this.#wantsSave = true;
      return;
    }
    this.#wantsSave = false;
    if (!this.#changed.size) return;
    const state = Object.fromEntries([...this.#changed].map((name) => [name, this.get(name)]));
    this.#changed.clear();
    this.#isWaiting = true;
    const { id, handled } = tell(this.#line, { method: "update", state, buffer_paths: [] });
    for (const name of Object.keys(state)) this.#expected.set(name, id);
    handled.then(() => {
      this.#isWaiting = false;
      if (this.#wantsSave && !this.#isClosed) this.save_changes();
    });
  }

  send(content, callbacks, buffers) {
    this.#mustBeOpen();
    tell(this.#line, { method: "custom", content }, buffers);
  }

  on(name, listener) {
    this.#listeners.push([name, listener]);
  }

  off(name, listener) {
    this.#listeners = this.#listeners.filter(
      ([on, to]) => on !== name || (listener && to !== listener),
    );
  }

  trigger(name, ...given) {
    for (const [on, listener] of [...this.#listeners]) if (on === name) listener(...given);
  }

  receive(method, state, answered) {
    for (const [name, value] of Object.entries(state)) {
      if (method === "echo_update" && this.#expected.has(name)) {
        if (this.#expected.get(name) !== answered) continue;
        this.#expected.delete(name);
        if (this.#wantsSave && this.#changed.has(name)) continue;
      }
      this.#put(name, value);
    }
  }

  close() {
    this.#isClosed = true;
  }

  #put(name, value) {
    if (isSame(this.#state[name], value)) return false;
    this.#state[name] = value;
    this.trigger(`change:${name}`, this, value);
    return true;
  }

  #mustBeOpen() {
    if (this.#isClosed) throw new Error("the kernel does not hear this widget any more");
  }
}

// Shows a widget, as often as it is to be shown.
window.show = async (line, views) => {
  await exchange(null);
  const model = models.get(line);
  const style = document.createElement("style");
  style.textContent = model.get("_css");
  document.head.append(style);
  const address = URL.createObjectURL(new Blob([model.get("_esm")], { type: "text/javascript" }));
  const { default: widget } = await import(address);
  URL.revokeObjectURL(address);
  await widget.initialize?.({ model });
  const output = document.createElement("div");
  output.className = "output";
  document.querySelector("main").append(output);
  for (let view = 0; view < views; view += 1) {
    const el = document.createElement("div");
    output.append(el);
    cleanUps.push(await widget.render({ model, el }));
  }
};

// Takes all views away, as a page does whose cells are gone.
window.leave = async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp?.();
  document.querySelector("main").replaceChildren();
};

askForNews();
