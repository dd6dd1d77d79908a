/** The value of a field that a person types into: what is drawn again meanwhile does not take away what was typed. */
import { nothing, noChange } from 'lit';
import { Directive, directive } from 'lit/directive.js';

class KeepTyped extends Directive {
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

/** For `.value=${keepTyped(text)}` of an input: as lit's live(), but for one that has the focus and whose value is as it was. */
export const keepTyped = directive(KeepTyped);
