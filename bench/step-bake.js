/** A bake of ours for scaling.js and hurt.js: the time of each stage, the sizes of its arrays, and memory. */
import { Baker } from '../js/bake/baker.js';
import { NavError } from '../js/runtime/errors.js';
import { instantiate } from '../js/loader.js';
import { Session } from '../js/runtime/session.js';

/**
 * @typedef {object} StepBake
 * @property {Record<string, number>} stages milliseconds, summed over tiles; `input` is the creation of the baker
 * @property {number} total milliseconds
 * @property {number} peakBytes peak of allocated memory
 * @property {Record<string, number>} counts the maximum over all tiles
 * @property {number} tiles
 * @property {string} [error] the reason if it ended early
 */

/** A fresh instance of the module. @returns {Promise<Session>} */
export async function makeSession() {
  return new Session((await instantiate({})).wasm);
}

/** @param {Session} session @param {any} geometry @param {any} config @param {string} [last] the stage to end after @returns {StepBake} */
export function bakeBySteps(session, geometry, config, last) {
  const stages = {};
  const counts = {};
  const start = performance.now();
  session.memory(true);
  const baker = new Baker(session, geometry, config);
  stages.input = performance.now() - start;
  let [total, error] = [stages.input, /** @type {string | undefined} */ (undefined)];
  const { tileCountX, tileCountZ } = baker.voxels;
  try {
    for (let tile = 0; tile < tileCountX * tileCountZ && last !== 'input'; tile++) {
      const begin = performance.now();
      baker.beginTile(tile % tileCountX, Math.floor(tile / tileCountX));
      let steps = performance.now() - begin;
      while (baker.nextStage !== 'done') {
        const { stage, milliseconds } = baker.step();
        stages[stage] = (stages[stage] ?? 0) + milliseconds;
        steps += milliseconds;
        for (const [name, count] of Object.entries(baker.counts())) counts[name] = Math.max(counts[name] ?? 0, count);
        if (stage === last) break;
      }
      total += steps;
      baker.takeTile();
    }
  } catch (failure) {
    if (!(failure instanceof NavError)) throw failure;
    error = failure.message;
  } finally {
    baker.free();
  }
  return { stages, total, peakBytes: session.memory().peakBytes, counts, tiles: tileCountX * tileCountZ, error };
}

/** The fastest of several bakes, stage by stage: noise only adds time. @param {StepBake[]} bakes @returns {StepBake} */
export function fastest(bakes) {
  const stages = Object.fromEntries(Object.keys(bakes[0].stages).map((stage) => [stage, Math.min(...bakes.map((one) => one.stages[stage]))]));
  return { ...bakes[0], stages, total: Math.min(...bakes.map(({ total }) => total)) };
}
