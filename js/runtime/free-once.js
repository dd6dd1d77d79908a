/// <reference lib="esnext.disposable" preserve="true" />
/** FreeOnce: the base class of objects with free() that own no memory of the module themselves. Those that do are handles (handle.js). */
import { COPY, COPY_KEY, NavError } from './errors.js';

/** The error of a use after free. @param {string} noun @param {string} [orParent] another cause */
export function freedError(noun, orParent = '') {
  return new NavError('state', `this ${noun} cannot be used: it was already freed${orParent}`);
}

export class FreeOnce {
  #isFreed = false;
  #noun;
  #end;

  /** @internal @param {string} noun for messages @param {() => void} end frees what it owns; called once */
  constructor(noun, end) {
    this.#noun = noun;
    this.#end = end;
  }

  /** @internal */
  get [COPY_KEY]() {
    return COPY;
  }

  /** True for an object that a maker made: not for a proxy of one, or an object that inherits from one. @internal @param {object} object */
  static isOwn(object) {
    return #isFreed in object;
  }

  /** True after free(). */
  get isFreed() {
    return this.#isFreed;
  }

  /** Throws after free(). @internal */
  checkUsable() {
    if (this.#isFreed) throw freedError(this.#noun);
  }

  /** Ends it; does nothing if it has ended. Other calls throw a NavError afterwards. */
  free() {
    if (this.#isFreed) return;
    this.#isFreed = true;
    this.#end();
  }

  /** For `using`: free(). */
  [Symbol.dispose]() {
    this.free();
  }
}
