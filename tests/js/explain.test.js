/** Explanations of paths: planted causes, changes that open a way, traces, bad input, failed allocations. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random, explainPath, load, tracePath } from '../../js/index.js';
import { judge } from './explain-judge.js';
import { KINDS, plantCause } from './explained-levels.js';
import { makeRandom } from './random.js';
import { DETOUR_CONFIG, DETOUR_DOOR, DETOUR_ENDS, makeDetour } from './detour-around.js';
import { makeBoxes, makeRooms as makeOpening } from './rooms.js';
import { joinLevels, makeGround, readScene } from './support.js';

const walkmesh = await load();

for (const kind of KINDS) {
  test(`a planted cause is named first, and its change opens the way: ${kind}`, () => {
    const wrong = Array.from({ length: 5 }, (_, seed) => ({ seed, problem: judge(walkmesh, plantCause(kind, seed)) })).filter(({ problem }) => problem !== null);
    assert.deepEqual(wrong, []);
  });
}

test('a level that is open has no cause', () => {
  const { navMesh } = walkmesh.bake(makeGround(20), { cellSize: 0.3 });
  const { causes, path, places } = explainPath(navMesh, [2, 0, 2], [18, 0, 18]);
  assert.deepEqual([causes, path.status, places], [[], 'complete', []]);
  navMesh.free();
});

/** Two rooms with a corridor of area 5. */
function makeRooms() {
  const [left, right, hall] = [makeGround(10), makeGround(10), makeGround(1)];
  for (let i = 0; i < right.positions.length; i += 3) right.positions[i] += 20;
  hall.positions = Float32Array.of(9, 0, 4, 9, 0, 7, 21, 0, 7, 21, 0, 4);
  return { ...[left, right, hall].reduce(joinLevels), volumes: [{ kind: /** @type {const} */ ('box'), min: [14, -1, 0], max: [16, 1, 10], area: 5 }] };
}
const CONFIG = { cellSize: 0.25, agentRadius: 0.5, tileSize: 32 };
const [A, B] = [[2, 0, 5], [28, 0, 5]];
const DOOR = { kind: /** @type {const} */ ('box'), min: [13.5, -1, 0], max: [16.5, 1, 10] };

test('two doors one after the other are told together, and the mesh is as before', () => {
  const { navMesh } = walkmesh.bake({ ...makeRooms(), volumes: [] }, CONFIG);
  const switches = navMesh.createSwitches();
  for (const [name, x] of /** @type {[string, number][]} */ ([['first', 11], ['second', 19]])) switches.addDoor({ name, isOpen: false, volume: { kind: 'box', min: [x, -1, 0], max: [x + 0.5, 1, 10] } });
  const before = switches.listFlags();
  const { causes } = explainPath(navMesh, A, B);
  assert.equal(causes.length > 0 && causes[0].isVerified, true, JSON.stringify(causes));
  assert.match(causes[0].text, /The door `(first|second)` is closed/);
  assert.deepEqual(switches.listFlags(), before);
  assert.equal(navMesh.findPath(A, B).status, 'unreachable');
  for (const change of causes[0].changes) if (change.kind === 'switch') change.switches.set(change.number, change.isOn);
  assert.equal(navMesh.findPath(A, B).status, 'complete');
  navMesh.free();
});

test('doors of several Switches objects over the same polygons are told together, and all of them open the way', () => {
  const { navMesh } = walkmesh.bake(makeRooms(), CONFIG);
  for (const name of ['first', 'second']) navMesh.createSwitches().addDoor({ name, isOpen: false, volume: DOOR, area: 5 });
  const { causes } = explainPath(navMesh, A, B);
  assert.deepEqual(causes.map(({ kind, changes, isVerified }) => [kind, changes.length, isVerified]), [['switch', 2, true], ['switch', 0, false]]);
  for (const change of causes[0].changes) if (change.kind === 'switch') change.switches.set(change.number, change.isOn);
  assert.equal(navMesh.findPath(A, B).status, 'complete');
  navMesh.free();
});

test('limits, ends that are not on the mesh, disabled connections, long ways', () => {
  const { navMesh } = walkmesh.bake(makeRooms(), CONFIG);
  const limited = explainPath(navMesh, A, B, { maxNodes: 2 });
  assert.equal(limited.causes[0].kind, 'node-limit');
  const [change] = limited.causes[0].changes;
  assert.ok(change.kind === 'nodes' && navMesh.findPath(A, B, { maxNodes: change.maxNodes }).status === 'complete');
  assert.equal(explainPath(navMesh, [2, 50, 5], B).causes[0].kind, 'start-not-found');
  const lost = explainPath(navMesh, A, [2, 50, 5]).causes[0];
  assert.ok(lost.kind === 'end-not-found' && Math.abs(Number(lost.figure) - 50) < 1, lost.text);
  const door = navMesh.createSwitches().addDoor({ volume: DOOR, area: 5, isOpen: false });
  const bridge = navMesh.addConnection({ start: [8, 0, 1], end: [22, 0, 1], enabled: false });
  const both = explainPath(navMesh, A, B);
  assert.deepEqual(both.causes.map(({ kind }) => kind).sort(), ['disabled', 'switch']);
  assert.ok(both.causes.every(({ isVerified }) => isVerified));
  navMesh.setConnectionEnabled(bridge, true);
  navMesh.setConnectionCost(bridge, 1);
  door.open();
  const { causes } = explainPath(navMesh, A, B, { filter: { includeFlags: 1 } });
  assert.deepEqual(causes, []);
  navMesh.free();
});

test('segment links that are disabled, or lead the other way, are named, and the change opens the way', () => {
  const { navMesh } = walkmesh.bake({ ...makeRooms(), volumes: [] }, CONFIG);
  const door = navMesh.createSwitches().addDoor({ volume: DOOR, isOpen: false });
  const jump = /** @type {const} */ ({ kind: 'jump', start: [[9.25, 0, 3.5], [9.25, 0, 1]], end: [[20.75, 0, 3.5], [20.75, 0, 1]] });
  const link = navMesh.addSegmentLink({ ...jump, bidirectional: false, enabled: false });
  const { causes } = explainPath(navMesh, A, B);
  const disabled = causes.find(({ kind }) => kind === 'disabled');
  assert.ok(disabled?.isVerified, JSON.stringify(causes));
  assert.deepEqual(disabled.changes, [{ kind: 'enable', connection: link, point: [9.25, 0, 2.25], isSegmentLink: true }]);
  assert.match(disabled.text, /The jump link at \(9\.3, 0, 2\.3\) is disabled\. Passes with the link at \(9\.3, 0, 2\.3\) enabled\./);
  navMesh.setSegmentLinkEnabled(link, true);
  assert.equal(navMesh.findPath(A, B).status, 'complete');
  const back = explainPath(navMesh, B, A).causes.find(({ kind }) => kind === 'one-way');
  assert.ok(back?.isVerified && back.changes[0].kind === 'two-way' && back.changes[0].connection === link, JSON.stringify(back));
  assert.ok(tracePath(navMesh, A, B).expanded.includes(link), 'a search that passes the link says so');
  assert.ok(tracePath(navMesh, A, B, { shortest: true }).expanded.includes(link));
  door.open();
  navMesh.free();
});

test('a connection whose end or start is off the mesh is named as the cause, with and without the level', () => {
  const geometry = { ...makeRooms(), positions: makeRooms().positions.slice(0, 24), indices: makeRooms().indices.slice(0, 12), volumes: [] };
  const { navMesh } = walkmesh.bake(geometry, CONFIG);
  for (const [start, end, which] of /** @type {[number[], number[], string][]} */ ([[[8, 0, 5], [19.75, 0, 5], 'end'], [[10.25, 0, 5], [22, 0, 5], 'start']])) {
    const connection = navMesh.addConnection({ start, end, radius: 0.3 });
    for (const level of [undefined, { geometry }]) {
      const { causes: [{ kind, isVerified, changes: [change], point }], text } = explainPath(navMesh, A, B, level && { level });
      assert.deepEqual([kind, isVerified, point], ['untied', true, which === 'end' ? end : start], text);
      assert.match(text, new RegExp(`leads nowhere: its ${which} is 1\\.\\d+ m off the mesh, its radius is 0\\.3`));
      assert.ok(change.kind === 'move' && change.connection === connection);
      const moved = navMesh.addConnection({ start: change.start, end: change.end, radius: 0.3 });
      assert.equal(navMesh.findPath(A, B).status, 'complete');
      navMesh.removeConnection(moved);
    }
    navMesh.removeConnection(connection);
  }
  const elsewhere = navMesh.addConnection({ start: [2, 0, 2], end: [10.25, 0, 5], radius: 0.3 });
  assert.ok(!navMesh.connection(elsewhere).endTied);
  assert.ok(!explainPath(navMesh, A, B).causes.some(({ kind }) => kind === 'untied'), 'both of its ends are on the side of the start');
  navMesh.free();
});

test('without trials, causes are those that the mesh shows, nothing is baked, and no level is asked for', () => {
  const { navMesh } = walkmesh.bake({ ...makeRooms(), volumes: [] }, CONFIG);
  const switches = navMesh.createSwitches();
  const door = switches.addDoor({ name: 'gate', isOpen: false, volume: DOOR });
  const unread = /** @type {any} */ ({ get geometry() { throw new Error('the level is read'); } });
  const { causes, text } = explainPath(navMesh, A, B, { level: unread, tryChanges: false });
  assert.equal(text, 'There is no path. The door `gate` is closed. May pass with the door `gate` open.');
  assert.deepEqual(causes.map(({ kind, isVerified }) => [kind, isVerified]), [['switch', false]]);
  door.open();
  assert.match(explainPath(navMesh, A, B, { tryChanges: false }).text, /^The path is 2\d(\.\d+)? m long\.$/);
  assert.throws(() => explainPath(navMesh, A, B, { tryChanges: /** @type {any} */ (1) }), { field: 'tryChanges' });
  navMesh.free();
  const { positions, indices } = makeRooms();
  const { navMesh: apart } = walkmesh.bake({ positions: positions.slice(0, 24), indices: indices.slice(0, 12) }, CONFIG);
  assert.match(explainPath(apart, A, B, { tryChanges: false }).text, /The mesh ends, [\d.]+ m from the ground of the end\.$/);
  apart.free();
});

test('an end far outside the level is told without a bake of it', () => {
  const { volumes: _, ...geometry } = makeRooms();
  const { navMesh } = walkmesh.bake(geometry, CONFIG);
  // Each bake reads the configuration.
  const countReads = (/** @type {[number, number, number]} */ end) => {
    let reads = 0;
    const level = { geometry, config: { ...CONFIG, get cellSize() { reads++; return CONFIG.cellSize; } } };
    assert.equal(explainPath(navMesh, A, end, { level, halfExtents: [0.5, 1, 0.5] }).causes.at(-1)?.kind, 'end-not-found');
    return reads;
  };
  const [near, far] = [countReads([10.1, 0, 9]), countReads([200, 0, 5])];
  assert.ok(far <= 1 && near > 4, `${far} bakes far outside, ${near} at the edge of a room`);
  navMesh.free();
});

test('a closed door that makes a way long is told with the length it saves', () => {
  const positions = [[0, 0, 30, 4], [0, 10, 30, 14], [0, 3, 3, 11], [27, 3, 30, 11]].map(([x0, z0, x1, z1]) => ({
    positions: Float32Array.of(x0, 0, z0, x0, 0, z1, x1, 0, z1, x1, 0, z0), indices: Uint32Array.of(0, 1, 2, 0, 2, 3) }));
  const { navMesh } = walkmesh.bake(positions.reduce(joinLevels), { cellSize: 0.2, agentRadius: 0.4 });
  const door = navMesh.createSwitches().addDoor({ name: 'gate', isOpen: false, volume: { kind: 'box', min: [0, -1, 5], max: [3, 1, 9] } });
  const [start, end] = [[1.5, 0, 2], [1.5, 0, 12]];
  const { causes, path, text } = explainPath(navMesh, start, end);
  assert.equal(path.status, 'complete');
  assert.equal(causes[0]?.kind, 'switch', text);
  door.open();
  assert.ok(Math.abs(path.length - navMesh.findPath(start, end).length - Number(causes[0].saves)) < 1e-3);
  navMesh.free();
});

test('stairs of boxes within each other: the step is measured on their tops, with the setting that climbs it', () => {
  const geometry = makeBoxes([[[0, -0.5, 0], [16, 0, 12]], ...[1, 2, 3, 4].map((i) => /** @type {[number[], number[]]} */ ([[2 + 0.8 * i, 0, 2], [12, 0.48 * i, 6]]))]);
  const config = { cellSize: 0.2, cellHeight: 0.1, agentRadius: 0.4, agentHeight: 1.8, agentMaxClimb: 0.4, tileSize: 48 };
  const { navMesh } = walkmesh.bake(geometry, config);
  const level = { geometry, config };
  for (const options of [{}, { islands: /** @type {const} */ (true) }, { shortest: true }]) {
    const { causes: [cause], reached } = explainPath(navMesh, [1, 0, 4], [11, 1.92, 4], { ...options, level });
    assert.match(cause.text, /^A step of 0\.48 m is too high: agentMaxClimb is 0\.4\. Passes with agentMaxClimb 0\.5\.$/);
    assert.ok(reached.length > 1);
  }
  navMesh.free();
});

test('a closed door over the start or the end is told, and an excluded area there', () => {
  const { navMesh } = walkmesh.bake(makeRooms(), CONFIG);
  const switches = navMesh.createSwitches(), volume = { kind: /** @type {const} */ ('cylinder'), base: [B[0], -1, B[2]], radius: 4, height: 4 };
  const { number } = switches.addDoor({ volume, name: 'vault', isOpen: false });
  const far = { halfExtents: /** @type {[number, number, number]} */ ([0.5, 2, 0.5]) };
  for (const [from, to] of [[A, B], [B, A]]) {
    const { path, causes: [cause] } = explainPath(navMesh, from, to, far);
    assert.match(String(path.reason), /^(start|end)-(not-found|excluded)$/);
    assert.match(cause.text, /^The door `vault` is closed\. Passes with the door `vault` open\.$/);
  }
  switches.set(number, false); // opens it
  assert.equal(navMesh.findPath(A, B, far).status, 'complete');
  const { causes: [cause] } = explainPath(navMesh, A, B, { ...far, filter: { excludeFlags: 0xffff } });
  assert.deepEqual([cause.kind, cause.isVerified], ['filter', true]);
  navMesh.free();
});

test('a step that makes a way long is told with the length it saves', () => {
  // A floor, a terrace of 0.6 m in front of it, and a long ramp up to it at the far end.
  const quad = (/** @type {number[][]} */ corners) => ({ positions: Float32Array.from(corners.flat()), indices: Uint32Array.of(0, 1, 2, 0, 2, 3) });
  const geometry = [
    quad([[0, 0, 0], [0, 0, 6], [40, 0, 6], [40, 0, 0]]), quad([[0, 0, 6], [0, 0.6, 6], [36, 0.6, 6], [36, 0, 6]]), quad([[0, 0.6, 6], [0, 0.6, 12], [36, 0.6, 12], [36, 0.6, 6]]),
    quad([[36, 0.6, 6], [36, 0.6, 12], [40, 0.6, 12], [40, 0, 6]]),
  ].reduce(joinLevels);
  const config = { cellSize: 0.2, cellHeight: 0.1, agentRadius: 0.4, agentMaxClimb: 0.4 };
  const { navMesh } = walkmesh.bake(geometry, config);
  const [start, end] = [[3, 0, 3], [3, 0.6, 9]];
  const { path, causes: [cause], text } = explainPath(navMesh, start, end, { level: { geometry, config } });
  assert.ok(path.status === 'complete' && path.length > 50, `${path.status} ${path.length}`);
  assert.ok(cause.kind === 'step' && Math.abs(Number(cause.figure) - 0.6) < 0.05, text);
  const [change] = cause.changes;
  const after = walkmesh.bake(geometry, { ...config, ...(change.kind === 'config' ? change.fields : {}) }).navMesh;
  assert.ok(Math.abs(path.length - after.findPath(start, end).length - Number(cause.saves)) < 0.5, text);
  after.free();
  navMesh.free();
});

/** Two rooms, a short hall with a closed door, and a long one behind. */
function makeDetourMesh() {
  const { navMesh } = walkmesh.bake(/** @type {any} */ (makeDetour()), DETOUR_CONFIG);
  const door = navMesh.createSwitches().addDoor({ volume: /** @type {any} */ (DETOUR_DOOR), area: 5, isOpen: false, name: 'gate' });
  return { navMesh, door, ends: /** @type {[number[], number[]]} */ (DETOUR_ENDS) };
}

test('a path that maxPoints cuts is explained as a whole', () => {
  const { navMesh, ends } = makeDetourMesh();
  const whole = explainPath(navMesh, ...ends);
  assert.equal(whole.causes[0].kind, 'switch');
  for (const maxPoints of [1, 2, 4]) {
    const { path, text, causes } = explainPath(navMesh, ...ends, { maxPoints });
    assert.deepEqual(path, navMesh.findPath(...ends, { maxPoints }));
    assert.ok(path.isCut);
    assert.deepEqual([text, causes], [whole.text, whole.causes]);
  }
  navMesh.free();
});

test('costs of single polygons count where changes are tried, on the mesh and on its copy', () => {
  const { navMesh, door, ends } = makeDetourMesh();
  const far = navMesh.findPath(...ends);
  door.open();
  const near = navMesh.findPath(...ends);
  // Mud in the short hall, so that the path goes around even with the door open.
  const hall = Array.from(near.corridor).filter((polygon) => !far.corridor.includes(polygon));
  const filter = navMesh.createFilter({ polygonCosts: { polygons: hall, factors: hall.map(() => 50) } });
  assert.ok(navMesh.findPath(...ends, { filter }).length > 1.2 * near.length);
  door.close();
  const { causes, text } = explainPath(navMesh, ...ends, { filter });
  assert.deepEqual(causes, [], text);
  assert.equal(explainPath(navMesh, ...ends, { filter: { excludeFlags: 0 } }).causes[0]?.kind, 'switch');
  navMesh.free();
});

test('changes are tried on a copy of the mesh, which is as before each of them; one of a segment link needs another copy', () => {
  const { navMesh } = walkmesh.bake(makeRooms(), CONFIG);
  navMesh.createSwitches().addDoor({ volume: DOOR, area: 5, isOpen: false });
  navMesh.addConnection({ start: [8, 0, 1], end: [22, 0, 1], enabled: false });
  const jump = /** @type {const} */ ({ kind: 'jump', start: [[9.25, 0, 9], [9.25, 0, 7]], end: [[20.75, 0, 9], [20.75, 0, 7]] });
  navMesh.addSegmentLink({ ...jump, bidirectional: false, enabled: false });
  navMesh.addConnection({ start: [22, 0, 2], end: [8, 0, 2], bidirectional: false });
  let copies = 0;
  const { session } = /** @type {any} */ (navMesh), { wasm } = session;
  session.wasm = { ...wasm, mesh_read: (/** @type {number[]} */ ...values) => (copies++, wasm.mesh_read(...values)) };
  const { causes } = explainPath(navMesh, A, B);
  session.wasm = wasm;
  assert.deepEqual(causes.map(({ kind, isVerified }) => `${kind} ${isVerified}`).sort(), ['disabled true', 'disabled true', 'one-way true', 'switch true']);
  assert.equal(copies, 2);
  assert.equal(navMesh.findPath(A, B).status, 'unreachable');
  navMesh.free();
});

test('where only cells break a limit, smaller cells are tried', () => {
  for (const [width, passes, cellSize] of /** @type {[number, boolean, number][]} */ ([[1.2, true, 0.3], [1.4, true, 0.3], [1.1, false, 0.3], [1.3, true, 0.312345]])) {
    const geometry = makeOpening([[5 - width / 2, 5 + width / 2]]), config = { cellSize, cellHeight: 0.2, agentRadius: 0.5 };
    const { navMesh } = walkmesh.bake(geometry, config);
    const { text, causes: [{ alternatives }] } = explainPath(navMesh, [5, 0, 5], [15, 0, 5], { level: { geometry } });
    navMesh.free();
    const told = /Smaller cells pass as well: cellSize ([\d.]+) with cellHeight ([\d.]+)\.$/.exec(text);
    assert.equal(told !== null, passes, text);
    if (!told) continue;
    assert.deepEqual(alternatives, [[{ kind: 'config', fields: { cellSize: Number(told[1]), cellHeight: Number(told[2]) } }]]);
    const finer = walkmesh.bake(geometry, { ...config, cellSize: Number(told[1]), cellHeight: Number(told[2]) }).navMesh;
    assert.equal(finer.findPath([5, 0, 5], [15, 0, 5]).status, 'complete');
    finer.free();
  }
});

test('in a level of 400,000 cells, smaller cells are tried, too', () => {
  const side = 126, wall = (/** @type {number} */ from, /** @type {number} */ to) => ({ kind: /** @type {const} */ ('box'), min: [63, -1, from], max: [63.5, 3, to] });
  const geometry = { positions: [0, 0, 0, 0, 0, side, side, 0, side, 0, 0, 0, side, 0, side, side, 0, 0], solids: [wall(-1, 60), wall(61.05, side + 1)] };
  const config = { cellSize: 0.2, cellHeight: 0.1, agentRadius: 0.4 }, [from, to] = /** @type {[number, number, number][]} */ ([[50, 0, 60], [76, 0, 60]]);
  const { navMesh } = walkmesh.bake(geometry, config);
  const { text, causes: [{ alternatives }] } = explainPath(navMesh, from, to, { level: { geometry } });
  navMesh.free();
  assert.match(text, /Smaller cells pass as well: cellSize 0\.1 with cellHeight 0\.05\.$/);
  assert.equal(alternatives?.length, 1);
});

test('a passage that a larger radius passes with smaller cells is told with them, as an alternative that opens the way', () => {
  const geometry = makeOpening([[4.65, 5.35]]), config = { cellSize: 0.1, cellHeight: 0.1, agentRadius: 0.4 };
  const { navMesh } = walkmesh.bake(geometry, config);
  const { causes: [cause] } = explainPath(navMesh, [5, 0, 5], [15, 0, 5], { level: { geometry } });
  navMesh.free();
  assert.deepEqual(cause.changes, [{ kind: 'config', fields: { agentRadius: 0.2 } }]);
  assert.match(cause.text, /Passes with agentRadius 0\.2\. With cellSize 0\.05, agentRadius 0\.3 passes, too\.$/);
  assert.deepEqual(cause.alternatives, [[{ kind: 'config', fields: { agentRadius: 0.3, cellSize: 0.05 } }]]);
  const finer = walkmesh.bake(geometry, { ...config, agentRadius: 0.3, cellSize: 0.05 }).navMesh;
  assert.equal(finer.findPath([5, 0, 5], [15, 0, 5]).status, 'complete');
  finer.free();
});

test('a long way: smaller cells are told only if the way through the passage is open with them', () => {
  const [start, end] = [[8, 0, 9], [12, 0, 9]];
  let told = 0;
  for (const [width, agentRadius] of [[1, 0.6], [0.9, 0.6], [0.7, 0.6], [0.5, 0.6], [1.2, 0.5], [1.1, 0.5]]) {
    const geometry = makeOpening([[0.3, 2.3], [9 - width / 2, 9 + width / 2]]), config = { cellSize: 0.2, cellHeight: 0.2, agentRadius };
    const { navMesh } = walkmesh.bake(geometry, config);
    const { path: { length }, causes: [cause] } = explainPath(navMesh, start, end, { level: { geometry } });
    navMesh.free();
    for (const [change] of cause.alternatives ?? []) {
      assert.ok(change.kind === 'config');
      const finer = walkmesh.bake(geometry, { ...config, ...change.fields }).navMesh;
      assert.ok(finer.findPath(start, end).length < length / 2, `${width}: ${cause.text}`);
      finer.free();
      told++;
    }
  }
  assert.ok(told >= 3, `${told}`);
});

test('a passage that only radius 0 passes is told with what smaller cells may pass', () => {
  for (const isWalled of [true, false]) {
    const between = isWalled ? [[[9, -0.5, 0], [15, 0, 10]], [[10, 0, 0], [14, 3, 4.7]], [[10, 0, 5.3], [14, 3, 10]]] : [[[9, -0.5, 4.7], [15, 0, 5.3]]];
    const geometry = makeBoxes(/** @type {any} */ ([[[0, -0.5, 0], [10, 0, 10]], [[14, -0.5, 0], [24, 0, 10]], ...between]));
    const { navMesh } = walkmesh.bake(geometry, { cellSize: 0.2, cellHeight: 0.2, agentRadius: 0.6 });
    const { causes: [cause], text } = explainPath(navMesh, [5, 0, 5], [19, 0, 5], { level: { geometry } });
    assert.ok(cause.kind === 'narrow' && Math.abs(Number(cause.figure) - 0.6) < 0.01, text);
    assert.match(cause.text, /Passes with agentRadius 0\. Cells of 0\.2 m leave no radius in 0\.6 m: smaller ones may pass up to 0\.3\./);
    const [[{ fields }]] = /** @type {any} */ (cause.alternatives);
    assert.ok(fields.cellSize < 0.2 && fields.agentRadius >= 0.05, text);
    navMesh.free();
  }
});

test('a traced path has the same bytes as one without', () => {
  const random = makeRandom(7);
  for (const name of ['plaza', 'stairs', 'city']) {
    const scene = readScene(name);
    for (const tileSize of [0, 48]) {
      const { navMesh } = walkmesh.bake(scene, { cellSize: 0.3, tileSize });
      const { boundsMin, boundsMax } = navMesh.totals;
      for (let i = 0; i < 40; i++) {
        const [start, end] = [0, 1].map(() => boundsMin.map((low, axis) => random.between(low, boundsMax[axis])));
        const halfExtents = /** @type {[number, number, number]} */ ([5, 20, 5]);
        for (const options of [{}, { shortest: true }, { anyAngle: true }, { maxNodes: 10 }, { filter: { excludeFlags: 1, includeFlags: 3 } }, { islands: /** @type {const} */ (true) }]) {
          const plain = navMesh.findPath(start, end, { halfExtents, ...options });
          const { path, expanded, isCut } = tracePath(navMesh, start, end, { halfExtents, ...options });
          assert.deepEqual(path, plain);
          assert.equal(isCut, false);
          assert.equal(expanded.length <= plain.searched || plain.status === 'unreachable', true); // `searched` leaves out what was searched in cones
          if (plain.start && plain.end) assert.equal(expanded.length > 0 || plain.searched <= 1 || plain.start.polygon === plain.end.polygon, true);
        }
      }
      navMesh.free();
    }
  }
});

test('a trace tells every link that the filter and the limit refuse', () => {
  const { navMesh } = walkmesh.bake(makeRooms(), CONFIG);
  navMesh.createSwitches().addDoor({ volume: DOOR, area: 5, isOpen: false });
  for (const shortest of [false, true]) {
    const { expanded, refused, path } = tracePath(navMesh, A, B, { shortest });
    assert.equal(path.status, 'unreachable');
    assert.ok(refused.length > 0 && refused.every(({ reason, from, to }) => reason === 'filter' && expanded.includes(from) && navMesh.polygonFlags(to) === 0));
  }
  for (const shortest of [false, true]) {
    const limited = tracePath(navMesh, A, B, { maxNodes: 1, shortest });
    assert.ok(limited.refused.some(({ reason }) => reason === 'node-limit'));
  }
  navMesh.free();
});

test('a trace of a shortest path tells what its second search refused at the limit', () => {
  const { navMesh } = walkmesh.bake(readScene('city'), { cellSize: 0.3 });
  const random = new Random(5);
  let [ordinary, second] = [0, 0];
  for (let i = 0; i < 30; i++) {
    const [start, end] = [0, 1].map(() => /** @type {{ point: [number, number, number] }} */ (navMesh.randomPoint({ random })).point);
    for (const maxNodes of [20, 50, 100, 200, 400, 800]) {
      const isLimited = (/** @type {boolean} */ shortest) => tracePath(navMesh, start, end, { maxNodes, shortest }).refused.some(({ reason }) => reason === 'node-limit');
      if (isLimited(false)) continue;
      ordinary++;
      second += isLimited(true) ? 1 : 0;
    }
  }
  assert.ok(ordinary > 20 && second > 0 && second < ordinary, `${second} of ${ordinary}`);
  navMesh.free();
});

test('bad input names its field', () => {
  const { navMesh } = walkmesh.bake(makeRooms(), CONFIG);
  const level = { geometry: makeRooms(), config: CONFIG };
  /** @type {[() => unknown, RegExp][]} */
  const cases = [
    [() => explainPath(/** @type {any} */ ({}), A, B), /NavMesh|navMesh/], [() => explainPath(navMesh, /** @type {any} */ ([0, 1]), B), /start/],
    [() => explainPath(navMesh, A, [NaN, 0, 0]), /end/], [() => explainPath(navMesh, A, B, /** @type {any} */ ({ filter: 5 })), /filter/], [() => explainPath(navMesh, A, B, /** @type {any} */ ({ levels: level })), /levels/],
    [() => explainPath(navMesh, A, B, /** @type {any} */ ({ level: { config: CONFIG } })), /geometry/],
    [() => explainPath(navMesh, A, B, /** @type {any} */ ({ level: null })), /level must be an object with the geometry/],
    [() => explainPath(navMesh, A, B, { level: { ...level, config: { cellSize: -1 } } }), /cellSize/],
    [() => tracePath(navMesh, A, B, /** @type {any} */ ({ level })), /level/], [() => explainPath(navMesh, A, B, { maxNodes: -1 }), /maxNodes/],
  ];
  for (const [call, message] of cases) assert.throws(call, (error) => error instanceof Error && 'code' in error && message.test(error.message), String(message));
  navMesh.free();
  assert.throws(() => explainPath(navMesh, A, B), { code: 'state' });
});

test('a failed allocation frees everything, turns switches back, and the mesh works on', () => {
  const level = { geometry: makeRooms(), config: CONFIG };
  const { navMesh } = walkmesh.bake(level.geometry, CONFIG);
  const door = navMesh.createSwitches().addDoor({ volume: DOOR, area: 5, isOpen: false });
  explainPath(navMesh, A, B, { level });
  walkmesh.trimMemory();
  const { version } = navMesh, { bytes } = walkmesh.memory();
  let failures = 0;
  for (let count = 0; count < 300; count += 7) {
    walkmesh.failAllocationsAfter(count);
    try {
      explainPath(navMesh, A, B, { level });
    } catch (error) {
      assert.equal(/** @type {any} */ (error).code, 'out-of-memory');
      failures++;
    }
    walkmesh.failAllocationsAfter(undefined);
    assert.equal(door.isOpen, false);
    assert.equal(navMesh.version, version);
    walkmesh.trimMemory();
    assert.equal(walkmesh.memory().bytes, bytes, `after failure ${count}`);
  }
  assert.ok(failures > 10, `${failures} of the calls failed`);
  assert.equal(navMesh.findPath(A, B).status, 'unreachable');
  navMesh.free();
});

/** Two grounds, the second one behind a gap or on a step, with doors across the way. @param {{ gap?: number, step?: number, hasRoof?: boolean, doors: number[], tileSize: number, links?: object }} options hasRoof: over the gap, too low for jumps */
function makeRow({ gap = 0, step = 0, hasRoof = false, doors, tileSize, links }) {
  const floor = (/** @type {number} */ x0, /** @type {number} */ x1, /** @type {number} */ y) => [x0, y, 0, x0, y, 20, x1, y, 20, x0, y, 0, x1, y, 20, x1, y, 0];
  const geometry = { positions: Float32Array.from([...floor(0, 20, 0), ...floor(20 + gap, 40, step)]), ...(hasRoof && { solids: [{ kind: /** @type {const} */ ('box'), min: [19, 2, -1], max: [21 + gap, 3, 21] }] }) };
  const config = { cellSize: 0.2, cellHeight: 0.1, agentRadius: 0.4, agentHeight: 1.8, agentMaxClimb: 0.4, tileSize, ...(links && { links }) };
  const { navMesh } = walkmesh.bake(geometry, config);
  const switches = navMesh.createSwitches();
  const add = (/** @type {import('../../js/index.js').NavMesh} */ mesh, isOpen = false) => {
    const own = mesh === navMesh ? switches : mesh.createSwitches();
    for (const x of doors) own.addDoor({ name: `door ${x}`, isOpen, volume: { kind: 'box', min: [x, -1, -1], max: [x + 1, 6, 21] } });
  };
  add(navMesh);
  return { navMesh, switches, geometry, config, add, start: [3, 0, 10], end: [38, step, 10] };
}

/** True if the path is found once changes are made: on the mesh, or on one baked with them. @param {ReturnType<typeof makeRow>} row @param {import('../../js/index.js').Change[]} changes */
function opensRow({ navMesh, geometry, config, add, start, end }, changes) {
  const fields = changes.reduce((all, change) => (change.kind === 'config' ? { ...all, ...change.fields } : change.kind === 'links' ? { ...all, links: change.links } : all), {});
  const mesh = Object.keys(fields).length > 0 ? walkmesh.bake(geometry, { ...config, ...fields }).navMesh : walkmesh.loadNavMesh(navMesh.save());
  if (Object.keys(fields).length > 0) add(mesh);
  else mesh.restoreSwitches();
  const [own] = mesh.switches;
  for (const change of changes) {
    if (change.kind === 'switch') own?.set(Number(own?.find(String(change.name))), change.isOn);
    else if (change.kind === 'connect') mesh.addConnection({ start: change.start, end: change.end });
  }
  const { status } = mesh.findPath(start, end);
  mesh.free();
  return status === 'complete';
}

/** @type {[string, { gap?: number, step?: number, hasRoof?: boolean, links?: object, doors: number[] }, RegExp][]} */
const ROWS = [
  ['a door, then a gap that no link crosses', { gap: 4, hasRoof: true, doors: [10] }, /^The door `door 10` is closed\. Then a gap of 4 m parts the ground\. No setting that was tried closes it\. Passes with the door `door 10` open and with a connection over [45](\.\d+)? m(, [\d.]+ m (up|down))?\.$/],
  ['a gap, then a door', { gap: 4, hasRoof: true, doors: [33] }, /^A gap of 4 m parts the ground\. .* Then the door `door 33` is closed\. Passes with a connection over [45](\.\d+)? m(, [\d.]+ m (up|down))? and with the door `door 33` open\.$/],
  ['a door, then a gap for jumps', { gap: 2, links: { jump: { maxDistance: 2 } }, doors: [10] },
    /^The door `door 10` is closed\. Then a jump of 3(\.2)? m would lead there: links\.jump\.maxDistance is 2\. Passes with the door `door 10` open and with links\.jump\.maxDistance 3\.(01|2)\.$/],
  ['two doors around a gap', { gap: 2, links: { jump: { maxDistance: 2 } }, doors: [10, 30] }, /^The door `door 10` is closed\. Then a jump of .* Then the door `door 30` is closed\. Passes with .*, with links\.jump\.maxDistance 3\.(01|2) and with the door `door 30` open\.$/],
  ['a door, then a step', { step: 0.6, doors: [10] }, /./], ['a step, then a door', { step: 0.6, doors: [30] }, /./],
];

for (const [name, options, text] of ROWS) {
  test(`causes in a row are told together, in their order, and only all changes open the way: ${name}`, () => {
    for (const tileSize of [0, 32]) {
      const row = makeRow({ ...options, tileSize }), { navMesh, switches, geometry, start, end } = row;
      const before = switches.listFlags();
      const { causes, text: summary } = explainPath(navMesh, start, end, { level: { geometry } });
      assert.match(causes[0].text, text, `tiles of ${tileSize}`);
      assert.ok(summary.includes(causes[0].text));
      assert.ok(causes[0].isVerified && !causes[0].isAlsoNeeded && causes[1].isAlsoNeeded && causes[1].changes.length === 0);
      for (const { changes, isVerified, text: told } of causes.filter(({ isAlsoNeeded }) => !isAlsoNeeded)) {
        assert.ok(isVerified && changes.length > options.doors.length && opensRow(row, changes), told);
        for (const left of changes) assert.ok(!opensRow(row, changes.filter((change) => change !== left)), `${told} without ${left.kind}`);
      }
      assert.deepEqual(switches.listFlags(), before);
      const kinds = causes.map(({ kind }) => kind);
      if (options.step) assert.ok(kinds.includes('step'), `${kinds}`);
      navMesh.free();
    }
  });
}

test('a step behind a closed door is no way with agentMaxClimb alone, and without the level the end of the mesh is told after the door', () => {
  for (const tileSize of [0, 32]) {
    const { navMesh, switches, geometry, start, end } = makeRow({ step: 0.6, doors: [30], tileSize });
    for (const { changes } of explainPath(navMesh, start, end, { level: { geometry } }).causes) assert.ok(changes.length !== 1, JSON.stringify(changes));
    const { causes: [first, second], text } = explainPath(navMesh, start, end);
    assert.deepEqual([first.kind, second.kind, second.isAlsoNeeded, first.changes, first.isVerified], ['apart', 'switch', true, [], false]);
    assert.match(text, /^There is no path\. The mesh ends, [\d.]+ m from the ground of the end\. Then the door `door 30` is closed\. Pass the level to learn why\.$/);
    for (const number of switches.numbers()) switches.set(number, false);
    assert.deepEqual(explainPath(navMesh, start, end).causes.map(({ kind }) => kind), ['apart']);
    navMesh.free();
  }
});

test('a filter that excludes a kind of links, or a connection, is told by its name', () => {
  const { navMesh } = makeRow({ gap: 2, doors: [], tileSize: 0, links: { jump: { maxDistance: 4, flags: 0x10 } } });
  const [start, end] = [[3, 0, 10], [38, 0, 10]];
  assert.equal(navMesh.findPath(start, end).status, 'complete');
  const { text, causes: [cause] } = explainPath(navMesh, start, end, { filter: { excludeFlags: 0x10 } });
  assert.equal(text, "There is no path. The filter excludes jumps: excludeFlags has their flag 0x10. Passes with the filter's excludeFlags 0x0.");
  assert.ok(cause.isVerified);
  assert.match(explainPath(navMesh, start, end, { filter: { includeFlags: 1 } }).text, /The filter doesn't include jumps: includeFlags has none of their flags 0x10\./);
  for (const { ref } of Array.from(navMesh.segmentLinks().refs, (link) => ({ ref: link }))) navMesh.setSegmentLinkEnabled(ref, false);
  navMesh.addConnection({ start: [19, 0, 10], end: [23, 0, 10], flags: 0x20 });
  assert.match(explainPath(navMesh, start, end, { filter: { excludeFlags: 0x20 } }).causes.map((each) => each.text).join('\n'), /The filter excludes the connection at \(19, 0, 10\): excludeFlags has its flag 0x20\./);
  navMesh.free();
});

test('ground at an end that another setting would leave is told, also where no way leads there', () => {
  const quad = (x0, z0, x1, z1, y, y1 = y) => [x0, y, z0, x0, y, z1, x1, y1, z1, x0, y, z0, x1, y1, z1, x1, y1, z0];
  const base = { cellSize: 0.2, cellHeight: 0.1, agentRadius: 0.4, agentHeight: 1.8, agentMaxClimb: 0.4 };
  const askWith = (options, end, more, ...quads) => {
    const geometry = { positions: [...quad(0, 0, 10, 10, 0), ...quads.flat()] };
    const { navMesh } = walkmesh.bake(geometry, { ...base, ...more });
    const { path, text } = explainPath(navMesh, [1, 0, 5], end, { level: { geometry }, ...options });
    navMesh.free();
    assert.equal(path.reason, 'end-not-found');
    return text;
  };
  const ask = (...given) => askWith({}, ...given);
  assert.match(ask([15, 0, 5], { minRegionSize: 8 }, quad(14, 4, 16, 6, 0)), /the nearest ground is 5\.6 m away\. There is ground with minRegionSize 0\.$/);
  assert.match(ask([21, 2, 5], { agentMaxSlope: 10 }, quad(16, 2, 26, 8, 0, 4)), /There is ground with agentMaxSlope 22\.$/);
  assert.doesNotMatch(ask([21, 0, 5], {}), /There is ground/);
  // Farther than halfExtents, but within the radius that the path asks for.
  const slope = quad(16, 2, 26, 8, 0, 4);
  assert.match(askWith({ radius: 5 }, [29, 3, 5], { agentMaxSlope: 10 }, slope), /There is ground with agentMaxSlope 22\.$/);
  assert.doesNotMatch(ask([29, 3, 5], { agentMaxSlope: 10 }, slope), /There is ground/);
});

test('a start that the filter excludes is told so, also where the end is not on the mesh; the path has a reason of its own', () => {
  const { navMesh } = makeRow({ doors: [], tileSize: 0 });
  const filter = { excludeFlags: 0xffff };
  const reasons = [[3, 0], [3, 60], [38, 0], [38, 60]].map(([x, y]) => navMesh.findPath([x, y, 10], [38, 60, 10], { filter }).reason);
  assert.deepEqual(reasons, ['start-excluded', 'start-not-found', 'start-excluded', 'start-not-found']);
  assert.deepEqual(explainPath(navMesh, [3, 0, 10], [38, 0, 10], { filter }).causes.map(({ kind }) => kind), ['filter']);
  assert.deepEqual(explainPath(navMesh, [3, 0, 10], [38, 60, 10], { filter }).causes.map(({ kind }) => kind), ['end-not-found', 'filter']);
  assert.deepEqual(explainPath(navMesh, [3, 60, 10], [38, 0, 10], { filter }).causes.map(({ kind }) => kind), ['start-not-found', 'filter']);
  navMesh.free();
});
