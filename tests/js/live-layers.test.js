/**
 * Meshes whose tiles are layers of one tile place, on both sides: the same corridors as recast-navigation, polygon for
 * polygon. The package bakes no tile layers, so all tiles of a tiled bake get one tile place and a layer each: they still
 * meet at the same edges.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../../js/index.js';
import { MeshView } from './live/mesh-view.js';
import { loadPeer } from './live/peer.js';
import { loadBoth, readScene } from './support.js';

const peer = await loadPeer();
const skip = peer === null && 'recast-navigation is not installed';
const builds = await loadBoth();
const QUESTIONS = 400;
const toVector = ([x, y, z]) => ({ x, y, z });

/** Moves all tiles of a set (MSET) to one tile place, which is wide enough. */
function stack(set) {
  const view = new DataView(set.buffer, set.byteOffset);
  const [tiles, wide] = [view.getInt32(8, true), 1000];
  view.setFloat32(24, wide, true);
  view.setFloat32(28, wide, true);
  for (let i = 0, at = 40; i < tiles; i++) {
    [0, 0, i].forEach((value, word) => view.setInt32(at + 16 + 4 * word, value, true)); // x, z, layer
    at += 8 + view.getInt32(at + 4, true);
  }
  return set;
}

for (const [scene, tileSize] of [['plaza', 24], ['maze', 24], ['terrain', 40]]) {
  test(`layers of one place: corridors of recast-navigation on ${scene}`, { skip }, (context) => {
    const { navMesh } = builds[0].bake(readScene(scene), { tileSize });
    const set = stack(navMesh.exportDetour());
    navMesh.free();
    const { navMesh: theirs } = peer.importNavMesh(set);
    const [ours, scalar] = builds.map((walkmesh) => walkmesh.loadNavMesh(set));
    const view = new MeshView(theirs, ours);
    const between = view.polygons.flatMap(({ tile, links }) => links.filter(({ target }) => target.tile !== tile));
    assert.ok(ours.tileAt(0, 0, 8) !== 0 && between.length > 60, 'layers are linked');
    assert.equal(ours.totals.links, view.linkCount);
    const query = new peer.NavMeshQuery(theirs, { maxNodes: 65535 });
    const filter = new peer.QueryFilter();
    const random = new Random(5);
    let crossing = 0;
    for (let i = 0; i < QUESTIONS; i++) {
      const [a, b] = [ours.randomPoint({ random }), ours.randomPoint({ random })];
      const ends = [a, b].map(({ polygon }) => view.byOurRef.get(polygon).peerRef);
      const { polys } = query.findPath(...ends, toVector(a.point), toVector(b.point), { filter, maxPathPolys: 4096 });
      const expected = view.toOurRefs(polys.getHeapView());
      polys.destroy();
      for (const mesh of [ours, scalar]) {
        const { polygons } = mesh.findCorridor(a.polygon, a.point, b.polygon, b.point);
        assert.deepEqual(Array.from(polygons), expected, `corridor ${i}`);
      }
      crossing += new Set(expected.map((ref) => view.byOurRef.get(ref).tile)).size > 2 ? 1 : 0;
    }
    context.diagnostic(`${view.tiles.length} layers, ${between.length} links between them, ${crossing} corridors over more than two`);
    assert.ok(crossing > QUESTIONS / 4);
    query.destroy();
    theirs.destroy();
    ours.free();
    scalar.free();
  });
}
