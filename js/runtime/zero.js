/**
 * Minus zero, which exporters write as -0.000000, is zero wherever numbers enter the module. The sign would come through hashes and
 * binary files, but not through JSON: a mesh and its configuration would differ.
 */

/**
 * In large arrays: searches them with the engine's own code, as a loop takes a hundred times as long until it is compiled.
 * @param {Uint32Array} words of floats
 */
export function dropManyZeroSigns(words) {
  for (let i = -1; (i = words.indexOf(0x80000000, i + 1)) >= 0;) words[i] = 0;
}

/** @param {Float32Array} floats @param {number} [first] @param {number} [end] */
export function dropZeroSigns(floats, first = 0, end = floats.length) {
  for (let i = first; i < end; i++) floats[i] += 0;
}
