/** What the classes Walkmesh of `walkmesh` and `walkmesh/game` share: they open files of meshes, and say which other function opens the other files. */
import { readCrowdInfo } from '../crowd/saved-crowd.js';
import { TileGraph } from '../query/tile-graph.js';
import { requireBytes } from '../runtime/bytes.js';
import { Instance, ownerOf } from '../runtime/instance.js';
import { isCrowdFile, isDynamicFile, isTileCache, isTileGraph, refuseOtherFile } from './file-types.js';
import { NavMesh, detectFormat } from './mesh.js';

/** @typedef {import('../runtime/bytes.js').Bytes} Bytes */

/** An instance of a module that opens files, with its own memory. */
export class MeshOpener extends Instance {
  /**
   * Opens a saved mesh: .walkmesh, a Detour tile (DNAV) or a set of them (MSET). Every byte is checked first.
   * @param {Bytes} bytes
   * @returns {NavMesh} the caller frees it
   */
  loadNavMesh(bytes) {
    const { session } = ownerOf(this);
    const array = requireBytes(bytes);
    refuseOtherFile(array, 'loadNavMesh');
    return NavMesh.load(session, array);
  }

  /**
   * Opens a saved tile graph without a mesh: it finds ways over tiles that are not loaded. Every byte is checked.
   * @param {Bytes} bytes of TileGraph.save
   * @returns {TileGraph} the caller frees it
   */
  loadTileGraph(bytes) {
    const { session } = ownerOf(this);
    const array = requireBytes(bytes);
    refuseOtherFile(array, 'loadTileGraph');
    return TileGraph.load(session, undefined, array);
  }

  /**
   * What a saved crowd contains, and how many meshes loadCrowd needs. Checks the size and the checksum only.
   * @param {Bytes} bytes of Crowd.save
   * @returns {import('../crowd/saved-crowd.js').CrowdFileInfo}
   */
  crowdInfo(bytes) {
    const { session } = ownerOf(this);
    const array = requireBytes(bytes);
    refuseOtherFile(array, 'loadCrowd of its mesh');
    return readCrowdInfo(session, array);
  }

  /**
   * The format of a file, from its first bytes.
   * @param {Bytes} bytes
   * @returns {'unknown' | 'walkmesh' | 'detourTile' | 'detourSet' | 'detourSet64' | 'detourTileCache' | 'walkmeshDynamic' | 'walkmeshCrowd' | 'walkmeshTileGraph'}
   */
  detectFormat(bytes) {
    const { session } = ownerOf(this);
    const array = requireBytes(bytes);
    if (isTileCache(array)) return 'detourTileCache';
    if (isCrowdFile(array)) return 'walkmeshCrowd';
    if (isTileGraph(array)) return 'walkmeshTileGraph';
    return isDynamicFile(array) ? 'walkmeshDynamic' : detectFormat(session, array);
  }
}
