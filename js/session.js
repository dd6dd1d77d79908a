/**
 * One instance of the module: its memory, its mailboxes, its errors. Everything else in this folder talks to
 * WebAssembly through here. Views into its memory are made where they are used and never kept across a call,
 * because a call that grows the memory detaches them.
 */
import { NavError, STATUS_CODES } from './errors.js';

/** @typedef {import('./loader.js').WasmExports} WasmExports */

/** Numbers in each mailbox: MAILBOX_COUNT in wasm/session.h. */
const MAILBOX_COUNT = 80;

/** Where in the Session of wasm/session.h the failure's address and the numbers of 64 bits lie. */
const FAILURE_AT = 4;
const NUMBERS_AT = 8;

/** The numbers of the memory account, which lies before the mailboxes. */
const [BYTES, PEAK_BYTES, BYTE_LIMIT, ALLOCATIONS_BEFORE_FAILURE, ACCOUNT_COUNT] = [0, 1, 2, 3, 4];

export class Session {
  /** @type {Float64Array} */
  #results;
  /** @type {Float64Array} */
  #parameters;
  /** @type {Float64Array} */
  #account;

  /** @param {WasmExports} wasm @param {number} [memoryLimit] */
  constructor(wasm, memoryLimit) {
    this.wasm = wasm;
    this.handle = wasm.session_create() >>> 0;
    if (!this.handle) throw new NavError('out-of-memory', 'there is no memory for an instance of the module');
    this.#results = this.#parameters = this.#account = new Float64Array(0);
    if (memoryLimit !== undefined) this.account[BYTE_LIMIT] = memoryLimit;
  }

  /** What the last call returned beside its status; overwritten by the next. */
  get results() {
    if (this.#results.buffer !== this.wasm.memory.buffer) this.#mapMailboxes();
    return this.#results;
  }

  /** What the next call takes beside its arguments. */
  get parameters() {
    if (this.#parameters.buffer !== this.wasm.memory.buffer) this.#mapMailboxes();
    return this.#parameters;
  }

  /** What memory is in use and may be. */
  get account() {
    if (this.#account.buffer !== this.wasm.memory.buffer) this.#mapMailboxes();
    return this.#account;
  }

  #mapMailboxes() {
    const { wasm, handle } = this;
    const all = new Float64Array(wasm.memory.buffer, handle + NUMBERS_AT, ACCOUNT_COUNT + 2 * MAILBOX_COUNT);
    this.#account = all.subarray(0, ACCOUNT_COUNT);
    this.#parameters = all.subarray(ACCOUNT_COUNT, ACCOUNT_COUNT + MAILBOX_COUNT);
    this.#results = all.subarray(ACCOUNT_COUNT + MAILBOX_COUNT);
  }

  /** A view of memory, for use before the next call. @param {number} address @param {number} count */
  view(address, count) {
    return new Uint8Array(this.wasm.memory.buffer, address >>> 0, count);
  }

  /** A copy of the bytes that the last call returned as its first two results. */
  copyReturnedBytes() {
    const [address, count] = this.results;
    return this.view(address, count).slice();
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
    const [value, minimum, maximum] = [0, 8, 16].map((at) => memory.getFloat64(address + at, true));
    const status = memory.getUint32(address + 24, true);
    const [field, before, after] = [28, 32, 36].map((at) => {
      const text = memory.getUint32(address + at, true);
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
    return new NavError(STATUS_CODES[status - 1], /** @type {string} */ (message), {
      field, value: Number.isNaN(value) && !field ? undefined : value,
    });
  }

  /** Throws unless the status is 0. @param {number} status */
  check(status) {
    if (status) throw this.lastError();
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

  /** Copies bytes in; free with wasm.memory_free. @param {Uint8Array} bytes */
  copyIn(bytes) {
    const address = this.checkAddress(this.wasm.memory_allocate(this.handle, Math.min(bytes.length, 0xffffffff)));
    this.view(address, bytes.length).set(bytes);
    return address;
  }

  /**
   * Bytes in use and the most that were in use at once. @param {boolean} [resetPeak]
   * @returns {{ bytes: number, peakBytes: number, wasmBytes: number }}
   */
  memory(resetPeak = false) {
    const { account } = this;
    const { [BYTES]: bytes, [PEAK_BYTES]: peakBytes } = account;
    if (resetPeak) account[PEAK_BYTES] = bytes;
    return { bytes, peakBytes, wasmBytes: this.wasm.memory.buffer.byteLength };
  }

  trim() {
    this.wasm.session_trim(this.handle);
  }

  /** @param {number} [count] */
  failAllocationsAfter(count = -1) {
    this.account[ALLOCATIONS_BEFORE_FAILURE] = count;
  }
}

/** Calls free for what nobody freed; a safety net, for nobody knows when it runs. */
const forgotten = new FinalizationRegistry((/** @type {() => void} */ free) => free());

/**
 * A handle into the module with one owner. Using it after free throws; so does freeing it twice.
 */
export class Handle {
  #address;
  #what;
  #free;

  /**
   * @param {object} owner the object that users hold
   * @param {string} what how messages name it
   * @param {number} address
   * @param {(address: number) => void} free must not refer to the owner
   */
  constructor(owner, what, address, free) {
    this.#address = address;
    this.#what = what;
    this.#free = free;
    forgotten.register(owner, () => free(address), this);
  }

  /** The address; throws after free. */
  get address() {
    if (!this.#address) throw new NavError('state', `this ${this.#what} was freed`);
    return this.#address;
  }

  get isFreed() {
    return this.#address === 0;
  }

  free() {
    const address = this.address;
    this.#address = 0;
    forgotten.unregister(this);
    this.#free(address);
  }
}
