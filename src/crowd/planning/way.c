/* The corridor of an agent: polygons from where it is to where it goes, and the openings between them, in a
 * chain of blocks out of one pool. Dropping from the front and putting in front move nothing. */
#include "crowd/crowd_internal.h"
#include "query/search/funnel.h"

/* ---- The pool ----------------------------------------------------------------------------------------- */

static WmStatus reserve_blocks(WmCrowd *crowd, size_t count) {
  if (count <= crowd->free_way_blocks) return WM_OK;
  const size_t fresh = count - crowd->free_way_blocks, used = crowd->way_block_count;
  const WmStatus status =
      wm_buffer_reserve(crowd->context, &crowd->way_blocks, used + fresh, sizeof(WmWayBlock));
  if (status) return status;
  /* All that there is room for: the last one first, so that they are taken in order. */
  for (size_t i = crowd->way_blocks.capacity; i > used; i--) {
    wm_way_block(crowd, (uint32_t)i - 1)->next = crowd->free_way_block;
    crowd->free_way_block = (uint32_t)i - 1;
  }
  crowd->free_way_blocks += (uint32_t)(crowd->way_blocks.capacity - used);
  crowd->way_block_count = (uint32_t)crowd->way_blocks.capacity;
  return WM_OK;
}

static uint32_t take_block(WmCrowd *crowd) {
  const uint32_t block = crowd->free_way_block;
  crowd->free_way_block = wm_way_block(crowd, block)->next;
  crowd->free_way_blocks--;
  wm_way_block(crowd, block)->next = WM_NONE;
  return block;
}

static void give_block(WmCrowd *crowd, uint32_t block) {
  wm_way_block(crowd, block)->next = crowd->free_way_block;
  crowd->free_way_block = block;
  crowd->free_way_blocks++;
}

/* ---- Ways --------------------------------------------------------------------------------------------- */

void wm_way_clear(WmCrowd *crowd, WmWay *way) {
  if (way->count > 0) {
    for (uint32_t block = way->first; block != WM_NONE;) {
      const uint32_t next = wm_way_block(crowd, block)->next;
      give_block(crowd, block);
      block = next;
    }
  }
  *way = (WmWay){.first = WM_NONE, .last = WM_NONE};
}

/* Left and right on x and z; 0 where there is no way. */
static void copy_portal(const WmMesh *mesh, WmRef from, WmRef to, float portal[4]) {
  const WmMeshTile *tile = wm_mesh_tile_of(mesh, from);
  const float *ends = tile ? wm_query_find_portal(tile, wm_ref_polygon(from), to) : NULL;
  for (int i = 0; i < 4; i++) portal[i] = ends ? ends[3 * (i / 2) + 2 * (i % 2)] : 0;
}

/* Puts a polygon at a place of a block. */
static void put_polygon(const WmMesh *mesh, WmWayBlock *block, size_t offset, WmRef polygon) {
  const WmMeshTile *tile = wm_mesh_tile_of(mesh, polygon);
  const bool is_connection = tile && wm_ref_polygon(polygon) >= tile->ground_count;
  block->polygons[offset] = polygon;
  block->connections &= ~(1u << offset);
  block->connections |= (uint32_t)is_connection << offset;
}

WmStatus wm_way_set(WmCrowd *crowd, WmWay *way, const WmMesh *mesh, const WmRef *polygons, size_t count) {
  const WmStatus status = reserve_blocks(crowd, (count + WM_WAY_BLOCK - 1) / WM_WAY_BLOCK);
  if (status) return status;
  wm_way_clear(crowd, way);
  for (size_t i = 0; i < count; i++) {
    const size_t offset = i % WM_WAY_BLOCK;
    if (offset == 0) {
      const uint32_t block = take_block(crowd);
      if (i == 0) {
        way->first = block;
      } else {
        wm_way_block(crowd, way->last)->next = block;
      }
      way->last = block;
    }
    WmWayBlock *block = wm_way_block(crowd, way->last);
    put_polygon(mesh, block, offset, polygons[i]);
    if (i + 1 < count) copy_portal(mesh, polygons[i], polygons[i + 1], block->portals[offset]);
    way->tail = (uint32_t)offset + 1;
  }
  way->count = (uint32_t)count;
  return WM_OK;
}

void wm_way_drop(WmCrowd *crowd, WmWay *way, uint32_t count) {
  if (count >= way->count) {
    wm_way_clear(crowd, way);
    return;
  }
  way->count -= count;
  for (way->head += count; way->head >= WM_WAY_BLOCK; way->head -= WM_WAY_BLOCK) {
    const uint32_t next = wm_way_block(crowd, way->first)->next;
    give_block(crowd, way->first);
    way->first = next;
  }
}

WmStatus wm_way_prepend(WmCrowd *crowd, WmWay *way, const WmMesh *mesh, WmRef polygon,
                        const float portal[6]) {
  if (way->head == 0) {
    const WmStatus status = reserve_blocks(crowd, 1);
    if (status) return status;
    const uint32_t block = take_block(crowd);
    wm_way_block(crowd, block)->next = way->first;
    way->first = block;
    way->head = WM_WAY_BLOCK;
  }
  way->head--;
  way->count++;
  WmWayBlock *block = wm_way_block(crowd, way->first);
  put_polygon(mesh, block, way->head, polygon);
  for (int i = 0; i < 4; i++) block->portals[way->head][i] = portal[3 * (i / 2) + 2 * (i % 2)];
  return WM_OK;
}
