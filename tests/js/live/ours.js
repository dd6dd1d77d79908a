/** Our side of a comparison: the step-wise baker, with the array that each step produces. */

import { Baker } from '../../../js/bake/baker.js';
import { NavError } from '../../../js/runtime/errors.js';
import { instantiate } from '../../../js/loader.js';
import { Session } from '../../../js/runtime/session.js';

/** Stage -> name of the array in the comparison and in the baker. */
const STAGE_DUMPS = {
  rasterize: ['hf_raster', 'heightfield'],
  filterLowHanging: ['hf_filter_low_hanging', 'heightfield'],
  filterLedges: ['hf_filter_ledge', 'heightfield'],
  filterLowHeight: ['hf_filter_low_height', 'heightfield'],
  compact: ['compact', 'compact'],
  erode: ['areas_eroded', 'areas'],
  markAreas: ['areas_marked', 'areas'],
  distance: ['distance', 'distance'],
  regions: ['regions', 'regions'],
  contours: ['contours', 'contours'],
  polygonMesh: ['polymesh', 'polygonMesh'],
  detailMesh: ['detail', 'detailMesh'],
  tile: ['tile', 'tile'],
};

/**
 * @param {{simd?: boolean}} [options]
 * @returns {Promise<(test: object, x: number, z: number) => {arrays: Map<string, Uint8Array>, error?: Error}>}
 *          bakes a tile of a case (scenes.js); arrays under the names of ARRAY_STAGES (golden.js)
 */
export async function loadOurs(options = {}) {
  const { wasm } = await instantiate(options);
  const session = new Session(wasm);
  return (test, x, z) => bakeArrays(session, test, x, z);
}

function bakeArrays(session, test, x, z) {
  const arrays = new Map();
  let baker;
  try {
    baker = new Baker(session, ...toInput(test));
    arrays.set('tri_areas', baker.stage('triangleAreas'));
    baker.beginTile(x, z, { keepStages: true });
    while (baker.nextStage !== 'done') {
      const [name, array] = STAGE_DUMPS[baker.step().stage];
      const bytes = baker.stage(array);
      if (bytes !== null) arrays.set(name, bytes);
    }
    return { arrays };
  } catch (error) {
    if (!(error instanceof NavError)) throw error;
    return { arrays, error };
  } finally {
    baker?.free();
  }
}

/** @param {object} test a case @returns {[object, object]} geometry and configuration in the API's words */
export function toInput({ level, config }) {
  const { volumes = [], connections = [], areaFlags, bounds, ...fields } = config;
  const geometry = { ...level, volumes: volumes.map(toVolume), offMeshConnections: connections };
  if (areaFlags) geometry.areaFlags = areaFlags;
  if (bounds) fields.bounds = { min: bounds.minimum, max: bounds.maximum };
  return [geometry, fields];
}

function toVolume({ minimum, maximum, minimumY, maximumY, ...volume }) {
  if (volume.kind === 'box') return { ...volume, min: minimum, max: maximum };
  if (volume.kind === 'prism') return { ...volume, minY: minimumY, maxY: maximumY };
  const { centre: base, ...cylinder } = volume;
  return { ...cylinder, base };
}
