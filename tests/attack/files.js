/** Changed files: each is read and used in a module with a memory limit; the file lies among bytes of others. */
import { NavError, load } from '../../js/index.js';
import { makeRandom } from '../js/random.js';
import { describe } from './case.js';
import { BytesOfOthers, surround } from './foreign.js';
import { FORMATS } from './formats.js';
import { pick } from './mutate.js';
import { runCases } from './watch.js';
import { makeConfig, makeFiles, makeLevel } from './world.js';

export { describe };

/** Bytes that a module may use: files of a few kilobytes must do with it. */
const MEMORY_LIMIT = 128 << 20;
/** @param {{ formats: string[], seed: number }} options @param {number} index */
const nameCase = ({ formats, seed }, index) => `${formats[index % formats.length]}: seed ${seed}, case ${Math.floor(index / formats.length)}`;

/**
 * Cases take the formats in turn.
 * @param {{ formats: string[], seed: number, longest?: number }} options longest: seconds that a file may take
 * @returns {Promise<import('./thread.js').Runner>}
 */
export async function openRunner({ formats, seed, longest = Infinity }) {
  const open = () => load({ leakWarnings: false, memoryLimit: MEMORY_LIMIT });
  const outside = await load({ leakWarnings: false });
  makeFiles(outside);
  /** @type {Map<string, any[]>} */
  const seeds = new Map();
  for (const name of formats) seeds.set(name, await FORMATS[name].seeds(outside));
  let walkmesh = /** @type {any} */ (await open());
  const bytesInUse = () => { walkmesh.trimMemory(); return walkmesh.memory().bytes; };
  const bake = () => {
    const { navMesh } = walkmesh.bake(makeLevel(), makeConfig());
    const hash = walkmesh.hash(navMesh.save());
    navMesh.free();
    return hash;
  };
  const good = bake(), before = bytesInUse();
  let problem = '';

  /** @param {string} name @param {number} number of the case of this format @returns {Promise<[symptom: string, message: string] | undefined>} */
  const attack = async (name, number) => {
    const format = FORMATS[name];
    const random = makeRandom(Math.imul(Math.imul(seed + 1, 0x9e3779b1) ^ (number + 1), 0x85ebca6b));
    const file = format.mutate(random, pick(random, /** @type {any[]} */ (seeds.get(name))));
    const start = performance.now();
    try {
      await format.read(walkmesh, file?.bytes ? { ...file, bytes: surround(file.bytes) } : surround(file), random);
    } catch (error) {
      if (error instanceof BytesOfOthers) return ['bytes of others are read', error.message];
      if (!(error instanceof NavError) || error.code === 'internal') return ['wrong error', describe(error)];
    }
    const seconds = (performance.now() - start) / 1000;
    if (seconds > longest) return ['slow', `${seconds.toFixed(1)} s`];
    if (bake() !== good) return ['the next bake differs', ''];
    if (bytesInUse() !== before) return ['memory is left', `${bytesInUse() - before} bytes`];
    return undefined;
  };
  return {
    async run(index) {
      const name = formats[index % formats.length], number = Math.floor(index / formats.length);
      problem = nameCase({ formats, seed }, index);
      const found = await attack(name, number).catch((error) => /** @type {[string, string]} */ (['the module is broken', describe(error)]));
      if (!found) return undefined;
      walkmesh = await open();
      bake();
      return { id: problem, symptom: found[0], message: found[1] };
    },
    id: () => problem,
    isAllowed: () => false,
    close: () => {},
  };
}

/** @param {{ formats: string[], seed: number, from?: number, count: number, longest?: number, onProgress?: (done: number, failures: number) => void }} options */
export const attackFiles = ({ from, count, onProgress, ...options }) => runCases({ module: new URL(import.meta.url), options,
  idOf: (index) => nameCase(options, index), from, count, onProgress });
