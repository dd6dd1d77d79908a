/**
 * Has every mesh that a test bakes checked (checkNavMesh): after the bake, and again when it is freed, where it has changed since: by
 * obstacles, streaming, edits, new bakes. Importing this, as support.js does, is all it takes; a mesh that is not sound fails the test
 * that baked it. Small levels are compared with their ground as well.
 *
 * Not looked at: meshes larger than MOST_POLYGONS and, for the time of the suite, those after so many polygons in a process; meshes
 * where memory is about to run out on purpose; what tests read from bytes that they spoilt or made up themselves.
 */
import assert from 'node:assert/strict';
import { appendFileSync } from 'node:fs';
import { NavError, NavMesh, Walkmesh, checkNavMesh } from '../../js/index.js';

/** Of a mesh; of all in a process. */
const MOST_POLYGONS = 4000;
const MOST_IN_ALL = 150000;
/** Levels with more cells are not compared with their ground. */
const MOST_CELLS = 6000;

/** What was found of a mesh when it was last looked at: its version then. Meshes of bakes only. @type {WeakMap<NavMesh, number>} */
const seen = new WeakMap();
let polygons = 0;
let isOn = true;
/** How many were looked at, and passed over. */
export const checks = { done: 0, withGround: 0, passedOver: 0 };

/** For tests that weigh memory: from now on this process checks nothing. */
export function leaveBakesUnchecked() {
  isOn = false;
}

/** @param {NavMesh} navMesh @param {any} [geometry] */
function check(navMesh, geometry) {
  if (!isOn) return;
  try {
    look(navMesh, geometry);
  } catch (error) {
    // `unsupported`: the core has not all questions.
    if (!(error instanceof NavError) || !['out-of-memory', 'unsupported'].includes(error.code)) throw error;
    checks.passedOver++;
  }
}

/** @param {NavMesh} navMesh @param {any} [geometry] */
function look(navMesh, geometry) {
  if (seen.get(navMesh) === navMesh.version) return;
  const { totals, parameters, session } = navMesh;
  if (totals.polygons > MOST_POLYGONS || polygons > MOST_IN_ALL || session.account[3] >= 0) {
    checks.passedOver++;
    return;
  }
  polygons += totals.polygons;
  const [width, depth] = [0, 2].map((axis) => (totals.boundsMax[axis] - totals.boundsMin[axis]) / parameters.cellSize);
  const hasGround = geometry !== undefined && navMesh.config !== null && width * depth <= MOST_CELLS;
  /** @type {import('../../js/index.js').CheckReport | undefined} */
  let report;
  session.withoutLimits(() => { report = checkNavMesh(navMesh, hasGround ? { geometry } : {}); });
  seen.set(navMesh, navMesh.version);
  checks.done++;
  if (hasGround) checks.withGround++;
  tell(navMesh, /** @type {NonNullable<typeof report>} */ (report));
}

/** @param {NavMesh} navMesh @param {import('../../js/index.js').CheckReport} report */
function tell(navMesh, { isSound, counts, findings }) {
  if (isSound) return;
  const text = JSON.stringify({ counts, findings: findings.slice(0, 3), config: navMesh.config });
  if (process.env.WALKMESH_CHECK_REPORT) appendFileSync(process.env.WALKMESH_CHECK_REPORT, `${process.argv[1]} ${text}\n${new Error().stack}\n`);
  else assert.fail(`the mesh is not sound: ${text}`);
}

/** @type {Record<string, any>} */
const walkmesh = Walkmesh.prototype;
for (const name of ['bake', 'bakeDynamic']) {
  const bake = walkmesh[name];
  walkmesh[name] = function (/** @type {any} */ geometry, /** @type {any[]} */ ...rest) {
    const made = bake.call(this, geometry, ...rest);
    check(made.navMesh, geometry);
    return made;
  };
}
for (const name of ['bakeTiled', 'bakeAsync', 'bakeDynamicAsync']) {
  const bake = walkmesh[name];
  walkmesh[name] = async function (/** @type {any} */ geometry, /** @type {any[]} */ ...rest) {
    const made = await bake.call(this, geometry, ...rest);
    check(made.navMesh, geometry);
    return made;
  };
}
{
  const { rebake, loadTileCache } = walkmesh;
  walkmesh.rebake = async function (/** @type {NavMesh} */ navMesh, /** @type {any} */ geometry, /** @type {any[]} */ ...rest) {
    const rebaked = await rebake.call(this, navMesh, geometry, ...rest);
    if (seen.has(navMesh)) check(navMesh, geometry);
    return rebaked;
  };
  walkmesh.loadTileCache = function (/** @type {any[]} */ ...given) {
    const made = loadTileCache.call(this, ...given);
    check(made.navMesh);
    return made;
  };
}

const { free } = NavMesh.prototype;
NavMesh.prototype.free = function () {
  try {
    // Others were read from files, which tests may have made up.
    if (seen.has(this) && !this.isFreed) check(this);
  } finally {
    free.call(this);
  }
};

if (process.env.WALKMESH_CHECK_REPORT) {
  process.on('exit', () => appendFileSync(/** @type {string} */ (process.env.WALKMESH_CHECK_REPORT), `DONE ${process.argv[1]} ${JSON.stringify({ ...checks, polygons })}\n`));
}
