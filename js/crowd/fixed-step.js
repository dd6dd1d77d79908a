/** Divides frames of any length into fixed steps, and interpolates positions and headings between the steps. */
import { requireAmount, requireCount, requireOptions } from '../runtime/arguments.js';
import { NavError, describe, invalidArgument } from '../runtime/errors.js';
import { nameSet } from '../runtime/option-names.js';
import { requireRoom } from './base.js';
import { Crowd } from './crowd.js';

/**
 * @typedef {object} FixedStepOptions
 * @property {number} [step] seconds, above 0; default 1/60
 * @property {number} [maxSteps] of one frame, at least 1; default 5. The rest of a longer frame is dropped, so that a slow frame
 *   isn't followed by a slower one
 * @property {(seconds: number) => void} [onStep] called before each step with its length: to move obstacles, give orders and run a
 *   game's own physics at the same rate
 */

const FIXED_STEP_NAMES = nameSet(/** @satisfies {import('../runtime/option-names.js').Names<FixedStepOptions>} */ ({ step: 1, maxSteps: 1, onStep: 1 }));

/**
 * Writes the heading after a fraction of the shorter turn from one to another.
 * @param {ArrayLike<number>} from @param {number} a index of its x @param {ArrayLike<number>} to @param {number} b index of its x, and
 *   in the result
 * @param {number} alpha 0 to 1 @param {Float32Array} out
 */
function turn(from, a, to, b, alpha, out) {
  const x = from[a], z = from[a + 1];
  const angle = alpha * Math.atan2(x * to[b + 1] - z * to[b], x * to[b] + z * to[b + 1]);
  const sin = Math.sin(angle), cos = Math.cos(angle);
  out[b] = x * cos - z * sin;
  out[b + 1] = x * sin + z * cos;
}

/**
 * Steps a crowd at a fixed rate, independent of the frame rate: equal results on every machine, and smooth drawing.
 *
 *   const clock = new FixedStep(crowd);
 *   clock.advance(deltaTime);                      in every frame
 *   agents.update({ positions: clock.positions(positions), headings: clock.headings(headings) });     draws between two steps
 */
export class FixedStep {
  #crowd;
  #step;
  #maxSteps;
  #left = 0;
  #onStep;
  #isAdvancing = false;
  /** The agents and headings before the last step. @type {{ agents: Float64Array, headings: Float32Array }} */
  #former = { agents: new Float64Array(0), headings: new Float32Array(0) };

  /** @param {Crowd} crowd @param {FixedStepOptions} [options] */
  constructor(crowd, options = {}) {
    const { step = 1 / 60, maxSteps = 5, onStep } = requireOptions(options, FIXED_STEP_NAMES);
    if (!(crowd instanceof Crowd)) throw invalidArgument('crowd', `must be a crowd, not ${describe(crowd)}`, crowd);
    if (!(requireAmount(step, 'step') > 0 && step < Infinity)) throw invalidArgument('step', `is ${step}: must be above 0 and finite`, step);
    if (requireCount(maxSteps, 'maxSteps', 0xffff) === 0) throw invalidArgument('maxSteps', 'is 0: must be at least 1', maxSteps);
    if (onStep !== undefined && typeof onStep !== 'function') throw invalidArgument('onStep', `must be a function, not ${describe(onStep)}`, onStep);
    this.#crowd = crowd;
    this.#onStep = onStep;
    this.#step = step;
    this.#maxSteps = maxSteps;
  }

  /** The fraction of the next step that has already passed, 0 to 1. */
  get alpha() {
    return Math.min(1, this.#left / this.#step);
  }

  /**
   * Seconds that have passed since the last step: save it with the crowd, and set it on the clock of the loaded crowd. It may be set to
   * any time of 0 or more; the next frame makes at most maxSteps steps.
   */
  get remainder() {
    return this.#left;
  }

  set remainder(seconds) {
    if (requireAmount(seconds, 'remainder') === Infinity || seconds < 0) {
      throw invalidArgument('remainder', `is ${seconds}: must be 0 or more and finite`, seconds);
    }
    this.#left = seconds;
  }

  /** Simulates the steps of a frame. @param {number} deltaTime seconds since the last frame @returns {number} the number of steps */
  advance(deltaTime) {
    if (requireAmount(deltaTime, 'deltaTime') === Infinity) throw invalidArgument('deltaTime', 'is Infinity: must be finite', deltaTime);
    if (this.#isAdvancing) throw new NavError('state', 'advance was called by onStep, which advance calls: call it after that');
    this.#isAdvancing = true;
    try {
      return this.#simulate(deltaTime);
    } finally {
      this.#isAdvancing = false;
    }
  }

  /** @param {number} deltaTime */
  #simulate(deltaTime) {
    const most = this.#maxSteps * this.#step;
    this.#left = Math.min(this.#left + deltaTime, most + this.#step / 2);
    let steps = 0;
    // A step counts as due if only a rounding error is missing.
    for (; steps < this.#maxSteps && this.#left >= this.#step * (1 - 1e-9); steps++) {
      this.#onStep?.(this.#step);
      this.#remember();
      this.#crowd.step(this.#step);
      this.#left = Math.max(0, this.#left - this.#step);
    }
    return steps;
  }

  /** Copies the headings before a step. */
  #remember() {
    const { agents, headings } = this.#crowd;
    if (this.#former.headings.length !== headings.length) this.#former.headings = new Float32Array(headings.length);
    this.#former.headings.set(headings);
    this.#former.agents = agents; // a copy
  }

  /** Positions between the last two steps, for this frame. @param {Float32Array} [out] [count][3] or longer @returns {Float32Array} */
  positions(out = undefined) {
    return this.#crowd.interpolate(this.alpha, out);
  }

  /**
   * Headings between the last two steps, for this frame: unit vectors x, z. Agents that were added since then have their present one.
   * @param {Float32Array} [out] [count][2] or longer
   * @returns {Float32Array}
   */
  headings(out = undefined) {
    const { agents, headings } = this.#crowd;
    const { length } = headings;
    const former = this.#former;
    const result = requireRoom(out, length);
    for (let i = 0; i < agents.length; i++) {
      // Removals move agents to other rows.
      const row = former.agents[i] === agents[i] ? i : former.agents.indexOf(agents[i]);
      if (row >= 0) turn(former.headings, 2 * row, headings, 2 * i, this.alpha, result);
      else for (let k = 2 * i; k < 2 * i + 2; k++) result[k] = headings[k];
    }
    return result;
  }
}
