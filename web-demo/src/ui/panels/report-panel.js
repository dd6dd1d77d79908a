/** The report panel: warnings, counts, time and memory of the bake. */
import { html } from 'lit';
import { STAGES } from 'walkmesh';
import { factList } from '../fields.js';

/** @typedef {import('walkmesh').BakeReport} BakeReport */

/** Names of the stages; the three filters run within the first. @type {Partial<Record<typeof STAGES[number], string>>} */
const LABELS = {
  rasterize: 'Voxels, filters', compact: 'Open spans', erode: 'Agent radius', markAreas: 'Area volumes', distance: 'Distance field',
  regions: 'Regions', contours: 'Contours', polygonMesh: 'Polygons', detailMesh: 'Height detail', tile: 'Tile',
};

const counted = (/** @type {number} */ count) => count.toLocaleString('en');
const megabytes = (/** @type {number} */ bytes) => `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`;
const milliseconds = (/** @type {number} */ time) => (time < 10 ? time.toFixed(1) : counted(Math.round(time)));

/** @param {BakeReport} report */
function drawStages({ stages, memory }) {
  const rows = STAGES.filter((stage) => LABELS[stage]);
  const longest = Math.max(...rows.map((stage) => stages[stage]), 1e-6);
  return html`
    <h3>Stages (all workers)</h3>
    <div class="bars" role="table" aria-label="Stages">
      <div class="line" role="row">
        <span class="head" role="columnheader">Stage</span><span class="head" role="columnheader" aria-label="Time as a bar"></span>
        <span class="head number" role="columnheader">ms</span><span class="head number" role="columnheader">Peak</span>
      </div>
      ${rows.map((stage) => html`
        <div class="line" role="row">
          <span role="cell">${LABELS[stage]}</span>
          <span class="bar-of" role="cell"><i style="width: ${100 * stages[stage] / longest}%"></i></span>
          <span class="number" role="cell">${milliseconds(stages[stage])}</span>
          <span class="number" role="cell">${megabytes(memory.stages[stage])}</span>
        </div>`)}
    </div>`;
}

/** @param {BakeReport} report */
function drawCounts({ milliseconds: time, counts, tiles, memory, voxels }) {
  return factList([
    ['Time', `${(time / 1000).toFixed(2)} s`],
    ['Cells', `${counted(voxels.width)} × ${counted(voxels.depth)}`],
    ...(tiles.x * tiles.z > 1 ? [/** @type {[string, string]} */ (['Tiles', `${counted(tiles.withPolygons)} of ${counted(tiles.x)} × ${counted(tiles.z)}`])] : []),
    ['Polygons', counted(counts.polygons)],
    ['Vertices', counted(counts.vertices)],
    ['Triangles', counted(counts.detailTriangles)],
    ['Regions', counted(counts.regions)],
    ['Mesh', megabytes(counts.tileBytes)],
    ['Peak worker memory', megabytes(memory.peakBytes)],
  ]);
}

/** @param {string} text */
const sentence = (text) => `${text[0].toUpperCase()}${text.slice(1).replace(/\.$/, '')}.`;

/** @param {import('../../app.js').App} app */
export function addReportPanel(app) {
  app.panels.addSection({
    id: 'report', side: 'left',
    title: ({ session: { bake: { report } } }) => (report?.warnings.length ? `Report · ${report.warnings.length} warning${report.warnings.length > 1 ? 's' : ''}` : 'Report'),
    render: ({ session: { bake: { report } } }) => (report ? html`<div class="report">
      ${report.warnings.map((warning) => html`<wa-callout size="s" variant="warning">${sentence(warning)}</wa-callout>`)}
      ${drawCounts(report)}
      ${drawStages(report)}</div>` : html`<p class="quiet">No bake yet.</p>`),
  });
}
