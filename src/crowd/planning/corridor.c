/* The corridor of an agent: polygons from where it is to its destination, and the portals between them, in a
 * chain of blocks from one pool. Dropping the front and prepending move no polygons. */
#include "crowd/crowd_internal.h"
#include "query/search/straighten.h"

/* ---- The pool --------------------------------------------------------------------------------------- */

static WmStatus reserve_blocks(WmCrowd *crowd, size_t count) {
  if (count <= crowd->free_corridor_blocks) return WM_OK;
  const size_t fresh = count - crowd->free_corridor_blocks, used = crowd->corridor_block_count;
  const WmStatus status =
      wm_buffer_reserve(crowd->context, &crowd->corridor_blocks, used + fresh, sizeof(WmCorridorBlock));
  if (status) return status;
  /* Links all blocks that fit into the buffer, the last one first, so that they are used in order. */
  for (size_t i = crowd->corridor_blocks.capacity; i > used; i--) {
    wm_agent_corridor_block(crowd, (uint32_t)i - 1)->next = crowd->free_corridor_block;
    crowd->free_corridor_block = (uint32_t)i - 1;
  }
  crowd->free_corridor_blocks += (uint32_t)(crowd->corridor_blocks.capacity - used);
  crowd->corridor_block_count = (uint32_t)crowd->corridor_blocks.capacity;
  return WM_OK;
}

static uint32_t take_block(WmCrowd *crowd) {
  const uint32_t block = crowd->free_corridor_block;
  crowd->free_corridor_block = wm_agent_corridor_block(crowd, block)->next;
  crowd->free_corridor_blocks--;
  wm_agent_corridor_block(crowd, block)->next = WM_NONE;
  return block;
}

static void give_block(WmCrowd *crowd, uint32_t block) {
  wm_agent_corridor_block(crowd, block)->next = crowd->free_corridor_block;
  crowd->free_corridor_block = block;
  crowd->free_corridor_blocks++;
}

/* ---- Corridors -------------------------------------------------------------------------------------- */

void wm_agent_corridor_clear(WmCrowd *crowd, WmAgentCorridor *corridor) {
  if (corridor->count > 0) {
    for (uint32_t block = corridor->first; block != WM_NONE;) {
      const uint32_t next = wm_agent_corridor_block(crowd, block)->next;
      give_block(crowd, block);
      block = next;
    }
  }
  *corridor = (WmAgentCorridor){.first = WM_NONE, .last = WM_NONE, .changes = corridor->changes + 1};
}

/* Finds left and right of a portal on x and z. Returns false if `to` is not linked from `from`. */
static bool find_portal(const WmMesh *mesh, WmRef from, WmRef to, float portal[4]) {
  const WmMeshTile *tile = wm_mesh_tile_of(mesh, from);
  const float *ends = tile ? wm_query_find_portal(tile, wm_ref_polygon(from), to) : NULL;
  for (int i = 0; i < 4 && ends; i++) portal[i] = ends[3 * (i / 2) + 2 * (i % 2)];
  return ends != NULL;
}

const float *wm_agent_corridor_find_whole(const WmCrowd *crowd, const WmMesh *mesh, WmCorridorCursor cursor,
                                          float whole[4]) {
  const WmRef from = wm_agent_corridor_polygon(crowd, cursor);
  const WmRef to = wm_agent_corridor_polygon(crowd, wm_agent_corridor_next(crowd, cursor));
  return find_portal(mesh, from, to, whole) ? whole : wm_agent_corridor_portal(crowd, cursor);
}

/* Writes a polygon at an offset of a block. */
static void put_polygon(const WmMesh *mesh, WmCorridorBlock *block, size_t offset, WmRef polygon) {
  const WmMeshTile *tile = wm_mesh_tile_of(mesh, polygon);
  const bool is_connection = tile && wm_ref_polygon(polygon) >= tile->ground_count;
  block->polygons[offset] = polygon;
  block->connections &= ~(1u << offset);
  block->connections |= (uint32_t)is_connection << offset;
}

/* Adds a block to the end of a corridor. Space for it is reserved. */
static void add_block(WmCrowd *crowd, WmAgentCorridor *corridor) {
  const uint32_t block = take_block(crowd);
  if (corridor->first == WM_NONE) {
    corridor->first = block;
  } else {
    wm_agent_corridor_block(crowd, corridor->last)->next = block;
  }
  corridor->last = block;
}

WmStatus wm_agent_corridor_set(WmCrowd *crowd, WmAgentCorridor *corridor, const WmMesh *mesh,
                               const WmRef *polygons, size_t count) {
  const WmStatus status = reserve_blocks(crowd, (count + WM_CORRIDOR_BLOCK - 1) / WM_CORRIDOR_BLOCK);
  if (status) return status;
  wm_agent_corridor_clear(crowd, corridor);
  for (size_t i = 0; i < count; i++) {
    const size_t offset = i % WM_CORRIDOR_BLOCK;
    if (offset == 0) add_block(crowd, corridor);
    WmCorridorBlock *block = wm_agent_corridor_block(crowd, corridor->last);
    put_polygon(mesh, block, offset, polygons[i]);
    if (i + 1 < count && !find_portal(mesh, polygons[i], polygons[i + 1], block->portals[offset]))
      memset(block->portals[offset], 0, sizeof block->portals[offset]);
    corridor->tail = (uint32_t)offset + 1;
  }
  corridor->count = (uint32_t)count;
  return WM_OK;
}

WmStatus wm_agent_corridor_append(WmCrowd *crowd, WmAgentCorridor *corridor, WmRef polygon,
                                  bool is_connection, const float portal[4]) {
  const size_t offset = corridor->count % WM_CORRIDOR_BLOCK; /* it has lost no polygon until now */
  if (offset == 0) {
    const WmStatus status = reserve_blocks(crowd, 1);
    if (status) return status;
    add_block(crowd, corridor);
    wm_agent_corridor_block(crowd, corridor->last)->connections = 0;
  }
  WmCorridorBlock *block = wm_agent_corridor_block(crowd, corridor->last);
  block->polygons[offset] = polygon;
  block->connections |= (uint32_t)is_connection << offset;
  memcpy(block->portals[offset], portal, sizeof block->portals[offset]);
  corridor->tail = (uint32_t)offset + 1;
  corridor->count++;
  return WM_OK;
}

void wm_agent_corridor_drop(WmCrowd *crowd, WmAgentCorridor *corridor, uint32_t count) {
  if (count >= corridor->count) {
    wm_agent_corridor_clear(crowd, corridor);
    return;
  }
  corridor->count -= count;
  corridor->checked -= count < corridor->checked ? count : corridor->checked;
  for (corridor->head += count; corridor->head >= WM_CORRIDOR_BLOCK; corridor->head -= WM_CORRIDOR_BLOCK) {
    const uint32_t next = wm_agent_corridor_block(crowd, corridor->first)->next;
    give_block(crowd, corridor->first);
    corridor->first = next;
  }
}

WmStatus wm_agent_corridor_prepend(WmCrowd *crowd, WmAgentCorridor *corridor, const WmMesh *mesh,
                                   WmRef polygon, const float portal[6]) {
  if (corridor->head == 0) {
    const WmStatus status = reserve_blocks(crowd, 1);
    if (status) return status;
    const uint32_t block = take_block(crowd);
    wm_agent_corridor_block(crowd, block)->next = corridor->first;
    corridor->first = block;
    corridor->head = WM_CORRIDOR_BLOCK;
  }
  corridor->head--;
  corridor->count++;
  corridor->changes++;
  WmCorridorBlock *block = wm_agent_corridor_block(crowd, corridor->first);
  put_polygon(mesh, block, corridor->head, polygon);
  for (int i = 0; i < 4; i++) block->portals[corridor->head][i] = portal[3 * (i / 2) + 2 * (i % 2)];
  return WM_OK;
}

WmStatus wm_agent_corridor_replace(WmCrowd *crowd, WmAgentCorridor *corridor, const WmMesh *mesh,
                                   uint32_t dropped, const WmRef *polygons, size_t count) {
  wm_agent_corridor_drop(crowd, corridor, dropped);
  WmRef next = wm_agent_corridor_polygon(crowd, wm_agent_corridor_begin(corridor));
  for (size_t k = count; k-- > 0; next = polygons[k]) {
    const WmMeshTile *tile = wm_mesh_tile_of(mesh, polygons[k]);
    const float *portal = wm_query_find_portal(tile, wm_ref_polygon(polygons[k]), next);
    const WmStatus status = wm_agent_corridor_prepend(crowd, corridor, mesh, polygons[k], portal);
    if (!status) continue;
    wm_agent_corridor_clear(crowd, corridor);
    return status;
  }
  return WM_OK;
}
