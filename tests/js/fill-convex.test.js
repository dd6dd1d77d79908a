// Filling crates: js/level/fill-convex.js.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as THREE from 'three';
import { compareNavMeshes, load } from '../../js/index.js';
import { fillConvex } from '../../js/level/index.js';
import { PointTree } from '../../js/level/point-tree.js';
import { geometryFromScene } from '../../js/three/index.js';
import { makeRandom } from './random.js';

const walkmesh = await load();
const CONFIG = { cellSize: 0.2, cellHeight: 0.1, agentRadius: 0.4, agentHeight: 1.8, agentMaxClimb: 0.4, tileSize: 48 };

/** A yard of 20 m with meshes on it. @param {THREE.Object3D[]} objects */
function makeYard(...objects) {
  const scene = new THREE.Scene();
  scene.add(new THREE.Mesh(new THREE.PlaneGeometry(20, 20).rotateX(-Math.PI / 2)), ...objects);
  return scene;
}

/** @param {THREE.BufferGeometry} geometry @param {[number, number, number]} at @param {[number, number, number]} [scale] */
function place(geometry, at, scale = [1, 1, 1]) {
  const mesh = new THREE.Mesh(geometry);
  mesh.position.set(...at);
  mesh.scale.set(...scale);
  return mesh;
}

/** The points that are ground, of those in question. */
function groundAt(level, points) {
  const { navMesh } = walkmesh.bake(level, CONFIG);
  const found = points.filter((point) => navMesh.nearestPoint(point, { halfExtents: [0.05, 0.3, 0.05] }) !== null);
  navMesh.free();
  return found;
}

test('fill convex: shapes of three.js that have a seam are closed, wherever they stand', () => {
  const shapes = [new THREE.SphereGeometry(2.5), new THREE.CylinderGeometry(2, 2, 4), new THREE.CapsuleGeometry(1, 3), new THREE.ConeGeometry(1, 3)];
  for (const shape of shapes) {
    for (const at of /** @type {[number, number, number][]} */ ([[0, 0, 0], [0.1, 2, -3], [500, 0, 0.3]])) {
      const { solids } = fillConvex(geometryFromScene(makeYard(place(shape, at))));
      assert.equal(solids.length, 1, `${shape.type} at ${at}`);
    }
  }
  const apart = new THREE.BoxGeometry(1, 0.01, 1).translate(900, 0, 900);
  const [{ positions }] = fillConvex({ positions: apart.attributes.position.array, indices: apart.index.array }).solids;
  assert.equal(positions.length, 3 * 8, 'a thin plate far from the origin keeps its corners');
});

test('fill convex: crates, pillars, spheres, instances and mirrored ones have no ground inside, and the same ground elsewhere', () => {
  const crates = new THREE.InstancedMesh(new THREE.BoxGeometry(3, 3, 3), new THREE.MeshBasicMaterial(), 2);
  crates.setMatrixAt(0, new THREE.Matrix4().makeRotationY(0.4).setPosition(-6, 1.5, -6));
  crates.setMatrixAt(1, new THREE.Matrix4().makeScale(-1, 1, 1).setPosition(6, 1.5, -6));
  const level = geometryFromScene(makeYard(crates, place(new THREE.CylinderGeometry(2, 2, 4), [6, 2, 6]), place(new THREE.IcosahedronGeometry(2.5, 3), [-6, 2, 6])));
  const inside = [[-6, 0, -6], [6, 0, -6], [6, 0, 6]], outside = [[0, 0, 0], [9, 0, 0], [-6, 3, -6], [6, 4, 6]];
  assert.deepEqual(groundAt(level, [...inside, ...outside]), [...inside, ...outside], 'hollow');
  const filled = fillConvex(level);
  assert.equal(filled.solids.length, 4);
  assert.equal(filled.positions, level.positions);
  assert.deepEqual(groundAt(filled, [...inside, ...outside]), outside);
  // An oracle of other shapes: the crates as boxes.
  const boxes = geometryFromScene(makeYard(place(new THREE.BoxGeometry(3, 3, 3), [5, 1.5, 5]), place(new THREE.BoxGeometry(4, 2, 2), [-5, 1, 0])));
  const own = walkmesh.bake(fillConvex(boxes), CONFIG).navMesh;
  const { navMesh: expected } = walkmesh.bake({ ...geometryFromScene(makeYard()), solids: [
    { kind: 'box', min: [3.5, 0, 3.5], max: [6.5, 3, 6.5] }, { kind: 'box', min: [-7, 0, -1], max: [-3, 2, 1] }] }, CONFIG);
  const { isSame, ground } = compareNavMeshes(expected, own);
  assert.ok(isSame, JSON.stringify(ground));
  own.free();
  expected.free();
});

test('fill convex: boxes on and beside one another are filled one by one', () => {
  const box = new THREE.BoxGeometry(2, 2, 2);
  const level = geometryFromScene(makeYard(place(box, [0, 1, 0]), place(box, [0, 3, 0]), place(box, [2, 1, 0]), place(box, [4, 1, 2])));
  assert.deepEqual(fillConvex(level).solids.map(({ indices }) => indices.length), [36, 36, 36, 36]);
});

test('fill convex: a point in a filled crate is looked for in a box, and in a radius', () => {
  const { navMesh } = walkmesh.bake(fillConvex(geometryFromScene(makeYard(place(new THREE.BoxGeometry(4, 3, 4), [0, 1.5, 0])))), { ...CONFIG, tileSize: 0 });
  const options = { halfExtents: [0.2, 0.5, 0.2] }, found = navMesh.nearestPoint([0, 0, 0], options);
  // As in Detour: the bounds of a polygon at a corner of the crate overlap the box; docs/troubleshooting.md tells.
  if (found) assert.ok(!found.isOver && Math.hypot(...found.point) > 2);
  assert.equal(navMesh.nearestPoint([0, 0, 0], { ...options, radius: 1 }), null);
  navMesh.free();
});

test('fill convex: rooms, arches, open boxes and planes stay as they are', () => {
  const room = place(new THREE.BoxGeometry(6, 3, 6), [0, 1.5, 0]);
  room.material = new THREE.MeshBasicMaterial({ side: THREE.BackSide });
  const arch = place(new THREE.ExtrudeGeometry(new THREE.Shape([[-3, 0], [3, 0], [3, 4], [2, 4], [2, 1], [-2, 1], [-2, 4], [-3, 4]].map(([x, y]) => new THREE.Vector2(x, y))),
    { depth: 2, bevelEnabled: false }), [0, 0, 6]);
  const open = new THREE.BoxGeometry(3, 3, 3);
  open.setIndex([...open.index.array].slice(6));
  assert.deepEqual(fillConvex(geometryFromScene(makeYard(room, arch, place(open, [-6, 1.5, -6])))).solids, []);
});

test('fill convex: areas, solids of the level, z up, and triangles without an area', () => {
  const box = place(new THREE.BoxGeometry(3, 3, 3), [0, 1.5, 0]);
  box.userData.walkmesh = { area: 5 };
  const level = geometryFromScene(makeYard(box));
  const given = /** @type {const} */ ({ kind: 'sphere', centre: [5, 0, 5], radius: 1 });
  const { solids } = fillConvex({ ...level, indices: [...level.indices, 0, 0, 1], areas: [...level.areas, 1], solids: [given] });
  assert.deepEqual([solids.length, solids[0], solids[1].area], [2, given, 5]);
  const turned = Float32Array.from(level.positions, (_, i) => [level.positions[i], -level.positions[i + 1], level.positions[i - 1]][i % 3]);
  const { solids: [upright] } = fillConvex({ ...level, positions: turned, upAxis: 'z' });
  assert.deepEqual([...new Set([...upright.positions].filter((_, i) => i % 3 === 1))].sort(), [0, 3]);
  assert.deepEqual(fillConvex({ positions: [] }).solids, []);
  assert.throws(() => fillConvex(/** @type {any} */ ({ positions: 'x' })), { name: 'NavError' });
  assert.throws(() => fillConvex({ ...level, areas: undefined, indices: [0, 1, 99] }), { name: 'NavError', field: 'indices', message: /indices\[2\] is 99: the level has 28 vertices/ });
  assert.throws(() => fillConvex({ ...level, solids: /** @type {any} */ ({}) }), { name: 'NavError', field: 'solids' });
});

test('point tree: a plane is beyond all points exactly where a look at each of them says so', () => {
  const { between, below } = makeRandom(60);
  for (let round = 0; round < 200; round++) {
    // On a ball, in a box, or on a grid, where many have the same coordinates.
    const count = 1 + below(300), kind = below(3);
    const points = Array.from({ length: count }, () => {
      const point = [between(-1, 1), between(-1, 1), between(-1, 1)], length = Math.hypot(...point) || 1;
      return point.map((value) => Math.fround(kind === 0 ? value / length : kind === 1 ? value : Math.round(2 * value)));
    });
    const tree = new PointTree(points), sorted = [...points].sort((a, b) => a[0] - b[0]);
    for (let k = 0; k < 20; k++) {
      const normal = [between(-1, 1), between(-1, 1), k % 3 ? between(-1, 1) : 0];
      const along = points.map(([x, y, z]) => x * normal[0] + y * normal[1] + z * normal[2]), most = Math.max(...along);
      for (const highest of [most, most - 1e-9, along[below(count)], most + 1]) assert.equal(tree.hasBeyond(normal, highest), along.some((value) => value > highest), `${round} ${k}`);
    }
    assert.equal(tree.hasBeyond([1, 0, 0], sorted[count - 1][0]), false);
  }
});

test('fill convex: a ball of many triangles is filled, one with a dent is not', () => {
  for (const [dent, filled] of [[1, 1], [0.99, 0]]) {
    const ball = new THREE.SphereGeometry(10, 96, 48), { array } = ball.attributes.position, at = 3 * (97 * 24 + 40);
    for (let axis = 0; axis < 3; axis++) array[at + axis] *= dent;
    const { solids } = fillConvex({ positions: /** @type {Float32Array} */ (array), indices: /** @type {any} */ (ball.index).array });
    assert.equal(solids.length, filled, `dent ${dent}`);
  }
});

test('fill convex: a level of a class whose arrays are getters keeps them', () => {
  const level = geometryFromScene(makeYard(place(new THREE.BoxGeometry(3, 3, 3), [5, 1.5, 5])));
  class Level {
    get positions() { return level.positions; }
    get indices() { return level.indices; }
  }
  assert.deepEqual(fillConvex(new Level()), { positions: level.positions, indices: level.indices, solids: fillConvex(level).solids });
});
