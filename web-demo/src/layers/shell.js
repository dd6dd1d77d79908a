/**
 * Closed levels, such as interiors, open as a shell: back faces are culled, so that ceilings and outer walls don't hide the rooms, and
 * the navigation mesh is drawn faintly through what is in front of it.
 */
import { DoubleSide, FrontSide, GreaterDepth, Mesh, MeshBasicMaterial, Ray, Vector3 } from 'three';
import { shiftDepth } from './depth-shift.js';

/** @typedef {import('../app.js').App} App */

/** Rays on a side of the grid that looks down on a level. */
const SIDE = 17;
/**
 * A level is closed if these shares of the rays that meet it, and of the rays that meet the back of a triangle first, see a ceiling's back
 * and ground below. Games have levels whose rooms are closed and whose yards are open; random triangles have ground below few backs.
 */
const [CLOSED_SHARE, GROUND_SHARE] = [0.15, 0.75];

/**
 * True if a level is seen from outside through its ceilings: parts of it, looked at from above, show the back of a triangle with
 * ground that faces up below.
 * @param {import('three-mesh-bvh').MeshBVH} tree @param {import('three').Box3} bounds
 */
export function isClosed(tree, { min, max }) {
  let [met, backs, closed] = [0, 0, 0];
  const down = new Vector3(0, -1, 0);
  const first = (/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ z) => tree.raycastFirst(new Ray(new Vector3(x, y, z), down), DoubleSide);
  for (let i = 0; i < SIDE * SIDE; i++) {
    const [x, z] = [min.x + (max.x - min.x) * (i % SIDE + 0.5) / SIDE, min.z + (max.z - min.z) * (Math.floor(i / SIDE) + 0.5) / SIDE];
    const hit = first(x, max.y + 1, z);
    if (!hit?.face) continue;
    met++;
    const isBack = hit.face.normal.y < -0.1;
    if (isBack) backs++;
    const below = isBack ? first(x, hit.point.y - 1e-3, z) : null;
    if (below?.face && below.face.normal.y > 0.1) closed++;
  }
  return closed > CLOSED_SHARE * met && closed > GROUND_SHARE * backs;
}

/** True if the level is drawn as a shell: as chosen, or if it is closed. @param {App} app */
export const isShell = (app) => app.store.state.view.shell ?? app.levels.current?.isClosed ?? false;

const ghostMaterial = new MeshBasicMaterial({
  vertexColors: true, transparent: true, opacity: 0.2, depthFunc: GreaterDepth, depthWrite: false, side: DoubleSide, forceSinglePass: true, toneMapped: false,
});
shiftDepth(ghostMaterial);

/** The surface of the navigation mesh behind other objects. @param {App} app @param {Mesh} surface of a NavMeshHelper */
export function makeGhost(app, surface) {
  const ghost = new Mesh(surface.geometry, ghostMaterial);
  ghost.name = 'surface behind the level';
  ghost.renderOrder = 0.9;
  ghost.frustumCulled = false;
  ghost.raycast = () => {};
  ghost.visible = isShell(app);
  return ghost;
}

/** Culls the back faces of closed levels. @param {App} app */
export function followShell(app) {
  const update = () => {
    const { current } = app.levels;
    if (!current) return;
    const side = isShell(app) ? FrontSide : DoubleSide;
    current.mesh.material.userData.depths.value.z = Number(isShell(app));
    if (current.mesh.material.side !== side) Object.assign(current.mesh.material, { side, needsUpdate: true });
    app.layers.get('navMesh')?.object.traverse((part) => {
      if (part.name === 'surface behind the level') part.visible = isShell(app);
    });
    app.viewport.invalidate();
    app.panels.refresh();
  };
  app.events.on('level', update);
  app.store.subscribe(({ view }, { view: before }) => {
    if (view.shell !== before.shell) update();
  });
}
