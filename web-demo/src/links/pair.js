/**
 * Two spots that the user clicked, as a question about links: from which edge of the mesh to which, how far, how high; and the limit that
 * forbids it, measured before the generator looks for what is in the way.
 */
import { kindLimits } from './kinds.js';

/** @typedef {import('../state/document.js').Document} Document */
/** @typedef {import('../state/document.js').Point} Point */
/** @typedef {import('walkmesh').NavMesh} NavMesh */
/** @typedef {import('walkmesh').LinkRefusal} LinkRefusal */
/** @typedef {import('./kinds.js').LinkKind} LinkKind */
/** The gap between two edges. @typedef {{ start: Point, end: Point, distance: number, height: number, turn: number }} Gap turn: radians between the way and the square of the first edge */
/** @typedef {{ kind: LinkKind, reason: LinkRefusal, value: number, limit: number }} Excess a limit that a kind exceeds */

/** Search distance for the mesh at a spot, world units. */
const NEAR = [1.5, 2, 1.5];
/** Cells beyond the body's width that drops and climbs lead away from their wall, and that vaults lead beyond their depth (src/links/link_config.c). */
export const [LEDGE_CELLS, VAULT_CELLS] = [6, 4];
/** The angle to the square of an edge up to which candidates are near enough, radians. */
const SQUARE = 50 * Math.PI / 180;

/** @param {readonly number[]} a @param {readonly number[]} b */
const flatDistance = (a, b) => Math.hypot(b[0] - a[0], b[2] - a[2]);

/** The edge where the mesh ends on the straight line between two points of it. @param {NavMesh} navMesh @param {import('walkmesh').NearestPoint} from @param {import('walkmesh').NearestPoint} to */
function edgeTowards(navMesh, from, to) {
  const ray = navMesh.raycast(from.polygon, from.point, to.point);
  return ray?.hit ? { point: /** @type {Point} */ ([...ray.point]), normal: [...ray.normal] } : null;
}

/**
 * Measures the gap between two spots. @param {NavMesh} navMesh @param {Point} from @param {Point} to
 * @returns {Gap | 'from' | 'to' | 'walkable'} the spot that isn't on the mesh; walkable: there is no gap
 */
export function measureGap(navMesh, from, to) {
  const [near, far] = [from, to].map((spot) => navMesh.nearestPoint(spot, { halfExtents: NEAR }));
  if (!near) return 'from';
  if (!far) return 'to';
  const [first, last] = [edgeTowards(navMesh, near, far), edgeTowards(navMesh, far, near)];
  if (!first || !last) return 'walkable';
  const distance = flatDistance(first.point, last.point);
  const along = [0, 2].map((axis) => (last.point[axis] - first.point[axis]) / Math.max(distance, 1e-6));
  // The normal points back into the mesh.
  const straight = -(along[0] * first.normal[0] + along[1] * first.normal[2]);
  return { start: first.point, end: last.point, distance, height: last.point[1] - first.point[1], turn: Math.acos(Math.min(1, Math.max(-1, straight))) };
}

/** What a gap exceeds for a kind; none: the kind may lead there. Null: the kind doesn't lead to ground that lies so. @param {Gap} gap @param {LinkKind} kind @param {Pick<Document, 'config' | 'links'>} document @returns {Excess[] | null} */
function excessesOf({ distance, height }, kind, document) {
  const { agentMaxClimb, agentRadius, cellSize } = document.config;
  const limits = kindLimits(document, kind);
  const [beside, beyond] = [LEDGE_CELLS, VAULT_CELLS].map((cells) => 2 * agentRadius + cells * cellSize);
  /** @param {LinkRefusal} reason @param {number} value @param {number} limit @returns {Excess[]} */
  const check = (reason, value, limit) => (value > limit + 1e-3 ? [{ kind, reason, value, limit }] : []);
  if (kind === 'drop') return height < -agentMaxClimb && distance <= beside ? check('too-deep', -height, limits.maxHeight) : null;
  if (kind === 'climb') return height > agentMaxClimb && distance <= beside ? check('too-high', height, limits.maxHeight) : null;
  if (kind === 'vault') return Math.abs(height) < limits.maxHeight && distance <= limits.maxDepth + beyond ? [] : null;
  return [...check('too-far', distance, limits.maxDistance), ...check('too-high', height, limits.maxUp), ...check('too-deep', -height, limits.maxDown)];
}

/** @param {Excess} excess */
const ratio = ({ value, limit }) => value / Math.max(limit, 1e-3);

/**
 * The limit that a gap exceeds, of the kind that comes nearest to allowing it; or a kind that is off and would allow it. Null: limits allow it.
 * @param {Gap} gap @param {Pick<Document, 'config' | 'links'>} document @returns {Excess | null}
 */
export function findExcess(gap, document) {
  const kinds = /** @type {LinkKind[]} */ (['drop', 'jump', 'climb', 'vault']);
  const found = kinds.flatMap((kind) => {
    const excesses = excessesOf(gap, kind, document);
    return excesses ? [{ kind, worst: excesses.sort((a, b) => ratio(b) - ratio(a))[0] ?? null }] : [];
  });
  const on = found.filter(({ kind }) => document.links[kind].isOn);
  if (on.some(({ worst }) => worst === null)) return null;
  const off = found.find(({ kind, worst }) => worst === null && !document.links[kind].isOn);
  if (off) return { kind: off.kind, reason: 'kind-off', value: 0, limit: 0 };
  const worsts = on.flatMap(({ worst }) => worst ?? []);
  return worsts.length > 0 ? worsts.reduce((best, worst) => (ratio(worst) < ratio(best) ? worst : best)) : null;
}

/** True if a candidate leads from one side of a gap to the other, roughly. @param {{ start: readonly number[], end: readonly number[] }} candidate @param {Gap} gap */
export function isAcross({ start, end }, gap) {
  const [ax, az, bx, bz] = [end[0] - start[0], end[2] - start[2], gap.end[0] - gap.start[0], gap.end[2] - gap.start[2]];
  const along = ax * bx + az * bz;
  return flatDistance(start, gap.start) <= Math.max(1, gap.distance / 2) && along > 0 && 2 * along * along >= (ax * ax + az * az) * (bx * bx + bz * bz);
}

/**
 * The answer to a question: what a generator says of a candidate, or what the gap between the spots is.
 * @typedef {{ refused: import('walkmesh').RefusedSegmentLink, spot?: undefined } | { refused?: undefined, spot: 'from' | 'to' | 'walkable' | 'other' } | { refused?: undefined, spot: 'askew', degrees: number }} PairAnswer
 */

/**
 * Why no link leads from one spot to another. @param {NavMesh} navMesh @param {import('walkmesh').LinkGenerator} generator @param {Point} from @param {Point} to
 * @param {Pick<Document, 'config' | 'links'>} document @returns {PairAnswer} with reason null: there is a link
 */
export function explainPair(navMesh, generator, from, to, document) {
  const gap = measureGap(navMesh, from, to);
  if (typeof gap === 'string') return { spot: gap };
  const refused = generator.explainLink(gap.start, gap.end);
  if (refused.reason === null) return { refused };
  const excess = findExcess(gap, document);
  if (excess) return { refused: { ...excess, start: gap.start, end: gap.end, place: gap.end, text: '' } };
  if (isAcross(refused, gap)) return { refused };
  return gap.turn > SQUARE ? { spot: 'askew', degrees: Math.round(gap.turn * 180 / Math.PI) } : { spot: 'other' };
}
