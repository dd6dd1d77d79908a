/** The second pass of a bake with links: when all tiles are in the mesh, makes the links of each. */
import { wantsLinks } from '../input/link-config.js';
import { NavError } from '../runtime/errors.js';
import { LinkGenerator } from './link-generator.js';

/** @typedef {import('./bake-report.js').BakeReport} BakeReport */
/** @typedef {import('../input/geometry.js').Geometry} Geometry */
/** @typedef {import('./link-generator.js').GeneratedLinks} GeneratedLinks */
/** @typedef {import('./link-generator.js').LinkReport} LinkReport */
/** @typedef {import('./link-generator.js').TileAir} TileAir */
/** @typedef {import('../mesh/mesh.js').NavMesh} NavMesh */

/**
 * Throws if a configuration asks for links where none are generated.
 * @param {import('../input/config.js').Config | undefined} config @param {string} what is made @param {string} advice
 */
export function requireNoLinks(config, what, advice) {
  if (wantsLinks(config)) throw new NavError('unsupported', `${what} generate no links: ${advice}`, { field: 'links' });
}

/** Copies what a report says of links. @param {GeneratedLinks} generated @returns {LinkReport} */
export const toLinkReport = ({ count, counts, milliseconds, airBytes }) => ({ count, counts, milliseconds, airBytes });

/**
 * Makes the links of a mesh that was just baked, in steps of one tile, so that the caller can rest between them.
 * @param {NavMesh} navMesh with the configuration of its bake @param {Geometry} geometry @param {readonly TileAir[]} air of its tiles
 * @returns {Generator<number, { generator: LinkGenerator, links: LinkReport }, void>} yields the number of tiles after each; the
 *   generator is freed with the mesh
 */
export function* linkByTiles(navMesh, geometry, air) {
  const generator = new LinkGenerator(navMesh, /** @type {import('../input/config.js').Config} */ (navMesh.config), geometry.volumes);
  for (const tile of air) generator.setAir(tile);
  return { generator, links: toLinkReport(yield* generator.run(generator.places())) };
}
