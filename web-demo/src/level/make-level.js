/**
 * Makes a level from files, in the worker: checked triangles, and the data for drawing them and for finding the point under
 * the pointer.
 */
import { BufferAttribute, BufferGeometry } from 'three';
import { MeshBVH } from 'three-mesh-bvh';
import { levelFacing, parseObj, readGltf } from 'walkmesh/level';
import { endingOf, lastPart } from './choose-files.js';
import { findRisers } from './find-risers.js';

/** @typedef {{ positions: Float32Array, indices: Uint32Array, areas?: Uint8Array }} Triangles areas: of each triangle, where a file marks them */
/** @typedef {(step: string, share: number | null) => void} ReportProgress share: 0 to 1, null: unknown */
/**
 * @typedef {object} MadeLevel
 * @property {Float32Array} positions
 * @property {Uint32Array} indices
 * @property {Uint8Array} [areas] of each triangle
 * @property {{ min: number[], max: number[] }} bounds
 * @property {import('three-mesh-bvh').SerializedBVH} tree
 * @property {import('./find-risers.js').Riser[]} risers of its stairs
 * @property {string[]} warnings
 * @property {import('walkmesh/level').LevelFacing | null} facing null: it faces up
 * @property {string} [hash] of its triangles
 */

/** @param {Blob} file @param {string} name */
async function readBytes(file, name) {
  try {
    return new Uint8Array(await file.arrayBuffer());
  } catch (cause) {
    throw new Error(`Can't read ${name}: it is a folder, or the file was changed or deleted. Choose it again.`, { cause });
  }
}

/**
 * @param {{ name: string, blob: Blob }[]} files the level first, then the files it may name @param {ReportProgress} report @param {string[]} warnings
 * @returns {Promise<Triangles>}
 */
export async function readFiles([main, ...others], report, warnings) {
  const { name } = main;
  report('Reading', null);
  const bytes = await readBytes(main.blob, name);
  report('Parsing', null);
  if (endingOf(name) === '.obj') {
    return parseObj(bytes, { name, onProgress: (share) => report('Parsing', share), onWarning: (warning) => warnings.push(warning) });
  }
  const resources = async (/** @type {string} */ address) => {
    const file = others.find((other) => other.name === lastPart(address));
    if (!file) throw new Error('open both together');
    return readBytes(file.blob, file.name);
  };
  const meshopt = async () => (await import('three/addons/libs/meshopt_decoder.module.js')).MeshoptDecoder;
  return readGltf(bytes, { name, resources, decoders: { meshopt } });
}

/** The bounds of all used vertices. Throws if a coordinate is not finite. @param {Triangles} triangles @param {string} name */
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
    throw new Error(`${name}: vertex ${(first + 1).toLocaleString('en')} isn't a valid number (${numbers}); ${broken.toLocaleString('en')} of`
      + ` ${(positions.length / 3).toLocaleString('en')} vertices are invalid. Re-export the file.`);
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

/** @param {Triangles} triangles @param {string} name @param {ReportProgress} report @param {string[]} warnings @returns {MadeLevel} */
export function finishLevel({ positions, indices, areas }, name, report, warnings) {
  const bounds = measure({ positions, indices }, name);
  report('Preparing', 0);
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(positions, 3));
  geometry.setIndex(new BufferAttribute(indices, 1));
  const bvh = new MeshBVH(geometry, { indirect: true, onProgress: (/** @type {number} */ share) => report('Preparing', share) });
  // The index is the level's own; it keeps its order, in which areas are.
  const tree = { ...MeshBVH.serialize(bvh, { cloneBuffers: false }), index: null };
  const risers = findRisers({ positions, indices }, bvh);
  return { positions, indices, areas, bounds, tree, risers, warnings, facing: levelFacing({ positions, indices }) };
}
