/** The value of an input field: a redraw doesn't overwrite text that the user is typing. */
import { nothing, noChange } from 'lit';
import { Directive, directive } from 'lit/directive.js';

class PreserveInput extends Directive {
  /** @type {unknown} */
  #last = nothing;

  /** @param {string} value @returns {unknown} */
  render(value) {
    return value;
  }

  /** @param {import('lit').PropertyPart} part @param {[string]} values @override */
  update(part, [value]) {
    const input = /** @type {HTMLInputElement} */ (part.element);
    const isBeingTyped = value === this.#last && input.getRootNode() instanceof Document && document.activeElement === input;
    this.#last = value;
    if (!isBeingTyped && input.value !== value) input.value = value;
    return noChange;
  }
}

/** For `.value=${preserveInput(text)}`: like lit's live(), except that a focused input with an unchanged value keeps its text. */
export const preserveInput = directive(PreserveInput);
