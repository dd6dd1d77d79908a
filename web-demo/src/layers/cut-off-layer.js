/** Parts of the mesh that no path leads to from its largest part, such as roofs: hatched, so that they don't look like the streets. */
import { html } from 'lit';
import { CUT_OFF } from './colors.js';
import { makePalette } from './palette.js';
import { TileLayer } from './tile-layer.js';
import { surfaceOf } from './tile-layers.js';

/** The colour of the legend: stripes, as in the view. */
const HATCH = `repeating-linear-gradient(135deg, #${CUT_OFF.light.toString(16)} 0 3px, #${CUT_OFF.dark.toString(16)} 3px 4.5px)`;

/** The island of the largest area; 0: there is none. @param {import('walkmesh').Islands} islands */
function largestOf(islands) {
  let [largest, most] = [0, 0];
  for (let island = 1; island <= islands.count; island++) {
    const area = islands.area(island);
    if (area > most) [largest, most] = [island, area];
  }
  return largest;
}

/** @type {import('./layers.js').LayerKind} */
export const cutOffLayer = {
  id: 'cutOff', group: 'Mesh', label: 'Unreachable islands', hint: 'Parts of the mesh without a path from the largest one.', visible: true,
  within: 'navMesh',
  create(app) {
    /** @type {import('walkmesh').Islands | null} */
    let islands = null;
    let largest = 0;
    /** Polygons of each tile. @type {Map<number, number>} */
    const sizes = new Map();
    const isCutOff = (/** @type {number} */ polygon) => {
      const island = islands?.of(polygon) ?? 0;
      return island !== 0 && island !== largest;
    };
    const layer = new TileLayer(app, {
      palette: makePalette([null, CUT_OFF.light]), hatch: CUT_OFF.dark, lift: 0.1,
      begin(navMesh) {
        islands ??= navMesh.islands();
        islands.update();
        largest = largestOf(islands);
        sizes.clear();
        for (const { ref, polygons } of navMesh.tiles()) sizes.set(ref, polygons);
      },
      isEmpty(ref) {
        const end = ref + (sizes.get(ref) ?? 0);
        for (let polygon = ref; polygon < end; polygon++) if (isCutOff(polygon)) return false;
        return true;
      },
      draw(tile, ref) {
        let count = 0;
        for (let polygon = 0; polygon < tile.groundCount; polygon++) if (isCutOff(ref + polygon)) count++;
        return { triangles: surfaceOf(tile, (polygon) => Number(isCutOff(ref + polygon))), count };
      },
      end() {
        islands?.free();
        islands = null;
      },
      note: (count) => `${count.toLocaleString('en')} polygon${count === 1 ? '' : 's'}`,
    });
    return Object.assign(layer, { legend: () => (layer.count > 0 ? [{ color: HATCH, label: 'Unreachable island' }] : []) });
  },
};

/** On phones, where the legend is closed: what the hatch means, while it is drawn. @param {import('../app.js').App} app */
export function addHatchNote(app) {
  app.panels.addOverlay('hatch-note', () => {
    const layer = /** @type {TileLayer | undefined} */ (app.layers.get('cutOff'));
    return app.layers.isShown(cutOffLayer) && layer && layer.count > 0
      ? html`<p class="hatch-note"><i style="background:${HATCH}"></i>Hatched: unreachable</p>` : '';
  });
}
