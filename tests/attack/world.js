/**
 * The objects that a case attacks: each is made when a case first uses it, from one small level, and freed after the case. A
 * public class without a row in MAKERS fails the test: a new class gets one here.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as core from '../../js/core.js';
import * as game from '../../js/game.js';
import * as index from '../../js/index.js';
import * as level from '../../js/level/index.js';
import * as node from '../../js/node/index.js';
import * as recastThree from '../../js/recast-navigation-three/index.js';
import * as recast from '../../js/recast-navigation/index.js';
import { getWalkmesh } from '../../js/recast-navigation/instance.js';
import * as three from '../../js/three/index.js';
import { ROOT } from '../../scripts/setup.js';
import { freeOf } from './hostile.js';

/** The modules of the entries (api.js). @type {Record<string, any>} */
export const MODULES = { index, core, game, level, node, three, 'recast-navigation': recast, 'recast-navigation/three': recastThree };

/** A floor of 8 metres with a block on it, an area, a connection: four tiles, a millisecond to bake. */
export const makeLevel = () => ({
  positions: Float32Array.of(0, 0, 0, 0, 0, 8, 8, 0, 8, 8, 0, 0, 3, 2, 3, 3, 2, 5, 5, 2, 5, 5, 2, 3),
  indices: Uint32Array.of(0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7),
  volumes: [{ kind: 'box', min: [0, -1, 0], max: [2, 1, 8], area: 3 }],
  offMeshConnections: [{ start: [1, 0, 1], end: [7, 0, 7], radius: 1 }],
});
export const makeConfig = () => ({ cellSize: 0.5, cellHeight: 0.25, agentRadius: 0.5, tileSize: 8 });
/** A point on the floor. */
export const PLACE = [1, 0, 1];
export const TARGET = [7, 0, 6];

/** Bytes of each kind of file, made once. @type {Map<string, Uint8Array> | undefined} */
let files;

const GLB_FLOOR = () => {
  const json = JSON.stringify({ asset: { version: '2.0' }, buffers: [{ byteLength: 44 }],
    bufferViews: [{ buffer: 0, byteLength: 36 }, { buffer: 0, byteOffset: 36, byteLength: 6 }],
    accessors: [{ bufferView: 0, componentType: 5126, count: 3, type: 'VEC3', min: [0, 0, 0], max: [4, 0, 4] }, { bufferView: 1, componentType: 5123, count: 3, type: 'SCALAR' }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1 }] }], nodes: [{ mesh: 0 }], scenes: [{ nodes: [0] }], scene: 0 });
  const text = new TextEncoder().encode(json.padEnd(Math.ceil(json.length / 4) * 4));
  const bytes = new Uint8Array(12 + 8 + text.length + 8 + 44), view = new DataView(bytes.buffer);
  [0x46546c67, 2, bytes.length, text.length, 0x4e4f534a].forEach((word, i) => view.setUint32(4 * i, word, true));
  bytes.set(text, 20);
  view.setUint32(20 + text.length, 44, true);
  view.setUint32(24 + text.length, 0x004e4942, true);
  [0, 0, 0, 0, 0, 4, 4, 0, 4].forEach((value, i) => view.setFloat32(28 + text.length + 4 * i, value, true));
  [0, 1, 2].forEach((value, i) => view.setUint16(28 + text.length + 36 + 2 * i, value, true));
  return bytes;
};

/** @param {any} walkmesh */
export function makeFiles(walkmesh) {
  if (files) return files;
  const { navMesh, dynamic } = walkmesh.bakeDynamic(makeLevel(), makeConfig());
  dynamic.addObstacle({ kind: 'cylinder', base: [6, 0, 6], radius: 0.5, height: 2 });
  dynamic.update();
  const tile = navMesh.tileAt(0, 0);
  files = new Map(Object.entries({
    walkmesh: navMesh.save(), dynamic: dynamic.save(), set: navMesh.exportDetour('set'), set64: navMesh.exportDetour('set64'),
    tile: navMesh.tileBytes(tile), tileState: navMesh.saveTileState(tile), kept: dynamic.keptTile(0, 0),
    tileCache: new Uint8Array(readFileSync(join(ROOT, 'tests/golden/detour-cache/tower.tset'))),
    obj: new TextEncoder().encode('v 0 0 0\nv 0 0 4\nv 4 0 4\nf 1 2 3\n'), glb: GLB_FLOOR(),
  }));
  navMesh.free();
  return files;
}

/** How to make an object of each public class. @type {Record<string, (world: World) => any>} */
export const MAKERS = {
  Walkmesh: ({ walkmesh }) => walkmesh,
  NavMesh: (world) => world.walkmesh.bake(makeLevel(), makeConfig()).navMesh,
  DynamicNavMesh(world) {
    const { dynamic } = world.walkmesh.bakeDynamic(makeLevel(), makeConfig());
    world.track(dynamic.navMesh);
    dynamic.addObstacle({ kind: 'box', min: [2, 0, 2], max: [3, 2, 3] });
    return dynamic;
  },
  Crowd(world) {
    const crowd = world.get('NavMesh').createCrowd();
    const agents = crowd.addAgents([1, 0, 1, 2, 0, 1, 7, 0, 7]);
    crowd.setTarget(agents, TARGET);
    crowd.step(0.1);
    return crowd;
  },
  PathCorridor(world) {
    const navMesh = world.get('NavMesh'), made = navMesh.createCorridor(world.polygon(), PLACE);
    const end = navMesh.nearestPoint(TARGET);
    made.set(end.point, navMesh.findCorridor(world.polygon(), PLACE, end.polygon, end.point));
    return made;
  },
  Search(world) {
    const navMesh = world.get('NavMesh'), search = navMesh.createSearch(), end = navMesh.nearestPoint(TARGET);
    search.begin(world.polygon(), PLACE, end.polygon, end.point);
    search.advance(100);
    return search;
  },
  Filter: (world) => world.get('NavMesh').createFilter({ areaCosts: { 3: 2 } }),
  TileGraph: (world) => world.get('NavMesh').createTileGraph(),
  Islands: (world) => world.get('NavMesh').islands(),
  Switches(world) {
    const switches = world.get('NavMesh').createSwitches();
    switches.addDoor({ volume: { kind: 'box', min: [4, -1, 0], max: [5, 1, 8] }, name: 'door' });
    return switches;
  },
  Door: (world) => world.get('Switches').door(world.get('Switches').numbers()[0]),
  Baker(world) {
    const baker = world.walkmesh.createBaker(makeLevel(), makeConfig());
    baker.beginTile(0, 0);
    for (let i = 0; i < 3; i++) baker.step();
    return baker;
  },
  Rebake(world) {
    const rebake = world.walkmesh.createRebake(world.get('NavMesh'), makeLevel());
    rebake.update({ tiles: 1 });
    return rebake;
  },
  FixedStep: (world) => new index.FixedStep(world.get('Crowd'), { step: 0.1 }),
  TileStreamer: (world) => new index.TileStreamer(world.get('NavMesh'), () => null, { innerRadius: 4, outerRadius: 8 }),
  LinkGenerator(world) {
    const { navMesh, linkGenerator } = world.walkmesh.bake(makeLevel(), { ...makeConfig(), links: { drop: { maxHeight: 3 }, jump: { maxDistance: 3 } } },
      { keepLinkGenerator: true });
    world.track(navMesh);
    return linkGenerator;
  },
  MemoryTileCache() {
    const cache = new index.MemoryTileCache({ maxBytes: 1e6 });
    cache.set('0123456789abcdef0123456789abcdef', new Uint8Array(64));
    return cache;
  },
  IndexedDbTileCache: () => new index.IndexedDbTileCache({ name: 'attack' }),
  WorkerPool: (world) => world.shared.pool(),
  Random: () => new index.Random(7),
  NavError: () => new index.NavError('file', 'an error'),
  'core/Walkmesh': ({ shared }) => shared.core,
  'game/Walkmesh': ({ shared }) => shared.game,
  'core/NavMesh': ({ shared }) => shared.core.bake({ ...makeLevel(), volumes: undefined }, makeConfig()).navMesh,
  'core/NavError': () => new core.NavError('file', 'an error'),
  'node/DiskTileCache': ({ shared }) => new node.DiskTileCache(shared.folder, { maxBytes: 1e6 }),
};
/** A helper, and what it draws. @param {string} name @param {string} [drawn] */
const makeHelper = (name, drawn) => (/** @type {World} */ world) => new (/** @type {any} */ (three))[name](...(drawn ? [world.get(drawn)] : []));
Object.assign(MAKERS, {
  'three/AgentsHelper': makeHelper('AgentsHelper'), 'three/ContoursHelper': makeHelper('ContoursHelper'), 'three/VoxelsHelper': makeHelper('VoxelsHelper'),
  'three/ConnectionsHelper': makeHelper('ConnectionsHelper', 'NavMesh'), 'three/LinksHelper': makeHelper('LinksHelper', 'NavMesh'),
  'three/SegmentLinksHelper': makeHelper('SegmentLinksHelper', 'NavMesh'), 'three/TileGraphHelper': makeHelper('TileGraphHelper', 'TileGraph'), 'three/NavMeshHelper': makeHelper('NavMeshHelper', 'NavMesh'), 'three/PolygonsHelper': makeHelper('PolygonsHelper', 'NavMesh'),
  'three/CrowdHelper': makeHelper('CrowdHelper', 'Crowd'), 'three/ObstaclesHelper': makeHelper('ObstaclesHelper', 'DynamicNavMesh'),
  'three/RebuiltTilesHelper': makeHelper('RebuiltTilesHelper', 'DynamicNavMesh'),
  'three/PathHelper': () => new three.PathHelper([PLACE, TARGET]),
});

/** @param {any} result of a generator */
function requireSuccess(result) {
  if (!result.success) throw new Error(result.error);
  return result;
}
/** A level and a configuration as recast-navigation has them: four tiles. */
export const RECAST_LEVEL = () => [makeLevel().positions, makeLevel().indices];
export const makeRecastConfig = () => ({ cs: 0.5, ch: 0.25, walkableRadius: 1, tileSize: 8 });
Object.assign(MAKERS, {
  'recast-navigation/NavMesh': () => requireSuccess(recast.generateTiledNavMesh(...RECAST_LEVEL(), makeRecastConfig())).navMesh,
  'recast-navigation/NavMeshQuery': (world) => new recast.NavMeshQuery(world.get('recast-navigation/NavMesh')),
  'recast-navigation/QueryFilter': () => new recast.QueryFilter(),
  'recast-navigation/Crowd'(world) {
    const crowd = new recast.Crowd(world.get('recast-navigation/NavMesh'), { maxAgents: 3, maxAgentRadius: 1 });
    const [agent] = [PLACE, TARGET].map(([x, y, z]) => crowd.addAgent({ x, y, z }));
    agent.requestMoveTarget({ x: 7, y: 0, z: 6 });
    crowd.update(0.1);
    return crowd;
  },
  'recast-navigation/CrowdAgent': (world) => world.get('recast-navigation/Crowd').getAgents()[0],
  'recast-navigation/TileCache'(world) {
    const { navMesh, tileCache } = requireSuccess(recast.generateTileCache(...RECAST_LEVEL(), makeRecastConfig()));
    world.track(navMesh);
    tileCache.addCylinderObstacle({ x: 6, y: 0, z: 2 }, 0.5, 2);
    return tileCache;
  },
  'recast-navigation/TileCacheMeshProcess': () => recast.createDefaultTileCacheMeshProcess(),
  'recast-navigation/NavMeshCreateParams'(world) {
    const { raw } = world.get('recast-navigation/NavMesh');
    return Reflect.construct(recast.NavMeshCreateParams, [index.readTile(raw.tileBytes(raw.tileAt(0, 0)))]);
  },
  'recast-navigation/NumberArray': () => new recast.FloatArray(Float32Array.of(1, 0, 1)),
  'recast-navigation/FloatArray': () => new recast.FloatArray(Float32Array.of(1, 0, 1)),
  'recast-navigation/IntArray': () => new recast.IntArray(Int32Array.of(0, 1, 2)),
  'recast-navigation/UnsignedIntArray': () => new recast.UnsignedIntArray(Uint32Array.of(0, 1, 2)),
  'recast-navigation/UnsignedCharArray': () => new recast.UnsignedCharArray(Uint8Array.of(0, 1, 2)),
  'recast-navigation/UnsignedShortArray': () => new recast.UnsignedShortArray(Uint16Array.of(0, 1, 2)),
  'recast-navigation/RecastLinearAllocator': () => Reflect.construct(recast.Raw.RecastLinearAllocator, []),
  'recast-navigation/RecastFastLZCompressor': () => Reflect.construct(recast.Raw.RecastFastLZCompressor, []),
  'recast-navigation/three/CrowdHelper': (world) => new recastThree.CrowdHelper(world.get('recast-navigation/Crowd')),
  'recast-navigation/three/DebugDrawer': () => new recastThree.DebugDrawer(),
  'recast-navigation/three/NavMeshHelper': (world) => new recastThree.NavMeshHelper(world.get('recast-navigation/NavMesh')),
  'recast-navigation/three/TileCacheHelper': (world) => new recastThree.TileCacheHelper(world.get('recast-navigation/TileCache')),
});

/** Types of arguments that are base classes of public ones. */
MAKERS.NavMeshBase = (world) => world.get('NavMesh');

/** What cases share: instances of the modules, a worker, a folder. They are replaced when a case has broken them. */
export class Shared {
  /** @type {any} */ #pool;

  async open() {
    this.walkmesh = /** @type {any} */ (await index.load({ leakWarnings: false, memoryLimit: 256 << 20 }));
    this.game = /** @type {any} */ (await game.load({ leakWarnings: false, memoryLimit: 256 << 20 }));
    this.core = /** @type {any} */ (await core.load({ leakWarnings: false, memoryLimit: 256 << 20 }));
    this.folder = mkdtempSync(join(tmpdir(), 'walkmesh-attack-'));
    makeFiles(this.walkmesh);
    this.good = this.bake();
    this.goodCore = this.bakeCore();
    await recast.init({ leakWarnings: false, memoryLimit: 256 << 20 });
    this.goodRecast = this.bakeRecast();
    this.bytes = this.bytesInUse();
    return this;
  }

  /** A pool of one worker, which cases share. */
  pool() {
    if (!this.#pool || this.#pool.isFreed) this.#pool = this.walkmesh.createWorkerPool({ workers: 1, memoryLimit: 256 << 20 });
    return this.#pool;
  }

  /** True for the pool that cases share. @param {unknown} pool */
  owns(pool) {
    return pool === this.#pool;
  }

  /** The bytes of the next good bake, and a path on it. @returns {string} */
  bake() {
    const { navMesh } = this.walkmesh.bake(makeLevel(), makeConfig());
    const path = navMesh.findPath(PLACE, TARGET);
    const text = `${this.walkmesh.hash(navMesh.save())} ${path.status} ${Array.from(path.points).join()}`;
    navMesh.free();
    return text;
  }

  /** As bake, by `walkmesh/core`. */
  bakeCore() {
    const navMesh = this.core.bake({ ...makeLevel(), volumes: undefined }, makeConfig()).navMesh;
    const path = navMesh.findPath(PLACE, TARGET);
    navMesh.free();
    return `${path.status} ${Array.from(path.points).join()} ${this.core.memory().bytes}`;
  }

  /** As bake, by `walkmesh/recast-navigation`. @returns {string} */
  bakeRecast() {
    const { navMesh } = requireSuccess(recast.generateTiledNavMesh(...RECAST_LEVEL(), makeRecastConfig()));
    const { path } = new recast.NavMeshQuery(navMesh).computePath({ x: 1, y: 0, z: 1 }, { x: 7, y: 0, z: 6 });
    const text = `${index.readTile(navMesh.raw.tileBytes(navMesh.getTileRefAt(0, 0, 0))).polygonCount} ${JSON.stringify(path)}`;
    navMesh.destroy();
    return text;
  }

  /** The memory of the two instances whose objects cases free. */
  bytesInUse() {
    return [this.walkmesh, getWalkmesh()].reduce((bytes, instance) => {
      instance.trimMemory();
      return bytes + instance.memory().bytes;
    }, 0);
  }

  close() {
    if (this.#pool && !this.#pool.isFreed) this.#pool.free();
    rmSync(/** @type {string} */ (this.folder), { recursive: true, force: true });
  }
}

/** The objects of one case. */
export class World {
  /** @type {Map<string, any>} */ #made = new Map();
  /** Objects to free. @type {Set<any>} */ #tracked = new Set();

  /** @param {Shared} shared */
  constructor(shared) {
    this.shared = shared;
    this.walkmesh = shared.walkmesh;
  }

  /** The object of a class. @param {string} name @returns {any} */
  get(name) {
    if (!this.#made.has(name)) {
      const make = MAKERS[name] ?? MAKERS[name.replace(/^.*\//, '')];
      if (!make) throw new Error(`the public class ${name} has no row in MAKERS (tests/attack/world.js)`);
      this.#made.set(name, this.track(make(this)));
    }
    return this.#made.get(name);
  }

  /** The polygon at PLACE. */
  polygon() {
    return this.get('NavMesh').nearestPoint(PLACE).polygon;
  }

  /** Frees a result, or the objects in it, after the case. @template T @param {T} result @param {number} [depth] @returns {T} */
  track(result, depth = 0) {
    if (typeof result !== 'object' || result === null || ArrayBuffer.isView(result) || depth > 2) return result;
    if (result instanceof index.Walkmesh || result instanceof core.Walkmesh || result instanceof game.Walkmesh || result instanceof index.WorkerPool && this.shared.owns(result)) return result;
    const isPlain = Object.getPrototypeOf(result) === Object.prototype;
    if (freeOf(result)) this.#tracked.add(result);
    // A source of tiles is an object of fields, and its mesh is freed on its own.
    if (isPlain || Array.isArray(result)) for (const value of Object.values(result)) this.track(value, depth + 1);
    return result;
  }

  /** Frees everything, in the order in which it was made. */
  async free() {
    for (const one of this.#tracked) if (!one.isFreed) await freeOf(one).call(one);
    this.#tracked.clear();
    this.#made.clear();
  }
}
