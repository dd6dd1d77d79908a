// SegmentLinksHelper: its ribbons follow the trajectories of the mesh's links, rays find them, and it shows changes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as THREE from 'three';
import { NavError, load } from '../../js/index.js';
import { trajectoryPoints } from '../../js/three/geometry/link-trajectory.js';
import { SegmentLinksHelper } from '../../js/three/index.js';
import { COLORS } from '../../js/three/palette.js';
import { makeLinksLevel } from './links-level.js';
import { makeGround } from './support.js';

const walkmesh = await load();
const LINKS = { drop: { maxHeight: 3 }, jump: { maxDistance: 4 }, climb: { maxHeight: 2 }, vault: { maxHeight: 1.2, maxDepth: 1 } };
const CONFIG = { cellSize: 0.2, cellHeight: 0.1, agentRadius: 0.4, agentHeight: 1.8, agentMaxClimb: 0.4, tileSize: 32, links: LINKS };

/** @param {import('node:test').TestContext} context */
function makeHelper(context, options) {
  const { navMesh } = walkmesh.bake(makeLinksLevel(), CONFIG);
  const helper = new SegmentLinksHelper(navMesh, options);
  context.after(() => {
    helper.dispose();
    navMesh.free();
  });
  return { navMesh, helper };
}

const linksOf = (navMesh) => Array.from(navMesh.segmentLinks().refs, (ref) => navMesh.segmentLink(ref));

/** Bytes of a colour as the helper writes them: linear. @param {number} hex */
const bytesOf = (hex) => new THREE.Color(hex).toArray().map((part) => Math.round(255 * part));

/** The colours of opaque vertices, each once. */
function solidColors({ surface: { geometry } }) {
  const { array } = geometry.getAttribute('color');
  const found = new Set();
  for (let i = 0; i < array.length; i += 4) if (array[i + 3] === 255) found.add(array.subarray(i, i + 3).join(' '));
  return found;
}

test('links helper: trajectories are those of the mesh', (context) => {
  const { navMesh } = makeHelper(context);
  for (const link of linksOf(navMesh)) {
    for (const side of [0, 1]) {
      const points = trajectoryPoints(link.kind, link.start[side], link.end[side], link.peak);
      // Each point lies on the trajectory: some of many points of it is near.
      const dense = Array.from({ length: 801 }, (_, i) => navMesh.segmentLinkPoint(link.ref, side, i / 800));
      for (let i = 0; i < points.length; i += 3) {
        const distance = Math.min(...dense.map((point) => Math.hypot(...point.map((value, axis) => value - points[i + axis]))));
        assert.ok(distance < 0.01, `${link.kind}: ${points.slice(i, i + 3)} is ${distance} away`);
      }
      assert.deepEqual([points.slice(0, 3), points.slice(-3)].map((point) => point.map(Math.fround)), [link.start[side], link.end[side]]);
    }
  }
});

test('links helper: colours by kind, grey when switched off, drawn again after a change only', (context) => {
  const { navMesh, helper } = makeHelper(context);
  assert.equal(helper.update(), navMesh.segmentLinkCount);
  assert.deepEqual(solidColors(helper), new Set(['drop', 'jump', 'climb', 'vault'].map((kind) => bytesOf(COLORS[kind]).join(' '))));
  const drawn = helper.surface.geometry.getAttribute('position');
  navMesh.addConnection({ start: [10, 0, 4], end: [14, 0, 4], radius: 0.5 });
  helper.update();
  assert.equal(helper.surface.geometry.getAttribute('position'), drawn, 'the links are the same');
  for (const { ref, kind } of linksOf(navMesh)) if (kind === 'climb') navMesh.setSegmentLinkEnabled(ref, false);
  helper.update();
  const colors = solidColors(helper);
  assert.ok(colors.has(bytesOf(COLORS.disabled).join(' ')) && !colors.has(bytesOf(COLORS.climb).join(' ')));
});

test('links helper: a ray finds the links at each point of a trajectory, nearest first, and none beside', (context) => {
  const { navMesh, helper } = makeHelper(context, { lift: 0 });
  for (const link of linksOf(navMesh)) {
    const [x, y, z] = navMesh.segmentLinkPoint(link.ref, 0.37, 0.4);
    // Along the link's own width no ribbon can be hit: from the side and above.
    const from = new THREE.Vector3(x + 3, y + 7, z + 5);
    const ray = new THREE.Ray(from, new THREE.Vector3(x, y, z).sub(from).normalize());
    const hits = helper.linksAt(ray);
    assert.ok(hits.includes(link.ref), link.kind);
    assert.equal(helper.linkAt(ray), hits[0]);
    assert.equal(helper.linkAt(ray, 1), null, 'it is farther away');
    // A scene with z up turns what it holds: rays stay those of the scene.
    helper.rotation.x = Math.PI / 2;
    helper.position.set(3, 0, 0);
    helper.updateWorldMatrix(true, false);
    assert.deepEqual(helper.linksAt(ray.clone().applyMatrix4(helper.matrixWorld)), hits, 'turned');
    helper.rotation.x = 0;
    helper.position.set(0, 0, 0);
  }
  assert.equal(helper.linkAt(new THREE.Ray(new THREE.Vector3(12, 30, 10), new THREE.Vector3(0, -1, 0))), null);
  assert.throws(() => helper.linkAt({}), { code: 'invalid-argument', field: 'ray' });
  assert.throws(() => helper.linkAt(new THREE.Ray(), NaN), { field: 'farthest' });
});

test('links helper: wide links have several arrows, and two-way links have arrows at both ends', (context) => {
  const { navMesh, helper } = makeHelper(context);
  const triangles = helper.surface.geometry.getAttribute('position').count / 3;
  const narrow = new SegmentLinksHelper(navMesh, { arrowSize: 20 });
  assert.ok(narrow.surface.geometry.getAttribute('position').count / 3 < triangles, 'long arrows stand farther apart');
  narrow.dispose();
  assert.throws(() => narrow.update(), NavError);
  assert.throws(() => new SegmentLinksHelper({}), { field: 'navMesh' });
  assert.throws(() => new SegmentLinksHelper(navMesh, { width: 2 }), { field: 'width' });
});

test('links helper: thousands of links are two draw calls', (context) => {
  const { navMesh, helper } = makeHelper(context);
  for (let i = 0; i < 1500; i++) {
    const z = 1 + i % 18;
    const x = 8 + (i % 60) / 6;
    navMesh.addSegmentLink({ kind: 'jump', start: [[x, 0, z + 0.5], [x, 0, z]], end: [[x + 1, 0, z + 0.5], [x + 1, 0, z]], peak: 0.5 });
  }
  assert.equal(helper.update(), navMesh.segmentLinkCount);
  assert.ok(navMesh.segmentLinkCount > 1500);
  assert.equal(helper.children.length, 2);
});

test('links helper: options out of range, unknown ones and rays with NaN have named errors', (context) => {
  const { navMesh } = walkmesh.bake(makeGround(9), { cellSize: 0.3 });
  context.after(() => navMesh.free());
  for (const [options, field] of [[{ opacity: 2 }, 'opacity'], [{ opacity: NaN }, 'opacity'], [{ lift: Infinity }, 'lift'], [{ arrowSize: -1 }, 'arrowSize'], [{ arowSize: 1 }, 'arowSize'], [7, 'options']]) {
    assert.throws(() => new SegmentLinksHelper(navMesh, options), { code: 'invalid-argument', field }, field);
  }
  const helper = new SegmentLinksHelper(navMesh, { opacity: 1, arrowSize: 0 });
  const ray = (origin, direction) => new THREE.Ray(new THREE.Vector3(...origin), new THREE.Vector3(...direction));
  assert.throws(() => helper.linkAt(ray([0, NaN, 0], [0, -1, 0])), { field: 'ray.origin.y' });
  assert.throws(() => helper.linksAt(ray([0, 1, 0], [0, 0, Infinity])), { field: 'ray.direction.z' });
  assert.equal(helper.linkAt(ray([0, 1, 0], [0, -1, 0])), null);
  helper.dispose();
});
