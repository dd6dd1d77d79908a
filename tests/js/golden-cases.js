// The cases of the golden figures, and the array from which a case is exempt (design: agreement with Recast).
import assert from 'node:assert/strict';

export const SINGLE_ORDER = ['tri_areas', 'hf_raster', 'hf_filter_low_hanging', 'hf_filter_ledge', 'hf_filter_low_height',
  'compact', 'areas_eroded', 'distance', 'regions', 'contours', 'polymesh', 'detail', 'tile'];
export const TILED_ORDER = ['tiles_polymesh', 'tiles_detail', 'tiles_data'];

/** The first array from which a case is exempt, because Recast itself reported a mistake there. */
export function exemptFrom(errors, tiled) {
  const names = Object.keys(errors ?? {});
  if (names.includes('overlapping regions') || names.includes('Bad triangulation')) {
    return tiled ? 'tiles_polymesh' : 'regions';
  }
  if (names.includes('dangling face')) return tiled ? 'tiles_detail' : 'detail';
  assert.deepEqual(names, [], 'an unknown complaint');
  return undefined;
}
