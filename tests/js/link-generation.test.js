/**
 * Links that make themselves, judged by the oracles of tests/js/links/ on scenes and random levels: a sample of what `npm run soak -- --links`
 * and `npm run bench -- --links` judge.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../js/index.js';
import { compareSequences } from './links/incremental.js';
import { judgeLevel, listLinks } from './links/judge-level.js';
import { measurePaths } from './links/paths.js';
import { makeLinkCase } from './links/random-levels.js';
import { LINKS, linkConfig, linkScenes } from './links/scenes.js';
import { addRecall, lowRecalls } from './links/soak.js';

const walkmesh = await load();
/** Offsets in a tile of Detour's format. */
const [HEADER_BYTES, VERTEX_COUNT_AT] = [100, 28];

/** Judges levels, and sums their recall. @param {{ name: string, level: any, config: any, limits: any }[]} cases @param {number} points */
function judgeAll(cases, points) {
  const sums = {}, faults = [];
  let links = 0;
  for (const { name, ...one } of cases) {
    const judgement = judgeLevel(walkmesh, { ...one, points });
    links += judgement.links.length;
    addRecall(sums, judgement.recall);
    faults.push(...judgement.faults.map((fault) => `${name}: ${JSON.stringify(fault)}`));
  }
  return { links, sums, faults };
}

/** @param {string[]} names @param {number[]} tileSizes */
const sceneCases = (names, tileSizes) => linkScenes(names).flatMap(({ name, read }) => (
  tileSizes.map((tileSize) => ({ name: `${name} ${tileSize}`, level: read(), config: linkConfig(tileSize), limits: LINKS }))));
const randomCase = (/** @type {number} */ seed) => ({ name: `seed ${seed}`, ...makeLinkCase(seed) });

test('links on scenes touch nothing, end on the mesh and miss few places', () => {
  const { links, sums, faults } = judgeAll(sceneCases(['plaza', 'stairs', 'tower'], [0, 40]), 400);
  assert.deepEqual(faults, []);
  assert.deepEqual(lowRecalls(sums), []);
  assert.ok(links > 100 && ['drop', 'jump', 'climb'].every((kind) => sums[kind].found > 10), JSON.stringify(sums));
});

test('slanted borders and sloping ground have links, and no jump rises too high', () => {
  const { sums, faults } = judgeAll(sceneCases(['terrain'], [0, 64]), Infinity);
  assert.deepEqual(faults, []);
  for (const kind of ['drop', 'jump', 'climb']) {
    const { found, matched, explained } = sums[kind];
    assert.ok(found > 50 && matched + explained >= 0.98 * found, `${kind}s: ${matched} of ${found}`);
  }
});

test('no position on a link is refused', () => {
  const [{ level, config, limits }] = sceneCases(['terrain'], [64]);
  const { navMesh, linkGenerator } = walkmesh.bake(level, { ...config, links: { ...limits, thinning: 0 } }, { keepLinkGenerator: true });
  const links = listLinks(navMesh), { refused } = linkGenerator.generate({ refused: true });
  linkGenerator.free();
  navMesh.free();
  const isOn = ([x, y, z], [a, b]) => {
    const [dx, dz] = [b[0] - a[0], b[2] - a[2]], length = Math.hypot(dx, dz), along = ((x - a[0]) * dx + (z - a[2]) * dz) / length;
    return Math.abs((x - a[0]) * dz - (z - a[2]) * dx) < 1e-3 * length && along > 0.02 && along < length - 0.02 && Math.abs(a[1] - y) < 2;
  };
  const wrong = refused.filter(({ kind, start }) => links.some((link) => link.kind === kind && isOn(start, kind === 'climb' ? link.end : link.start)));
  assert.ok(refused.length > 1000 && links.length > 100);
  assert.deepEqual(wrong, []);
});

test('links on random levels touch nothing, end on the mesh and miss few places', () => {
  const { links, sums, faults } = judgeAll(Array.from({ length: 16 }, (_, i) => randomCase(i + 1)), 150);
  assert.deepEqual(faults, []);
  assert.deepEqual(lowRecalls(sums), []);
  assert.ok(links > 100);
});

test('links on levels of games touch nothing and end on the mesh', (context) => {
  const cases = sceneCases(['fd_MAP07', 'fd_MAP18'], [64]);
  if (cases.length === 0) return context.skip('the levels of games are not beside the repository');
  const { links, faults } = judgeAll(cases, 50);
  assert.deepEqual(faults, []);
  return assert.ok(links > 100);
});

test('paths over links cost at most what they cost without, respect filters, and exist where links lead', () => {
  let [crossings, shorter, connected] = [0, 0, 0];
  for (const { name, level, config, limits } of [...sceneCases(['plaza', 'stairs'], [32]), ...sceneCases(['stairs'], [0]), ...[1, 2, 3, 5, 8].map(randomCase)]) {
    const found = measurePaths(walkmesh, { level, config, limits, pairs: 40, seed: 1 });
    assert.deepEqual([found.faults, found.longer], [[], []], name);
    crossings += found.crossings;
    shorter += found.shorter;
    connected += found.connectedByLinks;
  }
  assert.ok(crossings > 15 && shorter > 5 && connected > 5, `${crossings} ${shorter} ${connected}`);
});

test('links after edits of tiles equal those of a new generation', async () => {
  const { faults, links } = await compareSequences(walkmesh, { count: 24, firstSeed: 1 });
  assert.deepEqual(faults, []);
  assert.ok(links > 100, `${links} links`);
});

test('links in force of one bake are the same numbers for another agent', () => {
  const [{ read }] = linkScenes(['plaza']), level = read();
  const made = walkmesh.bake(level, { ...linkConfig(40), links: { drop: LINKS.drop, jump: { maxDistance: 4 } } });
  const { links } = /** @type {any} */ (made.navMesh.config), config = { ...linkConfig(40), agentRadius: 0.9, agentMaxClimb: 0.3 };
  const [known, copied] = [links, JSON.parse(JSON.stringify(links))].map((given) => walkmesh.bake(level, { ...config, links: given }, { keepLinkGenerator: true }));
  assert.ok(known.report.links.count > 0);
  assert.deepEqual(known.navMesh.save(), copied.navMesh.save());
  assert.deepEqual(known.linkGenerator.links, copied.linkGenerator.links);
  assert.deepEqual(walkmesh.bake(level, { ...config, links }).navMesh.save(), known.navMesh.save(), 'with and without a generator');
});

test('a tile with vertices far outside of the grid ends the search at once', () => {
  const [{ level, config, limits }] = sceneCases(['plaza'], [32]);
  const { navMesh, linkGenerator } = walkmesh.bake(level, { ...config, links: limits }, { keepLinkGenerator: true });
  const { tileCountX, tileCountZ } = navMesh.parameters, place = [tileCountX - 1, tileCountZ - 1];
  const own = navMesh.tileBytes(navMesh.tileAt(...place)).slice();
  for (const far of [9e8, 1e5, -9e8]) {
    for (const axis of [0, 2]) {
      const bytes = own.slice(), count = new DataView(bytes.buffer).getInt32(VERTEX_COUNT_AT, true);
      const vertices = new Float32Array(bytes.buffer, HEADER_BYTES, 3 * count);
      for (let i = axis; i < vertices.length; i += 3) if (vertices[i] > 0) vertices[i] += far;
      navMesh.removeTile(navMesh.tileAt(...place));
      navMesh.addTile(bytes);
      assert.ok(linkGenerator.generate().count > 0, 'of other tiles');
    }
  }
  navMesh.removeTile(navMesh.tileAt(...place));
  navMesh.addTile(own);
  navMesh.free();
});
