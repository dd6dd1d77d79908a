/** Decides whether the focused element uses a key itself, so that tools and shortcuts leave the key to it. */

/** Types of `<input>` without text. */
const WITHOUT_TEXT = ['checkbox', 'radio', 'range', 'button', 'color', 'file', 'submit', 'reset'];
/** Keys that move sliders and scroll. */
const MOVING = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'PageUp', 'PageDown', 'Home', 'End'];
const PRESSING = [' ', 'Enter'];

/** Fields of numbers whose text was committed by Enter, until something else is typed into them. @type {WeakSet<EventTarget>} */
const committed = new WeakSet();
/** Keys that such a field leaves to the tools: no number has them. */
const NO_NUMBER = /^(?:[a-df-z?[\]]|F\d+)$/i;

/** @param {EventTarget | undefined} target */
const isNumberField = (target) => target instanceof HTMLInputElement && target.type === 'number';

/** A number whose comma may be meant for thousands, as 1,000: three digits follow it. 0,350 is none. */
const THOUSANDS = /^(-?[1-9]\d{0,2})\.(\d{3})$/;

/**
 * Notes which fields of numbers are committed; and a comma typed where decimals have a point is a point, since the field would drop it. A number
 * that is written as thousands, 1,000, is read as such.
 * @param {(typed: string, read: string) => void} tellThousands
 */
export function followNumberFields(tellThousands) {
  /** Fields with a point that was typed as a comma. @type {WeakSet<EventTarget>} */
  const withComma = new WeakSet();
  window.addEventListener('keydown', ({ key, target }) => { if (key === 'Enter' && target && isNumberField(target)) committed.add(target); }, { capture: true });
  for (const name of /** @type {const} */ (['input', 'focusout'])) window.addEventListener(name, ({ target }) => { if (target) committed.delete(target); }, { capture: true });
  const hasPoint = (1.5).toLocaleString().includes('.');
  window.addEventListener('beforeinput', (event) => {
    if (event.data !== ',' || !hasPoint || !event.target || !isNumberField(event.target)) return;
    event.preventDefault();
    withComma.add(event.target);
    document.execCommand('insertText', false, '.');
  });
  window.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || !withComma.delete(target)) return;
    const [, thousands, rest] = THOUSANDS.exec(target.value) ?? [];
    if (rest === undefined) return;
    target.value = `${thousands}${rest}`;
    tellThousands(`${thousands},${rest}`, target.value);
  }, { capture: true });
}

/** True if a key isn't meant for the committed number that has the focus: undo, redo and the keys of tools. @param {Event} event @param {EventTarget} target */
function isBesideNumber(event, target) {
  if (!(event instanceof KeyboardEvent) || !committed.has(target)) return false;
  const isUndo = (event.ctrlKey || event.metaKey) && ['z', 'y'].includes(event.key.toLowerCase());
  return isUndo || (!event.ctrlKey && !event.metaKey && !event.altKey && NO_NUMBER.test(event.key));
}

/** True if the focused element takes text, and thus all keys. @param {Event} event */
function isTyping(event) {
  const [target] = event.composedPath();
  if (isBesideNumber(event, target)) return false;
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
