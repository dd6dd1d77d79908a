// Generated links of dynamic meshes: after obstacles, streaming, workers and saving they are those of a bake of the same level.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NavError, TileStreamer, load } from '../../js/index.js';

const walkmesh = await load();

const floor = (x0, z0, x1, z1, y) => [x0, y, z0, x0, y, z1, x1, y, z1, x0, y, z0, x1, y, z1, x1, y, z0];

/** A platform of 1.8 m from x = 0 to 6, floor to x = 20, a gap of 2 m, floor from 22 to 40 with a fence of 1 m at x = 30; 20 deep. */
const makeLevel = (volumes = []) => ({
  positions: [...floor(0, 0, 20, 20, 0), ...floor(22, 0, 40, 20, 0)],
  solids: [{ kind: 'box', min: [0, -1, 0], max: [6, 1.8, 20] }, { kind: 'box', min: [30, 0, 0], max: [30.2, 1, 20] }],
  volumes,
});
const CONFIG = {
  cellSize: 0.2, cellHeight: 0.1, agentRadius: 0.4, agentHeight: 1.8, agentMaxClimb: 0.4, tileSize: 32,
  links: { drop: { maxHeight: 3 }, jump: { maxDistance: 4, maxUp: 0.5, maxDown: 2 }, climb: { maxHeight: 2 }, vault: { maxHeight: 1.2, maxDepth: 1 } },
};
/** On the floor, in the gap and before the platform: each blocks, and needs the agent's radius as a baked volume does. */
const CRATES = [
  { kind: 'box', min: [7, 0, 8], max: [9, 1, 12], area: 0, beforeErosion: true },
  { kind: 'box', min: [20.5, 0, 2], max: [21.5, 3, 9], area: 0, beforeErosion: true },
  { kind: 'box', min: [28, 0, 14], max: [31, 2, 16], area: 0, beforeErosion: true },
];

/** All links without their references. */
const linksOf = (navMesh) => {
  const { refs: _, ...arrays } = navMesh.segmentLinks();
  return Object.fromEntries(Object.entries(arrays).map(([name, array]) => [name, typeof array === 'number' ? array : Array.from(array)]));
};

/** The links of a bake of the whole level with these volumes. @param {object[]} volumes */
function linksOfBake(volumes = []) {
  const { navMesh } = walkmesh.bake(makeLevel(volumes), CONFIG);
  const links = linksOf(navMesh);
  navMesh.free();
  return links;
}

/** @param {import('node:test').TestContext} context */
function bakeLevel(context, config = CONFIG) {
  const baked = walkmesh.bakeDynamic(makeLevel(), config);
  context.after(() => baked.navMesh.free());
  return baked;
}

const PLAIN = linksOfBake();

test('dynamic links: a dynamic mesh has the links of a bake, and its report counts them', async (context) => {
  const { navMesh, dynamic, report } = bakeLevel(context);
  assert.ok(PLAIN.count > 8);
  assert.deepEqual(linksOf(navMesh), PLAIN);
  assert.equal(report.links.count, PLAIN.count);
  assert.equal(Object.values(report.links.counts).reduce((sum, count) => sum + count), PLAIN.count);
  assert.ok(report.links.airBytes > 0 && report.links.milliseconds > 0);
  assert.ok(dynamic.linkBytes > report.links.airBytes);
  assert.deepEqual([dynamic.dirtyTiles, dynamic.dirtyLinks], [0, 0]);
  const progress = [];
  const later = await walkmesh.bakeDynamicAsync(makeLevel(), CONFIG, { workers: 2, onProgress: ({ linked }) => progress.push(linked) });
  assert.deepEqual(linksOf(later.navMesh), PLAIN);
  assert.deepEqual(progress.filter(Boolean), Array.from({ length: report.tiles.x * report.tiles.z }, (_, i) => i + 1));
  later.navMesh.free();
});

test('dynamic links: without links nothing of them costs or shows', (context) => {
  const { dynamic, report } = bakeLevel(context, { ...CONFIG, links: undefined });
  const withLinks = bakeLevel(context);
  assert.equal(report.links, null);
  assert.equal(dynamic.linkBytes, 0);
  assert.ok(dynamic.keptBytes < withLinks.dynamic.keptBytes);
  dynamic.addObstacle(CRATES[0]);
  const { linked, changedLinks } = dynamic.update();
  assert.deepEqual([linked, changedLinks], [0, []]);
});

test('dynamic links: they follow obstacles, which block the air, too', (context) => {
  const { navMesh, dynamic } = bakeLevel(context);
  const heard = [];
  const stop = dynamic.onLinksChanged((change) => heard.push(change));
  /** @type {object[]} */
  const present = [];
  const obstacles = [];
  for (const crate of CRATES) {
    present.push(crate);
    obstacles.push(dynamic.addObstacle(crate));
    const { linked, changedLinks, dirtyTiles } = dynamic.update();
    assert.ok(linked >= changedLinks.length && changedLinks.length > 0);
    assert.equal(dirtyTiles, 0);
    assert.deepEqual(heard.splice(0), changedLinks);
    assert.deepEqual(linksOf(navMesh), linksOfBake(present));
  }
  stop();
  for (const obstacle of obstacles) dynamic.removeObstacle(obstacle);
  dynamic.update();
  assert.deepEqual(heard, []);
  assert.deepEqual(linksOf(navMesh), PLAIN);
});

test('dynamic links: an obstacle at the side of a tile gives the next tile borders and links; tiles whose edges stay are left alone', (context) => {
  const { navMesh, dynamic } = bakeLevel(context), side = 2 * CONFIG.tileSize * CONFIG.cellSize;
  const atSide = ({ starts }) => starts.filter((x, i) => i % 6 === 0 && Math.abs(x - side) < 0.1).length;
  for (const [low, high] of [[8, 12], [3, 10]]) {
    // So low that bodies near the edge pass above it.
    const strip = { kind: 'box', min: [side, 0, low], max: [side + 1.2, 0.3, high], area: 0, beforeErosion: false };
    const wanted = linksOfBake([strip]);
    assert.ok(atSide(wanted) > atSide(PLAIN), 'links start at the side');
    const obstacle = dynamic.addObstacle(strip), { linked } = dynamic.update();
    assert.deepEqual(linksOf(navMesh), wanted);
    assert.ok(linked > 0 && linked < 9, `${linked} of the tiles around it`);
    dynamic.removeObstacle(obstacle);
    dynamic.update();
    assert.deepEqual(linksOf(navMesh), PLAIN);
  }
});

test('dynamic links: a link that is off stays off in two halves, as one again, and in files; others stay on', (context) => {
  const { navMesh, dynamic } = bakeLevel(context);
  const links = (mesh = navMesh) => Array.from(mesh.segmentLinks().refs, (ref) => mesh.segmentLink(ref));
  const widest = (list) => list.reduce((best, link) => (link.width > best.width ? link : best));
  const isNear = ({ kind, start, end }, other) => kind === other.kind && Math.abs(start[0][0] - other.start[0][0]) < 0.5 && (start[0][0] < end[0][0]) === (other.start[0][0] < other.end[0][0]);
  const between = ({ start }, low, high) => start.every(([, , z]) => z > low - 0.3 && z < high + 0.3);
  const whole = widest(links().filter(({ kind }) => kind === 'drop'));
  const [low, high] = whole.start.map(([, , z]) => z).sort((a, b) => a - b);
  navMesh.setSegmentLinkEnabled(whole.ref, false);
  const inPlace = (mesh) => links(mesh).filter((link) => isNear(link, whole) && between(link, low, high));
  const othersOn = (mesh) => links(mesh).filter((link) => !inPlace(mesh).some(({ ref }) => ref === link.ref)).every(({ enabled }) => enabled);
  const offs = (mesh) => [inPlace(mesh).length, inPlace(mesh).some(({ enabled }) => enabled), othersOn(mesh)];
  assert.deepEqual(offs(navMesh), [1, false, true]);
  const middle = (low + high) / 2;
  const crate = dynamic.addObstacle({ kind: 'box', min: [7, 0, middle - 0.2], max: [8, 1, middle + 0.2], area: 0, beforeErosion: true });
  dynamic.update();
  assert.deepEqual(offs(navMesh), [2, false, true], 'two halves');
  const again = walkmesh.loadDynamic(dynamic.save());
  context.after(() => again.navMesh.free());
  assert.deepEqual(offs(again.navMesh), [2, false, true], 'saved in halves');
  again.dynamic.removeObstacle(crate);
  again.dynamic.update();
  assert.deepEqual(offs(again.navMesh), [1, false, true], 'saved in halves, then one again');
  dynamic.removeObstacle(crate);
  dynamic.update();
  assert.deepEqual(offs(navMesh), [1, false, true], 'one again');
  const loaded = walkmesh.loadNavMesh(navMesh.save());
  context.after(() => loaded.free());
  assert.deepEqual([loaded.disabledLinkPlaces, offs(loaded)], [navMesh.disabledLinkPlaces, [1, false, true]]);
});

test('dynamic links: both links of a gap between two tiles are switched together, whatever came before', (context) => {
  const positions = [0, 0, 0, 0, 0, 10, 10, 0, 10, 10, 0, 0, 13, 0, 0, 13, 0, 10, 23, 0, 10, 23, 0, 0], indices = [0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7];
  const config = { cellSize: 0.2, cellHeight: 0.1, agentRadius: 0.4, agentMaxClimb: 0.4, tileSize: 32, links: { jump: { maxDistance: 5 } } };
  const { navMesh, dynamic } = walkmesh.bakeDynamic({ positions, indices }, config);
  context.after(() => navMesh.free());
  const links = () => Array.from(navMesh.segmentLinks().refs, (ref) => navMesh.segmentLink(ref));
  const ways = () => [[[5, 0, 3], [20, 0, 3]], [[20, 0, 3], [5, 0, 3]], [[5, 0, 9], [20, 0, 9]]].map(([from, to]) => navMesh.findPath(from, to).status);
  const enabled = () => links().map((link) => link.enabled);
  const makeCrate = () => {
    const crate = dynamic.addObstacle({ kind: 'box', min: [9, 0, 2], max: [9.6, 1, 3] });
    dynamic.update();
    dynamic.removeObstacle(crate);
    dynamic.update();
  };
  const made = links(), alike = made.filter(({ start }) => Math.abs((start[0][2] + start[1][2]) / 2 - (made[0].start[0][2] + made[0].start[1][2]) / 2) < 0.3);
  assert.ok(ways().every((status) => status === 'complete'));
  assert.ok(alike.length === 2 && alike[0].start[0][0] * alike[1].start[0][0] > 0, 'the gap has a link of each of its tiles');
  for (const { ref } of alike) {
    navMesh.setSegmentLinkEnabled(ref, false);
    const off = enabled();
    assert.equal(off.filter((on) => !on).length, 2);
    assert.equal(navMesh.disabledLinkPlaces.length, 1);
    makeCrate();
    assert.deepEqual(enabled(), off, 'made again');
    const other = alike.find((link) => link.ref !== ref).ref;
    navMesh.setSegmentLinkEnabled(navMesh.segmentLinks().refs[made.findIndex((link) => link.ref === other)], true);
    assert.ok(enabled().every((on) => on), 'the other one is switched on');
    assert.equal(navMesh.disabledLinkPlaces.length, 0);
    makeCrate();
    assert.ok(enabled().every((on) => on));
    alike.forEach((link) => { link.ref = navMesh.segmentLinks().refs[made.findIndex(({ start }) => start === link.start)]; });
  }
  for (const { ref } of links()) if (navMesh.segmentLink(ref).enabled) navMesh.setSegmentLinkEnabled(ref, false);
  assert.ok(ways().every((status) => status !== 'complete'), 'no path crosses a link that is off');
});

test('dynamic links: an update within a budget does one tile, or the links of one place, at a time', (context) => {
  const { navMesh, dynamic } = bakeLevel(context);
  for (const crate of CRATES) dynamic.addObstacle(crate);
  let isLinking = false, steps = 0;
  for (; dynamic.dirtyTiles > 0; steps++) {
    const { built, linked, changed, changedLinks } = dynamic.update({ tiles: 1 });
    assert.equal(built + linked, 1);
    assert.ok(changed.length <= built && changedLinks.length <= linked);
    isLinking ||= linked > 0;
    assert.equal(linked > 0, isLinking, 'tiles come first');
    const path = navMesh.findPath([2, 1.8, 10], [38, 0, 10]); // the mesh is valid between two updates
    assert.ok(path);
  }
  assert.ok(steps > 4);
  assert.equal(dynamic.dirtyLinks, 0);
  assert.deepEqual(linksOf(navMesh), linksOfBake(CRATES));
});

test('dynamic links: configured again, they are those of a bake with that configuration, under the budget; off and on', async (context) => {
  const { navMesh, dynamic } = bakeLevel(context);
  const pool = walkmesh.createWorkerPool({ workers: 2 });
  context.after(() => pool.free());
  const other = { drop: { maxHeight: 2.5, area: 3 }, jump: { maxDistance: 3.5 }, thinning: 0 };
  const wanted = walkmesh.bake(makeLevel(CRATES), { ...CONFIG, links: other });
  context.after(() => wanted.navMesh.free());
  for (const crate of CRATES) dynamic.addObstacle(crate);
  dynamic.update({ tiles: 1 });
  dynamic.configureLinks(other);
  assert.deepEqual(navMesh.config.links, wanted.navMesh.config.links, 'stored in the mesh');
  assert.equal(dynamic.dirtyLinks, navMesh.parameters.tileCountX * navMesh.parameters.tileCountZ);
  assert.deepEqual(linksOf(navMesh), PLAIN, 'until an update');
  for (let left = dynamic.dirtyTiles; left > 0;) {
    const { dirtyTiles } = dynamic.update({ tiles: 1 });
    assert.ok(dirtyTiles < left);
    left = dirtyTiles;
  }
  assert.deepEqual(linksOf(navMesh), linksOf(wanted.navMesh));
  const heard = [];
  dynamic.onLinksChanged((change) => heard.push(change));
  dynamic.configureLinks({});
  await dynamic.updateAsync();
  assert.equal(navMesh.segmentLinks().count, 0);
  assert.ok(heard.length > 0);
  assert.equal(navMesh.config.links, undefined);
  const again = walkmesh.loadDynamic(dynamic.save());
  context.after(() => again.navMesh.free());
  for (const one of [dynamic, again.dynamic]) {
    one.configureLinks(CONFIG.links);
    await one.updateAsync({ workers: pool });
    assert.deepEqual(linksOf(one.navMesh), linksOfBake(CRATES), 'on again');
  }
});

test('dynamic links: a configuration out of range, or of a mesh without air, is an error and changes nothing', (context) => {
  const { navMesh, dynamic } = bakeLevel(context);
  const { config } = navMesh;
  for (const [links, field] of [[{ drop: { maxHeight: -1 } }, 'links.drop.maxHeight'], [{ thinning: Number.NaN }, 'links.thinning'],
    [null, 'links'], [{ jump: { maxDistance: 1e9 } }, 'links.jump.maxDistance']]) {
    assert.throws(() => dynamic.configureLinks(/** @type {any} */ (links)), (error) => error instanceof NavError && error.code === 'configuration' && error.field === field);
  }
  assert.deepEqual([navMesh.config, dynamic.dirtyTiles], [config, 0]);
  assert.deepEqual(linksOf(navMesh), PLAIN);
  const plain = bakeLevel(context, { ...CONFIG, links: undefined });
  assert.throws(() => plain.dynamic.configureLinks(CONFIG.links), { code: 'state', field: 'links' });
  assert.equal(plain.navMesh.config.links, undefined);
});

test('dynamic links: a place with too many links names its tile once, and has none; others get theirs', (context) => {
  const side = 92, cell = 0.25, positions = [];
  const platform = (x, z) => positions.push(...floor(x, z, x + 2 * cell, z + 2 * cell, 0));
  for (const column of [0, 4, 5]) platform(4 * cell * column, 8);
  for (let i = 0; i < side * side; i++) platform((4 * side + 8) * cell + 4 * cell * (i % side), 4 * cell * Math.floor(i / side));
  const config = {
    cellSize: cell, cellHeight: 0.2, agentRadius: 0, tileSize: 4 * side + 8, minRegionSize: 0, mergeRegionSize: 0, maxEdgeError: 0.1,
    partition: 'monotone', filterLedges: false, detailSampleDistance: 0, links: { drop: { maxHeight: 2 } },
  };
  const { navMesh, dynamic } = walkmesh.bakeDynamic({ positions }, config);
  context.after(() => navMesh.free());
  dynamic.configureLinks({ jump: { maxDistance: 3 * cell } });
  const changed = [];
  dynamic.onTileChanged((change) => changed.push(change));
  assert.throws(() => dynamic.update(), (error) => error instanceof NavError && error.code === 'limit' && /^tile 1, 0: a tile has \d+ links/.test(error.message));
  assert.deepEqual([changed, dynamic.dirtyTiles], [[], 0], 'no tile was built, and none is left');
  const { linked, changedLinks } = dynamic.update();
  assert.deepEqual([linked, changedLinks], [0, []]);
  assert.equal(navMesh.segmentLinks().count, 2, 'the other place has its links');
});

test('dynamic links: a getter of the configuration that frees the mesh gets an error', (context) => {
  const { navMesh, dynamic } = bakeLevel(context);
  const links = { get jump() {
    navMesh.free();
    return { maxDistance: 3 };
  } };
  assert.throws(() => dynamic.configureLinks(links), (error) => error instanceof NavError && error.code === 'state' && /getter/.test(error.message));
});

test('dynamic links: workers give the same links, also while obstacles move', async (context) => {
  const { navMesh, dynamic } = bakeLevel(context);
  const pool = walkmesh.createWorkerPool({ workers: 2 });
  context.after(() => pool.free());
  const crate = dynamic.addObstacle({ ...CRATES[0], min: [12, 0, 4], max: [14, 1, 8] });
  for (const other of CRATES.slice(1)) dynamic.addObstacle(other);
  let moves = 0;
  const stop = dynamic.onTileChanged(() => {
    if (moves++ < 3) dynamic.changeObstacle(crate, { ...CRATES[0], min: [12 - moves, 0, 4 + moves], max: [14 - moves, 1, 8 + moves] });
    else if (moves === 5) dynamic.changeObstacle(crate, CRATES[0]);
  });
  const { built, linked } = await dynamic.updateAsync({ workers: pool });
  stop();
  if (moves < 5) dynamic.changeObstacle(crate, CRATES[0]);
  await dynamic.updateAsync({ workers: pool });
  assert.ok(built > 0 && linked > 0);
  assert.equal(dynamic.dirtyTiles, 0);
  // The order of obstacles is that of their addition.
  assert.deepEqual(linksOf(navMesh), linksOfBake(CRATES));
  dynamic.changeObstacle(crate, { ...CRATES[0], area: 7 });
  await dynamic.updateAsync();
  assert.deepEqual(linksOf(navMesh), linksOfBake([{ ...CRATES[0], area: 7 }, ...CRATES.slice(1)]));
});

test('dynamic links: they are saved, with those that are out of date', (context) => {
  const { navMesh, dynamic } = bakeLevel(context);
  const again = walkmesh.loadDynamic(dynamic.save());
  context.after(() => again.navMesh.free());
  assert.deepEqual(linksOf(again.navMesh), PLAIN);
  assert.equal(again.dynamic.dirtyTiles, 0);
  assert.deepEqual(again.navMesh.config.links, navMesh.config.links);
  for (const crate of CRATES) again.dynamic.addObstacle(crate);
  again.dynamic.update({ tiles: 6 });
  const later = walkmesh.loadDynamic(again.dynamic.save());
  context.after(() => later.navMesh.free());
  assert.ok(later.dynamic.dirtyLinks > 0);
  later.dynamic.update();
  assert.deepEqual(linksOf(later.navMesh), linksOfBake(CRATES));
});

/** A streamer that holds what is near a point. */
const stream = (target, source) => new TileStreamer(target, source, { innerRadius: 8, outerRadius: 10, requests: 16 });

/** Loads all that is near a point, and brings the mesh up to date. */
async function arrive(streamer, dynamic, invoker) {
  streamer.setInvokers([invoker]);
  await streamer.load();
  dynamic.update();
}

test('dynamic links: they follow tiles that are streamed in and out, and wait for missing ones', async (context) => {
  const source = await walkmesh.createDynamicBakeSource(makeLevel(), CONFIG);
  context.after(async () => {
    await source.free();
    source.navMesh.free();
  });
  const { navMesh, dynamic } = source;
  const streamer = stream(dynamic, (x, z, options) => source.tile(x, z, options));
  context.after(() => streamer.free());
  for (const crate of CRATES) dynamic.addObstacle(crate);
  await arrive(streamer, dynamic, [4, 0, 10]);
  const near = linksOf(navMesh);
  assert.ok(near.count > 0 && near.count < PLAIN.count);
  assert.ok(near.tied.every((tied) => tied === 3), 'no link leads to a missing tile');
  await arrive(streamer, dynamic, [36, 0, 10]);
  assert.notDeepEqual(linksOf(navMesh), near);
  await arrive(streamer, dynamic, [4, 0, 10]);
  assert.deepEqual(linksOf(navMesh), near);
  // All tiles: the links of a bake.
  await arrive(streamer, dynamic, { position: [20, 0, 10], innerRadius: 100, outerRadius: 100 });
  assert.deepEqual(linksOf(navMesh), linksOfBake(CRATES));
});

test('dynamic links: a file is a source of tiles with air', async (context) => {
  const { dynamic } = bakeLevel(context);
  for (const crate of CRATES) dynamic.addObstacle(crate);
  dynamic.update();
  const source = walkmesh.createFileSource(dynamic.save());
  context.after(() => source.navMesh.free());
  assert.equal(source.navMesh.segmentLinkCount, 0);
  for (const [place, { kept, tile }] of source.tiles) {
    const [x, z] = place.split(',').map(Number);
    source.dynamic.keepTile(x, z, kept, tile);
  }
  source.dynamic.update();
  assert.deepEqual(linksOf(source.navMesh), linksOfBake(CRATES));
});

test('dynamic links: without air, or for tiles without it, an error says what to do', async (context) => {
  await assert.rejects(walkmesh.createBakeSource(makeLevel(), CONFIG), (error) => error instanceof NavError
    && error.code === 'unsupported' && error.field === 'links' && /createDynamicBakeSource/.test(error.message));
  assert.throws(() => walkmesh.loadTileCache(new Uint8Array(64), { config: { links: CONFIG.links } }), (error) => error instanceof NavError
    && error.code === 'unsupported' && error.field === 'config.links' && /bakeDynamic/.test(error.message));
  assert.throws(() => walkmesh.bakeDynamic(makeLevel(), { ...CONFIG, links: { jump: { maxDistance: -1 } } }),
    { code: 'configuration', field: 'links.jump.maxDistance' });
  // A tile that is added without its air: links wait for it.
  const { navMesh, dynamic } = bakeLevel(context);
  const plain = bakeLevel(context, { ...CONFIG, links: undefined });
  const { x, z } = { x: 3, z: 1 }, joined = dynamic.keptTile(x, z);
  dynamic.keepTile(x, z, plain.dynamic.keptTile(x, z));
  dynamic.update();
  assert.ok(linksOf(navMesh).count < PLAIN.count);
  dynamic.keepTile(x, z, joined);
  dynamic.update();
  assert.deepEqual(linksOf(navMesh), PLAIN);
  // A dynamic mesh without links drops the air.
  plain.dynamic.keepTile(x, z, joined);
  plain.dynamic.update();
  assert.deepEqual(plain.dynamic.keptTile(x, z), bakeLevel(context, { ...CONFIG, links: undefined }).dynamic.keptTile(x, z));
});
