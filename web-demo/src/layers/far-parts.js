/**
 * Parts of the navigation mesh that are too small to see from far away, such as the veil above its walls: they aren't drawn while even the
 * nearest of them would be smaller than some pixels. Without a graphics card they take half of the time of a drawing.
 */
import { Box3, MathUtils } from 'three';
import { totalsOf } from '../bake/totals.js';

/**
 * @param {import('../app.js').App} app @param {import('three').Mesh | import('three').LineSegments} part of a helper
 * @param {import('walkmesh').NavMesh} navMesh that the part belongs to @param {{ size: number, least: number }} options size: world units; least: pixels
 */
export function hideFar({ viewport }, part, navMesh, { size, least }) {
  const { geometry } = part;
  const bounds = new Box3();
  const before = part.onBeforeRender;
  let count = Infinity;
  part.onBeforeRender = (...values) => {
    before.apply(part, values);
    const { boundsMin, boundsMax } = totalsOf(navMesh);
    bounds.min.fromArray(boundsMin);
    bounds.max.fromArray(boundsMax);
    const { camera, canvas } = viewport;
    const pixels = size * canvas.clientHeight / (2 * Math.tan(MathUtils.degToRad(camera.fov) / 2)) / bounds.distanceToPoint(camera.position);
    ({ count } = geometry.drawRange);
    if (pixels < least) geometry.drawRange.count = 0;
  };
  part.onAfterRender = () => { geometry.drawRange.count = count; };
}
