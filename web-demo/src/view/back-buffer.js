/**
 * Has a scene drawn beside the canvas, which shows it when it is ready. Where the processor draws, without a graphics card, the browser
 * reads the canvas back after each drawing, and its main thread waits for as long as that took: some 50 ms and more. Here it waits only
 * for the copy of what is ready.
 */
import { Camera, Mesh, PlaneGeometry, RawShaderMaterial, Scene, SRGBColorSpace, UnsignedByteType, WebGLRenderTarget, GLSL3 } from 'three';

/** Copies texels to the pixels where they are. */
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
  /** @type {WebGLSync | null} passed once all is drawn */
  #fence = null;

  /** @param {import('three').WebGLRenderer} renderer */
  constructor(renderer) {
    this.#renderer = renderer;
    this.#gl = /** @type {WebGL2RenderingContext} */ (renderer.getContext());
    // What is drawn is shown as it is, which three asks of targets of this kind only: colours are encoded as on the canvas.
    Object.assign(this.#target, { isXRRenderTarget: true });
    const quad = new Mesh(new PlaneGeometry(2, 2), new RawShaderMaterial({ ...COPY, uniforms: { picture: { value: this.#target.texture } } }));
    quad.frustumCulled = false;
    this.#copy.add(quad);
  }

  /** Whether something is being drawn that is not shown yet. */
  get isDrawing() {
    return this.#fence !== null;
  }

  /** Begins to draw; what was being drawn is not shown. @param {import('three').Scene} scene @param {import('three').Camera} camera */
  draw(scene, camera) {
    const gl = this.#gl;
    this.drop();
    this.#target.setSize(gl.drawingBufferWidth, gl.drawingBufferHeight);
    this.#renderer.setRenderTarget(this.#target);
    this.#renderer.render(scene, camera);
    this.#renderer.setRenderTarget(null);
    this.#fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    gl.flush();
  }

  /** Has the canvas show what was drawn, once it is ready. @returns {boolean} whether it does now */
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

  /** After the graphics processor lost everything: three makes the target anew, what was being drawn has gone. */
  restart() {
    this.#fence = null;
  }

  /** What is being drawn is not shown. */
  drop() {
    this.#gl.deleteSync(this.#fence);
    this.#fence = null;
  }
}
