/**
 * Explains a point of the level: whether it is walkable, and why not. Compares the results of the stages of its tile.
 */
import { ceilingAbove, groundNear, heightsAt, wallDistance } from './measure.js';
import { findMends } from './mends.js';
import { blockerNear, ceilingOf, dropIn, headroomOf, ledgeAt, lostRegionCells } from './removal-figures.js';
import { FACES_DOWN, slopeAt } from './slopes.js';
import { REMOVALS, isOwnRegion, middleOf, removalsOf } from './removal.js';
import { locatePoint, isOutside, nearestPolygon, tileOf, topOf } from './locate-point.js';
import { volumeAt } from './volumes.js';

/** @typedef {import('./record.js').TileRecord} TileRecord */
/** @typedef {import('./volumes.js').NamedVolume} NamedVolume */
/** @typedef {import('./locate-point.js').LocatedPoint} LocatedPoint */

/**
 * - `walkable`
 * - `outside` of the bounds of the bake; `nothing` no surface at the point; `inside` inside solid voxels
 * - `steep` too steep (angle, limit); `facesDown` a ceiling or an underside (angle); `notWalkable` the slope is allowed, but its triangles have area 0
 * - `ledge` the ground ends or drops beside it (drop); `uneven` neighbours differ by more than the step height (spread)
 * - `headroom` low headroom (room, needed)
 * - `obstacle`, `volume` blocked by one (name)
 * - `radius` within the agent radius of a blocker (distance, radius, blocker)
 * - `region` the surface around it is too small (cells, needed)
 * - `simplified` cut off by the simplified outline (distance to the mesh)
 * @typedef {'walkable' | 'outside' | 'nothing' | 'inside' | 'steep' | 'facesDown' | 'notWalkable' | 'ledge' | 'uneven' | 'headroom' | 'obstacle'
 *   | 'volume' | 'radius' | 'region' | 'simplified'} Reason
 */

/**
 * @typedef {{ stage: string, outcome: 'kept' | 'made' | 'removed' | 'not reached', text: string }} Step effect of one stage on the point
 */

/**
 * @typedef {object} Explanation
 * @property {Reason} reason
 * @property {boolean} onMesh true if a polygon of the tile covers it; simplified outlines can cover cells that are not
 *   walkable
 * @property {string} text explanation for the user
 * @property {Record<string, number | string>} figures values of the reason, world units and degrees
 * @property {{ x: number, z: number }} tile
 * @property {number | null} height of the ground, world units: of the triangles, or of the voxels where no triangle is near
 * @property {number | null} headroom between the triangles, world units; Infinity: no ceiling
 * @property {number | null} wall distance on x and z to the nearest wall of the triangles, world units; Infinity: none near
 * @property {number | null} slope degrees
 * @property {number} area 0: not walkable
 * @property {number} region 0: none
 * @property {number | null} clearance distance from the edge of the walkable area in the distance field, world units
 * @property {Step[]} steps
 * @property {import('../edit/items.js').Selection} [item] of the document that blocks the point
 * @property {Mend[]} mends changes of the configuration that make the point walkable, from the one that changes least; see findMends
 */

/** @typedef {import('./mends.js').Mend} Mend */
/** @typedef {{ ground: number, room: number, wall: number }} Measured by the triangles, world units; Infinity: none */
/** @typedef {{ positions: ArrayLike<number>, indices: ArrayLike<number>, volumes?: readonly NamedVolume[] }} Level */

const metres = (/** @type {number} */ value) => `${Number(value.toFixed(2))} m`;
/** A range of world units; one number if both ends are equal. @param {number} low @param {number} high */
const range = (low, high) => (short(low) === short(high) ? metres(low) : `${short(low)} to ${metres(high)}`);
const degrees = (/** @type {number} */ value) => `${Number(value.toFixed(1))}°`;

/**
 * @param {Reason} reason @param {string} text @param {Explanation['figures']} [figures] @returns {Finding}
 */
const found = (reason, text, figures = {}) => ({ reason, text, figures });

/** Rounds a number for display. @param {number} value */
const short = (value) => Number(value.toFixed(2));

/** Descriptions of the blockers. @type {Record<import('./removal-figures.js').Blocker, string>} */
const BLOCKERS = {
  wall: 'a wall', ledge: 'a ledge', steep: 'a steep surface', headroom: 'a low ceiling',
  volume: 'a blocked area', edge: 'the edge of the level',
};

/** @typedef {{ point: readonly number[], measured: Measured }} Spot */
/** @typedef {{ reason: Reason, text: string, figures?: Explanation['figures'], item?: import('../edit/items.js').Selection }} Finding */

/** @param {Level} level @param {TileRecord} record @param {readonly number[]} point @returns {Finding} */
function findSteep(level, record, point) {
  const slope = slopeAt(level, point);
  const limit = record.config.agentMaxSlope;
  if (slope && slope.angle > limit) {
    if (slope.angle > FACES_DOWN) return found('facesDown', 'Faces down: a ceiling or an underside. If it is a floor, flip the level.', { angle: slope.angle });
    const kind = slope.angle > 85 ? 'Wall' : 'Too steep';
    return found('steep', `${kind}: slope ${degrees(slope.angle)}, max slope ${degrees(limit)}.`, { angle: slope.angle, limit });
  }
  return found('notWalkable', 'The triangles here have area 0, or a steeper triangle covers this cell.');
}

/** Why a figure within the limit is over it in cells. @param {number} cell */
const roundedUp = (cell) => ` Cells of ${metres(cell)} round this up.`;

/**
 * The drop to a neighbouring cell between the triangles; null: none is near.
 * @param {Level} level @param {TileRecord} record @param {number} cell @param {{ x: number, z: number, high: number }} beside @param {number} ground
 */
function measureDrop(level, record, cell, beside, ground) {
  const { frame: { origin, cellSize, cellHeight } } = record;
  const { x, z } = middleOf(record, cell);
  const high = origin[1] + beside.high * cellHeight;
  const slack = 2 * cellHeight + cellSize;
  const below = groundNear(heightsAt(level, x + beside.x * cellSize, z + beside.z * cellSize), high, high - slack, high + slack);
  return below === null ? null : ground - below;
}

/** @param {Level} level @param {TileRecord} record @param {LocatedPoint} located @param {Spot} spot @returns {Finding} */
function findLedge(level, record, { cell, span }, { measured }) {
  const { drop, beside, isVoid, isEdge, spread } = ledgeAt(record, cell, span);
  const { config: { agentMaxClimb: climb }, voxels, frame: { cellHeight } } = record;
  if (beside && drop > voxels.walkableClimb * cellHeight + 1e-6) {
    const exact = measureDrop(level, record, cell, beside, measured.ground);
    const lower = exact === null ? range(Math.max(drop - cellHeight, 0), drop + cellHeight) : metres(exact);
    const why = exact !== null && exact <= climb ? roundedUp(cellHeight) : '';
    return found('ledge', `Ledge: the ground beside it is ${lower} lower, max step height ${metres(climb)}.${why}`, { drop: exact ?? drop, climb });
  }
  if (isVoid) return found('ledge', 'Ledge: no ground beside it.', { climb });
  if (isEdge) return found('ledge', 'Edge of the level.', { climb });
  const text = `Uneven ground: neighbouring cells differ by ${range(Math.max(spread - cellHeight, 0), spread + cellHeight)}, max step height ${metres(climb)}.`;
  return found('uneven', text, { spread, climb });
}

/** @param {NamedVolume | null} volume @returns {Finding} */
function findVolume(volume) {
  const isObstacle = volume?.origin === 'obstacle';
  const name = volume?.label ?? (isObstacle ? 'an obstacle' : 'an area volume');
  return { ...found(isObstacle ? 'obstacle' : 'volume', `Blocked by ${name}.`, { name }), item: volume?.item };
}

/** @param {Level} level @param {TileRecord} record @param {LocatedPoint} located */
function blockingVolume({ volumes = [] }, record, { cell, span }) {
  const { config: { agentHeight }, frame: { cellHeight } } = record;
  return volumeAt(volumes, { ...middleOf(record, cell), floor: topOf(record, span), agentHeight, slack: cellHeight });
}

/** The depth of the ledge in a cell; null: there is no ground below. @param {Level} level @param {TileRecord} record @param {number} cell @param {number} floor cell heights */
function depthOfLedge(level, record, cell, floor) {
  const drop = cell < 0 ? null : dropIn(record, level.volumes ?? [], cell, floor);
  if (!drop) return null;
  const { frame: { origin, cellHeight, cellSize } } = record;
  const { x, z } = middleOf(record, cell);
  const top = origin[1] + drop.floor * cellHeight;
  const ground = groundNear(heightsAt(level, x, z), top, top - 2 * cellHeight - cellSize, top + cellHeight) ?? top;
  return measureDrop(level, record, cell, drop.beside, ground) ?? (drop.floor - drop.beside.high) * cellHeight;
}

/**
 * A wall is measured on the triangles; of other blockers only the cell is known.
 * @param {Level} level @param {TileRecord} record @param {LocatedPoint} located @param {Spot} spot @returns {Finding}
 */
function findRadius(level, record, { cell, open }, { point, measured }) {
  const { agentRadius: radius, agentHeight, agentMaxClimb } = record.config;
  const { near, far, blocker: inCell, cell: blocked, radiusCells } = blockerNear(record, cell, open, level.volumes ?? [], point);
  // The foot of a wall counts as a steep surface in its cell.
  const isMeasured = ['wall', 'steep'].includes(inCell) && measured.wall <= far;
  const blocker = isMeasured ? 'wall' : inCell;
  const distance = isMeasured ? measured.wall : near;
  const away = isMeasured ? `${metres(distance)} away, ` : Number.isFinite(near) ? `${range(near, far)} away, ` : '';
  // A wall farther away than the radius: its cell, and the radius in cells, are rounded up.
  const why = isMeasured && distance >= radius ? roundedUp(record.frame.cellSize) : '';
  const drop = blocker === 'ledge' ? depthOfLedge(level, record, blocked, record.open.floor[open]) : null;
  const depth = drop === null ? '' : `${metres(drop)} drop `;
  const climb = drop !== null && drop <= agentHeight / 2 ? `, max step height ${metres(agentMaxClimb)}` : '';
  return found('radius', `Too close to ${BLOCKERS[blocker]}: ${depth}${away}agent radius ${metres(radius)}${climb}.${why}`,
    { distance, radius, blocker, radiusCells, ...(drop !== null && { drop }) });
}

/** @param {TileRecord} record @param {LocatedPoint} located @returns {Finding} */
function findRegion(record, { cell, open }) {
  const cells = lostRegionCells(record, cell, open);
  const needed = record.voxels.minRegionCells;
  const side = record.frame.cellSize ** 2;
  const text = `Island too small: ${short(cells * side)} m², min island size ${short(needed * side)} m².`;
  return found('region', text, { cells, needed, squareMetres: cells * side });
}

/**
 * The ceiling on the point's own vertical line is measured on the triangles. Where it is high enough, that of the cell isn't.
 * @param {Level} _ @param {TileRecord} record @param {LocatedPoint} located @param {Spot} spot @returns {Finding}
 */
function findHeadroom(_, record, { cell, span }, { measured }) {
  const { config: { agentHeight: needed }, frame: { cellHeight } } = record;
  const room = headroomOf(record, cell, span);
  const cells = ceilingOf(record, cell, span) - record.solid.high[span];
  if (measured.room < needed) return found('headroom', `Low headroom: ${metres(measured.room)}, agent height ${metres(needed)}.`, { room: measured.room, needed, cells });
  const text = `Low headroom in this cell: ${range(room, room + 2 * cellHeight)}, agent height ${metres(needed)}.`;
  return found('headroom', text, { room, needed, cells });
}

/**
 * Describes the removal of a span.
 * @type {Record<string, (level: Level, record: TileRecord, located: LocatedPoint, spot: Spot) => Finding>}
 */
const FINDERS = {
  steep: (level, record, _, { point }) => findSteep(level, record, point),
  facesDown: (level, record, _, { point }) => findSteep(level, record, point),
  ledge: findLedge,
  headroom: findHeadroom,
  volume: (level, record, located) => findVolume(blockingVolume(level, record, located)),
  radius: findRadius,
  region: (level, record, located) => findRegion(record, located),
  kept(_level, record, _located, { point }) {
    if (record.failure) return { reason: 'simplified', text: `This tile failed to bake: ${record.failure}` };
    const { polygon, distance } = nearestPolygon(record, point);
    if (distance === 0) return { reason: 'walkable', text: 'Walkable.' };
    const text = polygon < 0 ? 'Its region has no polygon: the simplified outline is too small.'
      : 'Cut off by the simplified outline of the mesh.';
    return { reason: 'simplified', text, figures: { distance } };
  },
};

/** The stages of a span, with the removals of each. @type {[string, import('./removal.js').Removal[]][]} */
const TRAIL = [
  ['Triangles', ['steep', 'facesDown']], ['Ledges', ['ledge']], ['Headroom', ['headroom']], ['Agent radius', ['radius']], ['Area volumes', ['volume']],
  ['Regions', ['region']],
];

/** @param {TileRecord} record @param {LocatedPoint} located @param {Finding} finding @param {string} removal @returns {Step[]} */
function stepsOf({ solid }, { span }, { reason, text }, removal) {
  const isMade = solid.rasterized[span] === 0 && solid.lowHanging[span] !== 0;
  let isGone = false;
  /** @type {Step[]} */
  const steps = TRAIL.map(([stage, removals]) => {
    if (isGone) return { stage, outcome: 'not reached', text: '' };
    isGone = removals.includes(/** @type {any} */ (removal));
    if (isGone) return { stage, outcome: 'removed', text };
    const isThere = stage === 'Triangles' && isMade;
    return { stage, outcome: isThere ? 'made' : 'kept', text: isThere ? 'Made walkable: agents can climb it.' : '' };
  });
  if (isGone) return [...steps, { stage: 'Contours', outcome: 'not reached', text: '' }];
  const isKept = reason === 'walkable';
  return [...steps, { stage: 'Contours', outcome: isKept ? 'kept' : 'removed', text: isKept ? '' : text }];
}

/**
 * An explanation of a point without ground.
 * @param {Finding} finding @param {{ x: number, z: number }} tile @returns {Explanation}
 */
const withoutSurface = (finding, tile) => ({
  figures: {}, ...finding, onMesh: false, tile, height: null, headroom: null, wall: null, slope: null, area: 0, region: 0, clearance: null,
  steps: [], mends: [],
});

/**
 * Explains points outside the grid.
 * @param {Readonly<import('walkmesh').Voxels>} voxels @param {number} cellSize @param {readonly number[]} point
 * @returns {Explanation | null}
 */
export function explainOutside(voxels, cellSize, point) {
  if (!isOutside(voxels, point, cellSize)) return null;
  return withoutSurface({ reason: 'outside', text: 'Outside the bounds of the bake.' }, tileOf(voxels, point));
}

/**
 * Explains points that are not on top of a span.
 * @param {Level} level @param {TileRecord} record @param {LocatedPoint} located @param {readonly number[]} point @returns {Finding | null}
 */
function findOff(level, record, located, point) {
  if (located.span < 0) return { reason: 'nothing', text: 'No surface here.' };
  if (located.isBuried) {
    const steep = findSteep(level, record, point);
    const height = topOf(record, located.span);
    return steep.reason !== 'notWalkable' ? steep
      : found('inside', `Inside solid voxels with their top at ${metres(height)}.`, { height });
  }
  if (located.above > record.config.agentMaxClimb + 2 * record.frame.cellHeight) {
    return found('nothing', `No surface here: the ground is ${metres(located.above)} below.`, { above: located.above });
  }
  return null;
}

/** Search distance for walls, world units. */
const WALL_REACH = 20;

/**
 * Measures the triangles at the ground of a span.
 * @param {Level} level @param {TileRecord} record @param {LocatedPoint} located @param {readonly number[]} point @returns {Measured}
 */
function measure(level, record, { span }, point) {
  const { config: { agentHeight, agentMaxClimb, agentMaxSlope }, frame: { cellHeight, cellSize } } = record;
  const top = topOf(record, span);
  const heights = heightsAt(level, point[0], point[2]);
  // Within a cell a slope rises by up to its width.
  const slack = 2 * cellHeight + cellSize;
  const ground = groundNear(heights, point[1], top - slack, top + slack) ?? top;
  const wall = wallDistance(level, point, { low: ground + agentMaxClimb, high: ground + agentHeight, maxSlope: agentMaxSlope, reach: WALL_REACH });
  return { ground, room: ceilingAbove(heights, ground) - ground, wall };
}

/**
 * The finding at a point inside the bounds, and what it was found from.
 * @param {Level} level with the volumes of the bake @param {TileRecord} record of the tile of the point @param {readonly number[]} point
 */
function lookAt(level, record, point) {
  const located = locatePoint(record, point);
  const off = findOff(level, record, located, point);
  if (off) return { located, finding: off, isOff: true, removal: REMOVALS[0], measured: null };
  const removal = REMOVALS[removalsOf(record, level.volumes ?? [])[located.span]];
  const measured = measure(level, record, located, point);
  return { located, finding: FINDERS[removal](level, record, located, { point, measured }), isOff: false, removal, measured };
}

/** The finding at a point. @param {Level} level @param {TileRecord} record @param {readonly number[]} point @returns {Finding} */
export const findingAt = (level, record, point) => lookAt(level, record, point).finding;

/**
 * Explains a point, without changes that would make it walkable.
 * @param {Level} level with the volumes of the bake
 * @param {TileRecord} record of the tile of the point
 * @param {readonly number[]} point world units
 * @returns {Explanation}
 */
export function explain(level, record, point) {
  const outside = explainOutside(record.voxels, record.frame.cellSize, point);
  if (outside) return outside;
  const tile = { x: record.x, z: record.z };
  const { located, finding, isOff, removal, measured } = lookAt(level, record, point);
  const onMesh = nearestPolygon(record, point).distance === 0;
  const slope = slopeAt(level, point)?.angle ?? null;
  if (isOff || !measured) return { ...withoutSurface(finding, tile), onMesh: onMesh && !located.isBuried && located.span >= 0, slope };
  const note = onMesh && finding.reason !== 'walkable' ? ' The simplified outline of the mesh still covers it.' : '';
  return {
    figures: {}, ...finding, text: finding.text + note, onMesh, tile, height: measured.ground, headroom: measured.room, wall: measured.wall, slope,
    ...spanFacts(record, located), steps: stepsOf(record, located, finding, removal), mends: [],
  };
}

/**
 * Explains a point, with the changes that make it walkable. Pauses after every stage of a trial bake.
 * @param {import('walkmesh').Walkmesh} walkmesh @param {Level} level @param {TileRecord} record @param {readonly number[]} point
 * @returns {Generator<void, Explanation, void>}
 */
export function* explainWithMends(walkmesh, level, record, point) {
  const explanation = explain(level, record, point);
  if (explanation.onMesh || explanation.reason === 'outside') return explanation;
  const { located, finding } = lookAt(level, record, point);
  return located.span < 0 ? explanation : { ...explanation, mends: yield* findMends(walkmesh, { level, record, located, point, finding }) };
}

/** Facts of the span under a point. @param {TileRecord} record @param {LocatedPoint} located */
function spanFacts({ open: { marked, regions, distance }, solid, frame: { cellSize } }, { open, span }) {
  if (open < 0) return { area: solid.lowHeight[span], region: 0, clearance: null };
  return {
    area: marked[open], region: isOwnRegion(regions[open]) ? regions[open] : 0,
    clearance: marked[open] !== 0 ? distance[open] / 2 * cellSize : null,
  };
}
