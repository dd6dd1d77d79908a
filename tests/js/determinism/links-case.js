/** Generated links that must be the same in every build: scenes, tile sizes and limits; tests/c/links_native.c has the same limits. */
import { hashBytes } from '../../../js/runtime/hash.js';
import { readLinkSet } from '../../../js/mesh/segment-link-records.js';
import { WmSegmentLink } from '../../../js/runtime/layout.js';

/** Scenes of tests/scenes with their tile sizes; 0: a single tile. */
export const LINK_CASES = /** @type {const} */ ([['plaza', 48], ['stairs', 0], ['terrain', 64], ['islands', 32]]);

/** @type {import('../../../js/index.js').LinkConfig} */
export const LINKS = { drop: { maxHeight: 4 }, jump: { maxDistance: 4, maxDown: 2 }, climb: { maxHeight: 2 }, vault: { maxHeight: 1.2, maxDepth: 1 } };

/** The bytes of a link before its padding. */
const [LINK_BYTES, USED_BYTES] = [4 * WmSegmentLink.words, 4 * WmSegmentLink.enabled + 1];

/** The count and the hash of the links of a mesh, as links_native prints them. @param {import('../../../js/index.js').NavMesh} navMesh */
function hashLinks(navMesh) {
  const { tileCountX, tileCountZ } = navMesh.parameters;
  const all = [];
  for (let i = 0; i < tileCountX * tileCountZ; i++) {
    const set = readLinkSet(navMesh, i % tileCountX, Math.floor(i / tileCountX));
    for (let at = 0; at < set.length; at += LINK_BYTES) all.push(...set.subarray(at, at + USED_BYTES));
  }
  return `${navMesh.segmentLinkCount} ${hashBytes(Uint8Array.from(all))}`;
}

/**
 * @param {import('../../../js/index.js').Walkmesh} walkmesh @param {{ positions: Float32Array, indices: Uint32Array }} level
 * @param {number} tileSize
 */
export function bakeAndHashLinks(walkmesh, level, tileSize) {
  const { navMesh } = walkmesh.bake(level, { tileSize, links: LINKS });
  const hash = hashLinks(navMesh);
  navMesh.free();
  return hash;
}
