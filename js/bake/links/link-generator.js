/// <reference lib="esnext.disposable" preserve="true" />
/**
 * LinkGenerator: makes the segment links of a mesh from the air of its tiles, and says why there is none. A bake with links makes one
 * after its tiles, runs it, and frees it (link-pass.js); Walkmesh.createLinkGenerator makes one for a mesh that exists.
 */
import { NO_OPTIONS, requireBoolean, requireListener, requireOptions, requireReference, requireSignal, requireTilePlace, writePoint } from '../../runtime/arguments.js';
import { writeLinks } from '../../input/link-config.js';
import { LINK_REFUSALS, SEGMENT_LINK_KINDS } from '../../runtime/link-kinds.js';
import { toPlainVolumes } from '../../input/geometry.js';
import { HandleOwner, addressOf, requireMaker } from '../../runtime/handle.js';
import { LINK_GENERATOR, NAV_MESH } from '../../runtime/handle-kinds.js';
import { NavError } from '../../runtime/errors.js';
import { nameSet } from '../../runtime/option-names.js';
import { throwIfAborted, TimeSlices } from '../../runtime/time-slices.js';
import { WmMeshParameters, WmRefusedLink } from '../../runtime/layout.js';
import { requirePool } from '../../workers/pool.js';
import { generateInWorkers } from './generate-in-workers.js';
import { createLinkLevel } from './link-level.js';
import { putLinkedTile, readTileAt } from './link-shares.js';
import { describeLooseEnd, describeRefusal } from './link-words.js';

/** @typedef {import('../../input/config.js').Config} Config */
/** @typedef {import('../../input/geometry.js').Geometry} Geometry */
/** @typedef {import('../../input/link-config.js').LinkConfig} LinkConfig */
/** @typedef {import('../../runtime/link-kinds.js').LinkKind} LinkKind */
/** @typedef {import('./air-collector.js').AirCollector} AirCollector */
/** @typedef {import('../../mesh/mesh.js').NavMesh} NavMesh */
/** @typedef {import('../../runtime/arguments.js').PointArgument} PointArgument */
/** @typedef {import('../../runtime/arguments.js').PolygonRef} PolygonRef */
/** @typedef {import('../../runtime/session.js').Session} Session */
/** @typedef {import('./link-words.js').LinkRefusal} LinkRefusal */
/** @typedef {[number, number, number]} Vector */

/**
 * Why no link leads from a place to another: of all candidates the one that came farthest.
 * @typedef {object} RefusedSegmentLink
 * @property {LinkRefusal | null} reason null: there is a link
 * @property {LinkKind} kind
 * @property {Vector} start the take-off
 * @property {Vector} end the landing, or as far as the candidate came
 * @property {Vector} place of what stopped it
 * @property {number} value that exceeds the limit, if the reason has one and it is known: world units, or a factor; else 0
 * @property {number} limit
 * @property {string} text the reason as a sentence
 */

/**
 * @typedef {object} LinkReport
 * @property {number} count of links
 * @property {Record<LinkKind, number>} counts of each kind
 * @property {number} milliseconds of all tiles; if workers make links, summed over workers
 * @property {number} airBytes bytes of the air of all tiles, uncompressed; of a dynamic mesh as it stores them, compressed
 */

/** @typedef {LinkReport & { refused: RefusedSegmentLink[] }} GeneratedLinks refused: empty unless asked for */

/** @typedef {{ refused?: boolean }} GenerateOptions refused: also lists each position of a border that has no link of a kind, and why; default false */

/**
 * @typedef {object} GenerateAsyncOptions
 * @property {boolean} [refused] as of GenerateOptions
 * @property {import('../../workers/pool.js').WorkerPool} [workers] a pool (Walkmesh.createWorkerPool), which the caller owns: its workers
 *   make the links, and this thread sends them tiles. Default: this thread makes them, in slices
 * @property {AbortSignal} [signal] aborting it ends the work with a NavError `cancelled`; links of tiles that were finished stay
 * @property {number} [sliceMilliseconds] how long this thread works before it rests; default 6. The links of a tile are one step
 * @property {(progress: { done: number, tiles: number }) => void} [onProgress] called after each tile with the number of finished tiles
 */

/** The air of a tile. @typedef {{ x: number, z: number, bytes: Uint8Array }} TileAir */

const GENERATE_NAMES = nameSet(/** @satisfies {import('../../runtime/option-names.js').Names<GenerateOptions>} */ ({ refused: 1 }));
const GENERATE_ASYNC_NAMES = nameSet(/** @satisfies {import('../../runtime/option-names.js').Names<GenerateAsyncOptions>} */ (
  { refused: 1, workers: 1, signal: 1, sliceMilliseconds: 1, onProgress: 1 }));

/** How far around an end without ground the mesh is searched for, world units. */
const NEAR = 100;

/** An empty report. @param {number} airBytes @returns {GeneratedLinks} */
export const emptyReport = (airBytes) => ({ count: 0, counts: { drop: 0, jump: 0, climb: 0, vault: 0 }, milliseconds: 0, airBytes, refused: [] });

/**
 * Reads a WmRefusedLink.
 * @param {Pick<Session, 'u32' | 'f32'>} memory @param {number} at its first word @param {LinkConfig} links of the generator
 * @returns {RefusedSegmentLink}
 */
function readRefused({ u32, f32 }, at, links) {
  const reason = LINK_REFUSALS[(u32[at] & 255) - 1] ?? null, kind = SEGMENT_LINK_KINDS[(u32[at] >>> 8) & 255];
  const point = (/** @type {number} */ word) => /** @type {Vector} */ (Array.from(f32.subarray(at + word, at + word + 3)));
  const { start, end, place, value, limit } = WmRefusedLink;
  return {
    reason, kind, start: point(start), end: point(end), place: point(place), value: f32[at + value], limit: f32[at + limit],
    get text() { return describeRefusal(this, links); }, // a list has many
  };
}

/** @param {Uint8Array | undefined} bytes WmRefusedLinks, in a buffer of their own @param {LinkConfig} links of the generator */
function readAllRefused(bytes = new Uint8Array(0), links) {
  const buffer = /** @type {ArrayBuffer} */ (bytes.buffer), memory = { u32: new Uint32Array(buffer), f32: new Float32Array(buffer) };
  return Array.from({ length: memory.u32.length / WmRefusedLink.words }, (_, i) => readRefused(memory, WmRefusedLink.words * i, links));
}

/** The grid of a mesh, a WmMeshParameters. @param {NavMesh} navMesh */
export function readGrid(navMesh) {
  const { session } = navMesh, at = (session.wasm.mesh_parameters(addressOf(navMesh, NAV_MESH)) >>> 0) / 4;
  session.refresh();
  return session.u32.slice(at, at + WmMeshParameters.words);
}

/**
 * The first end of a link that lies on no ground, and where the mesh is nearest: straight above or below, else anywhere near.
 * @param {NavMesh} navMesh @param {PolygonRef} ref @returns {Pick<RefusedSegmentLink, 'place' | 'value' | 'limit' | 'text'> | undefined}
 */
function findLooseEnd(navMesh, ref) {
  const { start, end, startTied, endTied } = navMesh.segmentLink(ref);
  if (startTied && endTied) return undefined;
  const [left, right] = startTied ? end : start;
  const place = /** @type {Vector} */ (left.map((value, axis) => (value + right[axis]) / 2));
  const { cellSize, cellHeight, agentMaxClimb } = navMesh.parameters;
  const limit = agentMaxClimb + Math.max(cellSize, cellHeight);
  const find = (/** @type {Vector} */ halfExtents) => navMesh.nearestPoint(place, { halfExtents })?.point;
  const nearest = find([cellSize, NEAR, cellSize]) ?? find([NEAR, NEAR, NEAR]);
  const value = nearest ? Math.hypot(...nearest.map((number, axis) => number - place[axis])) : 0;
  return { place, value, limit, text: describeLooseEnd(startTied ? 'end' : 'start', place, nearest, NEAR) };
}

/**
 * Makes the links that start in one tile, and puts them into the mesh.
 * @param {Session} session @param {number} address of the generator in C @param {NavMesh} navMesh @param {{ x: number, z: number }} place
 * @param {{ links: LinkConfig, wantsRefused: boolean }} asked @param {GeneratedLinks} report to which they are added
 */
function runTile(session, address, navMesh, { x, z }, { links, wantsRefused }, report) {
  const { wasm } = session, mesh = addressOf(navMesh, NAV_MESH);
  const start = performance.now();
  session.check(session.guard(() => wasm.link_generator_run(address, mesh, x, z, wantsRefused ? 1 : 0)));
  const { u32, answer } = session;
  for (let i = 0; i < SEGMENT_LINK_KINDS.length; i++) {
    report.counts[SEGMENT_LINK_KINDS[i]] += u32[answer + i];
    report.count += u32[answer + i];
  }
  const refused = u32[answer + SEGMENT_LINK_KINDS.length], count = refused ? u32[answer + SEGMENT_LINK_KINDS.length + 1] : 0;
  for (let i = 0; i < count; i++) report.refused.push(readRefused(session, refused / 4 + WmRefusedLink.words * i, links));
  if (refused) wasm.memory_free(session.handle, refused);
  report.milliseconds += performance.now() - start;
}

/**
 * Makes the links of some tiles, one after another, so that the caller can rest between them.
 * @param {Session} session @param {() => number} findAddress of the generator in C; throws if it was freed
 * @param {{ x: number, z: number }[]} places @param {NavMesh} navMesh that gets them
 * @param {{ links: LinkConfig, wantsRefused: boolean }} asked links: the configuration of the generator
 * @returns {Generator<number, GeneratedLinks, void>} yields the number of tiles after each
 */
export function* runTiles(session, findAddress, places, navMesh, asked) {
  const report = emptyReport(session.wasm.link_generator_air_bytes(findAddress()) >>> 0);
  for (let i = 0; i < places.length; i++) {
    runTile(session, findAddress(), navMesh, places[i], asked, report);
    yield i + 1;
  }
  return report;
}

/** The places of all tiles of a mesh, row by row. @param {NavMesh} navMesh @returns {{ x: number, z: number }[]} */
export function listPlaces(navMesh) {
  const { tileCountX, tileCountZ } = navMesh.parameters;
  return Array.from({ length: tileCountX * tileCountZ }, (_, i) => ({ x: i % tileCountX, z: Math.floor(i / tileCountX) }));
}

/**
 * Makes the segment links of a mesh again, and says why there is none at a place. Made by createLinkGenerator of a Walkmesh, or by a
 * bake with keepLinkGenerator. It keeps the air of the level. The caller frees it; freeing the mesh frees it too.
 */
export class LinkGenerator extends HandleOwner {
  #navMesh;
  #addresses;
  #links;
  /** Of the level, for workers. */
  #config;
  #volumes;

  /**
   * Use createLinkGenerator.
   * @internal @param {NavMesh} navMesh @param {Config} config that of the mesh, with bounds and links
   * @param {Geometry['volumes']} volumes of the level @param {AirCollector} [collected] air that it takes
   */
  constructor(navMesh, config, volumes, collected) {
    const session = requireMaker(navMesh?.session, LINK_GENERATOR);
    const { wasm } = session;
    const level = createLinkLevel(session, config, volumes);
    const addresses = { generator: 0, level };
    super(session, LINK_GENERATOR, level, () => {
      if (addresses.generator) wasm.link_generator_destroy(addresses.generator);
      wasm.bake_destroy(addresses.level);
    }, navMesh.handle);
    this.#navMesh = navMesh;
    this.#addresses = addresses;
    this.#config = config;
    try {
      this.#volumes = toPlainVolumes(volumes);
      this.#links = this.#open(config.links);
      if (collected) session.check(wasm.link_generator_take_air(addresses.generator, collected.address));
    } catch (error) {
      this.free();
      throw error;
    }
  }

  /** The address in C. */
  get #address() {
    addressOf(this, LINK_GENERATOR);
    return this.#addresses.generator;
  }

  /**
   * Replaces the generator in C, whose air the new one takes; on failure the old one stays.
   * @param {unknown} links @param {number} [other] another generator in C, whose air replaces that of the old one
   * @returns {Readonly<LinkConfig>}
   */
  #open(links, other) {
    const { session } = this, { wasm } = session, { generator: old, level } = this.#addresses;
    const inForce = writeLinks(session, level, links);
    session.check(wasm.link_generator_create(level));
    const address = session.u32[session.answer];
    try {
      if (old) session.check(wasm.link_generator_take_air(address, old));
      if (other) session.check(wasm.link_generator_take_air(address, other));
    } catch (error) {
      if (old) wasm.link_generator_take_air(old, address); // has memory for its own air
      wasm.link_generator_destroy(address);
      throw error;
    }
    if (old) wasm.link_generator_destroy(old);
    this.#addresses.generator = address;
    return inForce;
  }

  /**
   * Takes the level and the air of another generator of this mesh, which has the configuration of the mesh. Tiles whose air the other
   * one doesn't have keep theirs.
   * @internal @param {LinkGenerator} other of which only free() is called afterwards
   */
  adopt(other) {
    addressOf(this, LINK_GENERATOR);
    const ours = this.#addresses, theirs = other.#addresses;
    [ours.level, theirs.level] = [theirs.level, ours.level];
    try {
      this.#open(this.#links, theirs.generator);
      this.#config = other.#config;
      this.#volumes = other.#volumes;
    } catch (error) {
      [ours.level, theirs.level] = [theirs.level, ours.level];
      throw error;
    }
  }

  /** Stores the air of a tile. @internal @param {TileAir} air */
  setAir({ x, z, bytes }) {
    const { session } = this, address = this.#address;
    session.withCopy(bytes, (copy) => session.wasm.link_generator_set_air(address, x, z, copy, bytes.length));
  }

  /** A copy of the air of a tile, compressed. @internal @param {number} x @param {number} z @returns {TileAir | undefined} */
  airAt(x, z) {
    const { session } = this, { wasm } = session;
    session.check(wasm.link_generator_copy_air(this.#address, x, z));
    session.refresh();
    const address = session.u32[session.answer];
    if (!address) return undefined;
    const bytes = session.copyReturnedBytes();
    wasm.memory_free(session.handle, address);
    return { x, z, bytes };
  }

  /** The mesh whose links it makes. @internal */
  get navMesh() {
    return this.#navMesh;
  }

  /** The value in force of every field of the configuration of links. */
  get links() {
    addressOf(this, LINK_GENERATOR);
    return this.#links;
  }

  /** Bytes of the air of all tiles, uncompressed. @internal */
  get airBytes() {
    return this.session.wasm.link_generator_air_bytes(this.#address) >>> 0;
  }

  /** Bytes of the module's memory that it has. */
  get memoryBytes() {
    return this.session.wasm.link_generator_bytes(this.#address) >>> 0;
  }

  /** Changes which links are made; the mesh changes with the next generate(). @param {LinkConfig} links without a kind: none */
  configure(links) {
    addressOf(this, LINK_GENERATOR);
    this.#links = this.#open(links);
  }

  /** The places of all tiles, row by row. @internal @returns {{ x: number, z: number }[]} */
  places() {
    return listPlaces(this.#navMesh);
  }

  /**
   * The places whose links can change when a tile changes, and whose tiles and air its links read: the first column and row, the last ones.
   * @internal @param {number} x @param {number} z @returns {[number, number, number, number]}
   */
  reachOf(x, z) {
    const { session } = this;
    session.wasm.link_generator_affected(this.#address, x, z);
    session.refresh();
    const { u32, answer } = session;
    return [u32[answer], u32[answer + 1], u32[answer + 2], u32[answer + 3]];
  }

  /** The places whose links can change when tiles change: also those whose air the links of a place read. @internal @param {{ x: number, z: number }[]} tiles */
  affectedBy(tiles) {
    const { tileCountX, tileCountZ } = this.#navMesh.parameters, width = tileCountX + 1;
    /** How many rectangles begin, minus those that end, at each place: their sums along both axes count the rectangles over it. */
    const counts = new Int32Array(width * (tileCountZ + 1));
    for (const { x, z } of tiles) {
      const [firstX, firstZ, lastX, lastZ] = this.reachOf(x, z);
      counts[firstZ * width + firstX]++;
      counts[firstZ * width + lastX + 1]--;
      counts[(lastZ + 1) * width + firstX]--;
      counts[(lastZ + 1) * width + lastX + 1]++;
    }
    for (let i = 1; i < counts.length; i++) if (i % width !== 0) counts[i] += counts[i - 1];
    for (let i = width; i < counts.length; i++) counts[i] += counts[i - width];
    return this.places().filter(({ x, z }) => counts[z * width + x] > 0);
  }

  /**
   * Makes the links of some tiles, one after another, so that the caller can rest between them.
   * @internal @param {{ x: number, z: number }[]} places @param {boolean} [wantsRefused]
   * @param {NavMesh} [navMesh] that gets them; default: the generator's own
   * @returns {Generator<number, GeneratedLinks, void>} yields the number of tiles after each
   */
  run(places, wantsRefused = false, navMesh = this.#navMesh) {
    return runTiles(this.session, () => this.#address, places, navMesh, { links: this.#links, wantsRefused });
  }

  /** @param {{ x: number, z: number }[]} places @param {GenerateOptions} options */
  #runAll(places, options) {
    const wantsRefused = requireBoolean(requireOptions(options, GENERATE_NAMES).refused ?? false, 'refused');
    const steps = this.run(places, wantsRefused);
    for (;;) {
      const { done, value } = steps.next();
      if (done) return value;
    }
  }

  /**
   * Makes the links of all tiles, in place of those that were generated before. Links made by hand stay, and links that were switched
   * off stay off. The mesh remembers the configuration, for Walkmesh.rebake.
   * @param {GenerateOptions} [options]
   * @returns {GeneratedLinks}
   */
  generate(options = NO_OPTIONS) {
    addressOf(this, LINK_GENERATOR);
    const report = this.#runAll(this.places(), options);
    this.#navMesh.setConfigLinks(this.#links);
    return report;
  }

  /**
   * As generate, without blocking: in slices of this thread, or in workers. It ends with a NavError `state` if configure() is called meanwhile,
   * or if the mesh changes while workers make the links: tiles, flags, connections or links.
   * @param {GenerateAsyncOptions} [options]
   * @returns {Promise<GeneratedLinks>}
   */
  async generateAsync(options = NO_OPTIONS) {
    addressOf(this, LINK_GENERATOR);
    const { refused = false, workers, signal, sliceMilliseconds, onProgress } = requireOptions(options, GENERATE_ASYNC_NAMES);
    const wantsRefused = requireBoolean(refused, 'refused');
    requireSignal(signal);
    requireListener(onProgress, 'onProgress');
    throwIfAborted(signal);
    requirePool(workers);
    const slices = new TimeSlices(sliceMilliseconds, signal);
    const links = this.#links, places = this.places();
    const checkLinks = () => {
      if (this.#links !== links) throw new NavError('state', 'the links were configured anew meanwhile: call generate() or generateAsync() again', { field: 'links' });
    };
    const steps = workers ? await this.#runInWorkers(workers, places, wantsRefused, { slices, signal, onProgress }) : this.run(places, wantsRefused);
    for (;;) {
      checkLinks();
      const { done, value } = steps.next();
      if (done) {
        this.#navMesh.setConfigLinks(links);
        return value;
      }
      if (!workers) onProgress?.({ done: value, tiles: places.length });
      await slices.restIfOver();
    }
  }

  /**
   * Has the links of some places made by workers.
   * @param {import('../../workers/pool.js').WorkerPool} pool @param {{ x: number, z: number }[]} places @param {boolean} wantsRefused
   * @param {Pick<GenerateAsyncOptions, 'signal' | 'onProgress'> & { slices: TimeSlices }} options
   * @returns {Promise<Generator<number, GeneratedLinks, void>>} puts them into the mesh, as run()
   */
  async #runInWorkers(pool, places, wantsRefused, { slices, signal, onProgress }) {
    const navMesh = this.#navMesh, links = this.#links, { version } = navMesh;
    const level = { config: { ...this.#config, links }, volumes: this.#volumes, grid: readGrid(navMesh) };
    const made = await generateInWorkers(pool, level, places, {
      reachOf: (x, z) => this.reachOf(x, z),
      read: (place) => {
        const air = this.airAt(place.x, place.z);
        return air && { x: place.x, z: place.z, bytes: readTileAt(navMesh, place), air: air.bytes };
      },
    }, wantsRefused, { slices, signal, onLinked: (done, tiles) => onProgress?.({ done, tiles }) });
    const report = emptyReport(this.airBytes);
    let known = version;
    const check = () => {
      addressOf(this, LINK_GENERATOR);
      if (navMesh.version !== known) throw new NavError('state', 'the mesh was changed meanwhile: call generate() or generateAsync() again');
    };
    return (function* put() {
      for (let i = 0; i < places.length; i++) {
        check();
        putLinkedTile(navMesh, places[i], made[i], report);
        for (const refused of readAllRefused(made[i].refused, links)) report.refused.push(refused);
        known = navMesh.version;
        yield i + 1;
      }
      return report;
    })();
  }

  /**
   * As generate, for the links that start in one tile.
   * @param {number} x @param {number} z @param {GenerateOptions} [options]
   * @returns {GeneratedLinks}
   */
  generateTile(x, z, options = NO_OPTIONS) {
    addressOf(this, LINK_GENERATOR);
    requireTilePlace(x, z);
    return this.#runAll([{ x, z }], options);
  }

  /**
   * Says why no link leads from one place to another. Its `text` is a sentence.
   * @param {PointArgument} from within the radius and six cells of a border of the mesh that faces `to` @param {PointArgument} to on ground of the mesh, also
   *   behind the landing
   * @returns {RefusedSegmentLink} its reason is null if there is a link, whose `end` may lie before `to`
   */
  explainLink(from, to) {
    const { session } = this, address = this.#address, mesh = addressOf(this.#navMesh, NAV_MESH);
    const { calls } = session;
    session.refresh();
    writePoint(session, 0, from, 'from');
    writePoint(session, 3, to, 'to');
    session.requireNoCallSince(calls);
    session.check(session.guard(() => session.wasm.link_generator_explain(address, mesh)));
    return { ...readRefused(session, session.answer, this.#links) }; // the text as a string, which prints
  }

  /**
   * Says whether the body passes along a link of the mesh: at positions at most a cell apart across it, along its trajectory. Links that
   * are generated always pass; those made by hand aren't checked when they are added.
   * @param {PolygonRef} ref of a segment link
   * @returns {RefusedSegmentLink} its reason is null if it passes; else `no-ground` with the middle of the end that lies on no ground, how far
   *   the mesh is, and how far above or below it may be; `blocked`, `no-room` or `tile-missing` with the first position at which it doesn't
   *   pass; or `too-far`
   */
  checkLink(ref) {
    const { session } = this, address = this.#address, mesh = addressOf(this.#navMesh, NAV_MESH);
    requireReference(ref, 'ref');
    session.check(session.guard(() => session.wasm.link_generator_check(address, mesh, ref)));
    session.refresh();
    const checked = readRefused(session, session.answer, this.#links);
    const loose = checked.reason === 'tile-missing' || checked.reason === 'too-far' ? undefined : findLooseEnd(this.#navMesh, ref);
    if (loose) return { ...checked, reason: 'no-ground', ...loose };
    return checked.reason === null ? { ...checked, text: `Nothing blocks the ${checked.kind}` } : { ...checked };
  }
}
