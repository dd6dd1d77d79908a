/* Exports of the hash of a tile's input: a tile with an equal hash needs no new bake. */
#include "handles.h"

/* Answer: the tile's WmContentHash. */
EXPORT(bake_hash_tile) WmStatus export_bake_hash_tile(Bake *bake, int x, int z) {
  return wm_baker_hash_tile(bake->baker, x, z, ANSWER(WmContentHash, bake->session));
}
