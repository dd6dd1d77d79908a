/** All layers, in the order in which the panel lists them. */
import { itemsLayer, rebuiltLayer } from '../edit/layers.js';
import { inputLayer } from './input-layer.js';
import { meshLayer } from './mesh-layer.js';

/** @param {import('../app.js').App} app */
export function registerLayers(app) {
  for (const kind of [inputLayer, meshLayer, itemsLayer, rebuiltLayer]) app.layers.register(kind);
}
