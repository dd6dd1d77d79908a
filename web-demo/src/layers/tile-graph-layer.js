/** The tile graph of the mesh: entrances between tiles, and lines between those that a tile connects. */
import { Group } from 'three';
import { TileGraphHelper } from 'walkmesh/three';
import { counted } from '../tools/result-text.js';
import { OUTLINES } from './colors.js';
import { drawAfterMesh, shiftDepth } from './depth-shift.js';
import { HelperLayer } from './helper-layer.js';

/** @param {import('walkmesh').TileGraph} graph is freed if its steps can't be listed */
function makeHelper(graph) {
  try {
    return new TileGraphHelper(graph, { color: OUTLINES.border });
  } catch (error) {
    graph.free();
    throw error;
  }
}

/** A graph with its helper. */
class GraphOfMesh extends Group {
  #graph;
  #helper;
  /** The helper has just listed the steps: the first update() of the layer need not list them again. */
  #isFresh = true;
  count;

  /** @param {import('walkmesh').NavMesh} navMesh */
  constructor(navMesh) {
    super();
    this.#graph = navMesh.createTileGraph();
    this.#helper = makeHelper(this.#graph);
    this.count = this.#helper.entrances.geometry.getAttribute('position').count;
    shiftDepth(this.#helper.lines.material, this.#helper.entrances.material);
    this.add(drawAfterMesh(this.#helper));
  }

  /** Layers pass options for slices: a graph is drawn at once. */
  update() {
    if (!this.#isFresh) this.count = this.#helper.update();
    this.#isFresh = false;
    return this.count;
  }

  dispose() {
    this.#helper.dispose();
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
    return new HelperLayer(app, (navMesh) => drawn = new GraphOfMesh(navMesh), () => counted(drawn?.count ?? 0, 'entrance'));
  },
};
