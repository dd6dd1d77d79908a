/** The arrays of a crowd as typed arrays over the module's memory, created again after memory grew or agents were added or removed. */
import { readReferences } from '../runtime/results.js';
import { WmCrowdView } from '../runtime/layout.js';

/** @typedef {import('../runtime/session.js').Session} Session */

/** Words of a WmCrowdView. */
const { count: COUNT_AT, positions: POSITIONS_AT, previousPositions: PREVIOUS_AT, velocities: VELOCITIES_AT, headings: HEADINGS_AT,
  states: STATES_AT, reasons: REASONS_AT, agents: AGENTS_AT } = WmCrowdView;

export class CrowdView {
  #session;
  /** True if the arrays may have changed. */
  #isForgotten = true;
  /** @type {Float64Array | undefined} */
  #agents;
  #agentsAddress = 0;
  /** The memory that the arrays view. @type {ArrayBufferLike | undefined} */
  #buffer;
  count = 0;
  positions = new Float32Array(0);
  previousPositions = new Float32Array(0);
  velocities = new Float32Array(0);
  headings = new Float32Array(0);
  states = new Uint8Array(0);
  reasons = new Uint8Array(0);

  /** @param {Session} session */
  constructor(session) {
    this.#session = session;
  }

  /** Marks the arrays as changed, after agents were added or removed. */
  forget() {
    this.#isForgotten = true;
  }

  /** The current arrays. @param {number} crowd its address @returns {CrowdView} */
  of(crowd) {
    if (this.#isForgotten || this.#buffer !== this.#session.wasm.memory.buffer) this.#map(crowd);
    return this;
  }

  /** @param {number} crowd */
  #map(crowd) {
    const session = this.#session;
    session.wasm.crowd_view(session.handle, crowd);
    session.refresh();
    const { u32, answer, f32: { buffer } } = session;
    const count = u32[answer + COUNT_AT];
    const floats = (/** @type {number} */ word, /** @type {number} */ each) => new Float32Array(buffer, u32[answer + word], each * count);
    const bytes = (/** @type {number} */ word) => new Uint8Array(buffer, u32[answer + word], count);
    this.count = count;
    this.positions = floats(POSITIONS_AT, 3);
    this.previousPositions = floats(PREVIOUS_AT, 3);
    this.velocities = floats(VELOCITIES_AT, 3);
    this.headings = floats(HEADINGS_AT, 2);
    this.states = bytes(STATES_AT);
    this.reasons = bytes(REASONS_AT);
    this.#agentsAddress = u32[answer + AGENTS_AT];
    if (this.#isForgotten) this.#agents = undefined;
    this.#isForgotten = false;
    this.#buffer = buffer;
  }

  /** The handles, in the order of the arrays. */
  get agents() {
    this.#session.refresh();
    return (this.#agents ??= readReferences(this.#session, this.#agentsAddress, this.count, undefined));
  }
}
