/** Which faces of a Wavefront OBJ file count, and their areas, by the names that stand before them: of the object (`o`), the groups (`g`) and the material (`usemtl`). */
import { DEFAULT_AREA, readNameRules } from '../runtime/level-marks.js';

/** @typedef {import('../runtime/level-marks.js').NamePatterns} NamePatterns */

export class ObjNames {
  /** Of the faces to come. */
  isWanted = true;
  area = DEFAULT_AREA;
  #rules;
  #object = '';
  /** @type {string[]} */
  #groups = [];
  #material = '';

  /** @param {NamePatterns} patterns */
  constructor(patterns) {
    this.#rules = readNameRules(patterns, 'object, group or material');
    this.#choose();
  }

  /** Reads a row that may name what follows: `o crates`, `g floor ramp`, `usemtl mud`. @param {string} row */
  read(row) {
    const [, word, name] = /** @type {RegExpExecArray} */ (/^(\S*)\s*(.*?)\s*$/s.exec(row));
    if (word === 'o') this.#object = name;
    else if (word === 'g') this.#groups = name.split(/\s+/).filter((group) => group !== '');
    else if (word === 'usemtl') this.#material = name;
    else return;
    this.#choose();
  }

  #choose() {
    const names = [this.#object, ...this.#groups, this.#material];
    this.isWanted = this.#rules.isWanted(names);
    this.area = this.#rules.areaOf(names) ?? DEFAULT_AREA;
  }

  /** Patterns that matched no name. */
  warnings() {
    return this.#rules.warnings();
  }
}
