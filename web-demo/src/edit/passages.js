/** Finds narrow places of the mesh near a point: where walls stand on two opposite sides, and the way goes on between them. */

/** @typedef {import('walkmesh').NavMesh} NavMesh */
/** @typedef {import('./shapes.js').Point} Point */

/**
 * @typedef {object} Passage
 * @property {Point} centre between its sides, on the mesh
 * @property {number} angle of the line from side to side, radians from x towards -z
 * @property {number} width of the mesh between its sides, world units
 */

/** Distance between samples and their distance from the point, world units. */
const [STEP, REACH] = [0.5, 4];
/** Search range on y, so that clicks on the top of a wall find the ground beside it, world units. */
const TALL = 4;
/** Height within which ground is the floor of a point, world units; another floor below it begins at this depth. */
const FLOOR = 1.5;
/** Number of directions over half a turn. */
const DIRECTIONS = 12;
/** How far the mesh goes on behind and before a passage, world units. */
const THROUGH = 1;
/** Largest dot product of the normals of opposite walls. */
const OPPOSITE = -0.6;
/** Metres of width that a metre of distance from the point is worth. */
const NEARNESS = 0.6;
/** Metres of width that the floor of the point is worth. */
const OTHER_FLOOR = 2;

/** @param {number} angle @returns {[number, number]} x and z */
const directionOf = (angle) => [Math.cos(angle), -Math.sin(angle)];

/**
 * The wall in a direction. @param {NavMesh} navMesh @param {{ polygon: number, point: Point }} from @param {[number, number]} direction
 * @param {number} reach @returns {{ distance: number, normal: readonly number[] }} distance Infinity: none within reach
 */
function wallIn(navMesh, { polygon, point }, [dx, dz], reach) {
  const { hit, t, normal } = navMesh.raycast(polygon, point, [point[0] + reach * dx, point[1], point[2] + reach * dz]);
  return { distance: hit ? t * reach : Infinity, normal };
}

/**
 * The narrowest line from wall to wall through a point, if the way goes on between them.
 * @param {NavMesh} navMesh @param {{ polygon: number, point: Point }} from @param {number} widest @returns {Passage | null}
 */
function passageAt(navMesh, from, widest) {
  /** @type {Passage | null} */
  let best = null;
  for (let i = 0; i < DIRECTIONS; i++) {
    const angle = i * Math.PI / DIRECTIONS;
    const [dx, dz] = directionOf(angle);
    const ahead = wallIn(navMesh, from, [dx, dz], widest);
    if (ahead.distance >= (best?.width ?? widest)) continue;
    const behind = wallIn(navMesh, from, [-dx, -dz], widest - ahead.distance);
    const width = ahead.distance + behind.distance;
    // On a tie the first direction wins, so that passages along the axes stay so.
    if (!(width < (best?.width ?? widest) - 1e-3)) continue;
    if (ahead.normal[0] * behind.normal[0] + ahead.normal[2] * behind.normal[2] > OPPOSITE) continue;
    const shift = (ahead.distance - behind.distance) / 2;
    best = { centre: [from.point[0] + shift * dx, from.point[1], from.point[2] + shift * dz], angle, width };
  }
  if (!best) return null;
  const [dx, dz] = directionOf(best.angle);
  const isOpen = [1, -1].every((sign) => wallIn(navMesh, from, [-sign * dz, sign * dx], THROUGH).distance === Infinity);
  return isOpen ? best : null;
}

/** The ground near a point: a strip of mesh can lie between samples. @param {NavMesh} navMesh @param {Point} point @param {number} tall search range on y */
const groundNear = (navMesh, point, tall) => navMesh.nearestPoint(point, { halfExtents: [STEP / 2, tall, STEP / 2], heightPreference: 'closest' });

/**
 * The passage nearest to a point; narrow ones win, and those on the floor of the point: it may lie on a roof or on top of a wall.
 * @param {NavMesh} navMesh @param {Point} point @param {{ widest?: number, reach?: number }} [options] widest: of the mesh between the walls
 * @returns {Passage | null}
 */
export function findPassage(navMesh, [x, y, z], { widest = 6, reach = REACH } = {}) {
  let [best, least] = [/** @type {Passage | null} */ (null), Infinity];
  const count = Math.ceil(reach / STEP);
  for (let i = -count; i <= count; i++) {
    for (let k = -count; k <= count; k++) {
      const distance = STEP * Math.hypot(i, k);
      if (distance > reach || NEARNESS * distance >= least) continue;
      const [sampleX, sampleZ] = [x + STEP * i, z + STEP * k];
      for (const from of [groundNear(navMesh, [sampleX, y, sampleZ], TALL), groundNear(navMesh, [sampleX, y - FLOOR - TALL / 2, sampleZ], TALL / 2)]) {
        if (!from) continue;
        const cost = NEARNESS * distance + (Math.abs(from.point[1] - y) > FLOOR ? OTHER_FLOOR : 0);
        const passage = passageAt(navMesh, from, Math.min(widest, least - cost));
        if (passage) [best, least] = [passage, passage.width + cost];
      }
    }
  }
  return best;
}

/**
 * What a closed door does: `closes` its passage; `around`: agents walk around its end; `nothing`: no polygon lies in it.
 * @typedef {'closes' | 'around' | 'nothing'} DoorEffect
 */

/** A cost that a path pays only where there is no other way. */
const DEAR = 1e5;

/**
 * The effect of a door, by a path from one side to the other that avoids its area.
 * @param {NavMesh} navMesh @param {any} shape a box or a rotatedBox @param {ArrayLike<number>} polygons of the door @param {number} area of the door's polygons
 * @returns {DoorEffect}
 */
export function doorEffect(navMesh, shape, polygons, area) {
  if (polygons.length === 0) return 'nothing';
  const isBox = shape.kind === 'box';
  const half = isBox ? [0, 2].map((axis) => (shape.max[axis] - shape.min[axis]) / 2) : [shape.halfExtents[0], shape.halfExtents[2]];
  const centre = isBox ? shape.min.map((/** @type {number} */ low, /** @type {number} */ axis) => (low + shape.max[axis]) / 2) : shape.centre;
  const low = isBox ? shape.min[1] : centre[1] - shape.halfExtents[1];
  const [long, thin] = [Math.max(...half), Math.min(...half)];
  const [dx, dz] = directionOf((isBox ? 0 : shape.yaw) + (half[0] >= half[1] ? Math.PI / 2 : 0));
  const far = thin + THROUGH;
  const sides = [1, -1].map((sign) => navMesh.nearestPoint([centre[0] + sign * far * dx, low, centre[2] + sign * far * dz], { halfExtents: [0.4, 2, 0.4] }));
  if (!sides[0] || !sides[1]) return 'closes';
  const path = navMesh.findPath(sides[0].point, sides[1].point, { filter: { areaCosts: { [area]: DEAR } } });
  const own = new Set(Array.from(polygons));
  const isThrough = path.status !== 'complete' || Array.from(path.corridor.subarray(0, path.corridorCount)).some((polygon) => own.has(polygon));
  return isThrough || path.length > 2 * far + 2 * long + 2 ? 'closes' : 'around';
}
