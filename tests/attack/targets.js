/** The public functions that cases attack. */
import { ensureTypes } from '../../scripts/types.js';
import { ApiReader } from './api.js';
import { NAMED_TYPES } from './values.js';
import { MAKERS } from './world.js';

/** @typedef {import('./api.js').Target} Target */

/** Rounds in which each function without arguments runs once: it can be attacked by its `this` alone. */
const ROUNDS = 8;

/** The public functions; throws if a class can't be made. @returns {{ targets: Target[], functions: number }} in the order of their cases */
export function readTargets() {
  ensureTypes();
  const reader = new ApiReader(NAMED_TYPES);
  // A NavError converts its message as every Error does.
  const all = reader.read().filter(({ name }) => name !== 'NavError');
  const unknown = [...reader.classes].filter((name) => !(name in MAKERS));
  if (unknown.length > 0) throw new Error(`public classes without a row in MAKERS (tests/attack/world.js): ${unknown.join(', ')}`);
  const targets = Array.from({ length: ROUNDS }, (_, round) => all.filter(({ parameters }, i) => parameters.length > 0 || i % ROUNDS === round)).flat();
  return { targets, functions: all.length };
}
