/** The 3D view: scene, light, camera. It draws only on request. */
import {
  Box3, Color, DirectionalLight, Group, HemisphereLight, PCFShadowMap, PerspectiveCamera, Plane, Scene, Sphere, Vector3, WebGLRenderer,
} from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { Axes } from './axes.js';
import { BackBuffer } from './back-buffer.js';
import { cornersOf, fitCamera } from './framing.js';
import { Pace } from './pace.js';

/** @typedef {import('./frames.js').Frames} Frames */

/** Directions from a level to the camera that show it well: the one from which it is the largest is the first. */
const FIRST_DIRECTIONS = [0.36, 1.2].map((turn) => new Vector3(Math.sin(turn), 1, Math.cos(turn)).normalize());

/** Direction of the sun. */
const SUN_DIRECTION = new Vector3(0.5, 1, 0.3).normalize();
/** Size of the shadow map, texels. */
const SHADOW_SIDE = 2048;

/** Distance of the near plane inside a level, at least, world units: a nearer one leaves the depth buffer too few steps. */
const NEAREST = 0.05;

/** Share of the free part of the view that a framed level fills. */
const FILLED = 0.95;

/** Colours of the surroundings by theme. */
const BACKGROUNDS = { light: 0xe9edf0, dark: 0x14181d };

/** True if the processor draws, without a graphics card: shadows and antialiasing would take three quarters of its time. */
function drawsInSoftware() {
  const gl = document.createElement('canvas').getContext('webgl2');
  const name = gl?.getExtension('WEBGL_debug_renderer_info')?.UNMASKED_RENDERER_WEBGL;
  const renderer = gl && name ? String(gl.getParameter(name)) : '';
  gl?.getExtension('WEBGL_lose_context')?.loseContext();
  return /swiftshader|llvmpipe|software|basic render/i.test(renderer);
}

export class Viewport {
  scene = new Scene();
  camera = new PerspectiveCamera(45, 1, 0.1, 1000);
  /** Drawings of the tools: handles, paths. */
  overlay = new Group();
  /** The planes of the clipping height, for materials that clip their shadows. @type {Plane[]} */
  clippingPlanes = [];
  /** The level in the scene. @type {import('./back-buffer.js').LevelMesh | null} */
  level = null;
  /** Number of drawings of the scene. */
  drawn = 0;
  /** Slows drawings down while work is in progress: `viewport.pace.begin()`. */
  pace = new Pace(() => this.#frames.wake());
  #frames;
  #isInvalid = false;
  /** @type {BackBuffer | null} only if the processor draws */
  #backBuffer = null;
  #clip = new Plane(new Vector3(0, -1, 0), 0);
  #sphere = new Sphere(new Vector3(), 50);
  #container;
  #sun = new DirectionalLight(0xfff6e8, 2.1);

  /** @param {HTMLElement} container @param {Frames} frames @param {import('../state/document.js').View['picture']} picture */
  constructor(container, frames, picture) {
    const isSlow = drawsInSoftware();
    const isFine = picture === 'fine' || (picture === 'auto' && !isSlow);
    this.#container = container;
    this.#frames = frames;
    this.renderer = new WebGLRenderer({ antialias: isFine, preserveDrawingBuffer: true });
    if (isSlow && !isFine) this.#backBuffer = new BackBuffer(this.renderer);
    this.canvas = this.renderer.domElement;
    this.canvas.addEventListener('webglcontextrestored', () => {
      this.#backBuffer?.restart();
      this.renderer.shadowMap.needsUpdate = true;
      this.invalidate();
    });
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute('role', 'application');
    this.canvas.setAttribute('aria-label', '3D view of the level. Drag to rotate, right-drag to pan, wheel to zoom.');
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    container.append(this.canvas);
    this.controls = new OrbitControls(this.camera, this.canvas);
    Object.assign(this.controls, { enableDamping: false, screenSpacePanning: false, maxPolarAngle: 0.495 * Math.PI, zoomToCursor: true });
    this.controls.addEventListener('change', () => this.invalidate());
    this.scene.add(new HemisphereLight(0xdfeaf5, 0x6b645b, 1.7), this.#sun, this.#sun.target, this.overlay);
    // Levels don't move: their shadows are drawn once.
    Object.assign(this.renderer.shadowMap, { enabled: isFine, type: PCFShadowMap, autoUpdate: false });
    this.#sun.castShadow = isFine;
    this.#sun.shadow.mapSize.setScalar(SHADOW_SIDE);
    this.axes = new Axes(this, frames);
    frames.add(() => this.#drawIfInvalid());
    new ResizeObserver(() => this.#fit()).observe(container);
    this.#fit();
  }

  /** Schedules one drawing in the next frame. */
  invalidate() {
    if (this.#isInvalid) return;
    this.#isInvalid = true;
    this.#frames.wake();
  }

  /** True if the canvas is up to date. */
  get isCurrent() {
    return !this.#isInvalid && !this.#backBuffer?.isDrawing;
  }

  /** @returns {boolean} true: still drawing, call again in the next frame */
  #drawIfInvalid() {
    const backBuffer = this.#backBuffer;
    if (backBuffer?.isDrawing) {
      if (backBuffer.show()) this.drawn++;
      // The next drawing waits a frame: the browser reads the canvas at the end of this frame, after everything requested before.
      return true;
    }
    this.pace.endDrawing();
    if (!this.#isInvalid || this.pace.mustWait) return false;
    this.#isInvalid = false;
    this.pace.beginDrawing();
    if (!backBuffer) {
      this.drawNow();
      this.pace.endDrawing();
      return false;
    }
    this.#fitDepth();
    backBuffer.draw(this.scene, this.camera, () => this.axes.draw(), this.level);
    return true;
  }

  /** Draws immediately, for screenshots of the canvas. */
  drawNow() {
    this.#backBuffer?.drop();
    this.#isInvalid = false;
    this.#fitDepth();
    this.renderer.render(this.scene, this.camera);
    this.axes.draw();
    this.drawn++;
  }

  /** Adapts the camera's depth range to the drawn objects. */
  #fitDepth() {
    const { near, far } = this.#depthRange();
    if (near !== this.camera.near || far !== this.camera.far) {
      Object.assign(this.camera, { near, far });
      this.camera.updateProjectionMatrix();
    }
  }

  /** Near and far distance that fit the level, so that the depth buffer stays precise. */
  #depthRange() {
    const distance = this.camera.position.distanceTo(this.#sphere.center);
    const far = (distance + this.#sphere.radius) * 1.5 + 10;
    const { radius } = this.#sphere;
    return { near: Math.max(far / 20000, Math.min(NEAREST, radius / 400), Math.min(1, (distance - radius) / 2)), far };
  }

  #fit() {
    const { clientWidth: width, clientHeight: height } = this.#container;
    if (!width || !height) return;
    this.renderer.setSize(width, height);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    // Draws immediately, because a resized canvas is empty.
    this.drawNow();
  }

  /** Sets the bounds that the depth range must cover. @param {Box3} box */
  setBounds(box) {
    box.getBoundingSphere(this.#sphere);
    this.controls.maxDistance = 8 * this.#sphere.radius + 20;
    this.controls.minDistance = Math.min(0.5, this.#sphere.radius / 10);
    this.#lightUp();
    this.invalidate();
  }

  /** Adapts the sun's shadow camera to the level. */
  #lightUp() {
    const { center, radius } = this.#sphere;
    const { shadow } = this.#sun;
    const { camera } = shadow;
    this.#sun.position.copy(center).addScaledVector(SUN_DIRECTION, 2 * radius);
    this.#sun.target.position.copy(center);
    Object.assign(camera, { left: -radius, right: radius, top: radius, bottom: -radius, near: radius / 2, far: 3.5 * radius });
    camera.updateProjectionMatrix();
    // A few texels of bias, so that flat surfaces don't shade themselves.
    const texel = 2 * radius / SHADOW_SIDE;
    Object.assign(shadow, { bias: -0.0008, normalBias: 1.5 * texel });
    this.renderer.shadowMap.needsUpdate = true;
  }

  /**
   * Moves the camera so that it shows a whole box in the part of the view that nothing covers.
   * @param {Box3} box @param {Vector3} [direction] view direction; default: the best of some @param {ArrayLike<number>} [points] [n][3] what
   * the box contains; default: its corners
   */
  frameBox(box, direction, points = cornersOf(box)) {
    const { camera, controls } = this;
    const fits = (direction ? [direction] : FIRST_DIRECTIONS).map((each) => fitCamera(points, each, camera.up, this.#freeSides()));
    const { position, target } = fits.reduce((a, b) => (b.distance < a.distance ? b : a));
    controls.target.copy(target);
    camera.position.copy(position);
    controls.update();
    this.invalidate();
  }

  /** The sides of the part of the view beside the rail of tools, with a margin. */
  #freeSides() {
    const { camera } = this;
    const view = this.#container.getBoundingClientRect();
    const rail = this.#container.parentElement?.querySelector('.rail')?.getBoundingClientRect();
    // On phones the rail lies below the view.
    const covered = rail && rail.top < view.bottom ? (rail.right - view.left) / view.width : 0;
    const tangent = Math.tan(camera.fov * Math.PI / 360);
    const [high, wide] = [tangent * FILLED, tangent * camera.aspect * FILLED];
    return { left: wide * (covered < 1 / 3 ? 1 - 2 * covered : 1), right: wide, top: high, bottom: high };
  }

  /** Hides everything above a height. @param {number | null} height world units */
  setClip(height) {
    this.#clip.constant = height ?? 0;
    this.renderer.clippingPlanes = height === null ? [] : [this.#clip];
    // Materials with these planes clip their shadows, too; three.js ignores the renderer's planes there.
    this.renderer.localClippingEnabled = true;
    this.clippingPlanes.splice(0, 1, ...this.renderer.clippingPlanes);
    this.renderer.shadowMap.needsUpdate = true;
    this.invalidate();
  }

  /** Draws or hides the shadows that the level casts. @param {boolean} areDrawn */
  setShadows(areDrawn) {
    this.#sun.shadow.intensity = Number(areDrawn);
    this.invalidate();
  }

  /** @param {'light' | 'dark'} theme */
  setTheme(theme) {
    this.axes.setTheme(theme);
    this.scene.background = new Color(BACKGROUNDS[theme]);
    this.invalidate();
  }
}
