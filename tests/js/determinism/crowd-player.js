/** Plays a program of crowd-program.js through the package. */
import { AVOIDANCE } from '../../../js/index.js';
import { CALLS } from './crowd-program.js';

const NAMES = Object.fromEntries(Object.entries(CALLS).map(([name, number]) => [number, name]));

/** FNV-1a. @param {Uint8Array} bytes */
function hashBytes(bytes) {
  let hash = 0x811c9dc5;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}

class Player {
  #words;
  #numbers;
  #at = 0;
  /** @type {number[]} */
  #slots = [];
  /** @type {string[]} */
  hashes = [];

  /** @param {any} walkmesh @param {Uint8Array} program @param {boolean} isShuffled @param {boolean} isSaved */
  constructor(walkmesh, program, isShuffled, isSaved) {
    this.#words = new Uint32Array(program.buffer, program.byteOffset, program.length / 4);
    this.#numbers = new Float32Array(program.buffer, program.byteOffset, program.length / 4);
    this.isShuffled = isShuffled;
    this.isSaved = isSaved;
    this.navMesh = walkmesh.loadNavMesh(this.#readBlock());
    this.tiles = Array.from({ length: this.#word() }, () => this.#readBlock());
    this.crowd = this.navMesh.createCrowd();
  }

  play() {
    while (this.#at < this.#words.length) {
      const call = this.#word();
      /** @type {any} */ (this)[NAMES[call]]();
    }
    this.navMesh.free();
    return this.hashes;
  }

  #word() {
    return this.#words[this.#at++];
  }

  #number() {
    return this.#numbers[this.#at++];
  }

  #point() {
    return [this.#number(), this.#number(), this.#number()];
  }

  #agent() {
    return this.#slots[this.#word()];
  }

  #readBlock() {
    const length = this.#word();
    const words = this.#words.subarray(this.#at, (this.#at += Math.ceil(length / 4)));
    return new Uint8Array(words.buffer, words.byteOffset, length).slice();
  }

  /** @template T @param {() => T} read @returns {T[]} */
  #list(read, count = this.#word()) {
    return Array.from({ length: count }, read);
  }

  step() {
    this.crowd.step(this.#number());
  }

  hash() {
    this.hashes.push(this.crowd.hash());
    if (this.isSaved) this.#saveAndLoad();
  }

  /** Replaces the crowd by the one that its bytes give. */
  #saveAndLoad() {
    const bytes = this.crowd.save();
    this.hashes.push(hashBytes(bytes));
    this.crowd.free();
    this.crowd = this.navMesh.loadCrowd(bytes);
  }

  add() {
    const all = this.#list(() => ({
      place: this.#point(), radius: this.#number(), maxSpeed: this.#number(), separation: this.#number(), avoidance: AVOIDANCE[this.#word()],
      priority: this.#word(), filter: this.#word(),
    }));
    this.#slots = [...this.crowd.addAgents(all.map(({ place }) => place), all.map(({ place, ...parameters }) => parameters))];
  }

  /**
   * The number that was freed last is reused first. Both lists are reversed when shuffled: each new agent gets the same number, but
   * another index in the arrays.
   */
  churn() {
    const all = this.#list(() => ({ slot: this.#word(), place: this.#point() }));
    const leaving = this.isShuffled ? [...all].reverse() : all;
    this.crowd.remove(leaving.map(({ slot }) => this.#slots[slot]));
    const agents = this.crowd.addAgents(leaving.map(({ place }) => place));
    leaving.forEach(({ slot }, i) => (this.#slots[slot] = agents[i]));
  }

  target() {
    const count = this.#word(), isShared = this.#word() === 1;
    const agents = this.#list(() => this.#agent(), count);
    const points = this.#list(() => this.#point(), isShared ? 1 : count);
    this.crowd.setTarget(agents, isShared ? points[0] : points);
  }

  velocity() {
    this.crowd.setVelocity(this.#agent(), this.#point());
  }

  stop() {
    this.crowd.stop(this.#agent());
  }

  pause() {
    const agent = this.#agent();
    if (this.#word()) this.crowd.pause(agent);
    else this.crowd.resume(agent);
  }

  warp() {
    this.crowd.warp(this.#agent(), this.#point());
  }

  move() {
    this.crowd.move(this.#agent(), this.#point());
  }

  parameters() {
    const agent = this.#agent();
    this.crowd.setParameters(agent, { maxSpeed: this.#number(), avoidance: AVOIDANCE[this.#word()], priority: this.#word() });
  }

  obstacles() {
    const all = this.#list(() => ({ place: this.#point(), velocity: this.#point(), radius: this.#number() }));
    this.crowd.setObstacles({
      positions: all.map(({ place }) => place), velocities: all.map(({ velocity }) => velocity), radii: all.map(({ radius }) => radius) });
  }

  focus() {
    const points = this.#list(() => this.#point());
    this.crowd.setFocus(points.length ? points : null);
  }

  filter() {
    this.crowd.setFilter(this.#word(), { excludeFlags: this.#word(), areaCosts: { [this.#word()]: this.#number() } });
  }

  putTile() {
    this.navMesh.replaceTile(this.tiles[this.#word()]);
  }

  dropTile() {
    const tile = this.navMesh.tileAt(this.#word(), this.#word());
    if (tile) this.navMesh.removeTile(tile);
  }

  connect() {
    this.navMesh.addConnection({ start: this.#point(), end: this.#point(), radius: 2 });
  }

  disconnect() {
    const [first] = this.navMesh.connections();
    if (first) this.navMesh.removeConnection(first);
  }

  flags() {
    const tile = this.navMesh.tileAt(this.#word(), this.#word());
    const [polygon, flags] = [this.#word(), this.#word()];
    if (!tile) return;
    const { polygons } = this.navMesh.tiles().find(({ ref }) => ref === tile);
    this.navMesh.setPolygonFlags(tile + (polygon % polygons), flags);
  }

  budget() {
    this.crowd.setOptions({ searchBudget: this.#word() });
  }
}

/**
 * Returns the hashes that the program requests.
 * @param {any} walkmesh @param {Uint8Array} program @param {{ isShuffled?: boolean, isSaved?: boolean }} [options] shuffled: agents lie
 *   in another order in the arrays; saved: after each hash comes one of the saved crowd, and the loaded crowd goes on
 * @returns {string[]}
 */
export function playCrowdProgram(walkmesh, program, { isShuffled = false, isSaved = false } = {}) {
  return new Player(walkmesh, program, isShuffled, isSaved).play();
}
