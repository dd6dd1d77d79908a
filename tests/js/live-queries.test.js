/**
 * The live comparison of queries with recast-navigation: random scenes, tiled and not, with off-mesh connections and
 * area costs, on the same mesh bytes (tests/js/live/queries.js). `npm run soak -- --queries` compares more scenes.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareQueries } from './live/queries.js';
import { loadPeer } from './live/peer.js';
import { EXCHANGES } from './live/query-scenes.js';
import { OurSide } from './live/query-sides.js';

const skip = (await loadPeer()) === null && 'recast-navigation is not installed';

/** Scenes that once differed, or that show a rare finding. */
const KNOWN_SEEDS = {
  2: 'nodes of the tree lie above the surface (the nearest polygon was another one)',
  43: 'a connection of another tile lands on a polygon inside its tile (the corridor was dearer)',
  295: 'an edge with more than four targets in a tile',
  1036: 'a polygon has a vertex twice, where a hole was joined to its outline (the tile was refused)',
  4033: 'a polygon is met first through an opening that is farther than another (its wall was missed)',
  4078: 'the nearest of two surfaces is not the one asked from (the path in one call starts at another height)',
  4599: 'a polygon without area between two tiles (their ray goes to and fro for ever)',
  20072: 'heights of details beyond their tile (a box around such a place misses the tile)',
  20685: 'a box ends where a tile does (a polygon there touches it)',
};

function checkTally(tally) {
  assert.deepEqual(tally.faults, []);
  assert.ok((tally.statuses.get('trapped') ?? 0) <= tally.compared / 20, 'the peer holds out');
}

test('answers on random scenes equal those of recast-navigation', { skip }, async (t) => {
  const tally = await compareQueries({ firstSeed: 1, count: 90 });
  for (const row of tally.toTable().split('\n')) t.diagnostic(row);
  checkTally(tally);
  assert.ok(tally.compared >= 60);
  const { tiled, connections, costs, exchanges } = tally.scenes;
  assert.ok(tiled >= 20 && connections >= 30 && costs >= 30, 'scenes of all kinds');
  for (const exchange of EXCHANGES) assert.ok(exchanges.get(exchange) >= 10, exchange);
  for (const [kind, findings] of tally.kinds) {
    if (kind === 'polygons in a box') continue; // the peer returns the polygons of whole cells
    const total = [...findings.values()].reduce((sum, count) => sum + count, 0);
    assert.ok((findings.get('equal') ?? 0) >= total * 0.5, `${kind} is mostly equal`);
  }
});

test('answers without SIMD are the same', { skip }, async () => {
  checkTally(await compareQueries({ firstSeed: 1, count: 12, scalar: true }));
});

for (const [seed, title] of Object.entries(KNOWN_SEEDS)) {
  test(`scene ${seed}: ${title}`, { skip }, async () => {
    const tally = await compareQueries({ firstSeed: Number(seed), count: 1 });
    checkTally(tally);
    assert.equal(tally.compared, 1);
  });
}

test('scene 4693: flat triangles that face down are nothing to walk on', { skip }, async () => {
  assert.equal((await compareQueries({ firstSeed: 4693, count: 1 })).statuses.get('empty'), 1);
});

/** Results that are slightly wrong. */
const WRONG = {
  nearest: (found) => ({ ...found, point: found.point.map((value) => value + 0.001) }),
  closest: (found) => ({ ...found, point: found.point.map((value) => value + 0.001) }),
  height: (height) => (height === null ? 0 : height + 1 + Math.abs(height) / 1000),
  corridor: (found) => ({ ...found, cost: found.cost * 1.001 + 0.001 }),
  straighten: (found) => ({ ...found, length: found.length * 1.001 + 0.001 }),
  path: (found) => ({ ...found, points: found.points.map((point) => point.map((value) => value + 0.001)) }),
  raycast: (found) => ({ ...found, t: found.t * 0.99 - 0.01 }),
  move: (found) => ({ ...found, point: found.point.map((value) => value + 0.001) }),
  flood: (found) => new Map([...found].slice(0, -1)),
  wall: (found) => ({ ...found, distance: found.distance * 0.99 }),
  inBox: (found) => [...found, null],
};

for (const [question, spoil] of Object.entries(WRONG)) {
  test(`a wrong answer is found: ${question}`, { skip }, async () => {
    class Spoilt extends OurSide {
      [question](...input) {
        return spoil(super[question](...input));
      }
    }
    const tally = await compareQueries({ firstSeed: 5, count: 1, questions: 5, Ours: Spoilt });
    assert.ok(tally.faults.length > 0);
  });
}
