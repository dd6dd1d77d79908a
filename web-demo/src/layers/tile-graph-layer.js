/** The tile graph of the mesh: entrances between tiles, and lines between those that a tile connects. */
import { TileGraphHelper } from 'walkmesh/three';
import { OUTLINES } from './colors.js';
import { drawAfterMesh, shiftDepth } from './depth-shift.js';
import { HelperLayer } from './helper-layer.js';

/** A helper that owns its graph, and counts the entrances. */
class GraphOfMesh extends TileGraphHelper {
  #graph;
  count = 0;

  /** @param {import('walkmesh').NavMesh} navMesh */
  constructor(navMesh) {
    const graph = navMesh.createTileGraph();
    super(graph, { color: OUTLINES.border });
    this.#graph = graph;
    this.count = super.update();
  }

  /** @override Layers pass options for slices: a graph is drawn at once. */
  update() {
    this.count = super.update();
    return this.count;
  }

  /** @override */
  dispose() {
    super.dispose();
    if (!this.#graph.isFreed) this.#graph.free();
  }
}

/** @type {import('./layers.js').LayerKind} */
export const tileGraphLayer = {
  id: 'tileGraph', group: 'Mesh', label: 'Tile graph', hint: 'The graph of long paths: entrances between tiles, and steps through each tile.',
  legend: [{ color: OUTLINES.border, label: 'Step from entrance to entrance', isLine: true }],
  create(app) {
    /** @type {GraphOfMesh | null} */
    let drawn = null;
    return new HelperLayer(app, (navMesh) => {
      drawn = new GraphOfMesh(navMesh);
      shiftDepth(drawn.lines.material, drawn.entrances.material);
      return drawAfterMesh(drawn);
    }, () => `${(drawn?.count ?? 0).toLocaleString('en')} entrance${drawn?.count === 1 ? '' : 's'}`);
  },
};
