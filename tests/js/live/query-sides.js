/** Both sides of a comparison behind one interface: each query returns polygons as those of a MeshView. */

/** @param {ArrayLike<number>} point */
const toVector = (point) => ({ x: point[0], y: point[1], z: point[2] });
const toArray = ({ x, y, z }) => [x, y, z];
const CROSSINGS = ['none', 'areas', 'all'];
const MANY = 4096;
const RAY_POLYGONS = 256;

/** The peer's record of a ray, with capacity for the polygons it crosses. */
function makeRayHit(peer) {
  const { Module } = peer.Raw;
  const hit = new Module.dtRaycastHit();
  const polygons = Module._malloc(4 * RAY_POLYGONS);
  const record = Module.getPointer(hit) / 4;
  Module.HEAPU32[record + 5] = polygons; // behind t, the normal and the edge
  hit.maxPath = RAY_POLYGONS;
  return hit;
}

/** recast-navigation, through its public classes. */
export class PeerSide {
  constructor(peer, mesh, view, { includeFlags, excludeFlags, areaCosts }) {
    Object.assign(this, { peer, view });
    this.query = new peer.NavMeshQuery(mesh, { maxNodes: 65535 });
    this.filter = new peer.QueryFilter();
    this.filter.includeFlags = includeFlags;
    this.filter.excludeFlags = excludeFlags;
    areaCosts.forEach((cost, area) => this.filter.setAreaCost(area, cost));
    this.hit = makeRayHit(peer);
  }

  #polygon(ref) {
    return this.view.byPeerRef.get(ref >>> 0) ?? null;
  }

  #polygons(refs) {
    return Array.from(refs, (ref) => this.#polygon(ref));
  }

  nearest(point, halfExtents) {
    const { nearestRef, nearestPoint, isOverPoly } = this.query.findNearestPoly(toVector(point),
      { filter: this.filter, halfExtents: toVector(halfExtents) });
    return { polygon: this.#polygon(nearestRef), point: toArray(nearestPoint), isOver: isOverPoly };
  }

  closest(polygon, point) {
    const { closestPoint, isPointOverPoly } = this.query.closestPointOnPoly(polygon.peerRef, toVector(point));
    return { point: toArray(closestPoint), isOver: isPointOverPoly };
  }

  height(polygon, point) {
    const { success, height } = this.query.getPolyHeight(polygon.peerRef, toVector(point));
    return success ? height : null;
  }

  corridor(start, from, end, to) {
    const { polys, status } = this.query.findPath(start.peerRef, end.peerRef, toVector(from), toVector(to),
      { filter: this.filter, maxPathPolys: MANY });
    const polygons = this.#polygons(polys.getHeapView());
    polys.destroy();
    return { polygons, isComplete: polygons.at(-1) === end, status };
  }

  straighten(from, to, polygons, crossings) {
    const result = this.query.findStraightPath(toVector(from), toVector(to), polygons.map(({ peerRef }) => peerRef),
      { straightPathOptions: crossings, maxStraightPathPoints: MANY });
    const points = [];
    const flags = [];
    const entered = [];
    for (let i = 0; i < result.straightPathCount; i++) {
      points.push([0, 1, 2].map((axis) => result.straightPath.get(i * 3 + axis)));
      flags.push(result.straightPathFlags.get(i));
      entered.push(this.#polygon(result.straightPathRefs.get(i)));
    }
    for (const array of [result.straightPath, result.straightPathFlags, result.straightPathRefs]) array.destroy();
    return { points, flags, entered };
  }

  path(from, to, halfExtents) {
    const { success, path } = this.query.computePath(toVector(from), toVector(to), {
      filter: this.filter, halfExtents: toVector(halfExtents), maxPathPolys: MANY, maxStraightPathPoints: MANY,
    });
    return success ? path.map(toArray) : [];
  }

  /** The raw call: the class passes no capacity for polygons, so it would return only the first. */
  raycast(start, from, to) {
    const { hit } = this;
    this.query.raw.raycast(start.peerRef, from, to, this.filter.raw, this.peer.Detour.DT_RAYCAST_USE_COSTS, hit, 0);
    const isHit = hit.t <= 1;
    return {
      t: Math.min(1, hit.t), isHit, normal: isHit ? [0, 1, 2].map((axis) => hit.get_hitNormal(axis)) : [0, 0, 0],
      edge: hit.hitEdgeIndex, cost: hit.pathCost, isCut: hit.pathCount >= RAY_POLYGONS,
      polygons: Array.from({ length: hit.pathCount }, (_, i) => this.#polygon(hit.get_path(i))),
    };
  }

  move(start, from, to) {
    const { resultPosition, visited } = this.query.moveAlongSurface(start.peerRef, toVector(from), toVector(to),
      { filter: this.filter, maxVisitedSize: MANY });
    return { point: toArray(resultPosition), polygons: this.#polygons(visited) };
  }

  /** @returns {Map<object, { cost: number, parent: object | null }>} in order of cost */
  flood(start, centre, radius) {
    const { resultRefs, resultParents, resultCost, resultCount } = this.query.findPolysAroundCircle(start.peerRef,
      toVector(centre), radius, { filter: this.filter, maxPolys: MANY });
    const found = new Map();
    for (let i = 0; i < resultCount; i++) {
      found.set(this.#polygon(resultRefs[i]), { cost: resultCost[i], parent: this.#polygon(resultParents[i]) });
    }
    return found;
  }

  inBox(centre, halfExtents) {
    const { polyRefs } = this.query.queryPolygons(toVector(centre), toVector(halfExtents),
      { filter: this.filter, maxPolys: MANY });
    return this.#polygons(polyRefs);
  }

  free() {
    const { Module } = this.peer.Raw;
    Module._free(Module.HEAPU32[Module.getPointer(this.hit) / 4 + 5]);
    Module.destroy(this.hit);
    this.query.destroy();
  }
}

/** This package. */
export class OurSide {
  constructor(mesh, view, filter) {
    Object.assign(this, { mesh, view, filter });
  }

  #polygon(ref) {
    return this.view.byOurRef.get(ref) ?? null;
  }

  #polygons(refs) {
    return Array.from(refs, (ref) => this.#polygon(ref));
  }

  nearest(point, halfExtents) {
    const found = this.mesh.nearestPoint(point, { halfExtents, filter: this.filter });
    if (found === null) return { polygon: null, point: [0, 0, 0], isOver: false };
    return { polygon: this.#polygon(found.polygon), point: found.point, isOver: found.isOver };
  }

  closest(polygon, point) {
    return this.mesh.closestPoint(polygon.ourRef, point);
  }

  height(polygon, point) {
    return this.mesh.height(polygon.ourRef, point);
  }

  corridor(start, from, end, to) {
    const found = this.mesh.findCorridor(start.ourRef, from, end.ourRef, to, { filter: this.filter });
    return { polygons: this.#polygons(found.polygons), isComplete: found.status === 'complete', cost: found.cost };
  }

  straighten(from, to, polygons, crossings) {
    const found = this.mesh.straighten(from, to, polygons.map(({ ourRef }) => ourRef), { crossings: CROSSINGS[crossings] });
    return { points: toPoints(found.points), offMesh: found.offMesh, entered: this.#polygons(found.pointPolygons), length: found.length };
  }

  path(from, to, halfExtents) {
    const found = this.mesh.findPath(from, to, { halfExtents, filter: this.filter });
    return { ...found, points: toPoints(found.points), polygons: this.#polygons(found.corridor) };
  }

  raycast(start, from, to) {
    const found = this.mesh.raycast(start.ourRef, from, to, { filter: this.filter });
    return { ...found, polygons: this.#polygons(found.polygons) };
  }

  move(start, from, to) {
    const found = this.mesh.moveAlongSurface(start.ourRef, from, to, { filter: this.filter, onSurface: false });
    return { point: found.point, polygons: this.#polygons(found.polygons) };
  }

  flood(start, centre, radius) {
    const { polygons, parents, costs } = this.mesh.flood(start.ourRef, centre, { filter: this.filter, radius });
    const list = this.#polygons(polygons);
    return new Map(list.map((polygon, i) => [polygon, { cost: costs[i], parent: i === 0 ? null : list[parents[i]] }]));
  }

  wall(start, centre, radius) {
    return this.mesh.distanceToWall(start.ourRef, centre, radius, { filter: this.filter });
  }

  inBox(centre, halfExtents) {
    return this.#polygons(this.mesh.polygonsInBox(centre, halfExtents, { filter: this.filter }).polygons);
  }

  /** Polygons behind the edges of one polygon, without a filter. */
  neighbours(polygon) {
    return this.#polygons(this.mesh.wallSegments(polygon.ourRef, { portals: true }).polygons).filter((found) => found !== null);
  }
}

/** @param {ArrayLike<number>} numbers */
function toPoints(numbers) {
  return Array.from({ length: numbers.length / 3 }, (_, i) => [0, 1, 2].map((axis) => numbers[i * 3 + axis]));
}
