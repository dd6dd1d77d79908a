/**
 * The level tool seen straight from above, nearly without perspective, so that areas on the picture are areas of the level:
 * pictures of chosen layers as pixels, and the expected pictures, drawn here by a few lines of simple code.
 */

/** Pixels per metre. */
export const SCALE = 10;

/**
 * Places the camera far above the centre of the level, and hides all layers.
 * @param {import('playwright-core').Page} page
 */
export function lookFromAbove(page) {
  return page.evaluate((scale) => {
    const app = /** @type {any} */ (window).walkmeshTool;
    const { camera, canvas, controls } = app.viewport;
    const { min, max } = app.levels.current.bounds;
    const [x, z] = [(min.x + max.x) / 2, (min.z + max.z) / 2];
    controls.enabled = false;
    camera.fov = 2;
    const height = canvas.height / devicePixelRatio / scale / 2 / Math.tan(Math.PI / 180);
    camera.up.set(0, 0, -1);
    camera.position.set(x, (min.y + max.y) / 2 + height, z);
    camera.lookAt(x, min.y, z);
    controls.target.set(x, min.y, z);
    camera.updateProjectionMatrix();
    app.viewport.invalidate();
  }, SCALE);
}

/**
 * Shows only these layers, and waits until they are drawn.
 * @param {import('playwright-core').Page} page @param {Record<string, number>} opacities by layer
 */
export async function showOnly(page, opacities) {
  await page.evaluate((wanted) => {
    const app = /** @type {any} */ (window).walkmeshTool;
    const layers = Object.fromEntries(app.layers.kinds.map((/** @type {any} */ { id }) => [id, { visible: id in wanted, opacity: wanted[id] ?? 1 }]));
    app.store.setView({ layers });
  }, opacities);
  await settled(page);
}

/** Waits until all visible layers are drawn. @param {import('playwright-core').Page} page */
export async function settled(page) {
  const frames = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))';
  await page.evaluate(frames);
  await page.waitForFunction(() => {
    const app = /** @type {any} */ (window).walkmeshTool;
    return app.stages.isComplete && app.store.state.session.bake.state === 'done' && app.layers.isComplete;
  });
  await page.evaluate(frames);
}

/**
 * Takes the picture, as numbers 0xrrggbb, with the pixel at which the level begins.
 * @param {import('playwright-core').Page} page
 * @returns {Promise<{ width: number, height: number, pixels: Uint32Array, toPixel: (x: number, z: number) => [number, number] }>}
 */
export async function takePicture(page) {
  const { width, height, text, center } = await page.evaluate(() => {
    const { viewport } = /** @type {any} */ (window).walkmeshTool;
    viewport.drawNow();
    const gl = viewport.renderer.getContext();
    const [w, h] = [gl.drawingBufferWidth, gl.drawingBufferHeight];
    const bytes = new Uint8Array(4 * w * h);
    gl.readPixels(0, 0, w, h, gl.RGBA, gl.UNSIGNED_BYTE, bytes);
    let binary = '';
    for (let i = 0; i < bytes.length; i += 0x8000) binary += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
    const { x, z } = viewport.camera.position;
    return { width: w, height: h, text: btoa(binary), center: [x, z] };
  });
  const bytes = Buffer.from(text, 'base64');
  const pixels = new Uint32Array(width * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = 4 * ((height - 1 - y) * width + x);
      pixels[y * width + x] = bytes[at] << 16 | bytes[at + 1] << 8 | bytes[at + 2];
    }
  }
  const toPixel = (/** @type {number} */ x, /** @type {number} */ z) => /** @type {[number, number]} */ (
    [width / 2 + (x - center[0]) * SCALE, height / 2 + (z - center[1]) * SCALE]);
  return { width, height, pixels, toPixel };
}

/** The distance of two colours. @param {number} a @param {number} b */
export function colorDistance(a, b) {
  return Math.hypot((a >> 16) - (b >> 16), (a >> 8 & 255) - (b >> 8 & 255), (a & 255) - (b & 255));
}

/**
 * Square metres of each colour: a pixel counts for the nearest one.
 * @param {Uint32Array} pixels @param {number[]} colors @returns {Map<number, number>}
 */
export function areasByColor(pixels, colors) {
  const nearest = new Map();
  const counts = new Map(colors.map((color) => [color, 0]));
  for (const pixel of pixels) {
    let color = nearest.get(pixel);
    if (color === undefined) {
      color = colors.reduce((best, other) => (colorDistance(pixel, other) < colorDistance(pixel, best) ? other : best));
      nearest.set(pixel, color);
    }
    counts.set(color, counts.get(color) + 1);
  }
  return new Map([...counts].map(([color, count]) => [color, count / SCALE ** 2]));
}

/** A plan of the level from above: for each point the highest surface, with its value. */
export class Plan {
  #step;
  /** @type {Map<number, { y: number, value: number }>} */
  #places = new Map();

  /** @param {number} [step] metres between points */
  constructor(step = 0.1) {
    this.#step = step;
  }

  /** @param {number} i @param {number} k @param {number} y @param {number} value */
  #put(i, k, y, value) {
    const key = (i + 5000) * 20000 + k + 5000;
    const known = this.#places.get(key);
    if (!known || y > known.y) this.#places.set(key, { y, value });
  }

  /** @param {number} x @param {number} z of its corner @param {number} side @param {number} y @param {number} value */
  addSquare(x, z, side, y, value) {
    for (let i = Math.ceil(x / this.#step - 0.5); (i + 0.5) * this.#step < x + side; i++) {
      for (let k = Math.ceil(z / this.#step - 0.5); (k + 0.5) * this.#step < z + side; k++) this.#put(i, k, y, value);
    }
  }

  /** @param {ArrayLike<number>} p nine numbers @param {number} value @param {number} [ceiling] parts above it are left out */
  addTriangle(p, value, ceiling = Infinity) {
    const [ax, ay, az, bx, by, bz, cx, cy, cz] = Array.from(p);
    const whole = (bx - ax) * (cz - az) - (cx - ax) * (bz - az);
    if (whole === 0) return;
    const step = this.#step;
    for (let i = Math.floor(Math.min(ax, bx, cx) / step); i * step <= Math.max(ax, bx, cx); i++) {
      for (let k = Math.floor(Math.min(az, bz, cz) / step); k * step <= Math.max(az, bz, cz); k++) {
        const [x, z] = [(i + 0.5) * step, (k + 0.5) * step];
        const u = ((x - ax) * (cz - az) - (cx - ax) * (z - az)) / whole;
        const v = ((bx - ax) * (z - az) - (x - ax) * (bz - az)) / whole;
        if (u < 0 || v < 0 || u + v > 1) continue;
        const y = ay + u * (by - ay) + v * (cy - ay);
        if (y <= ceiling) this.#put(i, k, y, value);
      }
    }
  }

  /** A line with a width. @param {number[]} a @param {number[]} b @param {number} width metres @param {number} value */
  addLine([ax, ay, az], [bx, , bz], width, value) {
    const length = Math.hypot(bx - ax, bz - az);
    const step = this.#step;
    const [ux, uz] = length > 0 ? [(bx - ax) / length, (bz - az) / length] : [1, 0];
    const half = width / 2;
    for (let i = Math.floor((Math.min(ax, bx) - width) / step); i * step <= Math.max(ax, bx) + width; i++) {
      for (let k = Math.floor((Math.min(az, bz) - width) / step); k * step <= Math.max(az, bz) + width; k++) {
        const [dx, dz] = [(i + 0.5) * step - ax, (k + 0.5) * step - az];
        const [along, across] = [dx * ux + dz * uz, dx * -uz + dz * ux];
        if (along >= -half && along <= length + half && Math.abs(across) <= half) this.#put(i, k, ay, value);
      }
    }
  }

  /** Square metres of each value. @returns {Map<number, number>} */
  areas() {
    const areas = new Map();
    for (const { value } of this.#places.values()) areas.set(value, (areas.get(value) ?? 0) + this.#step ** 2);
    return areas;
  }

  get area() {
    return this.#places.size * this.#step ** 2;
  }
}
