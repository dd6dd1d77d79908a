/**
 * Draws a scene into a separate buffer and copies it to the canvas when it is ready. Without a graphics card the browser
 * reads the canvas back after each drawing, which blocks the main thread for 50 ms and more. Here the main thread waits only
 * for the copy of a finished drawing.
 */
import { Camera, Mesh, PlaneGeometry, RawShaderMaterial, Scene, SRGBColorSpace, UnsignedByteType, WebGLRenderTarget, GLSL3 } from 'three';

/** Copies texels to the same pixels. */
const COPY = {
  glslVersion: GLSL3, depthTest: false, depthWrite: false,
  vertexShader: 'in vec3 position; void main() { gl_Position = vec4(position.xy, 0.0, 1.0); }',
  fragmentShader: `precision mediump float; uniform sampler2D picture; out vec4 color;
void main() { color = texelFetch(picture, ivec2(gl_FragCoord.xy), 0); }`,
};

export class BackBuffer {
  #renderer;
  #gl;
  #target = new WebGLRenderTarget(1, 1, { type: UnsignedByteType, internalFormat: 'RGBA8', colorSpace: SRGBColorSpace });
  #copy = new Scene();
  #camera = new Camera();
  /** @type {WebGLSync | null} signalled when the drawing is finished */
  #fence = null;

  /** @param {import('three').WebGLRenderer} renderer */
  constructor(renderer) {
    this.#renderer = renderer;
    this.#gl = /** @type {WebGL2RenderingContext} */ (renderer.getContext());
    // three.js encodes colours as on the canvas only for targets of this kind.
    Object.assign(this.#target, { isXRRenderTarget: true });
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
   */
  draw(scene, camera, drawOver) {
    const gl = this.#gl;
    this.drop();
    this.#target.setSize(gl.drawingBufferWidth, gl.drawingBufferHeight);
    this.#renderer.setRenderTarget(this.#target);
    this.#renderer.render(scene, camera);
    drawOver();
    this.#renderer.setRenderTarget(null);
    this.#fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    gl.flush();
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
  }

  /** Discards the drawing in progress. */
  drop() {
    this.#gl.deleteSync(this.#fence);
    this.#fence = null;
  }
}
