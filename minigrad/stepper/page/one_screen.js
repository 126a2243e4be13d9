// A widget is no higher than what is seen of a notebook at once.

/** @typedef {{ height: number, isNarrow: boolean }} Room */

const HIGHEST = 648; // px of a widget in a notebook, without its borders
const BORDERS = 2; // px between what shares a height
const LOWEST = 360;
const BESIDE = 40; // px of the visible part that are left for what stands around a widget
const LOW = 600; // px; a lower widget has less beside its picture
const NARROW = 720; // px; a narrower widget has its tables below the picture
const PANES = ".jp-WindowedPanel-outer, .jp-Notebook"; // what scrolls in JupyterLab and Notebook

/**
 * The px that a widget may be high, by those of the part of a page that is seen at once.
 *
 * @param {number} visible
 * @param {boolean} isPage whether it has a page to itself, or the screen
 */
export function heightFor(visible, isPage) {
  return Math.max(LOWEST, isPage ? visible : Math.min(HIGHEST, visible - BESIDE));
}

/**
 * The px that others leave of a height, which all of them share with a picture.
 *
 * @param {number} height
 * @param {HTMLElement[]} others
 */
export function heightLeft(height, others) {
  return height - others.reduce((sum, one) => sum + one.offsetHeight, BORDERS);
}

/**
 * Tells how much room a widget has, now and whenever that changes.
 *
 * @param {HTMLElement} root
 * @param {(room: Room) => void} onRoom
 */
export function keepOnScreen(root, onRoom) {
  /** @type {Element | null} */
  let pane = null;
  let last = "";
  const measure = () => {
    if (!root.isConnected || !root.clientWidth) return;
    const found = root.closest(PANES);
    if (found !== pane) {
      if (pane) observer.unobserve(pane);
      if (found) observer.observe(found);
      pane = found;
    }
    const isPresenting = root.matches(".mg-presenting");
    const visible = isPresenting || !pane ? window.innerHeight : pane.clientHeight;
    const height = heightFor(visible, isPresenting);
    const isNarrow = root.clientWidth < NARROW;
    const room = `${height} ${root.clientWidth}`;
    root.style.setProperty("--mg-room", `${height}px`);
    root.classList.toggle("mg-narrow", isNarrow);
    root.classList.toggle("mg-low", height < LOW);
    if (room === last) return;
    last = room;
    onRoom({ height, isNarrow });
  };
  const observer = new ResizeObserver(measure);
  observer.observe(root);
  window.addEventListener("resize", measure);
  return () => {
    observer.disconnect();
    window.removeEventListener("resize", measure);
  };
}
