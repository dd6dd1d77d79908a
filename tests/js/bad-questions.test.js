/**
 * Bad arguments to every method of a navigation mesh and of the objects made from it. Each throws a NavError that names the
 * argument, or returns the documented result. Nothing is written beyond an output array, and valid queries give the same results
 * as before.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NavError, Random } from '../../js/index.js';
import { loadBoth, makeGround, readScene } from './support.js';

const builds = await loadBoth();
const [walkmesh] = builds;
const isState = { name: 'NavError', code: 'state' };

/** Values that no argument accepts unless its kind says so (ACCEPTS). Created for each call, since outputs are written to. */
const makeBad = () => [null, NaN, -1, 0, 1.5, 1e39, Infinity, -Infinity, 2 ** 53, 'x', '', true, 5n, Symbol('s'), () => 1, [], [1], [1, 2, NaN],
  ['1', 2, 3], [1n, 2n, 3n], {}, { x: 1 }, { x: 1, y: 2, z: NaN }, { length: 3 }, { length: 1e12 },
  { length: 2.5, 0: 1, 1: 2, 2: 3 }, new Float32Array(0), new Float32Array(5), new BigInt64Array(3), new DataView(new ArrayBuffer(12)),
  new Uint8Array(5)];

const isObject = (value) => typeof value === 'object' && value !== null;
const isPlain = (value) => isObject(value) && !Array.isArray(value) && !ArrayBuffer.isView(value) && typeof value.free !== 'function';
/** True for a plain object without properties: unknown names in plain objects are refused. */
const isNameless = (value) => isPlain(value) && Object.keys(value).length === 0;
const isAmount = (value) => typeof value === 'number' && value >= 0;
const isCount = (value) => Number.isInteger(value) && value >= 0 && value < 2 ** 32;

/** By kind of argument: true if a value is valid. `unsure`: it depends on other state, so a NavError is allowed. */
const ACCEPTS = {
  ref: () => false,
  refOrNone: (value) => value === 0,
  knownRef: (value) => Number.isInteger(value) && value >= 0 && value < 2 ** 53, // any such number has a result
  point: () => false,
  name: () => false,
  islands: () => false,
  bytes: () => false,
  areaCosts: (value) => isPlain(value) && Object.keys(value).length === 0, // without any cost
  corridor: () => false,
  points: (value) => isObject(value) && (value.length === 0 || (value.length === 3 && value.every?.((x) => typeof x === 'number'))),
  outline: () => false,
  amount: (value) => isAmount(value) && Number.isFinite(Math.fround(value)),
  amountOrInfinity: isAmount,
  positive: (value) => isAmount(value) && value > 0 && Number.isFinite(Math.fround(value)),
  number: (value) => typeof value === 'number' && !Number.isNaN(value),
  count: isCount,
  number16: (value) => isCount(value) && value < 0x10000,
  number6: (value) => isCount(value) && value < 64,
  positiveCount: (value) => isCount(value) && value > 0,
  place: (value) => Number.isInteger(value) && Math.abs(value) < 2 ** 31,
  fraction: (value) => value === 0,
  size: (value) => isAmount(value) && value < 1e9,
  boolean: (value) => value === true,
  trueOrIslands: (value) => value === true,
  filter: isNameless,
  options: isNameless,
  out: (value) => value === null || isPlain(value),
  random: () => false,
  unsure: null,
};

/** Near and far segment of a link. */
const SEGMENTS = [[[10, 0, 11], [10, 0, 10]], [[13, 0, 11], [13, 0, 10]]];

/** Methods by object: their arguments as [kind, good value]; options as { name: [kind, good value] }. */
function describeMethods({ navMesh, a, b, corridor, flood, filter, islands, search, agent, connection, link, state }) {
  const REF = ['ref', a.polygon];
  const POINT = ['point', a.point];
  const OUT = ['out', {}];
  const FILTER = ['filter', filter];
  const LIMIT = ['count', 0];
  const shape = [0, 0, 0, 9, 0, 0, 9, 0, 9];
  const searching = { filter: FILTER, maxNodes: LIMIT, anyAngle: ['boolean', false], shortest: ['boolean', false], rayLimit: ['amount', 0],
    wallDistance: ['amount', 1], wallCost: ['amount', 0] };
  const path = { ...searching, halfExtents: ['point', [2, 4, 2]], radius: ['amount', 3], crossings: ['name', 'all'], maxPoints: LIMIT,
    islands: ['trueOrIslands', islands] };
  const nearest = { filter: FILTER, halfExtents: ['point', [2, 4, 2]], radius: ['amount', 1], heightPreference: ['name', 'below'] };
  const randomly = { filter: FILTER, random: ['random', new Random(1)], area: ['number6', 0], islands: ['islands', islands],
    island: ['unsure', 1] };
  const FROM = [['ref', a.polygon], ['point', a.point], ['ref', b.polygon], ['point', b.point]];
  return [
    [navMesh, {
      nearestPoint: [POINT, nearest, OUT], closestPoint: [REF, POINT, OUT], closestBoundaryPoint: [REF, POINT, OUT],
      height: [REF, POINT], findCorridor: [...FROM, searching, OUT],
      straighten: [POINT, POINT, ['corridor', corridor], { crossings: ['name', 'areas'], maxPoints: LIMIT }, OUT],
      findPath: [POINT, ['point', b.point], path, OUT],
      findSmoothPath: [POINT, ['point', b.point], { ...path, step: ['positive', 2] }, OUT],
      raycast: [REF, POINT, ['point', b.point], { filter: FILTER, maxPolygons: LIMIT, onSurface: ['boolean', false] }, OUT],
      moveAlongSurface: [REF, POINT, ['point', b.point], { filter: FILTER, onSurface: ['boolean', false] }, OUT],
      distanceToWall: [REF, POINT, ['amount', 5], { filter: FILTER }, OUT],
      wallSegments: [REF, { filter: FILTER, portals: ['boolean', true] }, OUT],
      localNeighbourhood: [REF, POINT, ['amount', 5], { filter: FILTER, maxPolygons: LIMIT }, OUT],
      polygonsInBox: [POINT, ['point', [3, 3, 3]], { filter: FILTER, maxPolygons: LIMIT }, OUT],
      polygonsInCircle: [POINT, ['amount', 3], { filter: FILTER, maxPolygons: LIMIT, halfHeight: ['amountOrInfinity', 2] }, OUT],
      polygonsInConvex: [['outline', shape], { filter: FILTER, maxPolygons: LIMIT, low: ['unsure', -1], high: ['unsure', 9] }, OUT],
      flood: [REF, POINT, { filter: FILTER, maxCost: ['amountOrInfinity', 9], radius: ['amountOrInfinity', 9],
        shape: ['outline', shape], maxPolygons: LIMIT }, OUT],
      floodPath: [['unsure', flood], ['unsure', 1]], randomPoint: [randomly, OUT],
      randomPointAround: [REF, POINT, ['amount', 3], { filter: FILTER, random: ['random', new Random(1)] }, OUT],
      islands: [{ filter: FILTER }], createCorridor: [['refOrNone', a.polygon], POINT],
      createFilter: [{ includeFlags: ['number16', 1], excludeFlags: ['number16', 0], areaCosts: ['areaCosts', Array(64).fill(1)],
        polygonCosts: ['unsure', { polygons: [a.polygon], factors: [1] }] }],
      nearestPoints: [['points', a.point], nearest, OUT],
      raycasts: [['unsure', [a.polygon]], ['unsure', a.point], ['unsure', b.point], { filter: FILTER, onSurface: ['boolean', false] }, OUT],
      moves: [['unsure', [a.polygon]], ['unsure', a.point], ['unsure', b.point], { filter: FILTER, onSurface: ['boolean', false] }, OUT],
      heights: [['unsure', [a.polygon]], ['unsure', a.point], OUT],
      wallDistances: [['unsure', [a.polygon]], ['unsure', a.point], ['amount', 5], { filter: FILTER }, OUT],
      randomPoints: [['unsure', 3], randomly, OUT], findPaths: [['unsure', a.point], ['unsure', b.point], path, OUT],
      tileAt: [['place', 0], ['place', 0], ['place', 0]], addTile: [['bytes', null]], replaceTile: [['bytes', state.tile]],
      saveTileState: [REF], restoreTileState: [['bytes', state.bytes]], removeTile: [['ref', null]], polygonFlags: [REF],
      polygonArea: [REF], setPolygonFlags: [REF, ['number16', 1]], setPolygonArea: [REF, ['number6', 0]],
      addConnection: [{ start: POINT, end: ['point', b.point], radius: ['amount', 1], climb: ['amount', 1],
        bidirectional: ['boolean', false], enabled: ['boolean', false], area: ['number6', 1], flags: ['number16', 1],
        userId: ['count', 7], costFactor: ['amount', 1] }],
      removeConnection: [['ref', null]], setConnectionEnabled: [['ref', connection], ['boolean', false]],
      setConnectionCost: [['ref', connection], ['amount', 2]], connection: [['ref', connection]], exportDetour: [['name', 'set64'], { linkSpacing: ['amount', 1] }],
      addSegmentLink: [{ kind: ['name', 'jump'], start: ['point', SEGMENTS[0]], end: ['point', SEGMENTS[1]], peak: ['size', 1], cost: ['size', 1],
        area: ['number6', 1], flags: ['number16', 1], userId: ['count', 7], bidirectional: ['boolean', false], enabled: ['boolean', false] }],
      removeSegmentLink: [['ref', null]], segmentLink: [['ref', link]], setSegmentLinkEnabled: [['ref', link], ['boolean', false]],
      segmentLinkPoint: [['ref', link], ['fraction', 0.5], ['fraction', 0.5], ['unsure', [0, 0, 0]]],
      pathLinks: [['unsure', navMesh.findPath(a.point, b.point)]],
    }],
    [filter, { setAreaCost: [['number6', 1], ['amount', 1]], areaCost: [['number6', 1]],
      setPolygonCosts: [['unsure', { polygons: [a.polygon], factors: [1] }]] }],
    [islands, { of: [['knownRef', a.polygon]], area: [['unsure', 1]], point: [['unsure', 1], OUT], areConnected: [['knownRef', a.polygon], ['unsure', b.polygon]] }],
    [search, { begin: [...FROM, searching], advance: [['count', 1]], finish: [OUT], finishAlong: [['unsure', corridor], OUT] }],
    [agent, {
      reset: [['refOrNone', a.polygon], POINT], set: [['point', b.point], ['corridor', corridor]], corners: [['positiveCount', 2], OUT],
      optimizeVisibility: [POINT, ['amount', 5], { filter: FILTER }], optimizeTopology: [{ filter: FILTER, budget: ['unsure', 4] }],
      moveOverConnection: [['unsure', connection]], move: [POINT, { filter: FILTER }], moveTarget: [['point', b.point], { filter: FILTER }],
      fixStart: [['unsure', a.polygon], POINT], trim: [['unsure', a.polygon], POINT, { filter: FILTER }],
      isValid: [{ filter: FILTER, lookAhead: LIMIT }],
    }],
  ];
}

/** The plaza in tiles, and one object of each kind. */
function makeWorld(instance = walkmesh) {
  const { navMesh } = instance.bake(readScene('plaza'), { tileSize: 48 });
  const [a, b] = [[2, 0, 2], [38, 0, 38]].map((point) => navMesh.nearestPoint(point));
  const corridor = navMesh.findCorridor(a.polygon, a.point, b.polygon, b.point);
  const connection = navMesh.addConnection({ start: a.point, end: b.point, enabled: false });
  const link = navMesh.addSegmentLink({ kind: 'jump', start: SEGMENTS[0], end: SEGMENTS[1], enabled: false });
  const search = navMesh.createSearch();
  search.begin(a.polygon, a.point, b.polygon, b.point);
  const agent = navMesh.createCorridor(a.polygon, a.point);
  agent.set(b.point, corridor);
  return { navMesh, a, b, corridor, flood: navMesh.flood(a.polygon, a.point), filter: navMesh.createFilter(),
    islands: navMesh.islands(), search, agent, connection, link,
    state: { bytes: navMesh.saveTileState(a.polygon), tile: navMesh.tiles()[0].bytes } };
}

const isArgument = (kind) => Array.isArray(kind);
const goodValue = (argument) => (isArgument(argument) ? argument[1]
  : Object.fromEntries(Object.entries(argument).map(([name, [, value]]) => [name, value])));

/** The name of a value, for messages. */
const show = (value) => (typeof value === 'bigint' ? `${value}n` : isObject(value) ? `${value.constructor.name} ${Object.keys(value)}`
  : typeof value === 'string' ? `'${value}'` : String(value));

/** Every call with one bad argument: its name, its kind, the bad value and the arguments. */
function* badCalls(method, parameters, extra) {
  for (const [i, parameter] of parameters.entries()) {
    const withValue = (value) => parameters.map((other, k) => (k === i ? value : goodValue(other)));
    const kind = isArgument(parameter) ? parameter[0] : 'options';
    for (const value of [...makeBad(), ...extra]) {
      yield { label: `${method}, argument ${i} is ${show(value)}`, kind, value, args: withValue(value) };
    }
    for (const [name, [fieldKind]] of Object.entries(isArgument(parameter) ? {} : parameter)) {
      for (const value of [...makeBad(), ...extra]) {
        yield { label: `${method}, ${name} is ${show(value)}`, kind: fieldKind, value,
          args: withValue({ ...goodValue(parameter), [name]: value }) };
      }
    }
  }
}

/** Makes a call and asserts that anything it throws is a NavError with a full message. @returns {NavError | null} */
function attempt(object, method, { label, args }) {
  try {
    const answer = object[method](...args);
    if (/^(create|islands)/.test(method)) answer.free();
    return null;
  } catch (error) {
    assert.ok(error instanceof NavError, `${label}: ${error.stack}`);
    assert.notEqual(error.code, 'internal', `${label}: ${error.message}`);
    if (error.code === 'invalid-argument') assert.equal(typeof error.field, 'string', `${label}: ${error.message}`);
    return error;
  }
}

for (const instance of builds) {
  test(`bad questions: every argument of every method, ${instance.simd ? 'SIMD' : 'scalar'}`, (context) => {
    const other = instance.bake(makeGround(), {}).navMesh;
    const foreign = { filter: other.createFilter(), islands: other.islands() };
    const reference = makeWorld(instance);
    const expected = describeAnswers(reference);
    reference.navMesh.free();
    let [calls, refused] = [0, 0];
    for (const [k, [, methods]] of describeMethods(makeWorld(instance)).entries()) {
      for (const method of Object.keys(methods)) {
        const world = makeWorld(instance);
        const [object, { [method]: parameters }] = describeMethods(world)[k];
        // Also arguments of other kinds.
        const { navMesh, search, agent, filter } = world;
        for (const call of badCalls(method, parameters, [foreign.filter, foreign.islands, search, agent, navMesh, () => filter])) {
          if (call.args.includes(null) && call.value !== null) continue; // skips calls that change the mesh
          const error = attempt(object, method, call);
          const accepts = ACCEPTS[call.kind];
          if (accepts && !accepts(call.value)) {
            assert.ok(error, `${call.label}: was accepted`);
            refused++;
          } else if (accepts) {
            const needsMore = ['addConnection', 'addSegmentLink'].includes(method) && call.kind === 'options'; // the ends of the connection
            assert.ok(!error || error.code === 'state' || object === agent || needsMore, `${call.label}: ${error?.message}`);
          }
          calls++;
        }
        // Undoes changes by the valid ones among them.
        for (const added of navMesh.connections().slice(1)) navMesh.removeConnection(added);
        for (let added; (added = navMesh.segmentLinks().refs.find((ref) => navMesh.segmentLink(ref).userId !== 0));) navMesh.removeSegmentLink(added);
        navMesh.restoreTileState(world.state.bytes);
        navMesh.setConnectionEnabled(world.connection, false);
        navMesh.setSegmentLinkEnabled(navMesh.segmentLinks().refs[0], false);
        assert.deepEqual(describeAnswers(world), expected, `answers after ${method}`);
        navMesh.free();
      }
    }
    context.diagnostic(`${calls} calls, ${refused} refused`);
    assert.ok(refused > 5000);
    other.free();
    instance.trimMemory();
  });
}

/** Results of some valid queries. */
function describeAnswers({ navMesh, a, b }) {
  const path = navMesh.findPath(a.point, b.point, { islands: true });
  const batch = navMesh.raycasts([a.polygon, b.polygon], [...a.point, ...b.point], [...b.point, ...a.point]);
  return { path: { ...path }, batch: { ...batch }, flags: navMesh.polygonFlags(a.polygon), wall: navMesh.distanceToWall(a.polygon, a.point, 50) };
}

/** All methods that take a reference, with that reference first. */
const ASK = {
  closestPoint: (navMesh, ref, at) => navMesh.closestPoint(ref, at),
  closestBoundaryPoint: (navMesh, ref, at) => navMesh.closestBoundaryPoint(ref, at),
  height: (navMesh, ref, at) => navMesh.height(ref, at),
  'findCorridor from': (navMesh, ref, at, good) => navMesh.findCorridor(ref, at, good, at),
  'findCorridor to': (navMesh, ref, at, good) => navMesh.findCorridor(good, at, ref, at),
  straighten: (navMesh, ref, at) => navMesh.straighten(at, at, [ref]),
  raycast: (navMesh, ref, at) => navMesh.raycast(ref, at, at),
  moveAlongSurface: (navMesh, ref, at) => navMesh.moveAlongSurface(ref, at, at),
  distanceToWall: (navMesh, ref, at) => navMesh.distanceToWall(ref, at, 5),
  wallSegments: (navMesh, ref) => navMesh.wallSegments(ref),
  localNeighbourhood: (navMesh, ref, at) => navMesh.localNeighbourhood(ref, at, 5),
  flood: (navMesh, ref, at) => navMesh.flood(ref, at),
  randomPointAround: (navMesh, ref, at) => navMesh.randomPointAround(ref, at, 5),
  createCorridor: (navMesh, ref, at) => navMesh.createCorridor(ref, at),
  'search.begin': (navMesh, ref, at, good) => navMesh.createSearch().begin(good, at, ref, at),
  polygonCosts: (navMesh, ref) => navMesh.createFilter({ polygonCosts: { polygons: [ref], factors: [2] } }),
  polygonFlags: (navMesh, ref) => navMesh.polygonFlags(ref),
  polygonArea: (navMesh, ref) => navMesh.polygonArea(ref),
  setPolygonFlags: (navMesh, ref) => navMesh.setPolygonFlags(ref, 1),
  setPolygonArea: (navMesh, ref) => navMesh.setPolygonArea(ref, 1),
  saveTileState: (navMesh, ref) => navMesh.saveTileState(ref),
  removeTile: (navMesh, ref) => navMesh.removeTile(ref),
  connection: (navMesh, ref) => navMesh.connection(ref),
  removeConnection: (navMesh, ref) => navMesh.removeConnection(ref),
  setConnectionEnabled: (navMesh, ref) => navMesh.setConnectionEnabled(ref, true),
  setConnectionCost: (navMesh, ref) => navMesh.setConnectionCost(ref, 2),
  segmentLink: (navMesh, ref) => navMesh.segmentLink(ref),
  segmentLinkPoint: (navMesh, ref) => navMesh.segmentLinkPoint(ref, 0, 0),
  setSegmentLinkEnabled: (navMesh, ref) => navMesh.setSegmentLinkEnabled(ref, true),
  removeSegmentLink: (navMesh, ref) => navMesh.removeSegmentLink(ref),
};

test('bad questions: stale references', () => {
  const { navMesh, a, b } = makeWorld();
  const [{ ref, bytes }] = navMesh.tiles().filter((tile) => Math.floor(tile.ref / 2 ** 20) === Math.floor(a.polygon / 2 ** 20));
  navMesh.removeTile(ref);
  for (const state of ['removed', 'added again']) {
    for (const [name, ask] of Object.entries(ASK)) {
      assert.throws(() => ask(navMesh, a.polygon, b.point, b.polygon), { name: 'NavError', code: 'stale-reference' }, `${name}, ${state}`);
    }
    const rows = [[a.polygon, b.polygon], [...b.point, ...b.point]];
    for (const { statuses } of [navMesh.raycasts(...rows, rows[1]), navMesh.moves(...rows, rows[1]), navMesh.heights(...rows),
      navMesh.wallDistances(...rows, 5)]) assert.ok(statuses[0] !== 0 && statuses[1] === 0);
    if (state === 'removed') navMesh.addTile(bytes);
  }
  navMesh.free();
});

test('bad questions: references of another mesh', () => {
  const settings = [['plaza', { tileSize: 48 }], ['plaza', {}], ['maze', {}], ['maze', { agentRadius: 0.3 }], ['terrain', { tileSize: 64 }]];
  const meshes = settings.map(([scene, config]) => walkmesh.bake(readScene(scene), config).navMesh);
  const random = new Random(2);
  for (const navMesh of meshes) {
    const good = navMesh.randomPoint({ random });
    for (const other of meshes) {
      if (other === navMesh) continue;
      const { polygon, point } = other.randomPoint({ random });
      assert.equal(navMesh.islands().of(polygon), 0);
      for (const [name, ask] of Object.entries(ASK)) {
        assert.throws(() => ask(navMesh, polygon, point, good.polygon), { name: 'NavError', code: 'invalid-argument' }, name);
      }
    }
  }
  const [, plaza] = meshes;
  const again = walkmesh.bake(readScene('plaza'), {}).navMesh;
  const { polygon } = plaza.nearestPoint([2, 0, 2]);
  assert.equal(again.nearestPoint([2, 0, 2]).polygon, polygon, 'the same tiles have the same references');
  for (const navMesh of [...meshes, again]) navMesh.free();
});

test('bad questions: nothing is written beyond an output array, or where there is less room than a row', () => {
  const { navMesh, a, b } = makeWorld();
  /** An array inside a buffer that is filled with 77. */
  const guarded = (type, length) => {
    const bytes = new Uint8Array((length + 4) * type.BYTES_PER_ELEMENT).fill(77);
    return new type(bytes.buffer, 2 * type.BYTES_PER_ELEMENT, length);
  };
  const isIntact = (array, from) => {
    const bytes = new Uint8Array(array.buffer);
    const end = array.byteOffset + from * array.BYTES_PER_ELEMENT;
    return bytes.every((byte, i) => byte === 77 || (i >= array.byteOffset && i < end));
  };
  const questions = {
    flood: (out) => navMesh.flood(a.polygon, a.point, {}, out),
    raycast: (out) => navMesh.raycast(a.polygon, a.point, b.point, {}, out),
    findPath: (out) => navMesh.findPath(a.point, b.point, {}, out),
    findCorridor: (out) => navMesh.findCorridor(a.polygon, a.point, b.polygon, b.point, {}, out),
    wallSegments: (out) => navMesh.wallSegments(a.polygon, { portals: true }, out),
    localNeighbourhood: (out) => navMesh.localNeighbourhood(a.polygon, a.point, 9, {}, out),
    polygonsInBox: (out) => navMesh.polygonsInBox(a.point, [9, 9, 9], {}, out),
    distanceToWall: (out) => navMesh.distanceToWall(a.polygon, a.point, 50, {}, out),
    nearestPoints: (out) => navMesh.nearestPoints([...a.point, ...b.point], {}, out),
    raycasts: (out) => navMesh.raycasts([a.polygon], a.point, b.point, {}, out),
    moves: (out) => navMesh.moves([a.polygon], a.point, b.point, {}, out),
    heights: (out) => navMesh.heights([a.polygon], a.point, out),
    wallDistances: (out) => navMesh.wallDistances([a.polygon], a.point, 9, {}, out),
    randomPoints: (out) => navMesh.randomPoints(2, { random: new Random(3) }, out),
    findPaths: (out) => navMesh.findPaths([...a.point, ...b.point], [...b.point, ...a.point], {}, out),
  };
  for (const [name, ask] of Object.entries(questions)) {
    const expected = ask();
    const arrays = Object.entries(expected).filter(([, value]) => ArrayBuffer.isView(value));
    assert.ok(arrays.length > 0, name);
    for (const change of [-1, 0, 3]) {
      const out = Object.fromEntries(arrays.map(([key, { constructor, length }]) => [key, guarded(constructor, Math.max(0, length + change))]));
      const given = { ...out };
      const answer = ask(out);
      assert.equal(answer, out);
      for (const [key, value] of arrays) {
        assert.ok(isIntact(given[key], change < 0 && value.length > 0 ? 0 : value.length), `${name}.${key}, ${change}`);
        assert.equal(answer[key] === given[key], change >= 0 || value.length === 0, `${name}.${key} is kept where it is long enough`);
        assert.deepEqual([...answer[key].subarray(0, value.length)], [...value], `${name}.${key}`);
      }
    }
  }
  navMesh.free();
});

test('bad questions: arrays that cannot hold references are refused', () => {
  const { navMesh, a, b } = makeWorld();
  for (const refs of [Float32Array.of(a.polygon), Uint32Array.of(a.polygon), BigUint64Array.of(BigInt(a.polygon))]) {
    const isRefused = (field) => ({ name: 'NavError', code: 'invalid-argument', field });
    assert.throws(() => navMesh.raycasts(refs, a.point, b.point), isRefused('polygons'));
    assert.throws(() => navMesh.straighten(a.point, b.point, refs), isRefused('corridor'));
    assert.throws(() => navMesh.createFilter({ polygonCosts: { polygons: refs, factors: [1] } }), isRefused('polygonCosts.polygons'));
  }
  navMesh.free();
});

test('bad questions: a filter that was freed in the middle of a search', () => {
  const { navMesh, a, b, search } = makeWorld();
  const filter = navMesh.createFilter({ polygonCosts: { polygons: [b.polygon], factors: [0.5] } });
  search.begin(a.polygon, a.point, b.polygon, b.point, { filter });
  search.advance(1);
  filter.free();
  for (const use of [() => search.advance(1), () => search.finish(), () => search.finishAlong([b.polygon])]) assert.throws(use, isState);
  search.begin(a.polygon, a.point, b.polygon, b.point);
  assert.equal(search.advance(1e6), true);
  assert.equal(search.finish().status, 'complete');
  navMesh.free();
});
