/** The second pass of a bake with links in this thread: when all tiles are in the mesh, makes the links of each. (In workers: shared-links.js.) */
import { wantsLinks } from '../../input/link-config.js';
import { NavError } from '../../runtime/errors.js';
import { AirCollector } from './air-collector.js';
import { LinkGenerator, listPlaces, runTiles } from './link-generator.js';

/** @typedef {import('../bake-report.js').BakeReport} BakeReport */
/** @typedef {import('../../input/geometry.js').Geometry} Geometry */
/** @typedef {import('./link-generator.js').GeneratedLinks} GeneratedLinks */
/** @typedef {import('./link-generator.js').LinkReport} LinkReport */
/** @typedef {import('./link-generator.js').TileAir} TileAir */
/** @typedef {import('../../mesh/mesh.js').NavMesh} NavMesh */

/**
 * Throws if a configuration asks for links where none are generated.
 * @param {import('../../input/config.js').Config | undefined} config @param {string} what is made @param {string} advice
 */
export function requireNoLinks(config, what, advice) {
  if (wantsLinks(config)) throw new NavError('unsupported', `${what} generate no links: ${advice}`, { field: 'links' });
}

/** Copies what a report says of links. @param {GeneratedLinks} generated @returns {LinkReport} */
export const toLinkReport = ({ count, counts, milliseconds, airBytes }) => ({ count, counts, milliseconds, airBytes });

/**
 * Makes the links of a mesh that was just baked, in steps of one tile, so that the caller can rest between them.
 * @param {NavMesh} navMesh with the configuration of its bake @param {Geometry} geometry
 * @param {readonly TileAir[] | AirCollector} air of its tiles
 * @param {boolean} keepsGenerator true: makes a generator, and leaves it; it is freed with the mesh
 * @returns {Generator<number, { generator?: LinkGenerator, links: LinkReport }, void>} yields the number of tiles after each
 */
export function* linkByTiles(navMesh, geometry, air, keepsGenerator) {
  if (air instanceof AirCollector && !keepsGenerator) {
    // The collector has all that a run reads. Only sentences of refusals name limits.
    const asked = { links: {}, wantsRefused: false };
    return { links: toLinkReport(yield* runTiles(navMesh.session, () => air.address, listPlaces(navMesh), navMesh, asked)) };
  }
  const config = /** @type {import('../../input/config.js').Config & { links: import('../../input/link-config.js').LinkConfig }} */ (navMesh.config);
  const collected = air instanceof AirCollector ? air : undefined;
  const generator = new LinkGenerator(navMesh, config, geometry.volumes, collected);
  for (const tile of air instanceof AirCollector ? [] : air) generator.setAir(tile);
  const links = toLinkReport(yield* generator.run(generator.places()));
  if (keepsGenerator) return { generator, links };
  generator.free();
  return { links };
}
