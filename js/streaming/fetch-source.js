/** A tile source that fetches one file for each tile from a server. */
import { isRecord, requireCount, requireOptions } from '../runtime/arguments.js';
import { requireBytes } from '../runtime/bytes.js';
import { NavError, describe, invalidArgument } from '../runtime/errors.js';
import { nameSet } from '../runtime/option-names.js';

/**
 * @typedef {object} FetchSourceOptions
 * @property {RequestInit} [request] options of every request: headers, credentials, cache
 * @property {readonly number[]} [missing] statuses of tile places without a tile; default 204, 404, 410
 * @property {typeof fetch} [fetch] replaces the global fetch
 */

const NAMES = nameSet(/** @satisfies {import('../runtime/option-names.js').Names<FetchSourceOptions>} */ ({ request: 1, missing: 1, fetch: 1 }));
/** The largest status of HTTP. */
const MOST_STATUS = 999;
const MISSING = [204, 404, 410];

/**
 * The seconds in a server's Retry-After header, given as a number or as a date.
 * @param {Response} response @returns {number | undefined}
 */
function readRetryAfter(response) {
  const text = response.headers?.get('retry-after');
  if (!text) return undefined;
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000;
  return seconds >= 0 ? seconds : undefined;
}

/**
 * A source for a TileStreamer that fetches one file for each tile place, with the bytes of NavMesh.tiles() (or of
 * DynamicNavMesh.keptTile, for a dynamic mesh). A failure is a NavError `file` that names address and status; the streamer requests
 * the tile again, at the earliest when a server's Retry-After has passed.
 * @param {string | ((x: number, z: number) => string | URL)} address contains {x} and {z}: '/tiles/{x}_{z}.bin'
 * @param {FetchSourceOptions} [options]
 * @returns {(x: number, z: number, options?: { signal?: AbortSignal }) => Promise<Uint8Array | null>}
 */
export function fetchSource(address, options = {}) {
  const { request, missing = MISSING, fetch: get = globalThis.fetch } = requireOptions(options, NAMES);
  if (typeof address !== 'function' && !(typeof address === 'string' && address.includes('{x}') && address.includes('{z}'))) {
    throw invalidArgument('address', `is ${describe(address)}: must be a string that contains {x} and {z}, or a function`, address);
  }
  if (request !== undefined && !isRecord(request)) throw invalidArgument('request', `must be an object, not ${describe(request)}`, request);
  if (!Array.isArray(missing)) throw invalidArgument('missing', `must be an array of statuses, not ${describe(missing)}`, missing);
  const none = Array.from(missing, (status, i) => requireCount(status, `missing[${i}]`, MOST_STATUS)); // reads each once
  if (typeof get !== 'function') throw invalidArgument('fetch', `must be a function, not ${describe(get)}`, get);
  return async (x, z, { signal } = {}) => {
    const url = typeof address === 'function' ? address(x, z) : address.replaceAll('{x}', `${x}`).replaceAll('{z}', `${z}`);
    const fail = (/** @type {string} */ reason, /** @type {unknown} */ cause) => (
      new NavError('file', `can't fetch tile ${x}, ${z} from ${url}: ${reason}`, { field: 'source', value: `${url}`, cause }));
    try {
      const response = await get(url, { ...request, signal });
      if (none.includes(response.status)) return null;
      if (response.ok) return requireBytes(await response.arrayBuffer(), 'response.arrayBuffer()');
      throw Object.assign(fail(`${response.status} ${response.statusText}`.trim(), undefined), { retrySeconds: readRetryAfter(response) });
    } catch (error) {
      if (error instanceof NavError || signal?.aborted) throw error;
      throw fail(error instanceof Error ? error.message : String(error), error);
    }
  };
}
