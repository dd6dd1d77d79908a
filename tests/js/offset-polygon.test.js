// offsetPolygon: outlines offset outwards and inwards, tested by properties and exact vertices; recast-navigation does not
// expose rcOffsetPoly.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from './live/random.js';
import { loadBoth } from './support.js';

const builds = await loadBoth();
/** Clockwise seen from above: x runs right, z down the page. */
const SQUARE = [0, 5, 0, 2, 5, 0, 2, 5, 2, 0, 5, 2];
const REVERSED = [0, 5, 2, 2, 5, 2, 2, 5, 0, 0, 5, 0];

/** The distance of a point to the segments of an outline. */
function distanceTo(outline, x, z) {
  let best = Infinity;
  for (let i = 0, j = outline.length - 3; i < outline.length; j = i, i += 3) {
    const [ax, az, bx, bz] = [outline[j], outline[j + 2], outline[i], outline[i + 2]];
    const length = (bx - ax) ** 2 + (bz - az) ** 2;
    const share = Math.min(1, Math.max(0, ((x - ax) * (bx - ax) + (z - az) * (bz - az)) / length));
    best = Math.min(best, Math.hypot(x - ax - share * (bx - ax), z - az - share * (bz - az)));
  }
  return best;
}

const area = (outline) => {
  let sum = 0;
  for (let i = 0, j = outline.length - 3; i < outline.length; j = i, i += 3) {
    sum += outline[j] * outline[i + 2] - outline[i] * outline[j + 2];
  }
  return Math.abs(sum) / 2;
};

test('offsetPolygon: right angles are bevelled outwards and mitred inwards', () => {
  for (const walkmesh of builds) {
    const [large, small] = [walkmesh.offsetPolygon(SQUARE, 1), walkmesh.offsetPolygon(REVERSED, 0.5)];
    assert.equal(large.length, 24, 'two vertices a corner');
    assert.ok(large.every((value, i) => i % 3 !== 1 || value === 5), 'y is copied');
    assert.ok(area(large) > area(SQUARE) + 8, 'a square of 4 without its corners, and more');
    assert.deepEqual(Array.from(small), [0.5, 5, 1.5, 1.5, 5, 1.5, 1.5, 5, 0.5, 0.5, 5, 0.5]);
  }
});

test('offsetPolygon: 0 returns the corners', () => {
  const corners = [[0, 0, 0], [1, 0, 3], [4, 0, 2]];
  assert.deepEqual(Array.from(builds[0].offsetPolygon(corners, 0)), corners.flat());
});

test('offsetPolygon: every new vertex is at least the offset away from a convex outline, in both builds', () => {
  const random = new Random(7);
  for (let round = 0; round < 300; round++) {
    const count = 3 + Math.floor(random.real() * 9);
    const angles = Array.from({ length: count }, (_, i) => (i + 0.8 * random.real()) * 2 * Math.PI / count);
    const radius = 1 + 9 * random.real();
    const outline = angles.flatMap((angle) => [radius * Math.cos(angle), random.real(), radius * Math.sin(angle)]);
    const offset = 0.05 + random.real();
    const [grown, scalar] = builds.map((walkmesh) => walkmesh.offsetPolygon(outline, offset));
    assert.deepEqual(grown, scalar);
    assert.ok(area(grown) > area(outline));
    for (let i = 0; i < grown.length; i += 3) {
      assert.ok(distanceTo(outline, grown[i], grown[i + 2]) > offset * 0.999, `round ${round}`);
    }
  }
});

test('offsetPolygon: arguments', () => {
  const [walkmesh] = builds;
  const fails = (vertices, offset, field) => assert.throws(() => walkmesh.offsetPolygon(vertices, offset), { code: 'invalid-argument', field });
  fails([0, 0, 0, 1, 0, 0], 1, 'vertices');
  fails([0, 0, 0, 1, 0, 0, 1], 1, 'vertices');
  fails('square', 1, 'vertices');
  fails([0, 0, 0, 1, 0, NaN, 1, 0, 1], 1, 'vertices[1]');
  fails(SQUARE, Infinity, 'offset');
  fails(SQUARE, -1, 'offset');
  fails(SQUARE, '1', 'offset');
  const given = Float32Array.from(SQUARE);
  walkmesh.offsetPolygon(given, 1);
  assert.deepEqual(Array.from(given), SQUARE, 'the argument stays as it is');
});
