/** A reader for the subset of OBJ the test levels use: v and f rows, faces as fans. */

import { readFileSync } from 'node:fs';

/** @param {string} path @returns {{positions: Float32Array, indices: Uint32Array}} */
export function readLevel(path) {
  const positions = [];
  const indices = [];
  for (const row of readFileSync(path, 'utf8').split('\n')) {
    const words = row.trim().split(/\s+/);
    if (words[0] === 'v') {
      positions.push(Number(words[1]), Number(words[2]), Number(words[3]));
    } else if (words[0] === 'f') {
      const corners = words.slice(1).map((word) => resolveIndex(word, positions.length / 3));
      for (let i = 2; i < corners.length; i++) indices.push(corners[0], corners[i - 1], corners[i]);
    }
  }
  return { positions: new Float32Array(positions), indices: new Uint32Array(indices) };
}

function resolveIndex(word, vertexCount) {
  const value = Number.parseInt(word, 10);
  return value < 0 ? vertexCount + value : value - 1;
}
