/**
 * Explains a point of the level: whether it is walkable, and why not. Compares the results of the stages of its tile.
 */
import { blockerNear, headroomOf, ledgeAt, lostRegionCells, slopeAt } from './removal-figures.js';
import { REMOVALS, isOwnRegion, middleOf, removalsOf } from './removal.js';
import { locatePoint, isOutside, nearestPolygon, tileOf, topOf } from './locate-point.js';
import { volumeAt } from './volumes.js';

/** @typedef {import('./record.js').TileRecord} TileRecord */
/** @typedef {import('./volumes.js').NamedVolume} NamedVolume */
/** @typedef {import('./locate-point.js').LocatedPoint} LocatedPoint */

/**
 * - `walkable`
 * - `outside` of the bounds of the bake; `nothing` no surface at the point; `inside` inside solid voxels
 * - `steep` too steep (angle, limit); `notWalkable` the slope is allowed, but its triangles have area 0
 * - `ledge` the ground ends or drops beside it (drop); `uneven` neighbours differ by more than the step height (spread)
 * - `headroom` low headroom (room, needed)
 * - `obstacle`, `volume` blocked by one (name)
 * - `radius` within the agent radius of a blocker (distance, radius, blocker)
 * - `region` the surface around it is too small (cells, needed)
 * - `simplified` cut off by the simplified outline (distance to the mesh)
 * @typedef {'walkable' | 'outside' | 'nothing' | 'inside' | 'steep' | 'notWalkable' | 'ledge' | 'uneven' | 'headroom' | 'obstacle'
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
 * @property {number | null} height of the ground, world units
 * @property {number | null} headroom world units, Infinity: no ceiling
 * @property {number | null} slope degrees
 * @property {number} area 0: not walkable
 * @property {number} region 0: none
 * @property {number | null} clearance distance from the edge of the walkable area in the distance field, world units
 * @property {Step[]} steps
 */

/** @typedef {{ positions: ArrayLike<number>, indices: ArrayLike<number>, volumes?: readonly NamedVolume[] }} Level */

const metres = (/** @type {number} */ value) => `${Number(value.toFixed(2))} m`;
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

/** @typedef {{ reason: Reason, text: string, figures?: Explanation['figures'] }} Finding */

/** @param {Level} level @param {TileRecord} record @param {readonly number[]} point @returns {Finding} */
function findSteep(level, record, point) {
  const slope = slopeAt(level, point);
  const limit = record.config.agentMaxSlope;
  if (slope && slope.angle > limit) {
    const kind = slope.angle > 95 ? 'Faces down' : slope.angle > 85 ? 'Wall' : 'Too steep';
    return found('steep', `${kind}: slope ${degrees(slope.angle)}, max slope ${degrees(limit)}.`, { angle: slope.angle, limit });
  }
  return found('notWalkable', 'The triangles here have area 0, or a steeper triangle covers this cell.');
}

/** @param {TileRecord} record @param {LocatedPoint} located @returns {Finding} */
function findLedge(record, { cell, span }) {
  const { drop, isVoid, isEdge, spread } = ledgeAt(record, cell, span);
  const climb = record.config.agentMaxClimb;
  const limit = record.voxels.walkableClimb * record.frame.cellHeight;
  if (drop > limit + 1e-6) {
    return found('ledge', `Ledge: the ground beside it is ${metres(drop)} lower, max step height ${metres(climb)}.`, { drop, climb });
  }
  if (isVoid) return found('ledge', 'Ledge: no ground beside it.', { climb });
  if (isEdge) return found('ledge', 'Edge of the level.', { climb });
  const text = `Uneven ground: neighbouring cells differ by ${metres(spread)}, max step height ${metres(climb)}.`;
  return found('uneven', text, { spread, climb });
}

/** @param {NamedVolume | null} volume @returns {Finding} */
function findVolume(volume) {
  const isObstacle = volume?.origin === 'obstacle';
  const name = volume?.label ?? (isObstacle ? 'an obstacle' : 'an area volume');
  return isObstacle ? found('obstacle', `Blocked by ${name}.`, { name }) : found('volume', `Blocked by ${name}.`, { name });
}

/** @param {Level} level @param {TileRecord} record @param {LocatedPoint} located */
function blockingVolume({ volumes = [] }, record, { cell, span }) {
  const { config: { agentHeight }, frame: { cellHeight } } = record;
  return volumeAt(volumes, { ...middleOf(record, cell), floor: topOf(record, span), agentHeight, slack: cellHeight });
}

/** @param {Level} level @param {TileRecord} record @param {LocatedPoint} located @returns {Finding} */
function findRadius({ volumes = [] }, record, { cell, open }) {
  const radius = record.config.agentRadius;
  const { distance, blocker } = blockerNear(record, cell, open, volumes);
  const far = Number.isFinite(distance) ? `${metres(distance)} away, ` : '';
  const text = `Too close to ${BLOCKERS[blocker]}: ${far}agent radius ${metres(radius)}.`;
  return found('radius', text, { distance, radius, blocker });
}

/** @param {TileRecord} record @param {LocatedPoint} located @returns {Finding} */
function findRegion(record, { cell, open }) {
  const cells = lostRegionCells(record, cell, open);
  const needed = record.voxels.minRegionCells;
  const side = record.frame.cellSize ** 2;
  const text = `Island too small: ${short(cells * side)} m², min island size ${short(needed * side)} m².`;
  return found('region', text, { cells, needed, squareMetres: cells * side });
}

/** @param {Level} level @param {TileRecord} record @param {LocatedPoint} located @param {readonly number[]} point @returns {Finding} */
function findHeadroom(level, record, { cell, span }, point) {
  const [room, needed] = [headroomOf(record, cell, span), record.config.agentHeight];
  return found('headroom', `Low headroom: ${metres(room)}, agent height ${metres(needed)}.`, { room, needed });
}

/**
 * Describes the removal of a span.
 * @type {Record<string, (level: Level, record: TileRecord, located: LocatedPoint, point: readonly number[]) => Finding>}
 */
const FINDERS = {
  steep: (level, record, located, point) => findSteep(level, record, point),
  ledge: (level, record, located) => findLedge(record, located),
  headroom: findHeadroom,
  volume: (level, record, located) => findVolume(blockingVolume(level, record, located)),
  radius: findRadius,
  region: (level, record, located) => findRegion(record, located),
  kept(level, record, located, point) {
    if (record.failure) return { reason: 'simplified', text: `This tile failed to bake: ${record.failure}` };
    const { polygon, distance } = nearestPolygon(record, point);
    if (distance === 0) return { reason: 'walkable', text: 'Walkable.' };
    const text = polygon < 0 ? 'Its region has no polygon: the simplified outline is too small.'
      : `Cut off by the simplified outline: the mesh is ${metres(distance)} away.`;
    return { reason: 'simplified', text, figures: { distance } };
  },
};

/** The stages of a span, with the removals of each. @type {[string, import('./removal.js').Removal[]][]} */
const TRAIL = [
  ['Triangles', ['steep']], ['Ledges', ['ledge']], ['Headroom', ['headroom']], ['Agent radius', ['radius']], ['Area volumes', ['volume']],
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
  figures: {}, ...finding, onMesh: false, tile, height: null, headroom: null, slope: null, area: 0, region: 0, clearance: null, steps: [],
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
    return steep.reason === 'steep' ? steep
      : found('inside', `Inside solid voxels with their top at ${metres(height)}.`, { height });
  }
  if (located.above > record.config.agentMaxClimb + 2 * record.frame.cellHeight) {
    return found('nothing', `No surface here: the ground is ${metres(located.above)} below.`, { above: located.above });
  }
  return null;
}

/**
 * @param {Level} level with the volumes of the bake
 * @param {TileRecord} record of the tile of the point
 * @param {readonly number[]} point world units
 * @returns {Explanation}
 */
export function explain(level, record, point) {
  const outside = explainOutside(record.voxels, record.frame.cellSize, point);
  if (outside) return outside;
  const tile = { x: record.x, z: record.z };
  const located = locatePoint(record, point);
  const off = findOff(level, record, located, point);
  const onMesh = nearestPolygon(record, point).distance === 0;
  const slope = slopeAt(level, point)?.angle ?? null;
  if (off) return { ...withoutSurface(off, tile), onMesh: onMesh && !located.isBuried && located.span >= 0, slope };
  const { open, solid, frame } = record;
  const removal = REMOVALS[removalsOf(record, level.volumes ?? [])[located.span]];
  const finding = FINDERS[removal](level, record, located, point);
  const isOpen = located.open >= 0;
  const region = isOpen && isOwnRegion(open.regions[located.open]) ? open.regions[located.open] : 0;
  const note = onMesh && finding.reason !== 'walkable' ? ' The simplified outline of the mesh still covers it.' : '';
  return {
    figures: {}, ...finding, text: finding.text + note, onMesh, tile, height: topOf(record, located.span),
    headroom: headroomOf(record, located.cell, located.span), slope, area: isOpen ? open.marked[located.open] : solid.lowHeight[located.span], region,
    clearance: isOpen && open.marked[located.open] !== 0 ? open.distance[located.open] / 2 * frame.cellSize : null,
    steps: stepsOf(record, located, finding, removal),
  };
}
