/** MeshBuilder: a mesh to which a bake adds tiles. */
import { toBounds } from '../input/config.js';
import { NavError } from '../runtime/errors.js';
import { WmMeshParameters } from '../runtime/layout.js';

/** @typedef {import('../runtime/session.js').Session} Session */
/** @typedef {import('../bake/bake-steps.js').BakeSteps} BakeSteps */

export class MeshBuilder {
  session;
  #address = 0;

  /** @param {Session} session */
  constructor(session) {
    this.session = session;
  }

  /** @param {Pick<BakeSteps, 'config' | 'voxels'>} baker */
  begin({ config, voxels }) {
    const session = this.session;
    const [minX, minY, minZ] = voxels.boundsMin;
    const single = config.tileSize === 0;
    const side = (/** @type {number} */ axis) =>
      (single ? Math.max(voxels.boundsMax[axis] - voxels.boundsMin[axis], config.cellSize) : voxels.tileWorldSize);
    session.refresh();
    const { f32, u32, inputs } = session;
    u32.fill(0, inputs, inputs + WmMeshParameters.words);
    f32.set([minX, minY, minZ], inputs + WmMeshParameters.origin);
    f32[inputs + WmMeshParameters.tileWidth] = side(0);
    f32[inputs + WmMeshParameters.tileDepth] = side(2);
    u32[inputs + WmMeshParameters.tileCountX] = voxels.tileCountX;
    u32[inputs + WmMeshParameters.tileCountZ] = voxels.tileCountZ;
    for (const name of /** @type {const} */ (['cellSize', 'cellHeight', 'agentHeight', 'agentRadius', 'agentMaxClimb'])) {
      f32[inputs + WmMeshParameters[name]] = config[name];
    }
    session.check(session.wasm.mesh_create(session.handle));
    this.#address = session.u32[session.answer];
    const text = new TextEncoder().encode(JSON.stringify({ ...config, bounds: toBounds(voxels) }));
    session.withCopy(text, (address) => session.wasm.mesh_set_configuration(this.#address, address, text.length));
  }

  /** @param {Uint8Array} bytes in Detour's format */
  addTile(bytes) {
    const session = this.session;
    session.withCopy(bytes, (address) => session.wasm.mesh_add_tile(this.#address, address, bytes.length));
  }

  /** The address of the finished mesh, which the caller now owns. */
  takeAddress() {
    const address = this.#address;
    if (!address) throw new NavError('state', 'the mesh was not begun: call begin first');
    this.#address = 0;
    return address;
  }

  /** Frees the mesh, unless it was taken. */
  free() {
    if (this.#address) this.session.wasm.mesh_destroy(this.#address);
    this.#address = 0;
  }
}
