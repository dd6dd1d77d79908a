/** Hostile calls: runs the cases (case.js). */
import { Case } from './case.js';
import { Shared } from './world.js';
import { runCases } from './watch.js';

export { describe } from './case.js';

/** @typedef {import('./api.js').Target} Target */

/** @param {{ targets: Target[], seed: number, longest?: number }} options longest: seconds that a call may take @returns {Promise<import('./thread.js').Runner>} */
export async function openRunner({ targets, seed, longest }) {
  let shared = await new Shared().open();
  /** @type {Case} */
  let current;
  return {
    async run(index) {
      current = new Case(shared, targets, seed, index, longest);
      let failure;
      try {
        return failure = await current.run();
      } catch (error) {
        failure = error;
        throw error;
      } finally {
        if (failure || current.isSpoilt) {
          shared.close();
          shared = await new Shared().open();
        }
      }
    },
    id: () => current.id,
    isAllowed: (error) => current.isAllowed(error),
    close: () => shared.close(),
  };
}

/** @param {{ targets: Target[], seed: number, from?: number, count: number, longest?: number, onProgress?: (done: number, failures: number) => void }} options */
export const attackCalls = ({ from, count, onProgress, ...options }) => runCases({ module: new URL(import.meta.url), options,
  idOf: (index) => options.targets[index % options.targets.length].id, from, count, onProgress });
