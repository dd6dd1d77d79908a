// Workers that exit, hang, throw, answer twice or out of order; pools that are freed in the middle; 100 pools made and freed.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { NavError, load } from '../../js/index.js';
import { makeRandom } from '../js/random.js';
import { DEADLY, FaultyWorker, HARMLESS, hangs } from './faulty-worker.js';
import { makeConfig, makeLevel } from './world.js';

const walkmesh = await load({ leakWarnings: false });
/** Workers that run in this process. */
let running = 0;
process.on('worker', (worker) => {
  running++;
  worker.on('exit', () => { running--; });
});

/** Every way to work in a pool: returns the bytes of the mesh. @type {Record<string, (options: any) => Promise<Uint8Array>>} */
const WORK = {
  bakeTiled: async (options) => take(await walkmesh.bakeTiled(makeLevel(), makeConfig(), options)),
  bakeAsync: async (options) => take(await walkmesh.bakeAsync(makeLevel(), { ...makeConfig(), tileSize: undefined }, options)),
  bakeDynamicAsync: async (options) => take(await walkmesh.bakeDynamicAsync(makeLevel(), makeConfig(), options)),
  async rebake(options) {
    const { navMesh } = await walkmesh.bakeTiled(makeLevel(), makeConfig(), { workers: 0 });
    try {
      await walkmesh.rebake(navMesh, { ...makeLevel(), volumes: [] }, options);
      return navMesh.save();
    } finally {
      navMesh.free();
    }
  },
  async updateAsync({ workers, ...options }) {
    const { navMesh, dynamic } = walkmesh.bakeDynamic(makeLevel(), makeConfig());
    try {
      for (const x of [1, 3, 6]) dynamic.addObstacle({ kind: 'box', min: [x, 0, 1], max: [x + 1, 2, 7] });
      await dynamic.updateAsync({ ...options, workers: workers || undefined });
      return navMesh.save();
    } finally {
      navMesh.free();
    }
  },
};

/** @param {{ navMesh: any }} baked */
function take({ navMesh }) {
  const bytes = navMesh.save();
  navMesh.free();
  return bytes;
}

const bytesInUse = () => { walkmesh.trimMemory(); return walkmesh.memory().bytes; };

/** What each work gives in this thread. @type {Map<string, Uint8Array>} */
const expected = new Map();
for (const [name, work] of Object.entries(WORK)) expected.set(name, await work({ workers: 0 }));
const usedAtFirst = bytesInUse();

/** Errors that nobody awaits or catches. @type {unknown[]} */
const strays = [];
process.on('unhandledRejection', (error) => strays.push(error));
after(() => assert.deepEqual(strays, []));

/** Nothing is left in the module, and it works. */
async function checkModule() {
  assert.equal(bytesInUse(), usedAtFirst);
  assert.deepEqual(await WORK.bakeTiled({ workers: 0 }), expected.get('bakeTiled'));
}

/** The error of work, which must be a NavError. @param {Promise<unknown>} work @param {string[]} codes */
async function expectError(work, codes) {
  const error = /** @type {any} */ (await work.then(() => undefined, (reason) => reason));
  assert.ok(error instanceof NavError && codes.includes(error.code), `${error?.stack ?? error}`);
}

/** A pool of two faulty workers. @param {() => import('./faulty-worker.js').Fault} makeFault @param {number} [faulty] how many of its workers have the fault */
function makePool(makeFault, faulty = Infinity) {
  let left = faulty;
  return walkmesh.createWorkerPool({ workers: 2, worker: () => new FaultyWorker(left-- > 0 ? makeFault() : (message) => [message]) });
}

for (const [name, makeFault] of Object.entries(HARMLESS)) {
  test(`attack: a worker that ${name} gives the same mesh`, async () => {
    const pool = makePool(makeFault);
    for (const [way, work] of Object.entries(WORK)) assert.deepEqual(await work({ workers: pool }), expected.get(way), way);
    pool.free();
    await checkModule();
  });
}

for (const [name, makeFault] of Object.entries(DEADLY)) {
  test(`attack: a worker that ${name} is an error of that work, and the next work has another worker`, async () => {
    for (const [way, work] of Object.entries(WORK)) {
      for (const moment of [0, 1]) {
        const pool = makePool(() => makeFault(moment), 2);
        await expectError(work({ workers: pool }), ['worker']);
        pool.free();
      }
      assert.equal(bytesInUse(), usedAtFirst, way);
    }
    await checkModule();
  });
}

test('attack: a worker that hangs is ended by a signal and by a limit of time', async () => {
  for (const moment of [0, 1, 3]) {
    for (const options of [{ signal: AbortSignal.timeout(30) }, { limits: { milliseconds: 30 } }]) {
      const pool = makePool(() => hangs(moment));
      await expectError(WORK.bakeTiled({ workers: pool, ...options }), ['cancelled', 'limit']);
      pool.free();
    }
  }
  await checkModule();
});

test('attack: a pool that is freed at any moment ends its work, and leaves nothing', async () => {
  const random = makeRandom(3);
  for (let i = 0; i < 30; i++) {
    const pool = walkmesh.createWorkerPool({ workers: 2 });
    const [way, work] = Object.entries(WORK)[i % Object.keys(WORK).length];
    const working = work({ workers: pool }).then((bytes) => bytes, (error) => error);
    const moment = random.below(60);
    if (moment > 5) await new Promise((resolve) => { setTimeout(resolve, moment); });
    pool.free();
    const outcome = await working;
    if (outcome instanceof Error) assert.ok(outcome instanceof NavError && outcome.code === 'state', `${way}: ${outcome.stack}`);
    else assert.deepEqual(outcome, expected.get(way));
    assert.equal(bytesInUse(), usedAtFirst, way);
  }
  await checkModule();
});

test('attack: 100 pools are made and freed, and no worker stays', async () => {
  for (let i = 0; i < 100; i++) {
    const pool = walkmesh.createWorkerPool({ workers: 1 + (i % 2) });
    if (i % 3 === 0) await pool.ready();
    if (i % 10 === 1) assert.deepEqual(await WORK.bakeTiled({ workers: pool }), expected.get('bakeTiled'));
    if (i % 5 === 2) pool.ready().catch(() => {});
    pool.free();
    pool.free();
  }
  for (let i = 0; i < 500 && running > 0; i++) await new Promise((resolve) => { setTimeout(resolve, 10); });
  assert.equal(running, 0);
  await checkModule();
});
