/** The options of load() about objects that are garbage-collected before free(). */
import { requireBoolean } from './arguments.js';

/** True if NODE_ENV is `production`. */
function isProduction() {
  try {
    return process.env.NODE_ENV === 'production'; // bundlers replace it by a string
  } catch {
    return false; // a page without a bundler has no `process`
  }
}

/**
 * @param {import('./instantiate.js').LoadOptions} options
 * @returns {import('./handle.js').LeakOptions}
 */
export function readLeakOptions({ leakWarnings = !isProduction(), trackAllocations = false }) {
  const warned = requireBoolean(leakWarnings, 'leakWarnings') ? new Set() : undefined;
  return { warned, trackAllocations: requireBoolean(trackAllocations, 'trackAllocations') };
}
