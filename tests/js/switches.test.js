/** Doors and switches through JavaScript; their arithmetic is tested in C (tests/c/switches_test.c). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TileStreamer, load } from '../../js/index.js';
import { joinLevels, makeGround } from './support.js';

const walkmesh = await load();

/** Two rooms and a corridor between them with a door, marked with area 5. */
function makeRooms() {
  const [left, right, hall] = [makeGround(10), makeGround(10), makeGround(1)];
  for (let i = 0; i < right.positions.length; i += 3) right.positions[i] += 20;
  hall.positions = Float32Array.of(9, 0, 4, 9, 0, 7, 21, 0, 7, 21, 0, 4);
  const level = [left, right, hall].reduce(joinLevels);
  return { ...level, volumes: [{ kind: 'box', min: [14, -1, 0], max: [16, 1, 10], area: 5 }] };
}

const CONFIG = { cellSize: 0.25, agentRadius: 0.5, tileSize: 32 };
const [A, B] = [[2, 0, 5], [28, 0, 5]];
const DOOR = { kind: 'box', min: [13.5, -1, 0], max: [16.5, 1, 10] };

test('doors: closed for all, and open again, without a reference getting stale', () => {
  const { navMesh } = walkmesh.bake(makeRooms(), CONFIG);
  const switches = navMesh.createSwitches();
  const door = switches.addDoor({ volume: DOOR, area: 5 });
  const way = navMesh.findPath(A, B);
  assert.equal(way.status, 'complete');
  assert.ok(door.isOpen && door.polygons().length > 0);
  const areas = new Set(Array.from(door.polygons(), (polygon) => navMesh.polygonArea(polygon)));
  assert.deepEqual([...areas], [5], 'nothing beside the door');
  door.close();
  assert.equal(door.isOpen, false);
  assert.notEqual(navMesh.findPath(A, B).status, 'complete');
  assert.equal(navMesh.nearestPoint([15, 0, 5], { halfExtents: [0.2, 1, 0.2] }), null);
  door.open();
  assert.deepEqual([...navMesh.findPath(A, B).points], [...way.points]);
  door.close();
  switches.free();
  assert.equal(navMesh.findPath(A, B).status, 'complete', 'free() opens what is closed');
  assert.equal(switches.mesh, undefined, 'a mesh that nobody else refers to may be collected');
  assert.throws(() => door.close(), { code: 'state' });
  navMesh.free();
});

test('doors: of several Switches objects over the same polygons, the way is open only if all doors are', () => {
  const { navMesh } = walkmesh.bake(makeRooms(), CONFIG);
  const sets = Array.from({ length: 3 }, () => navMesh.createSwitches());
  const doors = sets.map((switches) => switches.addDoor({ volume: DOOR, area: 5 }));
  const isOpen = (mesh = navMesh) => mesh.findPath(A, B).status === 'complete';
  let turns = 0;
  // Every order in which three doors close and open: the states of a Gray code, from each of its beginnings, both ways.
  for (let first = 0; first < 8; first++) {
    for (const step of [1, 7]) {
      for (let at = first, count = 0; count <= 8; at += step, count++) {
        const closed = at % 8 ^ (at % 8 >> 1);
        doors.forEach((door, i) => (closed >> i & 1 ? door.close() : door.open()));
        assert.equal(isOpen(), closed === 0, `closed: ${closed}`);
        assert.deepEqual(doors.map((door) => door.isOpen), [0, 1, 2].map((i) => !(closed >> i & 1)));
        turns++;
      }
    }
  }
  assert.equal(turns, 144);
  for (const door of doors) door.close();
  assert.deepEqual(sets.map(({ count }) => count), [1, 1, 1]);
  assert.throws(() => sets[1].set(doors[0].number, false), { code: 'invalid-argument', field: 'switch', message: /it belongs to another Switches object/ });
  assert.equal(sets[1].isOn(doors[0].number), false);
  const loaded = walkmesh.loadNavMesh(navMesh.save());
  assert.equal(isOpen(loaded), true, 'the flags before all of them');
  const restored = loaded.restoreSwitches();
  assert.equal(restored.count, 3);
  assert.equal(isOpen(loaded), false);
  restored.free();
  assert.equal(isOpen(loaded), true);
  sets[0].free();
  assert.throws(() => doors[0].open(), { code: 'state' });
  doors[1].open();
  assert.equal(isOpen(), false, 'the third door is closed');
  sets[2].free();
  assert.equal(isOpen(), true);
  doors[1].close();
  assert.equal(isOpen(), false);
  sets[1].free();
  assert.equal(isOpen(), true);
  assert.equal(navMesh.createSwitches().count, 0, 'a set of its own again');
  loaded.free();
  navMesh.free();
});

test('doors: flags for some, and several switches over one polygon', () => {
  const { navMesh } = walkmesh.bake(makeRooms(), CONFIG);
  const switches = navMesh.createSwitches();
  const locked = switches.add({ volume: DOOR, area: 5, setFlags: 0x10, isOn: true });
  const filter = { excludeFlags: 0x10 };
  assert.equal(navMesh.findPath(A, B).status, 'complete');
  assert.notEqual(navMesh.findPath(A, B, { filter }).status, 'complete');
  const [polygon] = switches.polygons(locked);
  const dark = switches.add({ volume: { kind: 'cylinder', base: [15, -1, 5], radius: 4, height: 2 }, setFlags: 0x20, clearFlags: 0x10, isOn: true });
  assert.equal(navMesh.polygonFlags(polygon), 0x21);
  switches.remove(dark);
  assert.equal(navMesh.polygonFlags(polygon), 0x11);
  switches.set(locked, false);
  assert.equal(navMesh.polygonFlags(polygon), 1);
  assert.equal(switches.isOn(locked), false);
  assert.equal(switches.count, 1);
  navMesh.free();
  assert.ok(switches.isFreed);
});

test('doors: follow tiles that are built again, and tiles that come back', () => {
  const { navMesh, dynamic } = walkmesh.bakeDynamic(makeRooms(), CONFIG);
  const switches = navMesh.createSwitches();
  const door = switches.addDoor({ volume: DOOR, area: 5, isOpen: false });
  const obstacle = dynamic.addObstacle({ kind: 'cylinder', base: [15, -0.5, 4.4], radius: 0.3, height: 2 });
  const [before] = door.polygons();
  assert.ok(dynamic.update().changed.length > 0);
  assert.ok(navMesh.isStale([before]));
  assert.notEqual(navMesh.findPath(A, B).status, 'complete');
  door.open();
  assert.equal(navMesh.findPath(A, B).status, 'complete');
  dynamic.removeObstacle(obstacle);
  dynamic.update();
  door.close();
  const tile = navMesh.tileAt(1, 0), bytes = navMesh.tiles().find(({ x }) => x === 1).bytes;
  navMesh.removeTile(tile);
  assert.equal(switches.update(), 1);
  navMesh.addTile(bytes); // the tile from before, when the door was closed
  assert.equal(switches.update(), 1);
  assert.notEqual(navMesh.findPath(A, B).status, 'complete');
  assert.equal(switches.update(), 0);
  navMesh.free();
});

test('doors: stay closed in tiles that a rebake replaces, at once or in steps', async () => {
  const level = makeRooms(), withPillar = { ...level, solids: [{ kind: 'cylinder', base: [15, -0.5, 4.4], radius: 0.3, height: 2 }] };
  const { navMesh } = walkmesh.bake(level, CONFIG);
  const door = navMesh.createSwitches().addDoor({ volume: DOOR, area: 5, isOpen: false });
  const assertClosed = () => assert.deepEqual([door.isOpen, navMesh.findPath(A, B).status], [false, 'unreachable']);
  const { changed } = await walkmesh.rebake(navMesh, withPillar, { workers: 0 });
  assert.ok(changed.length > 0);
  assertClosed();
  const steps = walkmesh.createRebake(navMesh, level);
  while (!steps.update({ tiles: 1 }).done);
  assertClosed();
  door.open();
  assert.equal(navMesh.findPath(A, B).status, 'complete');
  navMesh.free();
});

test('doors: an agent that a closing door meets stands beside it, and walks where paths from there lead', () => {
  const level = { ...makeGround(20), solids: [{ kind: 'box', min: [10, 0, 0], max: [10.4, 3, 4] }, { kind: 'box', min: [10, 0, 6], max: [10.4, 3, 20] }],
    volumes: [{ kind: 'box', min: [9.8, -1, 4], max: [10.6, 2, 6], area: 5 }] };
  const { navMesh } = walkmesh.bake(level, { cellSize: 0.1, agentRadius: 0.3, heights: 'surface' });
  const door = navMesh.createSwitches().addDoor({ volume: { kind: 'box', min: [9.7, -1, 3.9], max: [10.7, 2, 6.1] }, area: 5 });
  let sides = 0;
  for (const [from, to] of [[5, 18], [15, 2]]) {
    for (const stop of [9.9, 10.05, 10.2, 10.35, 10.5]) {
      door.open();
      const crowd = navMesh.createCrowd(), agent = crowd.addAgent([from, 0, 5], { radius: 0.3, maxSpeed: 2 });
      crowd.setTarget(agent, [to, 0, 5]);
      while (Math.abs(crowd.position(agent)[0] - stop) > 0.04) crowd.step(1 / 60);
      door.close();
      for (let i = 0; i < 900; i++) crowd.step(1 / 60);
      const [x] = crowd.position(agent), isThere = Math.abs(x - to) < 0.2;
      assert.ok(isThere || Math.abs(x - 9.8) < 0.11 || Math.abs(x - 10.6) < 0.11, `from ${from} at ${stop}: ${x}`);
      assert.equal(crowd.state(agent), isThere ? 'arrived' : 'unreachable', `from ${from} at ${stop}: ${x}`);
      assert.equal(navMesh.findPath(crowd.position(agent), [to, 0, 5]).status === 'complete', isThere);
      // The way back does not lead through the door, either.
      crowd.setTarget(agent, [from, 0, 5]);
      for (let i = 0; i < 900; i++) crowd.step(1 / 60);
      assert.equal(crowd.state(agent), isThere ? 'unreachable' : 'arrived', `from ${from} at ${stop}, and back`);
      sides += isThere ? 1 : -1;
      crowd.free();
    }
  }
  assert.ok(Math.abs(sides) < 10, 'some were put on either side');
  navMesh.free();
});

test('doors: are saved with their mesh, closed or open, and found again by name', () => {
  const { navMesh, dynamic } = walkmesh.bakeDynamic(makeRooms(), CONFIG);
  const first = navMesh.save(), { config } = navMesh;
  const switches = navMesh.createSwitches();
  const door = switches.addDoor({ volume: { ...DOOR, min: Float32Array.from(DOOR.min) }, area: 5, isOpen: false, name: 'north' });
  const gone = switches.add({ volume: DOOR, setFlags: 2, name: 'gone' });
  const mark = switches.add({ volume: { kind: 'cylinder', base: { x: 5, y: -1, z: 5 }, radius: 1, height: 3 }, setFlags: 8, isOn: true, polygons: 'middle' });
  switches.remove(gone);
  assert.deepEqual(switches.numbers(), [door.number, mark]);
  assert.deepEqual([switches.find('north'), switches.find('gone'), switches.find('south')], [door.number, 0, 0]);
  assert.throws(() => switches.add({ volume: DOOR, name: 'north' }), { code: 'invalid-argument', field: 'name' });
  assert.throws(() => switches.add({ volume: DOOR, name: 7 }), { code: 'invalid-argument', field: 'name' });
  assert.throws(() => switches.door(77), { code: 'invalid-argument', field: 'switch' });
  const flagsOf = (mesh) => mesh.polygons().map(({ flags }) => flags).join();
  const closed = flagsOf(navMesh);
  for (const make of [() => walkmesh.loadNavMesh(navMesh.save()), () => walkmesh.loadDynamic(dynamic.save()).navMesh]) {
    const { version } = navMesh;
    const loaded = make();
    assert.equal(navMesh.version, version, 'saving changes nothing');
    assert.deepEqual(loaded.config, config);
    assert.equal(loaded.findPath(A, B).status, 'complete', 'open until they are restored');
    const plain = walkmesh.loadNavMesh(first);
    assert.equal(flagsOf(loaded), flagsOf(plain));
    plain.free();
    const again = loaded.restoreSwitches();
    assert.equal(loaded.restoreSwitches(), null);
    assert.equal(flagsOf(loaded), closed);
    assert.notEqual(loaded.findPath(A, B).status, 'complete');
    assert.equal(again.count, 2);
    const found = again.door(again.find('north'));
    assert.equal(found.isOpen, false);
    found.open();
    assert.equal(loaded.findPath(A, B).status, 'complete');
    again.free();
    assert.deepEqual(loaded.save(), first, 'without them the first file again');
    loaded.free();
  }
  switches.free();
  assert.deepEqual(navMesh.save(), first);
  // A file may contain any value for switches.
  const file = walkmesh.loadNavMesh(first);
  file.createSwitches().add({ volume: DOOR, name: 'SWITCHED' });
  const text = new TextDecoder('latin1').decode(file.save());
  assert.ok(text.includes('SWITCHED') && text.includes('"flags":[]'));
  file.free();
  navMesh.free();
  const { navMesh: bare } = walkmesh.bake(makeRooms(), CONFIG);
  assert.equal(bare.restoreSwitches(), null);
  const foreign = walkmesh.loadNavMesh(bare.exportDetour());
  assert.equal(foreign.config, null);
  foreign.createSwitches().addDoor({ volume: DOOR, isOpen: false });
  const kept = walkmesh.loadNavMesh(foreign.save());
  assert.equal(kept.config, null);
  assert.equal(kept.restoreSwitches().count, 1);
  for (const mesh of [bare, foreign, kept]) mesh.free();
});

test('switches of one name, of several owners, come back together', () => {
  const { navMesh } = walkmesh.bake(makeRooms(), CONFIG);
  const owners = [false, true].map((isOpen) => {
    const switches = navMesh.createSwitches();
    switches.addDoor({ volume: DOOR, name: 'gate', isOpen });
    return switches;
  });
  const loaded = walkmesh.loadNavMesh(navMesh.save());
  const back = loaded.restoreSwitches();
  const doors = back.numbers().map((number) => back.door(number));
  assert.deepEqual(doors.map(({ isOpen }) => isOpen), [false, true]);
  assert.equal(back.find('gate'), doors[0].number);
  assert.notEqual(loaded.findPath(A, B).status, 'complete');
  doors[0].open();
  assert.equal(loaded.findPath(A, B).status, 'complete');
  assert.throws(() => back.addDoor({ volume: DOOR, name: 'gate' }), { code: 'invalid-argument', field: 'name' });
  assert.equal(owners.length, 2);
  for (const mesh of [navMesh, loaded]) mesh.free();
});

test('doors: what is wrong is named, and changes nothing', () => {
  const { navMesh } = walkmesh.bake(makeRooms(), CONFIG);
  const switches = navMesh.createSwitches();
  const { version } = navMesh;
  const refuse = (options, field, code = 'invalid-argument') => assert.throws(() => switches.add(options), { code, field });
  refuse({}, 'volume');
  refuse({ volume: { kind: 'sphere', centre: [0, 0, 0], radius: 1 } }, 'volume.kind');
  refuse({ volume: { ...DOOR, min: [20, 0, 0] } }, 'volume.max');
  refuse({ volume: { ...DOOR, min: [NaN, 0, 0] } }, 'volume.min[0]');
  refuse({ volume: { kind: 'cylinder', base: [1e300, 0, 0], radius: 1, height: 1 } }, 'volume.base[0]');
  refuse({ volume: { kind: 'cylinder', base: [0, 0, 0], radius: -1, height: 1 } }, 'volume.radius');
  refuse({ volume: { kind: 'prism', vertices: [0, 0, 0, 4, 0, 0, 1, 0, 1, 0, 0, 4], minY: 0, maxY: 1 } }, 'volume.vertices');
  for (const [volume, field] of /** @type {[any, string][]} */ ([[{ ...DOOR, min: [20, 0, 0] }, 'volume.max'],
    [{ kind: 'cylinder', base: [0, 0, 0], radius: -1, height: 1 }, 'volume.radius'],
    [{ kind: 'prism', vertices: [0, 0, 0, 1, 0, 0, 1, 0, 1], minY: 0, maxY: -1 }, 'volume.maxY']])) {
    assert.throws(() => switches.add({ volume }), { field, message: new RegExp(`^${field}: a switch's `) });
  }
  refuse({ volume: DOOR, area: 64 }, 'area');
  refuse({ volume: DOOR, setFlags: 0x10000 }, 'setFlags');
  refuse({ volume: DOOR, polygons: 'some' }, 'polygons');
  refuse({ volume: DOOR, flags: 1 }, 'flags');
  assert.throws(() => switches.set(77, true), { code: 'invalid-argument', field: 'switch' });
  const gone = switches.add({ volume: DOOR });
  switches.remove(gone);
  assert.throws(() => switches.set(gone, true), { code: 'stale-reference', field: 'switch' });
  assert.throws(() => switches.polygons(gone), { code: 'stale-reference' });
  assert.equal(switches.isOn(gone), false);
  assert.equal(navMesh.version, version);
  switches.free();
  assert.throws(() => switches.update(), { code: 'state' });
  navMesh.free();
});

test('doors: a door over no polygon is reported, unless warnings are off; others are not', async (context) => {
  const quiet = await load({ leakWarnings: false });
  const warned = context.mock.method(console, 'warn', () => {});
  const nowhere = { kind: 'box', min: [90, 0, 90], max: [91, 1, 91] };
  for (const instance of [quiet, walkmesh]) {
    const { navMesh } = instance.bake(makeRooms(), CONFIG);
    const switches = navMesh.createSwitches();
    switches.addDoor({ volume: DOOR, area: 5 });
    assert.equal(warned.mock.callCount(), 0);
    switches.addDoor({ volume: nowhere, name: 'gate' });
    if (instance === walkmesh) switches.addDoor({ volume: DOOR, area: 9 });
    navMesh.free();
  }
  const messages = warned.mock.calls.map(({ arguments: [message] }) => message);
  assert.equal(messages.length, 2);
  assert.match(messages[0], /the door "gate" has no polygons, so it closes nothing/);
  assert.match(messages[1], /a door has no polygons.* where the area is 9/);
});

test('doors: a door whose tiles come later is not reported', async (context) => {
  const warned = context.mock.method(console, 'warn', () => {});
  const { navMesh } = walkmesh.bake(makeRooms(), { ...CONFIG, tileSize: 32 });
  const tiles = new Map(navMesh.tiles().map(({ x, z, bytes }) => [`${x},${z}`, bytes])), door = { volume: DOOR, area: 5 };
  for (const tile of navMesh.tileRefs()) navMesh.removeTile(tile);
  navMesh.createSwitches().addDoor(door);
  const streamer = new TileStreamer(navMesh, tiles, { innerRadius: 1, outerRadius: 2 });
  streamer.setInvokers([[0, 0, 0]]);
  await streamer.load();
  assert.ok(navMesh.totals.tiles > 0);
  navMesh.createSwitches().addDoor({ volume: { kind: 'box', min: [90, 0, 90], max: [91, 1, 91] } });
  assert.equal(warned.mock.callCount(), 0);
  streamer.free();
  navMesh.createSwitches().addDoor({ volume: { kind: 'box', min: [90, 0, 90], max: [91, 1, 91] } });
  assert.equal(warned.mock.callCount(), 1);
  navMesh.free();
});

test('user data: is saved with a mesh, leaves its configuration and bytes alone, and survives a rebake', async () => {
  const data = { level: { name: 'rooms – 🏠', hash: 'ab12' }, volumes: [{ kind: 'box', min: [0, -1, 0], max: [1, 2.5, 1] }] };
  const { navMesh, dynamic } = walkmesh.bakeDynamic(makeRooms(), CONFIG);
  const { config } = navMesh, plain = navMesh.save();
  assert.equal(navMesh.userData, null);
  navMesh.userData = data;
  assert.deepEqual([navMesh.userData, navMesh.config], [data, config]);
  navMesh.createSwitches().addDoor({ volume: DOOR, area: 5, name: 'north' });
  for (const make of [() => walkmesh.loadNavMesh(navMesh.save()), () => walkmesh.loadDynamic(dynamic.save()).navMesh]) {
    const loaded = make();
    assert.deepEqual([loaded.userData, loaded.config], [data, config]);
    if (!loaded.changedBy) await walkmesh.rebake(loaded, makeRooms());
    assert.deepEqual([walkmesh.loadNavMesh(loaded.save()).userData, loaded.restoreSwitches().numbers().length], [data, 1]);
    loaded.free();
  }
  const detour = walkmesh.loadNavMesh(navMesh.exportDetour());
  detour.userData = 7;
  assert.deepEqual([detour.userData, detour.config, walkmesh.loadNavMesh(detour.save()).userData], [7, null, 7]);
  const again = walkmesh.loadNavMesh(plain);
  for (const bad of [1n, { toJSON() { throw new Error('x'); } }]) {
    assert.throws(() => { again.userData = bad; }, { code: 'invalid-argument', field: 'userData' });
  }
  again.userData = data;
  again.userData = null;
  assert.deepEqual(again.save(), plain);
  for (const mesh of [navMesh, detour, again]) mesh.free();
  assert.throws(() => again.userData, { code: 'state' });
});
