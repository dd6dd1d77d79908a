// Solids and fillConvex are walkable only where they are flatter than agentMaxSlope, in every kind of bake.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../js/index.js';
import { fillConvex } from '../../js/level/index.js';

const walkmesh = await load();
const GROUND = { positions: [0, 0, 0, 0, 0, 64, 64, 0, 64, 64, 0, 0], indices: [0, 1, 2, 0, 2, 3] };
const CONFIG = { cellSize: 0.2, cellHeight: 0.1, agentRadius: 0.4, agentMaxSlope: 30 };

/** A wedge 4 m wide, as triangles. @param {number} degrees @param {boolean} [isTurned] */
function makeWedge(degrees, isTurned = false) {
  const h = 4 * Math.tan(degrees * Math.PI / 180);
  const positions = [20, 0, 20, 24, 0, 20, 24, 0, 30, 20, 0, 30, 24, h, 20, 24, h, 30];
  const indices = [0, 1, 2, 0, 2, 3, 0, 3, 5, 0, 5, 4, 1, 4, 5, 1, 5, 2, 0, 4, 1, 3, 2, 5];
  return { height: h, positions, indices: isTurned ? [...indices].reverse() : indices };
}

/** @param {ReturnType<typeof makeWedge>} wedge */
const withTriangles = ({ positions, indices }) => ({ positions: [...GROUND.positions, ...positions], indices: [...GROUND.indices, ...indices.map((i) => i + 4)] });

/** True if a path leads up the wedge. */
const leadsUp = (navMesh, height) => navMesh.findPath([2, 0, 25], [23.4, height * 0.85, 25], { halfExtents: [0.3, 0.5, 0.3] }).status === 'complete';

/** @param {any} level @param {object} [config] @param {number} height */
function bakesUp(level, height, config = {}) {
  const { navMesh } = walkmesh.bake(level, { ...CONFIG, ...config });
  const leads = leadsUp(navMesh, height);
  navMesh.free();
  return leads;
}

test('agents do not walk up a roof that is steeper than agentMaxSlope after fillConvex, or as a solid, in tiles of any size', () => {
  for (const degrees of [20, 28, 35, 50, 60]) {
    const wedge = makeWedge(degrees), level = withTriangles(wedge), filled = fillConvex(level);
    assert.equal(filled.solids.length, 1);
    const solids = [false, true].map((isTurned) => {
      const { positions, indices } = makeWedge(degrees, isTurned);
      return { ...GROUND, solids: [{ kind: /** @type {const} */ ('convex'), positions, indices }] };
    });
    for (const config of [{}, { tileSize: 32 }, { tileSize: 48, agentMaxClimb: 0.4 }]) {
      const expected = degrees <= 30;
      for (const each of [filled, ...solids]) assert.equal(bakesUp(each, wedge.height, config), expected, `${degrees} ${JSON.stringify(config)}`);
      if (degrees > 30) assert.equal(bakesUp(level, wedge.height, config), false, 'as triangles');
    }
  }
});

test('spheres are walkable up to agentMaxSlope, level tops of boxes and cylinders at any', () => {
  const at = (solid, [x, y, z], agentMaxSlope) => {
    const { navMesh } = walkmesh.bake({ ...GROUND, solids: [solid] }, { ...CONFIG, agentRadius: 0.2, agentMaxSlope });
    const found = navMesh.nearestPoint([x, y, z], { halfExtents: [0.1, 0.4, 0.1] });
    navMesh.free();
    return found !== null && found.isOver && Math.abs(found.point[1] - y) < 0.4;
  };
  for (const limit of [20, 45]) {
    for (const degrees of [10, 15, 30, 40, 55]) {
      const turn = degrees * Math.PI / 180;
      const on = at({ kind: 'sphere', centre: [32, -2, 32], radius: 8 }, [32 + 8 * Math.sin(turn), -2 + 8 * Math.cos(turn), 32], limit);
      assert.equal(on, degrees < limit, `${degrees} at ${limit}`);
    }
  }
  assert.ok(at({ kind: 'box', min: [30, 0, 30], max: [34, 3, 34] }, [32, 3, 32], 1));
  assert.ok(at({ kind: 'cylinder', base: [32, 0, 32], radius: 2, height: 3 }, [32, 3, 32], 1));
});

test('a change of agentMaxSlope bakes the tiles of solids again, and dynamic meshes have the slopes of bakes', async () => {
  const { positions, indices, height } = makeWedge(35);
  const level = { ...GROUND, solids: [{ kind: /** @type {const} */ ('convex'), positions, indices }] };
  const config = { ...CONFIG, tileSize: 48 };
  const { navMesh } = walkmesh.bake(level, config);
  assert.equal(leadsUp(navMesh, height), false);
  navMesh.free();
  for (const agentMaxSlope of [30, 40]) {
    const { navMesh: changing, dynamic } = walkmesh.bakeDynamic(level, { ...config, agentMaxSlope });
    dynamic.addObstacle({ kind: 'box', min: [40, 0, 40], max: [42, 2, 42] });
    dynamic.addObstacle({ kind: 'box', min: [20, 0, 32], max: [22, 2, 34] });
    dynamic.update();
    assert.equal(leadsUp(changing, height), agentMaxSlope > 35);
    changing.free();
  }
});
