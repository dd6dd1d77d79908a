/**
 * Tile caches that recast-navigation makes and exports, loaded here: walkable where its own mesh of the same layers is, with
 * paths between the same points.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../../js/index.js';
import { loadPeer } from './live/peer.js';
import { loadBoth, readScene } from './support.js';

const peer = await loadPeer();
const generators = peer && await import('recast-navigation/generators');
const skip = peer === null && 'recast-navigation is not installed';
const builds = await loadBoth();
const [walkmesh] = builds;
const CELL = 0.3;
const QUESTIONS = 500;
const toVector = ([x, y, z]) => ({ x, y, z });
const toArray = ({ x, y, z }) => [x, y, z];
const flatDistance = (a, b) => Math.hypot(a[0] - b[0], a[2] - b[2]);

/** @param {string} scene */
function generate(scene) {
  const { positions, indices } = readScene(scene);
  const made = generators.generateTileCache(positions, indices, {
    tileSize: 48, cs: CELL, ch: 0.2, walkableRadius: 2, walkableHeight: 10, walkableClimb: 4, walkableSlopeAngle: 45,
    expectedLayersPerTile: 4, maxObstacles: 128,
  });
  assert.ok(made.success, made.error);
  return made;
}

const length = (points) => points.slice(1).reduce((sum, point, i) => sum + Math.hypot(...point.map((value, k) => value - points[i][k])), 0);

for (const scene of ['plaza', 'tower', 'maze', 'terrain', 'stairs', 'islands', 'city', 'caves']) {
  test(`tile cache of ${scene}: walkable where recast-navigation's is`, { skip }, (context) => {
    const { navMesh: theirs, tileCache } = generate(scene);
    const set = peer.exportTileCache(theirs, tileCache).slice();
    const opened = builds.map((build) => build.loadTileCache(set));
    const [{ navMesh: ours, summary }] = opened;
    assert.deepEqual(ours.save(), opened[1].navMesh.save(), 'the same from both modules');
    const query = new peer.NavMeshQuery(theirs, { maxNodes: 65535 });
    const random = new Random(7);
    const tally = { ours: 0, theirs: 0, reached: 0, unlike: 0, longest: 1, shortest: 1 };
    const places = [];
    for (let i = 0; i < QUESTIONS; i++) {
      const { point } = ours.randomPoint({ random });
      const near = query.findNearestPoly(toVector(point), { halfExtents: { x: 1, y: 1, z: 1 } });
      const isNear = near.success && near.nearestRef !== 0 && flatDistance(point, toArray(near.nearestPoint)) <= 2 * CELL;
      tally.ours += isNear ? 0 : 1;
      if (isNear && near.isOverPoly) places.push([point, near.nearestRef]);
    }
    for (let i = 0; i < QUESTIONS; i++) {
      const { randomPoint } = query.findRandomPoint();
      const at = toArray(randomPoint), near = ours.nearestPoint(at, { halfExtents: [1, 1, 1] });
      tally.theirs += near && flatDistance(at, near.point) <= 2 * CELL ? 0 : 1;
    }
    for (let i = 0; i + 1 < places.length; i++) {
      const [[a], [b]] = [places[i], places[i + 1]];
      const mine = ours.findPath(a, b);
      const { success, path } = query.computePath(toVector(a), toVector(b), { maxPathPolys: 4096, maxStraightPathPoints: 4096 });
      const end = success && path.length > 0 ? toArray(path.at(-1)) : undefined;
      const isReached = end !== undefined && flatDistance(end, b) < 0.5 && Math.abs(end[1] - b[1]) < 1.5;
      if ((mine.status === 'complete') !== isReached) tally.unlike++;
      else if (isReached) {
        tally.reached++;
        const ratio = length([...Array(mine.points.length / 3).keys()].map((k) => [...mine.points.subarray(3 * k, 3 * k + 3)]))
          / Math.max(1, length(path.map(toArray)));
        tally.longest = Math.max(tally.longest, ratio);
        tally.shortest = Math.min(tally.shortest, ratio);
      }
    }
    context.diagnostic(`${summary.layers} layers at ${summary.places} places, ${ours.totals.polygons} polygons; ${JSON.stringify(tally)}, ${places.length} places`);
    assert.equal(tally.ours, 0);
    assert.ok(tally.theirs <= 2, `${tally.theirs} of its random points are far from our mesh`); // which differ on each run
    assert.equal(tally.unlike, 0);
    assert.ok(tally.reached > QUESTIONS / 3 && tally.longest < 1.35, 'ways are as long as its own');
    query.destroy();
    tileCache.destroy();
    theirs.destroy();
    for (const { navMesh } of opened) navMesh.free();
  });
}
