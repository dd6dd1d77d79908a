// Geometry out of three.js scenes, compared with a slow extraction that uses a Vector3 and a Matrix4 for every vertex.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as THREE from 'three';
import { NavError, load } from '../../js/index.js';
import { geometryFromScene } from '../../js/three/index.js';

/** The same numbers in every run: mulberry32. */
class Random {
  constructor(seed) { this.state = seed; }

  next() {
    this.state = this.state + 0x6d2b79f5 | 0;
    let t = Math.imul(this.state ^ this.state >>> 15, 1 | this.state);
    t = t + Math.imul(t ^ t >>> 7, 61 | t) ^ t;
    return ((t ^ t >>> 14) >>> 0) / 2 ** 32;
  }
}

/** Triangles of a geometry as vertices: nine numbers each. */
function toSoup({ positions, indices }) {
  return Float32Array.from({ length: 3 * indices.length }, (_, i) => positions[3 * indices[Math.floor(i / 3)] + i % 3]);
}

/** The vertices of triangles from `start` to `end` of the part of a geometry that three.js draws, one Vector3 each. */
function slowTriangles(geometry, start, end, matrix, material, out) {
  const { index } = geometry;
  const position = geometry.getAttribute('position');
  const limit = index ? index.count : position.count;
  const isTurned = (matrix.determinant() < 0) !== (material.side === THREE.BackSide);
  for (let i = start; i + 3 <= Math.min(end, limit); i += 3) {
    const corners = [0, 1, 2].map((k) => {
      const point = new THREE.Vector3().fromBufferAttribute(position, index ? index.getX(i + k) : i + k);
      return point.applyMatrix4(matrix);
    });
    if (isTurned) corners.reverse().unshift(corners.pop());
    for (const { x, y, z } of corners) out.push(x, y, z);
  }
}

function slowMesh(mesh, matrix, out) {
  const { geometry, material } = mesh;
  const { start, count } = geometry.drawRange;
  if (!Array.isArray(material)) return slowTriangles(geometry, start, start + count, matrix, material, out);
  for (const group of geometry.groups) {
    const used = material[group.materialIndex];
    if (!used?.visible) continue;
    slowTriangles(geometry, Math.max(start, group.start), Math.min(start + count, group.start + group.count), matrix, used, out);
  }
  return undefined;
}

/** The triangles that three.js draws of a scene, by the slow extraction. */
function slowSoup(root) {
  root.updateMatrixWorld(true);
  const out = [];
  root.traverseVisible((object) => {
    const matrix = new THREE.Matrix4();
    if (object.isInstancedMesh) {
      for (let i = 0; i < object.count; i++) {
        object.getMatrixAt(i, matrix);
        slowMesh(object, new THREE.Matrix4().multiplyMatrices(object.matrixWorld, matrix), out);
      }
    } else if (object.isBatchedMesh) {
      for (const id of object.userData.ids) {
        if (!object.getVisibleAt(id)) continue;
        object.getMatrixAt(id, matrix);
        matrix.premultiply(object.matrixWorld);
        const { start, count } = object.getGeometryRangeAt(object.getGeometryIdAt(id));
        slowTriangles(object.geometry, start, start + count, matrix, object.material, out);
      }
    } else if (object.isMesh) {
      slowMesh(object, object.matrixWorld, out);
    }
  });
  return Float32Array.from(out);
}

function assertDrawn(root, label) {
  const expected = slowSoup(root);
  const geometry = geometryFromScene(root);
  assert.equal(geometry.indices.length, expected.length / 3, `${label}: corners`);
  assert.deepEqual(toSoup(geometry), expected, label);
  return geometry;
}

/** An object at some position, rotated, scaled and optionally mirrored. */
function place(object, random, mirrored = random.next() < 0.4) {
  const number = () => 8 * random.next() - 4;
  object.position.set(number(), number(), number());
  object.rotation.set(number(), number(), number());
  object.scale.set(0.5 + random.next(), 0.5 + random.next(), (mirrored ? -1 : 1) * (0.5 + random.next()));
  return object;
}

const plain = new THREE.MeshBasicMaterial();
const back = new THREE.MeshBasicMaterial({ side: THREE.BackSide });
const unseen = new THREE.MeshBasicMaterial({ visible: false });

/** A box whose positions are stored in another layout. */
function boxWith(makeAttribute) {
  const geometry = new THREE.BoxGeometry(1, 1, 1, 2, 1, 2);
  const { array } = geometry.getAttribute('position');
  return geometry.setAttribute('position', makeAttribute(Array.from(array), array.length / 3));
}

/** Every storage layout of a geometry, by name. */
const GEOMETRIES = {
  indexed: () => new THREE.SphereGeometry(1, 7, 5),
  'not indexed': () => new THREE.SphereGeometry(1, 7, 5).toNonIndexed(),
  'a number too many': () => new THREE.BufferGeometry()
    .setAttribute('position', new THREE.BufferAttribute(Float32Array.from({ length: 15 }, (_, i) => i * i % 7), 3)),
  '8-bit index': () => new THREE.BoxGeometry().setIndex(new THREE.BufferAttribute(Uint8Array.of(0, 1, 2, 2, 1, 3, 4, 5, 6), 1)),
  '32-bit index': () => {
    const geometry = new THREE.BoxGeometry();
    return geometry.setIndex(new THREE.BufferAttribute(Uint32Array.from(geometry.index.array), 1));
  },
  'a draw range': () => {
    const geometry = new THREE.TorusGeometry(1, 0.3, 5, 9);
    geometry.setDrawRange(9, 40);
    return geometry;
  },
  'a draw range, not indexed': () => {
    const geometry = new THREE.TorusGeometry(1, 0.3, 5, 9).toNonIndexed();
    geometry.setDrawRange(30, 1000);
    return geometry;
  },
  interleaved: () => boxWith((numbers, count) => {
    const buffer = new THREE.InterleavedBuffer(new Float32Array(count * 8).fill(99), 8);
    const attribute = new THREE.InterleavedBufferAttribute(buffer, 3, 4);
    for (let i = 0; i < count; i++) attribute.setXYZ(i, ...numbers.slice(3 * i, 3 * i + 3));
    return attribute;
  }),
  'interleaved and quantised': () => boxWith((numbers, count) => {
    const buffer = new THREE.InterleavedBuffer(new Int16Array(count * 4), 4);
    const attribute = new THREE.InterleavedBufferAttribute(buffer, 3, 1, true);
    for (let i = 0; i < count; i++) attribute.setXYZ(i, ...numbers.slice(3 * i, 3 * i + 3));
    return attribute;
  }),
  'four numbers a vertex': () => boxWith((numbers, count) => new THREE.BufferAttribute(
    Float32Array.from({ length: 4 * count }, (_, i) => (i % 4 === 3 ? 7 : numbers[3 * Math.floor(i / 4) + i % 4])), 4)),
  'float64': () => boxWith((numbers) => new THREE.BufferAttribute(Float64Array.from(numbers, (number) => number / 3), 3)),
  'half floats': () => boxWith((numbers) => new THREE.Float16BufferAttribute(
    Uint16Array.from(numbers, (number) => THREE.DataUtils.toHalfFloat(number / 3)), 3)),
  'whole numbers': () => boxWith((numbers) => new THREE.BufferAttribute(Int16Array.from(numbers, (number) => 40 * number), 3)),
  ...Object.fromEntries([Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array].map((Type) => [
    `${Type.name}, normalised`,
    () => boxWith((numbers) => {
      const attribute = new THREE.BufferAttribute(new Type(numbers.length), 3, true);
      const limit = 2 ** (8 * Type.BYTES_PER_ELEMENT - (Type.name.startsWith('U') ? 0 : 1));
      attribute.array.forEach((_, i) => { attribute.array[i] = Math.round(numbers[i] * limit) - (numbers[i] > 0 ? 1 : 0); });
      return attribute;
    }),
  ])),
};

for (const [name, make] of Object.entries(GEOMETRIES)) {
  test(`three geometry: ${name}`, () => {
    const random = new Random(name.length);
    const scene = new THREE.Scene();
    for (let i = 0; i < 6; i++) scene.add(place(new THREE.Mesh(make(), i % 3 === 0 ? back : plain), random));
    const { positions } = assertDrawn(scene, name);
    assert.ok(positions.length > 0 && positions.some((number) => number !== 0));
  });
}

test('three geometry: groups with several materials, some of them missing or invisible', () => {
  const random = new Random(11);
  const scene = new THREE.Scene();
  const geometry = new THREE.BoxGeometry();
  scene.add(place(new THREE.Mesh(geometry, [plain, back, unseen, plain, undefined]), random));
  assert.equal(assertDrawn(scene, 'groups').indices.length, 3 * 6);
  geometry.setDrawRange(3, 18);
  assert.equal(assertDrawn(scene, 'groups in a draw range').indices.length, 3 * 4);
  scene.add(new THREE.Mesh(new THREE.PlaneGeometry(), [plain]));
  assert.equal(assertDrawn(scene, 'several materials without groups').indices.length, 3 * 4);
});

test('three geometry: every instance up to the count, mirrored ones too', () => {
  const random = new Random(12);
  const scene = new THREE.Scene();
  for (const [count, geometry] of [[7, new THREE.BoxGeometry()], [3, new THREE.ConeGeometry().toNonIndexed()]]) {
    const mesh = place(new THREE.InstancedMesh(geometry, plain, 9), random);
    mesh.count = count;
    for (let i = 0; i < 9; i++) {
      const dummy = place(new THREE.Object3D(), random);
      dummy.updateMatrix();
      mesh.setMatrixAt(i, dummy.matrix);
    }
    scene.add(place(new THREE.Group(), random).add(mesh));
  }
  assert.equal(assertDrawn(scene, 'instances').indices.length / 3, 7 * 12 + 3 * new THREE.ConeGeometry().index.count / 3);
});

for (const indexed of [true, false]) {
  test(`three geometry: visible instances of a batch, ${indexed ? 'indexed' : 'not indexed'}, with deleted ones`, () => {
    const random = new Random(13);
    const batch = place(new THREE.BatchedMesh(20, 2000, indexed ? 4000 : 0, plain), random);
    const shapes = [new THREE.BoxGeometry(), new THREE.SphereGeometry(1, 5, 4), new THREE.ConeGeometry(1, 2, 5)]
      .map((shape) => batch.addGeometry(indexed ? shape : shape.toNonIndexed()));
    const ids = Array.from({ length: 15 }, (_, i) => batch.addInstance(shapes[i % 3]));
    for (const id of ids) {
      const dummy = place(new THREE.Object3D(), random);
      dummy.updateMatrix();
      batch.setMatrixAt(id, dummy.matrix);
    }
    for (const id of [4, 9, 10]) batch.setVisibleAt(ids[id], false);
    for (const id of [0, 7, 8]) batch.deleteInstance(ids[id]);
    batch.userData.ids = ids.filter((_, i) => ![0, 7, 8].includes(i));
    const scene = new THREE.Scene().add(batch);
    assertDrawn(scene, 'batch');
    batch.deleteGeometry(shapes[1]);
    batch.userData.ids = batch.userData.ids.filter((id) => id % 3 !== 1);
    batch.optimize();
    assertDrawn(scene, 'after optimising');
    assert.equal(geometryFromScene(new THREE.BatchedMesh(5, 10, 10, plain)).indices.length, 0);
  });
}

test('three geometry: lines, points, sprites, helpers and meshes without vertices are not taken', () => {
  const scene = new THREE.Scene();
  const lines = new THREE.BufferGeometry().setFromPoints([new THREE.Vector3(), new THREE.Vector3(1, 0, 0), new THREE.Vector3(0, 0, 1)]);
  scene.add(new THREE.Line(lines), new THREE.LineSegments(lines), new THREE.LineLoop(lines), new THREE.Points(lines),
    new THREE.Sprite(), new THREE.GridHelper(), new THREE.Mesh(), new THREE.PerspectiveCamera(), new THREE.DirectionalLight());
  const geometry = geometryFromScene(scene);
  assert.deepEqual([geometry.positions.length, geometry.indices.length, geometry.areas], [0, 0, undefined]);
});

/** A box whose upper vertices follow the second bone for 3/4, in a scene with a node above it. */
function makeSkinned(bindMode, Type = Uint16Array) {
  const geometry = new THREE.BoxGeometry(), position = geometry.getAttribute('position'), { count } = position;
  const bones = Array.from({ length: count }, (_, i) => (position.getY(i) > 0 ? [0, 1, 0, 0] : [0, 0, 0, 0])).flat();
  const weights = Array.from({ length: count }, (_, i) => (position.getY(i) > 0 ? [0.25, 0.75, 0, 0] : [1, 0, 0, 0])).flat();
  geometry.setAttribute('skinIndex', new THREE.BufferAttribute(new Type(bones), 4));
  geometry.setAttribute('skinWeight', new THREE.BufferAttribute(Uint8Array.from(weights, (weight) => Math.round(255 * weight)), 4, true));
  geometry.morphAttributes.position = [new THREE.BufferAttribute(new Float32Array(3 * count).fill(5), 3)];
  const mesh = new THREE.SkinnedMesh(geometry, plain), root = new THREE.Bone(), tip = new THREE.Bone();
  mesh.bindMode = bindMode;
  mesh.position.set(1, 2, 3);
  root.position.set(0, 1, 0);
  tip.position.set(0, 1, 0);
  const armature = new THREE.Group().add(root.add(tip)), scene = new THREE.Scene().add(new THREE.Group().add(mesh), armature);
  scene.updateMatrixWorld(true);
  mesh.bind(new THREE.Skeleton([root, tip]));
  armature.position.set(-3, 0, 0);
  armature.scale.setScalar(0.5);
  root.position.y = 7;
  tip.rotation.z = 1;
  mesh.position.x = 20;
  return { scene, mesh, armature, root };
}

test('three geometry: a skinned mesh stands where three.js draws it, in the present pose of its bones', () => {
  for (const mode of ['attached', 'detached']) {
    const { scene, mesh, armature, root } = makeSkinned(mode), group = mesh.parent;
    for (const roots of [scene, group]) {
      const { positions, indices } = geometryFromScene(roots);
      scene.updateMatrixWorld(true);
      mesh.morphTargetInfluences.fill(0);
      const drawn = Array.from({ length: positions.length / 3 }, (_, i) => mesh.getVertexPosition(i, new THREE.Vector3()).applyMatrix4(mesh.matrixWorld).toArray()).flat();
      assert.ok(drawn.every((value, i) => Math.abs(value - positions[i]) < 1e-5), mode);
      assert.deepEqual([...indices], [...mesh.geometry.index.array]);
      root.position.x = 9; // the second time only the bones move
    }
    assert.equal(geometryFromScene(armature).indices.length, 0);
    mesh.skeleton.bones[1] = undefined; // three.js draws such a skeleton, too
    assert.ok(geometryFromScene(scene).positions.every(Number.isFinite));
    mesh.geometry.getAttribute('skinIndex').setX(5, 7);
    assert.throws(() => geometryFromScene(scene), { code: 'geometry', message: /SkinnedMesh: vertex 5 has the bone 7, and its skeleton has 2/ });
  }
});

test('three geometry: what is invisible is left out with all below it, or taken where that is asked', () => {
  const scene = new THREE.Scene();
  const box = (material = plain) => new THREE.Mesh(new THREE.BoxGeometry(), material);
  const hidden = new THREE.Group().add(box());
  hidden.visible = false;
  scene.add(box(), hidden);
  assert.equal(assertDrawn(scene, 'visible').indices.length, 36);
  scene.add(box(unseen), new THREE.Mesh(new THREE.BoxGeometry(), [plain, unseen, plain]));
  assert.equal(geometryFromScene(scene).indices.length, 36 + 2 * 6);
  assert.equal(geometryFromScene(scene, { includeInvisible: true }).indices.length, 3 * 36 + 3 * 6);
  const batch = new THREE.BatchedMesh(2, 100, 100, plain);
  const shape = batch.addGeometry(new THREE.BoxGeometry());
  batch.addInstance(shape);
  batch.setVisibleAt(batch.addInstance(shape), false);
  assert.equal(geometryFromScene(batch).indices.length, 36);
  assert.equal(geometryFromScene(batch, { includeInvisible: true }).indices.length, 72);
  hidden.children[0].visible = true;
  assert.equal(geometryFromScene(hidden).indices.length, 0);
  assert.equal(geometryFromScene(hidden.children[0]).indices.length, 36, 'asked for by itself');
});

test('three geometry: the finest level of a LOD, whatever the camera saw last', () => {
  const lod = new THREE.LOD();
  lod.addLevel(new THREE.Mesh(new THREE.SphereGeometry(1, 9, 7), plain), 0);
  lod.addLevel(new THREE.Mesh(new THREE.BoxGeometry(), plain), 20);
  lod.add(new THREE.Mesh(new THREE.PlaneGeometry(), plain));
  const count = new THREE.SphereGeometry(1, 9, 7).index.count + 6;
  assert.equal(geometryFromScene(lod).indices.length, count);
  const camera = new THREE.PerspectiveCamera();
  camera.position.z = 50;
  camera.updateMatrixWorld();
  lod.update(camera);
  assert.equal(lod.levels[0].object.visible, false);
  assert.equal(geometryFromScene(lod).indices.length, count);
});

test('three geometry: several roots, one inside another, each mesh once and where its parents put it', () => {
  const parent = new THREE.Group();
  parent.position.set(100, 0, 0);
  parent.userData.walkmesh = { area: 9 };
  const level = new THREE.Group();
  const mesh = new THREE.Mesh(new THREE.BoxGeometry(), plain);
  parent.add(level.add(mesh));
  const { positions, indices, areas } = geometryFromScene([mesh, level, mesh]);
  assert.equal(indices.length, 36);
  assert.equal(Math.max(...positions), 100.5);
  assert.ok(areas.every((area) => area === 9), 'the area of what is above the root');
});

test('three geometry: meshes by layer, as a mask or as Layers, and by callback', () => {
  const scene = new THREE.Scene();
  for (let i = 0; i < 5; i++) {
    const mesh = new THREE.Mesh(new THREE.BoxGeometry(), plain);
    mesh.name = `box ${i}`;
    mesh.layers.set(i);
    (scene.children[0] ?? scene).add(mesh);
  }
  const layers = new THREE.Layers();
  layers.set(1);
  layers.enable(3);
  assert.equal(geometryFromScene(scene, { layers }).indices.length, 72);
  assert.equal(geometryFromScene(scene, { layers: 0b11110 }).indices.length, 4 * 36, 'the layer of a parent does not count');
  assert.equal(geometryFromScene(scene, { layers: 0 }).indices.length, 0);
  const seen = [];
  const filter = (mesh) => seen.push(mesh.name) && mesh.name !== 'box 0';
  assert.equal(geometryFromScene(scene, { filter, layers: 0b111 }).indices.length, 72, 'what is below a mesh left out stays');
  assert.deepEqual(seen, ['box 0', 'box 1', 'box 2']);
});

test('three geometry: areas and what is ignored, by userData of objects, of materials, and by callback', () => {
  const scene = new THREE.Scene();
  const material = (walkmesh) => Object.assign(new THREE.MeshBasicMaterial(), { userData: { walkmesh } });
  const box = (walkmesh, materials = plain) => Object.assign(new THREE.Mesh(new THREE.BoxGeometry(), materials), { userData: { walkmesh } });
  const areasOf = (object, options) => [...new Set(geometryFromScene(object, options).areas ?? ['none'])];
  assert.deepEqual(areasOf(box(undefined)), ['none']);
  assert.deepEqual(areasOf(box({ area: 63 })), ['none']);
  assert.deepEqual(areasOf(box({ area: 0 })), [0]);
  assert.deepEqual(areasOf(box({}, material({ area: 7 }))), [7]);
  assert.deepEqual(areasOf(box({ area: 5 }, material({ area: 7 }))), [5]);
  assert.deepEqual(areasOf(box('{ "area": 6 }', material('{"ignore": false}'))), [6], 'JSON texts, as exporters write them');
  assert.throws(() => areasOf(box('mud')), { code: 'geometry', message: /userData.walkmesh is "mud": must be an object, or a custom property of type String with/ });
  const named = Object.assign(new THREE.Group(), { name: 'decor' }).add(box('mud'));
  assert.equal(geometryFromScene(new THREE.Scene().add(named), { exclude: ['decor'] }).indices.length, 0, 'marks of excluded objects are not read');
  const group = new THREE.Group();
  group.userData.walkmesh = { area: 3 };
  const sides = [material({ area: 1 }), material({ ignore: true }), material(null), plain, plain, plain];
  group.add(box(undefined), box(undefined, material({ area: 8 })), new THREE.Group().add(box({ area: 4 })), box(undefined, sides));
  const { areas, indices } = geometryFromScene(scene.add(group, box(undefined)));
  assert.equal(indices.length, 3 * areas.length);
  const byTriangle = (...parts) => parts.flatMap(([area, count]) => new Array(count).fill(area));
  assert.deepEqual([...areas], byTriangle([3, 12], [8, 12], [4, 12], [1, 2], [3, 8], [63, 12]));
  group.children[2].userData.walkmesh = { ignore: true };
  assert.equal(geometryFromScene(scene).areas.length, 12 + 12 + 10 + 12);

  const calls = [];
  const area = (mesh, of, instance) => {
    calls.push([mesh.name, of.name, instance]);
    return instance === 2 ? null : instance === 1 ? 22 : undefined;
  };
  const instances = Object.assign(new THREE.InstancedMesh(new THREE.BoxGeometry(), Object.assign(plain.clone(), { name: 'm' }), 4), { name: 'i' });
  instances.userData.walkmesh = { area: 2 };
  assert.deepEqual([...geometryFromScene(instances, { area }).areas], byTriangle([2, 12], [22, 12], [2, 12]));
  assert.deepEqual(calls, [['i', 'm', 0], ['i', 'm', 1], ['i', 'm', 2], ['i', 'm', 3]]);
  assert.deepEqual(areasOf(box({ area: 2 }), { area: () => 40 }), [40]);
});

/** The direction that the triangles of a geometry face: 1 up, -1 down. */
function facing({ positions, indices }) {
  const point = (i) => new THREE.Vector3().fromArray(positions, 3 * indices[i]);
  return Array.from({ length: indices.length / 3 }, (_, t) => {
    const [a, b, c] = [0, 1, 2].map((k) => point(3 * t + k));
    return Math.sign(b.sub(a).cross(c.sub(a)).y);
  });
}

test('three geometry: insides stay inside where objects are mirrored, backs where materials show them', () => {
  const floor = (material) => {
    const mesh = new THREE.Mesh(new THREE.PlaneGeometry(), material);
    mesh.rotation.x = -Math.PI / 2;
    return mesh;
  };
  const double = new THREE.MeshBasicMaterial({ side: THREE.DoubleSide });
  for (const [scale, sign] of [[[1, 1, 1], 1], [[-1, 1, 1], 1], [[1, 1, -1], -1], [[-1, 1, -1], -1], [[1, -1, -1], -1]]) {
    const mesh = floor(plain);
    mesh.scale.set(...scale);
    assert.deepEqual(facing(geometryFromScene(mesh)), [sign, sign], `scale ${scale}`);
    mesh.material = back;
    assert.deepEqual(facing(geometryFromScene(mesh)), [-sign, -sign], `scale ${scale}, its back`);
    mesh.material = double;
    assert.deepEqual(facing(geometryFromScene(mesh)), [sign, sign], `scale ${scale}, both sides`);
    assert.deepEqual(facing(geometryFromScene(mesh, { turnDoubleSided: true })), [1, 1], `scale ${scale}, turned up`);
  }
});

test('three geometry: errors name the object and say what is wrong', () => {
  const scene = Object.assign(new THREE.Scene(), { name: 'level' });
  const group = new THREE.Group();
  scene.add(group);
  const fails = (geometry, pattern, change = () => {}) => {
    const mesh = Object.assign(new THREE.Mesh(geometry, plain.clone()), { name: 'rock' });
    group.add(mesh);
    change(mesh);
    assert.throws(() => geometryFromScene(scene), (error) => {
      assert.ok(error instanceof NavError);
      assert.equal(error.code, 'geometry');
      assert.equal(error.field, 'level/Group/rock');
      assert.match(error.message, pattern);
      return true;
    });
    mesh.removeFromParent();
  };
  const box = (change) => {
    const geometry = new THREE.BoxGeometry();
    change?.(geometry);
    return geometry;
  };
  fails(box(({ attributes }) => attributes.position.setY(3, NaN)), /^level\/Group\/rock: vertex 3 is at \(0\.5, NaN, -0\.5\): must be finite/);
  fails(box(({ attributes }) => attributes.position.setX(0, Infinity)), /vertex 0 is at/);
  fails(box(({ index }) => index.setX(5, 24)), /its index contains vertex 24, but it has 24 vertices/);
  fails(box(), /its world matrix has a number that is not finite/, ({ position }) => position.setX(NaN));
  fails(box(), /vertex 0 exceeds the range of float32 in world space/, ({ scale }) => scale.setX(1e39));
  fails(box((geometry) => geometry.setAttribute('position', new THREE.BufferAttribute(new Float32Array(8), 2))), /2 numbers each: must be 3/);
  fails(box((geometry) => geometry.setAttribute('position', new THREE.GLBufferAttribute({}, 5126, 3, 4, 24))), /on the GPU only/);
  fails(box(({ attributes }) => { attributes.position.array = null; }), /released after their upload/);
  fails(box(({ index }) => { index.array = null; }), /released after their upload/);
  fails(box(), /userData\.walkmesh\.area is 64: must be a whole number from 0 to 63/, (mesh) => { mesh.userData.walkmesh = { area: 64 }; });
  fails(box(), /userData\.walkmesh\.area is "road"/, ({ material }) => { material.userData.walkmesh = { area: 'road' }; });
  fails(box(), /userData\.walkmesh is 5: must be an object/, (mesh) => { mesh.userData.walkmesh = 5; });
  fails(undefined, /it has no BufferGeometry/, (mesh) => { mesh.geometry = null; });

  // A vertex that no triangle uses may have any value.
  const unused = box(({ attributes, index }) => { attributes.position.setY(20, NaN); index.array.fill(0, 30); });
  assert.ok(geometryFromScene(new THREE.Mesh(unused, plain)).positions.every(Number.isFinite));
  const called = (error) => error instanceof NavError && error.code === 'geometry' && /options\.area is -1/.test(error.message);
  assert.throws(() => geometryFromScene(new THREE.Mesh(box(), plain), { area: () => -1 }), called);
  for (const [roots, options, field] of [[undefined, {}, 'roots'], [[scene, null], {}, 'roots[1]'], [scene, null, 'options'],
    [scene, { layer: 1 }, 'layer'], [scene, { filter: 'rock' }, 'filter'], [scene, { layers: null }, 'layers'],
    [scene, { includeInvisible: 1 }, 'includeInvisible']]) {
    assert.throws(() => geometryFromScene(roots, options),
      (error) => error instanceof NavError && error.code === 'invalid-argument' && error.field === field);
  }
  const thrown = new Error('mine');
  assert.throws(() => geometryFromScene(new THREE.Mesh(box(), plain), { filter: () => { throw thrown; } }), thrown);
});

test('three geometry: a bake of a scene is the bake of its triangles', async () => {
  const walkmesh = await load();
  const random = new Random(77);
  const scene = new THREE.Scene();
  scene.scale.set(1, 1, -1);
  const floor = new THREE.Mesh(new THREE.PlaneGeometry(30, 30, 4, 4), plain);
  floor.rotation.x = Math.PI / 2; // the scene is mirrored
  const boxes = new THREE.InstancedMesh(new THREE.BoxGeometry(), plain, 20);
  for (let i = 0; i < 20; i++) {
    boxes.setMatrixAt(i, new THREE.Matrix4().makeRotationY(random.next())
      .setPosition(20 * random.next() - 10, 0, 20 * random.next() - 10).scale(new THREE.Vector3(3, 1 + random.next(), 2)));
  }
  scene.add(floor, boxes);
  const bytesOf = (geometry) => {
    const { navMesh, report } = walkmesh.bake(geometry, { cellSize: 0.2, agentRadius: 0.4 });
    assert.ok(report.counts.polygons > 10);
    const bytes = navMesh.save();
    navMesh.free();
    return bytes;
  };
  const soup = slowSoup(scene);
  const slow = { positions: soup, indices: Uint32Array.from({ length: soup.length / 3 }, (_, i) => i) };
  assert.deepEqual(bytesOf(geometryFromScene(scene)), bytesOf(slow));
});
