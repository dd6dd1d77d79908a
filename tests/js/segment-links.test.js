// Segment links in JavaScript: bakes that generate them (js/bake/links/link-pass.js), the generator (js/bake/links/link-generator.js), links of a mesh
// (js/mesh/segment-links.js). What is generated is judged by C tests and by oracles; here: that every way to bake gives the same.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LINK_REFUSALS, MemoryTileCache, NavError, SEGMENT_LINK_KINDS, load } from '../../js/index.js';
import * as core from '../../js/core.js';
import { describeRefusal } from '../../js/bake/links/link-words.js';
import { makeRandom } from './random.js';
import { loadBoth } from './support.js';
import { buildTown, makeTown, townConfig } from './town.js';

const builds = await loadBoth();
const [walkmesh] = builds;

const floor = (x0, z0, x1, z1, y) => [x0, y, z0, x0, y, z1, x1, y, z1, x0, y, z0, x1, y, z1, x1, y, z0];

/**
 * Seen from above, x to the right, 20 deep: a platform of 1.8 m from x = 0 to 6, floor to x = 20, a gap of 2 m, floor from 22 to 40 with a
 * fence of 1 m at x = 30.
 */
const makeLevel = (more = []) => ({
  positions: [...floor(0, 0, 20, 20, 0), ...floor(22, 0, 40, 20, 0)],
  solids: [{ kind: 'box', min: [0, -1, 0], max: [6, 1.8, 20] }, { kind: 'box', min: [30, 0, 0], max: [30.2, 1, 20] }, ...more],
});
const LINKS = { drop: { maxHeight: 3 }, jump: { maxDistance: 4, maxUp: 0.5, maxDown: 2, flags: 2 }, climb: { maxHeight: 2, area: 5 }, vault: { maxHeight: 1.2, maxDepth: 1 } };
const CONFIG = { cellSize: 0.2, cellHeight: 0.1, agentRadius: 0.4, agentHeight: 1.8, agentMaxClimb: 0.4, tileSize: 32, links: LINKS };
const CRATE = { kind: 'box', min: [10, 0, 8], max: [12, 1, 12] };

/** @param {import('node:test').TestContext} context */
function bakeLevel(context, config = CONFIG, options = {}) {
  const baked = walkmesh.bake(makeLevel(), config, options);
  context.after(() => baked.navMesh.free());
  return baked;
}

/** Midpoint of a segment. */
const middleOf = ([left, right]) => left.map((value, axis) => (value + right[axis]) / 2);

/** Bytes of all links of a mesh without references. */
const linkBytes = (navMesh) => {
  const { refs: _, count: __, ...arrays } = navMesh.segmentLinks();
  return Object.fromEntries(Object.entries(arrays).map(([name, array]) => [name, Array.from(array)]));
};

test('links: a bake makes each kind where it belongs, and the report counts them', (context) => {
  const { navMesh, report } = bakeLevel(context);
  const { count, counts, milliseconds, airBytes } = report.links;
  assert.equal(navMesh.segmentLinkCount, count);
  assert.equal(SEGMENT_LINK_KINDS.reduce((sum, kind) => sum + counts[kind], 0), count);
  assert.ok(milliseconds > 0 && airBytes > 0);
  /** Where each kind starts and ends on x, within two cells of the agent's radius. @type {Record<string, [number, number][]>} */
  const places = { drop: [[6, 6]], climb: [[6, 6]], jump: [[20, 22], [22, 20], [6, 7]], vault: [[30, 30], [30, 30]] };
  for (const ref of navMesh.segmentLinks().refs) {
    const { kind, start, end, width, startTied, endTied, enabled, byHand } = navMesh.segmentLink(ref);
    const [x0, x1] = [middleOf(start)[0], middleOf(end)[0]];
    assert.ok(places[kind].some(([a, b]) => Math.abs(x0 - a) < 1.4 && Math.abs(x1 - b) < 1.8), `${kind} from ${x0} to ${x1}`);
    assert.ok(width > 0 && startTied && endTied && enabled && !byHand);
  }
  for (const kind of SEGMENT_LINK_KINDS) assert.ok(counts[kind] > 0, kind);
});

test('links: without links the report has none, and a configuration without a kind counts as none', (context) => {
  const plain = bakeLevel(context, { ...CONFIG, links: undefined });
  assert.equal(plain.report.links, null);
  assert.equal(plain.navMesh.config.links, undefined);
  const empty = bakeLevel(context, { ...CONFIG, links: { minWidth: 1 } });
  assert.equal(empty.report.links, null);
  assert.deepEqual(empty.navMesh.save(), plain.navMesh.save());
  assert.equal(plain.navMesh.segmentLinks().count, 0);
});

test('links: the configuration in force is in the report and in the mesh, and a file of it bakes the same', (context) => {
  const { navMesh, report } = bakeLevel(context);
  const { links } = report.config;
  assert.deepEqual(links.drop, { maxHeight: 3, area: 0, flags: 1, costFactor: 1 });
  assert.deepEqual(links.jump, { maxDistance: 4, maxUp: 0.5, maxDown: 2, peak: 0, area: 0, flags: 2, costFactor: 1 });
  assert.equal(links.climb.area, 5);
  assert.equal(links.thinning, CONFIG.agentRadius);
  assert.deepEqual(navMesh.config.links, links);
  const again = bakeLevel(context, JSON.parse(JSON.stringify(report.config)));
  assert.deepEqual(again.navMesh.save(), navMesh.save());
  const vault = bakeLevel(context, { ...CONFIG, links: { vault: { maxHeight: 1.2 } } });
  assert.equal(vault.report.config.links.vault.maxDepth, 1);
});

test('links: the same bytes in both modules, in slices, and for any number of workers', async (context) => {
  const { navMesh, report } = bakeLevel(context);
  const expected = Buffer.from(navMesh.save());
  const scalar = builds[1].bake(makeLevel(), CONFIG);
  assert.deepEqual(Buffer.from(scalar.navMesh.save()), expected);
  scalar.navMesh.free();
  for (const workers of [0, 1, 3]) {
    const tiled = await walkmesh.bakeTiled(makeLevel(), CONFIG, { workers });
    assert.deepEqual(Buffer.from(tiled.navMesh.save()), expected, `${workers} workers`);
    assert.deepEqual(tiled.report.links.counts, report.links.counts);
    assert.equal(tiled.report.links.airBytes, report.links.airBytes);
    tiled.navMesh.free();
  }
});

test('links: a single tile in a worker and in this thread', async (context) => {
  const { tileSize: _, ...config } = CONFIG;
  const { navMesh } = bakeLevel(context, config);
  assert.ok(navMesh.segmentLinkCount > 0);
  for (const workers of [0, 1]) {
    const stages = [];
    const one = await walkmesh.bakeAsync(makeLevel(), config, { workers, onProgress: ({ stage }) => { stages.push(stage); } });
    assert.deepEqual(Buffer.from(one.navMesh.save()), Buffer.from(navMesh.save()));
    assert.equal(stages.at(-1), 'links');
    one.navMesh.free();
  }
});

test('links: tiles from a cache bring their air, and a cache of a bake without links is of no use for it', async (context) => {
  const { navMesh } = bakeLevel(context);
  const cache = new MemoryTileCache();
  const plain = await walkmesh.bakeTiled(makeLevel(), { ...CONFIG, links: undefined }, { workers: 0, cache });
  const tiles = cache.size;
  const first = await walkmesh.bakeTiled(makeLevel(), CONFIG, { workers: 0, cache });
  assert.equal(first.report.tiles.cached, 0);
  assert.equal(cache.size, 2 * tiles);
  const second = await walkmesh.bakeTiled(makeLevel(), CONFIG, { workers: 2, cache });
  assert.equal(second.report.tiles.cached, tiles);
  assert.deepEqual(second.report.warnings, []);
  const third = await walkmesh.bakeTiled(makeLevel(), { ...CONFIG, links: undefined }, { workers: 0, cache });
  assert.equal(third.report.tiles.cached, tiles);
  for (const { navMesh: baked } of [first, second]) assert.deepEqual(Buffer.from(baked.save()), Buffer.from(navMesh.save()));
  assert.deepEqual(Buffer.from(third.navMesh.save()), Buffer.from(plain.navMesh.save()));
  for (const { navMesh: baked } of [plain, first, second, third]) baked.free();
});

test('links: damaged air in a cache is found, and the tile is baked again', async (context) => {
  const { navMesh } = bakeLevel(context);
  const stored = new Map();
  const cache = { get: (key) => stored.get(key), set: (key, bytes) => { stored.set(key, bytes.slice()); }, delete: (key) => stored.delete(key) };
  (await walkmesh.bakeTiled(makeLevel(), CONFIG, { workers: 0, cache })).navMesh.free();
  const keys = [...stored.keys()];
  stored.get(keys[0])[stored.get(keys[0]).length - 5] ^= 1;
  stored.set(keys[1], stored.get(keys[1]).subarray(0, -4));
  const again = await walkmesh.bakeTiled(makeLevel(), CONFIG, { workers: 0, cache });
  assert.equal(again.report.tiles.cached, keys.length - 2);
  assert.match(again.report.warnings.join(), /2 damaged tiles/);
  assert.deepEqual(Buffer.from(again.navMesh.save()), Buffer.from(navMesh.save()));
  again.navMesh.free();
});

for (const [how, options] of [['in slices', { workers: 0 }], ['in workers', { workers: 2 }], ['with a cache', { workers: 0, cache: new MemoryTileCache() }]]) {
  test(`links: a rebake makes those around a change again, as a bake of the whole level, ${how}`, async () => {
    const { navMesh } = await walkmesh.bakeTiled(makeLevel(), CONFIG, options);
    const steps = [[CRATE], [], [{ ...CRATE, min: [17, 0, 2], max: [20, 1.5, 6] }], [CRATE, { kind: 'box', min: [19, 2, 0], max: [24, 3, 12] }]];
    for (const more of steps) {
      const { report } = await walkmesh.rebake(navMesh, makeLevel(more), options);
      const full = walkmesh.bake(makeLevel(more), { ...CONFIG, bounds: navMesh.config.bounds }).navMesh;
      assert.deepEqual(linkBytes(navMesh), linkBytes(full));
      assert.deepEqual(Buffer.from(navMesh.save()), Buffer.from(full.save()));
      assert.ok(report.links.count <= full.segmentLinkCount && (more[0] !== CRATE || more[1] || report.links.count < full.segmentLinkCount), 'some links stay');
      full.free();
    }
    navMesh.free();
  });
}

test('links: a rebake with the generator of the bake needs no other air, and updates it', async (context) => {
  const { navMesh, linkGenerator } = bakeLevel(context, CONFIG, { keepLinkGenerator: true });
  for (const more of [[CRATE], [{ ...CRATE, min: [18, 0, 8], max: [20, 2, 12] }], []]) {
    const { linkGenerator: none } = await walkmesh.rebake(navMesh, makeLevel(more), { workers: 0, linkGenerator });
    assert.equal(none, undefined);
    const full = walkmesh.bake(makeLevel(more), { ...CONFIG, bounds: navMesh.config.bounds }).navMesh;
    assert.deepEqual(linkBytes(navMesh), linkBytes(full));
    linkGenerator.generate();
    assert.deepEqual(linkBytes(navMesh), linkBytes(full), 'the generator knows the new level');
    full.free();
  }
  const other = walkmesh.bake(makeLevel(), CONFIG).navMesh;
  await assert.rejects(walkmesh.rebake(other, makeLevel(), { linkGenerator }), { code: 'invalid-argument', field: 'linkGenerator' });
  await assert.rejects(walkmesh.rebake(navMesh, makeLevel(), { linkGenerator: {} }), { code: 'invalid-argument', field: 'linkGenerator' });
  linkGenerator.free();
  await assert.rejects(walkmesh.rebake(navMesh, makeLevel(), { linkGenerator }), { code: 'state' });
  other.free();
});

test('links: a level that is none is an error that says so', async (context) => {
  const { navMesh } = bakeLevel(context);
  for (const geometry of [null, undefined, 7]) {
    await assert.rejects(walkmesh.rebake(navMesh, geometry, { workers: 0 }), { name: 'NavError', field: 'geometry' });
    await assert.rejects(walkmesh.createLinkGenerator(navMesh, geometry, { workers: 0 }), { name: 'NavError', field: 'geometry' });
  }
});

test('links: a rebake that fails while links are made leaves tiles and links as they were', async (context) => {
  const { navMesh } = bakeLevel(context);
  const before = Buffer.from(navMesh.save()), links = linkBytes(navMesh);
  let [failed, passed] = [0, 0];
  for (let count = 0; count < 4000 && passed === 0; count += 1 + Math.floor(count / 8)) {
    const instance = await load();
    const mesh = instance.bake(makeLevel(), CONFIG).navMesh;
    const work = instance.rebake(mesh, makeLevel([CRATE]), { workers: 0 });
    instance.failAllocationsAfter(count);
    try {
      await work;
      passed++;
    } catch (error) {
      assert.equal(error.code, 'out-of-memory', error.stack);
      failed++;
      instance.failAllocationsAfter();
      assert.deepEqual(linkBytes(mesh), links, `${count} allocations`);
      assert.deepEqual(Buffer.from(mesh.save()), before, `${count} allocations`);
    }
    instance.failAllocationsAfter();
    mesh.free();
  }
  assert.ok(failed > 10 && passed === 1, `${failed} failed, ${passed} passed`);
});

test('links: a rebake makes links between turns of the event loop, and inserts tiles and links together; aborted, it changes nothing', async (context) => {
  const { navMesh } = bakeLevel(context);
  const before = Buffer.from(navMesh.save()), { version } = navMesh;
  let turns = 0, isRunning = true;
  const turn = () => {
    turns++;
    if (isRunning) setImmediate(turn);
  };
  setImmediate(turn);
  /** @type {number[]} */
  const linked = [];
  /** @type {number[]} */
  const at = [];
  const options = { workers: 0, sliceMilliseconds: 0.001, onProgress: (progress) => {
    if (progress.linked === undefined) return;
    linked.push(progress.linked);
    at.push(turns);
    assert.equal(navMesh.version, version, 'the mesh is unchanged until the end');
  } };
  const controller = new AbortController();
  const aborted = walkmesh.rebake(navMesh, makeLevel([CRATE]), { ...options, signal: controller.signal, onProgress: ({ linked: count }) => {
    if (count === 2) controller.abort();
  } });
  await assert.rejects(aborted, { code: 'cancelled' });
  assert.deepEqual(Buffer.from(navMesh.save()), before);
  const { report } = await walkmesh.rebake(navMesh, makeLevel([CRATE]), options);
  isRunning = false;
  assert.ok(linked.length > 4 && report.links.count > 0);
  assert.deepEqual(linked, linked.map((_, i) => i + 1));
  assert.equal(new Set(at).size, at.length, 'other code ran between any two places');
  const full = walkmesh.bake(makeLevel([CRATE]), { ...CONFIG, bounds: navMesh.config.bounds }).navMesh;
  assert.deepEqual(Buffer.from(navMesh.save()), Buffer.from(full.save()));
  full.free();
});

test('links: a mesh that is changed while a rebake makes its links has those of the new tiles, and what was switched off stays off', async (context) => {
  const { navMesh } = bakeLevel(context);
  const isOff = () => Array.from(navMesh.segmentLinks().refs, (ref) => navMesh.segmentLink(ref)).filter(({ enabled }) => !enabled).length;
  await walkmesh.rebake(navMesh, makeLevel([CRATE]), { workers: 0, onProgress: ({ linked }) => {
    if (linked === 1) navMesh.setSegmentLinkEnabled(navMesh.segmentLinks().refs[0], false);
  } });
  assert.equal(isOff(), 1);
  const full = walkmesh.bake(makeLevel([CRATE]), { ...CONFIG, bounds: navMesh.config.bounds }).navMesh;
  navMesh.disabledLinkPlaces = [];
  assert.deepEqual(linkBytes(navMesh), linkBytes(full));
  full.free();
});

test('links: area volumes of area 0 block them', (context) => {
  const { navMesh } = bakeLevel(context);
  /** Jumps over the gap. */
  const jumps = (mesh) => Array.from(mesh.segmentLinks().refs, (ref) => mesh.segmentLink(ref)).filter(({ kind, start }) => kind === 'jump' && start[0][0] > 15).length;
  assert.ok(jumps(navMesh) > 0);
  const wall = { kind: 'box', min: [20.8, -1, -1], max: [21.2, 4, 21], area: 0 };
  const blocked = walkmesh.bake({ ...makeLevel(), volumes: [wall] }, CONFIG).navMesh;
  assert.equal(jumps(blocked), 0);
  const marked = walkmesh.bake({ ...makeLevel(), volumes: [{ ...wall, area: 4 }] }, CONFIG).navMesh;
  assert.equal(jumps(marked), jumps(navMesh));
  blocked.free();
  marked.free();
});

test('links: progress, limits and abort', async () => {
  const seen = [];
  const { navMesh, report } = walkmesh.bake(makeLevel(), CONFIG, { onProgress: ({ tile, tiles, stage }) => { if (stage === 'links') seen.push([tile, tiles]); } });
  const tiles = report.tiles.x * report.tiles.z;
  assert.deepEqual(seen, Array.from({ length: tiles }, (_, i) => [i, tiles]));
  const linked = [];
  const tiled = await walkmesh.bakeTiled(makeLevel(), CONFIG, { workers: 0, onProgress: (progress) => { linked.push(progress.linked); } });
  assert.deepEqual(linked.slice(0, tiles), Array(tiles).fill(undefined));
  assert.deepEqual(linked.slice(tiles), Array.from({ length: tiles }, (_, i) => i + 1));
  const { bytes } = walkmesh.memory();
  const controller = new AbortController();
  const aborted = walkmesh.bakeTiled(makeLevel(), CONFIG, { workers: 0, sliceMilliseconds: 1e-6, signal: controller.signal,
    onProgress: (progress) => { if (progress.linked === 2) controller.abort('enough'); } });
  await assert.rejects(aborted, { code: 'cancelled' });
  assert.throws(() => walkmesh.bake(makeLevel(), CONFIG, { onProgress: ({ stage }) => { if (stage === 'links') throw new Error('own'); } }), /own/);
  assert.throws(() => walkmesh.bake(makeLevel(), CONFIG, { limits: { milliseconds: 1e-6 } }), { code: 'limit', field: 'limits.milliseconds' });
  walkmesh.trimMemory();
  assert.ok(walkmesh.memory().bytes <= bytes, 'failures free everything');
  navMesh.free();
  tiled.navMesh.free();
});

test('links: a wrong configuration is an error that names the field, before anything is baked', async () => {
  const kind = (links) => ({ ...CONFIG, links });
  /** @type {[unknown, string][]} */
  const cases = [
    [null, 'links'], [[], 'links'], [7, 'links'], [{ fly: {} }, 'links.fly'], [{ drop: null }, 'links.drop'], [{ drop: {} }, 'links.drop.maxHeight'],
    [{ drop: { maxHeight: '3' } }, 'links.drop.maxHeight'], [{ drop: { maxHeight: 3, area: 64 } }, 'links.drop.area'],
    [{ drop: { maxHeight: 3, area: 1.5 } }, 'links.drop.area'], [{ drop: { maxHeight: 3, flags: -1 } }, 'links.drop.flags'],
    [{ jump: { maxDistance: 3, maxDist: 3 } }, 'links.jump.maxDist'], [{ jump: { maxUp: 3 } }, 'links.jump.maxDistance'],
    [{ vault: { maxDepth: 1 } }, 'links.vault.maxHeight'], [{ climb: { maxHeight: 2 }, thinning: true }, 'links.thinning'],
  ];
  for (const bad of [NaN, Infinity, -1, -1e9, 1e9]) {
    const [good, other] = [{ maxHeight: 2, maxDepth: 1 }, { maxDistance: 3 }];
    cases.push([{ drop: { maxHeight: bad } }, 'links.drop.maxHeight'], [{ climb: { maxHeight: bad } }, 'links.climb.maxHeight'],
      [{ vault: { ...good, maxHeight: bad } }, 'links.vault.maxHeight'], [{ vault: { ...good, maxDepth: bad } }, 'links.vault.maxDepth'],
      [{ jump: { maxDistance: bad } }, 'links.jump.maxDistance'], [{ jump: { ...other, maxUp: bad } }, 'links.jump.maxUp'],
      [{ jump: { ...other, maxDown: bad } }, 'links.jump.maxDown'], [{ jump: { ...other, peak: bad } }, 'links.jump.peak'],
      [{ jump: { ...other, costFactor: bad } }, 'links.jump.costFactor'], [{ jump: other, minWidth: bad }, 'links.minWidth'],
      [{ jump: other, minSaving: bad }, 'links.minSaving'], [{ jump: other, thinning: bad }, 'links.thinning']);
  }
  cases.push([{ drop: { maxHeight: CONFIG.agentMaxClimb } }, 'links.drop.maxHeight'], [{ climb: { maxHeight: 0.1 } }, 'links.climb.maxHeight']);
  for (const [links, field] of cases) {
    let stages = 0;
    const label = `${JSON.stringify(links)}: ${field}`;
    assert.throws(() => walkmesh.bake(makeLevel(), kind(links), { onProgress: () => { stages++; } }), (error) => (
      error instanceof NavError && error.field === field && ['configuration', 'invalid-argument'].includes(error.code)), label);
    assert.equal(stages, 0, label);
  }
  for (const workers of [0, 1]) {
    await assert.rejects(walkmesh.bakeTiled(makeLevel(), kind({ jump: { maxDistance: -1 } }), { workers }), { code: 'configuration', field: 'links.jump.maxDistance' });
  }
  assert.throws(() => walkmesh.bake(makeLevel(), kind({ jump: { maxDistance: 0 } })), { message: 'links.jump.maxDistance is 0: must be above 0' });
  assert.throws(() => walkmesh.bake(makeLevel(), kind({ drop: { maxHeight: 0.3 } })), { message: 'links.drop.maxHeight is 0.3: must be above 0.4' });
  assert.throws(() => walkmesh.bake(makeLevel(), kind({ jump: { maxDistance: 1e9 } })), { message: /^links\.jump\.maxDistance is 1000000000: must be above 0 and at most [\d.]+$/ });
  assert.throws(() => walkmesh.bake(makeLevel(), CONFIG, { keepLinkGenerator: 1 }), { field: 'keepLinkGenerator' });
  const { links: _, ...plain } = CONFIG, keeps = { keepLinkGenerator: true, workers: 0 };
  for (const config of [plain, { ...plain, links: { minWidth: 1 } }]) {
    assert.throws(() => walkmesh.bake(makeLevel(), config, { keepLinkGenerator: true }), { code: 'configuration', field: 'links', message: /keepLinkGenerator needs links/ });
    await assert.rejects(walkmesh.bakeTiled(makeLevel(), { ...config, tileSize: 64 }, keeps), { field: 'links' });
    await assert.rejects(walkmesh.bakeAsync(makeLevel(), { ...config, tileSize: 0 }, keeps), { field: 'links' });
  }
});

test('links: walkmesh/core has none', async () => {
  const small = await core.load();
  assert.throws(() => small.bake({ positions: makeLevel().positions }, { cellSize: 0.5, links: LINKS }), { code: 'unsupported', field: 'links' });
});

test('links: one is read, switched off, and stays off when links are generated again, and in a file', (context) => {
  const { navMesh, linkGenerator } = bakeLevel(context, CONFIG, { keepLinkGenerator: true });
  const links = navMesh.segmentLinks();
  const [ref] = links.refs;
  const link = navMesh.segmentLink(ref);
  assert.equal(link.kind, SEGMENT_LINK_KINDS[links.kinds[0]]);
  assert.deepEqual([link.start, link.end].flat(2), [...links.starts.subarray(0, 6), ...links.ends.subarray(0, 6)]);
  assert.deepEqual([link.peak, link.width, link.cost, link.area, link.flags, link.userId],
    [links.peaks[0], links.widths[0], links.costs[0], links.areas[0], links.flags[0], links.userIds[0]]);
  const before = navMesh.version;
  navMesh.setSegmentLinkEnabled(ref, false);
  assert.notEqual(navMesh.version, before);
  assert.equal(navMesh.segmentLink(ref).enabled, false);
  const off = navMesh.disabledLinkPlaces;
  assert.equal(off.length, 1);
  assert.deepEqual(off[0], { kind: link.kind, start: link.start, end: link.end });
  linkGenerator.generate();
  assert.equal(navMesh.segmentLinks().enabled.filter((one) => one === 0).length, 1);
  const loaded = walkmesh.loadNavMesh(navMesh.save());
  assert.deepEqual(linkBytes(loaded), linkBytes(navMesh));
  assert.deepEqual(loaded.disabledLinkPlaces, off);
  const fresh = walkmesh.bake(makeLevel(), CONFIG, { keepLinkGenerator: true });
  fresh.navMesh.disabledLinkPlaces = off;
  fresh.linkGenerator.generate();
  assert.deepEqual(linkBytes(fresh.navMesh), linkBytes(navMesh));
  fresh.navMesh.disabledLinkPlaces = [];
  assert.deepEqual(fresh.navMesh.disabledLinkPlaces, []);
  for (const bad of [null, [null], [{}], [{ ...off[0], kind: 'fly' }], [{ ...off[0], start: [1, 2] }], [{ ...off[0], start: off[0].start[0] }], [{ ...off[0], start: [off[0].start[0], off[0].start[0]] }], [{ ...off[0], end: [[NaN, 0, 0], [0, 0, 0]] }], [{ ...off[0], more: 1 }]]) {
    assert.throws(() => { navMesh.disabledLinkPlaces = bad; }, { name: 'NavError', code: 'invalid-argument' }, JSON.stringify(bad));
  }
  assert.deepEqual(navMesh.disabledLinkPlaces, off);
  loaded.free();
  fresh.navMesh.free();
});

test('links: points of a trajectory begin at the start and end at the end, across its whole width', (context) => {
  const { navMesh } = bakeLevel(context);
  const { refs } = navMesh.segmentLinks();
  const out = [0, 0, 0];
  for (const ref of refs) {
    const { start, end, peak } = navMesh.segmentLink(ref);
    const near = (a, b) => a.every((value, axis) => Math.abs(value - b[axis]) < 1e-3);
    for (const [across, side] of [[0, 0], [1, 1]]) {
      assert.ok(near(navMesh.segmentLinkPoint(ref, across, 0), start[side]));
      assert.ok(near(navMesh.segmentLinkPoint(ref, across, 1), end[side]));
    }
    let top = -Infinity;
    for (let t = 0; t <= 1; t += 1 / 64) top = Math.max(top, navMesh.segmentLinkPoint(ref, 0.5, t, out)[1]);
    assert.ok(top <= Math.max(middleOf(start)[1], middleOf(end)[1]) + peak + 1e-3, `${top}`);
  }
  for (const bad of [-0.1, 1.1, NaN, '0', undefined]) {
    assert.throws(() => navMesh.segmentLinkPoint(refs[0], bad, 0), { field: 'across' });
    assert.throws(() => navMesh.segmentLinkPoint(refs[0], 0, bad), { field: 'along' });
  }
  assert.throws(() => navMesh.segmentLinkPoint(refs[0], 0, 0, Object.freeze([0, 0, 0])), { field: 'out' });
});

test('links: those made by hand stay when links are generated, and can be removed', (context) => {
  const { navMesh, linkGenerator } = bakeLevel(context, CONFIG, { keepLinkGenerator: true });
  const generated = linkBytes(navMesh);
  const make = (z, userId) => ({ kind: 'jump', start: [[19, 0, z + 1], { x: 19, y: 0, z }], end: [[23, 0, z + 1], [23, 0, z]], peak: 1, userId });
  const [one, two] = [navMesh.addSegmentLink(make(2, 1)), navMesh.addSegmentLink(make(3.5, 2))];
  assert.deepEqual([1, 2, 3].map((id) => navMesh.findSegmentLink(id)), [one, two, 0]);
  const link = navMesh.segmentLink(two);
  assert.deepEqual([link.kind, link.byHand, link.bidirectional, link.enabled, link.startTied, link.endTied, link.cost, link.width],
    ['jump', true, true, true, true, true, 4, 1]);
  linkGenerator.generate();
  assert.equal(navMesh.segmentLink(two).userId, 2);
  navMesh.removeSegmentLink(one);
  assert.equal(navMesh.segmentLink(two).userId, 2, 'other references stay valid');
  assert.throws(() => navMesh.segmentLink(one), { code: 'stale-reference', message: /is stale: the link was removed or replaced/ });
  const three = navMesh.addSegmentLink(make(5, 3));
  assert.deepEqual([two, three].map((ref) => navMesh.segmentLink(ref).userId), [2, 3]);
  assert.equal(linkGenerator.checkLink(two).reason, null);
  navMesh.removeSegmentLink(three);
  navMesh.removeSegmentLink(two);
  assert.deepEqual(linkBytes(navMesh), generated);
  assert.throws(() => navMesh.removeSegmentLink(navMesh.segmentLinks().refs[0]), { code: 'invalid-argument', field: 'link' });
  assert.throws(() => navMesh.removeSegmentLink(two), { code: 'stale-reference' });
  const good = make(2, 1);
  for (const [field, value, at = field] of [['kind', 'fly'], ['start', [[1, 2, 3]]], ['start', [[1, 2, 3], [1, 2]], 'start[1]'], ['end', [[1, 2, 3], [1, 2, NaN]], 'end[1][2]'],
    ['peak', -1], ['cost', NaN], ['area', 64], ['flags', 65536], ['userId', -1], ['bidirectional', 1], ['enabled', null], ['end', [[23, 0, 5], [23, 0, 2]]], ['cost', 1e39], ['peak', Infinity]]) {
    assert.throws(() => navMesh.addSegmentLink({ ...good, [field]: value }), { name: 'NavError', code: 'invalid-argument', field: at }, `${field}: ${JSON.stringify(value)}`);
  }
  assert.deepEqual(linkBytes(navMesh), generated);
});

test('links: a path says which links it crosses, where, and which way', (context) => {
  const { navMesh } = bakeLevel(context);
  for (const [from, to, isReversed] of [[[3, 1.8, 10], [38, 0, 9], false], [[38, 0, 9], [3, 1.8, 10], true]]) {
    const path = navMesh.findPath(from, to);
    assert.equal(path.status, 'complete');
    const links = navMesh.pathLinks(path);
    assert.deepEqual(links.map(({ kind }) => kind), isReversed ? ['vault', 'jump', 'climb'] : ['drop', 'jump', 'vault']);
    for (const { index, ref, start, end, across, isReversed: back, kind, peak } of links) {
      assert.equal(path.offMesh[index], 1);
      assert.equal(path.pointPolygons[index], ref);
      assert.deepEqual([...path.points.subarray(3 * index, 3 * index + 6)], [...start, ...end]);
      const [first, last] = back ? [1, 0] : [0, 1];
      for (const [point, along] of [[start, first], [end, last]]) {
        const feet = navMesh.segmentLinkPoint(ref, across, along);
        assert.ok(Math.hypot(feet[0] - point[0], feet[2] - point[2]) < 0.01, `${kind}: ${feet} is not ${point}`);
      }
      assert.equal(peak, navMesh.segmentLink(ref).peak);
      assert.ok(back === false || navMesh.segmentLink(ref).bidirectional);
    }
  }
  const connection = navMesh.addConnection({ start: [10, 0, 10], end: [35, 0, 10], costFactor: 0.01, userId: 9 });
  const [crossed] = navMesh.pathLinks(navMesh.findPath([10, 0, 10], [35, 0, 10]));
  assert.deepEqual([crossed.kind, crossed.ref, crossed.userId, crossed.isReversed], ['connection', connection, 9, false]);
  assert.equal(navMesh.pathLinks(navMesh.findPath([35, 0, 10], [10, 0, 10]))[0].isReversed, true);
  for (const bad of [null, undefined, 7, {}, { count: 2, points: [0, 0, 0], offMesh: [1], pointPolygons: [1] }]) {
    assert.throws(() => navMesh.pathLinks(bad), { name: 'NavError', code: 'invalid-argument' });
  }
});

test('links: Detour files have them as off-mesh connections, if asked for', (context) => {
  const { navMesh } = bakeLevel(context);
  const width = navMesh.segmentLinks().widths.reduce((sum, one) => sum + one, 0);
  const count = (options) => {
    const read = walkmesh.loadNavMesh(navMesh.exportDetour('set', options));
    const { offMeshConnections } = read.totals;
    read.free();
    return offMeshConnections;
  };
  assert.equal(count(), 0);
  const [wide, dense] = [count({ linkSpacing: 2 }), count({ linkSpacing: 0.5 })];
  assert.ok(wide > 0 && dense > 2 * wide && dense < 3 * width / 0.5, `${wide}, ${dense}`);
  assert.ok(count({ linkSpacing: 0 }) > wide);
  for (const bad of [-1, NaN, '1']) assert.throws(() => navMesh.exportDetour('set', { linkSpacing: bad }), { code: 'invalid-argument', field: 'linkSpacing' });
});

test('links: filters exclude and price kinds by flags and areas', (context) => {
  const { navMesh } = bakeLevel(context);
  const kinds = (options) => navMesh.pathLinks(navMesh.findPath([10, 0, 10], [25, 0, 10], options)).map(({ kind }) => kind);
  assert.deepEqual(kinds(), ['jump']);
  assert.equal(navMesh.findPath([10, 0, 10], [25, 0, 10], { filter: { excludeFlags: 2 } }).status, 'unreachable');
  const up = (filter) => navMesh.findPath([10, 0, 10], [3, 1.8, 10], { filter }).cost;
  assert.ok(up({ areaCosts: { 5: 3 } }) > up({}), 'climbs have area 5');
});

test('links: the generator makes them again, for other limits, tile by tile and in slices', async (context) => {
  const { navMesh, linkGenerator } = bakeLevel(context, CONFIG, { keepLinkGenerator: true });
  const first = linkBytes(navMesh);
  assert.deepEqual(linkGenerator.links, navMesh.config.links);
  assert.ok(linkGenerator.memoryBytes > 0);
  const { counts, refused } = linkGenerator.generate({ refused: true });
  assert.deepEqual(linkBytes(navMesh), first);
  assert.ok(counts.jump > 0 && refused.length > 0);
  for (const { reason, kind, start, end, place, text } of refused) {
    assert.ok(LINK_REFUSALS.includes(reason) && SEGMENT_LINK_KINDS.includes(kind));
    assert.ok([...start, ...end, ...place].every(Number.isFinite) && text.length > 10);
  }
  linkGenerator.configure({ jump: { maxDistance: 4 } });
  const jumps = linkGenerator.generate();
  assert.deepEqual([jumps.counts.drop, jumps.counts.climb, jumps.counts.vault], [0, 0, 0]);
  assert.deepEqual(Object.keys(navMesh.config.links).slice(0, 1), ['jump']);
  assert.throws(() => linkGenerator.configure({ jump: { maxDistance: NaN } }), { code: 'configuration', field: 'links.jump.maxDistance' });
  assert.equal(linkGenerator.links.jump.maxDistance, 4);
  linkGenerator.configure({});
  assert.equal(linkGenerator.generate().count, 0);
  assert.equal(navMesh.segmentLinkCount, 0);
  assert.equal(navMesh.config.links, undefined);
  linkGenerator.configure(LINKS);
  const { tileCountX, tileCountZ } = navMesh.parameters;
  for (let i = tileCountX * tileCountZ - 1; i >= 0; i--) linkGenerator.generateTile(i % tileCountX, Math.floor(i / tileCountX));
  assert.deepEqual(linkBytes(navMesh), first);
  assert.throws(() => linkGenerator.generateTile(99, 0), { code: 'invalid-argument' });
  const seen = [];
  const sliced = await linkGenerator.generateAsync({ onProgress: ({ done, tiles }) => { seen.push(`${done}/${tiles}`); }, sliceMilliseconds: 0.1 });
  assert.deepEqual(sliced.counts, counts);
  assert.equal(seen.at(-1), `${tileCountX * tileCountZ}/${tileCountX * tileCountZ}`);
  await assert.rejects(linkGenerator.generateAsync({ signal: AbortSignal.abort() }), { code: 'cancelled' });
  const onProgress = ({ done }) => { if (done === 2) linkGenerator.configure({ jump: { maxDistance: 3 } }); };
  await assert.rejects(linkGenerator.generateAsync({ onProgress }), { code: 'state', field: 'links' }, 'links of two configurations would mix');
  assert.ok(navMesh.config.links.drop, 'the mesh has the configuration of its last whole run');
  linkGenerator.configure(LINKS);
  linkGenerator.generate();
  assert.deepEqual(navMesh.config.links, linkGenerator.links);
});

test('links: the generator says why there is none', (context) => {
  const { navMesh, linkGenerator } = bakeLevel(context, CONFIG, { keepLinkGenerator: true });
  const there = linkGenerator.explainLink([19.5, 0, 10], [22.5, 0, 10]);
  assert.deepEqual([there.reason, there.kind], [null, 'jump']);
  linkGenerator.configure({ jump: { maxDistance: 2.2 } });
  const short = linkGenerator.explainLink([19.5, 0, 10], [22.5, 0, 10]);
  assert.equal(short.reason, 'too-far', short.text);
  assert.ok(short.value > short.limit && Math.abs(short.limit - 2.2) < 0.01, short.text);
  assert.equal(linkGenerator.explainLink([13, 0, 10], [14, 0, 10]).reason, 'no-border');
  for (const bad of [null, [1, 2], [NaN, 0, 0], 'x']) assert.throws(() => linkGenerator.explainLink(bad, [0, 0, 0]), { field: 'from' });
  navMesh.free();
  assert.throws(() => linkGenerator.explainLink([0, 0, 0], [1, 0, 0]), { code: 'state' });
  assert.ok(linkGenerator.isFreed);
});

test('links: the generator says whether the body passes along a link by hand', (context) => {
  const { navMesh, linkGenerator } = bakeLevel(context, CONFIG, { keepLinkGenerator: true });
  for (const ref of navMesh.segmentLinks().refs) assert.equal(linkGenerator.checkLink(ref).reason, null, 'those that are generated pass');
  const jump = (/** @type {number} */ x, /** @type {number} */ end, peak = 1) => navMesh.addSegmentLink({
    kind: 'jump', start: [[x, 0, 6], [x, 0, 4]], end: [[end, 0, 6], [end, 0, 4]], peak });
  const free = linkGenerator.checkLink(jump(19, 23));
  assert.deepEqual([free.reason, free.kind, free.text], [null, 'jump', 'Nothing blocks the jump']);
  const walled = walkmesh.bake(makeLevel([{ kind: 'box', min: [20.5, -6, 4.5], max: [21.5, 6, 5] }]), CONFIG, { keepLinkGenerator: true });
  context.after(() => walled.navMesh.free());
  const blocked = walled.linkGenerator.checkLink(walled.navMesh.addSegmentLink({ kind: 'jump', start: [[19, 0, 6], [19, 0, 2]], end: [[23, 0, 6], [23, 0, 2]], peak: 1 }));
  assert.equal(blocked.reason, 'blocked', blocked.text);
  assert.match(blocked.text, /^Something blocks the jump/);
  assert.ok(blocked.place[0] > 20 && blocked.place[0] < 22 && blocked.place[2] > 4 && blocked.place[2] < 5.5, `${blocked.place}`);
  const removed = jump(10, 14);
  navMesh.removeSegmentLink(removed);
  assert.throws(() => linkGenerator.checkLink(removed), { code: 'stale-reference' });
  for (const bad of [null, 'x', -1, 0.5, navMesh.tileRefs()[0]]) assert.throws(() => linkGenerator.checkLink(/** @type {any} */ (bad)), (/** @type {any} */ error) => error.name === 'NavError', String(bad));
  navMesh.free();
  assert.throws(() => linkGenerator.checkLink(removed), { code: 'state' });
});

test('links: reasons are said in full sentences, with numbers only where they are known', (context) => {
  const wall = { kind: 'box', min: [12, -1, -1], max: [12.3, 1.6, 21] };
  const { navMesh, linkGenerator } = walkmesh.bake(makeLevel([wall]), CONFIG, { keepLinkGenerator: true });
  context.after(() => navMesh.free());
  assert.match(linkGenerator.explainLink([11.5, 0, 10], [12.9, 0, 10]).text, /^The vault goes up 1\.[567]\d*: links\.vault\.maxHeight is 1\.2$/); // to a cell height
  assert.equal(linkGenerator.explainLink([19.4, 0, 10], [22.6, 0, 3]).text, 'No border of the mesh within 1.6 of the start faces the end');
  linkGenerator.configure({ ...LINKS, minSaving: 1e6, drop: undefined });
  for (const { text } of linkGenerator.generate({ refused: true }).refused) assert.doesNotMatch(text, /\b(headroom is 0, the body needs 0|is 0 wide)/);
  const say = (reason, value, limit) => describeRefusal({ reason, kind: 'drop', value, limit });
  assert.equal(say('blocked', 0, 0), 'Something blocks the drop');
  assert.equal(say('blocked', 0.5, 1.8), 'Something blocks the drop: headroom is 0.5, the body needs 1.8');
  assert.equal(say('too-narrow', 0, 0.2), 'The drop is narrower than 0.2');
});

test('links: a generator for a mesh from a file makes the links of the bake', async (context) => {
  const { navMesh } = bakeLevel(context);
  const loaded = walkmesh.loadNavMesh(navMesh.save());
  for (const workers of [0, 2]) {
    const linkGenerator = await walkmesh.createLinkGenerator(loaded, makeLevel(), { workers });
    const { counts } = linkGenerator.generate();
    assert.deepEqual(linkBytes(loaded), linkBytes(navMesh));
    assert.ok(counts.jump > 0);
    linkGenerator.free();
  }
  const plain = walkmesh.bake(makeLevel(), { ...CONFIG, links: undefined }).navMesh;
  const later = await walkmesh.createLinkGenerator(plain, makeLevel(), { workers: 0, links: LINKS });
  assert.equal(plain.segmentLinkCount, 0, 'nothing changes before generate');
  later.generate();
  assert.deepEqual(linkBytes(plain), linkBytes(navMesh));
  assert.deepEqual(plain.config.links, navMesh.config.links);
  await assert.rejects(walkmesh.createLinkGenerator(walkmesh.loadNavMesh(navMesh.exportDetour()), makeLevel(), { links: LINKS }), { code: 'state' });
  await assert.rejects(walkmesh.createLinkGenerator(plain, makeLevel(), { links: {} }), { field: 'links' });
  await assert.rejects(walkmesh.createLinkGenerator(plain, makeLevel(), { links: { drop: { maxHeight: -1 } } }), { field: 'links.drop.maxHeight' });
  plain.free();
  loaded.free();
});

test('links: a generator in a bake, a rebake and a mesh that is freed leave no memory behind', async () => {
  const instance = await load();
  instance.trimMemory();
  const { bytes } = instance.memory();
  const { navMesh, linkGenerator } = instance.bake(makeLevel(), CONFIG, { keepLinkGenerator: true });
  const { linkGenerator: second } = await instance.rebake(navMesh, makeLevel([CRATE]), { workers: 0, keepLinkGenerator: true });
  second.generate();
  await instance.rebake(navMesh, makeLevel(), { workers: 0, linkGenerator });
  assert.equal(second.isFreed, false);
  navMesh.free();
  assert.ok(second.isFreed && linkGenerator.isFreed);
  instance.trimMemory();
  assert.ok(instance.memory().bytes <= bytes, `${instance.memory().bytes} of ${bytes}`);
});

test('links: a town of many tiles: workers, a cache and a rebake agree with a bake', async () => {
  const town = makeTown({ seed: 3, side: 36, props: 30 });
  const config = { ...townConfig(town.side), links: { drop: { maxHeight: 4 }, jump: { maxDistance: 3 }, climb: { maxHeight: 2 }, vault: { maxHeight: 1.2, maxDepth: 1 } } };
  const cache = new MemoryTileCache();
  const { navMesh } = await walkmesh.bakeTiled(buildTown(town), config, { workers: 2, cache });
  const whole = walkmesh.bake(buildTown(town), config);
  assert.ok(whole.report.links.count > 20, `${whole.report.links.count} links`);
  assert.deepEqual(Buffer.from(navMesh.save()), Buffer.from(whole.navMesh.save()));
  whole.navMesh.free();
  town.props[0].x = 30 - town.props[0].x;
  await walkmesh.rebake(navMesh, buildTown(town), { workers: 0, cache });
  const after = walkmesh.bake(buildTown(town), { ...config, bounds: navMesh.config.bounds }).navMesh;
  assert.deepEqual(linkBytes(navMesh), linkBytes(after));
  assert.deepEqual(Buffer.from(navMesh.save()), Buffer.from(after.save()));
  after.free();
  navMesh.free();
});

test('links: a plain gap has one link along all of it, at any size of cells', () => {
  const floor = (/** @type {number} */ x0, /** @type {number} */ x1) => [x0, 0, 0, x0, 0, 20, x1, 0, 20, x0, 0, 0, x1, 0, 20, x1, 0, 0];
  for (const cellSize of [0.1, 0.15, 0.2, 0.25, 0.3]) {
    const { navMesh } = walkmesh.bake({ positions: [...floor(0, 20), ...floor(22, 40)] },
      { cellSize, cellHeight: 0.1, agentRadius: 0.4, agentHeight: 1.8, agentMaxClimb: 0.4, links: { jump: { maxDistance: 4 } } });
    const { count, widths } = navMesh.segmentLinks();
    assert.equal(count, 1, `cells of ${cellSize}`);
    assert.ok(widths[0] > 17.9, `cells of ${cellSize}: ${widths[0]} wide`);
    navMesh.free();
  }
});

test('links: references of those made by hand live through others that come and go in the same tile, also after loading', (context) => {
  const { navMesh } = bakeLevel(context);
  const make = (userId) => ({ kind: 'jump', start: [[19, 0, 3], [19, 0, 2]], end: [[23, 0, 3], [23, 0, 2]], peak: 1, userId });
  for (let id = 1; id <= 4; id++) navMesh.addSegmentLink(make(id));
  navMesh.removeSegmentLink(navMesh.findSegmentLink(2));
  const bytes = navMesh.save(), loaded = walkmesh.loadNavMesh(bytes);
  context.after(() => loaded.free());
  assert.deepEqual(loaded.save(), bytes);
  /** @type {Map<number, number>} */
  const refs = new Map([1, 3, 4].map((id) => [id, loaded.findSegmentLink(id)]));
  for (let round = 0, id = 5, random = 1; round < 100; round++) {
    random = (random * 16807) % 2147483647;
    const known = [...refs.keys()];
    if (random % 2 === 0 && known.length > 0) {
      const gone = known[random % known.length];
      loaded.removeSegmentLink(refs.get(gone));
      refs.delete(gone);
    } else {
      refs.set(id, loaded.addSegmentLink(make(id++)));
    }
    for (const [userId, ref] of refs) assert.equal(loaded.segmentLink(ref).userId, userId);
  }
  assert.equal(loaded.segmentLinks().byHand.filter((one) => one === 1).length, refs.size);
});

/** The lines that console.warn prints during an action. @param {() => void} action */
function warningsOf(action) {
  const { warn } = console;
  /** @type {string[]} */
  const lines = [];
  console.warn = (/** @type {string} */ line) => lines.push(line);
  try {
    action();
  } finally {
    console.warn = warn;
  }
  return lines;
}

test('links: those made by hand and connections with an end on no ground are warned about in development', async (context) => {
  const loud = await load(), quiet = await load({ leakWarnings: false });
  const jump = (y, userId = 0) => ({ kind: 'jump', peak: 1, start: [[19, 0, 4], [19, 0, 2]], end: [[23, y, 4], [23, y, 2]], userId });
  for (const each of [loud, quiet]) {
    const { navMesh } = each.bake(makeLevel(), CONFIG);
    context.after(() => navMesh.free());
    const lines = warningsOf(() => {
      navMesh.addSegmentLink(jump(0));
      navMesh.addSegmentLink(jump(5));
      navMesh.addSegmentLink({ ...jump(30, 7), start: [[19, 30, 4], [19, 30, 2]] });
      navMesh.addConnection({ start: [10, 0, 3], end: [26, 0, 3] });
      navMesh.addConnection({ start: [10, 0, 3], end: [26, 50, 3], radius: 1 });
    });
    if (each === quiet) {
      assert.deepEqual(lines, []);
      continue;
    }
    assert.equal(lines.length, 3);
    assert.match(lines[0], /no path crosses a jump link: no mesh lies under its end \(23, 5, 3\)/);
    assert.match(lines[1], /the jump link with userId 7: no mesh lies under its start \(19, 30, 3\) and its end/);
    assert.match(lines[2], /a connection of radius 1 and climb 0\.4: no mesh lies under its end \(26, 50, 3\)/);
  }
});

test('links: checkLink says which end of a link lies on no ground, and how far the mesh is', (context) => {
  const { navMesh, linkGenerator } = bakeLevel(context, CONFIG, { keepLinkGenerator: true });
  const check = (start, end, kind = 'jump') => {
    const [from, to] = [start, end].map(([x, y]) => [[x, y, 4], [x, y, 2]]);
    let checked;
    warningsOf(() => { checked = linkGenerator.checkLink(navMesh.addSegmentLink({ kind, peak: 4, start: from, end: to })); });
    return checked;
  };
  assert.equal(check([19, 0], [23, 0]).reason, null);
  const high = check([19, 30], [23, 30]);
  assert.equal(high.reason, 'no-ground');
  assert.match(high.text, /^The start lies on no ground: the mesh is 29\.9 below it/);
  assert.ok(Math.abs(high.value - 29.9) < 0.01 && Math.abs(high.limit - 0.6) < 1e-6);
  assert.deepEqual(high.place, [19, 30, 3]);
  assert.match(check([19, 0], [23, 8]).text, /^The end lies on no ground: the mesh is 7\.9 below it/);
  assert.match(check([19, 0], [21, 0]).text, /^The end lies on no ground: the mesh is 1\.\d* away from it/);
  assert.match(check([19, 0], [19, -3], 'drop').text, /^The end lies on no ground: the mesh is 3\.1 above it/);
  assert.match(check([19, 0], [42, 900]).text, /^The end lies on no ground: the mesh has none within/);
});

test('links made by hand from two points and a width lie across the line between them, left first', (context) => {
  const { navMesh } = bakeLevel(context);
  const { between } = makeRandom(8);
  for (let round = 0; round < 50; round++) {
    const turn = between(0, 2 * Math.PI), width = between(0.2, 3), length = between(0.5, 6), [c, s] = [Math.cos(turn), Math.sin(turn)];
    const start = [between(-5, 5), between(-2, 2), between(-5, 5)], end = [start[0] + c * length, start[1], start[2] + s * length];
    // Left of a link along x is the larger z, turned as the link is.
    const sides = [start, end].map(([x, y, z]) => [1, -1].map((side) => [x - s * side * width / 2, y, z + c * side * width / 2]));
    const given = round % 2 ? [start, end] : [start, end].map(([x, y, z]) => ({ x, y, z }));
    const [made, expected] = [{ start: given[0], end: given[1], width }, { start: sides[0], end: sides[1] }].map((ends) => (
      navMesh.segmentLink(navMesh.addSegmentLink(/** @type {any} */ ({ kind: 'jump', peak: 0.5, ...ends })))));
    for (const name of /** @type {const} */ (['start', 'end'])) made[name].flat().forEach((value, i) => assert.ok(Math.abs(value - expected[name].flat()[i]) < 1e-5, `${round}`));
    assert.ok(Math.abs(made.width - width) < 1e-5 && Math.abs(made.cost - length) < 1e-5);
  }
  const wrong = (changes, field, message) => assert.throws(() => navMesh.addSegmentLink({ kind: 'jump', start: [4, 0, 4], end: [6, 0, 4], width: 1, ...changes }), { code: 'invalid-argument', field, message }, message.source);
  wrong({ width: undefined }, 'start', /must be two points, or a point beside a width, not an array of 3/);
  wrong({ width: 0 }, 'width', /is 0: must be above 0/);
  wrong({ width: NaN }, 'width', /is NaN/);
  wrong({ width: Infinity }, 'width', /must be finite/);
  wrong({ start: [[4, 0, 4], [4, 0, 2]] }, 'start', /must be a point beside a width, not an array of 2/);
  wrong({ end: [6, 0, NaN] }, 'end[2]', /must be finite/);
  wrong({ end: [4, 3, 4] }, 'end', /straight above or below start/);
  wrong({ kind: 'drop', end: [6, 1, 4] }, 'end', /a drop leads down/);
});

test('links made by hand whose sides are wrong are refused with the field, and how to mend it', (context) => {
  const { navMesh } = bakeLevel(context);
  const link = { kind: 'jump', start: [[4, 0, 4], [4, 0, 2]], end: [[6, 0, 4], [6, 0, 2]] };
  const wrong = (changes, field, message) => assert.throws(() => navMesh.addSegmentLink({ ...link, ...changes }), { code: 'invalid-argument', field, message }, message.source);
  const before = navMesh.segmentLinkCount;
  wrong({ start: link.start.toReversed(), end: link.end.toReversed() }, 'start', /left and right swapped: .* Swap the points of both/);
  wrong({ start: [[4, 0, 2], [4, 5, 2]] }, 'start', /has no width/);
  wrong({ end: [[6, 0, 4], [6, 0, 3]] }, 'end', /is 1 wide, start is 2: both must be equally wide/);
  wrong({ end: link.end.toReversed() }, 'end', /left and right swapped: .* cross each other. Swap the points of one segment/);
  wrong({ kind: 'drop', start: [[5, 0, 4], [5, 0, 2]], end: [[4, 1.8, 4], [4, 1.8, 2]].toReversed() }, 'end', /left and right swapped/);
  wrong({ kind: 'drop', end: [[6, 1, 4], [6, 1, 2]] }, 'end', /lies 1 above start: a drop leads down. Use a climb, or swap/);
  wrong({ kind: 'climb', end: [[6, -1, 4], [6, -1, 2]] }, 'end', /lies 1 below start: a climb leads up. Use a drop, or swap/);
  assert.equal(navMesh.segmentLinkCount, before);
  const turned = { ...link, end: [[8, 0, 6], [10, 0, 6]] }; // a quarter to the left
  for (const kind of SEGMENT_LINK_KINDS) {
    for (const [bidirectional, isBoth] of [[undefined, kind !== 'drop'], [true, true], [false, false]]) {
      const added = navMesh.addSegmentLink({ ...link, kind, ...(bidirectional !== undefined && { bidirectional }) });
      assert.equal(navMesh.segmentLink(added).bidirectional, isBoth, `${kind} ${bidirectional}`);
      navMesh.removeSegmentLink(added);
    }
  }
  navMesh.removeSegmentLink(navMesh.addSegmentLink(turned));
  navMesh.removeSegmentLink(navMesh.addSegmentLink({ ...link, start: link.end.toReversed(), end: link.start.toReversed() }));
});
