/** The report panel: warnings, counts, time and memory of the bake. */
import { html, nothing } from 'lit';
import { STAGES } from 'walkmesh';
import { isHarmless, totalsOf } from '../../bake/totals.js';
import { factList } from '../fields.js';

/** @typedef {import('walkmesh').BakeReport} BakeReport */
/** @typedef {import('../../app.js').App} App */
/** @typedef {import('../../state/document.js').State} State */

/** Names of the stages; the three filters run within the first. @type {Partial<Record<typeof STAGES[number], string>>} */
const LABELS = {
  rasterize: 'Voxels, filters', compact: 'Open spans', erode: 'Agent radius', markAreas: 'Area volumes', distance: 'Distance field',
  regions: 'Regions', contours: 'Contours', polygonMesh: 'Polygons', detailMesh: 'Height detail', tile: 'Tile',
};

const counted = (/** @type {number} */ count) => count.toLocaleString('en');
const bytesInWords = (/** @type {number} */ bytes) => (bytes < 1e5 ? `${(bytes / 1e3).toFixed(bytes < 1e4 ? 1 : 0)} kB` : `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`);
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
          <span class="number" role="cell">${bytesInWords(memory.stages[stage])}</span>
        </div>`)}
    </div>`;
}

/**
 * @param {BakeReport} report
 * @param {import('walkmesh').NavMesh['totals']} [totals] of the mesh, which obstacles and connections change after the bake
 */
function drawCounts({ milliseconds: time, counts, tiles, memory, voxels }, totals) {
  const isChanged = totals !== undefined && totals.polygons !== counts.polygons;
  return factList([
    ['Time', `${(time / 1000).toFixed(2)} s`],
    ['Cells', `${counted(voxels.width)} × ${counted(voxels.depth)}`],
    ...(tiles.x * tiles.z > 1 ? [/** @type {[string, string]} */ (['Tiles', `${counted(tiles.withPolygons)} of ${counted(tiles.x)} × ${counted(tiles.z)}`])] : []),
    [isChanged ? 'Polygons baked' : 'Polygons', counted(counts.polygons)],
    ...(isChanged ? [/** @type {[string, string]} */ (['Polygons with edits', counted(totals.polygons)])] : []),
    ['Vertices', counted(counts.vertices)],
    ['Triangles', counted(counts.detailTriangles)],
    ['Regions', counted(counts.regions)],
    ['Mesh', bytesInWords(counts.tileBytes)],
    ['Peak worker memory', bytesInWords(memory.peakBytes)],
  ]);
}

/** @param {string} text */
const sentence = (text) => `${text[0].toUpperCase()}${text.slice(1).replace(/\.$/, '')}.`;

/** Why the report isn't that of the present configuration; '' if it is. @param {App} app @param {State} state */
function oldBecause(app, { session: { bake } }) {
  if (bake.state === 'failed') return 'The last bake failed. These figures are from the bake before it.';
  if (bake.state === 'cancelled') return 'The last bake was cancelled. These figures are from the bake before it.';
  return app.bakes.isStale ? 'The configuration has changed since this bake.' : '';
}

/** One line: what the report says in short. @param {App} app @param {State} state */
function titleOf(app, state) {
  const { report } = state.session.bake;
  if (!report) return 'Report';
  const { length } = report.warnings.filter((warning) => !isHarmless(warning));
  return ['Report', oldBecause(app, state) ? 'old' : `${counted(report.counts.polygons)} polygons`,
    ...(length ? [`${length} warning${length > 1 ? 's' : ''}`] : [])].join(' · ');
}

/** @param {App} app */
export function addReportPanel(app) {
  app.panels.addSection({
    id: 'report', side: 'left', isClosed: true, isTall: true, title: (state) => titleOf(app, state),
    render: (state) => {
      const { report } = state.session.bake;
      const old = oldBecause(app, state);
      return report ? html`<div class="report ${old ? 'old' : ''}">
        ${old ? html`<p class="old-note">${old}</p>` : nothing}
        ${report.warnings.map((warning) => html`<wa-callout size="s" variant=${isHarmless(warning) ? 'neutral' : 'warning'}>${sentence(warning)}</wa-callout>`)}
        ${drawCounts(report, app.bakes.current ? totalsOf(app.bakes.current.navMesh) : undefined)}
        ${drawStages(report)}</div>` : html`<p class="quiet">No bake yet.</p>`;
    },
  });
}
