/**
 * The entry `walkmesh/core`, for small pages: load, bake, nearest point, path. Results equal those of `walkmesh`, to the bit.
 *
 *   const walkmesh = await load();
 *   const { navMesh } = walkmesh.bake({ positions, indices }, { cellSize: 0.3 });
 *   const path = navMesh.findPath([0, 0, 0], [10, 0, 5]);
 *
 * It has no links that are generated, solids, spheres or capsules as volumes, median filter, warnings and counts in the report, stages, files, other
 * queries, stored filters, islands or any-angle paths. A page needs only this entry and dist/walkmesh-core.wasm. In Node it
 * shares its code with the other entries.
 */
import { BakeSteps } from './bake/bake-steps.js';
import { PathFinding } from './query/find-path.js';
import { NavError } from './runtime/errors.js';
import { instantiateFrom } from './runtime/instantiate.js';
import { MeshBuilder } from './mesh/mesh-builder.js';
import { Instance, makeOwner, ownerOf } from './runtime/instance.js';

export { NavError };

/** @typedef {import('./input/config.js').Config} Config */
/** @typedef {import('./input/geometry.js').Geometry} Geometry */
/** @typedef {import('./runtime/instantiate.js').LoadOptions} LoadOptions */
/** @typedef {import('./bake/bake-steps.js').Voxels} Voxels */

/** A navigation mesh with nearestPoint and findPath. The caller frees it. */
export class NavMesh extends PathFinding {}

/**
 * @typedef {object} CoreBakeReport
 * @property {number} milliseconds from the call to its return
 * @property {{ x: number, z: number, built: number }} tiles the grid, and the number of tiles with polygons
 * @property {import('./input/config.js').FullConfig} config the value in force of every field
 * @property {Readonly<Voxels>} voxels
 */

/** An instance of the core module, with its own memory. */
export class Walkmesh extends Instance {
  /**
   * Bakes a level: a single tile, or a grid of tiles with config.tileSize. The caller frees the mesh.
   * @param {Geometry} geometry
   * @param {Config} [config]
   * @returns {{ navMesh: NavMesh, report: CoreBakeReport }}
   */
  bake(geometry, config = {}) {
    const start = performance.now();
    const { session } = ownerOf(this);
    if (config?.links !== undefined) throw new NavError('unsupported', 'walkmesh/core generates no links: import walkmesh', { field: 'links' });
    const builder = new MeshBuilder(session);
    const baker = new BakeSteps(session, geometry, config);
    try {
      const { tileCountX, tileCountZ } = baker.voxels;
      let built = 0;
      builder.begin(baker);
      for (let tile = 0; tile < tileCountX * tileCountZ; tile++) {
        baker.beginTile(tile % tileCountX, Math.floor(tile / tileCountX));
        while (baker.nextStage !== 'done') baker.runStage();
        const bytes = baker.takeTile();
        if (!bytes) continue;
        builder.addTile(bytes);
        built++;
      }
      const report = {
        milliseconds: performance.now() - start, tiles: { x: tileCountX, z: tileCountZ, built }, config: baker.config,
        voxels: baker.voxels,
      };
      return { navMesh: new NavMesh(session, builder.takeAddress()), report };
    } finally {
      baker.free();
      builder.free();
    }
  }
}

/** Both addresses are literal, so that bundlers find both files. @param {boolean} simd */
function packagedUrl(simd) {
  return simd ? new URL('../dist/walkmesh-core.wasm', import.meta.url)
    : new URL('../dist/walkmesh-core-scalar.wasm', import.meta.url);
}

/**
 * Makes an instance of the core module. The first call reads and compiles it, later ones only instantiate.
 * @param {LoadOptions} [options] `wasm` may also be walkmesh.wasm
 * @returns {Promise<Walkmesh>}
 */
export async function load(options = {}) {
  const { owner, simd } = await makeOwner(options, (given) => instantiateFrom(given, packagedUrl));
  return new Walkmesh(owner, simd);
}
