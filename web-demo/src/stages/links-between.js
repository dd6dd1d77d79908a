/** The kinds of links that would join a cut-off island to the ground beside it, off or with limits that are too low. */
import { explainPath } from 'walkmesh';
import { Trials } from './joins.js';
import { withoutName } from './volumes.js';

/** @typedef {import('walkmesh').Change & { kind: 'links' }} LinkChange */

/** Ground around the ends of a link that is baked with it, world units, and in cells. */
const [AROUND, CELLS] = [4, 20];

/**
 * What a path from the ground beside an island to the island lacks, as the path tool says it, in a bake of the ground around both.
 * @param {import('walkmesh').Walkmesh} walkmesh @param {import('./joins.js').Level} level with the volumes of the bake @param {import('./joins.js').Grid} grid
 * @param {{ start: import('./joins.js').Point, end: import('./joins.js').Point }} link from the island to the other ground
 * @param {import('walkmesh').LinkConfig} links of the mesh @returns {LinkChange[]} each alone joins the island; the likeliest first
 */
export function linksBetween(walkmesh, level, grid, { start, end }, links) {
  const around = Math.max(AROUND, CELLS * grid.config.cellSize);
  const [min, max] = [Math.min, Math.max].map((pick, i) => /** @type {[number, number]} */ ([0, 2].map((axis) => pick(start[axis], end[axis]) + (i ? around : -around))));
  const trials = new Trials(walkmesh, level, grid, { min, max, from: [start], to: [end], islands: [1] });
  const geometry = { ...trials.near, volumes: trials.volumes.map(withoutName) };
  const config = { ...grid.config, bounds: trials.bounds, tileSize: 0, links };
  const { navMesh } = walkmesh.bake(geometry, config);
  try {
    const { causes } = explainPath(navMesh, end, start, { level: { geometry, config } });
    return causes.flatMap(({ isVerified, changes: [change, ...others] }) => (isVerified && others.length === 0 && change?.kind === 'links' ? [change] : []));
  } finally {
    navMesh.free();
  }
}
