/**
 * The configuration fields of the page: groups, units, ranges and one sentence of help each. The ranges equal
 * those of the library (tests/js/tool-config.test.js); the field shows the library's errors.
 */

/** @typedef {import('../state/document.js').Document['config']} Config */
/** @typedef {Exclude<keyof Config, 'bounds' | 'links'>} FieldName */

/**
 * @typedef {object} NumberFieldRow
 * @property {'number'} kind
 * @property {FieldName} name
 * @property {string} label
 * @property {string} unit
 * @property {number} min
 * @property {number} max
 * @property {number} step increment of the arrow keys
 * @property {boolean} [orZero] 0 is also allowed and means off
 * @property {string} help
 */

/** @typedef {NumberFieldRow | { kind: 'switch' | 'partition' | 'heights', name: FieldName, label: string, help: string }} FieldRow */

/** @typedef {{ title: string, isOpen: boolean, fields: FieldRow[] }} FieldGroup */

/** @param {FieldName} name @param {string} label @param {string} unit @param {[number, number]} range @param {number} step @param {string} help @returns {NumberFieldRow} */
const number = (name, label, unit, [min, max], step, help) => ({ kind: 'number', name, label, unit, min, max, step, help });

/** @type {readonly FieldGroup[]} */
export const FIELD_GROUPS = [
  {
    title: 'Agent', isOpen: true, fields: [
      number('agentRadius', 'Agent radius', 'm', [0, 1e6], 0.05, 'Distance kept from walls; narrower passages close. 0 or more.'),
      number('agentHeight', 'Agent height', 'm', [1e-6, 1e6], 0.1, 'Ground with less headroom is not walkable. Above 0.'),
      number('agentMaxClimb', 'Max step height', 'm', [0, 1e6], 0.05, 'Agents climb steps up to this. 0 to the agent height.'),
      number('agentMaxSlope', 'Max slope', 'degrees', [0, 90], 1, 'Steeper triangles are not walkable. 0 to 90.'),
    ],
  },
  {
    title: 'Voxels', isOpen: true, fields: [
      number('cellSize', 'Cell size', 'm', [1e-6, 1e6], 0.05, 'Half to a third of the radius; halving it takes about 4x longer. Above 0.'),
      number('cellHeight', 'Cell height', 'm', [1e-6, 1e6], 0.05, 'Height resolution: about half the cell size. Above 0.'),
    ],
  },
  {
    title: 'Tiles', isOpen: true, fields: [
      { ...number('tileSize', 'Tile size', 'cells', [8, 4096], 8, 'Workers and obstacles need tiles: try 32 to 128. 8 to 4096; 0: a single tile.'), orZero: true },
    ],
  },
  {
    title: 'Regions', isOpen: false, fields: [
      { kind: 'partition', name: 'partition', label: 'Partition', help: 'Watershed: best polygons; monotone: fastest; layers, chunky: good with tiles.' },
      number('chunkSize', 'Chunk size', 'cells', [1, 4096], 1, 'Side of the squares of the chunky partition. 1 to 4096.'),
      number('minRegionSize', 'Min island size', 'cells', [0, 10000], 1, 'Removes smaller patches, such as roofs. Side of a square, 0 to 10,000.'),
      number('mergeRegionSize', 'Region merge size', 'cells', [0, 10000], 1, 'Smaller regions merge with a neighbour. Side of a square, 0 to 10,000.'),
    ],
  },
  {
    title: 'Contours and polygons', isOpen: false, fields: [
      number('maxEdgeError', 'Edge tolerance', 'cells', [0, 1000], 0.1, 'Largest distance from the true outline; more gives fewer corners. 0 to 1,000.'),
      number('maxEdgeLength', 'Max edge length', 'm', [0, 1e6], 1, 'Longer edges of the mesh are split. 0: never.'),
      number('maxVerticesPerPolygon', 'Max vertices', '', [3, 6], 1, 'Vertices per polygon; more vertices give fewer polygons. 3 to 6.'),
    ],
  },
  {
    title: 'Height detail', isOpen: false, fields: [
      { ...number('detailSampleDistance', 'Sample spacing', 'cells', [0.9, 10000], 0.5, 'Distance between height samples. 0.9 or more; 0: no height detail (fastest).'), orZero: true },
      number('detailMaxError', 'Height tolerance', 'cell heights', [0, 10000], 0.1, 'Largest height error; less gives more triangles. 0 to 10,000.'),
      { kind: 'heights', name: 'heights', label: 'Heights', help: 'Surface: vertices lie on the level itself. Voxels: Recast\'s heights.' },
    ],
  },
  {
    title: 'Filters', isOpen: false, fields: [
      { kind: 'switch', name: 'filterLowHangingObstacles', label: 'Climb low obstacles', help: 'Off: kerbs and steps with steep sides block.' },
      { kind: 'switch', name: 'filterLedges', label: 'Remove ledges', help: 'Off: the mesh extends to the edge of drops.' },
      { kind: 'switch', name: 'filterLowHeight', label: 'Remove low headroom', help: 'Off: low ceilings are ignored.' },
      { kind: 'switch', name: 'medianFilter', label: 'Smooth areas', help: 'On: replaces single cells that differ from their neighbours.' },
    ],
  },
];

/** Finds the row of a field. @param {string} name */
export const findField = (name) => FIELD_GROUPS.flatMap(({ fields }) => fields).find((field) => field.name === name);
