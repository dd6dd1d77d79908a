/**
 * The time that a tile cache and a rebake save: a level of 400 tiles or more is baked cold, baked again from caches in memory and
 * on disk, and rebaked after one prop was moved. Every result is compared with a bake of the whole level.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join as joinPath } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MemoryTileCache, load } from '../js/index.js';
import { DiskTileCache } from '../js/node/index.js';
import { readLevel } from '../tests/js/live/obj.js';
import { buildTown, makeTown, townConfig } from '../tests/js/town.js';
import { summarise } from './statistics.js';

const ROUNDS = 3;

/**
 * Repeats the level `name` of tests/scenes side by side, since large levels contain repeated parts.
 * @param {string} name @param {number} times on x and z
 */
function repeatScene(name, times) {
  const { positions, indices } = readLevel(fileURLToPath(new URL(`../tests/scenes/${name}.obj`, import.meta.url)));
  const [low, high] = [[Infinity, Infinity, Infinity], [-Infinity, -Infinity, -Infinity]];
  positions.forEach((value, i) => {
    low[i % 3] = Math.min(low[i % 3], value);
    high[i % 3] = Math.max(high[i % 3], value);
  });
  const all = new Float32Array(positions.length * times * times);
  const triangles = new Uint32Array(indices.length * times * times);
  for (let copy = 0; copy < times * times; copy++) {
    const shift = [(copy % times) * (high[0] - low[0]), 0, Math.floor(copy / times) * (high[2] - low[2])];
    all.set(positions.map((value, i) => value + shift[i % 3]), copy * positions.length);
    triangles.set(indices.map((index) => index + copy * (positions.length / 3)), copy * indices.length);
  }
  return { positions: all, indices: triangles };
}

/** @param {any} Type @param {ArrayLike<number>} first @param {ArrayLike<number>} second */
function join(Type, first, second) {
  const all = new Type(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}

/** Levels, each with a version in which one prop is moved. */
function makeLevels() {
  const town = makeTown({ side: 200, props: 1200 });
  const moved = structuredClone(town);
  Object.assign(moved.props[0], { x: 20, z: 150 });
  const withProp = (level, x, z) => {
    const prop = buildTown({ side: 0, props: [{ x, z, size: 1.5, height: 1 }] });
    const first = level.positions.length / 3;
    return { positions: join(Float32Array, level.positions, prop.positions),
      indices: join(Uint32Array, level.indices, prop.indices.map((index) => first + index)) };
  };
  const [city, terrain] = [repeatScene('city', 2), repeatScene('terrain', 2)];
  const fine = { cellSize: 0.15, cellHeight: 0.1, tileSize: 64 };
  return [
    { name: 'town', before: buildTown(town), after: buildTown(moved), config: { ...townConfig(200), cellSize: 0.2, tileSize: 48 } },
    { name: 'city, four times', before: withProp(city, 10, 10), after: withProp(city, 40, 30), config: fine },
    { name: 'terrain, four times', before: withProp(terrain, 10, 10), after: withProp(terrain, 40, 30), config: fine },
  ];
}

/** Runs the work and returns its milliseconds. @template T @param {() => Promise<T>} work @returns {Promise<[number, T]>} */
async function time(work) {
  const start = performance.now();
  const result = await work();
  return [performance.now() - start, result];
}

function requireSame(what, bytes, expected) {
  if (Buffer.compare(bytes, expected) !== 0) throw new Error(`${what}: the bytes are not those of a full bake`);
}

async function measureLevel(walkmesh, { name, before, after, config: given }, onProgress) {
  const probe = walkmesh.createBaker(before, given);
  const { boundsMin: min, boundsMax: max } = probe.voxels;
  probe.free();
  const config = { ...given, bounds: { min, max } };
  const expected = [before, after].map((level) => {
    const { navMesh } = walkmesh.bake(level, config);
    const bytes = navMesh.save();
    navMesh.free();
    return bytes;
  });
  const figures = { cold: [], memory: [], disk: [], rebake: [] };
  const folder = mkdtempSync(joinPath(tmpdir(), 'walkmesh-bench-'));
  let [tiles, baked, changedTiles] = [0, 0, 0];
  const bake = async (row, cache) => {
    const [milliseconds, { navMesh, report }] = await time(() => walkmesh.bakeTiled(before, config, { workers: 0, cache }));
    figures[row]?.push(milliseconds);
    tiles = report.tiles.x * report.tiles.z;
    requireSame(`${name}, ${row}`, navMesh.save(), expected[0]);
    return navMesh;
  };
  try {
    const [memory, disk] = [new MemoryTileCache(), new DiskTileCache(folder)];
    for (const cache of [memory, disk]) (await bake('fill', cache)).free();
    for (let round = 0; round < ROUNDS; round++) {
      onProgress(`${name}: round ${round + 1} of ${ROUNDS}`);
      (await bake('memory', memory)).free();
      (await bake('disk', new DiskTileCache(folder))).free();
      const navMesh = await bake('cold');
      const [milliseconds, { report, changed }] = await time(() => walkmesh.rebake(navMesh, after, { workers: 0 }));
      figures.rebake.push(milliseconds);
      baked = tiles - report.tiles.kept;
      changedTiles = changed.length;
      requireSame(`${name}, rebake`, navMesh.save(), expected[1]);
      navMesh.free();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const medians = Object.fromEntries(Object.entries(figures).map(([row, values]) => [row, summarise(values).median]));
  return { name, triangles: before.indices.length / 3, tiles, baked, changed: changedTiles, milliseconds: medians };
}

/** @param {{ onProgress?: (text: string) => void }} [options] */
export async function measureCache({ onProgress = () => {} } = {}) {
  const walkmesh = await load();
  const figures = [];
  for (const level of makeLevels()) figures.push(await measureLevel(walkmesh, level, onProgress));
  onProgress('');
  return figures;
}

/** @param {Awaited<ReturnType<typeof measureCache>>} figures */
export function cacheTable(figures) {
  const columns = ['level', 'triangles', 'tiles', 'cold ms', 'memory ms', 'times', 'disk ms', 'times', 'rebake ms', 'tiles baked', 'changed'];
  const rows = figures.map(({ name, triangles, tiles, baked, changed, milliseconds: { cold, memory, disk, rebake } }) => [
    name, triangles, tiles, cold.toFixed(0), memory.toFixed(0), (cold / memory).toFixed(1), disk.toFixed(0), (cold / disk).toFixed(1),
    rebake.toFixed(0), baked, changed].map(String));
  const widths = columns.map((column, i) => Math.max(column.length, ...rows.map((row) => row[i].length)));
  const line = (cells) => cells.map((cell, i) => (i ? cell.padStart(widths[i]) : cell.padEnd(widths[i]))).join('  ');
  return ['Bakes of tiles in one thread, medians: cold, and out of caches that have every tile; then one prop is moved.',
    line(columns), ...rows.map(line)].join('\n');
}
