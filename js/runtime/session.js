/// <reference lib="esnext.disposable" preserve="true" />
/**
 * A session: one instance of the module with its memory, its mailboxes and its last error. All code of the package calls
 * WebAssembly through a session.
 *
 * f32, u32 and f64 are views of the whole memory. A call that grows the memory detaches them, and refresh() makes new ones: a
 * query calls refresh() before it writes its inputs, and check() after its call. Views of other types are made where they are
 * used.
 */
import { NavError, STATUS_CODES, describe, invalidArgument } from './errors.js';
import { Session as SessionLayout, WmFailure } from './layout.js';

/** @typedef {import('./instantiate.js').WasmExports} WasmExports */
/** @typedef {import('./handle.js').LeakOptions} LeakOptions */

/** Where in the Session of wasm/session.h the failure's address and the account lie, in bytes. */
const [FAILURE_AT, ACCOUNT_AT] = [4 * SessionLayout.failure, 4 * SessionLayout.bytesInUse];

/** Where its mailboxes lie, in words. */
const { inputs: INPUTS_AT, answer: ANSWER_AT, filter: FILTER_AT } = SessionLayout;

/** Indices of the numbers of the memory account. */
const [BYTES, PEAK_BYTES, BYTE_LIMIT, ALLOCATIONS_BEFORE_FAILURE, ACCOUNT_COUNT] = [0, 1, 2, 3, 4];

/** @param {number | undefined} limit */
export function requireMemoryLimit(limit) {
  if (limit === undefined || (typeof limit === 'number' && limit > 0)) return limit;
  throw invalidArgument('memoryLimit', `is ${describe(limit)}: must be a number of bytes above 0`, limit);
}

const nestedError = () => new NavError('state', 'a getter, a setter or a proxy in an argument called Walkmesh during the call: read the values first');

/** The advice of C for a range without its minimum. */
const ABOVE = "the minimum itself isn't allowed";

/** A maximum of this size is meant as "no limit". */
const UNLIMITED = 1e6;

/** Integers are exact: references need all digits. @param {number} number */
const toText = (number) => String(Number.isSafeInteger(number) ? number : Number(number.toPrecision(7)));

/**
 * The allowed range of a value, as messages show it.
 * @param {number} value @param {number} minimum @param {number} maximum NaN: none @param {string | undefined} advice begins with
 *   the unit, if there is one
 */
function describeRange(value, minimum, maximum, advice) {
  if (advice === ABOVE) return `above ${toText(minimum)}${value > minimum ? ` and at most ${toText(maximum)}` : ''}`;
  const isOpen = Number.isNaN(maximum) || (maximum >= UNLIMITED && value < minimum);
  const range = isOpen ? `${toText(minimum)} or more` : `${toText(minimum)} to ${toText(maximum)}`;
  if (advice === undefined) return range;
  if (!/^(world units|degrees|cells|cell heights)\b/.test(advice)) return `${range}; ${advice}`;
  return isOpen ? range : `${range} ${advice}`;
}

export class Session {
  #scratchAddress = 0;
  #scratchBytes = 0;

  /** @param {WasmExports} wasm @param {number} [memoryLimit] @param {LeakOptions} [leaks] */
  constructor(wasm, memoryLimit, leaks = {}) {
    this.wasm = wasm;
    this.handle = wasm.session_create() >>> 0;
    if (!this.handle) throw new NavError('out-of-memory', 'out of memory for a new instance of the module');
    /** Index of the account's first number in f64. */
    this.accountAt = (this.handle + ACCOUNT_AT) / 8;
    /** Index of the first word of each mailbox in the views. */
    this.inputs = this.handle / 4 + INPUTS_AT;
    this.answer = this.handle / 4 + ANSWER_AT;
    this.filter = this.handle / 4 + FILTER_AT;
    /** The frozen filter whose values the mailbox holds; hasFilterCosts: true if the mailbox has area costs. */
    this.frozenFilter = /** @type {object | undefined} */ (undefined);
    this.hasFilterCosts = false;
    const { buffer } = wasm.memory;
    this.f32 = new Float32Array(buffer);
    this.u32 = new Uint32Array(buffer);
    this.f64 = new Float64Array(buffer);
    if (memoryLimit !== undefined) this.account[BYTE_LIMIT] = memoryLimit;
    this.leaks = leaks;
    /** The number of methods that were called and handles that were freed (countCall in handle.js), without its high bits. */
    this.calls = 0;
  }

  /**
   * Throws if a method was called or a handle freed since `calls` was read. A method reads its arguments, and then calls this: getters
   * and proxies of the caller may have called other methods, which use the same mailboxes and the same memory of one call, or have
   * freed what the method is called on. From here to the call of the module no code of the caller runs.
   * @param {number} calls
   */
  requireNoCallSince(calls) {
    if (this.calls !== calls) throw nestedError();
  }

  /** Makes new views if the memory has grown. */
  refresh() {
    if (this.f32.length === 0) this.#map();
  }

  #map() {
    const { buffer } = this.wasm.memory;
    this.f32 = new Float32Array(buffer);
    this.u32 = new Uint32Array(buffer);
    this.f64 = new Float64Array(buffer);
  }

  /** The memory account: bytes in use, peak, limit, allocations before a failure on purpose. */
  get account() {
    return new Float64Array(this.wasm.memory.buffer, this.handle + ACCOUNT_AT, ACCOUNT_COUNT);
  }

  /** A view of memory, valid until the next call into the module. @param {number} address @param {number} count */
  view(address, count) {
    return new Uint8Array(this.wasm.memory.buffer, address >>> 0, count);
  }

  /** A copy of the bytes whose address and count are the first two words of the result. */
  copyReturnedBytes() {
    this.refresh();
    return this.view(this.u32[this.answer], this.u32[this.answer + 1]).slice();
  }

  /** @param {number} address of a zero-terminated string */
  readText(address) {
    const bytes = new Uint8Array(this.wasm.memory.buffer);
    let text = '';
    for (let i = address >>> 0; bytes[i]; i++) text += String.fromCharCode(bytes[i]);
    return text;
  }

  /**
   * The error of the last failure. If memory ran out, frees memory that is kept for reuse, so that smaller allocations still
   * work.
   */
  lastError() {
    const error = this.#readError();
    if (error.code === 'out-of-memory') this.trim();
    return error;
  }

  /** Makes the message of a WmFailure (src/base/context.h). */
  #readError() {
    const memory = new DataView(this.wasm.memory.buffer);
    const address = memory.getUint32(this.handle + FAILURE_AT, true);
    const { value: valueAt, minimum: minimumAt, maximum: maximumAt, field: fieldAt, before: beforeAt, after: afterAt } = WmFailure;
    const [value, minimum, maximum] = [valueAt, minimumAt, maximumAt].map((at) => memory.getFloat64(address + 4 * at, true));
    const status = memory.getUint32(address + 4 * WmFailure.status, true);
    const [field, before, after] = [fieldAt, beforeAt, afterAt].map((at) => {
      const text = memory.getUint32(address + 4 * at, true);
      return text ? this.readText(text) : undefined;
    });
    let message = before;
    if (before === undefined) message = `${field} is ${toText(value)}: must be ${describeRange(value, minimum, maximum, after)}`;
    else if (after !== undefined) message = before + toText(value) + after;
    const code = STATUS_CODES[status - 1];
    // A call has several arguments, so the message names the invalid one. A reference is named by its number, since C's name may differ from that of the method.
    if (code === 'invalid-argument' && field && !message?.includes(field) && !message?.startsWith('reference ')) message = `${field}: ${message}`;
    const part = memory.getUint32(address + 4 * WmFailure.part, true);
    return new NavError(code, `${part ? `part ${part}: ` : ''}${message}`, {
      field, value: Number.isNaN(value) && !field ? undefined : value,
    });
  }

  /** Throws unless the status is 0; refreshes the views. @param {number} status */
  check(status) {
    if (status !== 0) throw this.lastError();
    this.refresh();
  }

  /** Throws if an allocation returned 0. @param {number} address */
  checkAddress(address) {
    if (!address) throw this.lastError();
    return address >>> 0;
  }

  /**
   * Runs calls that trap if Walkmesh has a bug; the module stays usable after a trap.
   * @template T @param {() => T} calls @returns {T}
   */
  guard(calls) {
    const stack = this.wasm.stackSave();
    try {
      return calls();
    } catch (cause) {
      if (cause instanceof NavError || !(cause instanceof WebAssembly.RuntimeError || cause instanceof RangeError)) {
        throw cause;
      }
      this.wasm.stackRestore(stack);
      throw new NavError('internal', `Walkmesh has a bug (${cause.message}): please report it`, { cause });
    }
  }

  /** Memory of the module; free with wasm.memory_free. @param {number} bytes */
  allocate(bytes) {
    return this.checkAddress(this.wasm.memory_allocate(this.handle, Math.min(bytes, 0xffffffff)));
  }

  /** Copies bytes in; free with wasm.memory_free. @param {Uint8Array} bytes */
  copyIn(bytes) {
    const address = this.allocate(bytes.length);
    this.view(address, bytes.length).set(bytes);
    return address;
  }

  /** Copies bytes into the module for one call, and checks its status. @param {Uint8Array} bytes @param {(address: number) => number} call */
  withCopy(bytes, call) {
    const address = this.copyIn(bytes);
    try {
      this.check(this.guard(() => call(address)));
    } finally {
      this.wasm.memory_free(this.handle, address);
    }
  }

  /**
   * Reserves memory for the arrays of one call and returns its address; it is reused by the next call. Refreshes the views.
   * @param {number} bytes
   */
  reserve(bytes) {
    if (bytes > this.#scratchBytes) {
      const { wasm, handle } = this;
      const wanted = Math.min(bytes + bytes / 2 + 1024, 0xffffffff) >>> 0;
      const address = this.checkAddress(wasm.memory_allocate(handle, wanted));
      if (this.#scratchAddress) wasm.memory_free(handle, this.#scratchAddress);
      this.#scratchAddress = address;
      this.#scratchBytes = wanted;
    }
    this.refresh();
    return this.#scratchAddress;
  }

  /**
   * Bytes in use and their peak. @param {boolean} [resetPeak]
   * @returns {{ bytes: number, peakBytes: number, wasmBytes: number }}
   */
  memory(resetPeak = false) {
    this.refresh();
    const { f64, accountAt } = this;
    const [bytes, peakBytes] = [f64[accountAt + BYTES], f64[accountAt + PEAK_BYTES]];
    if (resetPeak) f64[accountAt + PEAK_BYTES] = bytes;
    return { bytes, peakBytes, wasmBytes: this.wasm.memory.buffer.byteLength };
  }

  /** Raises the peak, after a part was measured on its own. @param {number} bytes */
  raisePeak(bytes) {
    this.refresh();
    const peak = this.accountAt + PEAK_BYTES;
    this.f64[peak] = Math.max(this.f64[peak], bytes);
  }

  trim() {
    if (this.#scratchAddress) this.wasm.memory_free(this.handle, this.#scratchAddress);
    this.#scratchAddress = this.#scratchBytes = 0;
    this.wasm.session_trim(this.handle);
  }

  /** Runs calls without the memory limit and without failures on purpose. @param {() => void} calls */
  withoutLimits(calls) {
    const [limit, count] = this.account.slice(BYTE_LIMIT, ACCOUNT_COUNT);
    this.account.set([Infinity, -1], BYTE_LIMIT);
    try {
      calls();
    } finally {
      this.account.set([limit, count], BYTE_LIMIT);
    }
  }

  /** @param {number} [count] */
  failAllocationsAfter(count = -1) {
    this.account[ALLOCATIONS_BEFORE_FAILURE] = count;
  }
}
