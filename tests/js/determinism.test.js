// A crowd that gets 10,000 steps of all kinds of calls has the same bits natively, in both modules, and for any order of its agents
// in the arrays; so have the results of 10,000 queries, and heights of the level's surface. `npm run determinism` compares all compilers and degrees of
// optimisation, pages, stages, orders of tiles and numbers of workers.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { bakeStageArrays } from '../../js/cli/stage-arrays.js';
import { playCrowdProgram } from './determinism/crowd-player.js';
import { makeCrowdProgram } from './determinism/crowd-program.js';
import { listArrays } from './determinism/matrix.js';
import { LINK_CASES, bakeAndHashLinks } from './determinism/links-case.js';
import { playNatively } from './determinism/native.js';
import { playQueryProgram } from './determinism/query-player.js';
import { makeQueryProgram } from './determinism/query-program.js';
import { SURFACE_CASES } from './determinism/surface-cases.js';
import { ROOT, loadBoth, makeFolder, readScene } from './support.js';

/** A native program of one of the test builds. @param {string} name */
const findProgram = (name) => ['gcc', 'clang-sanitizers'].map((build) => join(ROOT, 'build', `test-${build}`, name)).find(existsSync);
const [player, queryPlayer, stagesNative, linksNative] = ['crowd_player', 'query_player', 'stages_native', 'links_native'].map(findProgram);
const [simd, scalar] = await loadBoth();
const program = await makeCrowdProgram({ agents: 80, steps: 10000, walkmesh: simd });
const plain = playCrowdProgram(simd, program);

/** Fails with the first hash that differs. @param {string[]} hashes */
function assertSame(hashes) {
  assert.equal(hashes.length, plain.length);
  assert.equal(hashes.findIndex((hash, i) => hash !== plain[i]), -1, 'the first hash that differs');
}

test('determinism: 10,000 steps of a crowd are the same bits with and without SIMD, and in another order of storage', () => {
  assert.equal(plain.length, 100);
  assert.equal(new Set(plain).size, 100, 'every hash is another');
  assertSame(playCrowdProgram(scalar, program, { isShuffled: true }));
});

test('determinism: ... and natively', { skip: player ? false : 'no native build: npm test makes it' }, async (context) => {
  const path = join(makeFolder(context), 'crowd.program');
  writeFileSync(path, program);
  assertSame(await playNatively(player, path));
});

test('determinism: a crowd that is saved and loaded every 100 steps is the same bits, and so are its bytes, with and without SIMD', () => {
  const hashes = playCrowdProgram(simd, program, { isSaved: true });
  assertSame(hashes.filter((_, i) => i % 2 === 0));
  assert.deepEqual(playCrowdProgram(scalar, program, { isSaved: true }), hashes);
});

test('determinism: ... and natively, so that each loads what the other saves', { skip: player ? false : 'no native build: npm test makes it' }, async (context) => {
  const path = join(makeFolder(context), 'crowd.program');
  writeFileSync(path, program);
  assert.deepEqual(await playNatively(player, path, { isSaved: true }), playCrowdProgram(simd, program, { isSaved: true }));
});

test('determinism: another program is another crowd', async () => {
  const [one, two] = await Promise.all([1, 2].map((seed) => makeCrowdProgram({ seed, agents: 10, steps: 20, hashEvery: 20, walkmesh: simd })));
  assert.notDeepEqual(playCrowdProgram(simd, one), playCrowdProgram(simd, two));
});

const questions = makeQueryProgram(simd, readScene('plaza'), { tileSize: 48 });
const answers = playQueryProgram(simd, questions);

test('determinism: 10,000 questions have the same answers, bit for bit, with and without SIMD', () => {
  assert.equal(answers.length, 100);
  assert.equal(new Set(answers).size, 100, 'every hash is another');
  assert.deepEqual(playQueryProgram(scalar, questions), answers);
});

test('determinism: ... and natively', { skip: queryPlayer ? false : 'no native build: npm test makes it' }, async (context) => {
  const path = join(makeFolder(context), 'plaza.questions');
  writeFileSync(path, questions);
  assert.deepEqual(await playNatively(queryPlayer, path), answers);
});

/** Lines of all arrays of a bake of the caves. @param {any} walkmesh @param {Record<string, any>} config */
const bakeCaves = (walkmesh, config) => listArrays(bakeStageArrays(walkmesh, { ...readScene('caves'), areaFlags: { 0: 1 } }, config, () => {}).arrays);

for (const { name, config } of SURFACE_CASES) {
  test(`determinism: heights of the level's surface have the same bits with and without SIMD, and natively (${name})`, (context) => {
    const lines = bakeCaves(simd, config);
    assert.deepEqual(bakeCaves(scalar, config), lines);
    assert.notDeepEqual(bakeCaves(simd, { ...config, heights: 'voxels' }), lines);
    if (!stagesNative) return context.skip('no native build: npm test makes it');
    const fields = Object.entries(config).map(([field, value]) => `${field}=${value}`);
    const { status, stdout, stderr } = spawnSync(stagesNative, ['tests/scenes/caves.obj', ...fields], { cwd: ROOT, encoding: 'utf8' });
    assert.equal(status, 0, stderr);
    assert.deepEqual(stdout.trim().split('\n').sort(), lines);
    return undefined;
  });
}

for (const [scene, tileSize] of LINK_CASES) {
  test(`determinism: the links of ${scene} are the same bits with and without SIMD, and natively`, (context) => {
    const [expected, other] = [simd, scalar].map((walkmesh) => bakeAndHashLinks(walkmesh, readScene(scene), tileSize));
    assert.equal(other, expected);
    assert.ok(parseInt(expected, 10) > 0, expected);
    if (!linksNative) {
      context.diagnostic('no native build: npm test makes it');
      return;
    }
    const { status, stdout, stderr } = spawnSync(linksNative, [join(ROOT, 'tests', 'scenes', `${scene}.obj`), String(tileSize)], { encoding: 'utf8' });
    assert.equal(status, 0, stderr);
    assert.equal(stdout.trim(), expected);
  });
}
