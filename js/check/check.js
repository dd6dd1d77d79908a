/**
 * Checks a navigation mesh: that it is what a search, a funnel and a crowd rely on, and, with the level it was baked from, that it
 * lies on that level's ground. Written apart from what builds meshes; slower than that, and in no hurry.
 */
import { requireCount, requireOptions } from '../runtime/arguments.js';
import { Baker } from '../bake/baker.js';
import { readTile } from '../mesh/detour-tile.js';
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
 * @property {Geometry} [geometry] the level, as it was baked: also looks at `ground` and `cover`
 * @property {Config} [config] of that bake; default: the mesh's own
 * @property {number} [mostFindings] of each check that are told in full; default 20. `counts` has all
 */

/**
 * @typedef {object} CheckReport
 * @property {boolean} isSound nothing was found
 * @property {Finding[]} findings
 * @property {Partial<Record<CheckName, number>>} counts how often each check found something
 * @property {{ tiles: number, polygons: number, detailTriangles: number, links: number, spans: number }} looked at how much; spans: of
 *   the level's ground, 0 without one
 */

const NAMES = nameSet(/** @satisfies {import('../runtime/option-names.js').Names<CheckOptions>} */ ({ geometry: 1, config: 1, mostFindings: 1 }));

/** Of a bake, where a mesh does not tell its own: cells. */
const DEFAULT_EDGE_ERROR = 1.3;

/** How far things may be off in a mesh. @param {NavMesh} navMesh @param {Config | null} config */
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
    // Contours on two sides of a thin wall may each stray over it.
    overlap: { width: 2 * strayCells * cell + rounding, height: Math.max(agentMaxClimb, cellHeight) },
    // Detail is sampled on cells, and triangulated with a tolerance of a hundredth of a cell.
    detail: { inside: 0.02 * cell + rounding, cover: 0.05 * cell + rounding },
    // Without height detail a polygon is as flat as its corners, whatever lies between them.
    height: config?.detailSampleDistance === 0 ? totals.boundsMax[1] - totals.boundsMin[1] + agentHeight : usualHeight,
    usualHeight,
  };
}

/**
 * Looks at all of a mesh: polygons, neighbours, height detail, links, portals between tiles, its search tree, and with the level
 * its ground. What is searched and changed elsewhere relies on all of it. Tolerances are those of the bake: contours may stray by
 * maxEdgeError from the border of the ground, coordinates are rounded to float32.
 *
 * O(polygons) of a tile, but for overlaps (squared in the polygons side by side on x); with a level a bake as far as the regions,
 * and 50 look-ups a span. Some 50,000 polygons a second.
 * @param {NavMesh} navMesh @param {CheckOptions} [options]
 * @returns {CheckReport}
 */
export function checkNavMesh(navMesh, options = {}) {
  addressOf(navMesh, NAV_MESH);
  const { geometry, config = navMesh.config, mostFindings = 20 } = requireOptions(options, NAMES);
  const findings = new Findings(requireCount(mostFindings, 'mostFindings', 0xffffffff));
  if (geometry !== undefined && config === null) {
    throw new NavError('invalid-argument', 'the mesh does not tell what it was baked with: give config', { field: 'config' });
  }
  const slack = slackOf(navMesh, config);
  /** @type {CheckedTile[]} */
  const tiles = navMesh.tiles().map(({ ref, bytes }) => beginTile(ref, readTile(bytes)));
  const sound = tiles.filter((checked) => checkTile(navMesh, checked, slack, findings));
  const links = checkLinks(navMesh, sound, { climb: slack.climb, tolerance: slack.rounding }, findings);
  const spans = geometry === undefined ? 0 : checkLevel(navMesh, sound, geometry, /** @type {Config} */ (config), slack, findings);
  return {
    isSound: Object.keys(findings.counts).length === 0, findings: findings.list, counts: findings.counts,
    looked: {
      tiles: tiles.length, polygons: tiles.reduce((sum, { tile }) => sum + tile.polygonCount, 0),
      detailTriangles: tiles.reduce((sum, { tile }) => sum + tile.detailTriangles.length / 4, 0), links, spans,
    },
  };
}

/** @param {NavMesh} navMesh @param {CheckedTile} checked @param {ReturnType<typeof slackOf>} slack @param {Findings} findings @returns {boolean} whether its corners are in range */
function checkTile(navMesh, checked, slack, findings) {
  if (!checkShapes(checked, slack.rounding, navMesh.parameters.cellSize, findings)) return false;
  checkPlace(navMesh, checked, slack.rounding, findings);
  checkNeighbours(checked, findings);
  checkOverlaps(checked, slack.overlap, findings);
  checkDetail(checked, slack.detail, findings);
  checkTree(navMesh, checked, slack.rounding, findings);
  return true;
}

/** A tile lies in its place of the grid. @param {NavMesh} navMesh @param {CheckedTile} checked @param {number} tolerance @param {Findings} findings */
function checkPlace(navMesh, { ref, tile }, tolerance, findings) {
  const { origin, tileWidth, tileDepth } = navMesh.parameters;
  for (const [axis, place, size] of [[0, tile.x, tileWidth], [2, tile.z, tileDepth]]) {
    const low = origin[axis] + place * size;
    const beyond = Math.max(low - tile.boundsMin[axis], tile.boundsMax[axis] - low - size);
    if (!(beyond <= 2 * tolerance)) findings.add('bounds', `tile ${tile.x}, ${tile.z} reaches ${beyond} units beyond its place on ${'xyz'[axis]}`, ref, tile.boundsMin);
  }
}

/** @param {NavMesh} navMesh @param {CheckedTile[]} tiles @param {Geometry} geometry @param {Config} config @param {ReturnType<typeof slackOf>} slack @param {Findings} findings */
function checkLevel(navMesh, tiles, geometry, config, { strayCells, height, usualHeight }, findings) {
  const baker = new Baker(navMesh.session, geometry, config);
  try {
    return checkGround(navMesh, tiles, baker, { strayCells, height, usualHeight }, findings).spans;
  } finally {
    baker.free();
  }
}

