/** What load() and the class Walkmesh of all entries share: options, the module's instance behind an object, and its memory. */
import { requireBoolean, requireOptions } from './arguments.js';
import { NavError } from './errors.js';
import { WALKMESH } from './handle-kinds.js';
import { countCall, requireMaker, wrongHandle } from './handle.js';
import { LOAD_NAMES } from './instantiate.js';
import { Session, requireMemoryLimit } from './session.js';

/** @typedef {import('./instantiate.js').LoadOptions} LoadOptions */

/**
 * The instance behind a Walkmesh; workers get `module` and `memoryLimit`.
 * @typedef {{ session: Session, module: WebAssembly.Module, memoryLimit?: number }} Owner
 */

/** @type {WeakMap<object, Owner>} */
const owners = new WeakMap();

/** The instance that a method is called on; counts the call. @param {Instance} self @returns {Owner} */
export function ownerOf(self) {
  const owner = owners.get(self);
  if (!owner) throw wrongHandle(WALKMESH);
  countCall(owner.session);
  return owner;
}

/** An instance of a module, with its own memory. */
export class Instance {
  /** Use load(). @internal @param {Owner} owner @param {boolean} simd */
  constructor(owner, simd) {
    requireMaker(owner?.session, WALKMESH);
    owners.set(this, owner);
    /** True for the SIMD build. Both builds give the same results, to the bit. */
    this.simd = simd;
  }

  /** Memory of this instance: bytes in use, their peak, and the size of the module's memory. */
  memory() {
    return ownerOf(this).session.memory();
  }

  /** Frees memory that is kept for reuse. */
  trimMemory() {
    ownerOf(this).session.trim();
  }
}

/**
 * Gives the promise that load() returns the methods of what it resolves to: they throw, and say what was forgotten.
 * @template {Instance} T @param {Promise<T>} promise @param {{ prototype: T }} maker
 * @returns {Promise<T>}
 */
export function guardLoad(promise, { prototype }) {
  for (let owner = prototype; owner !== Object.prototype; owner = Object.getPrototypeOf(owner)) {
    for (const name of Object.getOwnPropertyNames(owner)) {
      if (name === 'constructor') continue;
      Object.defineProperty(promise, name, {
        configurable: true,
        value: () => {
          throw new NavError('state', `${name} was called on the promise that load() returns: await it first`);
        },
      });
    }
  }
  return promise;
}

/* ---- The options of load() ---- */

/** True if NODE_ENV is `production`. */
function isProduction() {
  try {
    return process.env.NODE_ENV === 'production'; // bundlers replace it by a string
  } catch {
    return false; // a page without a bundler has no `process`
  }
}

/**
 * @param {LoadOptions} options
 * @returns {import('./handle.js').LeakOptions}
 */
function readLeakOptions({ leakWarnings = !isProduction(), trackAllocations = false }) {
  const warned = requireBoolean(leakWarnings, 'leakWarnings') ? new Set() : undefined;
  return { warned, trackAllocations: requireBoolean(trackAllocations, 'trackAllocations') };
}

/**
 * Checks the options of load() and makes what a Walkmesh stands on.
 * @param {LoadOptions} options
 * @param {(options: LoadOptions) => Promise<{ wasm: import('./instantiate.js').WasmExports, simd: boolean, module: WebAssembly.Module }>} instantiate
 * @returns {Promise<{ owner: Owner, simd: boolean }>}
 */
export async function makeOwner(options, instantiate) {
  const memoryLimit = requireMemoryLimit(requireOptions(options, LOAD_NAMES).memoryLimit);
  const leaks = readLeakOptions(options);
  const { wasm, simd, module } = await instantiate(options);
  return { owner: { session: new Session(wasm, memoryLimit, leaks), module, memoryLimit }, simd };
}
