/**
 * The fields of the configuration as the page shows them: in groups, with units, ranges and a sentence of help. The ranges are
 * those that the library checks (tests/js/tool-config.test.js); what it finds wrong is shown at the field.
 */

/** @typedef {import('../state/document.js').Document['config']} Config */
/** @typedef {Exclude<keyof Config, 'bounds'>} FieldName */

/**
 * @typedef {object} NumberFieldRow
 * @property {'number'} kind
 * @property {FieldName} name
 * @property {string} label
 * @property {string} unit
 * @property {number} min
 * @property {number} max
 * @property {number} step of the arrow keys
 * @property {boolean} [orZero] 0 stands for off, below min
 * @property {string} help
 */

/** @typedef {NumberFieldRow | { kind: 'switch' | 'partition', name: FieldName, label: string, help: string }} FieldRow */

/** @typedef {{ title: string, isOpen: boolean, fields: FieldRow[] }} FieldGroup */

/** @param {FieldName} name @param {string} label @param {string} unit @param {[number, number]} range @param {number} step @param {string} help @returns {NumberFieldRow} */
const number = (name, label, unit, [min, max], step, help) => ({ kind: 'number', name, label, unit, min, max, step, help });

/** @type {readonly FieldGroup[]} */
export const FIELD_GROUPS = [
  {
    title: 'Agent', isOpen: true, fields: [
      number('agentRadius', 'Agent radius', 'm', [0, 1e6], 0.05, 'The mesh keeps this far from walls; narrower passages close. 0 and up.'),
      number('agentHeight', 'Agent height', 'm', [1e-6, 1e6], 0.1, 'Lower ceilings close what is under them. Above 0.'),
      number('agentMaxClimb', 'Highest step', 'm', [0, 1e6], 0.05, 'Steps up to here are taken. 0 to the agent height.'),
      number('agentMaxSlope', 'Steepest slope', 'degrees', [0, 90], 1, 'Steeper triangles are not walked on. 0 to 90.'),
    ],
  },
  {
    title: 'Voxels', isOpen: true, fields: [
      number('cellSize', 'Cell size', 'm', [1e-6, 1e6], 0.05, 'Half to a third of the radius. Half of it takes four times as long. Above 0.'),
      number('cellHeight', 'Cell height', 'm', [1e-6, 1e6], 0.05, 'How exact heights are: about half the cell size. Above 0.'),
    ],
  },
  {
    title: 'Tiles', isOpen: true, fields: [
      { ...number('tileSize', 'Tile size', 'cells', [8, 4096], 8, 'Workers share tiles, and obstacles need them: 32 to 128. 8 to 4096, or 0 for a single tile.'), orZero: true },
    ],
  },
  {
    title: 'Regions', isOpen: false, fields: [
      { kind: 'partition', name: 'partition', label: 'Partition', help: 'How ground is split. Watershed: the best polygons; monotone: the fastest; layers and chunky: between, good with tiles.' },
      number('chunkSize', 'Chunk size', 'cells', [1, 4096], 1, 'Side of the squares of the chunky partition. 1 to 4096.'),
      number('minRegionSize', 'Smallest island', 'cells', [0, 10000], 1, 'Smaller islands are dropped: roofs, table tops. Cells on a side, 0 to 10,000.'),
      number('mergeRegionSize', 'Merge regions below', 'cells', [0, 10000], 1, 'Smaller regions join their neighbours: fewer polygons. Cells on a side, 0 to 10,000.'),
    ],
  },
  {
    title: 'Contours and polygons', isOpen: false, fields: [
      number('maxEdgeError', 'Edge tolerance', 'cells', [0, 1000], 0.1, 'How far edges may stray from the true outline: more means fewer corners. 0 to 1,000.'),
      number('maxEdgeLength', 'Longest edge', 'm', [0, 1e6], 1, 'Longer edges along walls are split. 0: never.'),
      number('maxVerticesPerPolygon', 'Corners of a polygon', '', [3, 6], 1, 'At most so many; more means fewer polygons. 3 to 6.'),
    ],
  },
  {
    title: 'Height detail', isOpen: false, fields: [
      { ...number('detailSampleDistance', 'Sample spacing', 'cells', [0.9, 10000], 0.5, 'Heights are looked at this far apart. 0.9 and up; 0: no height detail, the quickest.'), orZero: true },
      number('detailMaxError', 'Height tolerance', 'cell heights', [0, 10000], 0.1, 'How far heights may be off: less means more triangles. 0 to 10,000.'),
    ],
  },
  {
    title: 'Filters', isOpen: false, fields: [
      { kind: 'switch', name: 'filterLowHangingObstacles', label: 'Step onto low obstacles', help: 'Off: kerbs and steps with steep sides block.' },
      { kind: 'switch', name: 'filterLedges', label: 'Keep off ledges', help: 'Off: the mesh reaches up to drops.' },
      { kind: 'switch', name: 'filterLowHeight', label: 'Keep out of low headroom', help: 'Off: low ceilings do not count.' },
      { kind: 'switch', name: 'medianFilter', label: 'Smooth areas', help: 'On: single odd cells of areas go.' },
    ],
  },
];

/** The row of a field. @param {string} name */
export const findField = (name) => FIELD_GROUPS.flatMap(({ fields }) => fields).find((field) => field.name === name);
