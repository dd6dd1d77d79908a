/** Finds the agents under a click or inside a box on the screen. */
import { Vector3 } from 'three';

/** @typedef {{ left: number, top: number, right: number, bottom: number }} Box page pixels */
/** @typedef {import('../view/viewport.js').Viewport} Viewport */

/** Least distance in pixels between a click and the centre of the agent it selects. */
const CATCH_RADIUS = 10;

/** @param {{ clientX: number, clientY: number }} a @param {{ clientX: number, clientY: number }} b @returns {Box} */
export function boxBetween(a, b) {
  return {
    left: Math.min(a.clientX, b.clientX), right: Math.max(a.clientX, b.clientX),
    top: Math.min(a.clientY, b.clientY), bottom: Math.max(a.clientY, b.clientY),
  };
}

/**
 * Calls back with the page position of each agent's centre and half its height in pixels.
 * @param {Viewport} viewport @param {ArrayLike<number>} positions [count][3] @param {number} count @param {number} height of agents
 * @param {(index: number, x: number, y: number, half: number, depth: number) => void} visit
 */
function project({ camera, canvas }, positions, count, height, visit) {
  const area = canvas.getBoundingClientRect();
  const [middle, top] = [new Vector3(), new Vector3()];
  camera.updateMatrixWorld();
  for (let i = 0; i < count; i++) {
    middle.fromArray(positions, 3 * i);
    top.copy(middle);
    middle.y += height / 2;
    top.y += height;
    middle.project(camera);
    if (middle.z < -1 || middle.z > 1) continue;
    top.project(camera);
    const x = area.left + (middle.x + 1) / 2 * area.width, y = area.top + (1 - middle.y) / 2 * area.height;
    visit(i, x, y, Math.hypot((top.x - middle.x) * area.width, (top.y - middle.y) * area.height) / 2, middle.z);
  }
}

/** Indices of the agents inside a box. @param {Viewport} viewport @param {ArrayLike<number>} positions @param {number} count @param {number} height @param {Box} box */
export function agentsInBox(viewport, positions, count, height, { left, top, right, bottom }) {
  /** @type {number[]} */
  const found = [];
  project(viewport, positions, count, height, (index, x, y) => {
    if (x >= left && x <= right && y >= top && y <= bottom) found.push(index);
  });
  return found;
}

/**
 * Index of the agent under the pointer that is nearest to the camera; -1: none.
 * @param {Viewport} viewport @param {ArrayLike<number>} positions @param {number} count @param {number} height @param {{ clientX: number, clientY: number }} event
 */
export function agentAt(viewport, positions, count, height, { clientX, clientY }) {
  let [best, nearest] = [-1, Infinity];
  project(viewport, positions, count, height, (index, x, y, half, depth) => {
    if (Math.hypot(x - clientX, y - clientY) > Math.max(CATCH_RADIUS, half) || depth >= nearest) return;
    [best, nearest] = [index, depth];
  });
  return best;
}
