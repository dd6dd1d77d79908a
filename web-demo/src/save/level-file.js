/** A level's triangles as Wavefront OBJ, with the same float32 values, so that they bake to the same mesh. */
import { shortNumber } from './literals.js';

/** @param {{ positions: Float32Array, indices: Uint32Array }} level @returns {string} */
export function levelObj({ positions, indices }) {
  const lines = [];
  for (let i = 0; i < positions.length; i += 3) {
    lines.push(`v ${shortNumber(positions[i])} ${shortNumber(positions[i + 1])} ${shortNumber(positions[i + 2])}`);
  }
  for (let i = 0; i < indices.length; i += 3) lines.push(`f ${indices[i] + 1} ${indices[i + 1] + 1} ${indices[i + 2] + 1}`);
  lines.push('');
  return lines.join('\n');
}
