/** Highlights polygons of the current mesh. */
import { Group } from 'three';
import { PolygonsHelper } from 'walkmesh/three';
import { shiftDepth } from '../layers/depth-shift.js';

/** @typedef {import('walkmesh').NavMesh} NavMesh */

export class LitPolygons extends Group {
  #options;
  /** @type {PolygonsHelper | null} */
  #helper = null;
  /** @type {NavMesh | null} */
  #navMesh = null;

  /** @param {import('walkmesh/three').PolygonsHelperOptions} options */
  constructor(options) {
    super();
    this.#options = options;
  }

  /** Number of drawn polygons. */
  get count() {
    return this.#helper?.count ?? 0;
  }

  /** @param {NavMesh} navMesh @param {ArrayLike<number>} polygons @param {import('walkmesh/three').PolygonsUpdate} [update] */
  show(navMesh, polygons, update) {
    if (navMesh !== this.#navMesh) {
      this.clear();
      this.#navMesh = navMesh;
      this.#helper = new PolygonsHelper(navMesh, this.#options);
      shiftDepth(this.#helper.surface.material);
      this.add(this.#helper);
    }
    this.#helper?.update(polygons, update);
  }

  /** The mesh is about to be freed. @override */
  clear() {
    this.#helper?.dispose();
    this.#helper = this.#navMesh = null;
    return super.clear();
  }
}
