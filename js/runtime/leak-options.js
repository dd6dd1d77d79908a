/** What load() is asked to tell of objects that are collected without being freed. */
import { requireBoolean } from './arguments.js';

/** Whether bundlers or Node say that this is production. */
function isProduction() {
  try {
    return process.env.NODE_ENV === 'production'; // bundlers put a text in its place
  } catch {
    return false; // a page without a bundler
  }
}

/**
 * @param {import('./instantiate.js').LoadOptions} options
 * @returns {import('./owned.js').LeakOptions}
 */
export function readLeakOptions({ leakWarnings = !isProduction(), trackAllocations = false }) {
  const told = requireBoolean(leakWarnings, 'leakWarnings') ? new Set() : undefined;
  return { told, trackAllocations: requireBoolean(trackAllocations, 'trackAllocations') };
}
