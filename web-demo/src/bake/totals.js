/** The counts of a mesh, kept while it stays the same: the library counts all tiles anew at each call. */

/** @typedef {import('walkmesh').NavMesh} NavMesh */

/** @type {WeakMap<NavMesh, { version: number, totals: NavMesh['totals'] }>} */
const known = new WeakMap();

/** @param {NavMesh} navMesh @returns {NavMesh['totals']} */
export function totalsOf(navMesh) {
  const { version } = navMesh;
  const last = known.get(navMesh);
  if (last?.version === version) return last.totals;
  const { totals } = navMesh;
  known.set(navMesh, { version, totals });
  return totals;
}

/** True for a warning of a bake that asks for nothing, such as the one about triangles without area. @param {string} warning */
export const isHarmless = (warning) => warning.endsWith('this is harmless');
