/** Decides whether the focused element uses a key itself, so that tools and shortcuts leave the key to it. */

/** Types of `<input>` without text. */
const WITHOUT_TEXT = ['checkbox', 'radio', 'range', 'button', 'color', 'file', 'submit', 'reset'];
/** Keys that move sliders and scroll. */
const MOVING = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'PageUp', 'PageDown', 'Home', 'End'];
const PRESSING = [' ', 'Enter'];

/** True if the focused element takes text, and thus all keys. @param {Event} event */
function isTyping(event) {
  const [target] = event.composedPath();
  return target instanceof HTMLInputElement ? !WITHOUT_TEXT.includes(target.type)
    : target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement || (target instanceof HTMLElement && target.isContentEditable);
}

/** True if a menu or a dialog is open around the focused element, or has it. @param {Event} event */
const isInOverlay = (event) => event.composedPath().some((element) => (
  element instanceof Element && (element.matches('dialog, wa-dialog, [role=dialog], [role=menu], wa-dropdown[open]'))));

/**
 * @param {KeyboardEvent} event @param {boolean} isByKeys true if the Tab key moved the focus: after a click on a button, Space is not
 *   meant for the button
 */
export function usesKey(event, isByKeys) {
  if (isTyping(event)) return true;
  if (isInOverlay(event)) return true;
  const target = /** @type {Element} */ (event.composedPath()[0]);
  if (!(target instanceof Element) || target instanceof HTMLCanvasElement) return false;
  if (target.matches('[type=range], [role=slider], [role=tab], [role=radio]') && MOVING.includes(event.key)) return true;
  return isByKeys && target !== document.body && [...PRESSING, ...MOVING].includes(event.key);
}
