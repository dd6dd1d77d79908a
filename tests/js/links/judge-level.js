/** Bakes a level with links of all kinds, and judges them by the oracles of precision and recall. */
import { MeshGround } from './ground.js';
import { judgeLinks } from './precision.js';
import { measureRecall } from './recall.js';
import { SolidColumns } from './solid-columns.js';
import { LINK_KINDS } from './trajectories.js';
import { TriangleGrid } from './triangle-grid.js';

/** The links of a mesh as plain data. @param {any} navMesh @returns {import('./trajectories.js').Link[]} */
export function listLinks(navMesh) {
  const { count, kinds, starts, ends, peaks, bidirectional } = navMesh.segmentLinks();
  const segment = (/** @type {Float32Array} */ array, /** @type {number} */ i) => /** @type {[number[], number[]]} */ (
    [0, 3].map((at) => [...array.subarray(6 * i + at, 6 * i + at + 3)]));
  return Array.from({ length: count }, (_, i) => (
    { kind: LINK_KINDS[kinds[i]], start: segment(starts, i), end: segment(ends, i), peak: peaks[i], bidirectional: bidirectional[i] !== 0 }));
}

/** @typedef {{ links: import('./trajectories.js').Link[], faults: import('./precision.js').Fault[], recall: ReturnType<typeof measureRecall> }} Judgement */

/**
 * @param {import('../../../js/index.js').Walkmesh} walkmesh
 * @param {{ level: any, config: any, limits: import('./precision.js').Limits, points?: number, seed?: number }} options points of the border that the oracle of
 *   recall tries
 * @returns {Judgement}
 */
export function judgeLevel(walkmesh, { level, config, limits, points, seed }) {
  const bakeLinks = (/** @type {any} */ kinds) => {
    const { navMesh } = walkmesh.bake(level, { ...config, links: kinds });
    const links = listLinks(navMesh), ground = new MeshGround(navMesh, 2 * config.cellSize);
    navMesh.free();
    return { links, ground };
  };
  const { links, ground } = bakeLinks(limits), { links: unthinned } = bakeLinks({ ...limits, thinning: 0 });
  const triangles = new TriangleGrid(level, 4 * config.cellSize);
  const faults = judgeLinks(links, { triangles, ground, agent: config, limits });
  const columns = new SolidColumns(walkmesh, level, config);
  return { links, faults, recall: measureRecall(links, unthinned, { columns, ground, agent: config, limits }, { points, seed }) };
}
