/** Fixed steps out of frames of any length, and positions between the steps. */
import { requireAmount, requireCount, requireOptions } from '../runtime/arguments.js';
import { describe, invalidArgument } from '../runtime/errors.js';
import { nameSet } from '../runtime/option-names.js';
import { Crowd } from './crowd.js';

/**
 * @typedef {object} FixedStepOptions
 * @property {number} [step] seconds, above 0; default 1/60
 * @property {number} [maxSteps] of one frame, at least 1: what is longer is left out, so that a slow frame is not followed by a
 *   slower one; default 5
 */

const FIXED_STEP_NAMES = nameSet(/** @satisfies {import('../runtime/option-names.js').Names<FixedStepOptions>} */ ({ step: 1, maxSteps: 1 }));

/**
 * Steps a crowd at a fixed rate, whatever the rate of frames: the same crowd on every machine, and smooth at any rate.
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

  /** How much of the next step has passed already, 0 to 1. */
  get alpha() {
    return Math.min(1, this.#left / this.#step);
  }

  /** Does the steps of a frame. @param {number} deltaTime seconds since the last frame @returns {number} how many steps */
  advance(deltaTime) {
    if (requireAmount(deltaTime, 'deltaTime') === Infinity) throw invalidArgument('deltaTime', 'is Infinity: must be finite', deltaTime);
    const most = this.#maxSteps * this.#step;
    this.#left = Math.min(this.#left + deltaTime, most + this.#step / 2);
    let steps = 0;
    // A part of a step that is lost in rounding is no reason to leave the step out.
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
