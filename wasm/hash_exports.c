/* Exports of what tells whether a tile has to be baked anew. */
#include "handles.h"

/* Answer: the tile's WmContentHash. */
EXPORT(bake_hash_tile) WmStatus export_bake_hash_tile(Bake *bake, int x, int z) {
  return wm_baker_hash_tile(bake->baker, x, z, ANSWER(WmContentHash, bake->session));
}
