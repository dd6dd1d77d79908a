/** The level that is open: loads what the document asks for. */
import { Box3, BufferAttribute, BufferGeometry, DoubleSide, Mesh, MeshStandardMaterial } from 'three';
import { MeshBVH, acceleratedRaycast } from 'three-mesh-bvh';
import { OBJLoader } from 'three/addons/loaders/OBJLoader.js';

/** @typedef {import('../app.js').App} App */

/**
 * @typedef {object} Level
 * @property {string} name
 * @property {Float32Array} positions [vertices][3] world units
 * @property {Uint32Array} indices [triangles][3]
 * @property {Mesh<BufferGeometry, MeshStandardMaterial>} mesh
 * @property {Box3} bounds
 * @property {number} triangles
 */

export class Levels {
  #app;
  /** @type {Level | null} */
  current = null;

  /** @param {App} app */
  constructor(app) {
    this.#app = app;
  }

  start() {
    this.#app.store.subscribe((state, previous) => {
      if (state.document.level !== previous.document.level) void this.#load();
    });
    void this.#load();
  }

  async #load() {
    const { name } = this.#app.store.state.document.level;
    const text = await (await fetch(`./levels/${name}.obj`)).text();
    /** @type {number[]} */
    const all = [];
    new OBJLoader().parse(text).traverse((object) => {
      if (object instanceof Mesh) for (const value of object.geometry.attributes.position.array) all.push(value);
    });
    const positions = Float32Array.from(all);
    const indices = Uint32Array.from({ length: positions.length / 3 }, (_, i) => i);
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(positions, 3));
    geometry.setIndex(new BufferAttribute(indices, 1));
    geometry.computeVertexNormals();
    geometry.boundsTree = new MeshBVH(geometry, { indirect: true });
    const mesh = new Mesh(geometry, new MeshStandardMaterial({ color: 0xb9b2a6, roughness: 0.95, flatShading: true, side: DoubleSide }));
    mesh.raycast = acceleratedRaycast;
    const bounds = new Box3().setFromBufferAttribute(/** @type {BufferAttribute} */ (geometry.attributes.position));
    this.current = { name, positions, indices, mesh, bounds, triangles: indices.length / 3 };
    const { min, max } = bounds;
    this.#app.store.setSession({
      level: { name, triangles: indices.length / 3, bounds: { min: [min.x, min.y, min.z], max: [max.x, max.y, max.z] } },
    });
    this.#app.viewport.setBounds(bounds);
    if (!this.#app.store.state.view.camera) this.#app.viewport.frameBox(bounds);
    this.#app.events.emit('level', this.current);
  }
}
