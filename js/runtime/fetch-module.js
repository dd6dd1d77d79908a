/** Reads and compiles a .wasm file from an address. Errors name the address, what came back and the remedy. */
import { NavError } from './errors.js';

const REMEDY = "Pass the module, load({ wasm }), or import 'walkmesh/inline'";

/** The bytes of an empty module, with which every module begins. */
const EMPTY_MODULE = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0);

/** @param {unknown} cause */
const reasonOf = (cause) => (cause instanceof Error ? cause.message : String(cause)).replace(/\s+/g, ' ').replace(/\.$/, '');

/** @param {string} address @param {string} problem @param {unknown} [cause] */
export function unreachable(address, problem, cause) {
  return new NavError('unreachable', `${address} ${problem}${cause ? `: ${reasonOf(cause)}` : ''}. ${REMEDY}`, { field: 'wasm', value: address, cause });
}

/** @param {unknown} error */
export const isUnreachable = (error) => error instanceof NavError && error.code === 'unreachable';

/** Throws if bytes are not a module. @param {Uint8Array} bytes @param {string} address */
function checkModule(bytes, address) {
  if (EMPTY_MODULE.every((byte, i) => bytes[i] === byte)) return;
  const start = new TextDecoder().decode(bytes.subarray(0, 256)).trimStart();
  if (/^<(!doctype|html|!--)/i.test(start)) throw unreachable(address, 'is an HTML page, not the WebAssembly module');
  throw new NavError('corrupt', `${address} is not a WebAssembly module: it starts with ${JSON.stringify(start.slice(0, 20))}`,
    { field: 'wasm', value: address });
}

/**
 * Fetches and watches for the browser's report that a content security policy forbids it: fetch() itself rejects with the same error
 * as without a network.
 * @param {string} address @returns {Promise<Response>}
 */
async function fetchWatched(address) {
  let isForbidden = false;
  const watch = (/** @type {any} */ { blockedURI }) => { isForbidden ||= blockedURI === address; };
  globalThis.addEventListener?.('securitypolicyviolation', watch);
  try {
    return await fetch(address);
  } catch (cause) {
    await new Promise((resolve) => { setTimeout(resolve, 0); }); // the report comes a task later
    if (isForbidden) {
      throw new NavError('blocked', `the content security policy forbids to fetch ${address}. Allow it in connect-src`, { field: 'wasm', value: address, cause });
    }
    throw unreachable(address, 'cannot be fetched', cause);
  } finally {
    globalThis.removeEventListener?.('securitypolicyviolation', watch);
  }
}

/** The bytes of a module. @param {Response} response @param {string} [address] @returns {Promise<Uint8Array<ArrayBuffer>>} */
export async function readResponse(response, address = response.url || 'the response') {
  if (!response.ok) throw unreachable(address, `cannot be fetched: the server answered ${response.status}`);
  const bytes = new Uint8Array(await response.arrayBuffer());
  checkModule(bytes, address);
  return bytes;
}

/**
 * Fetches a module, and compiles it while it arrives: only so can browsers store its code beside the file, for later visits. A server
 * must send the type that this takes. If it fails, fetches the module again to say why.
 * @param {URL} url @returns {Promise<WebAssembly.Module>}
 */
export async function compileFetched({ href }) {
  let response = await fetchWatched(href);
  if (response.ok && WebAssembly.compileStreaming && response.headers.get('content-type')?.toLowerCase() === 'application/wasm') {
    try {
      return await WebAssembly.compileStreaming(response);
    } catch {
      response = await fetchWatched(href);
    }
  }
  return WebAssembly.compile(await readResponse(response, href));
}

/**
 * The error for a module that the engine refuses to compile.
 * @param {unknown} cause @returns {Promise<NavError>} `blocked` if it refuses an empty module too, else `corrupt`
 */
export async function explainRefusal(cause) {
  // WebKit compiles under such a policy, and refuses to make an instance.
  const isForbidden = await WebAssembly.instantiate(EMPTY_MODULE).then(() => false, () => true);
  if (!isForbidden) {
    return new NavError('corrupt', `the WebAssembly module cannot be loaded: ${reasonOf(cause)}`, { field: 'wasm', cause });
  }
  return new NavError('blocked', `the content security policy or the host forbids to compile WebAssembly: ${reasonOf(cause)}. Allow `
    + "script-src 'wasm-unsafe-eval', or pass a compiled module, load({ wasm })", { field: 'wasm', cause });
}
