/**
 * A level from files, in the worker: triangles, checked, with what the page needs to draw them and to find what lies under
 * the pointer.
 */
import { BufferAttribute, BufferGeometry } from 'three';
import { MeshBVH } from 'three-mesh-bvh';
import { parseObj, readGltf } from 'walkmesh/level';
import { endingOf, lastPart } from './choose-files.js';

/** @typedef {{ positions: Float32Array, indices: Uint32Array }} Triangles */
/** @typedef {(step: string, share: number | null) => void} Tell share: 0 to 1, null: nobody knows */
/**
 * @typedef {object} MadeLevel
 * @property {Float32Array} positions
 * @property {Uint32Array} indices
 * @property {{ min: number[], max: number[] }} bounds
 * @property {import('three-mesh-bvh').SerializedBVH} tree
 * @property {string[]} warnings
 */

/** @param {Blob} file @param {string} name */
async function readBytes(file, name) {
  try {
    return new Uint8Array(await file.arrayBuffer());
  } catch (cause) {
    throw new Error(`${name} cannot be read: it is a folder, or has changed or gone since it was chosen.`, { cause });
  }
}

/**
 * @param {{ name: string, blob: Blob }[]} files the level first, then what it may name @param {Tell} tell @param {string[]} warnings
 * @returns {Promise<Triangles>}
 */
export async function readFiles([main, ...others], tell, warnings) {
  const { name } = main;
  tell('Reading', null);
  const bytes = await readBytes(main.blob, name);
  tell('Parsing', null);
  if (endingOf(name) === '.obj') {
    return parseObj(bytes, { name, onProgress: (share) => tell('Parsing', share), onWarning: (warning) => warnings.push(warning) });
  }
  const resources = async (/** @type {string} */ address) => {
    const file = others.find((other) => other.name === lastPart(address));
    if (!file) throw new Error(`${name} needs the file ${lastPart(address)}: open both at once.`);
    return readBytes(file.blob, file.name);
  };
  const meshopt = async () => (await import('three/addons/libs/meshopt_decoder.module.js')).MeshoptDecoder;
  return readGltf(bytes, { name, resources, decoders: { meshopt } });
}

/** The box around all vertices that triangles have. Throws where a coordinate is not finite. @param {Triangles} triangles @param {string} name */
export function measure({ positions, indices }, name) {
  const min = [Infinity, Infinity, Infinity];
  const max = [-Infinity, -Infinity, -Infinity];
  let broken = 0;
  let first = -1;
  for (let i = 0; i < positions.length; i += 3) {
    if (Number.isFinite(positions[i] + positions[i + 1] + positions[i + 2])) continue;
    if (broken++ === 0) first = i / 3;
  }
  if (broken > 0) {
    const numbers = [...positions.subarray(3 * first, 3 * first + 3)].join(', ');
    throw new Error(`${name} has ${broken.toLocaleString('en')} of ${(positions.length / 3).toLocaleString('en')} vertices whose coordinates`
      + ` are no numbers, the first of them number ${first + 1} (${numbers}): export it anew.`);
  }
  for (const index of indices) {
    for (let axis = 0; axis < 3; axis++) {
      const value = positions[3 * index + axis];
      if (value < min[axis]) min[axis] = value;
      if (value > max[axis]) max[axis] = value;
    }
  }
  return { min, max };
}

/** @param {Triangles} triangles @param {string} name @param {Tell} tell @param {string[]} warnings @returns {MadeLevel} */
export function finishLevel({ positions, indices }, name, tell, warnings) {
  const bounds = measure({ positions, indices }, name);
  tell('Preparing', 0);
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(positions, 3));
  geometry.setIndex(new BufferAttribute(indices, 1));
  const bvh = new MeshBVH(geometry, { indirect: true, onProgress: (/** @type {number} */ share) => tell('Preparing', share) });
  // The index is the level's own, which stays in its order.
  const tree = { ...MeshBVH.serialize(bvh, { cloneBuffers: false }), index: null };
  return { positions, indices, bounds, tree, warnings };
}
