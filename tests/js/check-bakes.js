/**
 * Checks every mesh that a test bakes (checkNavMesh): after the bake, and again when it is freed, if it has changed since then by
 * obstacles, streaming, edits or new bakes. A test that imports this file, as support.js does, needs no further call; an unsound
 * mesh fails the test that baked it. Small levels are also compared with their surface.
 *
 * Exempt are meshes larger than MOST_POLYGONS; to limit the time of the suite, meshes beyond a total of polygons per process;
 * meshes of tests that exhaust the memory on purpose; and meshes read from bytes that a test corrupted or wrote itself.
 */
import assert from 'node:assert/strict';
import { appendFileSync } from 'node:fs';
import { NavError, NavMesh, Walkmesh, checkNavMesh } from '../../js/index.js';

/** Polygons of one mesh; of all meshes in a process. */
const MOST_POLYGONS = 4000;
const MOST_IN_ALL = 150000;
/** Levels with more cells are not compared with their surface. */
const MOST_CELLS = 6000;

/** The version of each mesh at its last check. Only meshes from bakes. @type {WeakMap<NavMesh, number>} */
const seen = new WeakMap();
let polygons = 0;
let isOn = true;
/** The numbers of checked and of skipped meshes. */
export const checks = { done: 0, withGround: 0, passedOver: 0 };

/** For tests that measure memory: from now on this process checks nothing. */
export function leaveBakesUnchecked() {
  isOn = false;
}

/** Runs code whose meshes are made from bytes that a test wrote. @template T @param {() => T} make @returns {T} */
export function withoutChecks(make) {
  const wasOn = isOn;
  isOn = false;
  try {
    return make();
  } finally {
    isOn = wasOn;
  }
}

/** @param {NavMesh} navMesh @param {any} [geometry] */
function check(navMesh, geometry) {
  if (!isOn) return;
  try {
    look(navMesh, geometry);
  } catch (error) {
    // `unsupported`: the core module lacks some queries.
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
    // Other meshes were read from files, which tests may have written themselves.
    if (seen.has(this) && !this.isFreed) check(this);
  } finally {
    free.call(this);
  }
};

if (process.env.WALKMESH_CHECK_REPORT) {
  process.on('exit', () => appendFileSync(/** @type {string} */ (process.env.WALKMESH_CHECK_REPORT), `DONE ${process.argv[1]} ${JSON.stringify({ ...checks, polygons })}\n`));
}
