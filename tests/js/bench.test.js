// The benchmark works: every part runs once in its smallest form. Speed is ignored.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { makeBigTerrain } from '../scenes/big-terrain.js';
import { firstBakeTable } from '../../bench/first-bake.js';
import { gameTables } from '../../bench/game.js';
import { heightsTables, measureHeights } from '../../bench/heights.js';
import { measureEngines, engineTable } from '../../bench/engines.js';
import { linkObstacleTable, measureLinkObstacles } from '../../bench/link-obstacles.js';
import { linksTables, measureLinks } from '../../bench/links.js';
import { measureNative, nativeTables } from '../../bench/native.js';
import { PAGES, replaceSections, sectionsOf, summarySections } from '../../bench/page.js';
import { compareFigures, summariseCourses } from '../../bench/crowd/crowd.js';
import { chooseScenarios } from '../../bench/crowd/scenarios.js';
import { gameQueryTable } from '../../bench/queries.js';
import { growthExponent, mean, standardError, summarise } from '../../bench/statistics.js';
import { renderTable } from '../../bench/tables.js';
import { SurfaceOracle } from '../../bench/surface-oracle.js';
import { compareWithTargets } from '../../bench/targets.js';
import { bytesOfStages } from '../../bench/traffic.js';
import { hashBytes } from '../../js/runtime/hash.js';
import { ROOT } from './support.js';

const isTime = (value) => Number.isFinite(value) && value >= 0;
const assertFigure = (figure, label) => {
  for (const name of ['median', 'lower', 'upper', 'minimum', 'maximum']) assert.ok(isTime(figure[name]), `${label}: ${name}`);
};

/** The JSON that the command prints. @type {any} */
let result;
before(() => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(ROOT, 'bench', 'bench.js'), '--smallest', '--json'],
    { cwd: ROOT, encoding: 'utf8', maxBuffer: 1 << 26 });
  assert.equal(status, 0, stderr);
  result = JSON.parse(stdout);
});

/** @param {any} figures of the queries on levels of games */
function assertGameQueries({ levels: [level], missing }) {
  const names = ['nearest polygon', 'path in one call', 'raycast, 3 m', 'move along surface, 0.1 m'];
  assert.deepEqual([missing, level.level], [[], 'plaza']);
  for (const rows of [level.rows, level.batches]) assert.deepEqual(rows.map(({ name }) => name).sort(), [...names].sort());
  for (const { name, ours, theirs, agreement } of level.rows) {
    assertFigure(ours, name);
    assertFigure(theirs, name);
    assert.ok(agreement > 0.99, `${name}: ${agreement}`);
  }
  const table = renderTable(gameQueryTable({ levels: [level], missing: ['elsewhere'] }));
  assert.match(table, /plaza .* x\n/);
  assert.match(table, /not beside the repository.*elsewhere/);
  assert.match(renderTable(gameQueryTable({ levels: [], missing: ['elsewhere'] })), /not beside the repository.*elsewhere/);
}

test('bench: links after obstacles, on one scene', async () => {
  const costs = await measureLinkObstacles({ smallest: true });
  assert.ok(costs.length > 0 && costs.every(({ plain, linked }) => isTime(plain) && isTime(linked)));
  assert.match(renderTable(linkObstacleTable(costs)), /plaza 0\.3 .* x\n/);
});

test('bench: links that make themselves, on one scene', async () => {
  const { costs: [cost], quality: [level], paths: [paths], missing } = await measureLinks({ smallest: true });
  assert.deepEqual([missing, level.level, paths.pairs, paths.faults, level.faults], [[], 'plaza', 20, [], []]);
  assert.ok(isTime(cost.links) && cost.linkBytes > 0 && cost.count > 10 && level.links > 10);
  assert.match(linksTables({ costs: [cost], quality: [level], paths: [paths], missing: ['elsewhere'] }).map((table) => renderTable(table)).join(''), /plaza 0\.3 .*not beside the repository: elsewhere.*\n *all /s);
});

test('bench: bakes in engines, here in Node only', async () => {
  const figures = await measureEngines({ smallest: true, engines: [] });
  const [{ level, hosts: [{ name, ours, theirs }] }] = figures;
  assert.deepEqual([level, name], ['plaza', 'Node']);
  assertFigure(ours, 'ours');
  assertFigure(theirs, 'theirs');
  assert.deepEqual(engineTable(figures).rows.map((row) => row.length), [2, 2]);
});

test('bench: all parts of the whole run, in their smallest form', () => {
  assert.deepEqual(Object.keys(result), ['machine', 'seconds', 'game', 'instances', 'gameQueries', 'bakes', 'tiled', 'queries', 'memory', 'startUp',
    'firstBakes', 'sizes', 'traffic', 'scaling', 'hurt', 'targets']);

  const [{ contestants, rows, comparison }] = result.bakes.levels;
  assert.deepEqual(contestants, ['walkmesh', 'recast-navigation']);
  assert.equal(rows.at(-1).name, 'total');
  for (const { name, figures } of rows) for (const who of contestants) assertFigure(figures[who], `${name}, ${who}`);
  assert.ok(['equal', 'explained'].includes(comparison.status), comparison.detail);

  const [tiled] = result.tiled.levels;
  assert.equal(tiled.rows.length, rows.length);
  assert.equal(tiled.comparison.different, 0);
  assert.equal(tiled.comparison.equal + tiled.comparison.tree, tiled.tiles);

  const { solo: [solo], tiled: [inTiles], missing } = result.game;
  assert.deepEqual([solo.group, inTiles.group, missing], ['game', 'game, tiles of 64', []]);
  for (const level of [solo, inTiles]) for (const who of contestants) assertFigure(level.rows.at(-1).figures[who], `${level.group}, ${who}`);
  const tables = gameTables({ ...result.game, missing: ['elsewhere'] }).map((table) => renderTable(table)).join('');
  assert.match(tables, /plaza 0\.3 .* x\n/);
  assert.match(tables, /not beside the repository.*elsewhere/);
  assert.match(renderTable(gameTables({ solo: [], tiled: [], missing: ['elsewhere'] })[0]), /not beside the repository.*elsewhere/);

  const { instances, triangles, theirTriangles, ours: ourTriangles, theirs: theirTime } = result.instances;
  assert.deepEqual([instances, triangles], [6, theirTriangles]);
  for (const figure of [ourTriangles, theirTime]) assertFigure(figure, 'triangles of a scene');

  const [questions] = result.queries;
  const compared = questions.rows.filter(({ theirs }) => theirs);
  assert.equal(compared.length, 11);
  for (const { name, ours, theirs, garbage, agreement } of compared) {
    assertFigure(ours, name);
    assertFigure(theirs, name);
    assert.ok(isTime(garbage), name);
    assert.ok(agreement === null || agreement > 0.99, `${name}: ${agreement}`);
  }
  for (const { name, batch, single } of questions.batches) assert.ok(isTime(batch.median) && isTime(single), name);
  assertGameQueries(result.gameQueries);

  const [{ ours, theirs }] = result.memory;
  assert.ok(ours.bytes > 0 && ours.bytes <= ours.written && ours.written <= ours.reserved);
  assert.ok(theirs.written > 0 && theirs.written <= theirs.reserved);
  assert.equal(ours.polygons, theirs.polygons, 'the same mesh');

  for (const [contestant, figures] of Object.entries(result.firstBakes[0]).slice(1)) {
    for (const part of ['load', 'bake', 'path', 'load and bake', 'tenth bake']) assertFigure(figures[part], `${contestant}: ${part}`);
  }
  assert.match(renderTable(firstBakeTable(result.firstBakes)), /plaza: load and bake .* x\n/);
  assert.ok(result.startUp.scripts.some(({ name }) => name.startsWith('recast-navigation')));
  assert.ok(result.sizes.modules.some(({ name, gzip }) => name === 'walkmesh.wasm' && gzip > 1000));
  assert.deepEqual(result.sizes.pages.map(({ name }) => name), ['walkmesh', 'walkmesh/game, baked before', 'walkmesh/core', 'recast-navigation', 'navcat']);

  const summaries = summarySections(result);
  assert.deepEqual(Object.keys(summaries).sort(), ['bake-times', 'game-query-times', 'query-times', 'summary']);
  for (const [name, markdown] of Object.entries(summaries)) {
    assert.match(markdown, /\n\| [^\n]*\d/, name);
    assert.doesNotMatch(markdown, /NaN|undefined/, name);
  }
});

test('bench: traffic, scaling and inputs made to hurt', () => {
  const { traffic, scaling, hurt } = result;
  assert.ok(traffic.bandwidth.large > 1e8 && traffic.bandwidth.cached > 1e8);
  for (const { name, milliseconds, bytes, floor } of traffic.levels[0].rows) {
    assert.ok(isTime(milliseconds) && isTime(floor), name);
    assert.ok(name === 'release' || bytes > 0, name);
  }
  assert.deepEqual(scaling.map(({ what }) => what), ['triangles', 'cells', 'tiles']);
  for (const { what, lines } of scaling) assert.ok(lines.every(({ count, peakBytes }) => count > 0 && peakBytes > 0), what);
  for (const { name, aims, sizes } of hurt) {
    for (const { error, stages, size } of sizes) {
      assert.equal(error, undefined, name);
      for (const stage of aims) assert.ok(isTime(stages[stage]), `${name}, ${size}: ${stage}`);
    }
  }
});

test('bench: inputs made to hurt are what they say', () => {
  const last = (name) => result.hurt.find((one) => one.name === name).sizes.at(-1);
  const square = (size) => Math.round(Math.sqrt(size)) ** 2;
  for (const name of ['holes in one region, in rows', 'holes in one region, strewn']) {
    const { size, counts } = last(name);
    assert.equal(counts.contours, square(size) + 1, `${name}: an outline, and one of each hole`);
  }
  assert.equal(last('corners of a comb').counts.contours, 1);
  const islands = last('regions: islands');
  assert.equal(islands.counts.contours, square(islands.size));
  assert.equal(last('detail: cells of one polygon').counts.polygons, 1);
  const column = last('spans of one column');
  assert.equal(column.counts.solidSpans, column.size);
});

const program = join(ROOT, 'build', 'test-gcc', 'bench_native');
test('bench: natively', { skip: existsSync(program) ? false : 'no native build of gcc: npm test makes it' }, async () => {
  const figures = await measureNative({ smallest: true, programs: { gcc: program } });
  assert.deepEqual(figures.map(({ level, compiler }) => [level, compiler]), [['plaza', 'gcc']]);
  assert.equal(Object.keys(figures[0].stages).length, 14);
  assert.ok(Object.values(figures[0].stages).every(isTime) && figures[0].peakBytes > 0 && figures[0].copyBytesASecond > 0);
  assert.match(renderTable(nativeTables(figures)[0]), /detailMesh/);
});

test('bench: heights, on the plane', async () => {
  const figures = await measureHeights({ smallest: true });
  assert.deepEqual(figures.map(({ level, configs }) => [level, ...configs.map(({ name }) => name)]), [['plane', 'voxels', 'surface', 'surface, fine']]);
  const [{ configs: [voxels, ...surface] }] = figures;
  for (const kind of ['nearest', 'random', 'path', 'agents']) {
    assert.ok(Math.abs(voxels.kinds[kind].mean - 0.2) < 1e-6 && voxels.kinds[kind].missing === 0, kind);
    for (const { name, kinds, cost } of surface) {
      assert.equal(kinds[kind].max, 0, `${name}: ${kind}`);
      assert.ok(isTime(cost.ratio.median), name);
    }
  }
  assert.match(heightsTables(figures).map((table) => renderTable(table)).join(''), /plane +agents +0\.200 \/ 0\.200 \/ 0\.200 +0\.000/);
});

test('bench: the oracle of heights finds the nearest of several storeys, triangles that face up only, and gaps', () => {
  const storey = (/** @type {number} */ y) => [0, y, 0, 4, y + 4, 0, 4, y + 4, 4, 0, y, 4];
  const oracle = new SurfaceOracle({ positions: Float32Array.from([...storey(0), ...storey(3), ...storey(1.5)]),
    indices: Uint32Array.from([0, 2, 1, 0, 3, 2, 4, 6, 5, 8, 9, 10, 8, 10, 11]) });
  assert.ok(Math.abs(oracle.above([2, 2.25, 1]) - 0.25) < 1e-9, 'above the lower one');
  assert.ok(Math.abs(oracle.above([2, 4, 1]) + 1) < 1e-9, 'below the upper one');
  assert.ok(Math.abs(oracle.above([1, 4, 2]) - 3) < 1e-9, 'half of the upper one is missing');
  assert.ok(Number.isNaN(oracle.above([5, 0, 5])), 'beside all');
});

test('bench: what it cannot do is said in a line', () => {
  for (const options of [['--scene', 'atlantis'], ['--runs', '0'], ['--crowd', '--courses', 'many'], ['--swift']]) {
    const { status, stderr } = spawnSync(process.execPath, [join(ROOT, 'bench', 'bench.js'), ...options], { encoding: 'utf8' });
    assert.equal(status, 2);
    assert.match(stderr, /^bench: [^\n]+\n$/);
  }
});

test('bench: the 1 km terrain is the same everywhere', () => {
  const { positions, indices } = makeBigTerrain();
  assert.equal(indices.length / 3, 2 * 512 * 512 + 2000 * 12);
  assert.ok(indices.every((index) => index < positions.length / 3) && positions.every(Number.isFinite));
  assert.equal(hashBytes(new Uint8Array(positions.buffer)), '7621c9f51ea19250');
});

test('bench: statistics', () => {
  assert.deepEqual(summarise([4, 1, 3, 2, 5]), { median: 3, minimum: 1, maximum: 5, lower: 2, upper: 4 });
  assert.deepEqual(summarise([2, 1]), { median: 1.5, minimum: 1, maximum: 2, lower: 1.25, upper: 1.75 });
  assert.ok(Math.abs(growthExponent(10, 3, 40, 48) - 2) < 1e-12);
  assert.equal(mean([1, 2, 6]), 3);
  assert.ok(Math.abs(standardError([2, 4, 4, 6]) - Math.sqrt(8 / 3 / 4)) < 1e-12);
  assert.equal(standardError([5]), 0);
});

test('bench: courses of a crowd scenario are the same each time, and differ by centimetres and in order', () => {
  for (const scenario of chooseScenarios()) {
    const [first] = chooseScenarios([scenario.name], 1), [again] = chooseScenarios([scenario.name], 1), [other] = chooseScenarios([scenario.name], 2);
    assert.deepEqual(first.agents, again.agents, scenario.name);
    assert.notDeepEqual(first.agents, other.agents, scenario.name);
    assert.equal(first.agents.length, scenario.agents.length);
    for (const { position: [x, , z] } of first.agents) {
      const isNear = ({ position }) => Math.abs(position[0] - x) <= 0.05 && Math.abs(position[2] - z) <= 0.05;
      assert.equal(scenario.agents.filter(isNear).length, 1, `${scenario.name}: ${x}, ${z}`);
    }
    if (scenario.agents.length > 10) assert.notDeepEqual(first.agents.map(({ position: [x] }) => Math.round(x)), other.agents.map(({ position: [x] }) => Math.round(x)));
    const goals = new Set(scenario.agents.map(({ goal }) => goal.join())).size;
    if (!scenario.goalMoves) assert.equal(new Set(first.agents.map(({ goal }) => goal.join())).size, goals, 'a common goal stays common');
    // Moved goals are the same in any order of the calls.
    const { goalMoves } = first;
    if (goalMoves) assert.deepEqual([10, 0].map((move) => goalMoves.goalAt(3, move)), [0, 10].map((move) => again.goalMoves.goalAt(3, move)).reverse());
  }
});

test('bench: a crowd is worse where more than the error of its courses tells it from the other', () => {
  const courses = (/** @type {number[][]} */ rows) => summariseCourses(rows.map(([overlapIntegral, flow]) => ({
    arrivedInTime: 1, arrived: 1, meanTime: 1, overlapIntegral, overlapTime: 0, overlapWorst: 0, pathRatio: null, jitter: 10, trembling: 0, restless: 0, flow,
    stuck: 0, strayed: null, overshoot: null })));
  const theirs = courses([[1, 4], [1.2, 4], [0.8, 4]]);
  assert.equal(theirs.overlapIntegral, 1);
  assert.deepEqual(theirs.overlapIntegralOfCourses, [1, 1.2, 0.8]);
  assert.equal(theirs.pathRatio, null);
  assert.deepEqual(compareFigures(courses([[0.5, 6], [0.6, 6], [0.4, 6]]), theirs), { worse: [], open: [], tooNear: ['jitter deg/m'] });
  assert.deepEqual(compareFigures(courses([[2, 3], [2.1, 3], [1.7, 3]]), theirs),
    { worse: ['overlap m s', 'flow 1/s'], open: [], tooNear: ['overlap m s', 'jitter deg/m', 'flow 1/s'] });
  assert.deepEqual(compareFigures(courses([[1.5, 6], [0.8, 6], [0.8, 6]]), theirs), { worse: [], open: ['overlap m s'], tooNear: ['overlap m s', 'jitter deg/m'] });
});

test('bench: what was not measured is not reached, and what was is', () => {
  const nothing = compareWithTargets({});
  assert.ok(nothing.every(({ reached, measured }) => reached === null && measured === 'not measured'));
  const rows = [{ name: 'total', figures: { walkmesh: { median: 1 }, 'recast-navigation': { median: 7.5 } } }];
  const bakes = { levels: [{ level: 'city', cellSize: 0.15, group: 'levels', contestants: ['walkmesh', 'recast-navigation'], rows }] };
  const sizes = { modules: [{ name: 'walkmesh.wasm', gzip: 80001 }] };
  const lines = compareWithTargets({ bakes, sizes });
  assert.deepEqual(lines.slice(1, 3).map(({ reached }) => reached), [true, true]);
  assert.equal(lines.at(-1).reached, false);
});

test('bench: bakes of levels of games have a mean for each cell size, and a level counts at its own cell, too', () => {
  const bake = (/** @type {string} */ level, /** @type {number} */ cellSize, /** @type {number} */ times) => ({ level, cellSize, group: 'game',
    contestants: ['walkmesh', 'recast-navigation'], rows: [{ name: 'total', figures: { walkmesh: { median: 1 }, 'recast-navigation': { median: times } } }] });
  const solo = [bake('fd_MAP07', 0.15, 4), bake('fd_MAP07', 0.1, 5), bake('oa_thor', 0.3, 9), bake('oa_thor', 0.15, 3)];
  const lines = compareWithTargets({ game: { solo, tiled: [] } }).slice(0, 6);
  assert.deepEqual(lines.map(({ measured }) => measured.split(' ')[0]), ['6.00', '4.00', '3.46', '3.00', '5.00', '5.00']);
  assert.deepEqual(lines.map(({ reached }) => reached), [true, true, false, false, true, true]);
});

test('bench: tables as text and as Markdown', () => {
  const table = { title: 'Title', rows: [['', 'a'], ['b', '1 | 2']], notes: ['Note.'] };
  assert.equal(renderTable(table), 'Title\n         a\n  b  1 | 2\n  Note.\n');
  assert.equal(renderTable(table, true), '**Title**\n\n|  | a |\n| --- | ---: |\n| b | 1 \\| 2 |\n\nNote.\n');
});

test('bench: pages get the tables that were measured, and keep the others', () => {
  const page = 'a\n<!-- bench one -->\n\nold\n\n<!-- end of bench -->\nb\n<!-- bench two -->\nold\n<!-- end of bench -->\n';
  assert.equal(replaceSections(page, { one: 'new\n' }),
    'a\n<!-- bench one -->\n\nnew\n\n<!-- end of bench -->\nb\n<!-- bench two -->\nold\n<!-- end of bench -->\n');
  assert.deepEqual(sectionsOf('game', [{ title: 'a', rows: [['']] }, { title: 'b', rows: [['']], section: 'other' }, 'text']),
    { game: '**a**\n\n|  |\n| --- |\n\n```text\ntext\n```\n', other: '**b**\n\n|  |\n| --- |\n' });
});

test('bench: each section of a part is on the page that it is for', () => {
  const sections = {
    'README.md': ['summary'],
    'docs/performance.md': ['summary', 'machine', 'game', 'instances', 'bake-times', 'game-query-times', 'query-times', 'scaling', 'memory', 'startup',
      'first-bake', 'first-bake-pages', 'sizes', 'engines', 'heights', 'dynamic', 'crowd', 'crowd-summary'],
    'docs/lab/README.md': ['targets'],
    'docs/lab/bakes.md': ['traffic', 'game-stages', 'bakes', 'tiled'],
    'docs/lab/crowds.md': ['crowd-scenarios'],
    'docs/lab/growth.md': ['hurt'],
    'docs/lab/heights.md': ['heights-distances'],
    'docs/lab/level-tool.md': ['tool'],
    'docs/lab/queries.md': ['game-queries', 'queries'],
  };
  const found = PAGES.map((path) => [path, [...readFileSync(join(ROOT, path), 'utf8').matchAll(/^<!-- bench (\S+) -->$/gm)].map(([, name]) => name)]);
  assert.deepEqual(Object.fromEntries(found.filter(([, names]) => names.length > 0)), sections);
  for (const [path, names] of found) {
    const markdown = readFileSync(join(ROOT, path), 'utf8');
    for (const name of names) assert.ok(replaceSections(markdown, { [name]: 'NEW' }).includes('\n\nNEW\n\n'), name);
  }
});

test('bench: the bytes that stages must touch follow the sizes of their arrays', () => {
  const none = { triangles: 0, positions: 0, cells: 0, solidSpans: 0, openSpans: 0, contourVertices: 0, vertices: 0, polygons: 0,
    detailVertices: 0, detailTriangles: 0, tileBytes: 0, maxVertices: 6 };
  assert.ok(Object.values(bytesOfStages(none)).every((bytes) => bytes === 0));
  const spans = bytesOfStages({ ...none, openSpans: 1 });
  assert.deepEqual(spans, { 'rasterize, filters': 4, compact: 10, erode: 4, distance: 5, regions: 7, contours: 7, 'polygon mesh': 0,
    'detail mesh': 4, 'tile data': 0 });
});
