/**
 * Levels whose up axis is not y: `upAxis: 'z'` gives the bytes of the upright level wherever levels come in, and of a level that
 * faces any other way, turned or mirrored, a message names that and a remedy that works.
 */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { main } from '../../js/cli/main.js';
import { MemoryTileCache, checkNavMesh, load } from '../../js/index.js';
import { describeFacing, directionOf } from '../../js/input/facing.js';
import { countClosedParts } from '../../js/input/closed-parts.js';
import { findFacingOf, toTriangles } from '../../js/input/geometry.js';
import { levelFacing } from '../../js/level/index.js';
import { instantiate } from '../../js/loader.js';
import { Session } from '../../js/runtime/session.js';
import { makeBoxes } from './rooms.js';
import { joinLevels, makeFolder, makeGround, readScene } from './support.js';

const walkmesh = await load();
const CONFIG = { cellSize: 0.4, agentRadius: 0.4 };
const COARSE = { cellSize: 1, agentRadius: 1 };
const TILED = { ...CONFIG, tileSize: 48 };

/** A level with each vertex replaced; + 0: never -0, which is other bytes. @param {(x: number, y: number, z: number) => number[]} map */
const turn = ({ positions, ...rest }, map) => ({
  ...rest, positions: Float32Array.from(positions, (_, i) => map(...positions.subarray(i - (i % 3), i - (i % 3) + 3))[i % 3] + 0),
});
/** A level with the winding of its triangles flipped. */
const swap = ({ indices, ...rest }) => ({ ...rest, indices: indices.map((_, i) => indices[i - (i % 3) + [0, 2, 1][i % 3]]) });
/** A level with y up, as it is with z up. */
const toZUp = (level) => turn(level, (x, y, z) => [x, -z, y]);

const upright = turn(readScene('plaza'), (x, y, z) => [x, y, z]);
const zUp = { ...toZUp(upright), upAxis: 'z' };

/** The bytes of a mesh, which is freed, and those of its dynamic mesh. */
function bytesOf({ navMesh, dynamic }) {
  const bytes = (dynamic ?? navMesh).save();
  navMesh.free();
  return bytes;
}

/** Where a level comes in: each returns bytes. @type {Record<string, (level: import('../../js/index.js').Geometry) => any>} */
const BAKES = {
  bake: (level) => bytesOf(walkmesh.bake(level, CONFIG)),
  'bake in tiles': (level) => bytesOf(walkmesh.bake(level, TILED)),
  'bakeTiled here': async (level) => bytesOf(await walkmesh.bakeTiled(level, TILED, { workers: 0 })),
  'bakeTiled in workers': async (level) => bytesOf(await walkmesh.bakeTiled(level, TILED, { workers: 2 })),
  bakeAsync: async (level) => bytesOf(await walkmesh.bakeAsync(level, CONFIG, { workers: 1 })),
  bakeDynamic: (level) => bytesOf(walkmesh.bakeDynamic(level, TILED)),
  bakeDynamicAsync: async (level) => bytesOf(await walkmesh.bakeDynamicAsync(level, TILED, { workers: 1 })),
  'surface heights': (level) => bytesOf(walkmesh.bake(level, { ...CONFIG, heights: 'surface' })),
  createBaker: (level) => {
    const baker = walkmesh.createBaker(level, TILED);
    const hash = baker.hashTile(1, 1);
    baker.free();
    return hash;
  },
};

for (const [name, bake] of Object.entries(BAKES)) {
  test(`up axis: ${name} of a level with z up gives the bytes of the upright one`, async () => {
    const bytes = await bake(upright);
    assert.deepEqual(await bake(zUp), bytes);
    assert.notDeepEqual(await bake({ ...zUp, positions: zUp.positions.map((value, i) => value + (i % 3 === 2 ? i / 1e5 : 0)) }), bytes);
  });
}

test('up axis: tiles of sources that bake on demand, with and without workers', async (context) => {
  const pool = await walkmesh.createWorkerPool({ workers: 1 });
  context.after(() => pool.free());
  for (const create of ['createBakeSource', 'createDynamicBakeSource']) {
    for (const options of [{}, { workers: pool }]) {
      const [one, other] = await Promise.all([upright, zUp].map((level) => walkmesh[create](level, TILED, options)));
      for (const [x, z] of [[0, 0], [1, 1]]) assert.deepEqual(await one.tile(x, z), await other.tile(x, z));
      for (const source of [one, other]) {
        await source.free();
        source.navMesh.free();
      }
    }
  }
});

test('up axis: positions in any form', () => {
  const bytes = bytesOf(walkmesh.bake(upright, CONFIG));
  const wide = new Float32Array(zUp.positions.length / 3 * 5 - 2).fill(7);
  for (let i = 0; i < zUp.positions.length; i++) wide[Math.floor(i / 3) * 5 + i % 3] = zUp.positions[i];
  const list = Array.from({ length: zUp.positions.length / 3 }, (_, i) => [...zUp.positions.subarray(3 * i, 3 * i + 3)]);
  for (const positions of [wide, Array.from(zUp.positions), Float64Array.from(zUp.positions), list]) {
    const before = structuredClone(positions);
    assert.deepEqual(bytesOf(walkmesh.bake({ ...zUp, positions, stride: positions === wide ? 5 : 3 }, CONFIG)), bytes);
    assert.deepEqual(positions, before, 'the arrays of the caller stay');
  }
  const single = Float32Array.from(zUp.indices, (index, i) => index).length;
  const triangles = Float32Array.from({ length: 3 * single }, (_, i) => zUp.positions[3 * zUp.indices[Math.floor(i / 3)] + i % 3]);
  assert.deepEqual(bytesOf(walkmesh.bake({ positions: triangles, upAxis: 'z' }, CONFIG)), bytes);
});

test('up axis: a large level is turned in more than one portion', () => {
  const side = 300; // 90,601 vertices
  const positions = Float32Array.from({ length: 3 * (side + 1) ** 2 }, (_, i) => {
    const vertex = Math.floor(i / 3), x = vertex % (side + 1), z = Math.floor(vertex / (side + 1));
    return 0.2 * [x, 3 + Math.sin(x / 9) + Math.cos(z / 7), z][i % 3];
  });
  const indices = Uint32Array.from({ length: 6 * side * side }, (_, i) => {
    const cell = Math.floor(i / 6), corner = cell % side + Math.floor(cell / side) * (side + 1);
    return corner + [0, side + 1, 1, 1, side + 1, side + 2][i % 6];
  });
  const level = { positions, indices };
  assert.deepEqual(bytesOf(walkmesh.bake({ ...toZUp(level), upAxis: 'z' }, COARSE)), bytesOf(walkmesh.bake(level, COARSE)));
});

test('up axis: a cache has one key for both, and another one for the same positions with y up', async () => {
  const cache = new MemoryTileCache();
  const bake = async (level) => {
    const { navMesh, report } = await walkmesh.bakeTiled(level, TILED, { workers: 0, cache });
    navMesh.free();
    return report.tiles;
  };
  const { built, x, z } = await bake(upright);
  assert.ok(built > 0);
  assert.equal((await bake(zUp)).cached, x * z);
  assert.equal((await bake({ ...zUp, upAxis: 'y' })).cached ?? 0, 0);
});

test('up axis: only positions are turned, not what is placed in the level, nor bounds', () => {
  const placed = {
    solids: [{ kind: 'box', min: [4, 0, 4], max: [7, 1, 7] }],
    volumes: [{ kind: 'cylinder', base: [20, -1, 20], radius: 3, height: 5, area: 5 }],
    offMeshConnections: [{ start: [3, 0, 12], end: [30, 0, 30], radius: 2 }],
  };
  const config = { ...CONFIG, bounds: { min: [0, -2, 0], max: [35, 6, 38] } };
  const { navMesh, report } = walkmesh.bake({ ...upright, ...placed }, config);
  assert.equal(navMesh.totals.offMeshConnections, 1);
  const other = walkmesh.bake({ ...zUp, ...placed }, config);
  assert.deepEqual(other.report.warnings, report.warnings);
  assert.deepEqual(bytesOf(other), bytesOf({ navMesh }));
});

test('up axis: a rebake and a check take it too', async () => {
  const { navMesh } = await walkmesh.bakeTiled(zUp, TILED, { workers: 0 });
  const { report, changed } = await walkmesh.rebake(navMesh, zUp, { workers: 0 });
  assert.equal(changed.length, 0);
  assert.deepEqual(report.warnings, []);
  const moved = turn(zUp, (x, y, z) => [x, y, z < 0.5 ? z - 9 : z]);
  assert.match((await walkmesh.rebake(navMesh, moved, { workers: 0 })).report.warnings.join('\n'), /part of the level lies outside the bounds/);
  await walkmesh.rebake(navMesh, zUp, { workers: 0 });
  assert.equal(checkNavMesh(navMesh, { geometry: zUp }).isSound, true);
  navMesh.free();
});

test('up axis: any other is refused, and numbers at fault are named as they were given', () => {
  for (const upAxis of ['x', 'Z', null, 2]) {
    assert.throws(() => walkmesh.bake({ ...zUp, upAxis }, CONFIG), { code: 'invalid-argument', field: 'upAxis', message: /^upAxis is .*: must be y, z$/ });
  }
  const positions = zUp.positions.slice();
  positions[7] = NaN;
  assert.throws(() => walkmesh.bake({ ...zUp, positions }, CONFIG), { code: 'geometry', message: 'positions[7] is NaN: must be finite' });
});

test('up axis: the command line', async (context) => {
  const folder = makeFolder(context);
  const writeObj = (name, { positions, indices }) => {
    const rows = [];
    for (let i = 0; i < positions.length; i += 3) rows.push(`v ${positions.slice(i, i + 3).join(' ')}`);
    for (let i = 0; i < indices.length; i += 3) rows.push(`f ${Array.from(indices.slice(i, i + 3), (index) => index + 1).join(' ')}`);
    writeFileSync(join(folder, name), rows.join('\n'));
  };
  writeObj('upright.obj', upright);
  writeObj('z-up.obj', zUp);
  const { log, error } = console;
  console.log = console.error = () => {};
  context.after(() => Object.assign(console, { log, error }));
  const run = (...args) => main(args, new URL('../../package.json', import.meta.url));
  const out = (name) => join(folder, name);
  assert.equal(await run('bake', out('upright.obj'), '-o', out('upright.walkmesh')), 0);
  assert.equal(await run('bake', out('z-up.obj'), '--up-axis', 'z', '-o', out('z-up.walkmesh')), 0);
  assert.deepEqual(readFileSync(out('z-up.walkmesh')), readFileSync(out('upright.walkmesh')));
  assert.equal(await run('check', out('z-up.walkmesh'), '--level', out('z-up.obj'), '--up-axis', 'z'), 0);
  assert.equal(await run('bake', out('z-up.obj'), '--up-axis', 'x', '-o', out('x.walkmesh')), 2);
});

// ---- Levels that face another way -----------------------------------------------------------------------------

/** A level with y up, as it is if another direction is up. @type {Record<string, (x: number, y: number, z: number) => number[]>} */
const DIRECTIONS = {
  '+y': (x, y, z) => [x, y, z], '-y': (x, y, z) => [x, -y, -z], '+z': (x, y, z) => [x, -z, y], '-z': (x, y, z) => [x, z, -y],
  '+x': (x, y, z) => [y, -x, z], '-x': (x, y, z) => [-y, x, z],
};
const mirror = (level) => turn(level, (x, y, z) => [-x, y, z]);

/** What a message proposes: the coordinates, as '-y, x, z'. @param {string} text */
function readTurn(text) {
  const words = text.split(', ');
  return (x, y, z) => words.map((word) => (word.startsWith('-') ? -1 : 1) * { x, y, z }[word.at(-1)]);
}

/** Does what a message says. @param {any} level @param {string} message @param {boolean} isMirrored */
function mend(level, message, isMirrored) {
  const [, upAxis = level.upAxis] = /Set upAxis: '(.)'/.exec(message) ?? [];
  const [, plain] = /[tT]urn x, y, z to (-?., -?., -?.)/.exec(message) ?? [];
  const [, mirrored] = /if it is mirrored, to (-?., -?., -?.), and swap/.exec(message) ?? [];
  const wanted = isMirrored && /mirrored/.test(message) ? mirrored : plain;
  const turned = wanted ? turn(level, readTurn(wanted)) : level;
  return { ...(isMirrored && /swap two indices/.test(message) ? swap(turned) : turned), ...(upAxis && { upAxis }) };
}

const FACING = /the level faces|most triangles face down/;
/** The message about the way that a level faces, of the error or of a warning; undefined: none. */
function facingOf(level, config) {
  try {
    const { navMesh, report } = walkmesh.bake(level, config);
    navMesh.free();
    const found = report.warnings.filter((warning) => FACING.test(warning));
    assert.ok(found.length <= 1, found.join('\n'));
    return found[0];
  } catch (error) {
    assert.match(error.message, FACING);
    return error.message;
  }
}

/** Quads as triangles, each in the order of its corners. @param {number[][][]} quads */
function joinQuads(quads) {
  return { positions: Float32Array.from(quads.flat(2)), indices: Uint32Array.from(quads.flatMap((_, i) => [0, 1, 2, 0, 2, 3].map((corner) => 4 * i + corner))) };
}

/** A box, seen from outside; `swap` makes it a room. @param {number[]} low @param {number[]} high */
function makeBox([x0, y0, z0], [x1, y1, z1]) {
  return joinQuads([
    [[x0, y1, z0], [x0, y1, z1], [x1, y1, z1], [x1, y1, z0]], [[x0, y0, z0], [x1, y0, z0], [x1, y0, z1], [x0, y0, z1]],
    [[x0, y0, z1], [x1, y0, z1], [x1, y1, z1], [x0, y1, z1]], [[x1, y0, z0], [x0, y0, z0], [x0, y1, z0], [x1, y1, z0]],
    [[x1, y0, z1], [x1, y0, z0], [x1, y1, z0], [x1, y1, z1]], [[x0, y0, z0], [x0, y0, z1], [x0, y1, z1], [x0, y1, z0]],
  ]);
}

/** Rooms in a row, 5 m wide, with floors at several heights, ceilings, walls and no outside; every fifth has no ceiling. */
function makeRooms() {
  const rooms = Array.from({ length: 10 }, (_, i) => {
    const { positions, indices } = swap(makeBox([5 * i, 0.3 * (i % 3), 0], [5 * i + 5, 4 + i % 2, 20]));
    return { positions, indices: i % 5 === 2 ? indices.subarray(6) : indices };
  });
  return rooms.reduce(joinLevels);
}

/** A plane, levels with ground, walls and closed boxes, and one with ceilings. */
const LEVELS = { plane: makeGround(20, 1), plaza: upright, islands: readScene('islands'), rooms: makeRooms() };

for (const [name, level] of Object.entries(LEVELS)) {
  for (const [direction, toDirection] of Object.entries(DIRECTIONS)) {
    for (const isMirrored of [false, true]) {
      test(`facing: ${name} with ${direction} up${isMirrored ? ', mirrored' : ''}`, () => {
        const right = isMirrored ? swap(mirror(level)) : turn(level, DIRECTIONS['+y']);
        let given = turn(isMirrored ? mirror(level) : level, toDirection);
        const faces = isMirrored ? `${direction[0] === '+' ? '-' : '+'}${direction[1]}` : direction;
        const first = facingOf(given, CONFIG);
        if (faces === '+y') assert.equal(first, undefined);
        else if (faces === '-y') assert.match(first, /^most triangles face down \(flipped winding\)/);
        else assert.ok(first?.startsWith(`the level faces ${faces}, not +y: is ${faces[1]} up?`), first);
        if (faces[1] === 'z') assert.match(first, /Set upAxis: 'z'/);
        assert.deepEqual(levelFacing(given)?.direction, faces === '+y' ? undefined : faces, 'the same before the bake');
        if (first !== undefined) assert.equal(levelFacing(given).message, first);
        for (let message = first, times = 0; message !== undefined; message = facingOf(given, CONFIG), times++) {
          assert.ok(times < 3, message);
          given = mend(given, message, isMirrored);
        }
        // A level that is both mirrored and upside down faces up, so that it seems right when it has been turned.
        const isBoth = isMirrored && direction[0] === '-';
        assert.equal(isBoth, isMirrored && faces[0] === '+');
        if (!isBoth) assert.deepEqual(bytesOf(walkmesh.bake(given, CONFIG)), bytesOf(walkmesh.bake(right, CONFIG)));
      });
    }
  }
}

test('facing: a level that is closed all around is named if nothing in it is walkable', () => {
  const slab = walkmesh.bake({ positions: [], indices: [], solids: [{ kind: 'box', min: [0, 0, 0], max: [20, 0.3, 20] }] },
    { ...CONFIG, bounds: { min: [0, 0, 0], max: [20, 3, 20] } });
  assert.ok(slab.navMesh.totals.polygons > 0);
  slab.navMesh.free();
  const box = { positions: Float32Array.from({ length: 24 }, (_, i) => [i / 3 & 1 ? 20 : 1, i / 3 & 2 ? 1.3 : 1, i / 3 & 4 ? 20 : 1][i % 3]),
    indices: Uint32Array.of(0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 5, 0, 5, 4, 2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5) };
  assert.equal(facingOf(swap(box), CONFIG) ?? facingOf(box, CONFIG), undefined, 'lying');
  assert.match(facingOf(toZUp(box), CONFIG), /the level faces \+z, not \+y: is z up\? Set upAxis: 'z'/);
  assert.match(facingOf(turn(box, DIRECTIONS['+x']), CONFIG), /the level faces \+x, not \+y: is x up\? Turn x, y, z to -y, x, z/);
});

test('facing: a flipped block with more air than walls in it is guessed; nothing is said of boxes and of rooms without an opening', () => {
  const block = joinLevels(makeBox([0, -0.5, 0], [20, 4, 20]), swap(makeBox([1, 0, 1], [19, 3.5, 19])));
  const box = makeBox([0, 0, 0], [20, 4, 20]);
  for (const level of [block, box, swap(box), joinLevels(makeBox([0, -1, 0], [60, 0, 60]), box)]) {
    assert.equal(levelFacing(level), null);
    assert.equal(levelFacing({ ...toZUp(level), upAxis: 'z' }), null);
  }
  const found = levelFacing(swap(block));
  assert.equal(found.direction, '-y');
  assert.equal(found.isSure, false);
  assert.match(found.message, /^most triangles face down \(flipped winding\)/);
  assert.equal(levelFacing({ ...toZUp(swap(block)), upAxis: 'z' }).direction, '-z');
});

test('facing: a mirrored yard of solid blocks bakes on the inside of its ground without a word', () => {
  const blocks = [[[0, -2, 0], [30, 0, 20]], [[4, 0, 3], [12, 2.8, 3.2]], [[4, 0, 8.8], [12, 2.8, 9]], [[14, 0, 0], [14.2, 1, 12]], [[20, 0, 5], [22, 1, 9]]];
  const yard = makeBoxes(/** @type {any} */ (blocks));
  assert.equal(facingOf(yard, CONFIG), undefined);
  assert.equal(levelFacing(yard), null);
  const found = levelFacing(swap(yard));
  assert.deepEqual([found.direction, found.isSure], ['-y', true]);
  assert.equal(facingOf(swap(yard), CONFIG), found.message);
  assert.equal(levelFacing({ ...toZUp(swap(yard)), upAxis: 'z' }).direction, '-z');
  // Each corner a vertex of its own, as files with flat shading have them.
  const { positions, indices } = swap(yard);
  const split = { positions: Float32Array.from([...indices].flatMap((vertex) => [...positions.subarray(3 * vertex, 3 * vertex + 3)])), indices: Uint32Array.from(indices, (_, i) => i) };
  assert.equal(levelFacing(split)?.direction, '-y');
  // A part of a buffer of many vertices isn't judged: numbering them all would take seconds.
  const large = new Float32Array(3 * ((3 << 16) + 1));
  large.set(positions);
  assert.deepEqual(countClosedParts({ positions, stride: 3, indices }), { upright: 0, turned: 5 });
  assert.deepEqual(countClosedParts({ positions: large, stride: 3, indices }), { upright: 0, turned: 0 });
  // One room, and a room with crates in it, are rooms.
  assert.equal(levelFacing(swap(makeBoxes(/** @type {any} */ (blocks.slice(0, 1))))), null);
  assert.equal(levelFacing(joinLevels(swap(makeBox([0, 0, 0], [30, 4, 20])), makeBoxes(/** @type {any} */ (blocks.slice(1))))), null);
});

test("facing: with z up, too, messages speak of the positions as they are given", () => {
  assert.match(facingOf({ ...upright, upAxis: 'z' }, CONFIG), /the level faces \+y, not \+z: is y up\? Set upAxis: 'y'/);
  for (const [direction, toDirection] of Object.entries(DIRECTIONS)) {
    let level = { ...turn(upright, toDirection), upAxis: 'z' };
    for (let times = 0, message; (message = facingOf(level, CONFIG)) !== undefined; times++) {
      assert.ok(times < 3, `${direction}: ${message}`);
      level = mend(level, message, false);
    }
    assert.deepEqual(bytesOf(walkmesh.bake(level, CONFIG)), bytesOf(walkmesh.bake(upright, CONFIG)), direction);
  }
});

test('facing: levelFacing takes a level as bake does, and says whether it is a guess', () => {
  const lying = { ...turn(upright, DIRECTIONS['+z']), upAxis: 'y' };
  assert.deepEqual(levelFacing(lying), { direction: '+z', isSure: true, message: "the level faces +z, not +y: is z up? Set upAxis: 'z'" });
  assert.equal(levelFacing({ ...lying, upAxis: 'z' }), null);
  assert.equal(levelFacing({ positions: [], indices: [] }), null);
  assert.throws(() => levelFacing({ positions: [1], indices: [] }), { code: 'geometry', field: 'positions' });
});

test('facing: nothing is said of levels that stand right, walls and slopes among them', async () => {
  const session = new Session((await instantiate({})).wasm);
  const read = (level, maxSlope = 45) => findFacingOf(session, toTriangles(level), maxSlope);
  for (const name of ['caves', 'city', 'holes', 'islands', 'maze', 'plaza', 'soup', 'stairs', 'terrain', 'tower']) {
    const level = readScene(name);
    for (const found of [read(level), read({ ...toZUp(level), upAxis: 'z' })]) {
      if (name === 'soup') assert.match(describeFacing(found), /^about 5\d % of the ground faces down/); // its triangles face anywhere
      else assert.equal(found, 0, name);
    }
    for (const direction of ['-y', '+z', '-z', '+x', '-x']) {
      if (name !== 'soup') assert.notEqual(read(turn(level, DIRECTIONS[direction])), 0, `${name}, ${direction} up`); // soup has no open sheet
    }
  }
  const wall = turn(makeGround(10), (x, y, z) => [x, z, 0]);
  assert.notEqual(read(wall), 0);
  assert.equal(read(joinLevels(makeGround(10), wall)), 0, 'a floor and a wall as large as it');
  const steep = turn(makeGround(10), (x, y, z) => [x, 10 * z, z]);
  assert.notEqual(read(steep), 0);
  assert.equal(read(steep, 85), 0, 'a slope that may be walked on');
  assert.equal(read({ positions: new Float32Array(), indices: new Uint32Array() }), 0);
});

test('up axis: a stack of flipped slabs is found, and one of too many triangles for a list is not judged', async () => {
  const session = new Session((await instantiate({})).wasm);
  const stack = (/** @type {number} */ slabs) => {
    /** @type {number[]} */
    const positions = [];
    /** @type {number[]} */
    const indices = [];
    for (let i = 0; i < 2 * slabs; i++) {
      // The lowest side faces up, and the space to the next one is air; slabs are three times as thick.
      const y = 4 * Math.floor(i / 2) + i % 2, first = positions.length / 3;
      positions.push(0, y, 0, 0, y, 9, 9, y, 9, 9, y, 0);
      indices.push(...(i % 2 === 0 ? [0, 1, 2, 0, 2, 3] : [0, 2, 1, 0, 3, 2]).map((corner) => first + corner));
    }
    return { positions, indices };
  };
  for (const [slabs, direction] of [[50, '-y'], [1000, undefined]]) {
    assert.equal(levelFacing(stack(slabs))?.direction, direction);
    const found = findFacingOf(session, toTriangles(stack(slabs)), 45);
    assert.equal(found === 0 ? undefined : directionOf(found), direction, `${slabs} slabs in the module`);
  }
});
