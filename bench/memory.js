/**
 * Peak memory of a bake through the call that users make, each in a fresh instance of its module: `walkmesh.bake`, and
 * `generateSoloNavMesh` of recast-navigation/generators. Measures the highest written address of both, which includes the
 * module's own data and stack, the input and the finished mesh; and for Walkmesh the peak of allocated memory, from its report.
 * Fresh memory is zero, so the last non-zero byte shows the highest written address.
 */
import { Walkmesh } from '../js/index.js';
import { instantiate } from '../js/loader.js';
import { Session } from '../js/runtime/session.js';
import { loadPeer, renewPeer } from '../tests/js/live/peer.js';
import { boundsOf, toVoxels } from '../tests/js/live/voxels.js';
import { makeLevel } from './levels.js';
import { megabytes } from './tables.js';

const LEVELS = [{ name: 'nav_test', cellSize: 0.1 }, { name: 'city', cellSize: 0.1 }, { name: 'city', cellSize: 0.15 },
  { name: 'terrain', cellSize: 0.15 }];

/** @param {ArrayBufferLike} buffer @returns {number} bytes up to the last that is not zero */
export function highestWritten(buffer) {
  const words = new Uint32Array(buffer, 0, buffer.byteLength >> 2);
  let last = words.length - 1;
  while (last > 0 && words[last] === 0) last--;
  return (last + 1) * 4;
}

/** @param {any} geometry @param {any} config */
async function measureOurs(geometry, config) {
  const { wasm, module } = await instantiate({});
  const session = new Session(wasm);
  const { navMesh, report } = new Walkmesh({ session, module }, true).bake(geometry, config);
  const { memory } = wasm;
  return { bytes: report.memory.peakBytes, written: highestWritten(memory.buffer), reserved: memory.buffer.byteLength,
    polygons: navMesh.totals.polygons };
}

/** Converts the configuration to that of recast-navigation's generator. */
export function toGeneratorConfig(config, positions) {
  const voxels = toVoxels(config, boundsOf(positions));
  return {
    cs: voxels.cellSize, ch: voxels.cellHeight, walkableSlopeAngle: config.agentMaxSlope,
    walkableHeight: voxels.walkableHeight, walkableClimb: voxels.walkableClimb, walkableRadius: voxels.walkableRadius,
    maxEdgeLen: voxels.maxEdgeCells, maxSimplificationError: config.maxEdgeError,
    minRegionArea: config.minRegionSize, mergeRegionArea: config.mergeRegionSize, // The generator squares it.
    maxVertsPerPoly: config.maxVerticesPerPolygon,
    detailSampleDist: config.detailSampleDistance, detailSampleMaxError: config.detailMaxError, // In cells.
  };
}

/** @param {any} api @param {any} geometry @param {any} config */
async function measurePeer(api, { positions, indices }, config) {
  const { generateSoloNavMesh } = await import('recast-navigation/generators');
  await renewPeer(api);
  const { success, navMesh, error } = generateSoloNavMesh(positions, indices, toGeneratorConfig(config, positions));
  if (!success) throw new Error(`recast-navigation: ${error}`);
  const { buffer } = api.Raw.Module.HEAPU8;
  const written = highestWritten(buffer);
  const tile = navMesh.getTile(0).header();
  return { written, reserved: buffer.byteLength, polygons: tile?.polyCount() ?? 0 };
}

/**
 * @param {import('./bakes.js').BenchOptions} [options]
 * @returns {Promise<{ level: string, cellSize: number, ours: any, theirs: any }[]>} bytes: allocated peak; written: highest written address;
 *   reserved: size of the module's memory
 */
export async function measureMemory({ smallest, onProgress = () => {} } = {}) {
  const api = await loadPeer();
  const levels = (smallest ? [{ name: 'plaza', cellSize: 0.3 }] : LEVELS).map((level) => makeLevel(level));
  const figures = [];
  for (const { name, config, read } of levels.filter(({ missing }) => !missing)) {
    onProgress(`${name}: memory`);
    const geometry = read();
    const ours = await measureOurs(geometry, config);
    figures.push({ level: name, cellSize: config.cellSize, ours, theirs: api && await measurePeer(api, geometry, config) });
  }
  onProgress('');
  return figures;
}

/** @param {Awaited<ReturnType<typeof measureMemory>>} figures @returns {import('./tables.js').Table[]} */
export function memoryTables(figures) {
  const header = ['MB (of 10^6 bytes)', 'walkmesh, most in use', 'highest written', 'of memory', 'recast-navigation, highest written', 'of memory',
    'in use / theirs', 'written / theirs'];
  const share = (a, b) => (b ? (a / b).toFixed(2) : '-');
  const rows = figures.map(({ level, cellSize, ours, theirs }) => [`${level}, cell ${cellSize}`, megabytes(ours.bytes),
    megabytes(ours.written), megabytes(ours.reserved), theirs ? megabytes(theirs.written) : '-', theirs ? megabytes(theirs.reserved) : '-',
    share(ours.bytes, theirs?.written), share(ours.written, theirs?.written)]);
  return [{ title: 'Peak memory of a bake in one tile, each in a fresh instance', rows: [header, ...rows] }];
}
