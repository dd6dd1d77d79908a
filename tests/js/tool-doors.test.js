// The level tool's doors without its page: they find the passage near a click, stand across it, and tell what they do.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BufferAttribute, BufferGeometry, DoubleSide, Mesh, MeshBasicMaterial } from 'three';
import { load } from '../../js/index.js';
import { fitDoor } from '../../web-demo/src/edit/door-fit.js';
import { doorEffect, findPassage } from '../../web-demo/src/edit/passages.js';
import { makeBoxes, makeRooms } from './rooms.js';
import { makeGround } from './support.js';

const walkmesh = await load();
const CONFIG = { cellSize: 0.2, cellHeight: 0.1, agentRadius: 0.4, agentHeight: 1.8, agentMaxClimb: 0.4, tileSize: 32 };

/** Bakes a level; returns the mesh, and a three.js mesh for rays. */
function bake(context, level, config = CONFIG) {
  const { navMesh, dynamic } = walkmesh.bakeDynamic(level, config);
  context.after(() => navMesh.free());
  const geometry = new BufferGeometry().setAttribute('position', new BufferAttribute(level.positions, 3));
  geometry.setIndex(new BufferAttribute(level.indices, 1));
  const mesh = new Mesh(geometry, new MeshBasicMaterial({ side: DoubleSide }));
  mesh.updateMatrixWorld();
  return { navMesh, dynamic, mesh };
}

/** The door that a click at a point places. */
function place({ navMesh, mesh }, point) {
  const passage = findPassage(navMesh, point);
  return passage && fitDoor(mesh, passage.centre, CONFIG, passage);
}

test('tool: a click on the top of a wall, or on its blank side, places the door in the passage beside it', (context) => {
  const baked = bake(context, makeRooms([[4, 5.6]]));
  for (const point of [[10.2, 3, 3.2], [10, 1.5, 3.5], [10.4, 1, 6.5], [8.6, 0, 4.4], [10.2, 0, 4.8], [11.9, 0, 5.6]]) {
    const door = place(baked, point);
    assert.equal(door?.kind, 'box', `${point}`);
    const { min, max } = door;
    assert.ok(Math.abs(min[2] - 3.9) < 0.05 && Math.abs(max[2] - 5.7) < 0.05, `${point}: as wide as the passage: ${min} ${max}`);
    assert.ok(min[0] < 10.4 && max[0] > 10, `${point}: in the wall: ${min} ${max}`);
    assert.ok(max[0] - min[0] < 1 && min[1] < 0.1 && max[1] > 1.5, `${point}: ${min} ${max}`);
  }
});

test('tool: a click on a roof places the door in the passage below it; a passage on the floor of the click comes first', (context) => {
  /** A house at x 4 to 12 and z 3 to 9 with a door of 1.2 m in its wall at z 9; beside it the yard is 4 m wide. @type {[number[], number[]][]} */
  const house = [[[0, -0.5, 0], [20, 0, 14]], [[4, 0, 3], [12, 3, 3.2]], [[4, 0, 3], [4.2, 3, 9]], [[11.8, 0, 3], [12, 3, 9]], [[4, 0, 8.8], [5.5, 3, 9]], [[6.7, 0, 8.8], [12, 3, 9]]];
  const roof = /** @type {[number[], number[]]} */ ([[4, 3, 3], [12, 3.2, 9]]);
  const baked = bake(context, makeBoxes([...house, roof]));
  for (const point of [[6.1, 3.2, 8.9], [6, 3.2, 8.2], [7, 3.2, 8.6], [6.1, 0, 8.9]]) {
    const door = place(baked, point);
    assert.ok(door?.kind === 'box' && Math.abs(door.min[0] - 5.4) < 0.05 && Math.abs(door.max[0] - 6.8) < 0.05 && door.min[2] < 9 && door.max[2] > 8.8 && door.min[1] < 0.1, `${point}: ${JSON.stringify(door)}`);
  }
  // Two walls on the roof leave 2 m, over the door of 1.2 m.
  const upstairs = bake(context, makeBoxes([...house, roof, [[4, 3.2, 8.2], [5.1, 6, 8.4]], [[7.1, 3.2, 8.2], [12, 6, 8.4]]]));
  const door = place(upstairs, [6.1, 3.2, 8]);
  assert.ok(door.min[1] > 2.5 && Math.abs(door.min[0] - 5) < 0.05 && Math.abs(door.max[0] - 7.2) < 0.05, JSON.stringify(door));
});

test('tool: in a passage hardly wider than the agent, whose mesh has slanted ends, a door stands straight between the walls', (context) => {
  const baked = bake(context, makeRooms([[4, 5.6]]), { ...CONFIG, agentRadius: 0.6, tileSize: 48 });
  for (const point of [[10.2, 3.75, 7], [9.4, 0, 4.2], [11.2, 0, 5.4], [10.2, 0, 4.8]]) {
    const door = place(baked, point);
    assert.equal(door?.kind, 'box', `${point}: ${JSON.stringify(door)}`);
    assert.ok(Math.abs(door.min[2] - 3.9) < 0.05 && Math.abs(door.max[2] - 5.7) < 0.05, `${point}: ${door.min} ${door.max}`);
  }
});

test('tool: a door stands across a passage that is not along an axis', (context) => {
  // Two walls along a diagonal, 1.7 apart at their ends.
  const angle = Math.PI / 6, [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const turned = ([x, y, z]) => [15 + cos * x + sin * z, y, 15 - sin * x + cos * z];
  const walls = makeBoxes([[[-9, 0, -0.2], [-0.85, 3, 0.2]], [[0.85, 0, -0.2], [9, 3, 0.2]]]);
  for (let i = 0; i < walls.positions.length; i += 3) walls.positions.set(turned(walls.positions.subarray(i, i + 3)), i);
  const ground = makeGround(30);
  const level = {
    positions: Float32Array.from([...ground.positions, ...walls.positions]),
    indices: Uint32Array.from([...ground.indices, ...Array.from(walls.indices, (index) => index + ground.positions.length / 3)]),
  };
  const baked = bake(context, level);
  const door = place(baked, turned([0.3, 0, 1]));
  assert.equal(door?.kind, 'rotatedBox');
  const { centre, halfExtents, yaw } = door;
  const turn = Math.abs(yaw - angle) % Math.PI;
  assert.ok(Math.min(turn, Math.PI - turn) < 0.1, `${yaw}`);
  assert.ok(Math.hypot(centre[0] - 15, centre[2] - 15) < 0.6, `${centre}`);
  assert.ok(Math.abs(halfExtents[0] - 0.95) < 0.12, `${halfExtents}`);
});

test('tool: in the open there is no passage, nor in a corner or before a wall', (context) => {
  const baked = bake(context, makeRooms([[4, 5.6]]));
  for (const point of [[3, 0, 5], [0.8, 0, 0.8], [1, 0, 9.5]]) assert.equal(findPassage(baked.navMesh, point, { reach: 1 }), null, `${point}`);
});

test('tool: a door that closes nothing, or that agents walk around, says so', (context) => {
  const { navMesh, dynamic } = bake(context, makeRooms([[4, 5.6]]));
  const AREA = 7;
  const effect = (min, max) => {
    const handle = dynamic.addObstacle({ kind: 'box', min, max, area: AREA });
    while (dynamic.dirtyTiles > 0) dynamic.update();
    const switches = navMesh.createSwitches();
    const grow = (corner, by) => corner.map((value) => value + by);
    const number = switches.add({ volume: { kind: 'box', min: grow(min, -0.5), max: grow(max, 0.5) }, area: AREA, clearFlags: 0xffff });
    const found = doorEffect(navMesh, { kind: 'box', min, max }, switches.polygons(number), AREA);
    switches.remove(number);
    dynamic.removeObstacle(handle);
    while (dynamic.dirtyTiles > 0) dynamic.update();
    return found;
  };
  assert.equal(effect([9.9, -0.3, 3.9], [10.5, 1.8, 5.7]), 'closes');
  assert.equal(effect([10, 2.9, 1], [10.4, 4.5, 3]), 'nothing', 'on top of a wall');
  assert.equal(effect([4.7, -0.3, 4], [5.3, 1.8, 6]), 'around', 'in the middle of a room');
});
