/**
 * Stand-ins for the files of this package that its JavaScript fetches: the module and the worker script. A bundler may move the
 * JavaScript away from them (Vite 5 to 7 do in development, esbuild and Rollup always). Entries that contain the files, or can
 * import them as JavaScript, provide stand-ins.
 */

/**
 * @typedef {object} StandIns
 * @property {(simd: boolean) => Promise<Uint8Array<ArrayBuffer>>} [module] the bytes of walkmesh.wasm or walkmesh-scalar.wasm
 * @property {() => Promise<string>} [worker] the text of the worker script
 */

/** @type {StandIns} */
const standIns = {};
let isMoved = false;

/**
 * @param {StandIns} provided
 * @param {boolean} moved true if the addresses of the files are known to be wrong: the stand-ins are tried first
 */
export function provideStandIns(provided, moved) {
  Object.assign(standIns, provided);
  isMoved ||= moved;
}

/**
 * Calls what fetches a file and what makes its stand-in, the likelier one first, until one succeeds.
 * @template T @param {() => Promise<T>} fetchFile @param {(() => Promise<T>) | undefined} useStandIn undefined: there is none
 * @param {(error: unknown) => boolean} isMissing true if an error means that the file cannot be fetched
 * @returns {Promise<T>} rejects with the error of fetchFile
 */
export async function fetchOrStandIn(fetchFile, useStandIn, isMissing) {
  if (!useStandIn) return fetchFile();
  if (isMoved) return useStandIn().catch(() => fetchFile());
  try {
    return await fetchFile();
  } catch (error) {
    if (!isMissing(error)) throw error;
    return useStandIn().catch(() => { throw error; });
  }
}

/** The stand-ins of this page. @returns {Readonly<StandIns>} */
export const getStandIns = () => standIns;
