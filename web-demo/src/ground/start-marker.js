/** A flag where play starts. */
import { CanvasTexture, Sprite, SpriteMaterial, SRGBColorSpace } from 'three';
import { START } from '../view/colors.js';
import { playStartOf } from './play-start.js';

/** Side of the picture, pixels, and the height of the flag on the screen at a distance of 1. */
const [SIDE, HEIGHT] = [64, 0.06];

/** A flag whose pole stands in the middle of the lower edge. */
function drawFlag() {
  const canvas = Object.assign(document.createElement('canvas'), { width: SIDE, height: SIDE });
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
  const path = new Path2D(`M${SIDE / 2} ${SIDE} V5 L58 18 L${SIDE / 2} 32`);
  Object.assign(context, { lineJoin: 'round', lineCap: 'round', fillStyle: `#${START.toString(16)}` });
  context.fill(path);
  for (const [width, color] of /** @type {const} */ ([[7, '#0b1f14'], [3, '#fff']])) {
    Object.assign(context, { lineWidth: width, strokeStyle: color });
    context.stroke(path);
  }
  return Object.assign(new CanvasTexture(canvas), { colorSpace: SRGBColorSpace });
}

export class StartMarker {
  #app;
  /** @type {Sprite | null} made when it is first shown */
  #flag = null;

  /** @param {import('../app.js').App} app */
  constructor(app) {
    this.#app = app;
  }

  start() {
    const { events } = this.#app;
    for (const name of /** @type {const} */ (['main-ground', 'level'])) events.on(name, () => this.#show());
    this.#show();
  }

  #show() {
    const { store, viewport } = this.#app;
    const point = playStartOf(store.state.document);
    if (!point && !this.#flag) return;
    this.#flag ??= this.#make();
    this.#flag.visible = point !== null;
    if (point) this.#flag.position.fromArray(point);
    viewport.invalidate();
  }

  #make() {
    const flag = new Sprite(new SpriteMaterial({ map: drawFlag(), sizeAttenuation: false, depthTest: false, toneMapped: false }));
    flag.name = 'play start';
    flag.center.set(0.5, 0);
    flag.scale.setScalar(HEIGHT);
    flag.renderOrder = 8;
    flag.raycast = () => {};
    this.#app.viewport.overlay.add(flag);
    return flag;
  }
}
