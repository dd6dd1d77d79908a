/** Fields of the panels: number with unit, point, switch, choice. */
import { html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';
import { preserveInput } from './preserve-input.js';

/** @typedef {import('../state/document.js').Point} Point */

/** Rounds a number for display. @param {number} value */
const plain = (value) => Number(value.toFixed(4));

/**
 * A number field. Enter or leaving the field commits a valid number.
 * @param {{ label: string, value: number, unit?: string, hint?: string, min?: number, max?: number, step?: number, disabled?: boolean,
 *   error?: string, change: (value: number) => void }} options
 */
export function numberField({ label, value, unit, hint, min, max, step = 0.1, disabled = false, error, change }) {
  const id = `field-${label.replaceAll(/\W+/g, '-').toLowerCase()}`;
  const commit = (/** @type {Event} */ event) => {
    const input = /** @type {HTMLInputElement} */ (event.target);
    const typed = input.valueAsNumber;
    if (Number.isFinite(typed) && typed !== plain(value)) change(typed);
    else input.value = String(plain(value));
  };
  return html`
    <div class="field ${error ? 'wrong' : ''}">
      <label for=${id} class="scrub" @pointerdown=${(/** @type {PointerEvent} */ event) => scrub(event, { step, min, max, change })}>${label}</label>
      <span class="entry"><input id=${id} type="number" .value=${preserveInput(String(plain(value)))} min=${min ?? nothing} max=${max ?? nothing} step=${step}
        ?disabled=${disabled} aria-describedby="${id}-hint" aria-invalid=${error ? 'true' : 'false'} @change=${commit}>
        ${unit ? html`<span class="unit">${unit}</span>` : nothing}</span>
      ${error ? html`<p id="${id}-hint" class="hint error" role="alert">${error}</p>` : hint ? html`<p id="${id}-hint" class="hint">${hint}</p>` : nothing}
    </div>`;
}

/** Pixels of a drag per step of the value, and pixels until a press becomes a drag. */
const [PER_STEP, SLACK] = [4, 3];

/**
 * A horizontal drag on the label of a field changes its number; releasing commits it, so that a drag is one undo step.
 * @param {PointerEvent} press @param {{ step: number, min?: number, max?: number, change: (value: number) => void }} options
 */
function scrub(press, { step, min = -Infinity, max = Infinity, change }) {
  const label = /** @type {HTMLLabelElement} */ (press.currentTarget);
  const input = /** @type {HTMLInputElement | null} */ (label.control);
  if (press.button !== 0 || !input || input.disabled) return;
  const first = input.valueAsNumber;
  const drag = new AbortController();
  let value = first;
  const move = (/** @type {PointerEvent} */ event) => {
    const pixels = event.clientX - press.clientX;
    if (event.buttons === 0) drag.abort();
    else if (label.hasPointerCapture(press.pointerId) || Math.abs(pixels) > SLACK) {
      label.setPointerCapture(press.pointerId);
      value = Math.min(max, Math.max(min, plain(first + Math.round(pixels / PER_STEP) * step)));
      input.value = String(value);
    }
  };
  const end = (/** @type {PointerEvent} */ event) => {
    drag.abort();
    if (event.type === 'pointercancel') input.value = String(first);
    else if (value !== first) change(value);
    if (label.hasPointerCapture(press.pointerId)) skipClick(label);
  };
  const { signal } = drag;
  label.addEventListener('pointermove', move, { signal });
  label.addEventListener('pointerup', end, { signal });
  label.addEventListener('pointercancel', end, { signal });
}

/** A drag isn't a click, which would move the focus into the field. @param {HTMLElement} label */
function skipClick(label) {
  const skip = (/** @type {Event} */ click) => click.preventDefault();
  label.addEventListener('click', skip);
  setTimeout(() => label.removeEventListener('click', skip));
}

/** Three numbers. @param {{ label: string, value: Point, step?: number, disabled?: boolean, change: (value: Point) => void }} options */
export function pointField({ label, value, step = 0.1, disabled = false, change }) {
  const commit = (/** @type {number} */ axis) => (/** @type {Event} */ event) => {
    const typed = /** @type {HTMLInputElement} */ (event.target).valueAsNumber;
    if (!Number.isFinite(typed) || typed === plain(value[axis])) return;
    const next = /** @type {Point} */ ([...value]);
    next[axis] = typed;
    change(next);
  };
  return html`
    <fieldset class="point"><legend>${label}</legend>
      ${['x', 'y', 'z'].map((name, axis) => html`
        <label><span>${name}</span><input type="number" aria-label="${label} ${name}" step=${step} ?disabled=${disabled}
          .value=${preserveInput(String(plain(value[axis])))} @change=${commit(axis)}></label>`)}
    </fieldset>`;
}

/** A switch. @param {{ label: string, value: boolean, hint?: string, disabled?: boolean, change: (value: boolean) => void }} options */
export function switchField({ label, value, hint, disabled = false, change }) {
  // The component's own hint is read out; the visible one has the width of the panel and doesn't move the middle of the switch.
  return html`
    <div class="switch-field">
      <wa-switch size="s" .checked=${live(value)} ?disabled=${disabled} hint=${hint ?? ''}
        @change=${(/** @type {any} */ event) => change(event.target.checked)}>${label}</wa-switch>
      ${hint ? html`<p class="hint" aria-hidden="true">${hint}</p>` : nothing}
    </div>`;
}

/**
 * A choice. @template {string} T
 * @param {{ label: string, value: T, options: { value: T, label: string }[], hint?: string, disabled?: boolean, change: (value: T) => void }} options
 */
export function choiceField({ label, value, options, hint, disabled = false, change }) {
  const id = `field-${label.replaceAll(/\W+/g, '-').toLowerCase()}`;
  return html`
    <div class="field">
      <label for=${id}>${label}</label>
      <span class="entry"><select id=${id} ?disabled=${disabled} .value=${live(value)}
        @change=${(/** @type {any} */ event) => change(event.target.value)}>
        ${options.map((option) => html`<option value=${option.value} ?selected=${option.value === value}>${option.label}</option>`)}
      </select></span>
      ${hint ? html`<p class="hint">${hint}</p>` : nothing}
    </div>`;
}

/** A list of names and values. @param {[string, unknown][]} rows */
export function factList(rows) {
  return html`<dl class="facts">${rows.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`;
}
