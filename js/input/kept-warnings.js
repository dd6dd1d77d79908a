/**
 * Warnings for the report of a bake that were found while its level was read, such as names that match nothing. They are kept with the array
 * of positions, which all copies of the level share.
 */

/** The same for all copies of the package. */
const WARNINGS = Symbol.for('walkmesh.warnings');

/** @param {object} positions of the level @param {string[]} warnings */
export function keepWarnings(positions, warnings) {
  if (warnings.length > 0) Object.defineProperty(positions, WARNINGS, { value: warnings, configurable: true });
}

/** @param {any} geometry @returns {string[]} */
export const keptWarnings = (geometry) => geometry?.positions?.[WARNINGS] ?? [];
