/** Draws the surface of a mesh. */
import { BufferAttribute, BufferGeometry, Mesh, MeshBasicMaterial, Object3D } from 'three';
import { requireMaterial, requireObject } from '../recast-navigation/arguments.js';
import { getNavMeshPositionsAndIndices } from '../recast-navigation/index.js';

/** @typedef {import('three').Material} Material */
/** @typedef {import('../recast-navigation/nav-mesh.js').NavMesh} NavMesh */
/** @typedef {{ navMeshMaterial?: Material }} NavMeshHelperParams */

/** Call update() after a change of the mesh. */
export class NavMeshHelper extends Object3D {
  /** @param {NavMesh} navMesh @param {NavMeshHelperParams} [params] */
  constructor(navMesh, params = {}) {
    super();
    const { navMeshMaterial } = requireObject(params, 'params');
    requireMaterial(navMeshMaterial, 'navMeshMaterial');
    this.navMesh = navMesh;
    /** @type {Material} */
    this.navMeshMaterial = navMeshMaterial
      ?? new MeshBasicMaterial({ color: 'orange', transparent: true, opacity: 0.65, depthWrite: false });
    /** @type {BufferGeometry} */
    this.navMeshGeometry = new BufferGeometry();
    /** @type {Mesh} */
    this.mesh = new Mesh(this.navMeshGeometry, this.navMeshMaterial);
    this.add(this.mesh);
    this.update();
  }

  /** Reads the mesh again. */
  update() {
    const [positions, indices] = getNavMeshPositionsAndIndices(this.navMesh);
    const geometry = this.navMeshGeometry;
    geometry.dispose(); // three.js can't change the size of a buffer on the GPU
    geometry.setAttribute('position', new BufferAttribute(Float32Array.from(positions), 3));
    geometry.setIndex(new BufferAttribute(Uint32Array.from(indices), 1));
    geometry.computeVertexNormals();
    geometry.computeBoundingSphere();
  }
}
