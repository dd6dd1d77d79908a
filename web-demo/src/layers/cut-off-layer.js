/** Parts of the mesh that no path leads to from the main ground, such as roofs: hatched, so that they don't look like the streets. */
import { CUT_OFF } from './colors.js';
import { makePalette } from './palette.js';
import { TileLayer } from './tile-layer.js';
import { surfaceOf } from './tile-layers.js';

/** The colour of the legend: stripes, as in the view. */
const HATCH = `repeating-linear-gradient(135deg, #${CUT_OFF.light.toString(16)} 0 3px, #${CUT_OFF.dark.toString(16)} 3px 4.5px)`;

/** @type {import('./layers.js').LayerKind} */
export const cutOffLayer = {
  id: 'cutOff', group: 'Mesh', label: 'Unreachable islands', hint: 'Parts of the mesh without a path from the main ground.', visible: true,
  within: 'navMesh',
  create(app) {
    const { islands } = app;
    /** Polygons of each tile. @type {Map<number, number>} */
    const sizes = new Map();
    const isCutOff = (/** @type {number} */ polygon) => islands.of(polygon) > 1;
    const layer = new TileLayer(app, {
      palette: makePalette([null, CUT_OFF.light]), hatch: CUT_OFF.dark, lift: 0.1,
      followsMainGround: true,
      begin(navMesh, milliseconds) {
        if (!islands.advance(milliseconds)) return false;
        sizes.clear();
        for (const { ref, polygons } of navMesh.tiles()) sizes.set(ref, polygons);
        return true;
      },
      isEmpty(ref) {
        const end = ref + (sizes.get(ref) ?? 0);
        for (let polygon = ref; polygon < end; polygon++) if (isCutOff(polygon)) return false;
        return true;
      },
      draw(tile, ref) {
        let count = 0;
        for (let polygon = 0; polygon < tile.groundCount; polygon++) if (isCutOff(ref + polygon)) count++;
        return { triangles: surfaceOf(tile, (polygon) => (isCutOff(ref + polygon) ? 1 : -1)), count };
      },
      note: (count) => `${count.toLocaleString('en')} polygon${count === 1 ? '' : 's'}`,
    });
    return Object.assign(layer, { legend: () => (layer.count > 0 ? [{ color: HATCH, label: `Unreachable from ${islands.mainWords}` }] : []) });
  },
};
