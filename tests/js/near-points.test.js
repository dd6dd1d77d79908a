// The points nearest to a place or an edge are those that a search through all of them finds.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeRandom } from '../../bench/crowd/random.js';
import { NearPoints } from '../../js/explain/near-points.js';

const random = makeRandom(7);
/** A coordinate on a grid of eighths, so that equal distances are common. */
const coordinate = (/** @type {number} */ size) => Math.round(8 * size * random()) / 8;
const makePoint = (/** @type {number} */ size) => /** @type {[number, number, number]} */ ([coordinate(size), coordinate(size / 8), coordinate(size)]);
const makePoints = (/** @type {number} */ count, /** @type {number} */ size) => Array.from({ length: count }, () => makePoint(size));

for (const count of [0, 1, 7, 8, 9, 16, 17, 100, 1000]) {
  test(`near points: the nearest of ${count} are those of a search through all`, () => {
    for (let round = 0; round < 20; round++) {
      const points = makePoints(count, 40), near = new NearPoints(points, 1e-3), from = makePoint(60), longest = 1 + 30 * random();
      const distances = points.filter(([x, , z]) => Math.hypot(x - from[0], z - from[2]) <= longest)
        .map(([x, y, z]) => Math.hypot(x - from[0], y - from[1], z - from[2])).sort((a, b) => a - b);
      const found = near.nearest(from, longest, 12), unique = new Set(points.map(String)).size === points.length;
      if (unique) assert.deepEqual(found.map(({ distance }) => distance), distances.slice(0, 12));
      assert.equal(found[0]?.distance, distances[0]);
      for (const { point, distance } of found) assert.equal(Math.hypot(point[0] - from[0], point[1] - from[1], point[2] - from[2]), distance);
    }
  });

  test(`near points: the shortest line from an edge to ${count} points is that of a search through all`, () => {
    for (let round = 0; round < 20; round++) {
      const points = makePoints(count, 40), near = new NearPoints(points, 1e-3), a = makePoint(40), b = makePoint(40);
      const along = [b[0] - a[0], b[1] - a[1], b[2] - a[2]], squared = along[0] ** 2 + along[2] ** 2;
      const lengths = points.map((point) => {
        const t = squared > 0 ? Math.min(Math.max(((point[0] - a[0]) * along[0] + (point[2] - a[2]) * along[2]) / squared, 0), 1) : 0;
        return Math.hypot(...point.map((value, axis) => value - a[axis] - t * along[axis]));
      });
      const found = near.nearestTo([a, b], [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2]);
      if (count === 0) assert.equal(found, null);
      else assert.ok(Math.abs(Number(found?.distance) - Math.min(...lengths)) < 1e-9, `${found?.distance}, not ${Math.min(...lengths)}`);
    }
  });
}

test('near points: of points in one cube the first is kept', () => {
  const near = new NearPoints([[0.1, 0, 0.1], [0.2, 0, 0.2], [1.5, 0, 0]], 1);
  assert.deepEqual(near.nearest([0, 0, 0], 9, 9).map(({ point }) => point), [[0.1, 0, 0.1], [1.5, 0, 0]]);
});
