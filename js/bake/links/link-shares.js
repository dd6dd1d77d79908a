/**
 * Shares work on links among workers: each makes the links of some places, and is sent the tiles within their reach that it doesn't hold.
 * The result depends on neither the number of workers nor their order.
 */
import { putLinkSet } from '../../mesh/segment-link-records.js';
import { WmSegmentLink } from '../../runtime/layout.js';
import { SEGMENT_LINK_KINDS } from '../../runtime/link-kinds.js';
import { throwIfAborted } from '../../runtime/time-slices.js';

/** @typedef {import('../../workers/messages.js').LinkedTile} LinkedTile */
/** @typedef {import('../../workers/messages.js').SentTile} SentTile */
/** @typedef {import('../tile-builders.js').TileLinker} TileLinker */
/** @typedef {{ x: number, z: number }} Place */
/** @template T @typedef {import('../../runtime/maybe-promise.js').MaybePromise<T>} MaybePromise */

/**
 * @typedef {object} Sharing
 * @property {import('../../runtime/time-slices.js').TimeSlices} slices of this thread
 * @property {Pick<import('../bake-limits.js').Limits, 'checkTime'>} [limits]
 * @property {AbortSignal} [signal]
 * @property {() => boolean} isOver true once the work was aborted
 * @property {(linked: number, tiles: number, index: number) => void} [onLinked] called after the links of each place with the number of such
 *   places, and of all, and its index
 */

/** The places whose links a worker makes, as indices of a list. @template {TileLinker} L @typedef {{ linker: L, indices: number[] }} Share */

/** The first column and row, and the last ones, of the tiles that the links of a place read. @typedef {(x: number, z: number) => [number, number, number, number]} ReachOf */

/** Tiles that are sent in one message. */
const SENT_PER_MESSAGE = 32;
/** Places whose links are made between two messages: those of small tiles take a tenth of a millisecond, as long as a message. */
const LINKED_PER_MESSAGE = 16;
const [LINK_BYTES, KIND_BYTE] = [4 * WmSegmentLink.words, 4 * WmSegmentLink.kind];

/**
 * The tiles that the links of some places read. @template {Place} T @param {readonly T[]} tiles all tiles, row by row
 * @param {readonly Place[]} places @param {ReachOf} reachOf @returns {T[]} those within the first and the last column of each row
 */
export function listWithinReach(tiles, places, reachOf) {
  /** The first and the last column in each row. @type {Map<number, [number, number]>} */
  const rows = new Map();
  for (const place of places) {
    const [firstX, firstZ, lastX, lastZ] = reachOf(place.x, place.z);
    for (let z = firstZ; z <= lastZ; z++) {
      const [first, last] = rows.get(z) ?? [firstX, lastX];
      rows.set(z, [Math.min(first, firstX), Math.max(last, lastX)]);
    }
  }
  return tiles.filter(({ x, z }) => {
    const [first, last] = rows.get(z) ?? [0, -1];
    return x >= first && x <= last;
  });
}

/** The bytes of the tile at a place; null: there is none. @param {import('../../mesh/mesh.js').NavMesh} navMesh @param {Place} place */
export function readTileAt(navMesh, { x, z }) {
  const ref = navMesh.tileAt(x, z);
  return ref ? navMesh.tileBytes(ref) : null;
}

/**
 * Sends tiles to a worker, in slices.
 * @template T @param {TileLinker} linker @param {readonly T[]} tiles @param {(part: T[]) => MaybePromise<SentTile[]>} read makes what is sent
 * @param {Pick<Sharing, 'slices' | 'isOver'>} sharing
 */
export async function giveTiles(linker, tiles, read, { slices, isOver }) {
  for (let i = 0; i < tiles.length && !isOver(); i += SENT_PER_MESSAGE) {
    const sent = await read(tiles.slice(i, i + SENT_PER_MESSAGE));
    if (isOver()) return;
    await linker.giveTiles(sent);
    if (isOver()) return;
    await slices.restIfOver();
  }
}

/**
 * Has the links of each place made in the worker of its share, which has all tiles within reach.
 * @template {TileLinker} L @param {readonly Share<L>[]} shares @param {readonly Place[]} places @param {boolean} wantsRefused
 * @param {Sharing} sharing @returns {Promise<LinkedTile[]>} in the order of the places
 */
export async function linkShares(shares, places, wantsRefused, { limits, signal, isOver, onLinked }) {
  /** @type {LinkedTile[]} */
  const made = [];
  let linked = 0;
  await Promise.all(shares.map(async ({ linker, indices }) => {
    const left = indices.slice();
    await Promise.all(Array.from({ length: linker.depth }, async () => {
      while (left.length > 0) {
        const part = left.splice(0, LINKED_PER_MESSAGE);
        const answers = await linker.linkTiles(part.map((i) => ({ x: places[i].x, z: places[i].z })), wantsRefused);
        if (isOver()) return;
        answers.forEach((answer, k) => {
          throwIfAborted(signal);
          limits?.checkTime();
          made[part[k]] = answer;
          onLinked?.(++linked, places.length, part[k]);
        });
      }
    }));
  }));
  return made;
}

/**
 * Makes the links of some places in workers that hold no tiles: each gets places that follow each other, and all tiles within their reach.
 * @param {readonly TileLinker[]} linkers @param {readonly Place[]} places row by row
 * @param {{ tiles: readonly Place[], reachOf: ReachOf, read: (place: Place) => SentTile | undefined }} source tiles: all, row by row; read
 *   returns undefined for a place that is missing
 * @param {boolean} wantsRefused @param {Sharing} sharing @returns {Promise<LinkedTile[]>} in the order of the places
 */
export async function linkInWorkers(linkers, places, { tiles, reachOf, read }, wantsRefused, sharing) {
  const startOf = (/** @type {number} */ share) => Math.floor((share * places.length) / linkers.length);
  const shares = linkers.map((linker, i) => ({ linker, indices: Array.from({ length: startOf(i + 1) - startOf(i) }, (_, k) => startOf(i) + k) }));
  const readAll = (/** @type {Place[]} */ part) => part.flatMap((place) => read(place) ?? []);
  await Promise.all(shares.map(({ linker, indices }) => (
    giveTiles(linker, listWithinReach(tiles, indices.map((i) => places[i]), reachOf), readAll, sharing))));
  return linkShares(shares, places, wantsRefused, sharing);
}

/**
 * Puts the links that a worker made into a mesh, and adds them to a report.
 * @param {import('../../mesh/mesh.js').NavMesh} navMesh @param {Place} place @param {Pick<LinkedTile, 'bytes' | 'milliseconds'>} linked
 * @param {import('./link-generator.js').LinkReport} report
 */
export function putLinkedTile(navMesh, { x, z }, { bytes, milliseconds }, report) {
  putLinkSet(navMesh, x, z, bytes);
  for (let at = KIND_BYTE; at < bytes.length; at += LINK_BYTES) report.counts[SEGMENT_LINK_KINDS[bytes[at]]]++;
  report.count += bytes.length / LINK_BYTES;
  report.milliseconds += milliseconds;
}
