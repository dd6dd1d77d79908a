/// <reference lib="esnext.disposable" preserve="true" />
/**
 * Handles: objects of users that own memory of the module. Each is freed once, also if free() is called again, and throws when
 * used later. One that is garbage-collected before free() is freed then, with a warning in development.
 */
import { COPY, COPY_KEY, NavError, OTHER_COPY, isOfOtherCopy } from './errors.js';
import { freedError } from './free-once.js';

/** @typedef {import('./handle-kinds.js').HandleKind} HandleKind */
/** @typedef {import('./session.js').Session} Session */

/**
 * @typedef {object} LeakOptions
 * @property {Set<string>} [warned] keys of the warnings that were printed; undefined: prints none
 * @property {boolean} [trackAllocations] true: objects store the stack trace of their creation
 */

/** Frees objects that were garbage-collected before free(). When it runs is up to the engine. */
const collected = new FinalizationRegistry((/** @type {Handle} */ handle) => handle.freeCollected());

/** Warns of an object that was not freed: once per kind, or per stack trace if there is one. @param {LeakOptions} leaks @param {HandleKind} kind @param {string} [madeAt] */
function warn({ warned }, { noun }, madeAt) {
  const key = madeAt ?? noun;
  if (!warned || warned.has(key)) return;
  warned.add(key);
  console.warn(`walkmesh: a ${noun} was garbage-collected before free() was called. Call free(), or declare it with \`using\`. `
    + (madeAt ? `It was made here:\n${madeAt}\n` : 'load({ trackAllocations: true }) shows where it was made, ')
    + 'load({ leakWarnings: false }) turns this warning off.');
}

/** The stack trace of the caller, long enough to reach the code of the user. @param {string} title */
function readStack(title) {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 30;
  const { stack } = new Error(title);
  Error.stackTraceLimit = stackTraceLimit;
  return stack;
}

/** Engines store numbers of 30 bits without a box. */
const CALLS_MASK = 0x3fffffff;

/** Counts a call of a method, or the freeing of a handle. @param {Session} session */
export function countCall(session) {
  session.calls = (session.calls + 1) & CALLS_MASK;
}

/** The memory behind one object of a user. Its children, handles that depend on it, are freed before it. */
export class Handle {
  #free;
  #parent;
  /** The object, of handles without a parent, if leaks are reported: tells if parent and children are collected together. @type {WeakRef<object> | undefined} */
  #owner;
  /** @type {string | undefined} */
  #madeAt;
  /** @type {Set<Handle> | undefined} */
  #children;

  /**
   * @param {Session} session
   * @param {object} owner the object of the user
   * @param {HandleKind} kind
   * @param {number} address
   * @param {(address: number) => void} free must not reference the owner
   * @param {Handle} [parent] the owner must reference the parent's owner
   */
  constructor(session, owner, kind, address, free, parent) {
    /** @readonly */
    this.kind = kind;
    /** The address; 0 after free. Public for addressOf, which all queries call. @internal */
    this.rawAddress = address;
    /** @readonly @internal */
    this.session = session;
    this.#free = free;
    this.#parent = parent;
    const { leaks } = session;
    if (leaks.warned && !parent) this.#owner = new WeakRef(owner);
    if (leaks.trackAllocations) this.#madeAt = readStack(`a ${kind.noun}`);
    if (parent) (parent.#children ??= new Set()).add(this);
    collected.register(owner, this, this);
  }

  /** The address; throws after free. */
  get address() {
    this.check();
    return this.rawAddress;
  }

  /** Throws after free. */
  check() {
    if (this.rawAddress !== 0) return;
    const parent = this.#parent ? ', or its navigation mesh was freed' : '';
    throw freedError(this.kind.noun, parent);
  }

  get isFreed() {
    return this.rawAddress === 0;
  }

  /** Frees it, unless it is freed. */
  free() {
    const address = this.rawAddress;
    if (address === 0) return;
    this.#children?.forEach((child) => child.free());
    this.rawAddress = 0;
    countCall(this.session);
    collected.unregister(this);
    if (this.#parent) this.#parent.#children?.delete(this);
    this.#free(address);
  }

  /** Frees it after its owner was collected. Warns, unless the parent was collected too and has its own warning. */
  freeCollected() {
    if (this.rawAddress === 0) return;
    const parentOwner = this.#parent && this.#parent.#owner;
    if (!parentOwner || parentOwner.deref()) warn(this.session.leaks, this.kind, this.#madeAt);
    this.free();
  }
}

/**
 * The handle of the object that a method is called on; throws if it is no such object.
 * @param {HandleOwner} self @param {HandleKind} [kind]
 */
function handleOf(self, kind) {
  const handle = self?.handle;
  if (handle instanceof Handle && (!kind || handle.kind === kind)) return handle;
  throw wrongHandle(kind ?? { noun: 'Walkmesh object', maker: 'load() and its methods' }, self);
}

/** The error of a method that was called on another kind of object. @param {HandleKind} kind @param {unknown} [self] */
export function wrongHandle({ noun, maker }, self) {
  if (isOfOtherCopy(self)) return new NavError('state', `this object is ${OTHER_COPY}`);
  return new NavError('state', `this method must be called on a ${noun} (made by ${maker}), as object.method()`);
}

/**
 * The address of the object that a method is called on; throws if it is another kind of object, or freed. Counts the call: a method
 * whose arguments run code of the caller notices by it that another method was called (Session.requireNoCallSince).
 * @param {HandleOwner} self @param {HandleKind} kind
 */
export function addressOf(self, kind) {
  const handle = self?.handle;
  if (handle?.kind !== kind || handle.rawAddress === 0) return handleOf(self, kind).address; // throws
  countCall(handle.session);
  return handle.rawAddress;
}

/** As addressOf, for an object in an argument: not a call. @param {HandleOwner} self @param {HandleKind} kind */
export function lookUp(self, kind) {
  const handle = self?.handle;
  return handle?.kind === kind && handle.rawAddress !== 0 ? handle.rawAddress : handleOf(self, kind).address;
}

/** Checks in a constructor that the object is made by its maker, not by `new`. @param {Session | undefined} session @param {HandleKind} kind */
export function requireMaker(session, { noun, maker }) {
  if (typeof session?.handle === 'number') return session;
  throw new NavError('state', `a ${noun} is made by ${maker}, not by new`);
}

/** The base class of objects that own memory of the module. */
export class HandleOwner {
  #isOwn = true;

  /** True for an object that a maker made: not for a proxy of one, or an object that inherits from one. @internal @param {object} object */
  static isOwn(object) {
    return #isOwn in object && object.#isOwn;
  }

  /** @internal @type {Session} */
  session;
  /** @internal @type {Handle} */
  handle;

  /**
   * @internal
   * @param {Session} session @param {HandleKind} kind @param {number} address @param {(address: number) => void} free
   * @param {Handle} [parent]
   */
  constructor(session, kind, address, free, parent) {
    this.session = session;
    this.handle = new Handle(session, this, kind, address, free, parent);
  }

  /** @internal */
  get [COPY_KEY]() {
    return COPY;
  }

  /** True after free, of this object or of the one it depends on. @type {boolean} */
  get isFreed() {
    return handleOf(this).isFreed;
  }

  /** For JSON.stringify: the kind of the object in brackets, not the module's memory. @returns {unknown} */
  toJSON() {
    return `[${handleOf(this).kind.noun}]`;
  }

  /** Frees its memory and that of its children; does nothing if it is freed. Other calls throw a NavError afterwards. */
  free() {
    handleOf(this).free();
  }

  /** For `using`: free(). */
  [Symbol.dispose]() {
    handleOf(this);
    this.free(); // classes extend it
  }
}
