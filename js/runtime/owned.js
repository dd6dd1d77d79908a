/// <reference lib="esnext.disposable" preserve="true" />
/**
 * What users hold of the module's memory: one owner each, freed once, not used afterwards. What is collected without being
 * freed is freed then, and in development a warning tells so.
 */
import { NavError } from './errors.js';

/** @typedef {import('./handle-kinds.js').Kind} Kind */
/** @typedef {import('./session.js').Session} Session */

/**
 * @typedef {object} LeakOptions
 * @property {Set<string>} [told] what was told already; undefined: nothing is told
 * @property {boolean} [trackAllocations] whether objects remember where they were made
 */

/** Frees what nobody freed; a safety net, for nobody knows when it runs. */
const forgotten = new FinalizationRegistry((/** @type {Handle} */ handle) => handle.forget());

/** Warns of what nobody freed: once a kind, or once a place where that is known. @param {LeakOptions} leaks @param {Kind} kind @param {string} [madeAt] */
function warn({ told }, { what }, madeAt) {
  const key = madeAt ?? what;
  if (!told || told.has(key)) return;
  told.add(key);
  console.warn(`walkmesh: a ${what} was collected without being freed. Its memory was kept until now, and nobody knows when that is:`
    + ' call free(), or declare it with `using`. '
    + (madeAt ? `It was made here:\n${madeAt}` : 'load({ trackAllocations: true }) tells where it was made,')
    + ' load({ leakWarnings: false }) turns this off.');
}

/**
 * A handle into the module with one owner. Using it after free throws; so does freeing it twice. Handles that depend
 * on another, its children, are freed before it.
 */
export class Handle {
  #free;
  #parent;
  #leaks;
  /** Of handles without a parent, where leaks are told: whether it is collected together with what depends on it. @type {WeakRef<object> | undefined} */
  #owner;
  /** @type {string | undefined} */
  #madeAt;
  /** @type {Set<Handle> | undefined} */
  #children;

  /**
   * @param {Session} session
   * @param {object} owner the object that users hold
   * @param {Kind} kind
   * @param {number} address
   * @param {(address: number) => void} free must not refer to the owner
   * @param {Handle} [parent] the owner must keep the parent's alive
   */
  constructor(session, owner, kind, address, free, parent) {
    /** @readonly */
    this.kind = kind;
    /** The address; 0 once it was freed. For addressOf, which questions ask. @internal */
    this.place = address;
    this.#free = free;
    this.#parent = parent;
    this.#leaks = session.leaks;
    if (this.#leaks.told && !parent) this.#owner = new WeakRef(owner);
    if (this.#leaks.trackAllocations) this.#madeAt = new Error(`a ${kind.what}`).stack;
    if (parent) (parent.#children ??= new Set()).add(this);
    forgotten.register(owner, this, this);
  }

  /** The address; throws after free. */
  get address() {
    if (this.place === 0) throw this.#freedError('used');
    return this.place;
  }

  /** Throws after free. */
  check() {
    if (this.place === 0) throw this.#freedError('used');
  }

  /** @param {string} verb */
  #freedError(verb) {
    const parent = this.#parent ? ', or its navigation mesh was' : '';
    return new NavError('state', `this ${this.kind.what} cannot be ${verb}: it was freed already${parent}`);
  }

  get isFreed() {
    return this.place === 0;
  }

  free() {
    if (this.place === 0) throw this.#freedError('freed');
    this.release();
  }

  /** Frees unless that is done. */
  release() {
    const address = this.place;
    if (address === 0) return;
    this.#children?.forEach((child) => child.release());
    this.place = 0;
    forgotten.unregister(this);
    if (this.#parent) this.#parent.#children?.delete(this);
    this.#free(address);
  }

  /** Frees what was collected; where what it depends on was collected too, that is told, and this is not. */
  forget() {
    if (this.place === 0) return;
    const parentOwner = this.#parent && this.#parent.#owner;
    if (!parentOwner || parentOwner.deref()) warn(this.#leaks, this.kind, this.#madeAt);
    this.release();
  }
}

/**
 * The handle of what a method is called on; a NavError where that is something else.
 * @param {Owned} self @param {Kind} [kind]
 */
function handleOf(self, kind) {
  const handle = self?.handle;
  if (handle instanceof Handle && (!kind || handle.kind === kind)) return handle;
  throw notOurs(kind ?? { what: 'object of Walkmesh', maker: 'load() and what it gives' });
}

/** The error of a method that was called on something else than its kind of object. @param {Kind} kind */
export function notOurs({ what, maker }) {
  return new NavError('state', `this method was called on something else than a ${what} (made by ${maker}): call it as object.method()`);
}

/** The address of what a method is called on; throws where that is something else, and after free. @param {Owned} self @param {Kind} kind */
export function addressOf(self, kind) {
  const handle = self?.handle;
  return handle?.kind === kind && handle.place !== 0 ? handle.place : handleOf(self, kind).address;
}

/** The instance of what is made by hand; throws where it was made by `new`. @param {Session | undefined} session @param {Kind} kind */
export function requireMaker(session, { what, maker }) {
  if (typeof session?.handle === 'number') return session;
  throw new NavError('state', `a ${what} is not made by new, but by ${maker}`);
}

/** What users hold of something that lives in the module's memory. */
export class Owned {
  /** @internal @type {Session} */
  session;
  /** @internal @type {Handle} */
  handle;

  /**
   * @internal
   * @param {Session} session @param {Kind} kind @param {number} address @param {(address: number) => void} free
   * @param {Handle} [parent]
   */
  constructor(session, kind, address, free, parent) {
    this.session = session;
    this.handle = new Handle(session, this, kind, address, free, parent);
  }

  /** Whether it was freed, or what it depends on was. @type {boolean} */
  get isFreed() {
    return handleOf(this).isFreed;
  }

  /** Frees its memory, and that of what was made from it. Using it afterwards throws a NavError; so does freeing it twice. */
  free() {
    handleOf(this).free();
  }

  /** For `using`: frees its memory where that is not done. */
  [Symbol.dispose]() {
    handleOf(this).release();
  }
}
