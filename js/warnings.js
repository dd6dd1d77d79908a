/** Readable diagnostics of a bake that worked, but perhaps not as meant. */

/** @typedef {Required<Omit<import('./config.js').Config, 'bounds'>>} FullConfig */

/** @typedef {{ name: string, text: (config: FullConfig) => string }} Warning */

/**
 * One a bit of WM_WARNING_... in src/bake/bake.h, lowest first.
 * @type {readonly Warning[]}
 */
export const WARNINGS = [
  {
    name: 'mostlyFacesDown',
    text: () => 'most triangles face down: more of the level would be walkable with the winding flipped',
  },
  {
    name: 'nothingWalkable',
    text: (config) => `every triangle is steeper than agentMaxSlope (${config.agentMaxSlope} degrees): nothing is walkable`,
  },
  {
    name: 'radiusOverLevel',
    text: (config) => `agentRadius (${config.agentRadius}) is wider than the level: nothing remains to walk on`,
  },
  {
    name: 'cellOverRadius',
    text: (config) => `cellSize (${config.cellSize}) is coarser than agentRadius (${config.agentRadius}):`
      + ' walls are kept away from by a whole cell',
  },
  {
    name: 'climbBelowCell',
    text: (config) => `agentMaxClimb (${config.agentMaxClimb}) is below cellHeight (${config.cellHeight}):`
      + ' any step or slope across cells blocks',
  },
  {
    name: 'degenerateTriangles',
    text: () => 'some triangles have no area; they were left out of what is walkable',
  },
];

/** @param {number} bits @param {FullConfig} config @returns {string[]} */
export function describeWarnings(bits, config) {
  return WARNINGS.filter((_, bit) => bits & (1 << bit)).map((warning) => warning.text(config));
}
