/** The picture of docs/three.md: the same level twice, with the helpers of its mesh, and of a bake. Runs in the page. */
import { prepare } from './helpers-page.js';

/** The helpers of each half, from left to right. */
const HALVES = [['NavMeshHelper', 'ConnectionsHelper', 'PathHelper', 'AgentsHelper'], ['VoxelsHelper', 'ContoursHelper']];

/** Draws the halves side by side. @param {{ width: number, height: number }} size of a half */
export async function drawPicture(size) {
  document.body.style.cssText = 'margin: 0; display: flex; gap: 8px; background: #fff';
  for (const names of HALVES) {
    const { scene, draw, makers } = await prepare({ ...size, from: [19.6, 33.4, 36.8], to: [0.4, 0, 2.4] });
    document.body.style.margin = '0';
    scene.add(...names.map((name) => makers[name]()));
    draw();
  }
}
