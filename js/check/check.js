/**
 * Checks the properties of a navigation mesh on which searches, funnels and crowds rely and, with the level it was baked from, that
 * it lies on that level's surface. Written independently of the bake; slower than it.
 */
import { numbersOfPoint, requireCount, requireOptions } from '../runtime/arguments.js';
import { Baker } from '../bake/baker.js';
import { readTile } from '../mesh/detour-tile.js';
import { requireLevelOf } from '../mesh/level-check.js';
import { NavError } from '../runtime/errors.js';
import { NAV_MESH } from '../runtime/handle-kinds.js';
import { nameSet } from '../runtime/option-names.js';
import { addressOf } from '../runtime/handle.js';
import { checkDetail } from './detail.js';
import { CHECKS, Findings, beginTile, roundingAt } from './findings.js';
import { checkGround } from './ground.js';
import { checkLinks, checkTree } from './links.js';
import { checkOverlaps } from './overlaps.js';
import { checkNeighbours, checkShapes } from './polygons.js';

/** @typedef {import('./findings.js').CheckName} CheckName */
/** @typedef {import('./findings.js').CheckedTile} CheckedTile */
/** @typedef {import('./findings.js').Finding} Finding */
/** @typedef {import('../input/config.js').Config} Config */
/** @typedef {import('../input/geometry.js').Geometry} Geometry */
/** @typedef {import('../mesh/mesh.js').NavMesh} NavMesh */

/**
 * @typedef {object} CheckOptions
 * @property {Geometry} [geometry] the level, as it was baked: adds the checks `ground` and `cover`. The level of another mesh is an error
 * @property {Config} [config] of that bake; default: the mesh's own, with bounds that reach to the top of the level
 * @property {number} [mostFindings] of each check that are reported; default 20. `counts` counts all
 */

/**
 * @typedef {object} CheckReport
 * @property {boolean} isSound true if nothing was found
 * @property {Finding[]} findings
 * @property {Partial<Record<CheckName, number>>} counts findings of each check
 * @property {{ tiles: number, polygons: number, detailTriangles: number, links: number, spans: number }} looked numbers of things that
 *   were checked; spans: of the level's surface, 0 without a level
 */

const NAMES = nameSet(/** @satisfies {import('../runtime/option-names.js').Names<CheckOptions>} */ ({ geometry: 1, config: 1, mostFindings: 1 }));

/** Simplification error of a bake, cells, for meshes without a configuration. */
const DEFAULT_EDGE_ERROR = 1.3;
/** How far the detail mesh may lie above or below walkable surface, beside a step, cell heights. */
const GROUND_CELLS = 4;

/** The tolerances for a mesh. @param {NavMesh} navMesh @param {Config | null} config */
function slackOf(navMesh, config) {
  const { parameters, totals } = navMesh;
  const { cellSize: cell, cellHeight, agentMaxClimb, agentHeight } = parameters;
  const size = Math.max(...totals.boundsMin.map(Math.abs), ...totals.boundsMax.map(Math.abs));
  const rounding = roundingAt(size);
  const strayCells = config?.maxEdgeError ?? DEFAULT_EDGE_ERROR;
  const usualHeight = Math.max(agentHeight, 2 * agentMaxClimb, 4 * cellHeight);
  return {
    rounding, strayCells,
    climb: agentMaxClimb,
    // The contours on both sides of a thin wall may each cross it.
    overlap: { width: 2 * strayCells * cell + rounding, height: Math.max(agentMaxClimb, cellHeight) },
    // Detail is sampled at cells, and triangulated with a tolerance of a hundredth of a cell.
    detail: { inside: 0.02 * cell + rounding, cover: 0.05 * cell + rounding },
    // Without a detail mesh a polygon is flat between its vertices, whatever the surface does.
    height: config?.detailSampleDistance === 0 ? totals.boundsMax[1] - totals.boundsMin[1] + agentHeight : usualHeight,
    usualHeight,
    // Between the samples of the detail, the surface may lie a step higher or lower.
    ground: config?.detailSampleDistance === 0 ? Infinity : agentMaxClimb + GROUND_CELLS * cellHeight,
  };
}

/**
 * Checks a whole mesh: polygons, neighbours, detail mesh, links, portal edges between tiles, its tree, and with a level its surface.
 * All queries and changes rely on these. Tolerances are those of the bake: contours may deviate by maxEdgeError from area borders,
 * coordinates are rounded to float32.
 *
 * O(polygons) of a tile, except for overlaps (squared in the polygons that overlap on x); with a level additionally a bake up to the
 * regions, and 50 look-ups per span. About 50,000 polygons per second.
 * @param {NavMesh} navMesh @param {CheckOptions} [options]
 * @returns {CheckReport}
 */
export function checkNavMesh(navMesh, options = {}) {
  addressOf(navMesh, NAV_MESH);
  const { geometry, config: given, mostFindings = 20 } = requireOptions(options, NAMES);
  const config = given ?? navMesh.config;
  const findings = new Findings(requireCount(mostFindings, 'mostFindings', 0xffffffff));
  if (geometry !== undefined && config === null) {
    throw new NavError('invalid-argument', 'the mesh has no stored configuration: pass `config`', { field: 'config' });
  }
  const slack = slackOf(navMesh, config);
  /** @type {CheckedTile[]} */
  const tiles = navMesh.tiles().map(({ ref, bytes }) => beginTile(ref, readTile(bytes)));
  const sound = tiles.filter((checked) => checkTile(navMesh, checked, slack, findings));
  const links = checkLinks(navMesh, sound, { climb: slack.climb, tolerance: slack.rounding }, findings);
  const level = given === undefined && config ? openBounds(config) : config;
  const top = config?.bounds?.above ? Infinity : numbersOfPoint(config?.bounds?.max)?.[1] ?? Infinity;
  const spans = geometry === undefined ? 0 : checkLevel(navMesh, sound, geometry, /** @type {Config} */ (level), { ...slack, top }, findings);
  return {
    isSound: Object.keys(findings.counts).length === 0, findings: findings.list, counts: findings.counts,
    looked: {
      tiles: tiles.length, polygons: tiles.reduce((sum, { tile }) => sum + tile.polygonCount, 0),
      detailTriangles: tiles.reduce((sum, { tile }) => sum + tile.detailTriangles.length / 4, 0), links, spans,
    },
  };
}

/**
 * @param {NavMesh} navMesh @param {CheckedTile} checked @param {ReturnType<typeof slackOf>} slack @param {Findings} findings
 * @returns {boolean} true if its vertices are in range
 */
function checkTile(navMesh, checked, slack, findings) {
  if (!checkShapes(checked, slack.rounding, navMesh.parameters.cellSize, findings)) return false;
  checkPlace(navMesh, checked, slack.rounding, findings);
  checkNeighbours(checked, findings);
  checkOverlaps(checked, slack.overlap, findings);
  checkDetail(checked, slack.detail, findings);
  checkTree(navMesh, checked, slack.rounding, findings);
  return true;
}

/**
 * Checks that a tile lies within its tile place.
 * @param {NavMesh} navMesh @param {CheckedTile} checked @param {number} tolerance @param {Findings} findings
 */
function checkPlace(navMesh, { ref, tile }, tolerance, findings) {
  const { origin, tileWidth, tileDepth } = navMesh.parameters;
  for (const [axis, place, size] of [[0, tile.x, tileWidth], [2, tile.z, tileDepth]]) {
    const low = origin[axis] + place * size;
    const beyond = Math.max(low - tile.boundsMin[axis], tile.boundsMax[axis] - low - size);
    if (!(beyond <= 2 * tolerance)) findings.add('bounds', `tile ${tile.x}, ${tile.z} extends ${beyond} units beyond its tile place on ${'xyz'[axis]}`, ref, tile.boundsMin);
  }
}

/**
 * The configuration with bounds that are open above: what was built since the bake may stand higher than the level did before.
 * @param {Config} config @returns {Config}
 */
const openBounds = (config) => (config.bounds ? { ...config, bounds: { ...config.bounds, above: true } } : config);

/**
 * @param {NavMesh} navMesh @param {CheckedTile[]} tiles @param {Geometry} geometry @param {Config} config
 * @param {ReturnType<typeof slackOf> & { top: number }} slack top: of the mesh's bounds, above which nothing was baked @param {Findings} findings
 */
function checkLevel(navMesh, tiles, geometry, config, slack, findings) {
  const baker = new Baker(navMesh.session, geometry, config);
  try {
    const { spans } = checkGround(navMesh, tiles, baker, slack, findings);
    // Triangles narrower than a cell have less ground than their mesh: a mesh without findings is that of the level.
    if (findings.counts.ground || findings.counts.cover) requireLevelOf(navMesh, geometry, 'geometry');
    return spans;
  } finally {
    baker.free();
  }
}

