// The main ground of the level tool without its page: which island it is, where play starts, and which islands a bake joined.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BufferAttribute, BufferGeometry } from 'three';
import { MeshBVH } from 'three-mesh-bvh';
import { load, readTile } from 'walkmesh';
import { NO_JOINS, countJoins, joinWords } from '../../web-demo/src/compare/joins.js';
import { IslandList } from '../../web-demo/src/ground/island-list.js';
import { findMainGround, makeCeilingTest } from '../../web-demo/src/ground/main-ground.js';
import { playStartOf } from '../../web-demo/src/ground/play-start.js';
import { isClosed } from '../../web-demo/src/layers/shell.js';
import { startProblems } from '../../web-demo/src/problems/list-problems.js';
import { YARD, makeClosedYard } from './closed-yard.js';

const walkmesh = await load();
const CONFIG = { cellSize: 0.2, cellHeight: 0.1, agentRadius: 0.4, agentHeight: 1.8, agentMaxClimb: 0.4 };

/** A bake of the closed level with a yard, and what the search for its main ground needs. */
function bakeYard(context, fields = {}) {
  const level = makeClosedYard();
  const { navMesh } = walkmesh.bake(level, { ...CONFIG, ...fields });
  context.after(() => navMesh.free());
  const geometry = new BufferGeometry().setAttribute('position', new BufferAttribute(level.positions, 3)).setIndex(new BufferAttribute(level.indices, 1));
  geometry.computeBoundingBox();
  const tree = new MeshBVH(geometry, { indirect: true });
  return { navMesh, islands: navMesh.islands(), isUnderCeiling: makeCeilingTest(tree, 0.9), isClosed: isClosed(tree, geometry.boundingBox) };
}

function runAll(steps) {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
const at = ({ navMesh, islands }, point) => islands.of(navMesh.nearestPoint(point)?.polygon ?? 0);

test('main ground: in a closed level the yard outside is taken for it, since it is larger than the rooms', (context) => {
  const yard = bakeYard(context);
  const { navMesh, islands, isUnderCeiling } = yard;
  assert.ok(yard.isClosed);
  assert.deepEqual(Object.values(YARD).map((point) => at(yard, point)), [1, 4, 2, 3]);
  const indoors = runAll(findMainGround(navMesh, islands, { start: null, isUnderCeiling }));
  assert.deepEqual({ ...indoors, polygon: islands.of(indoors.polygon) }, { island: 2, polygon: 2, why: 'indoors', isStartLost: false });
  // Joined, the rooms are still the main ground; in an open level it is the largest island.
  const joined = bakeYard(context, { agentMaxClimb: 0.5 });
  assert.equal(joined.islands.count, 2);
  assert.equal(runAll(findMainGround(joined.navMesh, joined.islands, { start: null, isUnderCeiling: joined.isUnderCeiling })).island, at(joined, YARD.chamber));
  assert.deepEqual(runAll(findMainGround(navMesh, islands, { start: null, isUnderCeiling: null })), { island: 1, polygon: 0, why: 'largest', isStartLost: false });
  assert.deepEqual(runAll(findMainGround(navMesh, islands, { start: null, isUnderCeiling: () => false })), { island: 1, polygon: 0, why: 'largest', isStartLost: false });
});

test('main ground: a chosen start is forgotten by the next bake: its island stays the main one while mesh is near, and else the guess counts again', (context) => {
  const find = (fields, start) => {
    const yard = bakeYard(context, fields);
    const main = runAll(findMainGround(yard.navMesh, yard.islands, { start, isUnderCeiling: yard.isUnderCeiling }));
    return { ...main, spot: Object.keys(YARD).find((name) => at(yard, YARD[name]) === main.island) };
  };
  const start = [27.3, 0.5, 10]; // on the terrace, 0.7 m from its edge
  assert.equal(find({}, start).spot, 'terrace');
  assert.equal(find({ agentRadius: 0.9 }, start).spot, 'terrace', 'the mesh ends beside the start');
  const lost = find({ agentRadius: 4.2 }, start);
  assert.deepEqual([lost.spot, lost.why, lost.isStartLost], ['room', 'indoors', true]);
  assert.match(startProblems(lost, start)[0].text, /main ground is the largest ground indoors instead/);
  assert.deepEqual(startProblems(find({}, start), start), []);
});

test('play start: a wrong one in a file is none', () => {
  for (const playStart of [undefined, null, 5, {}, { point: [1, 2] }, { point: [1, NaN, 2] }, { point: 'abc' }]) assert.equal(playStartOf({ places: { playStart } }), null);
  assert.deepEqual(playStartOf({ places: { playStart: { point: [1, 2, 3] } } }), [1, 2, 3]);
});

test('before and after: islands that a change joins go untold, unless the numbers of islands differ', (context) => {
  const before = bakeYard(context);
  const list = new IslandList();
  for (const ref of before.navMesh.tileRefs()) list.add(readTile(before.navMesh.tileBytes(ref)), ref, before.islands, CONFIG.cellSize);
  const points = list.points(500);
  assert.equal(points.size, 4);
  assert.deepEqual(list.points(2), new Map([...points].filter(([number]) => number < 3)));
  assert.equal(countJoins(points, before.navMesh, before.islands), NO_JOINS);
  const after = bakeYard(context, { agentMaxClimb: 0.5 });
  // The yard is the largest island again, and here the main ground.
  const joins = countJoins(points, after.navMesh, after.islands);
  assert.deepEqual(joins, { toMain: 1, others: 2 });
  assert.equal(joinWords(joins), 'Joins 1 island to the main ground, and 2 islands to each other');
  assert.equal(joinWords({ toMain: 0, others: 3 }), 'Joins 3 islands to each other');
  assert.equal(joinWords({ toMain: 2, others: 0 }), 'Joins 2 islands to the main ground');
});
