/** Moves the camera by keys: frames the selection, looks along an axis, flies while the right mouse button is held. */
import { Box3, Vector3 } from 'three';
import { itemBounds } from '../edit/items.js';

/** @typedef {import('../app.js').App} App */

/** View directions: from the target to the camera. From above, z points down on the screen. */
const DIRECTIONS = { top: new Vector3(0, 1, 1e-4), front: new Vector3(0, 0, 1), side: new Vector3(1, 0, 0) };
/** Directions of the fly keys: right, up, forward. @type {Record<string, [number, number, number]>} */
const FLY = { KeyW: [0, 0, 1], KeyS: [0, 0, -1], KeyA: [-1, 0, 0], KeyD: [1, 0, 0], KeyE: [0, 1, 0], KeyQ: [0, -1, 0] };
/** Speed of flying: shares of the distance to the target per second, and the factor of Shift. */
const SPEED = 0.7, FAST = 3;
/** Size of a framed item relative to the level's agent height, so that its surroundings are visible. */
const MARGIN = 3;

/** Bounds of the selected items, with their surroundings; null: nothing is selected. @param {App} app */
function selectionBox(app) {
  const { selection, selected } = app.edits;
  if (!selection || !selected) return null;
  const { min, max } = itemBounds(selection.kind, selected);
  return new Box3(new Vector3(...min), new Vector3(...max)).expandByScalar(MARGIN * app.store.state.document.config.agentHeight);
}

/** @param {App} app */
function inspectedBox(app) {
  const point = /** @type {any} */ (app.tools.active)?.inspector?.current?.point;
  return point ? new Box3().setFromCenterAndSize(new Vector3(...point), new Vector3().setScalar(4 * MARGIN)) : null;
}

/** Moves the camera, and stores its position. @param {App} app @param {Box3} box @param {Vector3} [direction] */
function frame({ viewport }, box, direction) {
  viewport.frameBox(box, direction);
  viewport.controls.dispatchEvent({ type: 'end' });
}

/** Flies while the right mouse button and a fly key are held. @param {App} app */
function followFlyKeys(app) {
  const { viewport: { canvas, camera, controls }, viewport, frames } = app;
  /** @type {Set<string>} */
  const held = new Set();
  let isLooking = false, isFast = false;
  const stop = () => {
    isLooking = false;
    held.clear();
  };
  canvas.addEventListener('pointerdown', ({ button }) => { isLooking ||= button === 2; });
  window.addEventListener('pointerup', ({ button }) => button === 2 && stop());
  window.addEventListener('blur', stop);
  window.addEventListener('keydown', (event) => {
    if (!isLooking || !FLY[event.code]) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    held.add(event.code);
    isFast = event.shiftKey;
    frames.wake();
  }, { capture: true });
  window.addEventListener('keyup', ({ code }) => held.delete(code));
  frames.add((seconds) => {
    if (held.size === 0) return false;
    const [right, up, back] = [0, 1, 2].map((column) => new Vector3().setFromMatrixColumn(camera.matrixWorld, column));
    const step = new Vector3();
    for (const code of held) step.addScaledVector(right, FLY[code][0]).addScaledVector(up, FLY[code][1]).addScaledVector(back, -FLY[code][2]);
    step.multiplyScalar(seconds * SPEED * (isFast ? FAST : 1) * Math.max(camera.position.distanceTo(controls.target), 1));
    camera.position.add(step);
    controls.target.add(step);
    viewport.invalidate();
    return true;
  });
}

/** @param {App} app */
export function addNavigation(app) {
  const { levels, shortcuts } = app;
  // Views along an axis keep what was framed last.
  let isSelectionFramed = false;
  const frameLevel = (/** @type {Vector3 | undefined} */ direction = undefined) => {
    isSelectionFramed = false;
    if (!levels.current) return;
    levels.frame(direction);
    app.viewport.controls.dispatchEvent({ type: 'end' });
  };
  const frameSelection = () => {
    const box = selectionBox(app) ?? inspectedBox(app);
    if (box) frame(app, box);
    else frameLevel();
    isSelectionFramed = box !== null;
  };
  const look = (/** @type {keyof typeof DIRECTIONS} */ name) => () => {
    const [box, direction] = [isSelectionFramed ? selectionBox(app) : null, DIRECTIONS[name].clone().normalize()];
    if (box) frame(app, box, direction);
    else frameLevel(direction);
  };
  shortcuts.add(
    { keys: 'f', label: 'Frame selection', group: 'View', run: frameSelection },
    { keys: 'Home', label: 'Frame level', group: 'View', run: () => frameLevel() },
    { keys: 't', label: 'View from above', group: 'View', run: look('top') },
    { keys: 'y', label: 'View from the front', group: 'View', run: look('front') },
    { keys: 'u', label: 'View from the side', group: 'View', run: look('side') },
  );
  followFlyKeys(app);
}
