/**
 * What cuts islands off, one island after another: asks the stage worker for the settings that join each. It starts when somebody looks, since
 * each island takes some bakes of the ground around it.
 */
import { toLinkConfig } from '../links/kinds.js';
import { causeOf, targetOf } from './cause-words.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('./borders.js').Reach} Reach */
/** @typedef {import('./cause-words.js').Cause} Cause */
/** @typedef {import('../stages/joins.js').Fields} Fields */
/** @typedef {import('../stages/joins.js').Join} Join */

/** Fields of which lower values join more. */
const LOWERED = ['agentRadius', 'agentHeight', 'minRegionSize', 'cellSize'];

/**
 * The fields of a change that joins an island to the main ground, perhaps by way of others that the same field joins; null: it doesn't.
 * @param {ReadonlyMap<number, Join | null>} joins by island @param {(island: number, join: Join) => number} next the island that a change joins
 * @param {number} island @returns {Fields | null}
 */
export function fieldsToMain(joins, next, island) {
  const seen = new Set();
  const [name] = Object.keys(joins.get(island)?.fields ?? {});
  /** @type {Fields} */
  let all = {};
  for (let at = island; at !== 1; ) {
    const join = joins.get(at);
    if (!join || seen.has(at)) return null;
    seen.add(at);
    const target = next(at, join);
    // Several fields may lead to the main ground at once, not by way of others.
    if (target === 1 && at === island) return join.fields;
    const value = join.fields[/** @type {keyof Fields} */ (name)];
    if (value === undefined || Object.keys(join.fields).length > 1) return null;
    const before = all[/** @type {keyof Fields} */ (name)] ?? value;
    all = { [name]: LOWERED.includes(name) ? Math.min(before, value) : Math.max(before, value) };
    at = target;
  }
  return all;
}

export class Causes {
  #app;
  #changed;
  /** What may join each island, in the order of the list. @type {Map<number, Reach>} */
  #reaches = new Map();
  /** @type {Map<number, number>} */
  #areas = new Map();
  /** Answers of the worker. @type {Map<number, Join | null>} */
  #known = new Map();
  /** Changes of links that join each. @type {Map<number, import('../stages/links-between.js').LinkChange[]>} */
  #links = new Map();
  /** Islands to look at, the next one first. @type {number[]} */
  #waiting = [];
  #isRunning = false;
  /** Counts the meshes: answers about an older one are ignored. */
  #mesh = 0;

  /** @param {App} app @param {() => void} changed called with each answer */
  constructor(app, changed) {
    this.#app = app;
    this.#changed = changed;
  }

  /** Begins a new mesh. @param {Map<number, Reach>} [reaches] of the listed islands @param {Map<number, number>} [areas] of all islands but the main ground */
  begin(reaches = new Map(), areas = new Map()) {
    this.#mesh++;
    this.#areas = areas;
    this.#reaches = reaches;
    this.#known.clear();
    this.#links.clear();
    this.#waiting = [];
  }

  /** @param {number} island @returns {Cause | null} null: not known yet, or not in the list */
  of(island) {
    const reach = this.#reaches.get(island);
    const join = this.#known.get(island);
    if (!reach || join === undefined) return null;
    const fields = fieldsToMain(this.#known, (other, each) => targetOf(each, /** @type {Reach} */ (this.#reaches.get(other))), island);
    const { document } = this.#app.store.state;
    // By way of other islands, the alternative may not be enough.
    const isDirect = fields === null || fields === join?.fields;
    return causeOf(join && { ...join, fields: fields ?? join.fields, ...(!isDirect && { alternative: undefined }) }, reach, document,
      { isWhole: fields !== null, areaOf: (other) => this.#areas.get(other) ?? 0, links: this.#links.get(island), hasClosedDoor: document.doors.some(({ open }) => !open) });
  }

  /** True if nothing is left to find for an island. @param {number} island */
  isKnown(island) {
    return this.#known.has(island) || !this.#reaches.has(island);
  }

  /** Finds the causes of some islands before those of others. @param {readonly number[]} islands */
  want(islands) {
    const missing = islands.filter((island) => !this.isKnown(island));
    if (missing.length === 0) return;
    this.#waiting = [...missing, ...this.#waiting.filter((island) => !missing.includes(island))];
    if (!this.#isRunning) void this.#run();
  }

  async #run() {
    this.#isRunning = true;
    for (let island = this.#waiting.shift(); island !== undefined; island = this.#waiting.shift()) {
      const reach = this.#reaches.get(island);
      const mesh = this.#mesh;
      if (!reach || this.#known.has(island)) continue;
      // null: the configuration changed meanwhile, and a new mesh will come.
      const answer = await this.#app.stages.findJoin(reach, toLinkConfig(this.#app.store.state.document)).catch(() => undefined);
      if (mesh !== this.#mesh || answer === null) continue;
      if (answer === undefined) {
        // The stages can't be baked here: nothing is known.
        this.#reaches.delete(island);
        continue;
      }
      this.#known.set(island, answer.join);
      this.#links.set(island, answer.links);
      this.#changed();
    }
    this.#isRunning = false;
  }
}
