/** Causes in the level: the fields of the configuration that open a way, and what they pass there. */
import { across } from './reach.js';
import { FIELD_NAMES } from './level-trials.js';
import { changeText, coarseText, fieldText, roundedText, smallerPassText, smallerText, widerText } from './words.js';

/** @typedef {import('../mesh/mesh.js').NavMesh} NavMesh */
/** @typedef {import('../query/find-path.js').Path} Path */
/** @typedef {import('../runtime/arguments.js').PolygonRef} PolygonRef */
/** @typedef {import('./causes.js').Cause} Cause */
/** @typedef {import('./causes.js').CauseKind} CauseKind */
/** @typedef {import('./level-trials.js').FieldName} FieldName */
/** @typedef {import('./level-trials.js').Fields} Fields */
/** @typedef {import('./level-trials.js').LevelTrials} LevelTrials */
/** @typedef {import('./mesh-graph.js').Vector} Vector */

/** @type {Record<FieldName, CauseKind>} */
const KINDS = { agentMaxClimb: 'step', agentMaxSlope: 'slope', agentRadius: 'narrow', agentHeight: 'headroom', minRegionSize: 'region' };
/** Distance between samples of a way, cells. */
const APART = 0.25;

/** Points of a way on the triangles of the level. @param {LevelTrials} trials @param {Vector[]} way @param {number} climb of the way @returns {Vector[]} */
const onGround = ({ index, config: { cellHeight } }, way, climb) => way.map(([x, y, z]) => [x, index.ground(x, y, z, climb + 2 * cellHeight) ?? y, z]);

/** A place with a figure. @typedef {{ figure: number, point: Vector }} Measure */

/** The largest or smallest figure along a way. @param {readonly Vector[]} way @param {(point: Vector, i: number) => number | null} measure @param {1 | -1} sign 1: the largest @returns {Measure | null} */
function extreme(way, measure, sign) {
  /** @type {Measure | null} */
  let best = null;
  way.forEach((point, i) => {
    const figure = measure(point, i);
    if (figure !== null && Number.isFinite(figure) && (best === null || sign * (figure - best.figure) > 1e-6)) best = { figure, point };
  });
  return best;
}

/** Halvings of an eighth of a cell until the edge of the ground is known well enough. */
const BISECTIONS = 8;
/** Lines through a point on which the room between walls is measured. */
const LINES = 24;

/** The room between walls on the shortest line through a point. @param {LevelTrials} trials @param {Vector} point on the ground */
function betweenWalls({ index, config: { agentHeight, agentMaxClimb, agentRadius, cellSize, cellHeight } }, [x, y, z]) {
  const reach = 2 * agentRadius + 4 * cellSize;
  const cast = index.caster(x, z, reach);
  const heights = [agentMaxClimb + cellHeight, agentHeight / 2, 0.9 * agentHeight].map((up) => y + up);
  const widths = Array.from({ length: LINES }, (_, i) => {
    const [dx, dz] = [Math.cos(Math.PI * i / LINES), Math.sin(Math.PI * i / LINES)];
    return [1, -1].reduce((sum, sign) => sum + Math.min(...heights.map((height) => cast([x, height, z], sign * dx, sign * dz))), 0);
  });
  return Math.min(...widths);
}

/** The width of the ground across a way; Infinity where it goes on. @param {LevelTrials} trials @param {readonly Vector[]} way @param {number} i */
function betweenEdges({ index, config: { agentMaxClimb, agentRadius, cellSize, cellHeight } }, way, i) {
  const [before, after] = [way[Math.max(i - 2, 0)], way[Math.min(i + 2, way.length - 1)]];
  const length = across(before, after), reach = 2 * agentRadius + 4 * cellSize;
  if (length < 1e-6) return Infinity;
  const [x, y, z] = way[i], [dx, dz] = [(after[0] - before[0]) / length, (after[2] - before[2]) / length];
  return [1, -1].reduce((sum, sign) => {
    let open = 0;
    const isGround = (/** @type {number} */ at) => index.ground(x - sign * dz * at, y, z + sign * dx * at, agentMaxClimb + 2 * cellHeight) !== null;
    while (open < reach && isGround(open)) open += cellSize / 8;
    return sum + (open >= reach ? Infinity : edgeBetween(isGround, Math.max(open - cellSize / 8, 0), open));
  }, 0);
}

/** Where the ground ends between two distances. @param {(at: number) => boolean} isGround @param {number} low @param {number} high */
function edgeBetween(isGround, low, high) {
  let [ground, air] = [low, high];
  for (let i = 0; i < BISECTIONS; i++) {
    const middle = (ground + air) / 2;
    if (isGround(middle)) ground = middle;
    else air = middle;
  }
  return ground;
}

/** The narrowest place of a way: between walls, or else between the edges of the ground. @param {LevelTrials} trials @param {readonly Vector[]} way */
const narrowest = (trials, way) => extreme(way, (point) => betweenWalls(trials, point), -1) ?? extreme(way, (_, i) => betweenEdges(trials, way, i), -1);

/** Measures on the triangles what a field passes. @type {Record<FieldName, (trials: LevelTrials, way: readonly Vector[], value: number) => Measure | null>} */
const MEASURES = {
  agentMaxClimb({ index, config: { cellHeight } }, way, value) {
    const heights = way.map(([x, y, z]) => index.ground(x, y, z, value + 2 * cellHeight));
    return extreme(way, (_, i) => {
      const rise = i === 0 ? NaN : Math.abs((heights[i] ?? NaN) - (heights[i - 1] ?? NaN));
      return rise <= value + 2 * cellHeight ? rise : null; // cells round it down
    }, 1);
  },
  agentMaxSlope: ({ index, config: { agentMaxClimb, cellHeight } }, way, value) => extreme(way, ([x, y, z]) => {
    const slope = index.slope(x, y, z, agentMaxClimb + 2 * cellHeight);
    return slope !== null && slope <= value + 1e-3 ? slope : null;
  }, 1),
  agentRadius: narrowest,
  agentHeight: ({ index, config: { agentMaxClimb, cellHeight } }, way) => extreme(way, ([x, y, z]) => {
    const ground = index.ground(x, y, z, agentMaxClimb + 2 * cellHeight);
    return ground === null ? null : index.headroom(x, z, ground);
  }, -1),
  minRegionSize: (_trials, way) => (way.length > 0 ? { figure: 0, point: way[way.length >> 1] } : null),
};

/** The parts of a mesh that a way leaves and enters. @typedef {{ navMesh: NavMesh, reached: Set<PolygonRef> }} Before */

/**
 * The part of a way that the mesh lacks: from the last sample on the reached ground to the next one on other ground, and on both sides as much as
 * the radius keeps the mesh from its obstacle.
 * @param {LevelTrials} trials @param {Before} before @param {Vector[]} way @returns {Vector[]}
 */
function missingPart({ config: { cellSize, cellHeight, agentMaxClimb, agentRadius } }, { navMesh, reached }, way) {
  const halfExtents = /** @type {Vector} */ ([cellSize, agentMaxClimb + 2 * cellHeight, cellSize]);
  const labels = way.map((point) => {
    const polygon = navMesh.nearestPoint(point, { halfExtents, filter: { includeFlags: 0xffff } })?.polygon ?? 0;
    return polygon === 0 ? 0 : reached.has(polygon) ? 1 : 2;
  });
  const first = Math.max(labels.lastIndexOf(1), 0);
  const length = labels.slice(first).indexOf(2);
  const beside = Math.ceil((agentRadius / cellSize + 2) / APART);
  return way.slice(Math.max(first - beside, 0), length < 0 ? undefined : first + length + beside + 1);
}

/** True if a figure breaks the limit of a field; where it doesn't, cells round it up. @type {Record<FieldName, (figure: number, limit: number) => boolean>} */
const BREAKS = {
  agentMaxClimb: (figure, limit) => figure > limit, agentMaxSlope: (figure, limit) => figure > limit, agentRadius: (figure, limit) => figure < 2 * limit,
  agentHeight: (figure, limit) => figure < limit, minRegionSize: () => true,
};

/** A sentence about smaller cells with which the path exists, and their sizes. @typedef {{ text: string, sizes: Partial<import('../input/config.js').Config> | null }} Smaller */

/** Smaller cells that pass, or that they may pass if the level is too large to try; an empty text: none that was tried passes. @param {LevelTrials} trials @param {(path: Path | null) => boolean} opens @returns {Smaller} */
function smallerCells(trials, opens) {
  const sizes = trials.smallerCells(opens), { cellSize, cellHeight } = trials.config;
  if (sizes === undefined) return { text: smallerText(cellSize, cellHeight), sizes: null };
  return { text: sizes ? smallerPassText(sizes) : '', sizes };
}

/** A larger radius that passes with smaller cells. @param {LevelTrials} trials @param {number} radius that passes @param {number} room @param {(path: Path | null) => boolean} opens @returns {Smaller} */
function widerRadius(trials, radius, room, opens) {
  const sizes = trials.widerRadius(radius, room, opens);
  return { text: sizes ? widerText(sizes) : '', sizes };
}

/** @param {LevelTrials} trials @param {Before} before @param {Fields} fields @param {Path} path with these fields @param {number | null} length before @param {(path: Path | null) => boolean} opens @returns {Cause} */
function describe(trials, before, fields, path, length, opens) {
  const { config } = trials;
  const samples = onGround(trials, trials.wayWith(fields, APART * config.cellSize), fields.agentMaxClimb ?? config.agentMaxClimb);
  const way = missingPart(trials, before, samples);
  const names = /** @type {FieldName[]} */ (Object.keys(fields));
  const measured = names.map((name) => ({ name, measure: MEASURES[name](trials, way, Number(fields[name])) }));
  const broken = measured.filter(({ name, measure }) => measure === null || BREAKS[name](measure.figure, config[name]));
  const own = broken.length > 0 ? broken : measured;
  const texts = [...own.map((each) => fieldText(each.name, each.measure?.figure ?? Infinity, config[each.name], broken.length > 0)),
    ...measured.filter((each) => !own.includes(each)).map((each) => roundedText(each.name, config[each.name]))];
  const passage = measured.find(({ name: field }) => field === 'agentRadius')?.measure ?? null;
  const coarse = fields.agentRadius === 0 && passage !== null ? coarseText(passage.figure, config.cellSize) : '';
  const isNarrow = passage !== null && names.length === 1 && (broken.length === 1 || coarse !== '');
  const smaller = isNarrow ? widerRadius(trials, Number(fields.agentRadius), passage.figure, opens) : broken.length === 0 ? smallerCells(trials, opens) : { text: '', sizes: null };
  /** @type {import('./causes.js').Change[]} */
  const changes = [{ kind: 'config', fields }];
  const [{ name, measure }] = own;
  return {
    kind: own.length === 1 ? KINDS[name] : 'limits', text: [...texts, changeText(changes, trials.isExact), coarse, smaller.text].filter((part) => part !== '').join(' '), changes, isVerified: trials.isExact,
    point: measure?.point ?? way[0] ?? null, figure: name === 'minRegionSize' ? null : measure?.figure ?? null,
    saves: length === null ? null : length - path.length, ...(smaller.sizes && { alternatives: [[{ kind: 'config', fields: smaller.sizes }]] }),
  };
}

/** The fields that open a way together: leaves out those that aren't needed, then makes each change as small as possible. @param {LevelTrials} trials @param {Fields} all @param {(path: Path | null) => boolean} opens @returns {Fields} */
function reduce(trials, all, opens) {
  let fields = all;
  for (const name of /** @type {FieldName[]} */ (Object.keys(all))) {
    const { [name]: _, ...fewer } = fields;
    if (Object.keys(fewer).length > 0 && opens(trials.pathWith(fewer))) fields = fewer;
  }
  for (const name of /** @type {FieldName[]} */ (Object.keys(fields))) {
    const { [name]: _, ...others } = fields;
    const smaller = { ...fields, [name]: trials.smallest(name, others, opens) };
    if (opens(trials.pathWith(smaller))) fields = smaller;
  }
  return fields;
}

/** The changes of as few fields as possible that open a way: one field each, or two, or more; at most two make a path shorter. @param {LevelTrials} trials @param {readonly FieldName[]} names @param {(path: Path | null) => boolean} opens @param {boolean} isLong @returns {Fields[]} */
function findFields(trials, names, opens, isLong) {
  const pairs = names.flatMap((a, i) => names.slice(i + 1).map((b) => [a, b]));
  for (const groups of [names.map((name) => [name]), pairs]) {
    const found = groups.map((group) => trials.extremes(group)).filter((fields) => opens(trials.pathWith(fields))).map((fields) => reduce(trials, fields, opens));
    if (found.length > 0) return found.sort((a, b) => trials.shareOf(a) - trials.shareOf(b));
  }
  return isLong ? [] : [reduce(trials, trials.extremes(names), opens)];
}

/**
 * The changes of as few fields as possible that open a way, the smallest first; `isOpen` if the level has one as it is.
 * @param {LevelTrials} trials @param {Before} before @param {number | null} length of the path; null: there is none
 * @param {(length: number | null) => boolean} isWorth @returns {{ causes: Cause[], isOpen: boolean }}
 */
export function levelCauses(trials, before, length, isWorth) {
  const opens = (/** @type {Path | null} */ path) => isWorth(path?.length ?? null);
  const names = FIELD_NAMES.filter((name) => trials.values[name]);
  // Either the highest steps, or the lowest agents.
  const orders = [names, [...names].sort((a, b) => Number(b === 'agentHeight') - Number(a === 'agentHeight'))];
  if (!orders.some((order) => opens(trials.pathWith(trials.extremes(order))))) return { causes: [], isOpen: false };
  if (opens(trials.pathWith({}))) return { causes: [], isOpen: true };
  const found = findFields(trials, names, opens, length !== null);
  return { causes: found.map((fields) => describe(trials, before, fields, /** @type {Path} */ (trials.pathWith(fields)), length, opens)), isOpen: false };
}
