/** Keeps a point visible above an open sheet of a phone. */
import { Vector3 } from 'three';

/** @typedef {import('../app.js').App} App */

/** Space between the point and the sheet, and above the point for its answer, pixels. */
const [BELOW, ABOVE] = [24, 150];

/** The height of the view above the open sheet, pixels; null: no sheet is open. @param {HTMLElement} canvas */
function freeHeight(canvas) {
  const view = canvas.getBoundingClientRect();
  const tops = Array.from(document.querySelectorAll('.panel')).map((panel) => panel.getBoundingClientRect()).filter(({ height }) => height > 0).map(({ top }) => top);
  const top = Math.min(...tops);
  return tops.length > 0 && top > view.top ? top - view.top : null;
}

/** Moves the camera up or down in its picture, so that a point lies above the open sheet. @param {App} app @param {readonly number[]} point */
export function keepAboveSheet({ viewport, panels }, point) {
  if (!panels.isPhone) return;
  const { camera, controls, canvas } = viewport;
  const free = freeHeight(canvas);
  if (free === null) return;
  camera.updateMatrixWorld();
  const at = new Vector3(...point);
  const depth = -at.clone().applyMatrix4(camera.matrixWorldInverse).z;
  const height = canvas.clientHeight;
  const y = (1 - at.project(camera).y) / 2 * height;
  const lowest = free - BELOW;
  const wanted = Math.max(Math.min(y, lowest), Math.min(ABOVE, lowest));
  if (wanted === y || depth <= 0) return;
  const step = new Vector3().setFromMatrixColumn(camera.matrixWorld, 1).multiplyScalar((wanted - y) / height * 2 * depth * Math.tan(camera.fov * Math.PI / 360));
  camera.position.add(step);
  controls.target.add(step);
  controls.update();
  controls.dispatchEvent({ type: 'end' });
  viewport.invalidate();
}
