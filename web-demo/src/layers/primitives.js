/** Geometries for the materials of materials.js from the arrays of stages/views.js. Each owns its buffers. */
import {
  BoxGeometry, BufferAttribute, BufferGeometry, InstancedBufferGeometry, InstancedInterleavedBuffer, InterleavedBufferAttribute, Mesh, Sphere, Vector3,
} from 'three';

/** @typedef {import('three').ShaderMaterial} ShaderMaterial */

/** A unit box without its bottom face, which is never visible. */
function unitBox() {
  const box = new BoxGeometry(1, 1, 1).translate(0.5, 0.5, 0.5);
  const index = /** @type {BufferAttribute} */ (box.index);
  const normals = box.getAttribute('normal');
  const indices = Array.from(index.array).filter((_, i) => normals.getY(index.array[i - i % 3]) > -0.5);
  return { positions: box.getAttribute('position').array, normals: normals.array, indices };
}

/** The top face of the box. */
const PLATE = { positions: [0, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0, 1], normals: [0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0], indices: [0, 2, 1, 0, 3, 2] };
const BOX = unitBox();

/** @param {{ x: number, y: number, z: number }} min @param {{ x: number, y: number, z: number }} max */
function sphereAround(min, max) {
  const center = new Vector3((min.x + max.x) / 2, (min.y + max.y) / 2, (min.z + max.z) / 2);
  return new Sphere(center, center.distanceTo(new Vector3(max.x, max.y, max.z)));
}

/**
 * @param {Uint16Array} boxes [n][8], cells @param {{ isPlate?: boolean }} [options]
 * @returns {InstancedBufferGeometry} units: cells and cell heights
 */
export function makeBoxes(boxes, { isPlate = false } = {}) {
  const shape = isPlate ? PLATE : BOX;
  const geometry = new InstancedBufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(Float32Array.from(shape.positions), 3));
  geometry.setAttribute('normal', new BufferAttribute(Float32Array.from(shape.normals), 3));
  geometry.setIndex(Array.from(shape.indices));
  const buffer = new InstancedInterleavedBuffer(boxes, 8);
  geometry.setAttribute('box', new InterleavedBufferAttribute(buffer, 4, 0));
  geometry.setAttribute('span', new InterleavedBufferAttribute(buffer, 4, 4));
  geometry.instanceCount = boxes.length / 8;
  const [min, max] = [new Vector3(Infinity, Infinity, Infinity), new Vector3(-Infinity, -Infinity, -Infinity)];
  for (let i = 0; i < boxes.length; i += 8) {
    min.set(Math.min(min.x, boxes[i]), Math.min(min.y, boxes[i + 4]), Math.min(min.z, boxes[i + 1]));
    max.set(Math.max(max.x, boxes[i] + boxes[i + 2]), Math.max(max.y, boxes[i + 5]), Math.max(max.z, boxes[i + 1] + boxes[i + 3]));
  }
  geometry.boundingSphere = boxes.length > 0 ? sphereAround(min, max) : new Sphere(new Vector3(), 0);
  return geometry;
}

/**
 * A bounding sphere: the sphere around the points' bounding box.
 * @param {ArrayLike<number>} numbers @param {number} stride @param {number[]} offsets offset of each point
 */
function sphereOf(numbers, stride, offsets) {
  const [min, max] = [new Vector3(Infinity, Infinity, Infinity), new Vector3(-Infinity, -Infinity, -Infinity)];
  for (let i = 0; i < numbers.length; i += stride) {
    for (const offset of offsets) {
      const [x, y, z] = [numbers[i + offset], numbers[i + offset + 1], numbers[i + offset + 2]];
      min.set(Math.min(min.x, x), Math.min(min.y, y), Math.min(min.z, z));
      max.set(Math.max(max.x, x), Math.max(max.y, y), Math.max(max.z, z));
    }
  }
  const sphere = numbers.length > 0 ? sphereAround(min, max) : new Sphere(new Vector3(), 0);
  sphere.radius += 0.5; // margin for the lift
  return sphere;
}

/** @param {Float32Array} lines [n][8] both ends (x, y, z), value, width as a multiple of the material's (0: 1, negative: left out where short) @returns {InstancedBufferGeometry} */
export function makeLines(lines) {
  // The shader reads the value next to the first end.
  const numbers = new Float32Array(lines.length);
  for (let i = 0; i < lines.length; i += 8) {
    numbers.set([lines[i], lines[i + 1], lines[i + 2], lines[i + 6], lines[i + 3], lines[i + 4], lines[i + 5], lines[i + 7]], i);
  }
  const geometry = new InstancedBufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(Float32Array.of(0, -1, 0, 1, -1, 0, 1, 1, 0, 0, 1, 0), 3));
  geometry.setIndex([0, 1, 2, 0, 2, 3]);
  const buffer = new InstancedInterleavedBuffer(numbers, 8);
  geometry.setAttribute('from', new InterleavedBufferAttribute(buffer, 4, 0));
  geometry.setAttribute('to', new InterleavedBufferAttribute(buffer, 4, 4));
  geometry.instanceCount = lines.length / 8;
  geometry.boundingSphere = sphereOf(lines, 8, [0, 3]);
  return geometry;
}

/** @param {{ positions: Float32Array, values: Uint16Array }} triangles three vertices each @returns {BufferGeometry} */
export function makeTriangles({ positions, values }) {
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(positions, 3));
  geometry.setAttribute('value', new BufferAttribute(values, 1));
  geometry.boundingSphere = sphereOf(positions, 3, [0]);
  return geometry;
}

/**
 * A mesh with one of the materials.
 * @param {BufferGeometry} geometry @param {ShaderMaterial} material @param {number} order of drawing, lower first
 */
export function makePart(geometry, material, order) {
  const part = new Mesh(geometry, material);
  part.renderOrder = order;
  part.raycast = () => {};
  part.userData.walkmesh = { ignore: true };
  const { resolution } = material.uniforms;
  if (geometry.getAttribute('from')) {
    part.onBeforeRender = (renderer) => { renderer.getDrawingBufferSize(resolution.value).divideScalar(renderer.getPixelRatio()); };
  } else if (geometry.getAttribute('box')) part.onBeforeRender = (renderer) => { renderer.getDrawingBufferSize(resolution.value); };
  return part;
}
