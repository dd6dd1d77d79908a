/* Checks that a mesh has the links, in the same order, and all other data that readers see, of the mesh that
 * is read from its file: one whose tiles were added by z, x and layer. */
#ifndef WALKMESH_TESTS_LINKS_AFRESH_H
#define WALKMESH_TESTS_LINKS_AFRESH_H

#include "check.h"
#include "mesh/formats/formats.h"

static inline bool is_same_link(const WmMesh *a, const WmLink *x, const WmMesh *b, const WmLink *y) {
  const WmMeshTile *s = wm_mesh_tile(a, x->slot), *t = wm_mesh_tile(b, y->slot);
  return s && t && s->x == t->x && s->z == t->z && s->layer == t->layer && x->polygon == y->polygon &&
         x->edge == y->edge && x->side == y->side && x->low == y->low && x->high == y->high &&
         memcmp(x->middle, y->middle, sizeof x->middle) == 0;
}

static inline bool is_same_tile(const WmMesh *a, const WmMeshTile *s, const WmMesh *b, const WmMeshTile *t) {
  const size_t starts = (size_t)s->polygon_count + 1;
  bool same =
      s->byte_count == t->byte_count && memcmp(s->bytes, t->bytes, s->byte_count) == 0 &&
      memcmp(s->link_first, t->link_first, starts * sizeof *s->link_first) == 0 &&
      memcmp(s->state_first, t->state_first, starts * sizeof *s->state_first) == 0 &&
      memcmp(s->polygon_flags, t->polygon_flags, s->polygon_count * sizeof *s->polygon_flags) == 0 &&
      memcmp(s->polygon_area, t->polygon_area, s->polygon_count) == 0 &&
      memcmp(s->detail_boxes, t->detail_boxes, s->detail_triangle_count * sizeof *s->detail_boxes) == 0 &&
      s->node_count == t->node_count && s->node_rise == t->node_rise && s->leaf_count == t->leaf_count;
  const uint32_t links = same ? s->link_first[s->polygon_count] : 0;
  same = same && memcmp(s->link_portals, t->link_portals, 6 * links * sizeof *s->link_portals) == 0;
  for (uint32_t i = 0; same && i < links; i++) same = is_same_link(a, &s->links[i], b, &t->links[i]);
  return same;
}

/* Meshes without connections made at run time. */
static inline void check_links_afresh(const WmMesh *mesh) {
  uint8_t *bytes = NULL;
  size_t byte_count = 0;
  WmContext *context = wm_mesh_context(mesh);
  WmMesh *fresh = NULL;
  CHECK_EQUAL_INT(wm_mesh_write(mesh, WM_FORMAT_WALKMESH, &bytes, &byte_count), WM_OK);
  CHECK_EQUAL_INT(wm_mesh_read(context, bytes, byte_count, &fresh), WM_OK);
  int different = 0;
  const WmMeshTile *last = NULL;
  for (size_t slot = 0; slot < wm_mesh_slot_count(fresh); slot++) {
    const WmMeshTile *tile = wm_mesh_tile(fresh, slot), *same;
    same = wm_mesh_find_tile(mesh, tile->x, tile->z, tile->layer);
    different += !same || !is_same_tile(mesh, same, fresh, tile);
    CHECK(!last || last->z < tile->z || (last->z == tile->z && last->x <= tile->x));
    last = tile;
  }
  CHECK_EQUAL_INT(different, 0);
  CHECK_EQUAL_INT(wm_mesh_tile_count(fresh), wm_mesh_tile_count(mesh));
  wm_mesh_destroy(fresh);
  wm_block_free(context, bytes);
}

#endif
