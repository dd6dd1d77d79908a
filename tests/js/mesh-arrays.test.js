// The arrays of a mesh for drawing: a tile's arrays, links, references of tiles, the version.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NavError, load, readLinks, readTile } from '../../js/index.js';
import { makeGround, readScene } from './support.js';

const walkmesh = await load();

function bakeScene(name, config, extra = {}) {
  return walkmesh.bake({ ...readScene(name), ...extra }, config).navMesh;
}

/** The surface of a tile as its triangles' vertices, from its arrays. */
function surfaceOf(tile) {
  const corners = [];
  for (let p = 0; p < tile.groundCount; p++) {
    const [firstVertex, firstTriangle, count] = tile.details.subarray(3 * p);
    for (let t = firstTriangle; t < firstTriangle + count; t++) {
      for (const corner of tile.detailTriangles.subarray(4 * t, 4 * t + 3)) {
        const own = corner < tile.sizes[p];
        const vertex = own ? tile.polygons[6 * p + corner] : firstVertex + corner - tile.sizes[p];
        corners.push(...(own ? tile.vertices : tile.detailVertices).subarray(3 * vertex, 3 * vertex + 3));
      }
    }
  }
  return corners;
}

const MESHES = {
  'a tile': () => bakeScene('plaza', {}),
  tiles: () => bakeScene('terrain', { tileSize: 32 }),
  'a tile with connections': () => bakeScene('tower', {}, { offMeshConnections: [{ start: [1, 0, 1], end: [8, 0, 8], radius: 4 }] }),
  'references of 64 bits': () => {
    const navMesh = bakeScene('city', { tileSize: 48 });
    const again = walkmesh.loadNavMesh(navMesh.exportDetour('set64'));
    navMesh.free();
    return again;
  },
};

/** The coordinates of the surface of each polygon. */
function surfaceByPolygon(tile) {
  const all = surfaceOf(tile);
  let at = 0;
  return Array.from({ length: tile.groundCount }, (_, p) => all.slice(at, at += 9 * tile.details[3 * p + 2]));
}

/** @param {number[]} points */
const boxOf = (points) => [Math.min, Math.max].flatMap((most) => [0, 1, 2].map((axis) => most(...points.filter((_, i) => i % 3 === axis))));

for (const [name, make] of Object.entries(MESHES)) {
  test(`mesh arrays: ${name}: polygons and surface`, (context) => {
    const navMesh = make();
    context.after(() => navMesh.free());
    const listed = navMesh.tiles();
    assert.deepEqual(navMesh.tileRefs(), listed.map(({ ref }) => ref));
    const tiles = listed.map((tile) => {
      assert.deepEqual(navMesh.tileBytes(tile.ref), tile.bytes);
      const arrays = readTile(tile.bytes);
      assert.deepEqual([arrays.x, arrays.z, arrays.layer, arrays.polygonCount], [tile.x, tile.z, tile.layer, tile.polygons]);
      return arrays;
    });
    assert.deepEqual(tiles.flatMap(surfaceOf), [...navMesh.triangles()]);
    const polygons = tiles.flatMap((tile, t) => Array.from({ length: tile.polygonCount }, (_, p) => ({
      ref: listed[t].ref + p,
      vertices: Float32Array.from([...tile.polygons.subarray(6 * p, 6 * p + tile.sizes[p])]
        .flatMap((vertex) => [...tile.vertices.subarray(3 * vertex, 3 * vertex + 3)])),
      area: tile.areas[p], flags: tile.flags[p], isOffMesh: p >= tile.groundCount,
    })));
    assert.deepEqual(polygons, navMesh.polygons());
    const { boundsMin, boundsMax } = navMesh.totals;
    for (let axis = 0; axis < 3; axis++) {
      assert.equal(Math.min(...tiles.map((tile) => tile.boundsMin[axis])), boundsMin[axis]);
      assert.equal(Math.max(...tiles.map((tile) => tile.boundsMax[axis])), boundsMax[axis]);
    }
  });

  test(`mesh arrays: ${name}: the tree of boxes holds every polygon once, in boxes in boxes`, (context) => {
    const navMesh = make();
    context.after(() => navMesh.free());
    for (const { bytes } of navMesh.tiles()) {
      const tile = readTile(bytes);
      const { nodeCount, nodeBounds, nodeItems, groundCount } = tile;
      assert.equal(nodeCount, 2 * groundCount - 1);
      const surface = surfaceByPolygon(tile);
      const slack = 1e-3 * Math.max(1, ...tile.boundsMax.map(Math.abs));
      // Trees are built from heights of the detail mesh, which stores vertices a cell height above the polygons' vertices.
      const holds = (outer, inner, below = 0) => [0, 1, 2].every((axis) => (
        inner[axis] >= outer[axis] - slack - (axis === 1 ? below : 0) && inner[3 + axis] <= outer[3 + axis] + slack));
      const found = [];
      /** Checks the subtree of a node. @returns the node behind the subtree */
      const check = (node, outer) => {
        const box = nodeBounds.subarray(6 * node, 6 * node + 6);
        if (outer) assert.ok(holds(outer, box));
        const item = nodeItems[node];
        if (item >= 0) {
          found.push(item);
          assert.ok(holds(box, boxOf(surface[item]), 0.2), `polygon ${item}`);
          return node + 1;
        }
        const end = check(check(node + 1, box), box);
        assert.equal(end, node - item);
        return end;
      };
      assert.equal(check(0), nodeCount);
      assert.deepEqual(found.sort((a, b) => a - b), Array.from({ length: groundCount }, (_, p) => p));
    }
  });

  test(`mesh arrays: ${name}: links`, (context) => {
    const navMesh = make();
    context.after(() => navMesh.free());
    if (name === 'tiles') navMesh.addConnection({ start: [2, 0, 2], end: [30, 0, 30], radius: 3, climb: 50 });
    const sources = [...navMesh.tileRefs(), ...navMesh.connections()];
    const all = new Map();
    let count = 0;
    for (const ref of sources) {
      const links = readLinks(navMesh, ref);
      count += links.count;
      const tile = navMesh.connections().includes(ref) ? undefined : readTile(navMesh.tileBytes(ref));
      for (let i = 0; i < links.count; i++) {
        const { edges: { [i]: edge }, sides: { [i]: side } } = links;
        all.set(`${links.from[i]} ${links.to[i]}`, side);
        const polygon = links.from[i] - ref;
        if (!tile || edge === 255 || polygon >= tile.groundCount) continue;
        const neighbour = tile.neighbours[6 * polygon + edge];
        assert.equal(side === 255, neighbour < 32768, 'a side is crossed at portals only');
        if (side !== 255) continue;
        assert.equal(links.to[i], ref + neighbour - 1);
        const ends = [edge, (edge + 1) % tile.sizes[polygon]].map((k) => tile.polygons[6 * polygon + k]);
        assert.deepEqual([...links.openings.subarray(6 * i, 6 * i + 6)],
          ends.flatMap((vertex) => [...tile.vertices.subarray(3 * vertex, 3 * vertex + 3)]));
      }
    }
    assert.equal(count, navMesh.totals.links);
    assert.ok(count > 10);
    for (const key of all.keys()) assert.ok(all.has(key.split(' ').reverse().join(' ')), `${key} leads one way only`);
    // A corridor follows links.
    const { boundsMin: [x, y, z], boundsMax } = navMesh.totals;
    const ends = [[x + 2, y, z + 2], [boundsMax[0] - 2, y, boundsMax[2] - 2]];
    const { corridor, corridorCount } = navMesh.findPath(ends[0], ends[1], { halfExtents: [20, 50, 20] });
    for (let i = 1; i < corridorCount; i++) assert.ok(all.has(`${corridor[i - 1]} ${corridor[i]}`));
  });
}

test('mesh arrays: the version is another after every change, and only then', (context) => {
  const { navMesh } = walkmesh.bake(makeGround(), { tileSize: 16 });
  context.after(() => navMesh.free());
  const seen = new Set([navMesh.version]);
  const changes = (change) => {
    change();
    assert.ok(!seen.has(navMesh.version), `${change}`);
    seen.add(navMesh.version);
    assert.ok(seen.has(navMesh.version));
  };
  const [tile] = navMesh.tileRefs();
  const bytes = navMesh.tileBytes(tile);
  changes(() => navMesh.setPolygonArea(tile, 5));
  changes(() => navMesh.setPolygonFlags(tile, 0));
  changes(() => navMesh.addConnection({ start: [1, 0, 1], end: [3, 0, 3] }));
  changes(() => navMesh.removeTile(tile));
  changes(() => navMesh.addTile(bytes));
  const before = navMesh.version;
  navMesh.findPath([1, 0, 1], [4, 0, 4]);
  assert.equal(navMesh.version, before);
});

test('mesh arrays: references that are none, stale or of nothing are errors', () => {
  const { navMesh } = walkmesh.bake(makeGround(), { tileSize: 16 });
  const [tile, other] = navMesh.tileRefs();
  assert.deepEqual(navMesh.tileBytes(tile), navMesh.tileBytes(tile + 0), 'any reference into it');
  navMesh.removeTile(tile);
  for (const read of [(ref) => navMesh.tileBytes(ref), (ref) => readLinks(navMesh, ref)]) {
    assert.throws(() => read(tile), (error) => error instanceof NavError && error.code === 'stale-reference');
    for (const wrong of [0, 1, -1, 0.5, '5', undefined, 2 ** 53, tile + 2 ** 40]) {
      assert.throws(() => read(wrong), (error) => error instanceof NavError && ['invalid-argument', 'stale-reference'].includes(error.code), `${wrong}`);
    }
    read(other);
  }
  assert.throws(() => readLinks({}, other), (error) => error instanceof NavError && error.code === 'state');
  navMesh.free();
  for (const use of [() => navMesh.tileBytes(other), () => readLinks(navMesh, other), () => navMesh.version, () => navMesh.tileRefs()]) {
    assert.throws(use, (error) => error instanceof NavError && error.code === 'state');
  }
});

test('userData: what JSON would change without a word is refused by its place: typed arrays, maps, NaN, functions, holes', () => {
  const { navMesh } = walkmesh.bake(makeGround(6), { cellSize: 0.3 }), shared = [1];
  navMesh.userData = { a: shared, b: shared };
  for (const [value, field, text] of /** @type {[any, string, RegExp][]} */ ([
    [{ spawns: Float32Array.of(1, 2) }, 'userData.spawns', /is a Float32Array of 2: JSON makes it an object: use Array\.from/],
    [[{ a: shared, names: [0, new Map([[1, 2]])] }], 'userData[0].names[1]', /is a Map: .*use an array/],
    [new Set(), 'userData', /is a Set/], [{ bytes: new ArrayBuffer(2) }, 'userData.bytes', /is an ArrayBuffer/], [{ view: new DataView(new ArrayBuffer(2)) }, 'userData.view', /DataView/],
    [{ cost: NaN }, 'userData.cost', /is NaN: JSON has no such number/], [[1, -Infinity], 'userData[1]', /is -Infinity/],
    [{ onEnter() {} }, 'userData.onEnter', /is a function: it has no JSON/], [[undefined], 'userData[0]', /is undefined: in an array, JSON makes it null/],
  ])) {
    assert.throws(() => { navMesh.userData = value; }, (error) => error instanceof NavError && error.code === 'invalid-argument' && error.field === field && text.test(error.message), field);
  }
  assert.deepEqual(navMesh.userData, { a: [1], b: [1] });
  navMesh.free();
});

test('userData: data that JSON can store comes back from a file, and other data is refused by name and changes nothing', () => {
  const { navMesh } = walkmesh.bake(makeGround(6), { cellSize: 0.3 });
  assert.equal(navMesh.userData, null);
  const config = navMesh.config;
  navMesh.userData = { level: 'ground', spawns: [1, 2] };
  const read = walkmesh.loadNavMesh(navMesh.save());
  assert.deepEqual(read.userData, { level: 'ground', spawns: [1, 2] });
  assert.deepEqual(read.config, config, 'beside the configuration');
  const endless = {};
  endless.self = endless;
  for (const value of [() => 1, Symbol('no'), 10n, endless]) {
    assert.throws(() => { read.userData = value; }, { code: 'invalid-argument', field: 'userData' });
  }
  assert.deepEqual(read.userData, { level: 'ground', spawns: [1, 2] });
  read.userData = { saved: new Date(0), none: undefined, minus: -0, nested: [[{ deep: null }], 'x', true] };
  assert.deepEqual(read.userData, { saved: '1970-01-01T00:00:00.000Z', minus: 0, nested: [[{ deep: null }], 'x', true] });
  read.userData = null;
  assert.equal(walkmesh.loadNavMesh(read.save()).userData, null);
});
