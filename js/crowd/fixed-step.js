/** Divides frames of any length into fixed steps, and interpolates positions between the steps. */
import { requireAmount, requireCount, requireOptions } from '../runtime/arguments.js';
import { describe, invalidArgument } from '../runtime/errors.js';
import { nameSet } from '../runtime/option-names.js';
import { Crowd } from './crowd.js';

/**
 * @typedef {object} FixedStepOptions
 * @property {number} [step] seconds, above 0; default 1/60
 * @property {number} [maxSteps] of one frame, at least 1; default 5. The rest of a longer frame is dropped, so that a slow frame
 *   isn't followed by a slower one
 */

const FIXED_STEP_NAMES = nameSet(/** @satisfies {import('../runtime/option-names.js').Names<FixedStepOptions>} */ ({ step: 1, maxSteps: 1 }));

/**
 * Steps a crowd at a fixed rate, independent of the frame rate: equal results on every machine, and smooth drawing.
 *
 *   const clock = new FixedStep(crowd);
 *   clock.advance(deltaTime);                      in every frame
 *   agents.update(clock.positions(positions));     draws a little in the past, between two steps
 */
export class FixedStep {
  #crowd;
  #step;
  #maxSteps;
  #left = 0;

  /** @param {Crowd} crowd @param {FixedStepOptions} [options] */
  constructor(crowd, options = {}) {
    const { step = 1 / 60, maxSteps = 5 } = requireOptions(options, FIXED_STEP_NAMES);
    if (!(crowd instanceof Crowd)) throw invalidArgument('crowd', `must be a crowd, not ${describe(crowd)}`, crowd);
    if (!(requireAmount(step, 'step') > 0 && step < Infinity)) throw invalidArgument('step', `is ${step}: must be above 0 and finite`, step);
    if (requireCount(maxSteps, 'maxSteps', 0xffff) === 0) throw invalidArgument('maxSteps', 'is 0: must be at least 1', maxSteps);
    this.#crowd = crowd;
    this.#step = step;
    this.#maxSteps = maxSteps;
  }

  /** The fraction of the next step that has already passed, 0 to 1. */
  get alpha() {
    return Math.min(1, this.#left / this.#step);
  }

  /** Simulates the steps of a frame. @param {number} deltaTime seconds since the last frame @returns {number} the number of steps */
  advance(deltaTime) {
    if (requireAmount(deltaTime, 'deltaTime') === Infinity) throw invalidArgument('deltaTime', 'is Infinity: must be finite', deltaTime);
    const most = this.#maxSteps * this.#step;
    this.#left = Math.min(this.#left + deltaTime, most + this.#step / 2);
    let steps = 0;
    // A step counts as due if only a rounding error is missing.
    for (; steps < this.#maxSteps && this.#left >= this.#step * (1 - 1e-9); steps++) {
      this.#crowd.step(this.#step);
      this.#left = Math.max(0, this.#left - this.#step);
    }
    return steps;
  }

  /** Positions between the last two steps, for this frame. @param {Float32Array} [out] [count][3] or longer @returns {Float32Array} */
  positions(out = undefined) {
    return this.#crowd.interpolate(this.alpha, out);
  }
}
