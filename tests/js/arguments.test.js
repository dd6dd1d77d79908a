// Arguments are read once, by the language's own getters, before anything of the module is used: arrays whose length lies or changes,
// getters and proxies that call other methods, or free what the method is called on. Afterwards the module bakes the right bytes.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { NavError, load } from '../../js/index.js';
import { readScene } from './support.js';

/** @type {import('../../js/index.js').Walkmesh} */
let walkmesh;
/** @type {ReturnType<typeof makeWorld>} */
let world;
/** @type {string} */
let good;

const bakeHash = () => {
  const { navMesh } = walkmesh.bake(readScene('plaza'), { cellSize: 0.4 });
  const hash = walkmesh.hash(navMesh.save());
  navMesh.free();
  return hash;
};

function makeWorld() {
  const { navMesh, dynamic } = walkmesh.bakeDynamic(readScene('plaza'), { cellSize: 0.4, tileSize: 32 });
  const start = navMesh.randomPoint(), end = navMesh.randomPoint();
  const [a, b] = [start.point, end.point];
  const crowd = navMesh.createCrowd(), agents = crowd.addAgents([a, b]);
  const corridor = navMesh.findCorridor(start.polygon, a, end.polygon, b), path = navMesh.createCorridor(start.polygon, a);
  const search = navMesh.createSearch(), switches = navMesh.createSwitches(), filter = navMesh.createFilter();
  const box = { kind: 'box', min: [a[0] - 1, a[1] - 1, a[2] - 1], max: [a[0] + 1, a[1] + 1, a[2] + 1] };
  const obstacle = dynamic.addObstacle(box);
  return { navMesh, dynamic, a, b, start: start.polygon, end: end.polygon, crowd, agents, corridor, path, search, switches, filter, box, obstacle };
}

before(async () => {
  walkmesh = await load({ leakWarnings: false });
  good = bakeHash();
  world = makeWorld();
});
after(() => world.navMesh.free());

/** Every method with arguments that can run code, each with arguments that are right: name, call, arguments. */
const CASES = /** @type {[string, (w: any, args: any) => unknown, (w: any) => any][]} */ ([
  ['nearestPoint', ({ navMesh }, [p, o]) => navMesh.nearestPoint(p, o), ({ a }) => [a, { halfExtents: [2, 4, 2], radius: 3 }]],
  ['nearestPoint { x }', ({ navMesh }, [p]) => navMesh.nearestPoint(p), ({ a }) => [{ x: a[0], y: a[1], z: a[2] }]],
  ['findPath', ({ navMesh }, [p, q, o]) => navMesh.findPath(p, q, o), ({ a, b }) => [a, b, { maxNodes: 0, filter: { areaCosts: { 3: 2 } } }]],
  ['findSmoothPath', ({ navMesh }, [p, q, o]) => navMesh.findSmoothPath(p, q, o), ({ a, b }) => [a, b, { step: 1 }]],
  ['findPath islands', ({ navMesh }, [p, q, o]) => navMesh.findPath(p, q, o), ({ a, b }) => [a, b, { islands: true }]],
  ['findCorridor', ({ navMesh, start, end }, [p, q]) => navMesh.findCorridor(start, p, end, q), ({ a, b }) => [a, b]],
  ['straighten', ({ navMesh }, [p, q, c]) => navMesh.straighten(p, q, c), ({ a, b, corridor }) => [a, b, Array.from(corridor.polygons)]],
  ['straighten a Corridor', ({ navMesh }, [p, q, c]) => navMesh.straighten(p, q, c), ({ a, b, corridor }) => [a, b, { ...corridor, polygons: Array.from(corridor.polygons) }]],
  ['raycast', ({ navMesh, start }, [p, q, o]) => navMesh.raycast(start, p, q, o), ({ a, b }) => [a, b, { maxPolygons: 9, filter: { includeFlags: 1 } }]],
  ['moveAlongSurface', ({ navMesh, start }, [p, q]) => navMesh.moveAlongSurface(start, p, q), ({ a, b }) => [a, b]],
  ['distanceToWall', ({ navMesh, start }, [p, o]) => navMesh.distanceToWall(start, p, 5, o), ({ a }) => [a, { filter: { excludeFlags: 2 } }]],
  ['wallSegments', ({ navMesh, start }, [o]) => navMesh.wallSegments(start, o), () => [{ portals: true, filter: { includeFlags: 1 } }]],
  ['localNeighbourhood', ({ navMesh, start }, [p]) => navMesh.localNeighbourhood(start, p, 5), ({ a }) => [a]],
  ['flood', ({ navMesh, start }, [p, o]) => navMesh.flood(start, p, o), ({ a }) => [a, { maxCost: 20, shape: [[a[0] - 5, 0, a[2] - 5], [a[0] - 5, 0, a[2] + 5], [a[0] + 5, 0, a[2]]] }]],
  ['closestPoint', ({ navMesh, start }, [p]) => navMesh.closestPoint(start, p), ({ a }) => [a]],
  ['closestBoundaryPoint', ({ navMesh, start }, [p]) => navMesh.closestBoundaryPoint(start, p), ({ a }) => [a]],
  ['height', ({ navMesh, start }, [p]) => navMesh.height(start, p), ({ a }) => [a]],
  ['polygonsInBox', ({ navMesh }, [p, h]) => navMesh.polygonsInBox(p, h), ({ a }) => [a, [3, 3, 3]]],
  ['polygonsInCircle', ({ navMesh }, [p, o]) => navMesh.polygonsInCircle(p, 3, o), ({ a }) => [a, { halfHeight: 3, filter: { includeFlags: 1 } }]],
  ['polygonsInConvex', ({ navMesh }, [v]) => navMesh.polygonsInConvex(v), ({ a }) => [[[a[0] - 5, 0, a[2] - 5], [a[0] - 5, 0, a[2] + 5], [a[0] + 5, 0, a[2]]]]],
  ['randomPointAround', ({ navMesh, start }, [p]) => navMesh.randomPointAround(start, p, 5), ({ a }) => [a]],
  ['randomPoint', ({ navMesh }, [o]) => navMesh.randomPoint(o), () => [{ area: 0, filter: { includeFlags: 1 } }]],
  ['nearestPoints', ({ navMesh }, [p]) => navMesh.nearestPoints(p), ({ a, b }) => [[a, b]]],
  ['nearestPoints of numbers', ({ navMesh }, [p]) => navMesh.nearestPoints(p), ({ a, b }) => [[...a, ...b]]],
  ['raycasts', ({ navMesh }, [r, p, q]) => navMesh.raycasts(r, p, q), ({ a, b, start }) => [[start], [a], [b]]],
  ['moves', ({ navMesh }, [r, p, q]) => navMesh.moves(r, p, q), ({ a, b, start }) => [[start], [a], [b]]],
  ['heights', ({ navMesh }, [r, p]) => navMesh.heights(r, p), ({ a, start }) => [[start], [a]]],
  ['wallDistances', ({ navMesh }, [r, p]) => navMesh.wallDistances(r, p, 5), ({ a, start }) => [[start], [a]]],
  ['randomPoints', ({ navMesh }, [o]) => navMesh.randomPoints(3, o), () => [{ area: 0, filter: { includeFlags: 1 } }]],
  ['findPaths', ({ navMesh }, [p, q]) => navMesh.findPaths(p, q), ({ a, b }) => [[a, b], [b, a]]],
  ['isStale', ({ navMesh }, [r]) => navMesh.isStale(r), ({ start }) => [[start, start]]],
  ['islands', ({ navMesh }, [o]) => navMesh.islands(o).free(), () => [{ filter: { includeFlags: 1, areaCosts: { 1: 2 } } }]],
  ['createFilter', ({ navMesh }, [o]) => navMesh.createFilter(o).free(), () => [{ includeFlags: 1, areaCosts: { 1: 2 } }]],
  ['setPolygonCosts', ({ filter }, [o]) => filter.setPolygonCosts(o), ({ start, end }) => [{ polygons: [start, end], factors: [1, 2] }]],
  ['addConnection', ({ navMesh }, [o]) => navMesh.removeConnection(navMesh.addConnection(o)), ({ a, b }) => [{ start: a, end: b, radius: 1 }]],
  ['corridor.set', ({ path }, [p, c]) => path.set(p, c), ({ b, corridor }) => [b, Array.from(corridor.polygons)]],
  ['corridor.move', ({ path }, [p, o]) => path.move(p, o), ({ a }) => [a, { filter: { includeFlags: 1 } }]],
  ['corridor.moveTarget', ({ path }, [p]) => path.moveTarget(p), ({ a }) => [a]],
  ['corridor.reset', ({ path, start }, [p]) => path.reset(start, p), ({ a }) => [a]],
  ['corridor.fixStart', ({ path, start }, [p]) => path.fixStart(start, p), ({ a }) => [a]],
  ['corridor.trim', ({ path, start }, [p]) => path.trim(start, p), ({ a }) => [a]],
  ['corridor.optimizeVisibility', ({ path }, [p, o]) => path.optimizeVisibility(p, 5, o), ({ a }) => [a, { filter: { includeFlags: 1 } }]],
  ['corridor.optimizeTopology', ({ path }, [o]) => path.optimizeTopology(o), () => [{ budget: 9, filter: { includeFlags: 1 } }]],
  ['corridor.isValid', ({ path }, [o]) => path.isValid(o), () => [{ lookAhead: 9, filter: { includeFlags: 1 } }]],
  ['search.begin', ({ search, start, end }, [p, q, o]) => search.begin(start, p, end, q, o), ({ a, b }) => [a, b, { filter: { includeFlags: 1 } }]],
  ['search.finishAlong', ({ search, start, end, a, b }, [c]) => (search.begin(start, a, end, b), search.finishAlong(c)), ({ corridor }) => [Array.from(corridor.polygons)]],
  ['createCrowd', ({ navMesh }, [o]) => navMesh.createCrowd(o).free(), () => [{ placeExtents: [2, 4, 2], maxStep: 0.1 }]],
  ['crowd.setOptions', ({ crowd }, [o]) => crowd.setOptions(o), () => [{ placeExtents: [2, 4, 2], maxStep: 0.1 }]],
  ['crowd.addAgent', ({ crowd }, [p, o]) => crowd.remove(crowd.addAgent(p, o)), ({ a }) => [a, { radius: 0.4, userData: 3 }]],
  ['crowd.addAgents', ({ crowd }, [p, o]) => crowd.remove(crowd.addAgents(p, o)), ({ a, b }) => [[a, b], [{ radius: 0.4 }, { radius: 0.5 }]]],
  ['crowd.addAgents of numbers', ({ crowd }, [p]) => crowd.remove(crowd.addAgents(p)), ({ a, b }) => [[...a, ...b]]],
  ['crowd.setParameters', ({ crowd }, [h, o]) => crowd.setParameters(h, o), ({ agents }) => [Array.from(agents), [{ radius: 0.4 }, { radius: 0.5 }]]],
  ['crowd.setTarget', ({ crowd }, [h, p]) => crowd.setTarget(h, p), ({ agents, a, b }) => [Array.from(agents), [a, b]]],
  ['crowd.setVelocity', ({ crowd }, [h, p]) => crowd.setVelocity(h, p), ({ agents }) => [Array.from(agents), [1, 0, 0, 1, 0, 0]]],
  ['crowd.warp', ({ crowd }, [h, p]) => crowd.warp(h, p), ({ agents, a }) => [Array.from(agents), { x: a[0], y: a[1], z: a[2] }]],
  ['crowd.move', ({ crowd }, [h, p]) => crowd.move(h, p), ({ agents }) => [Array.from(agents), [0, 0, 0]]],
  ['crowd.stop', ({ crowd }, [h]) => crowd.stop(h), ({ agents }) => [Array.from(agents)]],
  ['crowd.pause', ({ crowd }, [h]) => crowd.pause(h), ({ agents }) => [Array.from(agents)]],
  ['crowd.setObstacles', ({ crowd }, [o]) => crowd.setObstacles(o), ({ a }) => [{ positions: [a], radii: [1], heights: [2], velocities: [[1, 0, 0]] }]],
  ['crowd.setFocus', ({ crowd }, [p]) => crowd.setFocus(p), ({ a, b }) => [[a, b]]],
  ['crowd.setFilter', ({ crowd }, [f]) => crowd.setFilter(1, f), () => [{ includeFlags: 1, areaCosts: { 3: 2 } }]],
  ['switches.add', ({ switches }, [o]) => switches.remove(switches.add(o)), ({ box }) => [{ volume: box, setFlags: 2 }]],
  ['addObstacle', ({ dynamic }, [o]) => dynamic.removeObstacle(dynamic.addObstacle(o)), ({ box }) => [{ ...box, area: 0 }]],
  ['addObstacle of a centre', ({ dynamic }, [o]) => dynamic.removeObstacle(dynamic.addObstacle(o)), ({ a }) => [{ kind: 'box', centre: a, halfExtents: [1, 1, 1] }]],
  ['addObstacle of a prism', ({ dynamic }, [o]) => dynamic.removeObstacle(dynamic.addObstacle(o)), ({ a }) => [
    { kind: 'prism', vertices: [[a[0] - 1, 0, a[2] - 1], [a[0] - 1, 0, a[2] + 1], [a[0] + 1, 0, a[2]]], minY: -1, maxY: 2 }]],
  ['addObstacles', ({ dynamic }, [o, p]) => dynamic.removeObstacles(dynamic.addObstacles(o, p)), ({ box, a, b }) => [box, [a, b]]],
  ['changeObstacle', ({ dynamic, obstacle }, [o]) => dynamic.changeObstacle(obstacle, o), ({ box }) => [box]],
  ['moveObstacle', ({ dynamic, obstacle }, [p]) => dynamic.moveObstacle(obstacle, p), ({ a }) => [a]],
  ['moveObstacles', ({ dynamic }, [h, p]) => dynamic.moveObstacles(h, p), ({ obstacle, a }) => [[obstacle], [a]]],
  ['setFocus', ({ dynamic }, [p]) => dynamic.setFocus(p), ({ a, b }) => [[a, b]]],
  ['bake', (_, [g, c]) => walkmesh.bake(g, c).navMesh.free(), ({ box }) => [
    { positions: [[0, 0, 0], [0, 0, 9], [9, 0, 0]], volumes: [{ ...box, area: 2 }], solids: [box], offMeshConnections: [{ start: [1, 0, 1], end: [2, 0, 2], radius: 1 }],
      areaFlags: { 3: 2 } }, { cellSize: 0.4, bounds: { min: [0, 0, 0], max: [9, 2, 9] } }]],
  ['offsetPolygon', (_, [v]) => walkmesh.offsetPolygon(v, 1), () => [[[0, 0, 0], [0, 0, 9], [9, 0, 0]]]],
]);

/** Every object and array in the arguments, as a path of names. @param {any} value @param {PropertyKey[]} path @returns {PropertyKey[][]} */
const pathsOf = (value, path = []) => Object.keys(value).flatMap((name) => [[...path, name],
  ...(typeof value[name] === 'object' && value[name] !== null ? pathsOf(value[name], [...path, name]) : [])]);

/** The arguments with a getter at a path that runs `act`, and then returns the value. @param {any} args @param {PropertyKey[]} path @param {() => void} act */
function withGetter(args, path, act) {
  const owner = path.slice(0, -1).reduce((value, name) => value[name], args), name = path[path.length - 1], value = owner[name];
  if (owner === args) return args; // an argument itself
  Object.defineProperty(owner, name, { enumerable: true, configurable: true, get() { act(); return value; } });
  return args;
}

/** A result as text, to compare. @param {unknown} result */
const toText = (result) => JSON.stringify(result, (_, value) => (ArrayBuffer.isView(value) ? Array.from(/** @type {any} */ (value)) : value));

/** Runs a call: its result as text, or the code of its NavError. @param {() => unknown} call */
function attempt(call) {
  try {
    return { text: toText(call()) };
  } catch (error) {
    if (!(error instanceof NavError)) throw error;
    return { code: error.code };
  }
}

/** Calls of other methods: queries with other arguments, with long lists, with growth of memory. */
const intrude = () => {
  const { navMesh, a, b, crowd, dynamic } = world;
  navMesh.findPath(b, a, { filter: { areaCosts: new Array(64).fill(7), includeFlags: 0xff } });
  navMesh.nearestPoints(new Float32Array(3 * 500));
  navMesh.isStale(new Float64Array(20_000));
  navMesh.distanceToWall(world.end, b, 3);
  crowd.setFocus(b);
  dynamic.setFocus(b);
  walkmesh.trimMemory();
};

describe('arguments: a getter that calls other methods', () => {
  for (const [name, call, makeArguments] of CASES) {
    test(name, () => {
      if (name === 'randomPoint' || name.startsWith('randomPoint')) return testRandom(call, makeArguments);
      const right = attempt(() => call(world, structuredClone(makeArguments(world))));
      assert.ok('text' in right, `${name}: ${right.code}`);
      for (const path of pathsOf(makeArguments(world))) {
        const result = attempt(() => call(world, withGetter(structuredClone(makeArguments(world)), path, intrude)));
        if ('text' in result) assert.equal(result.text, right.text, `${name}, ${path.join('.')}`);
        else assert.equal(result.code, 'state', `${name}, ${path.join('.')}`);
      }
    });
  }
});

/** Random points differ from call to call: only that none traps, and that they lie on the mesh. */
function testRandom(call, makeArguments) {
  for (const path of pathsOf(makeArguments(world))) attempt(() => call(world, withGetter(structuredClone(makeArguments(world)), path, intrude)));
}

describe('arguments: a getter that frees everything ends the call with state, and leaves the module as it was', () => {
  for (const [name, call, makeArguments] of CASES) {
    test(name, () => {
      const mine = makeWorld();
      const bytes = walkmesh.memory().bytes;
      // From the last value that the call reads on, when most of the others are read already.
      for (const path of pathsOf(makeArguments(world)).filter((one) => one.length > 1).reverse()) {
        const result = attempt(() => call(mine, withGetter(structuredClone(makeArguments(mine)), path, () => mine.navMesh.free())));
        if (!mine.navMesh.isFreed) continue;
        if (name !== 'bake' && name !== 'offsetPolygon') assert.deepEqual(result, { code: 'state' }, path.join('.'));
        break;
      }
      assert.ok(mine.navMesh.isFreed);
      assert.ok(walkmesh.memory().bytes <= bytes);
      assert.equal(bakeHash(), good);
    });
  }
});

// ---- Arrays whose length says something else -----------------------------------------------------------------------------------

/** @template {new (...args: any[]) => any} T @param {T} Type @param {number} length that its instances claim */
const lying = (Type, length) => class extends Type {
  get length() { return length; }
  get byteLength() { return length * 4; }
  get byteOffset() { return 0; }
  subarray() { return new Type(1e5); }
  slice() { return new Type(1e5); }
  set() { return undefined; }
  static get [Symbol.species]() { return class { constructor() { return new Type(9); } }; }
  * [Symbol.iterator]() { for (;;) yield 1; }
};

test('arguments: a Float32Array whose length says less than it has does not write past its block', () => {
  const { navMesh, start, a } = world;
  for (const length of [0, 9, 1e9, -3, NaN]) {
    const shape = new (lying(Float32Array, length))(200_000);
    attempt(() => navMesh.flood(start, a, { shape }));
    attempt(() => navMesh.polygonsInConvex(shape));
    attempt(() => navMesh.nearestPoints(shape));
    attempt(() => world.dynamic.setFocus(shape));
    attempt(() => world.crowd.setFocus(shape));
    attempt(() => world.crowd.addAgents(shape.map ? new (lying(Float32Array, length))(30) : shape));
    attempt(() => world.dynamic.addObstacle({ kind: 'prism', vertices: shape, minY: 0, maxY: 1 }));
    attempt(() => world.switches.add({ volume: { kind: 'prism', vertices: shape, minY: 0, maxY: 1 } }));
    attempt(() => walkmesh.offsetPolygon(shape, 1));
    attempt(() => walkmesh.bake({ positions: shape }, {}).navMesh.free());
    attempt(() => world.filter.setPolygonCosts({ polygons: new (lying(Float64Array, length))(200_000), factors: shape }));
    attempt(() => world.crowd.setTarget(new (lying(Float64Array, length))(200_000), shape));
    attempt(() => navMesh.isStale(new (lying(Float64Array, length))(200_000)));
    attempt(() => navMesh.straighten(a, a, new (lying(Float64Array, length))(200_000)));
    attempt(() => world.dynamic.moveObstacles(new (lying(Float64Array, length))(200_000), shape));
  }
  assert.equal(bakeHash(), good);
});

test('arguments: the true numbers of an array are used, whatever its properties say', () => {
  const { navMesh, a, b } = world;
  const points = Float32Array.of(...a, ...b);
  const right = toText(navMesh.nearestPoints(points));
  assert.equal(toText(navMesh.nearestPoints(new (lying(Float32Array, 3))(points.buffer))), right);
  const own = points.slice();
  for (const name of ['length', 'byteLength', 'byteOffset', 'buffer', 'constructor']) Object.defineProperty(own, name, { value: 3 });
  assert.equal(toText(navMesh.nearestPoints(own)), right);
  const scene = readScene('plaza');
  const { navMesh: baked } = walkmesh.bake({ ...scene, positions: new (lying(Float32Array, 9))(Float32Array.from(scene.positions).buffer),
    indices: new (lying(Uint32Array, 9))(Uint32Array.from(scene.indices).buffer) }, { cellSize: 0.4 });
  assert.equal(walkmesh.hash(baked.save()), good);
  baked.free();
});

test('arguments: arrays in shared, resizable and transferred memory', () => {
  const { navMesh, a, b } = world;
  const right = toText(navMesh.nearestPoints(Float32Array.of(...a, ...b)));
  const shared = new Float32Array(new SharedArrayBuffer(24));
  shared.set([...a, ...b]);
  assert.equal(toText(navMesh.nearestPoints(shared)), right);
  const buffer = new ArrayBuffer(24, /** @type {any} */ ({ maxByteLength: 1 << 20 })), tracking = new Float32Array(buffer);
  tracking.set([...a, ...b]);
  assert.equal(toText(navMesh.nearestPoints(tracking)), right);
  const shrinks = [...a, 0, 0, 0];
  Object.defineProperty(shrinks, 0, { get() { /** @type {any} */ (buffer).resize(12); return a[0]; } });
  navMesh.findPaths(shrinks, [...a, ...b]);
  assert.equal(navMesh.nearestPoints(tracking).count, 1);
  structuredClone(buffer, { transfer: [buffer] });
  assert.equal(navMesh.nearestPoints(tracking).count, 0);
});

test('arguments: an array that changes its length while its elements are read', () => {
  const { navMesh, a, start } = world;
  const changing = (/** @type {(list: any[]) => void} */ change) => {
    const list = [...a, ...a, ...a];
    Object.defineProperty(list, 1, { get() { change(list); return a[1]; } });
    return list;
  };
  const changes = [(/** @type {any[]} */ list) => { list.length = 2; }, (/** @type {any[]} */ list) => { for (let i = 0; i < 9; i++) list.push(i); }];
  for (const change of changes) {
    attempt(() => navMesh.nearestPoints(changing(change)));
    attempt(() => navMesh.flood(start, a, { shape: changing(change) }));
    attempt(() => world.crowd.setFocus(changing(change)));
    attempt(() => walkmesh.offsetPolygon(changing(change), 1));
    attempt(() => walkmesh.bake({ positions: changing(change) }, {}).navMesh.free());
  }
  // Volumes that are added while volumes are written, which wrote past their block.
  const volumes = [{ ...world.box, get area() { for (let i = 0; i < 5000; i++) volumes.push(world.box); return 1; } }];
  attempt(() => walkmesh.bake({ ...readScene('plaza'), volumes }, {}).navMesh.free());
  assert.equal(bakeHash(), good);
});

test('arguments: lengths that no array can have are refused with their name', () => {
  const claims = (/** @type {unknown} */ length) => new Proxy([1, 2, 3], { get: (list, name) => (name === 'length' ? length : Reflect.get(list, name)) });
  for (const length of [-1, 1.5, NaN, Infinity, 2 ** 53, 'three', undefined]) {
    for (const call of [() => world.navMesh.nearestPoints(claims(length)), () => walkmesh.bake({ positions: claims(length) })]) {
      assert.throws(call, (error) => error instanceof NavError && ['invalid-argument', 'out-of-memory'].includes(error.code), String(length));
    }
  }
});

test('arguments: points stay what they were: arrays, vectors, typed arrays, objects with a length', () => {
  const { navMesh, a, crowd } = world;
  class Vector { x = a[0]; y = a[1]; z = a[2]; length() { return 1; } }
  const right = toText(navMesh.nearestPoint(a));
  for (const point of [new Vector(), Float64Array.from(a), { x: a[0], y: a[1], z: a[2] }, { length: 3, 0: a[0], 1: a[1], 2: a[2] }]) {
    assert.equal(toText(navMesh.nearestPoint(/** @type {any} */ (point))), right);
  }
  assert.equal(navMesh.nearestPoints(/** @type {any} */ ({ length: 3, 0: a[0], 1: a[1], 2: a[2] })).count, 1);
  crowd.setFocus(/** @type {any} */ ({ length: 3, 0: a[0], 1: a[1], 2: a[2] }));
});

test('arguments: a setter or getter of an `out` that calls other methods ends the call with state', () => {
  const { navMesh, a, b } = world;
  const path = navMesh.findPath(a, b);
  let isIn = false;
  const out = new Proxy(path, {
    get(target, name) {
      if (!isIn) {
        isIn = true;
        navMesh.findPath(b, a);
        isIn = false;
      }
      return Reflect.get(target, name);
    },
  });
  assert.throws(() => navMesh.findPath(a, b, {}, out), { code: 'state' });
  assert.equal(navMesh.findPath(a, b).status, 'complete');
});
