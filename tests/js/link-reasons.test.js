// explainLink at its word: where it names limits, a link leads there once they are raised to what it says.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeRandom } from '../../bench/crowd/random.js';
import { Random, load } from '../../js/index.js';
import { readScene } from './support.js';

const walkmesh = await load();
const LINKS = { drop: { maxHeight: 1 }, jump: { maxDistance: 1.5, maxUp: 0.5, maxDown: 0.6 }, climb: { maxHeight: 0.8 }, vault: { maxHeight: 0.6, maxDepth: 0.3 } };
const CONFIG = { cellSize: 0.2, cellHeight: 0.1, agentRadius: 0.4, agentHeight: 1.8, agentMaxClimb: 0.4, tileSize: 64, links: LINKS };
/** A limit in a sentence: kind, field, and what it must be. */
const LIMIT = /(?:is|goes up|goes down) ([\d.]+)(?: long from mesh to mesh|, too)?: links\.(\w+)\.(\w+) (?:[\d.]+ allows [\d.]+, and ([\d.]+) is needed)?/g;

/** Pairs of a place at a border and ground beyond it. @param {import('../../js/index.js').NavMesh} navMesh @param {number} count */
function askAround(navMesh, count) {
  const random = new Random(4), share = makeRandom(5), asked = [];
  for (let i = 0; i < 40 * count && asked.length < count; i++) {
    const { polygon, point } = navMesh.randomPoint({ random }), { distance, point: border } = navMesh.distanceToWall(polygon, point, 2);
    if (!(distance < 1.2)) continue;
    const angle = Math.atan2(border[2] - point[2], border[0] - point[0]) + 0.6 * (share() - 0.5), away = 1 + 5 * share();
    const beyond = navMesh.nearestPoint([border[0] + away * Math.cos(angle), point[1] + 4 * (share() - 0.5), border[2] + away * Math.sin(angle)], { radius: 1.2 });
    if (beyond) asked.push(/** @type {const} */ ([border, beyond.point]));
  }
  return asked;
}

for (const name of ['stairs', 'tower', 'plaza', 'holes']) {
  test(`why there is no link in ${name}: limits that are raised to what is named let one lead there`, (context) => {
    const { navMesh, linkGenerator } = walkmesh.bake(readScene(name), CONFIG, { keepLinkGenerator: true });
    const asked = askAround(navMesh, 120), answers = asked.map(([from, to]) => linkGenerator.explainLink(from, to));
    let tested = 0, narrow = 0;
    for (const [i, { text }] of answers.entries()) {
      /** @type {any} */
      const links = structuredClone(LINKS), found = [...text.matchAll(LIMIT)];
      for (const [, value, kind, field, needed] of found) links[kind][field] = Number(needed ?? value);
      if (found.length === 0) continue;
      tested++;
      linkGenerator.configure(links);
      const { reason, text: after } = linkGenerator.explainLink(...asked[i]);
      // One position leads there, and its neighbours don't: that is known only once all links are made.
      if (reason === 'too-narrow' || reason === 'thinned') narrow++;
      // Climbs are found from above.
      else if (!text.startsWith('The climb')) assert.equal(reason, null, `${asked[i].join(' to ')}: ${text}; then ${after}`);
    }
    context.diagnostic(`${tested} named limits`);
    assert.ok(tested > 3 && narrow <= Math.max(tested / 4, 1), `${tested} named limits, ${narrow} of them for links that are too narrow`);
    navMesh.free();
  });
}

test('a fence is too high for vaults, whatever lies below the floor', () => {
  const level = {
    positions: [0, 0, 0, 0, 0, 20, 20, 0, 20, 20, 0, 0], indices: [0, 1, 2, 0, 2, 3],
    solids: [{ kind: /** @type {const} */ ('box'), min: [9.9, 0, -1], max: [10.1, 1, 21] }],
  };
  for (const below of [0, 1, 2, 3]) {
    const { navMesh, linkGenerator } = walkmesh.bake(level, {
      ...CONFIG, tileSize: 0, links: { vault: { maxHeight: 0.8, maxDepth: 1 } }, bounds: { min: [0, -below, 0], max: [20, 5, 20] },
    }, { keepLinkGenerator: true });
    assert.match(linkGenerator.explainLink([9, 0, 10], [11, 0, 10]).text, /^The vault goes up 0\.9(01)?: links\.vault\.maxHeight is 0\.8$/, `${below} below`);
    assert.ok(!linkGenerator.generate({ refused: true }).refused.some(({ reason }) => reason === 'walkable-step'));
    navMesh.free();
  }
});
