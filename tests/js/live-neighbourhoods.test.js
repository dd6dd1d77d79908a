/**
 * The live comparison of local neighbourhoods with recast-navigation (tests/js/live/neighbourhoods.js): polygon for polygon, in
 * order, on scenes of the repository, on the same ones far from the origin, where polygons that touch are rounded into each other,
 * and on levels of real games where they are at hand.
 */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { load } from '../../js/index.js';
import { compareNeighbourhoods } from './live/neighbourhoods.js';
import { loadPeer } from './live/peer.js';
import { ROOT, readObj, readScene } from './support.js';

const peer = await loadPeer();
const skip = peer === null && 'recast-navigation is not installed';
const walkmesh = await load();

/** @param {{ positions: Float32Array, indices: Uint32Array }} level @param {number} distance */
const shift = ({ positions, indices }, distance) => ({ indices, positions: positions.map((value, i) => (i % 3 === 1 ? value : value + distance)) });

/** @returns {ReturnType<typeof compareNeighbourhoods>} */
function compare(level, config, options) {
  const { navMesh } = walkmesh.bake(level, { cellSize: 0.25, agentRadius: 0.5, ...config });
  try {
    return compareNeighbourhoods(peer, navMesh, options);
  } finally {
    navMesh.free();
  }
}

const SCENES = ['city', 'caves', 'islands', 'tower'];
for (const [i, name] of SCENES.entries()) {
  for (const tileSize of [0, 48]) {
    for (const distance of [0, 300, 5000]) {
      test(`${name}, tileSize ${tileSize}, ${distance} from the origin`, { skip }, (t) => {
        const { compared, cut, faults } = compare(shift(readScene(name), distance), { tileSize }, { seed: i + distance, questions: 500 });
        t.diagnostic(`${compared} compared, ${cut} of the largest size`);
        assert.deepEqual(faults, []);
        assert.ok(compared >= 500 && (cut > 0 || distance > 0));
      });
    }
  }
}

const GAMES = join(ROOT, '..', 'shared', 'scenes', 'game');
for (const name of ['oa_thor', 'nx_desertfactory']) {
  const path = join(GAMES, `${name}.obj`);
  test(`game level ${name}`, { skip: skip || (!existsSync(path) && `${name}.obj is not at hand`) }, () => {
    const { compared, faults } = compare(readObj(path), { cellSize: 0.2, agentRadius: 0.4 }, { seed: 7, questions: 5000 });
    assert.deepEqual(faults, []);
    assert.ok(compared >= 5000);
  });
}

test('a polygon too many is found', { skip }, () => {
  const { navMesh } = walkmesh.bake(readScene('islands'), { cellSize: 0.25, agentRadius: 0.5 });
  const { localNeighbourhood } = navMesh;
  navMesh.localNeighbourhood = function wider(ref, centre, radius, options) {
    return localNeighbourhood.call(this, ref, centre, radius + 1, options);
  };
  assert.ok(compareNeighbourhoods(peer, navMesh, { seed: 1, questions: 100 }).faults.length > 0);
  navMesh.free();
});
