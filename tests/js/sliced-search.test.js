/** Searches in slices while tiles are built again. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random, load } from '../../js/index.js';
import { readScene } from './support.js';

const walkmesh = await load();

test('search in slices: goes on when the tile of its start or end is built again, to the corridor of a search that begins now', () => {
  const { navMesh, dynamic } = walkmesh.bakeDynamic(readScene('city'), { cellSize: 0.3, tileSize: 32 }), random = new Random(3);
  const search = navMesh.createSearch(), crates = [];
  let rebuilt = 0, done = 0;
  for (let i = 0; i < 30; i++) {
    const [start, end] = [0, 1].map(() => navMesh.randomPoint({ random }));
    search.begin(start.polygon, start.point, end.polygon, end.point);
    search.advance(3);
    for (const { point: [x, y, z] } of [start, end]) crates.push(dynamic.addObstacle({ kind: 'cylinder', base: [x + 2, y - 0.2, z], radius: 0.8, height: 1.5 }));
    dynamic.update();
    const isStale = [start, end].map(({ polygon }) => navMesh.isStale([polygon]));
    rebuilt += isStale.filter(Boolean).length;
    const [from, to] = [start, end].map((place, k) => (isStale[k] ? navMesh.nearestPoint(place.point) : place));
    assert.ok(from && to);
    for (let slices = 0; !search.advance(50); slices++) assert.ok(slices < 1000);
    assert.deepEqual(search.finish(), navMesh.findCorridor(from.polygon, from.point, to.polygon, to.point));
    done++;
    if (crates.length > 8) crates.splice(0, 4).forEach((crate) => dynamic.removeObstacle(crate));
    dynamic.update();
  }
  assert.ok(rebuilt > 20 && done === 30, `${rebuilt}`);
  navMesh.free();
});

test('search in slices: goes on where only tiles change that it has not met, also with links, to the corridor of a search that begins now', () => {
  const { navMesh, dynamic } = walkmesh.bakeDynamic(readScene('city'), { cellSize: 0.3, tileSize: 32, links: { drop: { maxHeight: 4 }, jump: { maxDistance: 3 } } });
  for (const tile of navMesh.tiles()) for (let p = 0; p < tile.polygons; p += 4) navMesh.setPolygonArea(tile.ref + p, 5);
  const random = new Random(4), search = navMesh.createSearch(), costs = { areaCosts: { 5: 4 } };
  const kinds = [{}, { shortest: true }, { anyAngle: true }, { filter: costs }, { shortest: true, filter: costs }];
  let wentOn = 0, compared = 0;
  for (let i = 0; i < 60; i++) {
    const [start, end] = [0, 1].map(() => navMesh.randomPoint({ random })), options = kinds[i % kinds.length];
    search.begin(start.polygon, start.point, end.polygon, end.point, options);
    let done = false;
    for (let slices = 0; !done || slices < 2; slices++) {
      if (slices === 1) {
        const [x, y, z] = navMesh.randomPoint({ random }).point;
        dynamic.addObstacle({ kind: 'cylinder', base: [x, y - 0.2, z], radius: 0.8, height: 1.5 });
        dynamic.update();
        if (navMesh.isStale([start.polygon, end.polygon])) break;
        wentOn += !done && search.finish().searched === 20 ? 1 : 0;
      }
      done = search.advance(20);
    }
    if (navMesh.isStale([start.polygon, end.polygon])) continue;
    const found = search.finish(), whole = navMesh.findCorridor(start.polygon, start.point, end.polygon, end.point, options);
    assert.deepEqual({ ...found, searched: 0 }, { ...whole, searched: 0 }, `${i}`);
    compared++;
  }
  assert.ok(compared > 50 && wentOn > 30, `${wentOn} of ${compared} went on`);
  navMesh.free();
});

test('search in slices: does not lead through a door that closed while it ran', () => {
  const solids = [[0, 10], [12, 50], [52, 60]].map(([a, b]) => ({ kind: /** @type {const} */ ('box'), min: [29, -1, a], max: [31, 3, b] }));
  const positions = [0, 0, 0, 0, 0, 60, 60, 0, 60, 60, 0, 0];
  const { navMesh } = walkmesh.bake({ positions, indices: [0, 1, 2, 0, 2, 3], solids }, { cellSize: 0.2, tileSize: 48 });
  const switches = navMesh.createSwitches(), door = switches.addDoor({ volume: { kind: 'box', min: [28, -1, 9], max: [32, 2, 13] } });
  const start = navMesh.nearestPoint([5, 0, 11]), end = navMesh.nearestPoint([55, 0, 11]), search = navMesh.createSearch();
  let closed = 0;
  for (const options of [{}, { shortest: true }, { anyAngle: true }, { wallDistance: 1 }, { shortest: true, filter: { areaCosts: { 0: 3 } } }]) {
    for (const closing of [1, 2, 4, 8]) {
      door.open();
      search.begin(start.polygon, start.point, end.polygon, end.point, options);
      for (let slices = 1, done = false; !done; slices++) {
        done = search.advance(3);
        if (done || slices !== closing) continue;
        door.close();
        closed++;
      }
      const shut = new Set(door.polygons()), found = search.finish(), at = `closed in slice ${closing}, ${JSON.stringify(options)}`;
      assert.equal(found.status, 'complete', at);
      assert.ok(!door.isOpen === ![...found.polygons].some((polygon) => shut.has(polygon)), at);
    }
  }
  assert.ok(closed > 12, `${closed}`);
  navMesh.free();
});

test('search in slices: an error names the start or the end whose ground is gone', () => {
  const { navMesh } = walkmesh.bake({ positions: [0, 0, 0, 0, 0, 20, 100, 0, 20, 100, 0, 0], indices: [0, 1, 2, 0, 2, 3] }, { tileSize: 32, cellSize: 0.3 });
  const start = navMesh.nearestPoint([5, 0, 5]), end = navMesh.nearestPoint([92, 0, 5]), search = navMesh.createSearch();
  assert.ok(start && end);
  search.begin(start.polygon, start.point, end.polygon, end.point);
  const { x, z } = navMesh.tilePlace(end.point), tile = navMesh.tileAt(x, z), bytes = navMesh.tileBytes(tile);
  navMesh.removeTile(tile);
  for (const call of [() => search.advance(5), () => search.finish(), () => search.finishAlong([start.polygon])]) {
    assert.throws(call, { code: 'stale-reference', message: /^the search has no end: its tile was removed or built again, and there is no mesh near \(92, .*, 5\) now/ });
  }
  navMesh.addTile(bytes);
  while (!search.advance(5));
  assert.equal(search.finish().status, 'complete');
  navMesh.free();
});
