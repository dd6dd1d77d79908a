/** Makes one level in its own worker; ending the worker frees its memory. */
import { makeBigTerrain } from '../../../tests/scenes/big-terrain.js';
import { hashOfTriangles, keyOfFiles } from './hashes.js';
import { applyImport } from './import-settings.js';
import { finishLevel, readFiles } from './make-level.js';
import { TERRAIN_1KM } from './scenes.js';

/** @typedef {import('./messages.js').LevelAnswer} LevelAnswer */
/** @typedef {import('./messages.js').LevelRequest} LevelRequest */

/** Milliseconds between progress messages. */
const PAUSE = 50;

const scope = /** @type {any} */ (globalThis);
const post = (/** @type {LevelAnswer} */ answer, /** @type {Transferable[]} */ transfer = []) => scope.postMessage(answer, transfer);

let reported = { step: '', at: 0 };

/** @type {import('./make-level.js').ReportProgress} */
function report(step, share) {
  const now = performance.now();
  if (step === reported.step && now - reported.at < PAUSE) return;
  reported = { step, at: now };
  post({ progress: { step, share } });
}

/** @param {LevelRequest} request @param {string[]} warnings */
async function readTriangles(request, warnings) {
  if ('files' in request) return readFiles(request.files, report, warnings);
  if (request.scene === TERRAIN_1KM) {
    report('Generating', null);
    return makeBigTerrain();
  }
  report('Loading', null);
  const response = await fetch(request.url);
  if (!response.ok) throw new Error(`Can't load ${request.scene}: the server returned status ${response.status}. Try again later.`);
  return readFiles([{ name: `${request.scene}.obj`, blob: await response.blob() }], report, warnings);
}

/** @param {unknown} error */
function describe(error) {
  if (error instanceof RangeError) return 'Not enough memory for this level. Open a smaller level.';
  return error instanceof Error ? error.message : String(error);
}

scope.onmessage = async (/** @type {MessageEvent} */ { data }) => {
  const request = /** @type {LevelRequest} */ (data);
  try {
    /** @type {string[]} */
    const warnings = [];
    const name = 'files' in request ? request.files[0].name : request.scene;
    const triangles = await readTriangles(request, warnings);
    applyImport(triangles, request.import);
    const level = { ...finishLevel(triangles, name, report, warnings), hash: await hashOfTriangles(triangles) };
    const key = 'files' in request ? await keyOfFiles(request.files) : undefined;
    const { positions, indices, areas, tree } = level;
    const buffers = [positions.buffer, indices.buffer, ...(areas ? [areas.buffer] : []), ...tree.roots, .../** @type {any} */ (tree).indirectBuffer ? [/** @type {any} */ (tree).indirectBuffer.buffer] : []];
    post({ level, key }, /** @type {Transferable[]} */ (buffers));
  } catch (error) {
    post({ error: describe(error) });
  }
};
