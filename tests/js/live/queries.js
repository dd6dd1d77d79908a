/**
 * Compares the results of both packages on the same mesh, query by query.
 *
 * Results are equal if they have the same polygons, and points, costs and lengths to 1e-4. Every other pair of results
 * must be explained by a computation (query-oracle.js) that shows which rule causes the difference:
 *
 *   tie                          both results are equally good to 1e-4
 *   near a corner                the ray passes a vertex within 1e-4
 *   on an edge                   within 1e-4: the peer tests the side of an edge once for each of its two polygons, and
 *                                rounding leaves gaps; our test has the same result for both polygons
 *   their ray is lost            the peer's ray ends inside a polygon, without a wall: rounding put it beside that polygon
 *   their ray does not end       the peer's ray loops through the same polygons; ours ends at its farthest point there
 *   height of the end            only the height of the end changes the cost: the peer uses the query's y, ours the surface's
 *   their limits                 the peer's result follows with its limits (64 nodes, a queue of 48), ours without them
 *   partly open edge             the peer treats an edge on a tile's side as open over its full length
 *   other opening                two polygons share several links: the peer uses the portal of the first, ours its own
 *   tie on the way               of equally expensive nodes ours expands the oldest first, the peer its heap's first
 *   link they lack               ours crosses a link of an edge with more than the 4 targets that the peer stores
 *   their box beside the tile    the peer's nearest polygon is in a tile that the box does not overlap
 *   their polygon 0              the peer's tree also reports the first polygon for boxes at the tile's lowest corner
 *   heights of their tree        tree nodes lie above the surface: the peer finds the polygon in a box that is high enough
 *   touches the box              rounding decides whether a polygon is in the box: the peer finds it in one larger by 1e-4
 *   theirs by whole cells        the peer's polygons include all of ours
 *   their ends as asked          the peer's one-call path uses the given end heights, ours the surface that both find
 *   wall of another floor        a nearer wall exists, but the path to it leads farther away than our wall
 *
 * A difference without such a proof is a fault.
 */

import { loadPeer, renewPeer } from './peer.js';
import { MeshView } from './mesh-view.js';
import { FIRST_LINK, OUR_ORDER, OUR_WALK, OWN_LINK, PEER_WALK, THEIR_ORDER, distance, distance2d, edgeDistance, edgesOf,
  findCorridor, floodCircle, followRay, moveAlong, mostTargets, wallsWithin } from './query-oracle.js';
import { makeMeshes, makeQueryCase, pointOnSurface } from './query-scenes.js';
import { OurSide, PeerSide } from './query-sides.js';
import { QueryTally } from './query-tally.js';
import { load } from '../../../js/index.js';

const TOLERANCE = 1e-4;
const DETAIL_LENGTH = 700;
const SCENES_PER_INSTANCE = 50;
const ONE_CALL_EXTENTS = [2, 4, 2];
/** The most targets of an edge in a tile that the peer stores. */
const PEER_TARGETS = 4;

/**
 * @typedef {object} QueryOutcome
 * @property {number} seed
 * @property {'compared' | 'empty' | 'trapped'} status empty: the mesh has no polygons; trapped: the peer trapped
 * @property {Map<string, Map<string, number>>} kinds query -> finding -> count
 * @property {string[]} faults differences without an explanation
 * @property {{ tiled: boolean, connections: number, costs: boolean, exchange: string, polygons: number }} [scene]
 */

/**
 * @param {{ firstSeed: number, count: number, questions?: number, scalar?: boolean, Ours?: typeof OurSide,
 *   onOutcome?: (outcome: QueryOutcome, done: number) => void }} options
 * @returns {Promise<QueryTally | null>} null where the peer is not installed
 */
export async function compareQueries({ firstSeed, count, questions = 50, scalar = false, Ours = OurSide, onOutcome = () => {} }) {
  const peer = await loadPeerWithGenerators();
  if (peer === null) return null;
  const walkmesh = await load({ simd: !scalar });
  const tally = new QueryTally();
  for (let i = 0; i < count; i++) {
    if (i % SCENES_PER_INSTANCE === SCENES_PER_INSTANCE - 1) await renewPeer(peer);
    const outcome = await compareScene(peer, walkmesh, firstSeed + i, { questions, Ours });
    tally.add(outcome);
    onOutcome(outcome, i + 1);
  }
  return tally;
}

async function loadPeerWithGenerators() {
  const peer = await loadPeer();
  return peer && { ...peer, ...(await import('recast-navigation/generators')) };
}

/** @returns {Promise<QueryOutcome>} */
async function compareScene(peer, walkmesh, seed, options) {
  const outcome = { seed, status: 'empty', kinds: new Map(), faults: [] };
  const test = makeQueryCase(seed);
  let meshes = null;
  try {
    meshes = makeMeshes(peer, walkmesh, test);
    if (meshes === null) return outcome;
    compareMeshes(peer, meshes, test, options, outcome);
    meshes.theirs.destroy();
  } catch (error) {
    if (!(error instanceof WebAssembly.RuntimeError)) throw error;
    await renewPeer(peer);
    return { ...outcome, status: 'trapped' };
  } finally {
    meshes?.ours.free();
  }
  return outcome;
}

function compareMeshes(peer, meshes, test, { questions, Ours }, outcome) {
  const view = new MeshView(meshes.theirs, meshes.ours);
  const { tiles, polygons, offMeshConnections, links } = meshes.ours.totals;
  outcome.status = 'compared';
  outcome.scene = {
    tiled: tiles > 1, connections: offMeshConnections, polygons, exchange: test.exchange,
    costs: test.filter.areaCosts.some((cost) => cost !== 1),
  };
  const theirs = new PeerSide(peer, meshes.theirs, view, test.filter);
  const comparison = new Comparison(view, new Ours(meshes.ours, view, test.filter), theirs, test, outcome);
  comparison.compareLinks(links);
  for (let i = 0; i < questions; i++) comparison.ask(meshes.triangles, i);
  theirs.free();
}

class Comparison {
  constructor(view, ours, theirs, test, outcome) {
    Object.assign(this, { view, ours, theirs, outcome, filter: test.filter, random: test.random, config: test.config });
  }

  /** Counts a finding; reports a fault if `finding` is null. @param {string} kind @param {string | null} finding */
  note(kind, finding, detail = () => '') {
    const findings = this.outcome.kinds.get(kind) ?? new Map();
    this.outcome.kinds.set(kind, findings);
    findings.set(finding ?? 'UNEXPLAINED', (findings.get(finding ?? 'UNEXPLAINED') ?? 0) + 1);
    if (finding === null) this.outcome.faults.push(`${kind}: ${detail()}`.slice(0, DETAIL_LENGTH));
  }

  /** Runs one query of each kind at random points. */
  ask(triangles, i) {
    const { random } = this;
    const near = this.nearby(pointOnSurface(random, triangles));
    const halfExtents = random.chance(0.5) ? [2, 4, 2] : [random.between(0, 3), random.between(0, 4), random.between(0, 3)].map(Math.fround);
    const start = this.compareNearest(near, halfExtents);
    const end = this.compareNearest(pointOnSurface(random, triangles), [2, 4, 2]);
    this.compareBox(near, halfExtents);
    if (start.polygon === null) return;
    const target = this.targetFrom(start.point, random.pick([0.1, 1, 3, 10]));
    this.compareRay(start, random.chance(0.3) && end.polygon ? end.point : target);
    this.compareMove(start, target);
    this.compareFlood(start, random.pick([1, 3, 10]));
    this.compareWall(start, random.pick([1, 5, 100]));
    this.comparePlaces(random.pick(this.view.polygons), random.chance(0.5) ? near : target);
    this.comparePlaces(start.polygon, target);
    if (end.polygon !== null) this.comparePath(start, end, i % 3);
  }

  nearby(point) {
    const [x, y, z] = [0.5, 0.7, 0.5].map((reach) => (this.random.chance(0.5) ? this.random.between(-reach, reach) : 0));
    return [point[0] + x, point[1] + y, point[2] + z].map(Math.fround);
  }

  targetFrom([x, y, z], reach) {
    const angle = this.random.between(0, 6.28);
    return [x + reach * Math.cos(angle), y, z + reach * Math.sin(angle)].map(Math.fround);
  }

  // ---- Links -----------------------------------------------------------------------------------------------

  /** Compares the number of links, and the polygons behind every polygon's edges. */
  compareLinks(links) {
    const dropped = this.view.polygons.some((polygon) => mostTargets(polygon) >= PEER_TARGETS);
    const full = this.view.tiles.some((tile) => tile.hasFullPool);
    const more = links - this.view.linkCount;
    this.haveMoreLinks = more > 0;
    this.note('links', more === 0 ? 'equal' : more > 0 && dropped ? 'more than 4 targets' : more > 0 && full ? 'their pool is full' : null,
      () => `${links} here, ${this.view.linkCount} there`);
  }

  /**
   * True if a search may have crossed a link that the peer lacks: one of its steps has no link there, or it came near a
   * polygon with an edge that has all the targets the peer stores, in a mesh that lacks links.
   */
  usesLinkTheyLack(path, touched = path) {
    const lacks = path.some((polygon, i) => i > 0 && !path[i - 1].links.some(({ target }) => target === polygon)
      && (isCrowded(path[i - 1]) || isCrowded(polygon)));
    return lacks || (this.haveMoreLinks && touched.some((polygon) => isCrowded(polygon) || polygon.links.some(({ target }) => isCrowded(target))));
  }

  // ---- Points ----------------------------------------------------------------------------------------------

  compareNearest(point, halfExtents) {
    const [ours, theirs] = [this.ours.nearest(point, halfExtents), this.theirs.nearest(point, halfExtents)];
    this.note('nearest', this.explainNearest(point, halfExtents, ours, theirs), () =>
      `${point} within ${halfExtents}: ${nameOf(ours.polygon)} ${ours.point}, not ${nameOf(theirs.polygon)} ${theirs.point}`);
    return theirs;
  }

  explainNearest(point, halfExtents, ours, theirs) {
    if (ours.polygon === theirs.polygon) {
      if (ours.polygon === null) return 'equal';
      return arePointsEqual(ours.point, theirs.point) && ours.isOver === theirs.isOver ? 'equal' : null;
    }
    if (theirs.polygon === null) return null;
    const { low, high } = theirs.polygon.tile;
    if (low.some((value, axis) => value > point[axis] + halfExtents[axis]) || high.some((value, axis) => value < point[axis] - halfExtents[axis])) {
      return 'their box beside the tile';
    }
    if (theirs.polygon.number === 0 && low.every((value, axis) => point[axis] - halfExtents[axis] < value + 2 * this.config.cellSize)) return 'their polygon 0';
    if (ours.polygon === null) return null;
    const score = ({ polygon, point: found, isOver }) =>
      (isOver ? Math.max(0, Math.abs(point[1] - found[1]) - polygon.tile.climb) : distance(point, found));
    return areClose(score(ours), score(theirs)) ? 'tie' : null;
  }

  comparePlaces(polygon, point) {
    const [ours, theirs] = [this.ours.closest(polygon, point), this.theirs.closest(polygon, point)];
    const same = arePointsEqual(ours.point, theirs.point) && ours.isOver === theirs.isOver;
    const tie = areClose(distance2d(ours.point, point), distance2d(theirs.point, point)) && ours.isOver === theirs.isOver;
    const onEdge = arePointsEqual(ours.point, theirs.point) && isOnOutline(polygon, point);
    this.note('closest point', same ? 'equal' : onEdge ? 'on an edge' : tie ? 'tie' : null, () => `${nameOf(polygon)} ${point}: ${ours.point}, not ${theirs.point}`);
    const [height, theirHeight] = [this.ours.height(polygon, point), this.theirs.height(polygon, point)];
    const equal = height === null ? theirHeight === null : theirHeight !== null && areClose(height, theirHeight);
    this.note('height', equal ? 'equal' : isOnOutline(polygon, point) ? 'on an edge' : null, () => `${nameOf(polygon)} ${point}: ${height}, not ${theirHeight}`);
  }

  /** Ours are tested exactly. The peer's are tested by tree nodes: whole cells, which can lie above the surface. */
  compareBox(centre, halfExtents) {
    const ours = this.ours.inBox(centre, halfExtents);
    const theirs = new Set(this.theirs.inBox(centre, halfExtents));
    const missing = ours.filter((polygon) => !theirs.has(polygon));
    const finding = missing.length > 0 ? this.explainMissing(centre, halfExtents, missing)
      : ours.length === theirs.size ? 'equal' : 'theirs by whole cells';
    this.note('polygons in a box', finding, () => `${centre} +- ${halfExtents}: ${missing.map(nameOf)} not there`);
  }

  explainMissing(centre, [x, , z], missing) {
    const areFound = (margin) => {
      const found = new Set(this.theirs.inBox(centre, [x + margin, 1000, z + margin]));
      return missing.every((polygon) => found.has(polygon));
    };
    return areFound(0) ? 'heights of their tree' : areFound(TOLERANCE) ? 'touches the box' : null;
  }

  // ---- Corridors and paths ---------------------------------------------------------------------------------

  comparePath(start, end, crossings) {
    const theirs = this.theirs.corridor(start.polygon, start.point, end.polygon, end.point);
    const ours = this.ours.corridor(start.polygon, start.point, end.polygon, end.point);
    const expected = findCorridor(start.polygon, start.point, end.polygon, end.point, this.filter);
    const finding = this.explainCorridor(start, end, ours, theirs, expected);
    this.note('corridor', finding, () => `${nameOf(start.polygon)} ${start.point} to ${nameOf(end.polygon)} ${end.point}: `
      + `${ours.polygons.map(nameOf)} for ${ours.cost}, not ${theirs.polygons.map(nameOf)} for ${expected.cost}`);
    this.compareString(start, end, theirs.polygons, crossings);
    if (finding === 'equal' && ours.isComplete) this.compareOneCall(start, end);
  }

  explainCorridor(start, end, ours, theirs, expected) {
    if (!isSameList(theirs.polygons, expected.polygons)) return null;
    if (ours.isComplete === theirs.isComplete && areClose(ours.cost, expected.cost)) {
      return isSameList(ours.polygons, theirs.polygons) ? 'equal' : 'tie';
    }
    if (this.usesLinkTheyLack(ours.polygons, expected.touched)) return 'link they lack';
    const follows = (openings, order) => {
      const own = findCorridor(start.polygon, start.point, end.polygon, end.point, this.filter, openings, order);
      return ours.isComplete === own.isComplete && areClose(ours.cost, own.cost);
    };
    if (follows(OWN_LINK, THEIR_ORDER)) return 'other opening';
    if (follows(FIRST_LINK, OUR_ORDER)) return 'tie on the way';
    return follows(OWN_LINK, OUR_ORDER) ? 'other opening, tie on the way' : null;
  }

  compareString(start, end, polygons, crossings) {
    const theirs = this.theirs.straighten(start.point, end.point, polygons, crossings);
    const ours = this.ours.straighten(start.point, end.point, polygons, crossings);
    const isEqual = ours.points.length === theirs.points.length
      && ours.points.every((point, i) => arePointsEqual(point, theirs.points[i]) && ours.entered[i] === theirs.entered[i])
      && ours.points.every((_, i) => (ours.offMesh[i] !== 0) === ((theirs.flags[i] & 4) !== 0));
    const finding = () => {
      if (!areClose(ours.length, lengthOf(ours.points))) return null;
      if (isEqual) return 'equal';
      if (crossings === 0 && areClose(ours.length, lengthOf(theirs.points))) return 'tie';
      if (areEqualButForEnds(ours.points, theirs.points, polygons)) return 'on an edge';
      return hasSeveralLinks(polygons) ? 'other opening' : null;
    };
    this.note('straight path', finding(), () => `crossings ${crossings}, ${start.point} to ${end.point} through ${polygons.map(nameOf)}: `
      + `${JSON.stringify(ours.points)}, not ${JSON.stringify(theirs.points)}`);
  }

  compareOneCall(start, end) {
    const theirs = this.theirs.path(start.point, end.point, ONE_CALL_EXTENTS);
    const ours = this.ours.path(start.point, end.point, ONE_CALL_EXTENTS);
    this.note('path in one call', this.explainOneCall(start, end, ours, theirs), () =>
      `${start.point} to ${end.point}: ${lengthOf(ours.points)}, not ${lengthOf(theirs)}`);
  }

  explainOneCall(start, end, ours, theirs) {
    const asked = [start.point, end.point];
    if (ours.points.length === 0) return asked.some((point) => this.isBesideTile(point)) ? 'their box beside the tile' : null;
    const haveSameEnds = theirs.length > 0 && [0, -1].every((i) => arePointsEqual(ours.points.at(i), theirs.at(i)));
    if (haveSameEnds && areClose(lengthOf(ours.points), lengthOf(theirs))) return 'equal';
    if (areEqualButForEnds(ours.points, theirs, ours.polygons)) return 'on an edge';
    return this.keepsEndsAsAsked(asked, ours.points, theirs) ? 'their ends as asked' : null;
  }

  /** True if a path has no polygon to start at, and the polygon that the peer finds is in a tile beside the box. */
  isBesideTile(point) {
    const [ours, theirs] = [this.ours, this.theirs].map((side) => side.nearest(point, ONE_CALL_EXTENTS));
    return ours.polygon === null && this.explainNearest(point, ONE_CALL_EXTENTS, ours, theirs) === 'their box beside the tile';
  }

  /**
   * True if the peer's own steps, one by one, give both results: the peer's from the given points, ours from the points
   * that its nearest-polygon search returns. On a surface just above or below, these differ in height.
   */
  keepsEndsAsAsked(asked, ours, theirs) {
    const [from, to] = asked.map((point) => this.theirs.nearest(point, ONE_CALL_EXTENTS));
    const follows = (line, [a, b]) => {
      const { polygons } = this.theirs.corridor(from.polygon, a, to.polygon, b);
      const { points } = this.theirs.straighten(a, b, polygons, 0);
      return points.length === line.length && points.every((point, i) => arePointsEqual(point, line[i]));
    };
    return from.polygon !== null && to.polygon !== null && follows(theirs, asked) && follows(ours, [from.point, to.point]);
  }

  // ---- Local queries ---------------------------------------------------------------------------------------

  compareRay(start, to) {
    const from = start.point;
    const ours = this.ours.raycast(start.polygon, from, to);
    const expected = followRay(start.polygon, from, to, this.filter);
    if (expected.isEndless) return this.compareEndlessRay(start, to, ours, expected);
    const theirs = this.theirs.raycast(start.polygon, from, to);
    this.note('raycast', this.explainRay(start.polygon, from, to, ours, theirs), () => `${nameOf(start.polygon)} ${from} to ${to}: `
      + `t ${ours.t} ${ours.normal} ${ours.cost} ${ours.polygons.map(nameOf)}, not ${theirs.t} ${theirs.normal} ${theirs.cost} ${theirs.polygons.map(nameOf)}`);
  }

  /** The peer is not called: it would not return. */
  compareEndlessRay(start, to, ours, { t, polygons }) {
    const isAsFar = ours.hit && Math.abs(ours.t - t) * Math.max(1, distance2d(start.point, to)) <= TOLERANCE;
    const isSameWay = isSameList([...new Set(ours.polygons)], polygons);
    this.note('raycast', isAsFar && isSameWay ? 'their ray does not end' : null, () => `${nameOf(start.polygon)} ${start.point} to ${to}: `
      + `t ${ours.t} ${ours.polygons.map(nameOf)}, not ${t} ${polygons.map(nameOf)} for ever`);
  }

  explainRay(start, from, to, ours, theirs) {
    const missed = theirs.t === 0 && theirs.polygons.length === 0;
    if (missed && ours.isOutside && ours.t === 0) return 'equal';
    if (missed || ours.isOutside) {
      return isOnOutline(start, from) ? 'on an edge' : this.passesCorner(from, to, ours, theirs);
    }
    const isEqual = ours.hit === theirs.isHit && Math.abs(ours.t - theirs.t) * Math.max(1, distance2d(from, to)) <= TOLERANCE
      && (!ours.hit || (arePointsEqual(ours.normal, theirs.normal) && ours.edge === theirs.edge))
      && isSameList(ours.polygons, theirs.polygons);
    if (isEqual && areClose(ours.cost, theirs.cost)) return 'equal';
    if (isEqual && this.countsHeightOfEnd(from, to, ours, theirs)) return 'height of the end';
    const isLost = theirs.isHit && theirs.normal.every((value) => value === 0);
    if (isLost && isSameList(ours.polygons.slice(0, theirs.polygons.length), theirs.polygons)) return 'their ray is lost';
    if (theirs.isCut && ours.polygons.length >= theirs.polygons.length) return 'their limits';
    return this.usesLinkTheyLack(ours.polygons) ? 'link they lack' : this.passesCorner(from, to, ours, theirs);
  }

  /** True if costs differ only by the last segment: the peer's ends at the given point, ours on the surface. */
  countsHeightOfEnd(from, to, ours, theirs) {
    if (ours.hit) return false;
    const [before, last] = ours.polygons.slice(-2);
    const costOf = (polygon) => this.filter.areaCosts[polygon.area];
    const pieces = last === undefined ? [from] : crossings(from, to, before, last);
    const longer = (theirs.cost - ours.cost) / costOf(last ?? before);
    return pieces.some((point) => areClose(longer, distance(point, to) - distance(point, ours.point)));
  }

  passesCorner(from, to, ours, theirs) {
    const corners = [...ours.polygons, ...theirs.polygons].flatMap(({ vertices }) => vertices);
    return corners.some((corner) => Math.sqrt(edgeDistance(corner, from, to).square) <= TOLERANCE) ? 'near a corner' : null;
  }

  compareMove(start, to) {
    const from = start.point;
    const [ours, theirs] = [this.ours.move(start.polygon, from, to), this.theirs.move(start.polygon, from, to)];
    this.note('move along surface', this.explainMove(start.polygon, from, to, ours, theirs), () => `${nameOf(start.polygon)} ${from} to ${to}: `
      + `${ours.point} ${ours.polygons.map(nameOf)}, not ${theirs.point} ${theirs.polygons.map(nameOf)}`);
  }

  explainMove(start, from, to, ours, theirs) {
    if (arePointsEqual(ours.point, theirs.point)) {
      return isSameList(ours.polygons, theirs.polygons) ? 'equal' : ours.polygons.at(-1) === theirs.polygons.at(-1) ? 'tie' : 'tie at the end';
    }
    const follows = (answer, rules) => {
      const expected = moveAlong(start, from, to, this.filter, rules);
      return arePointsEqual(expected.point, answer.point);
    };
    if (this.usesLinkTheyLack(ours.polygons)) return 'link they lack';
    if (!follows(theirs, PEER_WALK) || !follows(ours, OUR_WALK)) return null;
    if (follows(ours, { ...PEER_WALK, isPartlyOpen: true })) return 'partly open edge';
    return 'their limits';
  }

  compareFlood(start, radius) {
    const [ours, theirs] = [this.ours.flood(start.polygon, start.point, radius), this.theirs.flood(start.polygon, start.point, radius)];
    this.note('flood of a circle', this.explainFlood(start, radius, ours, theirs), () => {
      const list = (found) => [...found].map(([polygon, { cost, parent }]) => `${nameOf(polygon)} from ${nameOf(parent)} for ${cost}`);
      return `${nameOf(start.polygon)} ${start.point} ${radius}: ${list(ours)}, not ${list(theirs)}`;
    });
  }

  explainFlood(start, radius, ours, theirs) {
    const isEqual = ours.size === theirs.size && [...theirs].every(([polygon, { cost, parent }]) => {
      const found = ours.get(polygon);
      return found && areClose(found.cost, cost) && found.parent === parent;
    });
    if (isEqual) return isSameList([...ours.keys()], [...theirs.keys()]) ? 'equal' : 'tie';
    if (this.usesLinkTheyLack([], [...ours.keys()])) return 'link they lack';
    const follows = (found, openings) => {
      const expected = floodCircle(start.polygon, start.point, radius, this.filter, openings);
      return found.size === expected.size && [...found].every(([polygon, { cost }]) => areClose(cost, expected.get(polygon)?.cost));
    };
    if (!follows(theirs, FIRST_LINK)) return null;
    return follows(ours, FIRST_LINK) ? 'tie' : follows(ours, OWN_LINK) ? 'other opening' : null;
  }

  /** The peer's API has no such query: our result is compared with every wall within the radius. */
  compareWall(start, radius) {
    const found = this.ours.wall(start.polygon, start.point, radius);
    const distances = wallsWithin(start.polygon, start.point, radius, this.filter);
    this.note('distance to wall (oracle)', this.explainWall(start, Math.fround(radius), found, distances), () =>
      `${nameOf(start.polygon)} ${start.point} within ${radius}: ${found.distance}, not ${Math.min(...distances)}`);
  }

  explainWall(start, radius, { found, distance: ours }, distances) {
    const least = Math.min(...distances);
    if (areClose(Math.min(least, radius), ours)) return found === least <= radius || areClose(least, radius) ? 'equal' : null;
    const isThere = !found || distances.some((distance) => areClose(distance, ours));
    const nearer = Math.min(...wallsWithin(start.polygon, start.point, ours - TOLERANCE, this.filter));
    return isThere && nearer >= ours - TOLERANCE ? 'wall of another floor' : null;
  }
}

// ---- Small helpers -----------------------------------------------------------------------------------------------

const isCrowded = (polygon) => mostTargets(polygon) >= PEER_TARGETS;

/** True if two neighbours of a corridor share two links. */
function hasSeveralLinks(polygons) {
  const count = (a, b) => a.links.filter(({ target }) => target === b).length;
  return polygons.some((polygon, i) => i > 0 && (count(polygons[i - 1], polygon) > 1 || count(polygon, polygons[i - 1]) > 1));
}

/** The points where a ray crosses from one polygon into another, on the edges between them. */
function crossings(from, to, before, last) {
  return before.links.filter(({ target, edge }) => target === last && edge !== 255).map(({ edge }) => {
    const [a, b] = [before.vertices[edge], before.vertices[(edge + 1) % before.vertices.length]];
    const [ux, uz, vx, vz] = [to[0] - from[0], to[2] - from[2], b[0] - a[0], b[2] - a[2]];
    const share = ((a[0] - from[0]) * uz - (a[2] - from[2]) * ux) / (vz * ux - vx * uz);
    return [0, 1, 2].map((axis) => a[axis] + (b[axis] - a[axis]) * share);
  });
}

/** True within 1e-4 of a polygon's outline: rounding decides the side of the edge. */
function isOnOutline(polygon, point) {
  return edgesOf(polygon).some(({ a, b }) => Math.sqrt(edgeDistance(point, a, b).square) <= TOLERANCE);
}

/** True if two paths differ only in the heights of their ends, and these lie on the outlines of their polygons. */
function areEqualButForEnds(ours, theirs, polygons) {
  return ours.length === theirs.length && ours.every((point, i) => arePointsEqual(point, theirs[i])
    || (distance2d(point, theirs[i]) <= TOLERANCE && (i === 0 || i === ours.length - 1) && isOnOutline(polygons.at(i === 0 ? 0 : -1), point)));
}

function areClose(a, b) {
  return Math.abs(a - b) <= TOLERANCE * Math.max(1, Math.abs(a), Math.abs(b));
}

function arePointsEqual(a, b) {
  return a.every((value, axis) => Math.abs(value - b[axis]) <= TOLERANCE);
}

function isSameList(a, b) {
  return a.length === b.length && a.every((item, i) => item === b[i]);
}

function lengthOf(points) {
  return points.reduce((sum, point, i) => (i === 0 ? 0 : sum + distance(points[i - 1], point)), 0);
}

function nameOf(polygon) {
  return polygon === null ? 'none' : `${polygon.tile.x}:${polygon.tile.z}:${polygon.number}`;
}
