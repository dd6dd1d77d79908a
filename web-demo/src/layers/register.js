/** All layers in the order of the panel. */
import { itemsLayer, rebuiltLayer } from '../edit/layers.js';
import { cutOffLayer } from './cut-off-layer.js';
import { followDepthShift } from './depth-shift.js';
import { addDrawingNote } from './drawing.js';
import { dropsLayer } from './drops-layer.js';
import { connectionsLayer, meshLayer } from './helper-layer.js';
import { followWireframe, inputLayer, slopeLayer } from './input-layer.js';
import { refusedLinksLayer, segmentLinksLayer } from '../links/links-layer.js';
import { linksLayer } from './links-layer.js';
import { followShell } from './shell.js';
import { polygonLayers, regionLayers, removalLayers, voxelLayers } from './stage-layers.js';
import { tileGraphLayer } from './tile-graph-layer.js';
import { islandsLayer, portalsLayer, tilesLayer, treeLayer } from './tile-layers.js';
import { followMeanings } from './views.js';

/** @param {import('../app.js').App} app */
export function registerLayers(app) {
  const kinds = [
    meshLayer, cutOffLayer, islandsLayer, ...polygonLayers, tilesLayer, portalsLayer, segmentLinksLayer, refusedLinksLayer, linksLayer, tileGraphLayer, treeLayer, inputLayer, dropsLayer, slopeLayer, ...voxelLayers,
    ...removalLayers, ...regionLayers, connectionsLayer, itemsLayer, rebuiltLayer,
  ];
  for (const kind of kinds) app.layers.register(kind);
  followWireframe(app);
  followShell(app);
  followDepthShift(app);
  followMeanings(app);
  addDrawingNote(app);
}
