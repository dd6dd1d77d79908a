/** The oracles of generated links are tested themselves: they accept links made by hand on a small level, and find planted errors. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../js/index.js';
import { MeshGround } from './links/ground.js';
import { compareMeshes } from './links/incremental.js';
import { PLATFORMS, makeLink } from './links/levels.js';
import { judgeLink } from './links/precision.js';
import { findLandings, listBorderPoints, measureRecall } from './links/recall.js';
import { LINKS, linkConfig } from './links/scenes.js';
import { SolidColumns } from './links/solid-columns.js';
import { canStep } from './links/stepping.js';
import { trajectoryAt, traceFeet } from './links/trajectories.js';
import { TriangleGrid } from './links/triangle-grid.js';

const walkmesh = await load();
const agent = linkConfig();
const { navMesh } = walkmesh.bake(PLATFORMS, agent);
const ground = new MeshGround(navMesh, 0.6);
const judged = { triangles: new TriangleGrid(PLATFORMS, 1.2), ground, agent, limits: LINKS };
const world = { columns: new SolidColumns(walkmesh, PLATFORMS, agent), ground, agent, limits: LINKS };

/** The borders are two cells from the edges of platforms, two or three from walls. */
const GOOD = {
  jump: makeLink(ground, 'jump', [11.4, 1.6], [14.4, 1.6], [3, 11], 0.9),
  drop: makeLink(ground, 'drop', [4.8, 1.6], [3, 0], [3, 17]),
  climb: makeLink(ground, 'climb', [24.9, 0], [23.4, 1.6], [3, 17]),
  vault: makeLink(ground, 'vault', [32.1, 0], [34.2, 0], [2, 18], 1.2),
};

/** A link moved by x, y, z, at both ends or one. */
const moved = (link, by, ends = ['start', 'end']) => ({ ...link,
  ...Object.fromEntries(ends.map((end) => [end, link[end].map((point) => point.map((value, axis) => value + by[axis]))])) });

const faultsOf = (link) => [...new Set(judgeLink(link, 0, judged).map(({ what }) => what))];

for (const [kind, link] of Object.entries(GOOD)) test(`precision: a good ${kind} has no fault`, () => assert.deepEqual(judgeLink(link, 0, judged), []));

test('precision: planted errors are found', () => {
  const cell = agent.cellSize;
  /** @type {[string, any, string][]} */
  const bad = [
    ['into the wall by 1.5 cells', moved(GOOD.climb, [-2.5 * cell, 0, 0], ['start']), 'body touches the level'],
    ['a drop that grazes its ledge', moved(GOOD.drop, [2.5 * cell, 0, 0], ['end']), 'body touches the level'],
    ['through a low beam', makeLink(ground, 'jump', [11.4, 1.6], [14.4, 1.6], [9, 15], 0.9), 'body touches the level'],
    ['the beam over one side only', makeLink(ground, 'jump', [11.4, 1.6], [14.4, 1.6], [3, 12.5], 0.9), 'body touches the level'],
    ['too low over the fence', { ...GOOD.vault, peak: 0.6 }, 'body touches the level'],
    ['off the mesh', moved(GOOD.jump, [-1, 0, 0], ['end']), 'end off the mesh'],
    ['off the mesh at the start', moved(GOOD.jump, [0.5 * cell, 0, 0], ['start']), 'start off the mesh'],
    ['in the air', moved(GOOD.jump, [0, 0.5, 0], ['end']), 'height of the end'],
    ['sides of different lengths', { ...GOOD.jump, end: [GOOD.jump.end[0], GOOD.jump.end[0].map((value, axis) => value + (axis === 2 ? 1 : 0))] },
      'segments of different lengths'],
    ['left and right changed', { ...GOOD.jump, start: [...GOOD.jump.start].reverse(), end: [...GOOD.jump.end].reverse() }, 'left and right are swapped'],
    ['too far', makeLink(ground, 'jump', [10.2, 1.6], [14.4, 1.6], [3, 11], 0.9), 'distance of a jump'],
    ['too steep', { ...GOOD.jump, peak: 1.5 }, 'peak of a jump'],
    ['too steep up', { ...moved(GOOD.jump, [0, -0.6, 0], ['start']) }, 'rise of a jump'],
    ['too small a drop', { ...GOOD.jump, kind: 'drop', peak: 0 }, 'height of a drop'],
    ['NaN', { ...GOOD.jump, peak: NaN }, 'number'],
  ];
  for (const [name, link, what] of bad) assert.ok(faultsOf(link).includes(what), `${name}: ${faultsOf(link)}`);
});

test('precision: the kinds are those of the limits', () => {
  const only = { ...judged, limits: { jump: LINKS.jump } };
  assert.deepEqual(judgeLink(GOOD.jump, 0, only), []);
  assert.equal(judgeLink(GOOD.climb, 0, only)[0].what, 'kind is off');
});

test('trajectories: a jump rises to its peak and obeys gravity', () => {
  const feet = traceFeet({ kind: 'jump', start: [0, 0, 0], end: [4, -1.5, 0], peak: 0.5 }, 0.01);
  assert.ok(Math.abs(Math.max(...feet.map(({ high }) => high)) - 0.5) < 1e-4);
  assert.deepEqual([feet[0], feet.at(-1)], [{ x: 0, z: 0, low: 0, high: 0 }, { x: 4, z: 0, low: -1.5, high: -1.5 }]);
  const [a, b, c] = [100, 101, 102].map((i) => feet[i]), [p, q, r] = [200, 201, 202].map((i) => feet[i]);
  assert.ok(Math.abs(a.low - 2 * b.low + c.low - (p.low - 2 * q.low + r.low)) < 1e-9);
  assert.equal(trajectoryAt(GOOD.vault, 0.5).start[2], 10);
});

/** Border points of a stretch of x and z whose normal points along x. */
const bordersAt = (x, [low, high], nx) => listBorderPoints(world).filter(({ point, normal }) => Math.abs(point[0] - x) < 0.2
  && Math.abs(point[1] - (x > 3 && x < 24 ? 1.7 : 0.1)) < 0.3 && point[2] > low && point[2] < high && normal[0] * nx > 0.9);

test('recall: the oracle finds the jump, the drop, the climb and the vault of the level', () => {
  const found = (x, range, nx, kind) => bordersAt(x, range, nx).map((border) => findLandings(world, border)[kind].length > 0);
  for (const [x, range, nx, kind] of /** @type {any[]} */ ([[11.4, [4, 11], 1, 'jump'], [4.8, [4, 17], -1, 'drop'], [23.4, [4, 17], 1, 'climb'], [32.4, [3, 17], 1, 'vault']])) {
    const all = found(x, range, nx, kind);
    assert.ok(all.length > 20 && all.every(Boolean), `${kind}: ${all}`);
  }
  assert.ok(!found(11.4, [12, 14], 1, 'jump').some(Boolean), 'under the beam');
  assert.ok(!found(0.9, [3, 17], -1, 'jump').some(Boolean), 'nothing to jump to');
});

test('recall: a link that was removed is missed', () => {
  const of = (links) => measureRecall(links, links, world, { points: 400 });
  const all = of(Object.values(GOOD));
  assert.ok(Object.values(all).every(({ matched }) => matched > 5));
  for (const kind of Object.keys(GOOD)) {
    const without = of(Object.values(GOOD).filter((link) => link.kind !== kind))[kind];
    assert.equal(without.found, all[kind].found);
    assert.deepEqual([without.matched, without.explained], [0, 0]);
    assert.ok(without.missed.length > all[kind].missed.length);
  }
});

test('recall: a drop explains a jump down beside it, and no jump both ways', () => {
  const drop = GOOD.drop, of = (jump) => {
    const { jump: found } = measureRecall([drop], [drop, jump], { ...world, limits: { jump: LINKS.jump } }, { points: 1200 });
    return found.explained;
  };
  const jump = { ...drop, kind: /** @type {const} */ ('jump'), peak: 0.5, bidirectional: false };
  assert.ok(of(jump) > 5);
  assert.equal(of({ ...jump, bidirectional: true }), 0);
  assert.equal(of(moved(jump, [-1.5, 0, 0], ['end'])), 0);
});

test('recall: a narrow link beside a wide one is thinned, a link elsewhere is missed', () => {
  const jump = (low, high, x = 11.4) => makeLink(ground, 'jump', [x, 1.6], [x + 3, 1.6], [low, high], 0.9);
  const [wide, narrow] = [jump(3, 6), jump(6.2, 6.6)];
  const of = (links, unthinned) => measureRecall(links, unthinned, { ...world, limits: { jump: LINKS.jump } }, { points: 1200 }).jump;
  const [before, thinned, without] = [of([wide, narrow], []), of([wide], [wide, narrow]), of([wide], [wide])];
  assert.ok(before.matched > thinned.matched && without.missed.length > 0);
  assert.equal(thinned.explained, before.matched - thinned.matched);
  assert.equal(without.explained, 0);
  assert.equal(of([wide], [wide, jump(7, 11)]).explained, 0);
});

/**
 * A floor along x from -5 to 5, of the given height and room at each place, whose mesh has a hole.
 * @param {{ hole: [number, number], floorAt?: (x: number) => number, ceilingAt?: (x: number) => number }} level
 */
function makeHole({ hole: [low, high], floorAt = () => 0, ceilingAt = () => Infinity }) {
  const someOfCell = (x, z, visit) => visit(floorAt(x) - 1, floorAt(x)) || (ceilingAt(x) < Infinity && visit(ceilingAt(x), 10));
  const heightsAt = (x) => (x > low && x < high ? [] : [floorAt(x)]);
  return /** @type {any} */ ({ columns: { someOfCell }, ground: { heightsAt }, agent });
}

test('steps: agents step over a narrow hole of the mesh where the floor goes on', () => {
  const { agentRadius, agentMaxClimb, agentHeight } = agent, across = (level, end = 0) => canStep(makeHole(level), [-2, 0, 0], [2, end, 0]);
  /** @type {[number, number]} */
  const narrow = [-0.9 * agentRadius, 0.9 * agentRadius];
  assert.ok(across({ hole: narrow }));
  assert.ok(!across({ hole: [-1.1 * agentRadius, 1.1 * agentRadius] }), 'two radii');
  const stepOf = (height) => across({ hole: narrow, floorAt: (x) => (x < 0 ? 0 : height) }, height);
  assert.ok(stepOf(0.9 * agentMaxClimb) && stepOf(-0.9 * agentMaxClimb));
  assert.ok(!stepOf(1.1 * agentMaxClimb) && !stepOf(-1.1 * agentMaxClimb), 'a ledge');
  const under = (height) => across({ hole: narrow, ceilingAt: (x) => (Math.abs(x) < 0.5 ? height : Infinity) });
  assert.ok(under(agentHeight) && !under(0.9 * agentHeight), 'a beam');
  assert.ok(!across({ hole: narrow }, 2 * agentMaxClimb), 'the end lies above');
});

test('edits: links that differ in one number are found', () => {
  const bake = (/** @type {any} */ links) => walkmesh.bake(PLATFORMS, { ...agent, links }).navMesh;
  const meshes = [{ drop: { maxHeight: 4 } }, { drop: { maxHeight: 4 } }, { drop: { maxHeight: 4, costFactor: 1.5 } }, { climb: { maxHeight: 2 } }].map(bake);
  const [first, same, dearer, others] = meshes;
  const { links, difference } = compareMeshes(same, first);
  assert.ok(links > 0 && difference === undefined);
  assert.match(String(compareMeshes(dearer, first).difference), /^costs of/);
  assert.ok(compareMeshes(others, first).difference);
  for (const mesh of meshes) mesh.free();
});
