// The drawings of the helpers of walkmesh/three: compared with the mesh itself, after changes with a fresh helper; and disposal.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as THREE from 'three';
import { AGENT_REASONS, FixedStep, NavError, load, readLinks, readTile } from '../../js/index.js';
import {
  AgentsHelper, ConnectionsHelper, ContoursHelper, CrowdHelper, LinksHelper, NavMeshHelper, ObstaclesHelper, PathHelper, PolygonsHelper,
  RebuiltTilesHelper, VoxelsHelper, agentReasonColor, agentStateColor, areaColor, geometryFromScene,
} from '../../js/three/index.js';
import { RangeGeometry } from '../../js/three/geometry/range-geometry.js';
import { makeGround, readScene } from './support.js';

const walkmesh = await load();
const CONNECTIONS = [
  { start: [3, 0, 3], end: [12, 0, 9], radius: 2 },
  { start: [20, 0, 5], end: [24, 0, 30], radius: 2, bidirectional: false },
];

function bakeCity(context, config = { tileSize: 64 }) {
  const { navMesh } = walkmesh.bake({ ...readScene('city'), offMeshConnections: CONNECTIONS }, { cellSize: 0.3, ...config });
  context.after(() => navMesh.free());
  return navMesh;
}

/** Groups of numbers that are not all zero (unused capacity is zero), as sorted text: the drawn items in a stable order. */
function drawn(part, perItem) {
  const { geometry } = part;
  const { array } = geometry.getAttribute('position');
  const colors = geometry.getAttribute('color').array;
  const items = [];
  for (let i = 0; i < geometry.drawRange.count / perItem; i++) {
    const numbers = array.subarray(3 * perItem * i, 3 * perItem * (i + 1));
    if (numbers.some((number) => number !== 0)) items.push(`${[...numbers]} ${colors.subarray(4 * perItem * i, 4 * perItem * (i + 1))}`);
  }
  return items.sort();
}

const PARTS = { surface: 3, veil: 3, edges: 2, walls: 2, borders: 2 };

function assertSame(helper, fresh) {
  for (const [part, perItem] of Object.entries(PARTS)) {
    assert.deepEqual(drawn(helper[part], perItem), drawn(fresh[part], perItem), part);
  }
}

test('three helpers: ranges of a buffer come and go, and only they are uploaded', () => {
  let state = 5;
  const random = (limit) => {
    state = Math.imul(state, 1664525) + 1013904223 | 0;
    return (state >>> 8) % limit;
  };
  const range = new RangeGeometry();
  const expected = new Map();
  const gpu = new Map();
  let [uploaded, changed] = [0, 0];
  for (let step = 0; step < 900; step++) {
    const key = random(40);
    const kind = random(10);
    if (kind < 6) {
      const count = random(5) === 0 ? 0 : 3 * random(60);
      const positions = Float32Array.from({ length: 3 * count }, () => 1 + random(1000));
      const colors = Uint8Array.from({ length: 4 * count }, () => 1 + random(255));
      range.set(key, positions, colors);
      expected.set(key, { positions, colors });
      changed += count;
    } else if (kind < 8) {
      range.delete(key);
      expected.delete(key);
    } else if (expected.has(key)) {
      const colors = expected.get(key).colors.map(() => 1 + random(255));
      range.setColors(key, colors);
      expected.set(key, { ...expected.get(key), colors });
    }
    if (step % 7 > 0) continue;
    // Copies as renderers do: a new attribute in full, a known one by its ranges.
    for (const name of ['position', 'color']) {
      const attribute = range.geometry.getAttribute(name);
      if (gpu.get(name)?.attribute !== attribute) {
        gpu.set(name, { attribute, array: attribute.array.slice(), version: attribute.version });
      } else if (gpu.get(name).version !== attribute.version) {
        for (const { start, count } of attribute.updateRanges) {
          gpu.get(name).array.set(attribute.array.subarray(start, start + count), start);
          uploaded += count;
        }
        gpu.get(name).version = attribute.version;
      }
      attribute.clearUpdateRanges();
      assert.deepEqual(gpu.get(name).array, attribute.array);
    }
    const positions = gpu.get('position').array.subarray(0, 3 * range.geometry.drawRange.count);
    const colors = gpu.get('color').array.subarray(0, 4 * range.geometry.drawRange.count);
    const visible = [];
    for (let i = 0; i < positions.length / 3; i++) {
      if (colors[4 * i + 3] > 0) visible.push(`${positions.subarray(3 * i, 3 * i + 3)} ${colors.subarray(4 * i, 4 * i + 4)}`);
      else assert.deepEqual([...positions.subarray(3 * i, 3 * i + 3)], [0, 0, 0]);
    }
    const wanted = [...expected.values()].flatMap(({ positions: p, colors: c }) => Array.from({ length: p.length / 3 },
      (_, i) => `${p.subarray(3 * i, 3 * i + 3)} ${c.subarray(4 * i, 4 * i + 4)}`));
    assert.deepEqual(visible.sort(), wanted.sort());
    assert.ok(positions.length / 3 <= 3 * range.vertexCount + 20000);
  }
  assert.ok(uploaded > 0 && changed > 0);
  range.clear();
  assert.equal(range.geometry.drawRange.count, 0);
});

test('three helpers: the surface of a mesh, and the outlines of its polygons by kind', (context) => {
  for (const config of [{ tileSize: 64 }, {}]) {
    const navMesh = bakeCity(context, config);
    const helper = new NavMeshHelper(navMesh, { lift: 0 });
    const surface = drawn(helper.surface, 3).map((item) => item.split(' ')[0]);
    const triangles = navMesh.triangles();
    const wanted = Array.from({ length: triangles.length / 9 }, (_, t) => `${[...triangles.subarray(9 * t, 9 * t + 9)]}`);
    assert.deepEqual(surface.sort(), wanted.sort());

    const lengthOf = (part) => drawn(helper[part], 2).reduce((sum, item) => {
      const [ax, , az, bx, , bz] = item.split(' ')[0].split(',').map(Number);
      return sum + Math.hypot(bx - ax, bz - az);
    }, 0);
    const expected = { edges: 0, walls: 0, borders: 0 };
    for (const tile of navMesh.tiles().map(({ bytes }) => readTile(bytes))) {
      for (let p = 0; p < tile.groundCount; p++) {
        for (let k = 0; k < tile.sizes[p]; k++) {
          const [a, b] = [k, (k + 1) % tile.sizes[p]].map((at) => 3 * tile.polygons[6 * p + at]);
          const neighbour = tile.neighbours[6 * p + k];
          const kind = neighbour === 0 ? 'walls' : neighbour >= 0x8000 ? 'borders' : 'edges';
          if (kind === 'edges' && neighbour - 1 < p) continue;
          expected[kind] += Math.hypot(tile.vertices[b] - tile.vertices[a], tile.vertices[b + 2] - tile.vertices[a + 2]);
        }
      }
    }
    for (const [part, length] of Object.entries(expected)) {
      // Detail vertices lie up to half a cell away from the edge on which they were sampled.
      assert.ok(Math.abs(lengthOf(part) - length) <= 0.01 * length + 1e-3, `${part}: ${lengthOf(part)} of ${length}`);
    }
    assert.equal(expected.borders > 0, config.tileSize > 0);
    helper.dispose();
  }
});

test('three helpers: after changes of a mesh only what changed is drawn anew, as a fresh helper would', (context) => {
  const navMesh = bakeCity(context);
  const helper = new NavMeshHelper(navMesh);
  const links = new LinksHelper(navMesh);
  const assertFresh = () => {
    const [fresh, freshLinks] = [new NavMeshHelper(navMesh), new LinksHelper(navMesh)];
    assertSame(helper, fresh);
    assert.deepEqual(drawn(links.children[0], 2), drawn(freshLinks.children[0], 2), 'links');
    fresh.dispose();
    freshLinks.dispose();
  };
  const refs = navMesh.tileRefs();
  assert.equal(helper.tileCount, refs.length);
  assert.equal(helper.update() + links.update(), 0);
  assertFresh();

  navMesh.setPolygonArea(refs[2], 5);
  assert.deepEqual([helper.update(), links.update()], [1, 0], 'a colour changed, no link');
  assertFresh();
  const bytes = navMesh.tileBytes(refs[5]);
  navMesh.removeTile(refs[5]);
  assert.equal(helper.update(), 1);
  const touched = links.update();
  assert.ok(touched > 1 && touched <= 9, `${touched}: the tile and those around it`);
  assertFresh();
  navMesh.addTile(bytes);
  assert.equal(helper.update(), 1);
  assert.equal(links.update(), touched);
  assertFresh();
  navMesh.addConnection({ start: [3, 0, 3], end: [30, 0, 30], radius: 3 });
  assert.equal(helper.update(), 0);
  assert.ok(links.update() <= 2);
  assertFresh();
  for (const ref of navMesh.tileRefs()) navMesh.removeTile(ref);
  helper.update();
  assert.deepEqual([helper.tileCount, drawn(helper.surface, 3).length], [0, 0]);
});

test('three helpers: a colour for each area and flags, or that of a callback', (context) => {
  const navMesh = bakeCity(context, {});
  const [ref] = navMesh.tileRefs();
  navMesh.setPolygonArea(ref, 9);
  navMesh.setPolygonFlags(ref + 1, 0x10);
  const asked = new Set();
  const helper = new NavMeshHelper(navMesh, { color: (area, flags) => asked.add(`${area} ${flags}`) && (area === 9 ? 'red' : 0x00ff00) });
  assert.deepEqual([...asked].sort(), ['0 1', '0 16', '9 1']);
  const colors = helper.surface.geometry.getAttribute('color').array;
  assert.ok(colors[0] > 0 && colors[1] === 0 && colors[2] === 0);
  const seen = new Set(Array.from({ length: 64 }, (_, area) => areaColor(area).getHexString()));
  assert.equal(seen.size, 63, 'areas 0 and 63 look the same, no others');
});

test('three helpers: links lead from the middles of polygons to openings', (context) => {
  const navMesh = bakeCity(context);
  const helper = new LinksHelper(navMesh, { lift: 0 });
  const lines = drawn(helper.children[0], 2);
  let expected = 0;
  for (const ref of navMesh.tileRefs()) {
    const { groundCount } = readTile(navMesh.tileBytes(ref));
    const { count, from, sides } = readLinks(navMesh, ref);
    expected += 2 * groundCount;
    for (let i = 0; i < count; i++) if (from[i] - ref < groundCount) expected += sides[i] === 255 ? 1 : 2;
  }
  assert.equal(lines.length, expected);
});

/** The instanced meshes of a helper that draw something, without ghosts. */
const solids = (helper) => helper.children.filter((child) => child.isInstancedMesh && child.count > 0 && child.material.depthTest);

function matricesOf(mesh) {
  return Array.from({ length: mesh.count }, (_, i) => new THREE.Matrix4().fromArray(mesh.instanceMatrix.array, 16 * i));
}

/** True if the columns of a matrix are at right angles to each other, and not mirrored. */
function assertUpright(matrix) {
  const [x, y, z] = [new THREE.Vector3(), new THREE.Vector3(), new THREE.Vector3()];
  matrix.extractBasis(x, y, z);
  assert.ok(matrix.determinant() > 0, 'mirrored: insides would be seen');
  for (const [a, b] of [[x, y], [y, z], [z, x]]) assert.ok(Math.abs(a.dot(b)) <= 1e-5 * a.length() * b.length());
}

test('three helpers: a path is a tube from point to point', () => {
  const points = [0, 0, 0, 4, 1, 0, 4, 1, 0, 4, 6, 0, 2, 3, -5, 2, -9, -5];
  const helper = new PathHelper(Float32Array.from(points), { lift: 0, radius: 0.1 });
  const [tube, joints] = solids(helper).filter((mesh) => mesh.count > 1);
  const [a, b] = tube.count < joints.count ? [tube, joints] : [joints, tube];
  assert.deepEqual([a.count, b.count], [4, 6], 'a segment without length is left out');
  const ends = [[0, 1], [2, 3], [3, 4], [4, 5]].map((pair) => pair.map((i) => new THREE.Vector3().fromArray(points, 3 * i)));
  matricesOf(a).forEach((matrix, i) => {
    assertUpright(matrix);
    const [start, end] = [new THREE.Vector3().applyMatrix4(matrix), new THREE.Vector3(0, 1, 0).applyMatrix4(matrix)];
    assert.ok(start.distanceTo(ends[i][0]) < 1e-5);
    const short = i === 3 ? 0.7 : 0; // the last one ends at the base of the cone
    assert.ok(Math.abs(end.distanceTo(ends[i][1]) - short) < 1e-5);
    assert.ok(Math.abs(new THREE.Vector3(1, 0.5, 0).applyMatrix4(matrix).distanceTo(start.add(end).multiplyScalar(0.5)) - 0.1) < 1e-5);
  });
  const cone = solids(helper).find((mesh) => mesh.geometry.getAttribute('position').count !== b.geometry.getAttribute('position').count
    && mesh.count === 1 && matricesOf(mesh)[0].elements[5] < 0);
  assertUpright(matricesOf(cone)[0]);
  assert.ok(new THREE.Vector3(0, 1, 0).applyMatrix4(matricesOf(cone)[0]).distanceTo(new THREE.Vector3(2, -9, -5)) < 1e-5);
  const same = (path) => {
    helper.update(path);
    return JSON.stringify(solids(helper).map((mesh) => matricesOf(mesh)));
  };
  const flat = [1, 0, 2, 5, 0, 2, 5, 3, 9];
  const wanted = same(flat);
  assert.equal(same([[1, 0, 2], [5, 0, 2], [5, 3, 9]]), wanted);
  assert.equal(same([{ x: 1, y: 0, z: 2 }, new THREE.Vector3(5, 0, 2), { x: 5, y: 3, z: 9 }]), wanted);
  assert.equal(same({ points: Float32Array.from([...flat, 99, 99, 99]), count: 3 }), wanted);
  for (const none of [null, [], { points: new Float32Array(9), count: 0 }]) assert.equal(same(none), '[]');
  assert.equal(solids(helper).length, 0);
  helper.update([1, 2, 3]);
  assert.ok(solids(helper).every((mesh) => mesh.count === 1));
  assert.throws(() => helper.update('path'), (error) => error instanceof NavError && error.field === 'path');
});

test('three helpers: chosen polygons are drawn, all of their surface and no other, each in its colour', (context) => {
  const navMesh = bakeCity(context);
  const helper = new PolygonsHelper(navMesh, { lift: 0, color: 0xff0000 });
  assert.equal(helper.surface.visible, false);
  const items = () => drawn(helper.surface, 3);
  const areaOf = () => {
    const { array } = helper.surface.geometry.getAttribute('position');
    let area = 0;
    for (let i = 0; i < 3 * helper.surface.geometry.drawRange.count; i += 9) {
      area += ((array[i + 3] - array[i]) * (array[i + 8] - array[i + 2]) - (array[i + 5] - array[i + 2]) * (array[i + 6] - array[i])) / 2;
    }
    return Math.abs(area);
  };
  // All of them are the mesh's own triangles, in any order.
  const all = navMesh.tiles().flatMap(({ ref, polygons }) => Array.from({ length: polygons }, (_, i) => ref + i));
  helper.update(all);
  const triangles = (numbers) => Array.from({ length: numbers.length / 9 }, (_, i) => String(numbers.subarray(9 * i, 9 * i + 9))).sort();
  const { array } = helper.surface.geometry.getAttribute('position');
  assert.deepEqual(triangles(array.subarray(0, 3 * helper.surface.geometry.drawRange.count)), triangles(navMesh.triangles()));
  assert.ok(helper.count < all.length, 'off-mesh connections have no surface');
  const area = areaOf();
  const islands = navMesh.islands();
  const sum = Array.from({ length: islands.count }, (_, i) => islands.area(i + 1)).reduce((a, b) => a + b);
  assert.ok(Math.abs(area - sum) < 1e-3 * sum, `${area} against ${sum}`);
  // Each part alone: together they make up the whole.
  let parts = 0;
  for (let i = 0; i < 60; i++) {
    helper.update([all[i]]);
    parts += items().length;
  }
  helper.update(all, { count: 60 });
  assert.equal(items().length, parts);
  const path = navMesh.findPath([2, 0, 2], [36, 0, 36]);
  const colors = Float32Array.from({ length: 3 * path.corridorCount }, (_, i) => i);
  helper.update(path.corridor, { count: path.corridorCount, colors });
  assert.equal(helper.surface.visible, true);
  const painted = helper.surface.geometry.getAttribute('color').array;
  const seen = new Set();
  for (let i = 0; i < 3 * helper.surface.geometry.drawRange.count; i += 3) {
    assert.deepEqual([...painted.subarray(i, i + 3)], [painted[i], painted[i] + 1, painted[i] + 2]);
    seen.add(painted[i] / 3);
  }
  assert.deepEqual([...seen], Array.from({ length: path.corridorCount }, (_, i) => i));
  helper.update(path.corridor);
  assert.deepEqual([...painted.subarray(0, 3)], [1, 0, 0]);
  // Removed objects are not drawn.
  const tile = navMesh.tileAt(0, 0), bytes = navMesh.tileBytes(tile);
  navMesh.removeTile(tile);
  helper.update([tile, tile + 1, 0, NaN]);
  assert.deepEqual([helper.count, helper.surface.visible], [0, false]);
  navMesh.addTile(bytes);
  helper.update([tile, navMesh.tileAt(0, 0), navMesh.addConnection({ start: [3, 0, 3], end: [9, 0, 9] })]);
  assert.equal(helper.count, 1);
  for (const [make, field] of [[() => helper.update(), 'polygons'], [() => helper.update([1], { count: 2 }), 'polygons'],
    [() => helper.update([1], { colors: [1, 1] }), 'colors'], [() => new PolygonsHelper({}), 'navMesh'], [() => new PolygonsHelper(navMesh, { height: 1 }), 'height']]) {
    assert.throws(make, (error) => error instanceof NavError && error.code === 'invalid-argument' && error.field === field, field);
  }
  helper.dispose();
});

test('three helpers: off-mesh connections of tiles and of run time, with their state', (context) => {
  const navMesh = bakeCity(context);
  const helper = new ConnectionsHelper(navMesh);
  const counts = () => solids(helper).map((mesh) => mesh.count).sort((a, b) => a - b);
  const baked = navMesh.totals.offMeshConnections;
  assert.ok(baked >= 1);
  assert.equal(helper.update(), baked);
  const before = counts();
  const ladder = navMesh.addConnection({ start: [3, 0, 3], end: [30, 0, 30], radius: 3 });
  assert.equal(helper.update(), baked + 1);
  assert.ok(counts().every((count, i) => count > before[i]));
  const coloursUsed = () => new Set(solids(helper).flatMap((mesh) => Array.from({ length: mesh.count },
    (_, i) => String(mesh.instanceColor.array.slice(3 * i, 3 * i + 3)))));
  const usual = coloursUsed().size;
  navMesh.setConnectionEnabled(ladder, false);
  helper.update();
  assert.equal(coloursUsed().size, usual + 1, 'what is switched off looks otherwise');
  for (const mesh of solids(helper)) matricesOf(mesh).forEach(assertUpright);
  navMesh.removeConnection(ladder);
  helper.update();
  assert.deepEqual(counts(), before);
  for (const ref of navMesh.tileRefs()) navMesh.removeTile(ref);
  assert.equal(helper.update(), 0);
  assert.deepEqual(counts(), []);
});

test('three helpers: agents stand where the arrays say and look where they go', () => {
  const helper = new AgentsHelper({ radius: 0.5, height: 2 });
  const check = (positions, options, look) => {
    helper.update(positions, options);
    const [bodies, noses] = solids(helper);
    assert.equal(bodies.count, helper.count);
    matricesOf(noses).forEach(assertUpright);
    matricesOf(bodies).forEach((matrix, i) => {
      assert.deepEqual(new THREE.Vector3().setFromMatrixPosition(matrix).toArray(), [...positions.slice(3 * i, 3 * i + 3)]);
    });
    assert.deepEqual(matricesOf(noses).map((matrix) => {
      const axis = new THREE.Vector3().setFromMatrixColumn(matrix, 1).normalize();
      return [axis.x, axis.z].map((number) => Math.round(100 * number) / 100 + 0);
    }), look);
    return bodies;
  };
  check([1, 2, 3, 4, 5, 6], { velocities: [2, 0, 0, 0, 9, 0] }, [[1, 0], [0, 1]]);
  const bodies = check([1, 2, 3, 4, 5, 6], { velocities: [0, 0, 0, -3, 0, -4], colors: [1, 0, 0, 0, 1, 0] }, [[1, 0], [-0.6, -0.8]]);
  assert.deepEqual([...bodies.instanceColor.array.slice(0, 6)], [1, 0, 0, 0, 1, 0]);
  const many = Float32Array.from({ length: 3000 }, (_, i) => i);
  check(many, { count: 500 }, [[1, 0], [-0.6, -0.8], ...new Array(498).fill([0, 1])]);
  const mesh = solids(helper)[0];
  check(many, { count: 490, radii: new Float32Array(490).fill(2) }, [[1, 0], [-0.6, -0.8], ...new Array(488).fill([0, 1])]);
  assert.equal(solids(helper)[0], mesh, 'buffers are used again');
  helper.update([]);
  assert.equal(solids(helper).length, 0);
  for (const [args, field] of [[[null], 'positions'], [[[1, 2, 3], { count: 2 }], 'positions'], [[[1, 2, 3], { velocities: [1] }], 'velocities'],
    [[[1, 2, 3], { colors: 5 }], 'colors'], [[[1, 2, 3], { radii: [] }], 'radii'], [[[1, 2]], 'positions'], [[[1, 2, 3, 4, NaN, 6]], 'positions[4]'],
    [[new Float32Array([1, 2, Infinity])], 'positions[2]'], [[[1, 2, 3], { velocities: [0, 0, NaN] }], 'velocities[2]'],
    [[[1, 2, 3], { radii: [NaN] }], 'radii[0]'], [[[1, 2, 3], { colors: new Float64Array([1, NaN, 1]) }], 'colors[1]']]) {
    assert.throws(() => helper.update(...args), (error) => error instanceof NavError && error.code === 'invalid-argument' && error.field === field, field);
  }
  helper.update([1, 2, 3, NaN], { count: 1 });
  assert.equal(helper.count, 1, 'numbers beyond the count may be anything');
});

test('three helpers: obstacles are drawn where they are, and tiles that were built again are lit', (context) => {
  const { navMesh, dynamic } = walkmesh.bakeDynamic(makeGround(40), { tileSize: 32 });
  context.after(() => navMesh.free());
  const shapes = [
    { kind: 'box', min: [2, 0, 3], max: [4, 2, 9] }, { kind: 'rotatedBox', centre: [15, 1, 15], halfExtents: [2, 1, 0.5], yaw: 0.5 },
    { kind: 'cylinder', base: [30, 0, 9], radius: 2, height: 3 }, { kind: 'sphere', centre: [9, 1, 30], radius: 1.5 },
    { kind: 'capsule', start: [20, 1, 30], end: [24, 2, 30], radius: 1 }, { kind: 'capsule', start: [33, 1, 33], end: [33, 4, 33], radius: 1 },
    { kind: 'prism', vertices: [[30, 0, 20], [34, 0, 20], [32, 0, 24]], minY: 0, maxY: 2 },
  ];
  const handles = shapes.map((shape) => dynamic.addObstacle(shape));
  const helper = new ObstaclesHelper(dynamic);
  for (const { material } of solids(helper)) {
    assert.ok(material.polygonOffset && material.polygonOffsetFactor < 0 && material.polygonOffsetUnits < 0, 'in front of the object itself');
  }
  const lights = new RebuiltTilesHelper(dynamic, { seconds: 1 });
  // The corners of a shape's own box: the drawing lies within the obstacle and extends to its ends.
  const corners = (mesh) => {
    mesh.geometry.computeBoundingBox();
    const { min, max } = mesh.geometry.boundingBox;
    return matricesOf(mesh).map((matrix) => new THREE.Box3(min.clone(), max.clone()).applyMatrix4(matrix));
  };
  const near = (box, min, max) => {
    for (const [drawnAt, expected] of [[box.min, min], [box.max, max]]) {
      drawnAt.toArray().forEach((value, axis) => assert.ok(Math.abs(value - expected[axis]) < 0.06, `${drawnAt.toArray()} ${expected}`));
    }
  };
  const [boxes, pillars, balls] = solids(helper);
  assert.deepEqual([boxes.count, pillars.count, balls.count], [2 + 3, 1 + 2, 1 + 4]);
  const [first, turned] = corners(boxes);
  near(first, [2, 0, 3], [4, 2, 9]);
  const [x, z] = [2 * Math.cos(0.5) + 0.5 * Math.sin(0.5), 2 * Math.sin(0.5) + 0.5 * Math.cos(0.5)];
  near(turned, [15 - x, 0, 15 - z], [15 + x, 2, 15 + z]);
  // A box turned counter-clockwise seen from above: its x axis points to -z.
  assert.ok(new THREE.Vector3().setFromMatrixColumn(matricesOf(boxes)[1], 0).z < 0);
  const [cylinder, lying, upright] = corners(pillars);
  near(cylinder, [28, 0, 7], [32, 3, 11]);
  near(upright, [32, 1, 32], [34, 4, 34]);
  assert.ok(lying.min.x > 19 && lying.max.x < 25 && lying.min.z > 28.9);
  for (const matrix of matricesOf(pillars)) assert.ok(matrix.determinant() > 0, 'not turned inside out');
  assert.deepEqual(corners(balls).slice(0, 1).map((box) => box.getCenter(new THREE.Vector3()).toArray()), [[9, 1, 30]]);

  const colorOf = (mesh, i) => [...mesh.instanceColor.array.slice(3 * i, 3 * i + 3)];
  const before = colorOf(boxes, 0);
  dynamic.changeObstacle(handles[0], { ...shapes[0], carving: 'never' });
  dynamic.changeObstacle(handles[1], { ...shapes[1], area: 3 });
  dynamic.removeObstacles(handles.slice(3));
  helper.update();
  assert.deepEqual([boxes.count, pillars.count, balls.count], [2, 1, 0]);
  assert.notDeepEqual(colorOf(boxes, 0), before);
  assert.deepEqual(colorOf(boxes, 1), areaColor(3).toArray().map(Math.fround));

  assert.equal(lights.count, 0);
  const { changed } = dynamic.update();
  lights.update();
  assert.equal(lights.count, changed.length);
  const [columns] = lights.children;
  const side = navMesh.parameters.tileWidth;
  const places = matricesOf(columns).map(({ elements }) => `${Math.round(elements[12] / side - 0.5)} ${Math.round(elements[14] / side - 0.5)}`);
  assert.deepEqual(places.sort(), changed.map((change) => `${change.x} ${change.z}`).sort());
  const bright = colorOf(columns, 0)[0];
  lights.update(0.5);
  assert.ok(Math.abs(colorOf(columns, 0)[0] - bright / 2) < 1e-6);
  lights.update(0.5);
  assert.equal(lights.count, 0);
  lights.light(1, 2);
  lights.update();
  assert.equal(lights.count, 1);
  const { elements } = matricesOf(columns)[0];
  assert.deepEqual([12, 14].map((at) => Math.round(elements[at] / side - 0.5)), [1, 2]);
  for (const [places, field] of [[[0.5, 0], 'x'], [[0], 'z']]) assert.throws(() => lights.light(...places), { code: 'invalid-argument', field });
  lights.update(1);
  dynamic.removeObstacles(dynamic.obstacles());
  lights.dispose();
  dynamic.update(); // it no longer listens
  helper.update();
  assert.equal(solids(helper).length, 0);
  for (const make of [() => new ObstaclesHelper(navMesh), () => new RebuiltTilesHelper(null)]) {
    assert.throws(make, (error) => error instanceof NavError && error.field === 'dynamic');
  }
  assert.throws(() => new RebuiltTilesHelper(dynamic, { second: 1 }), { field: 'second' });
  dynamic.free();
  assert.throws(() => helper.update(), { code: 'state' });
});

test('three helpers: a crowd is drawn as its arrays say, its ways, velocities and neighbours as its agents know them', (context) => {
  const { navMesh } = walkmesh.bake(makeGround(30), {});
  context.after(() => navMesh.free());
  const crowd = navMesh.createCrowd();
  const agents = crowd.addAgents([[5, 0, 15], [6.5, 0, 15], [25, 0, 5]], [{ radius: 0.25, height: 1 }, {}, {}]);
  crowd.setTarget([agents[0], agents[1]], [25, 0, 25]);
  const clock = new FixedStep(crowd);
  for (let i = 0; i < 30; i++) clock.advance(1 / 60);
  const helper = new CrowdHelper(crowd, { velocities: true, lift: 0 });
  const at = (matrix) => new THREE.Vector3().setFromMatrixPosition(matrix).toArray();
  const ends = (matrix) => [at(matrix), new THREE.Vector3(0, 1, 0).applyMatrix4(matrix).toArray()].map((point) => point.map((x) => Math.round(1000 * x) / 1000));
  const near = (place) => [...place].map((x) => Math.round(1000 * x) / 1000);
  helper.update();
  const [bodies, noses, arrows] = solids(helper);
  assert.deepEqual([bodies, noses, arrows].map(({ count }) => count), [3, 3, 2], 'one stands');
  assert.deepEqual(matricesOf(bodies).flatMap(at), [...crowd.positions]);
  assert.deepEqual(matricesOf(bodies).map((matrix) => new THREE.Vector3().setFromMatrixScale(matrix).toArray()), [[0.25, 0.5, 0.25], [0.5, 1, 0.5], [0.5, 1, 0.5]]);
  matricesOf(arrows).forEach((matrix, i) => {
    const [position, velocity] = [crowd.positions, crowd.velocities].map((rows) => [...rows.subarray(3 * i, 3 * i + 3)]);
    assert.deepEqual(ends(matrix), [near(position), near(position.map((x, axis) => x + velocity[axis]))]);
  });
  const colors = bodies.instanceColor.array;
  assert.notDeepEqual([...colors.slice(0, 3)], [...colors.slice(6, 9)], 'who stands has another colour than who walks');
  const positions = clock.positions();
  positions[0] += 1;
  helper.update({ positions, selected: [agents[0], 12345] });
  assert.deepEqual(at(matricesOf(solids(helper)[0])[0]), [...positions.subarray(0, 3)]);
  const lines = matricesOf(solids(helper)[3]).map(ends);
  const { corners, cornerCount, neighbourCount, wallCount } = crowd.details(agents[0]);
  assert.deepEqual(lines[0], [near(positions.subarray(0, 3)), near(corners.subarray(0, 3))], 'the way begins where it is drawn');
  assert.equal(lines.length, cornerCount + neighbourCount + wallCount);
  assert.deepEqual(lines[cornerCount], [near(positions.subarray(0, 3)), near(positions.subarray(3, 6))], 'then its neighbour');
  crowd.setParameters(agents[2], { radius: 1, height: 4 });
  helper.update();
  assert.deepEqual(new THREE.Vector3().setFromMatrixScale(matricesOf(solids(helper)[0])[2]).toArray(), [1, 2, 1], 'sizes follow setParameters');
  crowd.remove(agents[1]);
  helper.update({ selected: agents });
  assert.equal(helper.count, 2);
  for (const [call, field] of [[() => helper.update({ positions: [1] }), 'positions'], [() => helper.update({ selected: 5 }), 'selected'],
    [() => new CrowdHelper({}), 'crowd'], [() => new CrowdHelper(crowd, { velocity: true }), 'velocity']]) {
    assert.throws(call, (error) => error instanceof NavError && error.field === field, field);
  }
  crowd.free();
  assert.throws(() => helper.update(), (error) => error instanceof NavError && error.code === 'state');
});

/** A crowd on a lane of 1.9 m between two rooms: agents of radius 0.4 can't pass each other there. */
function makeLane(context, options) {
  const floors = [[-12, -6, -4, 4], [6, 12, -4, 4], [-6, 6, -0.95, 0.95]];
  const { navMesh } = walkmesh.bake({
    positions: Float32Array.from(floors.flatMap(([x, toX, z, toZ]) => [x, 0, z, x, 0, toZ, toX, 0, toZ, toX, 0, z])),
    indices: Uint32Array.from(floors.flatMap((_, i) => [0, 1, 2, 0, 2, 3].map((corner) => 4 * i + corner))),
  }, { cellSize: 0.15, agentRadius: 0.6 });
  context.after(() => navMesh.free());
  return navMesh.createCrowd(options);
}

/** The colours of instances as numbers of three.js. */
const hexesOf = (mesh) => Array.from({ length: mesh.count }, (_, i) => new THREE.Color().fromArray(mesh.instanceColor.array, 3 * i).getHex());

test('three helpers: a crowd shows who waits for whom before a passage, and where it begins', (context) => {
  const crowd = makeLane(context);
  const [inside, outside] = crowd.addAgents([[0, 0, 0], [8.5, 0, 0]], { radius: 0.4, height: 1.6 });
  crowd.setTarget([inside, outside], [[11, 0, 2], [-11, 0, 0]]);
  for (let i = 0; i < 120 && crowd.reason(outside) !== 'right-of-way'; i++) crowd.step(1 / 60);
  const info = crowd.info(outside);
  assert.deepEqual([info.reason, info.waitsFor, info.passage.state], ['right-of-way', inside, 'waits']);
  const helper = new CrowdHelper(crowd, { lift: 0 });
  const blue = agentReasonColor('right-of-way').getHex();
  helper.update();
  assert.deepEqual(hexesOf(solids(helper)[0]), [agentStateColor('following').getHex(), blue]);
  const partOf = (/** @type {string} */ shape) => solids(helper).find(({ geometry }) => geometry.type === shape);
  assert.deepEqual([partOf('CylinderGeometry'), partOf('RingGeometry')], [undefined, undefined], 'no line and no ring');
  helper.update({ selected: [outside] });
  const at = (matrix) => new THREE.Vector3().setFromMatrixPosition(matrix).toArray();
  const [segments, entries] = [partOf('CylinderGeometry'), partOf('RingGeometry')];
  const line = matricesOf(segments).filter((_, i) => hexesOf(segments)[i] === blue);
  assert.equal(line.length, 1, 'one line to the agent that goes first');
  const ends = [at(line[0]), new THREE.Vector3(0, 1, 0).applyMatrix4(line[0]).toArray()];
  [outside, inside].forEach((agent, i) => crowd.position(agent).forEach((part, axis) => assert.ok(Math.abs(part + (axis === 1 ? 0.8 : 0) - ends[i][axis]) < 1e-3, `${ends}`)));
  const rings = matricesOf(entries);
  assert.deepEqual([rings.length, at(rings[0]).map(Math.fround), hexesOf(entries)], [1, info.passage.entry, [blue]]);
  helper.update({ selected: [inside] });
  assert.deepEqual(hexesOf(entries), [agentStateColor('arrived').getHex()], 'who may enter has a green ring');
  helper.update();
  assert.equal(entries.count, 0);
  helper.dispose();
});

test('three helpers: agents that are blocked have their own colour, those that pass through others are translucent', (context) => {
  const crowd = makeLane(context, { patience: 3 });
  const agents = Array.from(crowd.addAgents([[-1, 0, 0], [1, 0, 0]], { radius: 0.4 }));
  crowd.setTarget(agents, [[11, 0, 0], [-11, 0, 0]]);
  const helper = new CrowdHelper(crowd);
  context.after(() => helper.dispose());
  const seen = { blocked: 0, passing: 0 };
  const faintOf = () => helper.children.filter((mesh) => mesh.isInstancedMesh && mesh.visible && mesh.material.transparent);
  for (let i = 0; i < 900; i++) {
    crowd.step(1 / 60);
    helper.update();
    const passing = agents.filter((agent) => crowd.reason(agent) === 'passing').length;
    assert.equal(helper.count, 2);
    assert.deepEqual(faintOf().map(({ count }) => count), passing > 0 ? [passing, passing] : [], 'body and nose');
    const hexes = helper.children.filter((mesh) => mesh.isInstancedMesh && mesh.visible).flatMap(hexesOf);
    for (const reason of ['blocked', 'passing']) {
      const has = agents.some((agent) => crowd.reason(agent) === reason);
      seen[reason] += has ? 1 : 0;
      assert.equal(hexes.includes(agentReasonColor(reason).getHex()), has, reason);
    }
  }
  assert.ok(seen.blocked > 30 && seen.passing > 30, JSON.stringify(seen));
  assert.deepEqual([...AGENT_REASONS].filter((reason) => agentReasonColor(reason)), ['blocked', 'passing', 'right-of-way']);
});

for (const tileSize of [0, 24]) {
  test(`three helpers: voxels and contours of ${tileSize ? 'tiles' : 'one tile'}`, (context) => {
    const baker = walkmesh.createBaker(readScene('plaza'), { tileSize, cellSize: 0.4 });
    context.after(() => baker.free());
    const [voxels, contours] = [new VoxelsHelper(), new ContoursHelper({ lift: 0 })];
    const { voxels: { tileCountX, tileCountZ, boundsMin, boundsMax } } = baker;
    let [boxes, lines] = [0, 0];
    for (let tile = 0; tile < tileCountX * tileCountZ; tile++) {
      const place = { x: tile % tileCountX, z: Math.floor(tile / tileCountX) };
      baker.beginTile(place.x, place.z, { keepStages: true });
      if (tile === 0) {
        assert.throws(() => voxels.update(baker), (error) => error instanceof NavError && error.code === 'state');
        assert.throws(() => contours.update(baker), (error) => error instanceof NavError && error.code === 'state');
      }
      while (baker.nextStage !== 'done') baker.step();
      for (const view of ['solid', 'areas', 'distance', 'regions', 'solid']) {
        const count = voxels.update(baker, { ...place, view });
        if (view === 'solid') boxes += count / 2;
        const arrays = view === 'solid' ? baker.read('heightfield') : baker.read('compact');
        if (tileSize === 0) assert.equal(count, view === 'solid' ? arrays.spans.length / 3 : arrays.floor.length);
      }
      contours.update(baker, place);
      contours.update(baker, place);
      for (const { vertices, rawVertices } of baker.read('contours')) lines += (vertices.length + rawVertices.length) / 4;
    }
    assert.equal(drawn(contours.children[0], 2).length, lines);
    const meshes = solids(voxels);
    assert.equal(meshes.length, tileCountX * tileCountZ);
    assert.equal(meshes.reduce((sum, mesh) => sum + mesh.count, 0), boxes);
    const places = meshes.flatMap((mesh) => matricesOf(mesh).map((matrix) => matrix.elements));
    assert.equal(new Set(places.map((m) => `${m[12].toFixed(3)} ${m[13].toFixed(3)} ${m[14].toFixed(3)}`)).size, places.length, 'no box twice');
    for (const m of places) {
      for (const [at, axis] of [[12, 0], [14, 2]]) assert.ok(m[at] > boundsMin[axis] && m[at] < boundsMax[axis] + 0.4, 'within the level');
    }
    const { array } = contours.children[0].geometry.getAttribute('position');
    for (let i = 0; i < 3 * contours.children[0].geometry.drawRange.count; i += 3) {
      if (array[i + 1] === 0 && array[i] === 0) continue;
      assert.ok(array[i] >= boundsMin[0] - 1e-4 && array[i] <= boundsMax[0] + 0.4);
    }
    for (const helper of [voxels, contours]) helper.reset();
    assert.equal(solids(voxels).length, 0);
    assert.equal(drawn(contours.children[0], 2).length, 0);
    assert.throws(() => voxels.update(baker, { view: 'spans' }), (error) => error instanceof NavError && error.field === 'view');
    assert.throws(() => contours.update(baker, { x: 0.5 }), (error) => error instanceof NavError && error.field === 'x');
  });
}

/** One object of each kind that draws something. */
function makeHelpers(navMesh, baker) {
  const crowd = navMesh.createCrowd();
  crowd.setVelocity(crowd.addAgent([1, 0, 1]), [1, 0, 0]);
  for (let i = 0; i < 9; i++) crowd.step(0.02);
  const helpers = [new NavMeshHelper(navMesh), new LinksHelper(navMesh), new ConnectionsHelper(navMesh), new PathHelper([0, 0, 0, 1, 0, 1]),
    new AgentsHelper(), new VoxelsHelper(), new ContoursHelper(), new CrowdHelper(crowd, { velocities: true })];
  helpers[4].update([1, 0, 1]);
  helpers[5].update(baker);
  helpers[6].update(baker);
  const { dynamic } = walkmesh.bakeDynamic(makeGround(), { tileSize: 16 });
  const lights = new RebuiltTilesHelper(dynamic);
  dynamic.addObstacle({ kind: 'sphere', centre: [5, 0, 5], radius: 1 });
  dynamic.update();
  lights.update();
  const lit = new PolygonsHelper(navMesh);
  lit.update([navMesh.tileRefs()[0]]);
  helpers.push(new ObstaclesHelper(dynamic), lights, lit);
  helpers[7].update({ selected: crowd.agents });
  return helpers;
}

test('three helpers: they are no ground, no target, never culled, and dispose of all that they have', (context) => {
  const navMesh = bakeCity(context, {});
  const baker = walkmesh.createBaker(makeGround(), {});
  context.after(() => baker.free());
  baker.beginTile(0, 0, { keepStages: true });
  while (baker.nextStage !== 'done') baker.step();
  const scene = new THREE.Scene();
  const helpers = makeHelpers(navMesh, baker);
  scene.add(...helpers);
  assert.equal(geometryFromScene(scene).indices.length, 0);
  const ray = new THREE.Raycaster(new THREE.Vector3(1, 50, 1), new THREE.Vector3(0, -1, 0));
  assert.deepEqual(ray.intersectObject(scene, true), []);
  for (const helper of helpers) {
    const [left, disposed] = [new Set(), new Set()];
    const watch = (thing) => {
      left.add(thing);
      thing.addEventListener('dispose', () => disposed.add(thing));
    };
    helper.traverse((part) => {
      if (part === helper) return;
      assert.equal(part.frustumCulled, false);
      watch(part.geometry);
      watch(part.material);
      if (part.isInstancedMesh) watch(part);
    });
    assert.ok(left.size >= 2, helper.type);
    helper.dispose();
    assert.deepEqual([...left].filter((thing) => !disposed.has(thing)).map((thing) => thing.type), [], helper.type);
    assert.equal(helper.parent, null);
    assert.equal(helper.children.length, 0);
    helper.dispose();
    assert.throws(() => helper.update(helper.type === 'AgentsHelper' ? [] : helper.type === 'RebuiltTilesHelper' ? 0 : baker), (error) => (
      error instanceof NavError && error.code === 'state' && error.message.includes(`${helper.type} was disposed`)));
  }
  assert.deepEqual(scene.children, []);
});

test('three helpers: options are checked, and what must not be used any more says so', () => {
  const { navMesh } = walkmesh.bake(makeGround(), {});
  for (const [make, field] of [[() => new NavMeshHelper(navMesh, { lifted: 1 }), 'lifted'], [() => new PathHelper(null, { radius: '1' }), 'radius'],
    [() => new LinksHelper(navMesh, { lift: NaN }), 'lift'], [() => new AgentsHelper(5), 'options'], [() => new ConnectionsHelper(navMesh, null), 'options'],
    [() => new ContoursHelper({ lift: undefined, lines: 1 }), 'lines'], [() => new NavMeshHelper(undefined), 'navMesh'],
    [() => new LinksHelper({}), 'navMesh'], [() => new ConnectionsHelper(makeGround()), 'navMesh'],
    [() => new VoxelsHelper().update(navMesh), 'baker'], [() => new ContoursHelper().update(null), 'baker'],
    [() => new AgentsHelper().update([0, 0, 0], { radius: [1] }), 'radius'], [() => new AgentsHelper().update([0, 0, 0, 1, 0, 0], { radii: [1, -0.5] }), 'radii[1]'],
    [() => new PolygonsHelper(navMesh).update([], { color: 0 }), 'color'], [() => new NavMeshHelper(navMesh).update({ milisconds: 1 }), 'milisconds'],
    [() => new VoxelsHelper().update(null, { y: 1 }), 'y'], [() => new ContoursHelper().update(null, { y: 1 }), 'y'],
    [() => new CrowdHelper(navMesh.createCrowd()).update({ select: [] }), 'select']]) {
    assert.throws(make, (error) => error instanceof NavError && error.code === 'invalid-argument' && error.field === field, field);
  }
  const crowd = navMesh.createCrowd();
  crowd.setVelocity(crowd.addAgent([1, 0, 1]), [1, 0, 0]);
  for (let i = 0; i < 9; i++) crowd.step(0.02);
  const helpers = [new NavMeshHelper(navMesh), new LinksHelper(navMesh), new ConnectionsHelper(navMesh)];
  navMesh.free();
  for (const helper of helpers) assert.throws(() => helper.update(), (error) => error instanceof NavError && error.code === 'state');
});

test('three helpers: the entries of the package know each other\'s meshes', async () => {
  const [{ load: loadPackage, NavError: PackageError }, { NavMeshHelper: Helper, LinksHelper: Links }] =
    await Promise.all([import('walkmesh'), import('walkmesh/three')]);
  const { navMesh } = (await loadPackage()).bake(makeGround(), { tileSize: 16 });
  const [helper, links] = [new Helper(navMesh), new Links(navMesh)];
  assert.ok(helper.tileCount > 1);
  navMesh.free();
  for (const used of [helper, links]) assert.throws(() => used.update(), PackageError);
});

test('three helpers: a mesh is drawn a part at a time, and comes out the same; changes in between are seen', (context) => {
  const navMesh = bakeCity(context, { tileSize: 32 });
  const tiles = navMesh.tileRefs().length;
  for (const Kind of [NavMeshHelper, LinksHelper]) {
    const helper = new Kind(navMesh, { empty: true });
    assert.equal(helper.tileCount, 0);
    assert.equal(helper.isComplete, false);
    assert.equal(helper.update({ milliseconds: 0 }), 1);
    assert.equal(helper.isComplete, false);
    let updates = 1;
    for (; !helper.isComplete; updates++) assert.equal(helper.update({ milliseconds: 0 }), 1);
    assert.equal(updates, tiles);
    assert.equal(helper.update({ milliseconds: 0 }), 0);
    const [polygon] = navMesh.tileRefs();
    navMesh.setPolygonArea(polygon, 3);
    assert.equal(helper.isComplete, false);
    helper.update({ milliseconds: 0 });
    navMesh.setPolygonArea(polygon, 4);
    while (!helper.isComplete) helper.update({ milliseconds: 0.2 });
    if (Kind === NavMeshHelper) assertSame(helper, new NavMeshHelper(navMesh));
    assert.equal(new Kind(navMesh).tileCount, tiles);
    assert.throws(() => helper.update({ milliseconds: -1 }), /milliseconds/);
    assert.throws(() => helper.update({ milliseconds: 'few' }), /milliseconds/);
    helper.dispose();
    assert.throws(() => helper.isComplete, /disposed/);
  }
});
