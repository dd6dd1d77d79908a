/**
 * Minus zero, which exporters write as -0.000000, is zero wherever numbers enter the module. The sign would come through hashes and
 * binary files, but not through JSON: a mesh and its configuration would differ.
 */

/** @param {Float32Array} floats @param {number} [first] @param {number} [end] */
export function dropZeroSigns(floats, first = 0, end = floats.length) {
  for (let i = first; i < end; i++) floats[i] += 0;
}
