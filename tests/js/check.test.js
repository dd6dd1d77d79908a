// The checker of meshes: sound ones pass, and each kind of fault that is inserted into one is found by its check.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { CHECKS, Random, checkNavMesh, load } from '../../js/index.js';
import { readTile } from '../../js/mesh/detour-tile.js';
import { tileAddress } from '../../js/mesh/tiles.js';
import { leaveBakesUnchecked } from './check-bakes.js';
import { loadOurs } from './live/ours.js';
import { PeerBake, loadPeer } from './live/peer.js';
import { DEFAULTS, boundsOf, tileGrid, toVoxels } from './live/voxels.js';
import { makeRandom } from './random.js';
import { ROOT, makeFolder, makeGround, readScene } from './support.js';

// These tests check the meshes themselves, and corrupt some.
leaveBakesUnchecked();
const walkmesh = await load();

const SCENES = ['plaza', 'caves', 'holes', 'islands', 'maze', 'soup', 'stairs', 'terrain', 'tower'];
const CONFIGS = [{}, { tileSize: 48, partition: 'layers' }, { tileSize: 32, partition: 'monotone', agentRadius: 0.3 },
  { partition: 'chunky', tileSize: 64, detailSampleDistance: 0 }];

for (const scene of SCENES) {
  test(`meshes of ${scene} are sound, on their level, with every partition`, () => {
    const geometry = readScene(scene);
    for (const config of CONFIGS) {
      const { navMesh, report } = walkmesh.bake(geometry, config);
      const { isSound, findings, looked } = checkNavMesh(navMesh, { geometry });
      assert.ok(isSound, JSON.stringify({ config, findings: findings.slice(0, 3) }));
      assert.equal(looked.polygons, report.counts.polygons);
      assert.ok(looked.links > 0 || looked.polygons < 2);
      navMesh.free();
    }
  });
}

test('a mesh is sound that obstacles, connections and doors change, with the solids that they are', () => {
  const geometry = readScene('plaza');
  const { navMesh, dynamic } = walkmesh.bakeDynamic(geometry, { tileSize: 32 });
  const [low, high] = [navMesh.totals.boundsMin, navMesh.totals.boundsMax];
  const middle = low.map((value, axis) => (value + high[axis]) / 2);
  const spot = navMesh.nearestPoint(middle, { halfExtents: [9, 9, 9] }).point;
  dynamic.addObstacle({ kind: 'cylinder', base: [spot.x ?? spot[0], (spot.y ?? spot[1]) - 0.5, spot.z ?? spot[2]], radius: 1.5, height: 3 });
  dynamic.update();
  navMesh.addConnection({ start: low, end: high, radius: 0.5 });
  navMesh.createSwitches().addDoor({ volume: { kind: 'box', min: low, max: middle }, isOpen: false });
  const alone = checkNavMesh(navMesh);
  assert.ok(alone.isSound, JSON.stringify(alone.findings.slice(0, 3)));
  const onLevel = checkNavMesh(navMesh, { geometry });
  assert.deepEqual(Object.keys(onLevel.counts), ['cover'], 'where the obstacle stands there is ground without a mesh');
  navMesh.free();
});

/** Words of a WmMeshTile: the tile's bytes in Detour's format, addresses of links; the layout of the bytes. */
const [BYTES_AT, LINKS_AT, PORTALS_AT] = [28, 43, 44];
const HEADER = 100;

/** A mesh of some tiles, with access to the memory of the largest tile. */
function makeVictim() {
  const geometry = readScene('plaza');
  const { navMesh } = walkmesh.bake(geometry, { tileSize: 48 });
  const { ref } = navMesh.tiles().sort((a, b) => b.polygons - a.polygons)[0];
  const at = tileAddress(navMesh, ref) / 4;
  const { session } = navMesh;
  const word = (index) => session.u32[at + index];
  const base = word(BYTES_AT);
  const view = new DataView(session.wasm.memory.buffer);
  const count = (offset) => view.getInt32(base + offset, true);
  const polygons = base + HEADER + 12 * count(28);
  const details = polygons + 32 * count(24) + 12 * count(32);
  return {
    navMesh, geometry, ref, view,
    vertex: (index) => base + HEADER + 12 * index,
    polygon: (index) => polygons + 32 * index,
    polygonCount: count(24),
    detail: (index) => details + 12 * index,
    detailVertices: details + 12 * count(36), detailVertexCount: count(40),
    detailTriangles: details + 12 * count(36) + 12 * count(40), detailTriangleCount: count(44),
    boundsMax: base + 84, links: word(LINKS_AT), portals: word(PORTALS_AT), word,
  };
}

/** @param {(victim: ReturnType<typeof makeVictim>) => void} spoil */
function checkSpoilt(spoil, options = {}) {
  const victim = makeVictim();
  assert.ok(checkNavMesh(victim.navMesh).isSound);
  spoil(victim);
  const { counts, isSound } = checkNavMesh(victim.navMesh, options.onLevel ? { geometry: victim.geometry } : {});
  victim.navMesh.free();
  assert.equal(isSound, false);
  return Object.keys(counts);
}

const setFloat = (view, at, change) => view.setFloat32(at, change(view.getFloat32(at, true)), true);
const firstWith = (victim, passes) => Array.from({ length: victim.polygonCount }, (_, p) => p).find((p) => passes(victim.polygon(p)));

const FAULTS = {
  'a corner that is pulled through its polygon': ['polygon', (victim) => {
    const { view } = victim;
    const p = firstWith(victim, (at) => view.getUint8(at + 30) >= 4);
    const corner = (k) => victim.vertex(view.getUint16(victim.polygon(p) + 4 + 2 * k, true));
    for (const axis of [0, 8]) {
      const [here, across] = [corner(1), corner(3)].map((at) => view.getFloat32(at + axis, true));
      view.setFloat32(corner(1) + axis, across + 0.6 * (across - here), true);
    }
  }],
  'a polygon that names a vertex twice': ['polygon', ({ view, polygon }) => view.setUint16(polygon(0) + 6, view.getUint16(polygon(0) + 4, true), true)],
  'a polygon that names a vertex that is not there': ['polygon', ({ view, polygon }) => view.setUint16(polygon(0) + 4, 0x7fff, true)],
  'a polygon that is turned over': ['polygon', ({ view, polygon }) => {
    const [a, b] = [4, 6].map((at) => view.getUint16(polygon(1) + at, true));
    view.setUint16(polygon(1) + 4, b, true);
    view.setUint16(polygon(1) + 6, a, true);
  }],
  'a polygon that lies on another': ['overlap', (victim) => {
    const { view, polygon } = victim;
    const of = (k) => Array.from({ length: 6 }, (_, i) => view.getUint16(polygon(k) + 4 + 2 * i, true));
    const big = Array.from({ length: victim.polygonCount }, (_, p) => p).filter((p) => view.getUint8(polygon(p) + 30) >= 5);
    of(big[0]).forEach((corner, i) => view.setUint16(polygon(big[1]) + 4 + 2 * i, corner, true));
    view.setUint8(polygon(big[1]) + 30, view.getUint8(polygon(big[0]) + 30));
  }],
  'a neighbour that does not know': ['neighbour', (victim) => {
    const p = firstWith(victim, (at) => [0, 1, 2].some((k) => {
      const neighbour = victim.view.getUint16(at + 16 + 2 * k, true);
      return neighbour > 0 && neighbour < 0x8000;
    }));
    for (let k = 0; k < 6; k++) victim.view.setUint16(victim.polygon(p) + 16 + 2 * k, 0, true);
  }],
  'a neighbour that is not there': ['neighbour', ({ view, polygon }) => view.setUint16(polygon(0) + 16, 0x7000, true)],
  'bounds that are too small': ['bounds', ({ view, boundsMax }) => setFloat(view, boundsMax, (value) => value - 5)],
  'a vertex of height detail outside its polygon': ['detail', ({ view, detailVertices, detailVertexCount }) => {
    assert.ok(detailVertexCount > 0);
    setFloat(view, detailVertices, (value) => value + 3);
  }],
  'a triangle of height detail that has gone': ['detail', (victim) => {
    const { view, detail } = victim;
    view.setUint8(detail(0) + 9, view.getUint8(detail(0) + 9) - 1);
  }],
  'a triangle of height detail that is there twice': ['detail', (victim) => {
    const { view, detail, detailTriangles } = victim;
    const p = Array.from({ length: victim.polygonCount }, (_, k) => k).find((k) => view.getUint8(detail(k) + 9) >= 2);
    const first = detailTriangles + 4 * view.getUint32(detail(p) + 4, true);
    for (let k = 0; k < 4; k++) view.setUint8(first + k, view.getUint8(first + 4 + k));
  }],
  'a link to a polygon that is not there': ['link', ({ view, links }) => view.setUint32(links + 4, 0xfffff, true)],
  'a link that names another edge': ['link', ({ view, links }) => view.setUint8(links + 8, 200 % 6 === view.getUint8(links + 8) ? 1 : 200 % 6)],
  'an opening that is off its edge': ['link', ({ view, portals }) => setFloat(view, portals, (value) => value + 1)],
};

for (const [name, [check, spoil]] of Object.entries(FAULTS)) {
  test(`found: ${name}`, () => {
    const found = checkSpoilt(spoil);
    assert.ok(found.includes(check), `${found}`);
  });
}

test('found: tiles that are not linked, though their edges meet', () => {
  const victim = makeVictim();
  const { navMesh, view, word } = victim;
  const [polygonCount, first] = [word(7), word(42)];
  // All links across sides lead to the tile itself, to polygons without a reverse link.
  let crossing = 0;
  for (let i = 0; i < view.getUint32(first + 4 * polygonCount, true); i++) {
    const link = victim.links + 24 * i;
    if (view.getUint8(link + 9) === 255) continue;
    crossing++;
    view.setUint32(link + 4, 0, true);
  }
  assert.ok(crossing > 0);
  const { counts } = checkNavMesh(navMesh);
  assert.ok(counts.portal > 0 && counts.link > 0, JSON.stringify(counts));
  navMesh.free();
});

test('found: a polygon that the search tree has lost', () => {
  const victim = makeVictim();
  const { navMesh, view } = victim;
  const p = 0;
  const middle = checkNavMesh(navMesh).looked.polygons;
  assert.ok(middle > 0);
  // The tree's boxes don't change: a polygon that is moved up lies outside its own box.
  const corners = view.getUint8(victim.polygon(p) + 30);
  for (let k = 0; k < corners; k++) setFloat(view, victim.vertex(view.getUint16(victim.polygon(p) + 4 + 2 * k, true)) + 4, (value) => value + 50);
  const { counts } = checkNavMesh(navMesh);
  assert.ok(counts.tree > 0, JSON.stringify(counts));
  navMesh.free();
});

test('a polygon is sound that has two edges on the side of its tile, and a link by one of them', () => {
  const sphere = { kind: 'sphere', centre: [1, 0.2, 7.5], radius: 1.4 };
  const turned = { kind: 'rotatedBox', centre: [1, 0, 10], halfExtents: [2, 2, 1], yaw: 240, area: 7 };
  const config = { cellSize: 0.25, cellHeight: 0.1, tileSize: 32, agentRadius: 0.4, agentMaxSlope: 90,
    bounds: { min: [0, 0, 0], max: [8, 1.6, 16] } };
  const { navMesh } = walkmesh.bake({ ...makeGround(30, 0.1), solids: [sphere], volumes: [turned] }, config);
  const sides = navMesh.tiles().flatMap(({ bytes }) => {
    const { groundCount, neighbours } = readTile(bytes);
    return Array.from({ length: groundCount }, (_, p) => neighbours.subarray(6 * p, 6 * p + 6).filter((neighbour) => neighbour === 0x8006).length);
  });
  assert.ok(sides.includes(2), 'the level has such a polygon');
  const { findings } = checkNavMesh(navMesh);
  assert.deepEqual(findings, []);
  navMesh.free();
});

test('ground under closed doors and of polygons without flags is covered', () => {
  const level = readScene('plaza'), { navMesh } = walkmesh.bake(level, { cellSize: 0.3, tileSize: 32 });
  const door = navMesh.createSwitches().addDoor({ volume: { kind: 'box', min: [5, -1, 5], max: [9, 2, 9] } });
  door.close();
  const [{ ref, polygons }] = navMesh.tiles();
  for (let p = 0; p < polygons; p++) navMesh.setPolygonFlags(ref + p, 0);
  assert.equal(navMesh.nearestPoint([2, 0, 2], { halfExtents: [0.1, 1, 0.1] }), null);
  const { isSound, counts } = checkNavMesh(navMesh, { geometry: level });
  assert.ok(isSound, JSON.stringify(counts));
  navMesh.removeTile(ref);
  assert.deepEqual(Object.keys(checkNavMesh(navMesh, { geometry: level }).counts), ['cover'], 'what is missing is still found');
  navMesh.free();
});

test('found: a mesh that lies beside its level, and a level that has more ground than its mesh', () => {
  const config = { cellSize: 0.3, tileSize: 32 };
  const { navMesh } = walkmesh.bake(makeGround(20), { ...config, bounds: { min: [0, -1, 0], max: [40, 3, 40] } });
  const beside = makeGround(20);
  for (let i = 0; i < 12; i += 3) beside.positions[i] += 8;
  const { counts } = checkNavMesh(navMesh, { geometry: beside });
  assert.deepEqual(Object.keys(counts).sort(), ['cover', 'ground']);
  const { counts: more } = checkNavMesh(navMesh, { geometry: makeGround(30) });
  assert.deepEqual(Object.keys(more), ['cover']);
  assert.ok(checkNavMesh(navMesh, { geometry: makeGround(20) }).isSound);
  for (let i = 0; i < 12; i += 3) beside.positions[i] += 12;
  assert.throws(() => checkNavMesh(navMesh, { geometry: beside }), { code: 'geometry', field: 'geometry', message: /isn't the level of this mesh/ });
  navMesh.free();
});

test('found: a polygon that is turned over, since its outline crosses itself; Recast makes the same of these regions', async (context) => {
  const level = readScene('soup');
  const config = { ...DEFAULTS, partition: 'chunky', tileSize: 64, maxEdgeError: 2, detailSampleDistance: 0 };
  const { navMesh } = walkmesh.bake(level, config);
  const { counts, findings } = checkNavMesh(navMesh);
  const { x, z } = navMesh.tiles().find(({ ref, polygons }) => findings.every(({ polygon }) => polygon >= ref && polygon < ref + polygons));
  navMesh.free();
  assert.deepEqual(Object.keys(counts), ['polygon', 'detail']);
  assert.match(findings[0].message, /^is clockwise/);

  const peer = await loadPeer();
  if (peer === null) return context.diagnostic('recast-navigation is not installed');
  const [bounds, bakeOurs] = [boundsOf(level.positions), await loadOurs()];
  const { arrays } = bakeOurs({ level, config }, x, z);
  const voxels = toVoxels(config, bounds);
  const bake = new PeerBake(peer, level, config, voxels, tileGrid(config, voxels, bounds, x, z), { x, z });
  for (const stage of ['slopes', 'rasterize', 'filterLowHanging', 'filterLedges', 'filterLowHeight', 'compact', 'erode']) bake.run(stage);
  bake.takeRegions(arrays.get('regions'));
  for (const [stage, name] of [['contours', 'contours'], ['polygonMesh', 'polymesh']]) {
    bake.run(stage);
    assert.deepEqual(bake.dump(name), arrays.get(name));
  }
  bake.free();
});

/** Ground with sheets that stand on it, seen from both sides. @param {readonly number[][][]} sheets four corners of each */
function groundWith(sheets) {
  const ground = makeGround(40), first = ground.positions.length / 3;
  return { positions: [...ground.positions, ...sheets.flat(2)],
    indices: [...ground.indices, ...sheets.flatMap((_, i) => [0, 1, 2, 0, 2, 3, 3, 2, 0, 2, 1, 0].map((corner) => first + 4 * i + corner))] };
}

test('found: a mesh that runs through a wall, a house or a tree that was built since its bake, also on flat ground without bounds', () => {
  const wall = [[0, 0, 20], [40, 0, 20], [40, 3, 20], [0, 3, 20]];
  const solid = (/** @type {number[]} */ min, /** @type {number[]} */ max) => ({ ...makeGround(40), solids: [{ kind: /** @type {const} */ ('box'), min, max }] });
  const changed = { wall: groundWith([wall]), house: solid([10, 0, 10], [16, 5, 16]), 'sunk house': solid([10, -0.5, 10], [16, 5, 16]),
    crate: solid([10, 0, 10], [16, 1.2, 16]), tree: solid([5, 0, 20], [6, 5, 21]) };
  for (const more of [{}, { tileSize: 64 }, { bounds: { min: [0, -1, 0], max: [40, 8, 40] } }, { heights: 'surface' }, { detailSampleDistance: 0 }]) {
    const config = { cellSize: 0.2, cellHeight: 0.1, agentRadius: 0.4, ...more };
    const { navMesh } = walkmesh.bake(makeGround(40), config);
    assert.ok(checkNavMesh(navMesh, { geometry: makeGround(40) }).isSound);
    for (const [name, geometry] of Object.entries(changed)) {
      const { isSound, findings } = checkNavMesh(navMesh, { geometry });
      assert.ok(!isSound && findings[0].check === 'ground', `${name} ${JSON.stringify(more)}`);
      assert.match(findings[0].message, /^lies over unwalkable surface: \d+ of its cells have no walkable ground within 2\.05 cells$/);
    }
    navMesh.free();
  }
});

test('found: boxes at random places of levels; where the level is the same, nothing is, seed 41', () => {
  const random = makeRandom(41), places = new Random(41);
  const config = { cellSize: 0.25, cellHeight: 0.15, agentRadius: 0.5, agentMaxClimb: 0.4, tileSize: 48 };
  for (const scene of ['plaza', 'caves', 'terrain', 'stairs']) {
    const geometry = readScene(scene), { navMesh } = walkmesh.bake(geometry, config);
    for (let round = 0; round < 5; round++) {
      const { point: [x, y, z] } = navMesh.randomPoint({ random: places });
      const half = random.between(0.3, 2), height = random.between(1, 6);
      const solids = [{ kind: /** @type {const} */ ('box'), min: [x - half, y - 1, z - half], max: [x + half, y + height, z + half] }];
      const { counts, findings } = checkNavMesh(navMesh, { geometry: { ...geometry, solids } });
      assert.ok((counts.ground ?? 0) > 0, `${scene} ${[x, y, z, half, height]}`);
      const reach = half + 0.5 + 4 * config.cellSize;
      for (const { check, point } of findings) assert.ok(check === 'cover' || Math.max(Math.abs(point[0] - x), Math.abs(point[2] - z)) <= reach);
    }
    navMesh.free();
  }
});

test('the bounds of the mesh reach up to the top of the level, those of a configuration that is passed stay', () => {
  const { navMesh } = walkmesh.bake(makeGround(40), { cellSize: 0.2, cellHeight: 0.1, agentRadius: 0.4 });
  const ceiling = { ...makeGround(40), solids: [{ kind: /** @type {const} */ ('box'), min: [10, 1, 10], max: [20, 2, 20] }] };
  assert.ok(checkNavMesh(navMesh, { geometry: ceiling }).counts.ground > 0, 'too low for the agent');
  const { bounds: { min, max }, ...config } = navMesh.config;
  assert.ok(checkNavMesh(navMesh, { geometry: ceiling, config: { ...config, bounds: { min, max } } }).isSound, 'cut off by the bounds');
  navMesh.free();
});

test('what is wrong with the question is named', () => {
  const { navMesh } = walkmesh.bake(makeGround(), {});
  const foreign = walkmesh.loadNavMesh(navMesh.exportDetour());
  assert.throws(() => checkNavMesh(foreign, { geometry: makeGround() }), { code: 'invalid-argument', field: 'config' });
  assert.ok(checkNavMesh(foreign, { geometry: makeGround(), config: navMesh.config }).isSound);
  assert.throws(() => checkNavMesh(navMesh, { geomtry: makeGround() }), { code: 'invalid-argument', field: 'geomtry' });
  assert.throws(() => checkNavMesh(navMesh, { mostFindings: -1 }), { code: 'invalid-argument', field: 'mostFindings' });
  assert.throws(() => checkNavMesh({}), { name: 'NavError' });
  assert.ok(Object.isFrozen(CHECKS));
  navMesh.free();
  foreign.free();
});

test('walkmesh check says sound, or what is not, by its exit status', (context) => {
  const folder = makeFolder(context);
  const file = join(folder, 'plaza.walkmesh');
  const { navMesh } = walkmesh.bake(readScene('plaza'), {});
  writeFileSync(file, navMesh.save());
  navMesh.free();
  const run = (...args) => spawnSync(process.execPath, [join(ROOT, 'js', 'cli.js'), 'check', file, ...args], { encoding: 'utf8' });
  const level = (name) => ['--level', join(ROOT, 'tests', 'scenes', `${name}.obj`)];
  const good = run(...level('plaza'));
  assert.equal(good.status, 0, good.stderr);
  assert.match(good.stdout, /span.* of the level\nno errors\n$/);
  const bad = run(...level('maze'));
  assert.equal(bad.status, 1);
  assert.match(bad.stdout, /ground: \d+ findings\n {2}polygon \d+ at [-\d., ]+: lies over/);
  assert.match(bad.stderr, /^walkmesh: .*plaza\.walkmesh has errors: [\d,]+ findings\n$/);
  const json = JSON.parse(run('--json').stdout);
  assert.deepEqual([json.isSound, json.findings], [true, []]);
});
