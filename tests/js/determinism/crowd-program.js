/**
 * Writes a program for crowds: a seeded list of calls as a file with the same bytes on every machine. The calls do not depend on
 * the agents' motion. tests/c/crowd_player.c plays the program natively, crowd-player.js through the package; hashes must be equal.
 *
 * The file has 32-bit words, little-endian: the size and bytes of a mesh (.walkmesh), then of each tile, then calls until the file
 * ends. Calls name agents by slots, numbered from 0 in the order of adding; a replaced agent leaves its slot to the new one.
 */
import { load } from '../../../js/index.js';
import { makeRandom } from '../random.js';

/** Calls and their words. tests/c/crowd_player.c has the same list. */
export const CALLS = {
  step: 1, // seconds
  hash: 2,
  add: 3, // count, each: x y z, radius, maxSpeed, separation, avoidance, priority, filter
  churn: 4, // count, each: slot, x y z: removes the agent and adds another one there
  target: 5, // count, 1 if one target serves all, slots, points
  velocity: 6, // slot, x y z
  stop: 7, // slot
  pause: 8, // slot, 1 or 0
  warp: 9, // slot, x y z
  move: 10, // slot, x y z
  parameters: 11, // slot, maxSpeed, avoidance, priority
  obstacles: 12, // count, each: x y z, velocity, radius
  focus: 13, // count, each: x y z
  filter: 14, // number, excluded flags, area, its cost
  putTile: 15, // index of the tile
  dropTile: 16, // x, z
  connect: 17, // start, end: 6
  disconnect: 18, // the first connection
  flags: 19, // tile x, z, polygon modulo their number, flags
  budget: 20, // polygons per step
};

const STEP = 1 / 60;
const SIZE = 48;
const TILES = 5;

/** A field with posts, mud (area 5) and optionally with a row of crates. @param {boolean} hasCrates */
function makeLevel(hasCrates) {
  const positions = [0, 0, 0, 0, 0, SIZE, SIZE, 0, SIZE, SIZE, 0, 0];
  const indices = [0, 1, 2, 0, 2, 3];
  const boxes = [[12, 12, 1], [24, 10, 2], [36, 14, 1], [14, 30, 2], [30, 28, 1.5], [40, 38, 1]];
  if (hasCrates) boxes.push([20, 20, 1.5], [8, 22, 1.2], [33, 20, 1], [24, 36, 2], [42, 24, 1]);
  for (const [x, z, half] of boxes) {
    const first = positions.length / 3;
    for (const [dx, dz] of [[-1, -1], [-1, 1], [1, 1], [1, -1]]) positions.push(x + dx * half, 2, z + dz * half, x + dx * half, 0, z + dz * half);
    indices.push(...[0, 2, 4, 0, 4, 6].map((i) => first + i));
    for (let side = 0; side < 4; side++) {
      const [a, b] = [first + 2 * side, first + 2 * ((side + 1) % 4)];
      indices.push(a, a + 1, b + 1, a, b + 1, b);
    }
  }
  const mud = { kind: /** @type {const} */ ('box'), min: [16, -1, 4], max: [32, 3, 20], area: 5 };
  return { positions: Float32Array.from(positions), indices: Uint32Array.from(indices), volumes: [mud] };
}

/** The mesh, and its tiles with and without crates, baked by the given build (all bake the same bytes). @param {any} walkmesh */
function bakeParts(walkmesh) {
  const config = { tileSize: 32, cellSize: 0.3, agentRadius: 0.4 };
  const [open, crated] = [false, true].map((hasCrates) => walkmesh.bake(makeLevel(hasCrates), config).navMesh);
  const tiles = [];
  for (const navMesh of [open, crated]) {
    for (let z = 0; z < TILES; z++) for (let x = 0; x < TILES; x++) tiles.push(navMesh.tileBytes(navMesh.tileAt(x, z)));
  }
  const mesh = open.save();
  open.free();
  crated.free();
  return { mesh, tiles };
}

/** Writes words. */
class Writer {
  #bytes = new DataView(new ArrayBuffer(1 << 23));
  #at = 0;

  /** @param {...number} values whole numbers */
  words(...values) {
    for (const value of values) this.#bytes.setUint32((this.#at += 4) - 4, value, true);
  }

  /** @param {...number} values */
  numbers(...values) {
    for (const value of values) this.#bytes.setFloat32((this.#at += 4) - 4, value, true);
  }

  /** @param {Uint8Array} bytes */
  block(bytes) {
    this.words(bytes.length);
    new Uint8Array(this.#bytes.buffer).set(bytes, this.#at);
    this.#at += (bytes.length + 3) & ~3;
  }

  take() {
    return new Uint8Array(this.#bytes.buffer, 0, this.#at);
  }
}

/** Calls between two steps. @typedef {(writer: Writer, random: ReturnType<typeof makeRandom>, agents: number) => void} Event */

const C = CALLS;
const someone = (/** @type {any} */ random, /** @type {number} */ agents) => random.below(agents);
const somewhere = (/** @type {any} */ random) => [random.between(-1, SIZE + 1), 0, random.between(-1, SIZE + 1)];
/** Random slots, all different. */
const some = (/** @type {any} */ random, /** @type {number} */ agents, /** @type {number} */ most) =>
  [...new Set(Array.from({ length: 1 + random.below(most) }, () => someone(random, agents)))];

/** Events, each with its mean interval in steps. @type {[number, Event][]} */
const EVENTS = [
  [6, (w, r, n) => { const who = some(r, n, 4); w.words(C.target, who.length, 0, ...who); who.forEach(() => w.numbers(...somewhere(r))); }],
  [200, (w, r, n) => { const who = some(r, n, 12); w.words(C.target, who.length, 1, ...who); w.numbers(...somewhere(r)); }],
  [60, (w, r, n) => { const who = some(r, n, 6); w.words(C.churn, who.length); who.forEach((slot) => { w.words(slot); w.numbers(...somewhere(r)); }); }],
  [80, (w, r, n) => { w.words(C.velocity, someone(r, n)); w.numbers(r.between(-3, 3), 0, r.between(-3, 3)); }],
  [90, (w, r, n) => w.words(C.stop, someone(r, n))],
  [40, (w, r, n) => w.words(C.pause, someone(r, n), r.below(3) === 0 ? 1 : 0)],
  [150, (w, r, n) => { w.words(C.warp, someone(r, n)); w.numbers(...somewhere(r)); }],
  [50, (w, r, n) => { w.words(C.move, someone(r, n)); w.numbers(r.between(-0.5, 0.5), 0, r.between(-0.5, 0.5)); }],
  [70, (w, r, n) => { w.words(C.parameters, someone(r, n)); w.numbers(r.between(1, 6)); w.words(r.below(5), r.below(100)); }],
  [100, (w, r) => {
    const count = r.below(4);
    w.words(C.obstacles, count);
    for (let i = 0; i < count; i++) w.numbers(...somewhere(r), r.between(-1, 1), 0, r.between(-1, 1), r.between(0.3, 1.5));
  }],
  [400, (w, r) => { const count = r.below(2); w.words(C.focus, count); for (let i = 0; i < count; i++) w.numbers(...somewhere(r)); }],
  [500, (w, r) => { w.words(C.filter, 1 + r.below(2), r.below(2) * 2, 5); w.numbers(r.between(0.5, 8)); }],
  [35, (w, r) => w.words(C.putTile, r.below(2 * TILES * TILES))],
  [120, (w, r) => w.words(C.dropTile, r.below(TILES), r.below(TILES))],
  [150, (w, r) => { w.words(C.connect); w.numbers(...somewhere(r), ...somewhere(r)); }],
  [170, (w) => w.words(C.disconnect)],
  [90, (w, r) => w.words(C.flags, r.below(TILES), r.below(TILES), r.below(100), r.below(4))],
  [300, (w, r) => w.words(C.budget, 1 << r.below(8))],
];

/**
 * @param {{ seed?: number, agents?: number, steps?: number, hashEvery?: number, walkmesh?: any }} [options]
 * @returns {Promise<Uint8Array>}
 */
export async function makeCrowdProgram({ seed = 1, agents = 60, steps = 10000, hashEvery = 100, walkmesh = undefined } = {}) {
  const random = makeRandom(seed), writer = new Writer();
  const { mesh, tiles } = bakeParts(walkmesh ?? await load());
  writer.block(mesh);
  writer.words(tiles.length);
  for (const tile of tiles) writer.block(tile);
  writer.words(C.add, agents);
  for (let i = 0; i < agents; i++) {
    writer.numbers(...somewhere(random), random.between(0.25, 0.6), random.between(1, 5), random.below(4) === 0 ? 1 : 0);
    writer.words(random.below(5), random.below(100), random.below(3));
  }
  for (let step = 1; step <= steps; step++) {
    for (const [every, happen] of EVENTS) if (random.below(every) === 0) happen(writer, random, agents);
    writer.words(C.step);
    writer.numbers(random.below(20) === 0 ? random.between(0, 0.12) : STEP);
    if (step % hashEvery === 0) writer.words(C.hash);
  }
  return writer.take().slice();
}
