/**
 * Heightfield layers as a baker returns them: each image equals recast-navigation's, and, without that package, contains
 * one cell for every walkable span.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bakeStageArrays } from '../../js/cli/stage-arrays.js';
import { readStageArray } from '../../js/bake/read-stage-array.js';
import { PeerBake, loadPeer } from './live/peer.js';
import { DEFAULTS, boundsOf, tileGrid, toVoxels } from './live/voxels.js';
import { loadBoth, makeGround, readScene } from './support.js';

const peer = await loadPeer();
const builds = await loadBoth();

/** Runs a tile's stages up to the marking of areas. */
function bakeMarked(walkmesh, level, config, x = 0, z = 0) {
  const baker = walkmesh.createBaker(level, config);
  baker.beginTile(x, z, { keepStages: true });
  while (baker.step().stage !== 'markAreas');
  return baker;
}

/** The layers that recast-navigation builds of the same tile. */
function peerLayers(level, config, x, z) {
  const all = { ...DEFAULTS, ...config };
  const bounds = boundsOf(level.positions);
  const voxels = toVoxels(all, bounds);
  const bake = new PeerBake(peer, level, all, voxels, tileGrid(all, voxels, bounds, x, z), { x, z, log: false });
  for (const stage of ['slopes', 'rasterize', 'filterLowHanging', 'filterLedges', 'filterLowHeight', 'compact', 'erode', 'markAreas']) {
    bake.run(stage);
  }
  const set = peer.allocHeightfieldLayerSet();
  assert.ok(peer.buildHeightfieldLayers(bake.context, bake.compactField, voxels.borderSize, voxels.walkableHeight, set));
  const layers = Array.from({ length: set.nlayers() }, (_, i) => {
    const layer = set.layers(i);
    const cells = layer.width() * layer.height();
    const image = (read) => Uint8Array.from({ length: cells }, (_, cell) => read(cell));
    return {
      width: layer.width(), depth: layer.height(), heightMin: layer.hmin(), heightMax: layer.hmax(), usedMinX: layer.minx(),
      usedMaxX: layer.maxx(), usedMinZ: layer.miny(), usedMaxZ: layer.maxy(), heights: image((cell) => layer.heights(cell)),
      areas: image((cell) => layer.areas(cell)), connections: image((cell) => layer.cons(cell)),
    };
  });
  peer.freeHeightfieldLayerSet(set);
  bake.free();
  return layers;
}

const CASES = [
  ['tower', { tileSize: 32 }, [[0, 0], [1, 1]]], ['stairs', { tileSize: 48 }, [[0, 0], [1, 0]]],
  ['caves', { tileSize: 48 }, [[1, 1]]], ['holes', { tileSize: 64 }, [[0, 1]]], ['maze', { tileSize: 48 }, [[2, 2]]],
];

for (const [scene, config, tiles] of CASES) {
  test(`heightfield layers of ${scene} are recast-navigation's`, { skip: !peer && 'recast-navigation is not installed' }, () => {
    const level = readScene(scene);
    for (const [x, z] of tiles) {
      const expected = peerLayers(level, config, x, z);
      for (const walkmesh of builds) {
        const baker = bakeMarked(walkmesh, level, config, x, z);
        const { width, depth, layers } = baker.read('heightfieldLayers');
        baker.free();
        const ours = layers.map(({ boundsMin, boundsMax, ...layer }) => {
          assert.ok(boundsMin.every((low, axis) => low <= boundsMax[axis]));
          return { width, depth, ...layer };
        });
        assert.equal(ours.length, expected.length, `${x}, ${z}: layers`);
        ours.forEach((layer, i) => assert.deepEqual(layer, expected[i], `${x}, ${z}: layer ${i}`));
      }
    }
  });
}

test('heightfield layers: every walkable span has a cell, the border has none', () => {
  for (const walkmesh of builds) {
    const baker = bakeMarked(walkmesh, readScene('tower'), { tileSize: 48 });
    const { borderSize } = baker.voxels;
    const side = 48 + 2 * borderSize;
    const [{ cells, floor }, areas] = [baker.read('compact'), baker.read('areas')];
    const { width, depth, layers } = baker.read('heightfieldLayers');
    assert.deepEqual([width, depth], [48, 48]);
    let compared = 0;
    for (let cell = 0; cell < width * depth; cell++) {
      const column = cell % width + borderSize + (Math.floor(cell / width) + borderSize) * side;
      const [first, count] = [cells[2 * column], cells[2 * column + 1]];
      const walkable = Array.from({ length: count }, (_, i) => first + i).filter((span) => areas[span] !== 0);
      const used = layers.filter(({ heights }) => heights[cell] !== 255);
      assert.equal(used.length, walkable.length);
      for (const { heights, heightMin, connections, areas: layerAreas } of used) {
        assert.notEqual(layerAreas[cell], 0);
        if (connections[cell] >> 4) continue; // a portal may be higher than the floor
        assert.ok(walkable.some((span) => floor[span] === heightMin + heights[cell]));
        compared++;
      }
    }
    assert.ok(compared > 1000 && layers.length > 1);
    baker.free();
  }
});

test('heightfield layers: null without a compact heightfield; areas of now; repeated reads are equal', () => {
  const [walkmesh] = builds;
  const baker = walkmesh.createBaker(makeGround(), { agentRadius: 0.6 });
  assert.equal(baker.read('heightfieldLayers'), null);
  baker.beginTile(0, 0, { keepStages: true });
  assert.equal(baker.stage('heightfieldLayers'), null);
  const count = () => baker.read('heightfieldLayers').layers[0].heights.filter((height) => height !== 255).length;
  while (baker.step().stage !== 'compact');
  const before = count();
  while (baker.step().stage !== 'erode');
  assert.ok(count() < before, 'erosion takes cells');
  const eroded = baker.stage('heightfieldLayers');
  while (baker.nextStage !== 'done') baker.step();
  assert.deepEqual(baker.stage('heightfieldLayers'), eroded, 'kept stages');
  const { bytes } = walkmesh.memory();
  for (let i = 0; i < 20; i++) baker.stage('heightfieldLayers');
  assert.equal(walkmesh.memory().bytes, bytes, 'nothing is left behind');
  baker.free();
});

test('heightfield layers: walkmesh stages writes them', () => {
  const arrays = new Map();
  const summary = bakeStageArrays(builds[0], readScene('stairs'), {}, (name, bytes) => arrays.set(name, bytes), { hasLayers: true });
  const { layers } = readStageArray('heightfieldLayers', arrays.get('heightfield_layers'), 0);
  assert.equal(summary.arrays.heightfield_layers.layers, layers.length);
  assert.ok(layers.length > 0);
});
