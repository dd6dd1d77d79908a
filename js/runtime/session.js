/// <reference lib="esnext.disposable" preserve="true" />
/**
 * One instance of the module: its memory, its mailboxes, its errors. Everything else in this folder talks to
 * WebAssembly through here.
 *
 * Views over all of its memory are kept as f32, u32 and f64. A call that grows the memory detaches them; refresh()
 * makes new ones, and is called before the first use of a question (refresh) and after its call (check). Views of other
 * kinds are made where they are used.
 */
import { NavError, STATUS_CODES, describe, invalidArgument } from './errors.js';
import { Session as SessionLayout, WmFailure } from './layout.js';

/** @typedef {import('../loader.js').WasmExports} WasmExports */
/** @typedef {import('./owned.js').LeakOptions} LeakOptions */

/** Where in the Session of wasm/session.h the failure's address and the account lie, in bytes. */
const [FAILURE_AT, ACCOUNT_AT] = [4 * SessionLayout.failure, 4 * SessionLayout.bytesInUse];

/** Where its mailboxes lie, in words. */
const { inputs: INPUTS_AT, answer: ANSWER_AT, filter: FILTER_AT } = SessionLayout;

/** The numbers of the memory account. */
const [BYTES, PEAK_BYTES, BYTE_LIMIT, ALLOCATIONS_BEFORE_FAILURE, ACCOUNT_COUNT] = [0, 1, 2, 3, 4];

/** @param {number | undefined} limit */
export function requireMemoryLimit(limit) {
  if (limit === undefined || limit > 0) return limit;
  throw invalidArgument('memoryLimit', `is ${describe(limit)}: must be a number of bytes above 0`, limit);
}

export class Session {
  #roomAddress = 0;
  #roomBytes = 0;

  /** @param {WasmExports} wasm @param {number} [memoryLimit] @param {LeakOptions} [leaks] */
  constructor(wasm, memoryLimit, leaks = {}) {
    this.wasm = wasm;
    this.handle = wasm.session_create() >>> 0;
    if (!this.handle) throw new NavError('out-of-memory', 'there is no memory for an instance of the module');
    /** Index of the account's first number in f64. */
    this.accountAt = (this.handle + ACCOUNT_AT) / 8;
    /** Index of the first word of each mailbox in the views. */
    this.inputs = this.handle / 4 + INPUTS_AT;
    this.answer = this.handle / 4 + ANSWER_AT;
    this.filter = this.handle / 4 + FILTER_AT;
    /** The plain filter that stands in the mailbox and cannot have changed since, and whether it has costs. */
    this.frozenFilter = /** @type {object | undefined} */ (undefined);
    this.hasFilterCosts = false;
    const { buffer } = wasm.memory;
    this.f32 = new Float32Array(buffer);
    this.u32 = new Uint32Array(buffer);
    this.f64 = new Float64Array(buffer);
    if (memoryLimit !== undefined) this.account[BYTE_LIMIT] = memoryLimit;
    this.leaks = leaks;
  }

  /** Makes the views good again where the memory has grown. */
  refresh() {
    if (this.f32.length === 0) this.#map();
  }

  #map() {
    const { buffer } = this.wasm.memory;
    this.f32 = new Float32Array(buffer);
    this.u32 = new Uint32Array(buffer);
    this.f64 = new Float64Array(buffer);
  }

  /** What memory is in use and may be. */
  get account() {
    return new Float64Array(this.wasm.memory.buffer, this.handle + ACCOUNT_AT, ACCOUNT_COUNT);
  }

  /** A view of memory, for use before the next call. @param {number} address @param {number} count */
  view(address, count) {
    return new Uint8Array(this.wasm.memory.buffer, address >>> 0, count);
  }

  /** A copy of the bytes whose address and count are the first two words of the answer. */
  copyReturnedBytes() {
    this.refresh();
    return this.view(this.u32[this.answer], this.u32[this.answer + 1]).slice();
  }

  /** @param {number} address of a string that ends with 0 */
  readText(address) {
    const bytes = new Uint8Array(this.wasm.memory.buffer);
    let text = '';
    for (let i = address >>> 0; bytes[i]; i++) text += String.fromCharCode(bytes[i]);
    return text;
  }

  /**
   * The error behind the last failure. Where memory ran out, what only waits for reuse is given back, so that
   * smaller things still work.
   */
  lastError() {
    const error = this.#readError();
    if (error.code === 'out-of-memory') this.trim();
    return error;
  }

  /** Puts a WmFailure (src/base/context.h) into words, as wm_context_error does. */
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
    const digits = (/** @type {number} */ number) => `${Number(number.toPrecision(7))}`;
    const range = `must be ${Number.isNaN(maximum) ? `at least ${digits(minimum)}` : `${digits(minimum)} to ${digits(maximum)}`}`;
    let message = before;
    if (before === undefined) {
      message = `${field} is ${digits(value)}: ${range}${after ? `; ${after}` : ''}`;
    } else if (after !== undefined) {
      message = before + digits(value) + after;
    }
    const part = memory.getUint32(address + 4 * WmFailure.part, true);
    return new NavError(STATUS_CODES[status - 1], `${part ? `part ${part}: ` : ''}${message}`, {
      field, value: Number.isNaN(value) && !field ? undefined : value,
    });
  }

  /** Throws unless the status is 0; after it the views are good. @param {number} status */
  check(status) {
    if (status !== 0) throw this.lastError();
    this.refresh();
  }

  /** Throws where an allocation returned 0. @param {number} address */
  checkAddress(address) {
    if (!address) throw this.lastError();
    return address >>> 0;
  }

  /**
   * Runs calls that a mistake of ours could make trap, so that even then the module stays usable.
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
      throw new NavError('internal', `Walkmesh made a mistake (${cause.message}): please report it`, { cause });
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

  /** Copies bytes in for one call, whose status it checks. @param {Uint8Array} bytes @param {(address: number) => number} call */
  lend(bytes, call) {
    const address = this.copyIn(bytes);
    try {
      this.check(this.guard(() => call(address)));
    } finally {
      this.wasm.memory_free(this.handle, address);
    }
  }

  /**
   * The address of memory for the arrays of one call, which stays for the next; the views are good after it.
   * @param {number} bytes
   */
  room(bytes) {
    if (bytes > this.#roomBytes) {
      const { wasm, handle } = this;
      const wanted = Math.min(bytes + bytes / 2 + 1024, 0xffffffff) >>> 0;
      const address = this.checkAddress(wasm.memory_allocate(handle, wanted));
      if (this.#roomAddress) wasm.memory_free(handle, this.#roomAddress);
      this.#roomAddress = address;
      this.#roomBytes = wanted;
    }
    this.refresh();
    return this.#roomAddress;
  }

  /**
   * Bytes in use and the most that were in use at once. @param {boolean} [resetPeak]
   * @returns {{ bytes: number, peakBytes: number, wasmBytes: number }}
   */
  memory(resetPeak = false) {
    this.refresh();
    const { f64, accountAt } = this;
    const [bytes, peakBytes] = [f64[accountAt + BYTES], f64[accountAt + PEAK_BYTES]];
    if (resetPeak) f64[accountAt + PEAK_BYTES] = bytes;
    return { bytes, peakBytes, wasmBytes: this.wasm.memory.buffer.byteLength };
  }

  /** Raises the most that was in use at once, after a part was measured by itself. @param {number} bytes */
  raisePeak(bytes) {
    this.refresh();
    const peak = this.accountAt + PEAK_BYTES;
    this.f64[peak] = Math.max(this.f64[peak], bytes);
  }

  trim() {
    if (this.#roomAddress) this.wasm.memory_free(this.handle, this.#roomAddress);
    this.#roomAddress = this.#roomBytes = 0;
    this.wasm.session_trim(this.handle);
  }

  /** Calls during which neither the limit of memory counts, nor failures on purpose. @param {() => void} calls */
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
