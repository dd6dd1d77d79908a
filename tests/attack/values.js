/** Good arguments, from the types that api.js reads. A name that a type or a number does not tell enough about has a row here. */
import { BoxGeometry, BufferAttribute, BufferGeometry, Color, Group, InstancedMesh, InterleavedBuffer, InterleavedBufferAttribute, LOD, Layers, Matrix4,
  Mesh, MeshBasicMaterial, Ray, Vector3 } from 'three';
import * as recast from '../../js/recast-navigation/index.js';
import { PLACE, RECAST_LEVEL, TARGET, makeConfig, makeFiles, makeLevel, makeRecastConfig } from './world.js';

/** @typedef {import('./api.js').Type} Type */
/** @typedef {import('./world.js').World} World */
/** @typedef {ReturnType<typeof import('../js/random.js').makeRandom>} Random */

const OBSTACLES = [
  () => ({ kind: 'box', min: [5, 0, 5], max: [6, 2, 6] }),
  () => ({ kind: 'cylinder', base: { x: 6, y: 0, z: 2 }, radius: 0.5, height: 2 }),
  () => ({ kind: 'prism', vertices: [[5, 0, 5], [6, 0, 5], [5, 0, 6]], minY: 0, maxY: 2 }),
  () => ({ kind: 'sphere', centre: Float32Array.of(6, 0, 6), radius: 0.5, area: 5, carving: 'at rest' }),
];

/** The level as a mesh of three.js; its material and its geometry can be those of three.js's variants. @param {boolean} isInterleaved */
function makeMesh(isInterleaved = false) {
  const { positions, indices } = makeLevel(), geometry = new BufferGeometry();
  const attribute = isInterleaved ? new InterleavedBufferAttribute(new InterleavedBuffer(positions, 3), 3, 0) : new BufferAttribute(positions, 3);
  geometry.setAttribute('position', attribute).setIndex(new BufferAttribute(indices, 1));
  return new Mesh(geometry, new MeshBasicMaterial());
}

/** Scenes of three.js with meshes of every kind that is read. */
function makeScene() {
  const group = new Group(), mesh = makeMesh(true), boxes = new InstancedMesh(new BoxGeometry(), [new MeshBasicMaterial()], 2), lod = new LOD();
  group.name = 'level';
  group.userData.walkmesh = { area: 5 };
  mesh.geometry.addGroup(0, 6, 0);
  for (let i = 0; i < 2; i++) boxes.setMatrixAt(i, new Matrix4().makeTranslation(3 * i, 0, 5));
  lod.addLevel(makeMesh(), 0);
  return group.add(mesh, boxes, lod);
}

const RECAST_POINTS = [() => ({ x: 1, y: 0, z: 1 }), () => ({ x: 7, y: 0, z: 6 })];
const RECAST_CONFIGS = [makeRecastConfig, () => ({ ...makeRecastConfig(), bounds: [[0, -1, 0], [8, 3, 8]],
  offMeshConnections: [{ startPosition: { x: 1, y: 0, z: 1 }, endPosition: { x: 7, y: 0, z: 7 }, radius: 1, bidirectional: true }] })];

/** Examples of declared types: several of each. @type {Record<string, ((world: World) => any)[]>} */
const NAMED = {
  Point: [() => [...PLACE], () => Float32Array.from(TARGET), () => ({ x: 1, y: 0, z: 6 })],
  Points: [() => Float32Array.of(1, 0, 1, 7, 0, 6, 1, 0, 6), () => [[1, 0, 1], { x: 7, y: 0, z: 6 }, [1, 0, 6]], () => [1, 0, 1, 7, 0, 6, 1, 0, 6]],
  PolygonRef: [(world) => world.polygon()],
  PolygonRefs: [(world) => Float64Array.of(world.polygon(), world.polygon(), world.polygon())],
  TileRef: [(world) => world.get('NavMesh').tileAt(0, 0)],
  AgentHandle: [(world) => world.get('Crowd').agents[0]],
  AgentHandles: [(world) => world.get('Crowd').agents.slice()],
  Agents: [(world) => world.get('Crowd').agents.slice(), (world) => world.get('Crowd').agents[1], (world) => [...world.get('Crowd').agents]],
  ObstacleHandle: [(world) => world.get('DynamicNavMesh').obstacles()[0]],
  ObstacleHandles: [(world) => world.get('DynamicNavMesh').obstacles()],
  SwitchHandle: [(world) => world.get('Switches').numbers()[0]],
  Obstacle: OBSTACLES,
  VolumeShape: OBSTACLES,
  Geometry: [makeLevel, () => ({ ...makeLevel(), solids: [{ kind: 'sphere', centre: [6, 0, 2], radius: 1 }], areaFlags: { 3: 4 } }),
    () => ({ ...makeLevel(), positions: [...makeLevel().positions], indices: [...makeLevel().indices] })],
  Config: [makeConfig, () => ({ ...makeConfig(), partition: 'layers', detailSampleDistance: 6 }), () => ({ ...makeConfig(), bounds: { min: [0, -1, 0], max: [8, 3, 8] } })],
  TileCacheConfig: [() => ({ partition: 'layers' })],
  BakeLimits: [() => ({ cells: 1e6, tiles: 100 }), () => ({ milliseconds: 1e5 })],
  AgentParameters: [() => ({ radius: 0.5, height: 1.8, maxSpeed: 2 })],
  Float32Array: [() => new Float32Array(12)],
  Float64Array: [() => new Float64Array(6)],
  Uint8Array: [() => new Uint8Array(64)],
  Uint16Array: [() => new Uint16Array(64)],
  Uint32Array: [() => new Uint32Array(12)],
  Int32Array: [() => new Int32Array(12)],
  ArrayBuffer: [() => new ArrayBuffer(64)],
  ArrayBufferLike: [() => new ArrayBuffer(64)],
  AbortSignal: [() => new AbortController().signal],
  TileCache: [(world) => world.get('MemoryTileCache'), () => ({ get: async () => undefined, set: async () => {} })],
  StreamSource: [() => async () => null, () => new Map()],
  WorkerSource: [() => undefined],
  Module: [() => undefined],
  RequestInit: [() => ({})],
  Object3D: [makeScene, makeMesh], Mesh: [makeMesh], Color: [() => new Color(0x336699)], ColorRepresentation: [() => 0xff8800, () => 'red', () => new Color(0.1, 0.2, 0.3)],
  Layers: [() => new Layers()], Ray: [() => new Ray(new Vector3(4, 5, 4), new Vector3(0, -1, 0))], Material: [() => new MeshBasicMaterial()], VoxelView: [() => 'solid', () => 'areas'], AgentState: [() => 'walking', () => 'idle'],
  PathPoints: [() => [[...PLACE], [...TARGET]], () => Float32Array.of(1, 0, 1, 7, 0, 6), (world) => world.get('NavMesh').findPath(PLACE, TARGET)],
  'recast-navigation/Vector3': RECAST_POINTS, 'recast-navigation/MeshLike': [makeMesh], 'recast-navigation/GeneratorConfig': RECAST_CONFIGS,
  'recast-navigation/R': [() => Float32Array.of(1, 0, 1), () => Uint8Array.of(1, 2, 3)], 'recast-navigation/TileCacheGeneratorConfig': RECAST_CONFIGS,
  'recast-navigation/Obstacle': [(world) => [...world.get('recast-navigation/TileCache').obstacles.values()][0]],
  'recast-navigation/LoadOptions': [() => ({ memoryLimit: 1 << 28 })],
};
export const NAMED_TYPES = new Set(Object.keys(NAMED));

/** Files for arguments that are bytes, by the id of the function. @type {Record<string, string[]>} */
const FILES = {
  'recast-navigation/importNavMesh': ['walkmesh', 'set', 'set64', 'tile'], 'recast-navigation/importTileCache': ['dynamic', 'tileCache'],
  'Walkmesh.loadNavMesh': ['walkmesh', 'set', 'set64', 'tile'], 'Walkmesh.loadTileCache': ['tileCache'], 'Walkmesh.loadDynamic': ['dynamic'],
  'Walkmesh.createFileSource': ['walkmesh', 'dynamic'], 'Walkmesh.detectFormat': ['walkmesh'], readTile: ['tile'], 'NavMesh.addTile': ['tile'],
  'NavMesh.replaceTile': ['tile'], 'NavMesh.restoreTileState': ['tileState'], 'DynamicNavMesh.keepTile': ['kept', 'tile'],
  'level/parseObj': ['obj'], 'level/readGltf': ['glb'],
};

/** Values of names, where 1, 'a' and a function that returns nothing would end the call before it begins. @type {Record<string, (world: World) => any>} */
const BY_NAME = {
  flags: () => 1, key: () => '0123456789abcdef0123456789abcdef', folder: ({ shared }) => shared.folder, progress: () => 0.5,
  outerRadius: () => 8, innerRadius: () => 4, address: () => 'data:application/octet-stream,{x}{z}', fetch: () => async () => ({ ok: true, status: 200, arrayBuffer: async () => new ArrayBuffer(8) }),
  workers: (world) => (world.usesPool ? world.shared.pool() : 0), kind: () => 'box', x: () => 0, y: () => 0, z: () => 0, layer: () => 0, count: () => 3, index: () => 0,
  maxBytes: () => 1e6, memoryLimit: () => 1 << 28, milliseconds: () => 1000, sliceMilliseconds: () => 10, maxDistance: () => 5, radius: () => 3,
  wasm: () => undefined, worker: () => undefined, area: () => 3, island: () => 0, simd: () => true, leakWarnings: () => false,
};

/** @param {World} world */
const recastPolygon = (world) => {
  const { raw } = world.get('recast-navigation/NavMesh');
  return raw.nearestPoint(PLACE).polygon;
};
/** The same for functions of walkmesh/recast-navigation. @type {typeof BY_NAME} */
const BY_RECAST_NAME = {
  positions: () => RECAST_LEVEL()[0], indices: () => RECAST_LEVEL()[1], polyRef: recastPolygon, startRef: recastPolygon, endRef: recastPolygon,
  ref: recastPolygon, path: (world) => [recastPolygon(world)], navMeshGeneratorConfig: (world) => RECAST_CONFIGS[world.usesPool ? 1 : 0](),
  navMeshData: (world) => new recast.UnsignedCharArray(makeFiles(world.walkmesh).get('tile')), startPolyRefs: (world) => [recastPolygon(world)], layer: () => 0, dt: () => 0.1, radius: () => 0.5,
  obstacleAvoidanceType: () => 1, queryFilterType: () => 1, updateFlags: () => 7, agent: (world) => world.get('recast-navigation/Crowd').getAgents()[0],
};

/** Reads a type into a good value. */
export class ValueMaker {
  /** @param {World} world @param {Random} random @param {string} id of the function */
  constructor(world, random, id) {
    this.world = world;
    this.random = random;
    this.id = id;
  }

  /** @param {Type} type @param {string} name of the argument or the field @returns {any} */
  make(type, name) {
    const { world, random } = this;
    const special = this.id.startsWith('recast-navigation/') ? BY_RECAST_NAME[name] : undefined;
    if (special && random.below(8) > 0) return special(world);
    if (name in BY_NAME && type.kind !== 'named') return BY_NAME[name](world);
    switch (type.kind) {
      case 'named': return this.#makeNamed(type.name, name);
      case 'class': return world.get(type.name);
      case 'number': return 1;
      case 'string': return /color/i.test(name) ? 'red' : 'a';
      case 'boolean': return random.below(2) === 1;
      case 'null': return null;
      case 'undefined': case 'any': return undefined;
      case 'literal': return type.value;
      case 'function': return () => undefined;
      case 'array': return Array.from({ length: 3 }, () => this.make(type.of, name));
      case 'tuple': return type.of.map((one) => this.make(one, name));
      case 'union': return this.#makeUnion(type.of, name);
      default: return this.#makeObject(type.fields);
    }
  }

  /** @param {string} typeName @param {string} name */
  #makeNamed(typeName, name) {
    const isBytes = typeName === 'Uint8Array' || typeName === 'ArrayBuffer';
    const file = FILES[this.id] && this.#pick(FILES[this.id]);
    if (isBytes && file && /^(bytes|data|tile)$/.test(name)) {
      const bytes = /** @type {Uint8Array} */ (makeFiles(this.world.walkmesh).get(name === 'tile' ? 'tile' : this.id === 'DynamicNavMesh.keepTile' ? 'kept' : file)).slice();
      return typeName === 'ArrayBuffer' ? bytes.buffer : bytes;
    }
    return this.#pick(NAMED[typeName])(this.world);
  }

  /** Mostly a value that is not undefined. @param {Type[]} of @param {string} name */
  #makeUnion(of, name) {
    const told = of.filter(({ kind }) => kind !== 'undefined' && kind !== 'null');
    return told.length === 0 || this.random.below(8) === 0 ? undefined : this.make(this.#pick(told), name);
  }

  /** @param {Record<string, Type>} fields */
  #makeObject(fields) {
    /** @type {Record<string, any>} */
    const object = {};
    for (const [name, type] of Object.entries(fields)) {
      const isOptional = type.kind === 'union' && type.of.some(({ kind }) => kind === 'undefined');
      if (isOptional && this.random.below(2) === 0) continue;
      object[name] = this.make(type, name);
    }
    return object;
  }

  /** @template T @param {T[]} list */
  #pick(list) {
    return list[this.random.below(list.length)];
  }
}
