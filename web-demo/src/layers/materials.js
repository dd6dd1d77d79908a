/**
 * Materials for the stages: boxes of voxels, lines with a width, flat triangles. A palette turns values into colours; the clipping
 * height cuts all of them; they ignore lights: faces that point up have exactly the colour of the palette.
 */
import { DoubleSide, ShaderMaterial, Vector2, Vector4 } from 'three';
import { SHADE_MIDDLE, SHADE_STEP } from '../stages/relief.js';
import { SHIFT_DEPTH, addDepthShift } from './depth-shift.js';

/** @typedef {import('./palette.js').Palette} Palette */

const LOOK_UP = /* glsl */`
uniform sampler2D palette;
uniform float paletteSize;
uniform float valueScale;
vec4 lookUp(float value) {
  float place = min(floor(value * valueScale + 0.5), paletteSize - 1.0);
  return texelFetch(palette, ivec2(int(place), 0), 0);
}`;

/**
 * Colours are looked up and mixed in sRGB, as displayed.
 * @param {string} vertex @param {string} fragment @param {Palette} palette @param {object} [options]
 */
function makeMaterial(vertex, fragment, palette, options = {}) {
  const material = new ShaderMaterial({
    vertexShader: `#include <clipping_planes_pars_vertex>\n${LOOK_UP}\n${vertex}`,
    fragmentShader: `#include <clipping_planes_pars_fragment>\nuniform float opacity;\n${fragment}`,
    uniforms: {
      palette: { value: palette.texture }, paletteSize: { value: palette.size }, valueScale: { value: 1 }, opacity: { value: 1 }, lift: { value: 0 },
      resolution: { value: new Vector2(1, 1) }, width: { value: 1 }, cells: { value: 1 }, spread: { value: 0 },
    },
    clipping: true, side: DoubleSide, toneMapped: false, ...options,
  });
  // The uniform is for the shader, the property for the sorting of transparent objects.
  Object.defineProperty(material, 'opacity', {
    get: () => material.uniforms.opacity.value, set: (/** @type {number} */ value) => { material.uniforms.opacity.value = value; },
  });
  return material;
}

const BOX_VERTEX = /* glsl */`
#define SHADE_MIDDLE ${SHADE_MIDDLE}.0
#define SHADE_STEP ${SHADE_STEP}
attribute vec4 box;   // x, z, width, depth: cells
attribute vec4 span;  // low, high: cell heights; value; shade
uniform float lift;
uniform float spread;
uniform vec2 resolution;
varying vec3 vColor;
varying vec3 vPlace;
varying vec3 vNormal;
varying float vDetail;
void main() {
  vec4 found = lookUp(span.z);
  vColor = found.rgb * (span.w > 0.0 && normal.y > 0.5 ? 1.0 - SHADE_STEP * (span.w - SHADE_MIDDLE) : 1.0);
  vNormal = normal;
  vPlace = vec3(box.x + position.x * box.z, mix(span.x, span.y, position.y) + lift, box.y + position.z * box.w);
  vec4 mvPosition = modelViewMatrix * vec4(vPlace, 1.0);
  vec4 clip = projectionMatrix * mvPosition;
  // Pixels of a cell, and of half the height of the box.
  vec2 pixels = 0.5 * resolution.y * projectionMatrix[1][1] / max(clip.w, 1e-3)
    * vec2(length(modelViewMatrix[0].xyz), 0.5 * (span.y - span.x) * length(modelViewMatrix[1].xyz));
  vDetail = smoothstep(1.0, 4.0, max(pixels.x, pixels.y));
  if (spread > 0.0) {
    // Wider and lower than the plate itself, where cells are small on the screen; nothing where they are large.
    float share = 1.0 - smoothstep(1.2, 2.6, pixels.x);
    vPlace.xz += spread * share * (2.0 * position.xz - 1.0);
    vPlace.y -= 0.9;
    mvPosition = modelViewMatrix * vec4(vPlace, 1.0);
    clip = share > 0.0 ? projectionMatrix * mvPosition : vec4(2.0, 2.0, 2.0, 1.0);
  }
  gl_Position = found.a == 0.0 ? vec4(2.0, 2.0, 2.0, 1.0) : clip;
  #include <clipping_planes_vertex>
}`;

/**
 * Lines between cells fade where cells are small on the screen, and so do the shades of low sides: steps of about a pixel would make
 * patterns that the level doesn't have.
 */
const BOX_FRAGMENT = /* glsl */`
#define FAR_CONTRAST 0.3
uniform float cells;
varying vec3 vColor;
varying vec3 vPlace;
varying vec3 vNormal;
varying float vDetail;
float lineAlong(float place) {
  float size = fwidth(place);
  float distance = abs(fract(place - 0.5) - 0.5);
  return (1.0 - smoothstep(0.6 * size, 1.2 * size, distance)) * (1.0 - smoothstep(0.12, 0.3, size));
}
void main() {
  #include <clipping_planes_fragment>
  float shade = vNormal.y > 0.5 ? 1.0 : vNormal.y < -0.5 ? 0.42 : abs(vNormal.x) > 0.5 ? 0.74 : 0.6;
  shade = mix(1.0, shade, mix(FAR_CONTRAST, 1.0, vDetail));
  float line = cells * max(lineAlong(vPlace.x) * (1.0 - abs(vNormal.x)), lineAlong(vPlace.z) * (1.0 - abs(vNormal.z)));
  gl_FragColor = vec4(vColor * shade * (1.0 - 0.22 * line), opacity);
}`;

/** Cells by which the plates below plates are wider on each side, at most. */
const UNDER_SPREAD = 1;

/** Height of plates above their floor, cell heights. */
const PLATE_LIFT = 0.05;
/** Depth steps between two plate layers, and of lines, which lie on all of them. */
const [PLATE_UNITS, LINE_UNITS] = [8, 128];

/**
 * Material for boxes of voxels: geometries of makeBoxes.
 * @param {Palette} palette @param {{ plate?: number, cells?: boolean }} [options] plate: boxes without height; a higher number covers a lower one
 */
export function boxMaterial(palette, { plate = 0, cells = true } = {}) {
  const material = makeMaterial(BOX_VERTEX, BOX_FRAGMENT, palette,
    plate > 0 ? { polygonOffset: true, polygonOffsetFactor: -1, polygonOffsetUnits: -PLATE_UNITS * plate } : {});
  material.uniforms.lift.value = plate > 0 ? PLATE_LIFT : 0;
  material.uniforms.cells.value = cells ? 1 : 0;
  return material;
}

/**
 * Material for plates below those of another material, seen through the gaps between plates of different heights: from far away the gaps
 * are smaller than pixels.
 * @param {ShaderMaterial} above of boxMaterial with `plate`
 */
export function underMaterial(above) {
  const { uniforms: { palette, paletteSize, valueScale } } = above;
  const material = makeMaterial(BOX_VERTEX, BOX_FRAGMENT, { texture: palette.value, size: paletteSize.value },
    { polygonOffset: true, polygonOffsetFactor: -1, polygonOffsetUnits: above.polygonOffsetUnits + PLATE_UNITS / 2 });
  // The values of the other material are its own.
  Object.assign(material.uniforms, { palette, paletteSize, valueScale, spread: { value: UNDER_SPREAD }, cells: { value: 0 } });
  return material;
}

/** What lies on the mesh is drawn after its surface, which is transparent, and writes no depth: it would hide the feet of agents. */
const ON_MESH = { transparent: true, depthWrite: false };

const LINE_VERTEX = /* glsl */`
${SHIFT_DEPTH}
#define SHORT 12.0
#define SHORTEST 4.0
#define LONG 50.0
#define THINNEST 0.25
attribute vec4 from;  // and value
attribute vec4 to;    // and width
uniform float lift;
uniform float width;
uniform float thinning; // 1: lines are thinner where they are short on the screen
uniform vec2 resolution;
varying vec3 vColor;
void main() {
  vec4 found = lookUp(from.w);
  vColor = found.rgb;
  vec4 viewA = modelViewMatrix * vec4(from.xyz + vec3(0.0, lift, 0.0), 1.0);
  vec4 viewB = modelViewMatrix * vec4(to.xyz + vec3(0.0, lift, 0.0), 1.0);
  // Clips lines just before the camera: points behind it have no screen position.
  float near = -0.02;
  if (viewA.z > near && viewB.z < near) viewA = mix(viewB, viewA, (near - viewB.z) / (viewA.z - viewB.z));
  if (viewB.z > near && viewA.z < near) viewB = mix(viewA, viewB, (near - viewA.z) / (viewB.z - viewA.z));
  vec4 a = projectionMatrix * viewA;
  vec4 b = projectionMatrix * viewB;
  vec2 along = (b.xy / b.w - a.xy / a.w) * resolution;
  float size = length(along);
  float pixels = 0.5 * size;
  float wide = to.w == 0.0 ? 1.0 : abs(to.w) * mix(1.0, max(THINNEST, smoothstep(0.0, LONG, pixels)), thinning);
  along = size > 0.0 ? along / size : vec2(1.0, 0.0);
  vec4 mvPosition = position.x < 0.5 ? viewA : viewB;
  vec4 end = position.x < 0.5 ? a : b;
  // Extends the ends by half a width, so that corners close.
  vec2 offset = (vec2(-along.y, along.x) * position.y + along * (2.0 * position.x - 1.0)) * width * wide / resolution;
  // A thousandth nearer than surfaces, which are shifted, too.
  gl_Position = vec4(end.xy + offset * end.w, depthAt(0.999 * shiftedShare(mvPosition.xyz), end.z), end.w);
  if (found.a == 0.0 || pixels < thinning * (to.w < 0.0 ? SHORT : SHORTEST) || (viewA.z > near && viewB.z > near)) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
  #include <clipping_planes_vertex>
}`;

const PLAIN_FRAGMENT = /* glsl */`
varying vec3 vColor;
void main() {
  #include <clipping_planes_fragment>
  gl_FragColor = vec4(vColor, opacity);
}`;

/**
 * Material for lines with a width in pixels: geometries of makeLines.
 * @param {Palette} palette @param {{ width?: number, lift?: number, isThinning?: boolean }} [options] lift: world units; isThinning: lines are
 * thinner where they are short on the screen
 */
export function lineMaterial(palette, { width = 1.5, lift = 0, isThinning = false } = {}) {
  const material = makeMaterial(LINE_VERTEX, PLAIN_FRAGMENT, palette,
    { ...ON_MESH, polygonOffset: true, polygonOffsetFactor: -2, polygonOffsetUnits: -LINE_UNITS });
  addDepthShift(material);
  material.uniforms.width.value = width;
  material.uniforms.thinning = { value: Number(isThinning) };
  material.uniforms.lift.value = lift;
  return material;
}

const TRIANGLE_VERTEX = /* glsl */`
${SHIFT_DEPTH}
attribute float value;
uniform float lift;
varying vec3 vColor;
varying vec3 vView;
void main() {
  vec4 found = lookUp(value);
  vColor = found.rgb;
  vec4 mvPosition = modelViewMatrix * vec4(position + vec3(0.0, lift, 0.0), 1.0);
  vView = mvPosition.xyz;
  gl_Position = projectionMatrix * mvPosition;
  gl_Position.z = depthAt(shiftedShare(mvPosition.xyz), gl_Position.z);
  if (found.a == 0.0) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
  #include <clipping_planes_vertex>
}`;

/** Steep faces are darker. Stripes are of the screen: they stay apart, however small the surface is. */
const TRIANGLE_FRAGMENT = /* glsl */`
uniform vec4 hatch; // colour; width of the stripes, pixels
varying vec3 vColor;
varying vec3 vView;
void main() {
  #include <clipping_planes_fragment>
  vec3 normal = normalize(cross(dFdx(vView), dFdy(vView)));
  float up = abs(dot(normal, normalize((viewMatrix * vec4(0.0, 1.0, 0.0, 0.0)).xyz)));
  vec3 color = hatch.a > 0.0 && mod(gl_FragCoord.x + gl_FragCoord.y, 4.0 * hatch.a) < hatch.a ? hatch.rgb : vColor;
  gl_FragColor = vec4(color * (up > 0.995 ? 1.0 : 0.5 + 0.5 * up), opacity);
}`;

/** Width of stripes, pixels of the page. */
const STRIPE = 2;

/**
 * Material for separate triangles: geometries of makeTriangles.
 * @param {Palette} palette
 * @param {{ lift?: number, hatch?: number, isOnMesh?: boolean }} [options] lift: world units; hatch: colour of stripes; isOnMesh: drawn over the mesh
 */
export function triangleMaterial(palette, { lift = 0, hatch, isOnMesh = false } = {}) {
  const material = makeMaterial(TRIANGLE_VERTEX, TRIANGLE_FRAGMENT, palette,
    { polygonOffset: true, polygonOffsetFactor: -1, polygonOffsetUnits: -2, ...(isOnMesh ? ON_MESH : {}) });
  addDepthShift(material);
  material.uniforms.lift.value = lift;
  const width = hatch === undefined ? 0 : STRIPE * Math.min(devicePixelRatio, 2);
  material.uniforms.hatch = { value: new Vector4((hatch ?? 0) >> 16, (hatch ?? 0) >> 8 & 255, (hatch ?? 0) & 255, 255 * width).divideScalar(255) };
  return material;
}

/** @param {ShaderMaterial} material @param {Palette} palette */
export function setPalette({ uniforms }, palette) {
  if (uniforms.palette.value !== palette.texture) uniforms.palette.value.dispose();
  uniforms.palette.value = palette.texture;
  uniforms.paletteSize.value = palette.size;
}

/** Sets the opacity of a material. @param {ShaderMaterial} material @param {number} opacity */
export function setMaterialOpacity(material, opacity) {
  const isTransparent = opacity < 1 || !material.depthWrite;
  if (material.transparent !== isTransparent) material.needsUpdate = true;
  Object.assign(material, { transparent: isTransparent, opacity });
}
