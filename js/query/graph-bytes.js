/** Builds the tile graph of a mesh file: the part of Walkmesh.createTileGraph that runs in a worker. */
import { WmFilter, WmTileGraphOptions } from '../runtime/layout.js';

/** @typedef {import('../runtime/session.js').Session} Session */

/**
 * What a worker needs to build a tile graph.
 * @typedef {object} GraphInput
 * @property {Uint8Array} mesh a .walkmesh file
 * @property {Uint32Array | null} filter the words of a WmFilter without costs of polygons; null: the default
 * @property {number} spacing as of TileGraphOptions
 */

/**
 * The words of a filter, to be sent to another instance.
 * @param {Session} session @param {number} address of a WmFilter without costs of polygons; 0: the default
 * @returns {GraphInput['filter']}
 */
export function readFilterWords(session, address) {
  session.refresh();
  return address ? session.u32.slice(address / 4, address / 4 + WmFilter.words) : null;
}

/** Starts a graph. @param {Session} session @param {number} mesh its address @param {GraphInput} input @returns {number} the address of the graph */
function createGraph(session, mesh, { filter, spacing }) {
  const { wasm } = session;
  const address = filter ? session.copyIn(new Uint8Array(filter.buffer, filter.byteOffset, filter.byteLength)) : 0;
  try {
    session.refresh();
    const { u32, f32, inputs } = session;
    if (address) u32[address / 4 + WmFilter.costs] = 0;
    u32[inputs + WmTileGraphOptions.filter] = address;
    f32[inputs + WmTileGraphOptions.spacing] = spacing;
    u32[inputs + WmTileGraphOptions.keepsRemoved] = 0;
    session.check(wasm.tile_graph_create(mesh));
    return session.u32[session.answer];
  } finally {
    if (address) wasm.memory_free(session.handle, address);
  }
}

/**
 * The bytes of the tile graph of a mesh, as of TileGraph.save.
 * @param {Session} session @param {GraphInput} input @returns {Uint8Array}
 */
export function buildGraphBytes(session, input) {
  const { wasm, handle } = session, { mesh: file } = input;
  session.withCopy(file, (copy) => wasm.mesh_read(handle, copy, file.length));
  const mesh = session.u32[session.answer];
  let graph = 0;
  try {
    graph = createGraph(session, mesh, input);
    session.check(session.guard(() => wasm.tile_graph_update(graph)));
    session.check(session.guard(() => wasm.tile_graph_write(handle, graph)));
    const written = session.u32[session.answer];
    const bytes = session.copyReturnedBytes();
    wasm.memory_free(handle, written);
    return bytes;
  } finally {
    if (graph) wasm.tile_graph_destroy(graph);
    wasm.mesh_destroy(mesh);
  }
}
