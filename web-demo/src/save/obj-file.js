/** The surface of a navigation mesh as Wavefront OBJ: one group and material per area, connections as lines. */
import { shortNumber } from './literals.js';
import { areaLabel, surfaceOf } from './mesh-surface.js';

/** @param {string} label */
const groupName = (label) => label.replaceAll(' ', '_');

/**
 * @param {import('walkmesh').NavMesh} navMesh
 * @param {{ name?: string, detail?: boolean }} [options] name: of the level; detail: see surfaceOf
 * @returns {string}
 */
export function objOf(navMesh, { name = 'level', detail = true } = {}) {
  const { positions, faces, connections } = surfaceOf(navMesh, { detail });
  const lines = [`# Navigation mesh of ${name}, by Walkmesh: y up, world units`, `o ${groupName(name)}`];
  for (let i = 0; i < positions.length; i += 3) {
    lines.push(`v ${shortNumber(positions[i])} ${shortNumber(positions[i + 1])} ${shortNumber(positions[i + 2])}`);
  }
  for (const [area, list] of faces) {
    lines.push(`g ${groupName(areaLabel(area))}`, `usemtl ${groupName(areaLabel(area))}`);
    for (const face of list) lines.push(`f ${Array.from(face, (vertex) => vertex + 1).join(' ')}`);
  }
  if (connections.length > 0) lines.push('g connections');
  for (let i = 0; i < connections.length; i += 2) lines.push(`l ${connections[i] + 1} ${connections[i + 1] + 1}`);
  lines.push('');
  return lines.join('\n');
}
