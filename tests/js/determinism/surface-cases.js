/** Bakes with `heights: 'surface'`, which no golden case has: Recast has no such heights. */

/** @type {{ name: string, config: Record<string, any> }[]} */
export const SURFACE_CASES = [
  { name: 'surface', config: { heights: 'surface' } },
  { name: 'surface48', config: { heights: 'surface', tileSize: 48, detailSampleDistance: 2, detailMaxError: 0.1 } },
];
