/** Memory of exact shortest paths in a world of many tiles: they store what they have found of tiles, and forget it before it is too much. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../js/index.js';
import { TILE, WORLDS, makeWorld } from '../../bench/long-world.js';

const SIDE = 64;
/** What searches may store, and the memory of a search. Without a limit they need 59 MB here. */
const MOST_BYTES = 28e6;

test('shortest: short paths all over a world of many tiles need no more memory than its limit', async () => {
  const walkmesh = await load();
  const { navMesh, places, tileBytes } = makeWorld(walkmesh, WORLDS['dense town'], SIDE);
  for (const [x, z] of places) navMesh.addTile(tileBytes(x, z));
  const [left, , front] = navMesh.parameters.origin;
  const halfExtents = /** @type {[number, number, number]} */ ([20, 4, 20]);
  const middleOf = ([x, z]) => /** @type {[number, number, number]} */ ([left + (x + 0.5) * TILE, 0, front + (z + 0.5) * TILE]);
  const walkThere = () => {
    let found = 0;
    for (const [x, z] of places) {
      const path = navMesh.findPath(middleOf([x, z]), middleOf([x + 1, z + 1]), { shortest: true, halfExtents, maxNodes: 2000 });
      found += Number(path.status === 'complete');
    }
    return found;
  };
  const before = walkmesh.memory().bytes, found = walkThere();
  assert.ok(found > places.length / 3, `${found} of ${places.length} paths`);
  assert.ok(walkmesh.memory().bytes - before < MOST_BYTES, `${walkmesh.memory().bytes - before} bytes`);
  assert.equal(walkThere(), found);
  assert.ok(walkmesh.memory().bytes - before < MOST_BYTES, `${walkmesh.memory().bytes - before} bytes after the second round`);
  navMesh.free();
});
