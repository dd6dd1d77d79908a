/** Fits doors of the document into passages of the mesh, and tells what they do. */
import { DOOR } from './areas.js';
import { fitDoor } from './door-fit.js';
import { doorEffect, findPassage } from './passages.js';
import { findItem } from './items.js';
import { positionOf } from './shapes.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('./shapes.js').Point} Point */

/** What a door should do, in words for its panel and for the list of problems. */
export const DOOR_WORDS = {
  nothing: { title: 'closes nothing', text: 'No walkable ground lies in it. Fit it into a passage, or delete it.' },
  around: { title: 'can be walked around', text: 'Agents pass beside it. Widen it to both walls, or fit it into a passage.' },
};

/**
 * A door across the passage near a point; without one, at the ground below the point.
 * @param {App} app @param {Point} point @param {Point} ground @returns {{ shape: any, isFitted: boolean, distance: number }} distance from the point on x and z
 */
export function doorShapeAt({ levels, bakes, store }, point, ground) {
  const { mesh } = /** @type {import('../level/levels.js').Level} */ (levels.current);
  const passage = bakes.current && findPassage(bakes.current.navMesh, point);
  const shape = fitDoor(mesh, passage?.centre ?? ground, store.state.document.config, passage), [x, , z] = positionOf(shape);
  return { shape, isFitted: !bakes.current || passage !== null, distance: Math.hypot(x - point[0], z - point[2]) };
}

/** Moves a door into the passage nearest to it. @param {App} app @param {number} id */
export function fitIntoPassage(app, id) {
  const selection = { kind: /** @type {const} */ ('door'), id };
  const door = findItem(app.store.state.document, selection);
  if (!door || !app.levels.current) return;
  const at = positionOf(door.shape);
  const { shape, isFitted } = doorShapeAt(app, at, at);
  if (isFitted) app.edits.change(selection, 'fit door into passage', (old) => ({ ...old, shape }));
  else app.notices.warn('No passage near this door', 'Drag it between two walls first.');
}

/** What a door does; null: not known yet. @param {App} app @param {{ id: number, shape: any }} door */
export function effectOf({ bakes, edits }, { id, shape }) {
  if (!bakes.current || (bakes.current.dynamic?.dirtyTiles ?? 0) > 0) return null;
  return doorEffect(bakes.current.navMesh, shape, edits.live.doorPolygons(id), DOOR);
}
