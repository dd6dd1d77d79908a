// The command line as users and programs see it: files, printed text, exit status.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { format } from 'node:util';
import { main } from '../../js/cli/main.js';
import { CONFIG_FIELDS, load } from '../../js/index.js';
import { DETOUR_CONFIG, DETOUR_DOOR, DETOUR_ENDS, makeDetour } from './detour-around.js';
import { makeBoxes, makeRooms, toObj } from './rooms.js';
import { ROOT, makeFolder, readScene } from './support.js';

const SCENES = join(ROOT, 'tests', 'scenes');
const plaza = join(SCENES, 'plaza.obj');
const synthetic = JSON.parse(readFileSync(join(ROOT, 'tests', 'golden', 'synthetic.json'), 'utf8'));

const MANIFEST = new URL('../../package.json', import.meta.url);

/** The command as a process, for tests of the process itself: ten times slower. */
function runProcess(file, ...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(ROOT, file), ...args], { encoding: 'utf8' });
  return { status, stdout, stderr };
}

/** The command in this process: its exit status, and the printed text. */
async function run(...args) {
  const printed = { stdout: '', stderr: '' };
  const { log, error } = console;
  console.log = (...values) => { printed.stdout += `${format(...values)}\n`; };
  console.error = (...values) => { printed.stderr += `${format(...values)}\n`; };
  try {
    return { status: await main(args, MANIFEST), ...printed };
  } finally {
    Object.assign(console, { log, error });
  }
}

/** Runs the command and expects success. */
async function runWell(...args) {
  const result = await run(...args);
  assert.equal(result.status, 0, result.stderr);
  return result;
}

/** Expects a status and one line of error text. */
function checkFailure({ status, stdout, stderr }, expectedStatus, pattern, ...args) {
  assert.equal(status, expectedStatus, `${args.join(' ')}: ${stderr}`);
  assert.match(stderr, pattern);
  assert.equal(stderr.trim().split('\n').length, 1, stderr);
  assert.equal(stdout, '');
}

/** Runs the command and expects one line of error text. */
async function expectFailure(status, pattern, ...args) {
  checkFailure(await run(...args), status, pattern, ...args);
}

for (const file of ['js/cli.js', 'dist/cli.js']) {
  test(`cli: ${file} as a process: what it prints where, its status, and the same words as in this process`, async (context) => {
    const output = join(makeFolder(context), 'plaza.walkmesh');
    const baked = runProcess(file, 'bake', plaza, '-o', output, '--tile-size', '48', '--workers', '2');
    assert.deepEqual([baked.status, baked.stderr], [0, '']);
    assert.match(baked.stdout, /polygons in \d+ tiles/);
    assert.deepEqual(runProcess(file, 'info', output), await runWell('info', output));
    const path = ['path', output, '--from', '2,0,2', '--to', '38,0,38', '--json'];
    for (const args of [['--version'], ['--help'], ['bake', '--help'], path]) {
      const { status, stdout, stderr } = runProcess(file, ...args);
      assert.deepEqual({ status, stdout, stderr }, await runWell(...args), args.join(' '));
    }
    checkFailure(runProcess(file, 'bakes'), 2, /unknown command 'bakes'/);
    checkFailure(runProcess(file, 'info', `${output}.none`), 1, /does not exist/);
    assert.ok(runProcess(file).stderr.startsWith('Usage: walkmesh '), 'without a command it tells which there are');
  });
}

test('cli: query answers a file of questions, and refuses what is none', async (context) => {
  const folder = makeFolder(context);
  const golden = join(ROOT, 'tests', 'golden', 'queries');
  const [tile, questions] = ['tile', 'queries'].map((name) => join(golden, 'plaza', `${name}.bin`));
  const { queries, ...expected } = JSON.parse(readFileSync(join(golden, 'hashes.json'), 'utf8')).plaza;
  assert.ok(queries);
  const { arrays } = JSON.parse((await runWell('query', tile, questions, join(folder, 'answers'), '--json')).stdout);
  assert.deepEqual(arrays, expected);
  assert.deepEqual(readdirSync(join(folder, 'answers')).sort(), Object.keys(expected).map((kind) => `${kind}.bin`).sort());
  await expectFailure(1, /tile\.bin: the file of queries has 12396 bytes/, 'query', tile, tile, folder);
  await expectFailure(1, /does not exist/, 'query', tile, join(folder, 'nothing.bin'), folder);
  await runWell('bake', plaza, '-o', join(folder, 'tiled.walkmesh'), '--tile-size', '48');
  await expectFailure(1, /has \d+ tiles/, 'query', join(folder, 'tiled.walkmesh'), questions, folder);
  // A polygon number that doesn't exist: the result of that query says so.
  const bytes = readFileSync(questions).subarray(0, 48);
  bytes.writeUInt32LE(1, 0);
  bytes.writeUInt32LE(0, 4);
  writeFileSync(join(folder, 'stale.bin'), bytes);
  await runWell('query', tile, join(folder, 'stale.bin'), join(folder, 'stale'));
  const sizes = { findPath: 8, findStraightPath: 8, raycast: 24, moveAlongSurface: 20, findDistanceToWall: 32,
    findPolysAroundCircle: 8, findLocalNeighbourhood: 8, getPolyHeight: 8 };
  for (const [kind, size] of Object.entries(sizes)) {
    const answer = readFileSync(join(folder, 'stale', `${kind}.bin`));
    assert.equal(answer.readUInt32LE(0), 2 ** 31 + 8, kind);
    assert.ok(answer.length === size && answer.subarray(4).every((byte) => byte === 0), kind);
  }
});

test('cli: path --explain says what is in the way, and with the level what it is', async (context) => {
  const folder = makeFolder(context);
  const at = (/** @type {string} */ name) => join(folder, name);
  writeFileSync(at('gap.obj'), toObj(makeBoxes([[[0, -0.5, 0], [10, 0, 10]], [[12, -0.5, 0], [22, 0, 10]]])));
  await runWell('bake', at('gap.obj'), '-o', at('gap.walkmesh'), '--cell-size', '0.2', '--agent-radius', '0.4');
  const ends = ['path', at('gap.walkmesh'), '--from', '5,0,5', '--to', '17,0,5', '--explain'];
  assert.match((await runWell(...ends)).stdout, /^unreachable .*\nThere is no path\. The mesh ends, [\d.]+ m from the ground of the end\. Pass the level to learn why\./);
  assert.match((await runWell(...ends, at('gap.obj'))).stdout, /\nThere is no path\. A gap of (1\.9\d?|2|2\.0\d?) m parts the ground\. No setting that was tried closes it\. Passes with a connection/);
  const { explanation } = JSON.parse((await runWell(...ends, at('gap.obj'), '--json')).stdout);
  assert.equal(explanation.causes[0].kind, 'gap');
  assert.equal(explanation.causes[0].changes[0].kind, 'connect');
  assert.ok(explanation.places.length > 0);
});

test('cli: path and draw have the same options, and doors as saved', async (context) => {
  const folder = makeFolder(context), at = (/** @type {string} */ name) => join(folder, name);
  const [open, closed, svg] = ['open.walkmesh', 'closed.walkmesh', 'plan.svg'].map(at);
  const walkmesh = await load();
  const { navMesh } = walkmesh.bake(makeDetour(), DETOUR_CONFIG);
  const switches = navMesh.createSwitches();
  const door = switches.addDoor({ volume: DETOUR_DOOR, area: 5, name: 'gate' });
  writeFileSync(open, navMesh.save());
  door.close();
  writeFileSync(closed, navMesh.save());
  door.open();
  const [from, to] = DETOUR_ENDS, ends = ['--from', from.join(), '--to', to.join()];
  for (const polygon of door.polygons()) navMesh.setPolygonFlags(polygon, navMesh.polygonFlags(polygon) | 0x10);
  const marked = at('marked.walkmesh');
  writeFileSync(marked, navMesh.save());
  const path = async (...args) => JSON.parse((await runWell('path', ...args, ...ends, '--json')).stdout);
  const drawn = async (file, ...args) => JSON.parse((await runWell('draw', file, '-o', svg, '--path', `${from}:${to}`, '--json', ...args)).stdout).paths;
  const short = await path(open), long = await path(closed);
  assert.equal(short.status, 'complete');
  assert.ok(long.length > 1.2 * short.length, 'the door is closed');
  assert.deepEqual((await path(closed, '--explain')).points, long.points, 'the same path as with its explanation');
  assert.match((await runWell('path', closed, ...ends, '--explain')).stdout, /door `gate` is closed/);
  assert.deepEqual(await drawn(closed), await drawn(closed, '--include-flags', '0xffff'));
  assert.ok((await drawn(closed))[0].includes(long.length.toFixed(2)) && (await drawn(open))[0].includes(short.length.toFixed(2)));
  const cases = /** @type {[string[], import('../../js/index.js').PathOptions][]} */ ([
    [['--exclude-flags', '0x10'], { filter: { excludeFlags: 0x10 } }], [['--include-flags', '16'], { filter: { includeFlags: 16 } }],
    [['--area-cost', '5=40', '--area-cost', '0=1.5'], { filter: { areaCosts: { 5: 40, 0: 1.5 } } }],
    [['--shortest'], { shortest: true }], [['--any-angle', '--ray-limit', '5'], { anyAngle: true, rayLimit: 5 }], [['--max-nodes', '2'], { maxNodes: 2 }],
    [['--max-points', '3'], { maxPoints: 3 }], [['--crossings', 'all'], { crossings: 'all' }], [['--wall-distance', '0.4', '--wall-cost', '3'], { wallDistance: 0.4, wallCost: 3 }],
    [['--within', '0.1,0.1,0.1'], { halfExtents: [0.1, 0.1, 0.1] }],
  ]);
  for (const [args, options] of cases) {
    const { status, points, length } = await path(marked, ...args), expected = navMesh.findPath(from, to, options);
    assert.deepEqual([status, points.flat()], [expected.status, [...expected.points]], args.join(' '));
    assert.ok((await drawn(marked, ...args))[0].includes(length.toFixed(2)), args.join(' '));
  }
  const costs = [];
  for (const file of [open, closed]) {
    await runWell('graph', file, '-o', `${file}.wgraph`);
    costs.push((await path(file, '--graph', `${file}.wgraph`)).cost);
  }
  assert.ok(costs[1] > 1.2 * costs[0], `tile graphs with doors as saved: ${costs}`);
  const others = ['--count', '3', '--difference', '0.2', '--max-length', '3'];
  const ways = await path(marked, ...others);
  assert.equal(ways.length, navMesh.findPaths(from, to, { count: 3, difference: 0.2, maxLength: 3 }).length);
  assert.ok(ways.length > 1);
  assert.equal((await drawn(marked, ...others)).length, ways.length);
  for (const [flag, value] of [['--difference', '0.2'], ['--max-length', '3']]) {
    await expectFailure(2, new RegExp(`${flag} needs --count`), 'path', marked, ...ends, flag, value);
    await expectFailure(2, new RegExp(`${flag} needs --count`), 'draw', marked, '-o', svg, '--path', `${from}:${to}`, flag, value);
  }
  await expectFailure(2, /an area and its cost, like 5=4/, 'path', marked, ...ends, '--area-cost', '5');
  await expectFailure(2, /--placed needs --explain with the level/, 'path', marked, ...ends, '--placed', 'nothing.json');
  await expectFailure(2, /--area needs --explain with the level/, 'path', marked, ...ends, '--area', '5=4');
  await expectFailure(2, /--placed needs --level/, 'links', marked, '--placed', 'nothing.json');
  await expectFailure(2, /--placed needs --level/, 'check', marked, '--placed', 'nothing.json');
  await expectFailure(2, /has area 64: must be a whole number from 0 to 63/, 'path', marked, ...ends, '--area-cost', '64=2');
  await expectFailure(1, /excludeFlags is 65536/, 'path', marked, ...ends, '--exclude-flags', '65536');
  await expectFailure(2, /none, areas, all/, 'draw', marked, '-o', svg, '--crossings', 'some');
  navMesh.free();
});

test('cli: bake --strict fails if there are warnings, and leaves the old file', async (context) => {
  const output = join(makeFolder(context), 'plaza.walkmesh');
  await runWell('bake', plaza, '-o', output, '--strict');
  const before = readFileSync(output);
  const { status, stdout, stderr } = await run('bake', plaza, '-o', output, '--agent-max-slope', '0', '--strict');
  assert.deepEqual([status, stdout], [1, '']);
  assert.match(stderr, /^walkmesh: warning: nothing is walkable.*\n(.*\n)*walkmesh: .*plaza\.obj has \d warnings: --strict wrote no mesh\n$/);
  assert.deepEqual(readFileSync(output), before);
  await runWell('bake', plaza, '-o', output, '--agent-max-slope', '0');
  assert.notDeepEqual(readFileSync(output), before);
});

test('cli: --fill-convex fills a crate', async (context) => {
  const folder = makeFolder(context), at = (name) => join(folder, name);
  const crate = [[0, 0], [0, 4], [4, 4], [4, 0]].flatMap(([x, z]) => [[x + 4, 0, z + 4], [x + 4, 3, z + 4]]).map((point) => `v ${point.join(' ')}`);
  const faces = ['2 4 6 8', '7 5 3 1', '1 3 4 2', '3 5 6 4', '5 7 8 6', '7 1 2 8'].map((face) => `f ${face}`);
  const floor = ['v 0 0 0', 'v 0 0 12', 'v 12 0 12', 'v 12 0 0', 'f 9 10 11 12'];
  writeFileSync(at('crate.obj'), [...crate, ...faces, ...floor].join('\n'));
  const inside = ['--from', '6,0,6', '--to', '6,0.1,5.8', '--within', '0.2,0.5,0.2'], agent = ['--cell-size', '0.2', '--agent-radius', '0.4'];
  await runWell('bake', at('crate.obj'), '-o', at('hollow.walkmesh'), ...agent);
  assert.match((await runWell('path', at('hollow.walkmesh'), ...inside)).stdout, /^complete/);
  await runWell('bake', at('crate.obj'), '-o', at('filled.walkmesh'), ...agent, '--fill-convex');
  assert.match((await runWell('path', at('filled.walkmesh'), ...inside)).stdout, /^unreachable \(the (start|end) is not on the mesh/);
  await runWell('check', at('filled.walkmesh'), '--level', at('crate.obj'), '--fill-convex');
  await expectFailure(2, /--fill-convex needs --level|--fill-convex/, 'check', at('filled.walkmesh'), '--fill-convex');
});

test('cli: compare says what differs between two meshes', async (context) => {
  const folder = makeFolder(context), [before, after] = [join(folder, 'before.walkmesh'), join(folder, 'after.walkmesh')], placed = join(folder, 'placed.json');
  const box = { kind: 'box', min: [4, 0, 4], max: [8, 3, 8] }, connection = { start: [2, 0, 2], end: [38, 0, 38], radius: 1 };
  writeFileSync(placed, JSON.stringify({ solids: [box], offMeshConnections: [connection] }));
  await runWell('bake', plaza, '-o', before);
  await runWell('bake', plaza, '-o', after, '--placed', placed);
  assert.match((await runWell('compare', before, before)).stdout, /^same: [\d,.]+ -> [\d,.]+ square units of ground, \d+ -> \d+ islands\n$/);
  const { stdout } = await runWell('compare', before, after);
  assert.match(stdout, /^different: .*\nlost {4}[\d.]+ square units at \d.*\n(.*\n)*gained  connection from 2, 0, 2 to 38, 0, 38\n$/);
  const { isSame, ground, connections } = JSON.parse((await runWell('compare', before, after, '--json')).stdout);
  assert.deepEqual([isSame, ground[0].kind, connections.gained.length], [false, 'lost', 1]);
  assert.match((await runWell('compare', before, after, '--tolerance', '9')).stdout, /^different/);
  assert.equal(runProcess('js/cli.js', 'compare', before, before, '--exit-code').status, 0);
  assert.deepEqual(runProcess('js/cli.js', 'compare', before, after, '--exit-code'), { status: 1, stdout, stderr: '' });
  await expectFailure(1, /tolerance must be a number, 0 or more/, 'compare', before, after, '--tolerance', '-1');
  await expectFailure(1, /none\.walkmesh/, 'compare', before, join(folder, 'none.walkmesh'));
});

test('cli: bake, info, path, draw and convert', async (context) => {
  const folder = makeFolder(context);
  const at = (name) => join(folder, name);
  const baked = await runWell('bake', plaza, '-o', at('plaza.walkmesh'), '--report');
  for (const word of ['rasterize', 'regions', 'detailMesh', 'polygons', 'memory']) assert.match(baked.stdout, new RegExp(word));
  assert.equal(baked.stderr, '');
  const walkmesh = await load();
  const { navMesh } = walkmesh.bake(readScene('plaza'), {});
  assert.deepEqual(new Uint8Array(readFileSync(at('plaza.walkmesh'))), navMesh.save(), 'the same bytes as the package makes');

  const info = JSON.parse((await runWell('info', at('plaza.walkmesh'), '--json')).stdout);
  assert.equal(info.totals.polygons, navMesh.totals.polygons);
  assert.equal(info.config.cellSize, 0.3);
  assert.match((await runWell('info', at('plaza.walkmesh'))).stdout, /polygons +\d+/);

  const ends = ['--from', '2,0,2', '--to', '38,0,38'];
  const path = JSON.parse((await runWell('path', at('plaza.walkmesh'), ...ends, '--json')).stdout);
  const expected = navMesh.findPath([2, 0, 2], [38, 0, 38]);
  assert.deepEqual([path.status, path.points.flat(), path.corridor], ['complete', [...expected.points], [...expected.corridor]]);
  const shortest = JSON.parse((await runWell('path', at('plaza.walkmesh'), ...ends, '--shortest', '--json')).stdout);
  assert.ok(shortest.length <= path.length * (1 + 1e-6), 'not longer than the plain one here');
  const ways = JSON.parse((await runWell('path', at('plaza.walkmesh'), ...ends, '--count', '3', '--difference', '0.2', '--json')).stdout);
  assert.deepEqual(ways[0], path);
  assert.ok(ways.length > 1 && ways.every(({ status }) => status === 'complete'));
  assert.equal((await runWell('path', at('plaza.walkmesh'), ...ends, '--count', '3', '--difference', '0.2')).stdout.match(/^complete/gm)?.length, ways.length);
  await expectFailure(2, /--difference needs --count/, 'path', at('plaza.walkmesh'), ...ends, '--difference', '0.2');
  assert.ok(shortest.bound > 0 && shortest.bound <= shortest.cost && !('bound' in path));
  assert.match((await runWell('path', at('plaza.walkmesh'), ...ends)).stdout, /^complete: [\d.]+ units/);
  assert.match((await runWell('path', at('plaza.walkmesh'), '--from', '-50,0,-50', '--to', '1,0,1')).stdout, /the start is not on the mesh/);

  await runWell('draw', at('plaza.walkmesh'), '-o', at('plaza.svg'), '--path', '2,0,2:38,0,38', '--path', '38,0,2:2,0,38');
  const svg = readFileSync(at('plaza.svg'), 'utf8');
  assert.match(svg, /^<svg /);
  assert.equal(svg.match(/<polygon /g).length, navMesh.totals.polygons);
  assert.equal(svg.split('class="legend"')[0].match(/class="path"/g).length, 2);

  await runWell('convert', at('plaza.walkmesh'), at('set.bin'));
  assert.deepEqual(new Uint8Array(readFileSync(at('set.bin'))), navMesh.exportDetour());
  await runWell('convert', at('set.bin'), at('back.walkmesh'));
  assert.match((await runWell('info', at('set.bin'))).stdout, /MSET/);
  assert.deepEqual(JSON.parse((await runWell('path', at('back.walkmesh'), ...ends, '--json')).stdout).points, path.points);
  const tiled = ['--tile-size', '48'];
  await runWell('bake', plaza, '-o', at('tiled.walkmesh'), ...tiled);
  for (const workers of ['0', '2', 'auto']) {
    const { tiles } = JSON.parse((await runWell('bake', plaza, '-o', at('shared.walkmesh'), ...tiled, '--workers', workers, '--json')).stdout);
    assert.ok(tiles.built > 1);
    assert.deepEqual(readFileSync(at('shared.walkmesh')), readFileSync(at('tiled.walkmesh')), `${workers} workers`);
  }
  await runWell('bake', plaza, '-o', at('shared.walkmesh'), '--workers', 'auto');
  await runWell('bake', plaza, '-o', at('direct.bin'));
  assert.deepEqual(readFileSync(at('direct.bin')), readFileSync(at('set.bin')));
  await runWell('bake', plaza, '-o', at('named.nav'), '--format', 'detour');
  assert.deepEqual(readFileSync(at('named.nav')), readFileSync(at('set.bin')));
  assert.deepEqual(readdirSync(folder).filter((name) => name.startsWith('.')), [], 'no temporary files remain');
  navMesh.free();
});

test('cli: graph writes a tile graph; path finds long ways with it, with its mesh or alone', async (context) => {
  const folder = makeFolder(context);
  const at = (name) => join(folder, name);
  await runWell('bake', plaza, '-o', at('plaza.walkmesh'), '--tile-size', '32');
  const made = JSON.parse((await runWell('graph', at('plaza.walkmesh'), '-o', at('plaza.wgraph'), '--spacing', '3', '--json')).stdout);
  const walkmesh = await load();
  const navMesh = walkmesh.loadNavMesh(readFileSync(at('plaza.walkmesh')));
  const graph = navMesh.createTileGraph({ spacing: 3 });
  assert.deepEqual(new Uint8Array(readFileSync(at('plaza.wgraph'))), graph.save(), 'the same bytes as the package makes');
  assert.deepEqual([made.tiles, made.entrances, made.bytes], [graph.totals().tiles, graph.totals().entrances, graph.save().length]);
  assert.match((await runWell('graph', at('plaza.walkmesh'), '-o', at('plaza.wgraph'), '--spacing', '3')).stdout, /entrances of \d+ tiles/);

  const ends = ['--from', '2,0,2', '--to', '38,0,38'], graphed = [...ends, '--graph', at('plaza.wgraph')];
  const path = JSON.parse((await runWell('path', at('plaza.walkmesh'), ...graphed, '--leg-tiles', '2', '--json')).stdout);
  const expected = graph.findPath([2, 0, 2], [38, 0, 38], { legTiles: 2 });
  assert.deepEqual([path.status, path.cost, path.leg.points.flat(), path.waypoints.map(({ point }) => point).flat(), path.legWaypoints],
    ['complete', expected.cost, [...expected.leg.points], [...expected.waypoints], expected.legWaypoints]);
  assert.ok(path.waypoints.length > 2 && path.waypoints.every(({ isLoaded }) => isLoaded) && !path.leadsToEnd);
  assert.match((await runWell('path', at('plaza.walkmesh'), ...graphed)).stdout, /^complete: cost at most [\d.]+, at least [\d.]+, \d+ waypoints\nleg: [\d.]+ units/);
  const shortest = JSON.parse((await runWell('path', at('plaza.walkmesh'), ...graphed, '--leg-tiles', '2', '--shortest', '--json')).stdout);
  assert.deepEqual(shortest, path, 'legs are shortest paths in any case');

  const alone = JSON.parse((await runWell('path', at('plaza.wgraph'), ...ends, '--json')).stdout);
  assert.ok(alone.leg === null && alone.isEstimate && alone.waypoints.every(({ isLoaded }) => !isLoaded));
  const text = (await runWell('path', at('plaza.wgraph'), ...ends)).stdout;
  assert.match(text, /an estimate: without the mesh, .*\nwaypoints:\n/);
  assert.doesNotMatch(text, /not loaded/, 'without a mesh, no tile is: it is said once');
  assert.match((await runWell('path', at('plaza.wgraph'), '--from', '-90,0,-90', '--to', '1,0,1')).stdout, /^unreachable \(start-not-found\)$/m);
  await expectFailure(1, /is not a tile graph/, 'path', at('plaza.walkmesh'), ...ends, '--graph', at('plaza.walkmesh'));
  await expectFailure(2, /--leg-tiles needs --graph/, 'path', at('plaza.walkmesh'), ...ends, '--leg-tiles', '2');
  await expectFailure(2, /--count is not for long ways: leave it out, or search without a tile graph/, 'path', at('plaza.walkmesh'), ...graphed, '--count', '3');
  await expectFailure(2, /--exclude-flags is not for long ways: the tile graph was built for one filter. Set it in walkmesh graph/, 'path', at('plaza.wgraph'), '--from', '2,0,2', '--to', '38,0,38', '--exclude-flags', '1');
  await runWell('graph', at('plaza.walkmesh'), '-o', at('none.wgraph'), '--exclude-flags', '0xffff');
  assert.match((await runWell('path', at('plaza.walkmesh'), ...ends, '--graph', at('none.wgraph'))).stdout, /^unreachable \(start-excluded\)/);
  await runWell('bake', plaza, '-o', at('other.walkmesh'), '--tile-size', '48');
  await expectFailure(1, /can't be used: .*tile size/, 'path', at('other.walkmesh'), ...graphed);
  navMesh.free();
});

test('cli: bake generates links, and the other commands know them', async (context) => {
  const folder = makeFolder(context), level = join(folder, 'gap.obj'), output = join(folder, 'gap.walkmesh');
  writeFileSync(level, toObj(makeBoxes([[[0, -1, 0], [20, 0, 20]], [[22, -1, 0], [40, 0, 20]], [[0, 0, 0], [6, 1.8, 20]]])));
  const agent = ['--cell-size', '0.2', '--cell-height', '0.1', '--agent-radius', '0.4', '--agent-max-climb', '0.4'];
  const options = ['--drop', '3', '--jump', '4', '--jump-up', '0.5', '--jump-down', '1', '--jump-peak', '0.8', '--climb', '2', '--vault', '1.2',
    '--link-width', '0.5', '--link-saving', '0', '--link-thinning', '0.3', '--tile-size', '48'];
  const { stdout } = await runWell('bake', level, '-o', output, ...agent, ...options, '--report');
  assert.match(stdout, /\nsegment links \d+ drops?, \d+ jumps?, \d+ climbs?, 0 vaults, in [\d.]+ ms; air /);
  assert.match(stdout, /polygons in \d+ tiles, \d+ segment links, /);
  const { segmentLinks, config } = JSON.parse((await runWell('info', output, '--json')).stdout);
  const { count, counts } = segmentLinks;
  assert.ok(counts.drop > 0 && counts.jump > 0 && counts.climb > 0 && counts.vault === 0, JSON.stringify(counts));
  const { area, flags, costFactor, ...jump } = config.links.jump;
  assert.deepEqual(jump, { maxDistance: 4, maxUp: 0.5, maxDown: 1, peak: 0.8 });
  assert.deepEqual([config.links.vault.maxDepth, config.links.minWidth, config.links.thinning, area, flags, costFactor], [1, 0.5, 0.3, 0, 1, 1]);
  assert.match((await runWell('info', output)).stdout, /\npolygons +\d+, \d+ vertices, \d+ links between polygons\n/);
  assert.match((await runWell('info', output)).stdout, new RegExp(`segment links +${count}: ${counts.drop} drops?, .*0 by hand, 0 disabled`));

  const list = JSON.parse((await runWell('links', output, '--json')).stdout);
  assert.equal(list.length, count);
  assert.equal((await runWell('links', output)).stdout.trim().split('\n').length, count + 3, 'a line for each, and for each kind');
  const path = ['path', output, '--from', '3,1.8,10', '--to', '38,0,10'];
  const { links, status } = JSON.parse((await runWell(...path, '--json')).stdout);
  assert.deepEqual([status, links.map(({ kind }) => kind)], ['complete', ['drop', 'jump']]);
  assert.match((await runWell(...path)).stdout, /\ndrop at point \d+: .* to .*\njump at point \d+: .* to .*, peak /);
  await runWell('draw', output, '-o', join(folder, 'gap.svg'));
  assert.equal(readFileSync(join(folder, 'gap.svg'), 'utf8').split('class="legend"')[0].match(/<g class="(drop|jump|climb)">/g).length, count);

  const why = ['links', output, '--level', level, '--from', '19.5,0,10', '--to', '22.5,0,10'];
  assert.match((await runWell(...why)).stdout, /^There is a jump \(at /);
  assert.equal(JSON.parse((await runWell(...why, '--json')).stdout).reason, null);
  await expectFailure(2, /--from, --to and --level belong together/, 'links', output, '--from', '1,0,1');
  await expectFailure(1, /links\.jump\.maxDistance is -1/, 'bake', level, '-o', output, ...agent, '--jump', '-1');
  await expectFailure(2, /--jump-up needs --jump, or links\.jump\.maxDistance in the file of --config/, 'bake', level, '-o', output, ...agent, '--jump-up', '1');
  await expectFailure(2, /--vault-depth needs --vault/, 'bake', level, '-o', output, ...agent, '--jump', '4', '--vault-depth', '1');

  const detour = join(folder, 'gap.bin');
  assert.match((await run('convert', output, detour)).stderr, /\d+ links? left out\. Set --link-spacing/);
  await runWell('convert', output, detour, '--link-spacing', '1');
  assert.ok(JSON.parse((await runWell('info', detour, '--json')).stdout).totals.offMeshConnections >= count);
  await expectFailure(2, /--format detour/, 'convert', output, join(folder, 'x.walkmesh'), '--link-spacing', '1');

  const file = join(folder, 'config.json');
  writeFileSync(file, JSON.stringify({ cellSize: 0.2, cellHeight: 0.1, agentRadius: 0.4, agentMaxClimb: 0.4, links: { drop: { maxHeight: 3, area: 4 } } }));
  await runWell('bake', level, '-o', output, '--config', file, '--drop', '2');
  assert.deepEqual(JSON.parse((await runWell('info', output, '--json')).stdout).config.links.drop, { maxHeight: 2, area: 4, flags: 1, costFactor: 1 });
  const plain = join(folder, 'plain.walkmesh');
  await runWell('bake', plaza, '-o', plain);
  assert.match((await runWell('links', plain)).stdout, /no segment links/);
  assert.match((await runWell('info', plain)).stdout, /segment links +0\n/);
});

test('cli: links and path --explain read what is placed in a level', async (context) => {
  const folder = makeFolder(context), at = (name) => join(folder, name);
  writeFileSync(at('flat.obj'), toObj(makeBoxes([[[0, -1, 0], [40, 0, 20]]])));
  const wall = { solids: [{ kind: 'box', min: [20, -1, 0], max: [20.4, 3, 20] }] };
  writeFileSync(at('wall.json'), JSON.stringify(wall));
  const agent = ['--cell-size', '0.2', '--cell-height', '0.1', '--agent-radius', '0.4', '--agent-max-climb', '0.4'];
  await runWell('bake', at('flat.obj'), '-o', at('wall.walkmesh'), '--placed', at('wall.json'), ...agent, '--jump', '4', '--vault', '1.2');
  const ends = ['--from', '19.2,0,10', '--to', '21.2,0,10'], level = [at('flat.obj'), '--placed', at('wall.json')];
  assert.match((await runWell('links', at('wall.walkmesh'), ...ends, '--level', ...level)).stdout, /^(The vault goes up|Something blocks)/);
  const explained = async (...more) => JSON.parse((await runWell('path', at('wall.walkmesh'), '--from', '5,0,10', '--to', '35,0,10', '--json', '--explain', ...more)).stdout).explanation.causes;
  assert.equal((await explained(at('flat.obj')))[0].kind, 'outdated', 'without the wall the level is open');
  assert.ok((await explained(...level)).every(({ kind }) => kind !== 'outdated'));
});

test('cli: path --explain names the volume of --placed, or the obstacle of a dynamic file, that is in the way', async (context) => {
  const folder = makeFolder(context), at = (name) => join(folder, name);
  writeFileSync(at('rooms.obj'), toObj(makeRooms([[4, 6]])));
  const volumes = [{ kind: 'cylinder', base: [3, -1, 8], radius: 0.5, height: 3, area: 0 }, { kind: 'box', min: [9.5, -0.5, 3.8], max: [11, 1.5, 6.2], area: 0, beforeErosion: true }];
  writeFileSync(at('placed.json'), JSON.stringify({ volumes }));
  const agent = ['--cell-size', '0.1', '--cell-height', '0.1', '--agent-radius', '0.3', '--agent-max-climb', '0.3'], ends = ['--from', '2,0,5', '--to', '18,0,5'];
  await runWell('bake', at('rooms.obj'), '-o', at('baked.walkmesh'), '--placed', at('placed.json'), ...agent);
  const explain = async (/** @type {string} */ file, /** @type {string[]} */ ...more) => (await runWell('path', at(file), ...ends, '--explain', at('rooms.obj'), ...more)).stdout;
  assert.match(await explain('baked.walkmesh', '--placed', at('placed.json')), /^There is no path\. The volume 1 is in the way\. Passes without the volume 1\. \(at 10\.25, 0\.50, 5\.00\)$/m);
  const { navMesh, dynamic } = (await load()).bakeDynamic(makeRooms([[4, 6]]), { cellSize: 0.1, cellHeight: 0.1, agentRadius: 0.3, agentMaxClimb: 0.3, tileSize: 64 });
  const [, { area: _, beforeErosion: __, ...shape }] = volumes;
  const handle = dynamic.addObstacle(shape);
  dynamic.update();
  writeFileSync(at('dynamic.walkmesh'), dynamic.save());
  navMesh.free();
  const [cause] = JSON.parse(await explain('dynamic.walkmesh', '--json')).explanation.causes;
  assert.deepEqual([cause.kind, cause.changes], ['obstacle', [{ kind: 'remove', obstacle: handle, shape: 'box', point: cause.point }]]);
  assert.match(cause.text, /^The box obstacle at \(10\.3, 0\.5, 5\) is in the way\./);
});

test('cli: the example of a --placed file in the documentation is one', async (context) => {
  const folder = makeFolder(context), at = (name) => join(folder, name);
  const example = /```json\n([^]*?)```/.exec(readFileSync(join(ROOT, 'docs', 'command-line.md'), 'utf8'))?.[1];
  writeFileSync(at('placed.json'), String(example));
  await runWell('bake', plaza, '-o', at('x.walkmesh'), '--placed', at('placed.json'));
  const { navMesh } = (await load()).bake({ ...readScene('plaza'), ...JSON.parse(String(example)) }, {});
  assert.deepEqual(new Uint8Array(readFileSync(at('x.walkmesh'))), navMesh.save());
  assert.ok(navMesh.totals.offMeshConnections === 1 && navMesh.polygons().some(({ area }) => area === 5));
  navMesh.free();
});

test('cli: links with the level says what blocks links made by hand', async (context) => {
  const folder = makeFolder(context), at = (name) => join(folder, name);
  writeFileSync(at('gap.obj'), toObj(makeBoxes([[[0, -1, 0], [20, 0, 20]], [[22, -1, 0], [40, 0, 20]], [[20.8, -6, 4], [21.2, 6, 5]]])));
  const agent = ['--cell-size', '0.2', '--cell-height', '0.1', '--agent-radius', '0.4', '--agent-max-climb', '0.4'];
  for (const links of [['--drop', '3'], []]) {
    await runWell('bake', at('gap.obj'), '-o', at('gap.walkmesh'), ...agent, ...links);
    const navMesh = (await load()).loadNavMesh(readFileSync(at('gap.walkmesh')));
    for (const z of [3, 12]) navMesh.addSegmentLink({ kind: 'jump', start: [[19.2, 0, z + 3], [19.2, 0, z]], end: [[22.8, 0, z + 3], [22.8, 0, z]], peak: 0.5 });
    writeFileSync(at('own.walkmesh'), navMesh.save());
    navMesh.free();
    const ask = async (...more) => (await runWell('links', at('own.walkmesh'), ...more)).stdout.split('\n').filter((line) => line.includes('by hand'));
    assert.equal((await ask()).filter((line) => line.includes('blocks')).length, 0, 'unknown without the level');
    const [through, beside] = await ask('--level', at('gap.obj'));
    assert.match(through, /^jump .* by hand, something blocks the jump: headroom is [\d.]+, the body needs [\d.]+ \(at (20|21)\.\d+ [-\d.]+ (3|4|5)\.\d+\)$/);
    assert.match(beside, /^jump .* by hand$/);
    const json = JSON.parse((await runWell('links', at('own.walkmesh'), '--level', at('gap.obj'), '--json')).stdout).filter(({ byHand }) => byHand);
    assert.deepEqual(json.map(({ blocked }) => blocked?.reason), ['blocked', undefined]);
  }
});

test('cli: links warns where the level differs from the mesh near the points, as without --placed', async (context) => {
  const folder = makeFolder(context), at = (name) => join(folder, name);
  writeFileSync(at('gap.obj'), toObj(makeBoxes([[[0, -1, 0], [20, 0, 20]], [[22, -1, 0], [60, 0, 20]]])));
  writeFileSync(at('wall.json'), JSON.stringify({ solids: [{ kind: 'box', min: [22.4, -1, 0], max: [22.8, 2, 20] }] }));
  const agent = ['--cell-size', '0.2', '--cell-height', '0.1', '--agent-radius', '0.4', '--agent-max-climb', '0.4', '--jump', '4'];
  for (const tiles of [[], ['--tile-size', '48']]) {
    await runWell('bake', at('gap.obj'), '-o', at('wall.walkmesh'), '--placed', at('wall.json'), ...agent, ...tiles);
    const ask = (/** @type {string[]} */ ...more) => runWell('links', at('wall.walkmesh'), '--from', '19.2,0,10', '--to', '24,0,10', '--level', at('gap.obj'), ...more);
    assert.match((await ask()).stderr, /^walkmesh: warning: near these points .*gap\.obj isn't the level of the mesh, so the answer may be wrong\. Was it baked with --placed\?\n$/);
    assert.equal((await ask('--placed', at('wall.json'))).stderr, '');
    assert.match((await ask('--placed', at('wall.json'), '--up-axis', 'y')).stdout, /^Something blocks the jump/);
  }
});

test('cli: links of a dynamic file know its obstacles, and do not warn of them', async (context) => {
  const folder = makeFolder(context), at = (name) => join(folder, name);
  writeFileSync(at('gap.obj'), toObj(makeBoxes([[[0, -1, 0], [20, 0, 20]], [[22, -1, 0], [40, 0, 20]]])));
  const walkmesh = await load();
  const config = { cellSize: 0.2, cellHeight: 0.1, agentRadius: 0.4, agentHeight: 1.8, agentMaxClimb: 0.4, tileSize: 48, links: { jump: { maxDistance: 4 } } };
  const { positions, indices } = makeBoxes([[[0, -1, 0], [20, 0, 20]], [[22, -1, 0], [40, 0, 20]]]);
  const { navMesh, dynamic } = walkmesh.bakeDynamic({ positions, indices }, config);
  const own = navMesh.addSegmentLink({ kind: 'jump', start: [[19.2, 0, 12], [19.2, 0, 9]], end: [[22.8, 0, 12], [22.8, 0, 9]], peak: 0.5 });
  assert.ok(own);
  dynamic.addObstacle({ kind: 'box', min: [20.6, -1, 8], max: [21.4, 3, 12] });
  dynamic.addObstacle({ kind: 'box', min: [18, -1, 4], max: [19.5, 3, 6], carving: 'never' });
  dynamic.update();
  writeFileSync(at('crate.walkmesh'), dynamic.save());
  navMesh.free();
  const ask = (/** @type {string[]} */ ...more) => runWell('links', at('crate.walkmesh'), '--level', at('gap.obj'), ...more);
  const why = await ask('--from', '19.4,0,10', '--to', '22.6,0,10');
  assert.equal(why.stderr, '');
  assert.match(why.stdout, /^Something blocks the jump/);
  const beside = await ask('--from', '19.4,0,5', '--to', '22.6,0,5');
  assert.equal(beside.stderr, '');
  assert.match(beside.stdout, /^There is a jump/);
  const list = await ask();
  assert.equal(list.stderr, '');
  assert.match(list.stdout, /by hand, something blocks the jump/);
});

test('cli: links by hand are checked in a mesh whose kinds of links were all switched off', async (context) => {
  const folder = makeFolder(context), at = (name) => join(folder, name);
  const boxes = makeBoxes([[[0, -1, 0], [20, 0, 20]], [[22, -1, 0], [40, 0, 20]], [[20.8, -6, 4], [21.2, 6, 5]]]);
  writeFileSync(at('gap.obj'), toObj(boxes));
  const config = { cellSize: 0.2, cellHeight: 0.1, agentRadius: 0.4, agentHeight: 1.8, agentMaxClimb: 0.4, links: { drop: { maxHeight: 3 } } };
  const { navMesh, linkGenerator } = (await load()).bake(boxes, config, { keepLinkGenerator: true });
  linkGenerator.configure({});
  linkGenerator.generate();
  navMesh.addSegmentLink({ kind: 'jump', start: [[19.2, 0, 6], [19.2, 0, 3]], end: [[22.8, 0, 6], [22.8, 0, 3]], peak: 0.5 });
  writeFileSync(at('own.walkmesh'), navMesh.save());
  navMesh.free();
  assert.match((await runWell('links', at('own.walkmesh'), '--level', at('gap.obj'))).stdout, /by hand, something blocks the jump/);
  await expectFailure(1, /the mesh was baked without links/, 'links', at('own.walkmesh'), '--level', at('gap.obj'), '--from', '1,0,1', '--to', '5,0,1');
});

test('cli: a start or end on ground that the filter excludes, or under a closed door, is not told to be off the mesh', async (context) => {
  const folder = makeFolder(context), file = join(folder, 'door.walkmesh'), svg = join(folder, 'plan.svg');
  const walkmesh = await load();
  const { navMesh } = walkmesh.bake(makeDetour(), DETOUR_CONFIG);
  const [from, to] = DETOUR_ENDS, ends = ['--from', from.join(), '--to', to.join()], near = ['--within', '0.5,2,0.5'];
  const { number } = navMesh.createSwitches().addDoor({ volume: { kind: 'cylinder', base: [to[0], -1, to[2]], radius: 3, height: 4 }, name: 'vault', isOpen: false });
  writeFileSync(file, navMesh.save());
  assert.ok(number > 0);
  assert.match((await runWell('path', file, ...ends, ...near)).stdout, /^unreachable \(the end is on ground that a switch closes\)/);
  assert.match((await runWell('path', file, ...ends, '--exclude-flags', '0xffff')).stdout, /^unreachable \(the start is on ground that the filter excludes\)/);
  assert.match((await runWell('draw', file, '-o', svg, '--path', `${from}:${to}`, '--exclude-flags', '0xffff')).stdout, /the start is on ground that the filter excludes/);
  assert.match((await runWell('path', file, '--from', '-90,0,-90', '--to', to.join(), '--exclude-flags', '0xffff')).stdout, /^unreachable \(the start is not on the mesh/);
  navMesh.free();
});

test('cli: a path to another island ends at the nearest point of its own', async (context) => {
  const folder = makeFolder(context), file = join(folder, 'apart.walkmesh');
  // The end lies beside a long floor, far from where it is entered; a short one is entered nearer to the end.
  writeFileSync(join(folder, 'apart.obj'), toObj(makeBoxes([[[0, -1, 0], [60, 0, 4]], [[0, -1, 4], [4, 0, 20]], [[4, -1, 10], [20, 0, 13]], [[6, -1, 6], [60, 0, 8]]])));
  await runWell('bake', join(folder, 'apart.obj'), '-o', file, '--cell-size', '0.2', '--agent-radius', '0.4', '--max-edge-length', '0');
  const navMesh = (await load()).loadNavMesh(readFileSync(file));
  const start = [2, 0, 18], end = [50, 0, 7];
  const islands = navMesh.islands(), own = islands.of(navMesh.nearestPoint(start).polygon), [tile] = navMesh.tileRefs();
  const mine = navMesh.polygons().map((_, i) => tile + i).filter((polygon) => islands.of(polygon) === own);
  const nearest = Math.min(...mine.map((polygon) => Math.hypot(...navMesh.closestPoint(polygon, end).point.map((value, axis) => value - end[axis]))));
  const { status, points } = JSON.parse((await runWell('path', file, '--from', start.join(), '--to', end.join(), '--json')).stdout);
  const onMesh = navMesh.nearestPoint(end).point;
  assert.equal(status, 'unreachable');
  assert.ok(Math.abs(Math.hypot(...points.at(-1).map((value, axis) => value - onMesh[axis])) - nearest) < 0.2, `${points.at(-1)} ${nearest}`);
  const plain = navMesh.findPath(start, end);
  assert.ok(plain.remaining > nearest + 1, `the search alone ends farther away: ${plain.remaining}, ${nearest}`);
  navMesh.free();
});

test('cli: draw refuses options of paths without a path; a bound is told only where one is proven', async (context) => {
  const folder = makeFolder(context), file = join(folder, 'plaza.walkmesh'), svg = join(folder, 'plan.svg');
  await runWell('bake', plaza, '-o', file);
  for (const option of [['--shortest'], ['--any-angle'], ['--exclude-flags', '1'], ['--within', '1,1,1'], ['--count', '2'], ['--difference', '0.2']]) {
    await expectFailure(2, new RegExp(`${option[0]} needs --path`), 'draw', file, '-o', svg, ...option);
  }
  assert.ok(!existsSync(svg));
  await runWell('draw', file, '-o', svg);
  const ask = async (/** @type {string[]} */ ...more) => JSON.parse((await runWell('path', file, '--from', '2,0,2', '--json', ...more)).stdout);
  assert.ok((await ask('--to', '38,0,38', '--shortest')).bound > 0);
  for (const more of [['--to', '38,0,38'], ['--to', '38,0,38', '--shortest', '--max-nodes', '1'], ['--to', '90,0,90', '--shortest']]) {
    const path = await ask(...more);
    assert.ok(!('bound' in path) || path.status === 'complete', more.join(' '));
  }
});

test('cli: draw shows one floor, a scale and what is drawn', async (context) => {
  const folder = makeFolder(context), file = join(folder, 'floors.walkmesh'), svg = join(folder, 'plan.svg');
  const floor = (/** @type {number} */ y) => /** @type {[number[], number[]]} */ ([[0, y - 0.2, 0], [12, y, 12]]);
  writeFileSync(join(folder, 'floors.obj'), toObj(makeBoxes([floor(0), floor(5)])));
  writeFileSync(join(folder, 'links.json'), JSON.stringify({ cellSize: 0.3, agentRadius: 0.3, links: { drop: { maxHeight: 6 } } }));
  await runWell('bake', join(folder, 'floors.obj'), '-o', file, '--config', join(folder, 'links.json'));
  const draw = async (/** @type {string[]} */ ...more) => {
    const { polygons } = JSON.parse((await runWell('draw', file, '-o', svg, '--json', ...more)).stdout);
    const text = readFileSync(svg, 'utf8');
    return { polygons, drawn: (text.match(/<polygon points="[^"]*" fill="hsl/g) ?? []).length, text };
  };
  const both = await draw(), low = await draw('--heights', '-1,1'), high = await draw('--heights', '4,6');
  assert.ok(low.polygons > 0 && high.polygons > 0 && low.polygons + high.polygons === both.polygons);
  for (const { polygons, drawn, text } of [both, low, high]) {
    assert.equal(drawn, polygons);
    assert.match(text, />2 units, lighter is higher<[^]*>area 0</);
    assert.doesNotMatch(text, />path<|>connection</);
  }
  assert.deepEqual((await draw('--heights', '2,3')).polygons, 0);
  assert.match((await draw('--path', '1,0,1:9,0,9')).text, />path</);
  writeFileSync(join(folder, 'ladder.json'), JSON.stringify({ offMeshConnections: [{ start: [2, 0, 2], end: [4, 5, 4], radius: 0.5 }] }));
  await runWell('bake', join(folder, 'floors.obj'), '-o', file, '--placed', join(folder, 'ladder.json'));
  for (const heights of ['-1,1', '4,6']) assert.match((await draw('--heights', heights)).text, />connection</, 'a ladder is drawn with both of its floors');
  assert.doesNotMatch((await draw('--heights', '2,3')).text, />connection</);
  writeFileSync(join(folder, 'lane.obj'), toObj(makeBoxes([[[0, -0.2, 0], [2.5, 0, 120]]])));
  await runWell('bake', join(folder, 'lane.obj'), '-o', file);
  assert.ok(Number(/ width="([\d.]+)"/.exec((await draw()).text)?.[1]) > 200, 'the text of the scale is wider than the plan');
  // Two floors beside each other: the drops from the upper one end where nothing of the lower one is drawn.
  writeFileSync(join(folder, 'beside.obj'), toObj(makeBoxes([[[0, 4.8, 0], [6, 5, 12]], [[6, -0.2, 0], [14, 0, 12]]])));
  await runWell('bake', join(folder, 'beside.obj'), '-o', file, '--config', join(folder, 'links.json'));
  const { text: above } = await draw('--heights', '4,6');
  const [wide, tall] = [/ width="([\d.]+)"/, / height="([\d.]+)"/].map((pattern) => Number(pattern.exec(above)?.[1]));
  const ends = [...above.split('<g class="legend">')[0].matchAll(/<g class="drop"><polygon points="([^"]*)"/g)].flatMap(([, points]) => points.split(' ').map((point) => point.split(',').map(Number)));
  assert.ok(ends.length > 0 && ends.every(([x, z]) => x >= 0 && x <= wide && z >= 0 && z <= tall), `${ends} in ${wide} x ${tall}`);
  for (const heights of ['3', '3,1', '1,2,3', 'a,b']) await expectFailure(2, /--heights/, 'draw', file, '-o', svg, '--heights', heights);
});

test('cli: warnings name options, a graph of one tile warns, and two ways to shorten exclude each other', async (context) => {
  const folder = makeFolder(context), file = join(folder, 'x.walkmesh'), wall = join(folder, 'wall.obj');
  writeFileSync(wall, toObj({ positions: [0, 0, 0, 9, 0, 0, 9, 9, 0, 0, 9, 0], indices: [0, 1, 2, 0, 2, 3] }));
  await expectFailure(1, /is z up\? Set --up-axis z/, 'bake', wall, '-o', file);
  assert.match((await runWell('bake', plaza, '-o', file, '--up-axis', 'z')).stderr, /is y up\? Set --up-axis y/);
  await runWell('bake', plaza, '-o', file);
  assert.match((await runWell('graph', file, '-o', join(folder, 'x.wgraph'))).stderr, /single tile.*--tile-size/);
  await runWell('bake', plaza, '-o', file, '--tile-size', '32');
  assert.equal((await runWell('graph', file, '-o', join(folder, 'x.wgraph'))).stderr, '');
  await expectFailure(2, /--any-angle.*--shortest|--shortest.*--any-angle/, 'path', file, '--from', '2,0,2', '--to', '8,0,8', '--shortest', '--any-angle');
});

test('cli: a result goes to standard output alone, and the summary to standard error', async (context) => {
  const folder = makeFolder(context), file = join(folder, 'plaza.walkmesh');
  await runWell('bake', plaza, '-o', file, '--tile-size', '32');
  const toOutput = (/** @type {string[]} */ ...args) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(ROOT, 'js', 'cli.js'), ...args]);
    assert.equal(status, 0, stderr.toString());
    return { bytes: stdout, told: stderr.toString() };
  };
  for (const name of ['-', '/dev/stdout']) {
    const { bytes, told } = toOutput('bake', plaza, '-o', name, '--tile-size', '32', '--report');
    assert.deepEqual(bytes, readFileSync(file), name);
    assert.match(told, /^stage .*\n[^]*: \d+ polygons in \d+ tiles/);
  }
  assert.equal(JSON.parse(toOutput('convert', file, '-', '--json').told).format, 'walkmesh');
  assert.match(toOutput('graph', file, '-o', '-').told, /entrances/);
  const { bytes: svg, told } = toOutput('draw', file, '-o', '-', '--path', '2,0,2:8,0,8');
  assert.match(svg.toString(), /^<svg [^]*<\/svg>\n$/);
  assert.match(told, /^path complete[^]*polygons/);
  const shell = spawnSync('sh', ['-c', '"$0" "$@" | head -c 4', process.execPath, join(ROOT, 'js', 'cli.js'), 'bake', plaza, '-o', '-'], { encoding: 'utf8' });
  assert.doesNotMatch(shell.stderr, /cannot write/, 'a reader that has read enough is no error');
  if (existsSync('/dev/full')) {
    const full = spawnSync('sh', ['-c', '"$0" "$@" > /dev/full', process.execPath, join(ROOT, 'js', 'cli.js'), 'convert', file, '-'], { encoding: 'utf8' });
    assert.deepEqual([full.status, full.stderr], [1, 'walkmesh: cannot write the output (ENOSPC)\n']);
  }
});

test('cli: info tells the bounds of the polygons beside those of the tiles', async (context) => {
  const file = join(makeFolder(context), 'plaza.walkmesh');
  await runWell('bake', plaza, '-o', file, '--tile-size', '32', '--agent-radius', '0.6');
  const { bounds, totals } = JSON.parse((await runWell('info', file, '--json')).stdout);
  const { navMesh } = (await load()).bake(readScene('plaza'), { tileSize: 32, agentRadius: 0.6 });
  const xs = navMesh.polygons().flatMap(({ vertices }) => Array.from(vertices).filter((_, i) => i % 3 === 0));
  assert.deepEqual([bounds.min[0], bounds.max[0]], [Math.min(...xs), Math.max(...xs)]);
  for (const axis of [0, 1, 2]) assert.ok(bounds.min[axis] >= totals.boundsMin[axis] && bounds.max[axis] <= totals.boundsMax[axis]);
  assert.ok(totals.boundsMin[0] < bounds.min[0], 'the mesh ends the agent radius before the level');
  assert.match((await runWell('info', file)).stdout, /^bounds of polygons +-?\d/m);
  for (const ref of navMesh.tileRefs()) navMesh.removeTile(ref);
  writeFileSync(file, navMesh.save());
  navMesh.free();
  assert.match((await runWell('info', file)).stdout, /^bounds of polygons +none/m);
  assert.match((await runWell('info', file)).stdout, /^islands +0$/m);
});

test('cli: info tells the area and a point of each island, the largest first', async (context) => {
  const file = join(makeFolder(context), 'islands.walkmesh');
  await runWell('bake', join(SCENES, 'islands.obj'), '-o', file, '--cell-size', '0.3');
  const { islands } = JSON.parse((await runWell('info', file, '--json')).stdout), { navMesh } = (await load()).bake(readScene('islands'), { cellSize: 0.3 });
  const own = navMesh.islands();
  assert.deepEqual(islands, Array.from({ length: own.count }, (_, i) => ({ area: own.area(i + 1), point: own.point(i + 1)?.point })));
  assert.ok(islands.length > 1 && islands.every((/** @type {any} */ { area }, /** @type {number} */ i) => i === 0 || area <= islands[i - 1].area));
  navMesh.free();
  const { stdout } = await runWell('info', file), rows = stdout.split('\n').filter((line) => / square units at -?[\d.]+, -?[\d.]+, -?[\d.]+$/.test(line));
  assert.match(stdout, new RegExp(`^islands +${islands.length}: [\\d.,]+ square units at `, 'm'));
  assert.equal(rows.length, Math.min(islands.length, 8));
  assert.equal(stdout.includes(`... and ${islands.length - 8} smaller ones`), islands.length > 8);
});

test('cli: no result is written over a level, or over a file that is read', async (context) => {
  const folder = makeFolder(context), at = (/** @type {string} */ name) => join(folder, name);
  const level = readFileSync(plaza, 'utf8');
  writeFileSync(at('level.obj'), level);
  writeFileSync(at('config.json'), '{"cellSize":0.3}');
  await runWell('bake', plaza, '-o', at('plaza.walkmesh'));
  const mesh = readFileSync(at('plaza.walkmesh'));
  for (const args of [['bake', at('level.obj'), '-o', at('level.obj')], ['bake', at('level.obj'), '-o', at('other.glb')], ['bake', at('level.obj'), '-o', at('LEVEL.OBJ'), '--format', 'detour'],
    ['convert', at('plaza.walkmesh'), at('x.gltf')]]) {
    await expectFailure(2, /is the name of a level: choose another one for the output/, ...args);
  }
  for (const args of [['bake', at('level.obj'), '-o', at('config.json'), '--config', at('config.json')], ['convert', at('plaza.walkmesh'), at('./plaza.walkmesh')],
    ['graph', at('plaza.walkmesh'), '-o', at('plaza.walkmesh')]]) {
    await expectFailure(2, /would be overwritten, and is read/, ...args);
  }
  const [positions, indices] = [Float32Array.of(0, 0, 0, 0, 0, 9, 9, 0, 9), Uint32Array.of(0, 1, 2)], buffer = Buffer.concat([positions, indices].map(({ buffer: part }) => Buffer.from(part)));
  writeFileSync(at('yard.bin'), buffer);
  writeFileSync(at('yard.gltf'), JSON.stringify({ asset: { version: '2.0' }, scene: 0, scenes: [{ nodes: [0] }], nodes: [{ mesh: 0 }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1 }] }], buffers: [{ uri: 'yard.bin', byteLength: 48 }],
    bufferViews: [{ buffer: 0, byteLength: 36 }, { buffer: 0, byteOffset: 36, byteLength: 12 }],
    accessors: [{ bufferView: 0, componentType: 5126, count: 3, type: 'VEC3', min: [0, 0, 0], max: [9, 0, 9] }, { bufferView: 1, componentType: 5125, count: 3, type: 'SCALAR' }] }));
  await expectFailure(2, /yard.bin would be overwritten, and is read/, 'bake', at('yard.gltf'), '-o', at('yard.bin'));
  assert.deepEqual(readFileSync(at('yard.bin')), buffer);
  await runWell('bake', at('yard.gltf'), '-o', at('mesh.bin'));
  for (const name of ['yard.bin', 'yard.gltf', 'mesh.bin']) rmSync(at(name));
  assert.equal(readFileSync(at('level.obj'), 'utf8'), level);
  assert.deepEqual(readFileSync(at('plaza.walkmesh')), mesh);
  assert.deepEqual(readdirSync(folder).sort(), ['config.json', 'level.obj', 'plaza.walkmesh']);
  await runWell('bake', at('level.obj'), '-o', at('plaza.walkmesh'));
});

test('cli: check refuses the level of another mesh, and paths tell how far the mesh is', async (context) => {
  const folder = makeFolder(context), file = join(folder, 'plaza.walkmesh');
  await runWell('bake', plaza, '-o', file);
  writeFileSync(join(folder, 'other.obj'), toObj(makeBoxes([[[500, 0, 500], [540, 1, 540]]])));
  await expectFailure(1, /isn't the level of this mesh/, 'check', file, '--level', join(folder, 'other.obj'));
  assert.match((await runWell('path', file, '--from', '2,0,2', '--to', '2,30,2')).stdout, /the end is not on the mesh; the nearest ground is 2\d\.\d\d units away, see --within\)/);
});

test('cli: bake ends at limits, whichever way it bakes, and writes nothing', async (context) => {
  const output = join(makeFolder(context), 'x.walkmesh');
  for (const more of [[], ['--tile-size', '48']]) {
    const bake = ['bake', plaza, '-o', output, ...more];
    const { voxels: { width, depth }, tiles: { x, z } } = JSON.parse((await runWell(...bake, '--json')).stdout);
    await runWell(...bake, '--limit-cells', String(width * depth), '--limit-tiles', String(x * z), '--limit-milliseconds', '100000');
    rmSync(output);
    await expectFailure(1, /limits\.cells is \d+\. Raise cellSize/, ...bake, '--limit-cells', String(width * depth - 1));
    if (x * z > 1) await expectFailure(1, /limits\.tiles is 8/, ...bake, '--limit-tiles', String(x * z - 1));
    await expectFailure(1, /longer than limits\.milliseconds \(0\.001\)/, ...bake, '--limit-milliseconds', '0.001');
    assert.ok(!existsSync(output));
  }
  await expectFailure(1, /limits\.tiles is 0: must be a number above 0/, 'bake', plaza, '-o', output, '--limit-tiles', '0');
  await expectFailure(2, /not a number/, 'bake', plaza, '-o', output, '--limit-cells', 'few');
});

test('cli: bake takes what is placed in a level from a file', async (context) => {
  const folder = makeFolder(context);
  const at = (name) => join(folder, name);
  const write = (name, value) => (writeFileSync(at(name), typeof value === 'string' ? value : JSON.stringify(value)), at(name));
  const placed = {
    volumes: [{ kind: 'box', min: [5, -1, 5], max: [12, 3, 12], area: 4 }],
    solids: [{ kind: 'sphere', centre: [20, 0, 20], radius: 2 }],
    offMeshConnections: [{ start: [2, 0, 2], end: [30, 0, 30], radius: 0.5, bidirectional: false }],
    areaFlags: { 4: 2 },
  };
  await runWell('bake', plaza, '-o', at('placed.walkmesh'), '--placed', write('placed.json', placed));
  const { navMesh } = (await load()).bake({ ...readScene('plaza'), ...placed }, {});
  assert.deepEqual(new Uint8Array(readFileSync(at('placed.walkmesh'))), navMesh.save());
  navMesh.free();
  const bake = ['bake', plaza, '-o', at('none.walkmesh'), '--placed'];
  await expectFailure(1, /cannot read .*nothing\.json/, ...bake, at('nothing.json'));
  for (const [name, text] of [['list.json', '[]'], ['number.json', '5']]) {
    await expectFailure(1, /must be a JSON object of volumes, solids/, ...bake, write(name, text));
  }
  for (const [text, place] of /** @type {[string, RegExp][]} */ ([
    ['volumes', /line 1, column 1: isn't JSON\. Expected a value/], ['', /line 1, column 1: .*a value/],
    ['{\n  "solids": [\n    { "kind": "box", },\n  ]\n}', /line 3, column 22: .*a name in quotes/], ['{"solids": [1 2]}', /line 1, column 15: .*, or \]/],
    ['{"solids": []', /line 1, column 14: .*, or \}/], ['{} []', /line 1, column 4: .*the end/], ['{"a" 1}', /column 6: .*:/], ['{"a": 01}', /column 8: /],
    ['{"a": "\\x"}', /column 7: .*a value/], ['{"a": tru}', /column 7: /], ["{'a': 1}", /column 2: .*a name in quotes or \}/],
  ])) await expectFailure(1, place, ...bake, write('broken.json', text));
  await expectFailure(1, /volume is not a field: did you mean volumes/, ...bake, write('misspelt.json', { volume: [] }));
  await expectFailure(1, /volumes\[0\]\.kind/, ...bake, write('kind.json', { volumes: [{ kind: 'cube', area: 1 }] }));
  await expectFailure(1, /offMeshConnections/, ...bake, write('connections.json', { offMeshConnections: {} }));
  assert.ok(!existsSync(at('none.walkmesh')));
});

test('cli: files of dynamic meshes are opened as any other', async (context) => {
  const folder = makeFolder(context);
  const { navMesh, dynamic } = (await load()).bakeDynamic(readScene('plaza'), { tileSize: 48 });
  dynamic.addObstacle({ kind: 'box', min: [18, -1, 18], max: [20, 2, 20] });
  dynamic.update();
  writeFileSync(join(folder, 'yard.walkmesh'), dynamic.save());
  assert.match((await runWell('info', join(folder, 'yard.walkmesh'))).stdout, /Walkmesh, dynamic/);
  await runWell('convert', join(folder, 'yard.walkmesh'), join(folder, 'set.bin'));
  assert.deepEqual(new Uint8Array(readFileSync(join(folder, 'set.bin'))), navMesh.exportDetour());
  navMesh.free();
});

test('cli: every configuration field is an option, and files of them', async (context) => {
  const folder = makeFolder(context);
  const help = (await runWell('bake', '--help')).stdout;
  const changed = { cellSize: 0.25, cellHeight: 0.15, agentHeight: 1.8, agentRadius: 0.5, agentMaxClimb: 0.6, agentMaxSlope: 50,
    partition: 'chunky', chunkSize: 12, minRegionSize: 4, mergeRegionSize: 10, maxEdgeLength: 8, maxEdgeError: 1.1,
    maxVerticesPerPolygon: 5, detailSampleDistance: 4, detailMaxError: 0.5, tileSize: 40, filterLowHangingObstacles: false,
    filterLedges: false, filterLowHeight: false, medianFilter: true, heights: 'surface' };
  const options = CONFIG_FIELDS.flatMap(({ name }) => {
    const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    assert.ok(help.includes(flag), flag);
    const value = changed[name];
    if (value === true) return [flag];
    return [flag, value === false ? 'off' : String(value)];
  });
  const output = join(folder, 'mesh.walkmesh');
  const byOptions = JSON.parse((await runWell('bake', plaza, '-o', output, '--json', ...options)).stdout);
  assert.deepEqual(byOptions.config, { ...changed, bounds: { min: byOptions.voxels.boundsMin, max: byOptions.voxels.boundsMax, above: true } });
  const file = join(folder, 'config.json');
  const bounds = { min: [0, 0, 0], max: [20, 3, 20] };
  writeFileSync(file, JSON.stringify({ ...changed, bounds }));
  const byFile = JSON.parse((await runWell('bake', plaza, '-o', output, '--json', '--config', file, '--cell-size', '0.3')).stdout);
  assert.deepEqual(byFile.config, { ...changed, cellSize: 0.3, bounds });
  assert.deepEqual(byFile.voxels.boundsMax, [20, 3, 20]);
  const byBounds = JSON.parse((await runWell('bake', plaza, '-o', output, '--json', '--bounds', '0,-1,0,10,3,10')).stdout);
  assert.deepEqual(byBounds.voxels.boundsMin, [0, -1, 0]);
});

test('cli: stages writes the arrays of the golden figures', async (context) => {
  const folder = makeFolder(context);
  for (const [scene, name, options] of [['plaza', 'default', []], ['holes', 'layers', ['--partition', 'layers']],
    ['plaza', 'tiled48', ['--tile-size', '48']], ['soup', 'coarse', ['--cell-size', '.5', '--cell-height', '.4',
      '--agent-radius', '.5', '--agent-max-climb', '.8']]]) {
    const out = join(folder, `${scene}-${name}`);
    await runWell('stages', join(SCENES, `${scene}.obj`), out, ...options);
    const figures = synthetic[scene][name];
    const summary = JSON.parse(readFileSync(join(out, 'summary.json'), 'utf8'));
    const { heightfield_layers: layers, ...arrays } = summary.arrays; // not in the golden figures
    assert.deepEqual(arrays, figures.arrays, `${scene} ${name}`);
    assert.equal(layers === undefined, options.includes('--tile-size'));
    const files = Object.keys(summary.arrays).map((array) => `${array}.bin`);
    assert.deepEqual(summary.params, figures.params);
    assert.deepEqual(readdirSync(out).sort(), [...files, 'summary.json'].sort());
    for (const [array, { bytes }] of Object.entries(figures.arrays)) assert.equal(readFileSync(join(out, `${array}.bin`)).length, bytes);
  }
});

test('cli: bad usage ends with 2 and one line', async () => {
  await expectFailure(2, /output/, 'bake', plaza);
  await expectFailure(2, /unknown option '--cel-size'/, 'bake', plaza, '-o', 'x', '--cel-size', '1');
  await expectFailure(2, /not a number/, 'bake', plaza, '-o', 'x', '--cell-size', 'big');
  await expectFailure(2, /unknown command/, 'bakes');
  for (const workers of ['-1', '65', '1.5', 'many']) {
    await expectFailure(2, /workers/, 'bake', plaza, '-o', 'x', '--tile-size', '48', `--workers=${workers}`);
  }
  await expectFailure(2, /set --tile-size/, 'bake', plaza, '-o', 'x', '--workers', '2');
  await expectFailure(2, /missing required argument/, 'info');
  await expectFailure(2, /3 numbers/, 'path', 'x', '--from', '1,2', '--to', '1,2,3');
  await expectFailure(2, /walkmesh, detour/, 'convert', 'a', 'b', '--format', 'xml');
});

test('cli: bad usage names the help of its command, a missing argument before a missing option, and the option that took it', async () => {
  await expectFailure(2, /^walkmesh: missing required argument 'level'\. See walkmesh bake --help$/m, 'bake');
  await expectFailure(2, /^walkmesh: required option '-o, --output <file>' not specified\. See walkmesh bake --help$/m, 'bake', plaza);
  await expectFailure(2, /^walkmesh: unknown command 'bakes' \(Did you mean bake\?\)\. See walkmesh --help$/m, 'bakes');
  await expectFailure(2, /set --tile-size\. See walkmesh bake --help$/m, 'bake', plaza, '-o', 'x', '--workers', '2');
  await expectFailure(2, /missing required argument 'navmesh': --explain has taken a\.walkmesh\. Write --explain last, or --explain=VALUE\. See walkmesh path --help/,
    'path', '--explain', 'a.walkmesh', '--from', '1,2,3', '--to', '1,2,3');
  for (const [command, pattern] of [['convert', /output +the navigation mesh to write/], ['stages', /folder +write the arrays to this folder/]]) {
    assert.match((await runWell(command, '--help')).stdout, pattern);
  }
});

test('cli: failed work ends with 1 and one line, and writes nothing', async (context) => {
  const folder = makeFolder(context);
  const at = (name) => join(folder, name);
  writeFileSync(at('empty.obj'), '');
  writeFileSync(at('text.obj'), 'dear diary\n');
  writeFileSync(at('text.walkmesh'), 'dear diary\n');
  writeFileSync(at('broken.json'), '{"cellSize": ');
  writeFileSync(at('typo.json'), '{"cellSise": 1}');
  await runWell('bake', plaza, '-o', at('good.walkmesh'));
  const good = readFileSync(at('good.walkmesh'));
  writeFileSync(at('cut.walkmesh'), good.subarray(0, good.length / 2));
  const bake = (pattern, level, ...options) => expectFailure(1, pattern, 'bake', level, '-o', at('out'), ...options);
  await bake(/does not exist/, at('missing.obj'));
  await bake(/is empty/, at('empty.obj'));
  await bake(/no vertices/, at('text.obj'));
  writeFileSync(at('face.obj'), 'v 0 0 0\nv 0 0 1\nv 1 0 1\nf 1 2 99\n');
  await bake(/line 4 names vertex 99, and 3 vertices precede it/, at('face.obj'));
  await bake(/use \.obj, \.glb or \.gltf/, at('good.walkmesh'));
  await bake(/cellSize is 0/, plaza, '--cell-size', '0');
  await bake(/cellSize is NaN/, plaza, '--cell-size', 'NaN');
  await bake(/agentRadius is -1/, plaza, '--agent-radius', '-1');
  await bake(/JSON/, plaza, '--config', at('broken.json'));
  await bake(/did you mean cellSize/, plaza, '--config', at('typo.json'));
  await bake(/cannot read/, plaza, '--config', at('none.json'));
  await bake(/partition/, plaza, '--partition', 'x');
  assert.ok(!existsSync(at('out')));
  await expectFailure(1, /cannot write/, 'bake', plaza, '-o', at('no/such/folder/out'));
  await expectFailure(1, /does not exist/, 'info', at('missing'));
  await expectFailure(1, /not a navigation mesh/, 'info', at('text.walkmesh'));
  await expectFailure(1, /is damaged/, 'path', at('cut.walkmesh'), '--from', '0,0,0', '--to', '1,0,1');
  await expectFailure(2, /x\.png: draw writes SVG, so the name must end in \.svg/, 'draw', at('plaza.walkmesh'), '-o', at('x.png'));
  writeFileSync(at('world.wgraph'), 'WTGR');
  await expectFailure(1, /is a tile graph, not a navigation mesh/, 'info', at('world.wgraph'));
  await expectFailure(1, /is empty/, 'draw', at('empty.obj'), '-o', at('out'));
  mkdirSync(at('folder'));
  await expectFailure(1, /is a folder/, 'info', at('folder'));
});

test('cli: an empty mesh is written, with warnings that say why', async (context) => {
  const output = join(makeFolder(context), 'empty.walkmesh');
  const { stderr, stdout } = await runWell('bake', plaza, '-o', output, '--agent-radius', '30');
  assert.match(stderr, /narrower than twice agentRadius \(30\)/);
  assert.match(stdout, /0 polygons/);
  assert.match((await runWell('info', output)).stdout, /polygons +0/);
});
