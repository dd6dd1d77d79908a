/**
 * Draws a scene into a separate buffer and copies it to the canvas when it is ready. Without a graphics card the browser
 * reads the canvas back after each drawing, which blocks the main thread for 50 ms and more. Here the main thread waits only
 * for the copy of a finished drawing.
 *
 * A large level takes most of the time of a drawing. While neither it nor the camera changes, such as during a bake, its picture is used
 * again, with its depth.
 */
import { Camera, Mesh, PlaneGeometry, RawShaderMaterial, Scene, SRGBColorSpace, UnsignedByteType, WebGLRenderTarget, GLSL3 } from 'three';

/** Copies texels to the same pixels. */
const COPY = {
  glslVersion: GLSL3, depthTest: false, depthWrite: false,
  vertexShader: 'in vec3 position; void main() { gl_Position = vec4(position.xy, 0.0, 1.0); }',
  fragmentShader: `precision mediump float; uniform sampler2D picture; out vec4 color;
void main() { color = texelFetch(picture, ivec2(gl_FragCoord.xy), 0); }`,
};

/** @typedef {import('three').Mesh<any, import('three').MeshStandardMaterial>} LevelMesh */

/** True if a level is in the scene, drawn, and hides what is behind it. @param {LevelMesh} level @param {import('three').Scene} scene */
const isOpaque = ({ parent, visible, material }, scene) => visible && !material.transparent && parent?.parent === scene && parent.visible;

/** three.js encodes colours as on the canvas only for targets of this kind. */
const makeTarget = () => Object.assign(new WebGLRenderTarget(1, 1, { type: UnsignedByteType, internalFormat: 'RGBA8', colorSpace: SRGBColorSpace }), { isXRRenderTarget: true });

export class BackBuffer {
  #renderer;
  #gl;
  #target = makeTarget();
  /** The level alone. */
  #levelTarget = makeTarget();
  /** What the picture of the level depends on: at the last drawing, and of the picture; empty: there is none. */
  #lastKey = '';
  #levelKey = '';
  #copy = new Scene();
  #camera = new Camera();
  /** @type {WebGLSync | null} signalled when the drawing is finished */
  #fence = null;

  /** @param {import('three').WebGLRenderer} renderer */
  constructor(renderer) {
    this.#renderer = renderer;
    this.#gl = /** @type {WebGL2RenderingContext} */ (renderer.getContext());
    const quad = new Mesh(new PlaneGeometry(2, 2), new RawShaderMaterial({ ...COPY, uniforms: { picture: { value: this.#target.texture } } }));
    quad.frustumCulled = false;
    this.#copy.add(quad);
  }

  /** True if a drawing is in progress. */
  get isDrawing() {
    return this.#fence !== null;
  }

  /**
   * Starts a drawing; discards a drawing in progress.
   * @param {import('three').Scene} scene @param {import('three').Camera} camera @param {() => void} drawOver draws over the scene
   * @param {LevelMesh | null} level
   */
  draw(scene, camera, drawOver, level) {
    const gl = this.#gl;
    this.drop();
    for (const target of [this.#target, this.#levelTarget]) target.setSize(gl.drawingBufferWidth, gl.drawingBufferHeight);
    camera.updateMatrixWorld();
    const key = level && isOpaque(level, scene) ? this.#keyOf(scene, camera, level) : '';
    // A picture of the level pays from the second drawing on that has the same.
    if (level && key !== '' && key === this.#lastKey) this.#drawOnLevel(scene, camera, level, key);
    else this.#render(this.#target, scene, camera);
    this.#lastKey = key;
    drawOver();
    this.#renderer.setRenderTarget(null);
    this.#fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    gl.flush();
  }

  /** @param {WebGLRenderTarget} target @param {import('three').Scene} scene @param {import('three').Camera} camera */
  #render(target, scene, camera) {
    this.#renderer.setRenderTarget(target);
    this.#renderer.render(scene, camera);
  }

  /** Everything that the picture of the level depends on. @param {import('three').Scene} scene @param {import('three').Camera} camera @param {LevelMesh} level */
  #keyOf({ background }, camera, { id, material }) {
    const { clippingPlanes } = this.#renderer;
    return JSON.stringify([
      this.#target.width, this.#target.height, camera.matrixWorld.elements, camera.projectionMatrix.elements, id, material.side, material.userData,
      clippingPlanes.map(({ constant }) => constant), background,
    ]);
  }

  /** @param {import('three').Scene} scene @param {import('three').Camera} camera @param {LevelMesh} level @param {string} key */
  #drawOnLevel(scene, camera, level, key) {
    if (key !== this.#levelKey) this.#drawLevel(scene, camera, level);
    this.#levelKey = key;
    this.#copyLevel();
    const { background } = scene;
    Object.assign(this.#renderer, { autoClear: false });
    scene.background = null; // else the scene clears it
    level.visible = false;
    this.#render(this.#target, scene, camera);
    level.visible = true;
    scene.background = background;
    Object.assign(this.#renderer, { autoClear: true });
  }

  /** Draws the level alone. @param {import('three').Scene} scene @param {import('three').Camera} camera @param {LevelMesh} level */
  #drawLevel(scene, camera, level) {
    const others = scene.children.filter((child) => child.visible && child !== level.parent && !('isLight' in child));
    for (const other of others) other.visible = false;
    this.#render(this.#levelTarget, scene, camera);
    for (const other of others) other.visible = true;
  }

  /** Copies the picture of the level, with its depth. */
  #copyLevel() {
    const gl = this.#gl;
    const { width, height } = this.#target;
    const bind = (/** @type {WebGLRenderTarget} */ target) => {
      this.#renderer.setRenderTarget(target);
      return gl.getParameter(gl.DRAW_FRAMEBUFFER_BINDING);
    };
    const from = bind(this.#levelTarget);
    const to = bind(this.#target);
    gl.bindFramebuffer(gl.READ_FRAMEBUFFER, from);
    gl.blitFramebuffer(0, 0, width, height, 0, 0, width, height, gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT, gl.NEAREST);
    gl.bindFramebuffer(gl.READ_FRAMEBUFFER, to); // as three.js expects
  }

  /** Copies the drawing to the canvas if it is ready. @returns {boolean} true if it was copied */
  show() {
    const gl = this.#gl;
    if (!this.#fence || (!gl.isContextLost() && gl.getSyncParameter(this.#fence, gl.SYNC_STATUS) !== gl.SIGNALED)) return false;
    this.drop();
    const { clippingPlanes } = this.#renderer;
    this.#renderer.clippingPlanes = [];
    this.#renderer.render(this.#copy, this.#camera);
    this.#renderer.clippingPlanes = clippingPlanes;
    return true;
  }

  /** After a lost context: three.js recreates the target, and the drawing in progress is lost. */
  restart() {
    this.#fence = null;
    this.#levelKey = '';
  }

  /** Discards the drawing in progress. */
  drop() {
    this.#gl.deleteSync(this.#fence);
    this.#fence = null;
  }
}
