/** Makes one level, in a worker of its own: ended, all its memory is given back. */
import { makeBigTerrain } from '../../../tests/scenes/big-terrain.js';
import { finishLevel, readFiles } from './make-level.js';
import { TERRAIN_1KM } from './scenes.js';

/** @typedef {import('./messages.js').LevelAnswer} LevelAnswer */
/** @typedef {import('./messages.js').LevelRequest} LevelRequest */

/** Milliseconds between two words of progress. */
const PAUSE = 50;

const scope = /** @type {any} */ (globalThis);
const post = (/** @type {LevelAnswer} */ answer, /** @type {Transferable[]} */ transfer = []) => scope.postMessage(answer, transfer);

let told = { step: '', at: 0 };

/** @type {import('./make-level.js').Tell} */
function tell(step, share) {
  const now = performance.now();
  if (step === told.step && now - told.at < PAUSE) return;
  told = { step, at: now };
  post({ progress: { step, share } });
}

/** What names the contents of files, whatever they are called. @param {import('./messages.js').LevelFile[]} files */
async function makeKey(files) {
  const all = new Blob(files.map(({ blob }) => blob));
  // Without a secure origin there is no digest: then the names and sizes have to do.
  if (!globalThis.crypto?.subtle) return files.map(({ name, blob }) => `${name}-${blob.size}`).join('-');
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', await all.arrayBuffer()));
  return Array.from(digest.subarray(0, 8), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** @param {LevelRequest} request @param {string[]} warnings */
async function readTriangles(request, warnings) {
  if ('files' in request) return readFiles(request.files, tell, warnings);
  if (request.scene === TERRAIN_1KM) {
    tell('Making', null);
    return makeBigTerrain();
  }
  tell('Loading', null);
  const response = await fetch(request.url);
  if (!response.ok) throw new Error(`${request.scene} cannot be loaded: the server answers ${response.status}.`);
  return readFiles([{ name: `${request.scene}.obj`, blob: await response.blob() }], tell, warnings);
}

/** @param {unknown} error */
function describe(error) {
  if (error instanceof RangeError) return 'There is not enough memory for a level of this size.';
  return error instanceof Error ? error.message : String(error);
}

scope.onmessage = async (/** @type {MessageEvent} */ { data }) => {
  const request = /** @type {LevelRequest} */ (data);
  try {
    /** @type {string[]} */
    const warnings = [];
    const name = 'files' in request ? request.files[0].name : request.scene;
    const level = finishLevel(await readTriangles(request, warnings), name, tell, warnings);
    const key = 'files' in request ? await makeKey(request.files) : undefined;
    const { positions, indices, tree } = level;
    const buffers = [positions.buffer, indices.buffer, ...tree.roots, .../** @type {any} */ (tree).indirectBuffer ? [/** @type {any} */ (tree).indirectBuffer.buffer] : []];
    post({ level, key }, /** @type {Transferable[]} */ (buffers));
  } catch (error) {
    post({ error: describe(error) });
  }
};
