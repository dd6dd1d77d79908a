/**
 * The values of a hostile caller. Each attack makes a hostile value from a good one. An attack marked `same` makes a value that reads
 * like the good one: a getter that calls the mesh first, an array in shared memory. The call must then give the same result, or a
 * NavError.
 */

/**
 * @typedef {object} Tools
 * @property {import('./values.js').Random} random
 * @property {() => never} throwIt throws an error that the case allows
 * @property {() => never} throwText throws a text
 * @property {() => void} reenter calls the package
 * @property {() => void} freeOwner frees the object whose method runs
 * @property {(error: unknown) => void} allow
 */
/**
 * @typedef {object} Attack
 * @property {string} name
 * @property {(value: any) => boolean} fits
 * @property {(value: any, tools: Tools) => any} make
 * @property {boolean} [same]
 * @property {boolean} [never] the call may never settle
 */

const isObject = (/** @type {any} */ value) => typeof value === 'object' && value !== null;
const isTyped = (/** @type {any} */ value) => ArrayBuffer.isView(value) && !(value instanceof DataView);
const isBuffer = (/** @type {any} */ value) => value instanceof ArrayBuffer;
/** Objects of fields, and arrays of numbers or points; not objects with a class of their own. */
const isPlain = (/** @type {any} */ value) => isObject(value) && (Object.getPrototypeOf(value) === Object.prototype || Array.isArray(value));
const isList = (/** @type {any} */ value) => Array.isArray(value) || isTyped(value);
const isFunction = (/** @type {any} */ value) => typeof value === 'function';
const always = () => true;
/** The method that frees an object of the package: those of walkmesh/recast-navigation and of three.js have names of their own. @param {any} value */
export const freeOf = (value) => [value.free, value.destroy, value.dispose].find(isFunction);

/** @type {Attack[]} */
export const ATTACKS = [];
/** @param {string} name @param {Attack['fits']} fits @param {Attack['make']} make @param {Partial<Attack>} [more] */
const attack = (name, fits, make, more = {}) => { ATTACKS.push({ name, fits, make, ...more }); };

// ---- Values of any other kind ------------------------------------------------------------------------------------

const OTHERS = [undefined, null, NaN, -0, 5e-324, 1e-42, 1e308, 3.5e38, Infinity, -Infinity, -1, 0.5, 63, 64, 255, 2 ** 31, 2 ** 32, 2 ** 53, 1e9, '', 'x', '5', '__proto__',
  10n, true, false];
for (const other of OTHERS) attack(`${Object.is(other, -0) ? '-0' : typeof other === 'string' ? `'${other}'` : String(other)}`, always, () => other);
attack('a symbol', always, () => Symbol('hostile'));
attack('{}', always, () => ({}));
attack('[]', always, () => []);
attack('[[]]', always, () => [[]]);
attack('a function', always, () => () => {});
attack('a class', always, (_value, { allow }) => {
  allow(/Class constructors? .*cannot be invoked without 'new'/); // a function of the caller's that can't be called
  return class {};
});
attack('a date', always, () => new Date(NaN));
attack('a map', always, () => new Map([[1, 2]]));
attack('a promise', always, () => Promise.resolve(1));
attack('a thenable that never settles', always, () => ({ then() {} }), { never: true });
attack('an object without a prototype', always, () => Object.create(null));
attack('a string object', always, () => Object('5'));
attack('a deep array', always, () => { let deep = /** @type {any} */ ([]); for (let i = 0; i < 20000; i++) deep = [deep]; return deep; });
attack('an object that throws when converted', always, (_value, { throwIt }) => ({ valueOf: throwIt, toString: throwIt, [Symbol.toPrimitive]: throwIt }));
attack('a number object that asks the mesh when converted', always, (value, { reenter }) => ({ valueOf() { reenter(); return value; } }));
attack('a proxy that throws at everything', always, (_value, { throwIt }) => new Proxy(function target() {}, new Proxy({}, { get: () => throwIt })));
attack('a revoked proxy', always, (value, { allow }) => {
  const { proxy, revoke } = Proxy.revocable(isObject(value) || isFunction(value) ? value : {}, {});
  revoke();
  allow(/revoked/);
  return proxy;
});
attack('a cyclic object', isPlain, (value) => {
  const cyclic = Array.isArray(value) ? [...value] : { ...value };
  for (const key of Object.keys(cyclic)) if (isObject(cyclic[key])) cyclic[key] = cyclic;
  if (!Array.isArray(cyclic)) cyclic.self = cyclic;
  return cyclic;
});
attack('an object that contains only itself', always, () => { const list = /** @type {any[]} */ ([]); list.push(list, list, list); return list; });

// ---- Objects whose fields run code -------------------------------------------------------------------------------

/** A copy whose field `key` is read by a function. @param {any} value @param {Tools} tools @param {(old: any, reads: number) => any} read */
function withGetter(value, { random }, read) {
  const copy = Array.isArray(value) ? [...value] : { ...value };
  const keys = Object.keys(copy);
  if (keys.length === 0) return copy;
  const key = keys[random.below(keys.length)], old = copy[key];
  let reads = 0;
  Object.defineProperty(copy, key, { enumerable: true, configurable: true, get: () => read(old, ++reads), set() {} });
  return copy;
}

/** A proxy that runs code before each operation. @param {any} value @param {(trap: string, key: unknown) => void} before */
const watch = (value, before) => new Proxy(value, new Proxy({}, {
  get: (_target, trap) => (/** @type {any[]} */ ...rest) => {
    before(String(trap), rest[1]);
    // Getters of the package's and the engine's classes run on the true object.
    return /** @type {any} */ (Reflect)[trap](...(trap === 'get' ? [rest[0], rest[1], rest[0]] : trap === 'set' ? [rest[0], rest[1], rest[2], rest[0]] : rest));
  },
}));

attack('a proxy', isPlain, (value) => watch(value, () => {}), { same: true });
attack('a proxy that asks the mesh', isPlain, (value, { reenter }) => watch(value, reenter), { same: true });
attack('a proxy that frees', isPlain, (value, { freeOwner, random }) => { let left = random.below(6); return watch(value, () => { if (left-- === 0) freeOwner(); }); });
attack('a proxy that throws later', isPlain, (value, { throwIt, random }) => { let left = random.below(8); return watch(value, () => { if (left-- === 0) throwIt(); }); });
attack('a proxy of a class', (value) => isObject(value) && !isPlain(value), (value) => watch(value, () => {}));
attack('a proxy that lies about its length', isList, (value, { random }) => new Proxy(value, {
  get: (target, key) => (key === 'length' ? [1e6, 9, -1, NaN, 2 ** 40][random.below(5)] : Reflect.get(target, key)),
}));
attack('a getter that asks the mesh', isPlain, (value, tools) => withGetter(value, tools, (old) => { tools.reenter(); return old; }), { same: true });
attack('a getter that throws', isPlain, (value, tools) => withGetter(value, tools, () => tools.throwIt()));
attack('a getter that throws what is no error', isPlain, (value, tools) => withGetter(value, tools, () => tools.throwText()));
attack('a getter that frees', isPlain, (value, tools) => withGetter(value, tools, (old) => { tools.freeOwner(); return old; }));
attack('a getter with another answer each time', isPlain, (value, tools) => withGetter(value, tools, (old, reads) => (reads % 2 === 1 ? old
  : [undefined, NaN, 1e9, 'x', {}, new Float32Array(1e5), [1e9], null][tools.random.below(8)])));
attack('a frozen object', isPlain, (value, { allow }) => {
  allow(/read only|not extensible/); // a result can't be written into it
  return Object.freeze(Array.isArray(value) ? [...value] : { ...value });
}, { same: true });
attack('an object with inherited fields', isPlain, (value) => Object.create(value));
attack('a field that is not known', isPlain, (value) => ({ ...value, hostile: 1 }));
attack('a field __proto__', isPlain, (value) => Object.defineProperty({ ...value }, '__proto__', { value: { hostile: 1 }, enumerable: true }));
attack('a constructor of its own', isPlain, (value, { throwIt }) => Object.defineProperty({ ...value }, 'constructor', { get: throwIt }));
attack('a list that shrinks', Array.isArray, (value, tools) => {
  const copy = [...value];
  const [first] = copy;
  Object.defineProperty(copy, 0, { enumerable: true, configurable: true, get() { copy.length = 1; return first; }, set() {} });
  return copy;
});
attack('a list that grows', Array.isArray, (value) => {
  const copy = [...value];
  const [first] = copy;
  Object.defineProperty(copy, 0, { enumerable: true, configurable: true, get() { for (let i = 0; i < 1000 && copy.length < 1e5; i++) copy.push(first); return first; }, set() {} });
  return copy;
});
attack('a list with holes', Array.isArray, (value) => { const copy = [...value]; delete copy[0]; copy.length += 3; return copy; });
attack('a list of a billion holes', isList, () => new Array(1e9));
attack('an array-like of a billion', isList, () => ({ length: 1e9, 0: 1, 1: 2, 2: 3 }));
attack('an array-like of minus one', isList, () => ({ length: -1 }));

// ---- Typed arrays that lie ---------------------------------------------------------------------------------------

const LENGTHS = [0, 3, 9, -1, 1.5, NaN, 2 ** 31, 1e9, '9', 9n];
/** The arrays of a subclass with `more` numbers in truth. @param {any} value @param {object} overrides @param {number} [more] */
function subclassOf(value, overrides, more = 200000) {
  const Base = value.constructor;
  const Mine = class extends Base {};
  Object.defineProperties(Mine.prototype, Object.getOwnPropertyDescriptors(overrides));
  const made = new Mine(more || value.length);
  Base.prototype.set.call(made, Array.from(value));
  return made;
}
attack('a subclass that says less than it has', isTyped, (value) => subclassOf(value, { get length() { return value.length; } }));
attack('a subclass with another length', isTyped, (value, { random }) => { const said = LENGTHS[random.below(LENGTHS.length)]; return subclassOf(value, { get length() { return said; } }); });
attack('a subclass whose length throws', isTyped, (value, { throwIt }) => subclassOf(value, { get length() { return throwIt(); } }, 0));
attack('a subclass whose length asks the mesh', isTyped, (value, { reenter }) => subclassOf(value, { get length() { reenter(); return value.length; } }, 0), { same: true });
attack('a subclass whose length frees', isTyped, (value, { freeOwner }) => subclassOf(value, { get length() { freeOwner(); return value.length; } }, 0));
attack('a subclass with methods of its own', isTyped, (value, { throwIt }) => subclassOf(value, Object.fromEntries(
  ['subarray', 'slice', 'set', 'map', 'every', 'findIndex', 'forEach', 'fill', Symbol.iterator].map((name) => [name, throwIt])), 0));
attack('a subclass with methods that give too much', isTyped, (value) => subclassOf(value, Object.fromEntries(
  ['subarray', 'slice', 'map', 'filter'].map((name) => [name, () => new value.constructor(300000)])), 0));
attack('a subclass with a species', isTyped, (value, { throwIt }) => {
  const made = subclassOf(value, {}, 0);
  Object.defineProperty(made.constructor, Symbol.species, { get: throwIt });
  return made;
});
for (const key of ['length', 'byteLength', 'byteOffset', 'buffer']) {
  attack(`an own ${key}`, isTyped, (value, { random }) => Object.defineProperty(value.slice(), key, { value: key === 'buffer' ? new ArrayBuffer(8) : LENGTHS[random.below(LENGTHS.length)] }));
}
attack('a proxy of an array', isTyped, (value) => watch(value, () => {}));
attack('a prototype of another kind', isTyped, (value) => Object.setPrototypeOf(new Uint8Array(3), Object.getPrototypeOf(value)));
attack('an array without an array', isTyped, (value, { allow }) => {
  allow(/incompatible receiver|not a typed array/); // any object that has this prototype throws when its length is read
  return Object.create(Object.getPrototypeOf(value));
});
attack('a detached array', isTyped, (value) => { const copy = value.slice(); structuredClone(copy.buffer, { transfer: [copy.buffer] }); return copy; });
attack('shared memory', isTyped, (value) => { const copy = new value.constructor(new SharedArrayBuffer(value.byteLength)); copy.set(value); return copy; }, { same: true });
/** @param {any} value @param {number} most bytes */
function resizableOf(value, most) {
  const buffer = new /** @type {any} */ (ArrayBuffer)(value.byteLength, { maxByteLength: Math.max(most, value.byteLength) });
  const copy = new value.constructor(buffer);
  copy.set(value);
  return copy;
}
attack('a resizable array', isTyped, (value) => resizableOf(value, 2 * value.byteLength), { same: true });
attack('a resizable array that was shrunk', isTyped, (value) => { const copy = resizableOf(value, 0); copy.buffer.resize(0); return copy; });
attack('a part of a resizable array that was shrunk', isTyped, (value) => {
  const buffer = new /** @type {any} */ (ArrayBuffer)(value.byteLength + 64, { maxByteLength: value.byteLength + 64 });
  const part = new value.constructor(buffer, 32 - (32 % value.BYTES_PER_ELEMENT), value.length);
  buffer.resize(16);
  return part;
});
attack('an unaligned part', isTyped, (value) => {
  const copy = new value.constructor(new ArrayBuffer(value.byteLength + 64), value.BYTES_PER_ELEMENT, value.length);
  copy.set(value);
  return copy;
}, { same: true });
attack('a Buffer', (value) => value instanceof Uint8Array, (value) => { const pooled = Buffer.allocUnsafe(value.length + 1).subarray(1); pooled.set(value); return pooled; }, { same: true });
attack('numbers of another kind', isTyped, (value, { random }) => {
  const kind = [BigInt64Array, Float64Array, Uint8ClampedArray, Int8Array, DataView, Float32Array, Uint16Array][random.below(7)];
  return kind === DataView ? new DataView(new ArrayBuffer(64)) : kind === BigInt64Array ? new BigInt64Array(9) : Reflect.construct(kind, [Array.from(value, Number)]);
});
attack('hostile numbers', isList, (value, { random }) => {
  const copy = Array.isArray(value) ? [...value] : value.slice();
  for (let i = 0; i < copy.length; i++) {
    if (typeof copy[i] === 'number' && random.below(3) === 0) copy[i] = [NaN, -0, 1e-42, 3e38, -3e38, 2 ** 32 - 1, -1, 1e9, Infinity, 2 ** 53][random.below(10)];
  }
  return copy;
});
attack('fewer numbers', isList, (value) => value.slice(0, Math.max(0, value.length - 2)));
attack('damaged bytes', (value) => value instanceof Uint8Array, (value, { random }) => {
  const copy = value.slice();
  for (let i = random.below(8); i >= 0 && copy.length > 0; i--) copy[random.below(copy.length)] = random.below(256);
  return copy;
});
attack('a detached buffer', isBuffer, (value) => { structuredClone(value, { transfer: [value] }); return value; });
attack('a shared buffer', isBuffer, (value) => { const shared = new SharedArrayBuffer(value.byteLength); new Uint8Array(shared).set(new Uint8Array(value)); return shared; });
attack('a buffer with its own size', isBuffer, (value) => Object.defineProperty(value.slice(0), 'byteLength', { value: 1e9 }));
attack('a buffer without a buffer', isBuffer, () => Object.create(ArrayBuffer.prototype));

// ---- Functions ---------------------------------------------------------------------------------------------------

attack('a function that throws', isFunction, (_value, { throwIt }) => () => throwIt());
attack('a function that throws what is no error', isFunction, (_value, { throwText }) => () => throwText());
attack('a function that asks the mesh', isFunction, (value, { reenter }) => (/** @type {any[]} */ ...rest) => { reenter(); return value(...rest); });
attack('a function that frees', isFunction, (value, { freeOwner }) => (/** @type {any[]} */ ...rest) => { freeOwner(); return value(...rest); });
attack('a function with a hostile answer', isFunction, (_value, { random }) => () => [NaN, 'x', {}, [], new Uint8Array(7), null, () => {}, -1, Symbol('x'), 1e9][random.below(10)]);
attack('a function that rejects', isFunction, (_value, { throwIt }) => async () => throwIt());
attack('a function that never answers', isFunction, () => () => new Promise(() => {}), { never: true });
attack('a proxy of a function', isFunction, (value) => watch(value, () => {}));
attack('a signal that is aborted', (value) => value instanceof AbortSignal, () => AbortSignal.abort());
attack('a signal with a reason of its own', (value) => value instanceof AbortSignal, (_value, { allow }) => { const reason = { hostile: 1 }; allow(reason); return AbortSignal.abort(reason); });
attack('an object like a signal', (value) => value instanceof AbortSignal, (_value, { throwIt }) => ({ aborted: false, addEventListener: throwIt, removeEventListener: throwIt }));
attack('a freed object', (value) => isObject(value) && freeOf(value), (value) => { freeOf(value).call(value); return value; });
attack('an object that inherits from one of the package', (value) => isObject(value) && !isPlain(value) && !isTyped(value), (value) => Object.create(value));
