"""What is in sight, found out in the page from outside: by where things are, not by our numbers."""

SIGHT = """
window.sight = (() => {
    const SLACK = 1; // px
    const SETTLING = 5; // frames
    const isWithin = (box, frame, isCutAcross, isCutDown) =>
        (!isCutAcross || (box.left >= frame.left - SLACK && box.right <= frame.right + SLACK)) &&
        (!isCutDown || (box.top >= frame.top - SLACK && box.bottom <= frame.bottom + SLACK));
    // inside all that clips it, from its parent to the window
    const isSeen = (one) => {
        const box = one.getBoundingClientRect();
        const isShown = getComputedStyle(one).visibility === "visible";
        if (!box.width || !box.height || !isShown) return false;
        const window_ = { left: 0, right: innerWidth, top: 0, bottom: innerHeight };
        if (!isWithin(box, window_, true, true)) return false;
        let around = one.parentElement;
        for (; around && around !== document.body; around = around.parentElement) {
            const { overflowX, overflowY } = getComputedStyle(around);
            const frame = around.getBoundingClientRect();
            const isCut = [overflowX !== "visible", overflowY !== "visible"];
            if (!isWithin(box, frame, ...isCut)) return false;
        }
        return true;
    };
    // how high letters are: what the page says they are, times what is made of it on the screen
    const pixels = (text) => {
        const size = parseFloat(getComputedStyle(text).fontSize);
        const natural = text.getBBox ? text.getBBox().height : text.offsetHeight;
        return natural ? size * text.getBoundingClientRect().height / natural : 0;
    };
    const smallest = (box) => {
        const hasText = (node) =>
            node.localName !== "title" &&
            getComputedStyle(node).visibility === "visible" &&
            [...node.childNodes].some((one) => one.nodeType === 3 && one.data.trim());
        const texts = [box, ...box.querySelectorAll("*")].filter(hasText);
        const shown = texts.map(pixels).filter((size) => size > 0);
        return shown.length ? Math.min(...shown) : 0;
    };
    const buttonOf = (root, name) =>
        [...root.querySelectorAll("button")].find((one) => one.textContent.trim() === name);
    const boxesOf = (root, key) => [...root.querySelectorAll(`[data-key="${key}"]`)]
        .filter((one) => one.localName === "g" || one.closest(".mg-close-up"));
    // the text of the best picture of a box in sight, in px: 0 if it is nowhere
    const textOf = (root, key) => Math.max(0, ...boxesOf(root, key).filter(isSeen).map(smallest));
    const isThere = (root, key) => boxesOf(root, key).some((one) => one.getClientRects().length);
    const words = (root) => [...root.querySelectorAll(".mg-explanation [aria-live] > *")]
        .filter((one) => one.textContent.trim());
    const at = (root, { keys, others }) => {
        const needed = [...keys, ...others.filter((key) => isThere(root, key))];
        const sizes = needed.map((key) => textOf(root, key));
        const told = words(root);
        return {
            text: Math.min(...sizes),
            missing: needed.filter((key, place) => !sizes[place]),
            words: told.length > 0 && told.every(isSeen),
            next: isSeen(buttonOf(root, "Next")),
        };
    };
    const isGood = (one) => one.text >= 11 && !one.missing.length && one.words && one.next;
    const frames = async (count) => {
        for (let frame = 0; frame < count; frame += 1) await new Promise(requestAnimationFrame);
    };
    // all steps from the first to the last; where something is not in sight at once, it has some
    // frames to come
    const walk = async (root, needs, patience) => {
        const found = [];
        for (const need of needs) {
            if (found.length) buttonOf(root, "Next").click();
            let seen = at(root, need);
            for (let frame = 0; frame < patience && !isGood(seen); frame += 1) {
                await frames(1);
                seen = at(root, need);
            }
            found.push({ step: need.step, ...seen });
        }
        const isLast = buttonOf(root, "Next").getAttribute("aria-disabled") === "true";
        return { found, isLast };
    };
    const picture = (root) => {
        const groups = [...root.querySelectorAll(".mg-diagram svg g[data-key]")]
            .filter((one) => /^[nts]/.test(one.dataset.key));
        return {
            boxes: groups.length,
            seen: groups.filter(isSeen).length,
            text: Math.min(...groups.map(smallest)),
        };
    };
    // when a cell has run, what it shows is there, and the notebook has scrolled
    const ended = async (cell) => {
        await frames(2);
        const isRunning = () => cell.querySelector(".jp-InputPrompt")?.textContent.includes("*");
        while (isRunning()) await frames(1);
        const limit = performance.now() + 3000; // a bar leaves a place that stays empty
        const hasCome = () => [...cell.querySelectorAll('[data-mime-type*="widget-view"]')]
            .every((one) => one.querySelector(".minigrad > *, .widget-box"));
        while (!hasCome() && performance.now() < limit) await frames(1);
        await frames(SETTLING);
    };
    const placed = (root) => {
        const pane = window.jupyterapp.shell.currentWidget.content.outerNode;
        const { top, bottom, height, width } = root.getBoundingClientRect();
        const frame = pane.getBoundingClientRect();
        const next = buttonOf(root, "Next");
        const above = next ? Math.round(frame.top - next.getBoundingClientRect().top) : null;
        const isInSight = next ? isSeen(next) : null;
        return { height, width, isWhole: isSeen(root), pane: frame.height, next: isInSight, above };
    };
    const begin = (place) => {
        const notebook = window.jupyterapp.shell.currentWidget.content;
        notebook.activeCellIndex = place;
        notebook.mode = "command";
        notebook.activate();
        return notebook.scrollToItem(place, "start");
    };
    const after = async (place) => {
        const cell = window.jupyterapp.shell.currentWidget.content.widgets[place];
        await ended(cell.node);
        window.shown = cell.node.querySelector(".minigrad");
        return window.shown && { id: cell.model.id, ...placed(window.shown) };
    };
    const fit = async (root) => {
        buttonOf(root, "Fit")?.click();
        await frames(3);
    };
    return { walk, fit, picture, begin, after };
})();
"""
READABLE = 11  # px


def walk(page, root, needed, patience=20):
    """Step through all steps in the page, and return what was in sight at each."""
    page.evaluate(SIGHT)
    given = [{"step": one.step, "keys": one.keys, "others": one.others} for one in needed]
    walked = page.evaluate(
        "([root, needs, patience]) => window.sight.walk(root, needs, patience)",
        [getattr(root, "element_handle", lambda: root)(), given, patience],
    )
    assert walked["isLast"]
    return walked["found"]


def run_and_advance(page, place):
    """Run a cell by Shift+Enter, and return where its widget is then, or None."""
    page.keyboard.press("Shift+Enter")
    return page.evaluate("place => window.sight.after(place)", place)


def read_through(page, count):
    """Run all cells by Shift+Enter, and return where each widget was after its cell."""
    page.evaluate(SIGHT)
    page.evaluate("() => window.sight.begin(0)")
    return [one for place in range(count) if (one := run_and_advance(page, place))]


def faults(found):
    """Return what was not in sight, or too small to be read, at which step."""
    return [
        one
        for one in found
        if one["missing"] or one["text"] < READABLE or not one["words"] or not one["next"]
    ]
