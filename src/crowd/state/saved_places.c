/* Polygons of saved crowds by the place of their tile, and hashes of tiles by which a reader finds out what has changed.
 *
 * A tile's hash covers its polygons and what can be tied to them, not flags, areas and costs: references are to polygons.
 * The mesh's hash covers all that: it says if anything has changed. It doesn't depend on slots, nor on the order of tiles. */
#include "base/content_hash.h"
#include "crowd/state/saved_crowd_internal.h"
#include "mesh/links/connections.h"

enum { STALE_BIT = 63 };

/* ---- Hashes ------------------------------------------------------------------------------------------- */

static void hash_link(WmContentHash *hash, const WmSegmentLink *link) {
  const uint32_t whole[2] = {link->user_id, (uint32_t)link->kind << 1 | link->bidirectional};
  const float sizes[2] = {link->peak, link->cost};
  wm_content_hash_words(hash, link->start, 6);
  wm_content_hash_words(hash, link->end, 6);
  wm_content_hash_words(hash, sizes, 2);
  wm_content_hash_words(hash, whole, 2);
}

/* The polygons of a tile: outlines, surface and connections; or its segment links. */
static uint64_t hash_polygons(const WmMeshTile *tile) {
  WmContentHash hash = wm_content_hash_start();
  const uint32_t counts[6] = {tile->polygon_count,       tile->ground_count,          tile->vertex_count,
                              tile->detail_vertex_count, tile->detail_triangle_count, tile->connection_count};
  wm_content_hash_words(&hash, counts, 6);
  if (tile->segments) {
    for (uint32_t i = 0; i < tile->polygon_count; i++) hash_link(&hash, &tile->segments[i]);
    wm_content_hash_finish(&hash);
    return hash.lanes[0];
  }
  const size_t corners = (size_t)tile->polygon_count * WM_TILE_VERTICES_PER_POLYGON;
  wm_content_hash_words(&hash, tile->vertices, (size_t)tile->vertex_count * 3);
  wm_content_hash_words(&hash, tile->polygon_vertices, corners / 2);
  wm_content_hash_words(&hash, tile->connections,
                        tile->connection_count * sizeof(WmTileConnection) / sizeof(uint32_t));
  if (tile->ground_count > 0) {
    wm_content_hash_words(&hash, tile->polygon_neighbours, corners / 2);
    wm_content_hash_words(&hash, tile->details, tile->ground_count * sizeof(WmTileDetail) / sizeof(uint32_t));
    wm_content_hash_words(&hash, tile->detail_vertices, (size_t)tile->detail_vertex_count * 3);
    wm_content_hash_words(&hash, tile->detail_triangles, tile->detail_triangle_count);
  }
  wm_content_hash_finish(&hash);
  return hash.lanes[0];
}

/* What else crowds depend on. */
static uint64_t hash_state(const WmMeshTile *tile, const WmSavedTile *place) {
  WmContentHash hash = wm_content_hash_start();
  wm_content_hash_words(&hash, place, sizeof *place / sizeof(uint32_t));
  const float sizes[4] = {tile->cost_factor, tile->agent_height, tile->agent_radius, tile->agent_max_climb};
  wm_content_hash_words(&hash, sizes, 4);
  for (uint32_t i = 0; i < tile->polygon_count; i++) {
    const uint32_t word = (uint32_t)tile->polygon_flags[i] << 8 | tile->polygon_area[i];
    wm_content_hash_words(&hash, &word, 1);
  }
  wm_content_hash_finish(&hash);
  return hash.lanes[0];
}

/* ---- Places ------------------------------------------------------------------------------------------- */

static WmSavedTileKind kind_of(const WmMeshTile *tile) {
  return tile->segments ? WM_SAVED_LINKS : tile->ground_count == 0 ? WM_SAVED_CONNECTION : WM_SAVED_GROUND;
}

static WmSavedTile place_of(const WmSavedMesh *on, const WmMeshTile *tile) {
  WmSavedTile place = {.kind = kind_of(tile),
                       .x = tile->x,
                       .z = tile->z,
                       .number = (uint32_t)tile->layer,
                       .polygon_count = tile->polygon_count,
                       .hash = on->hashes[tile->slot]};
  if (place.kind == WM_SAVED_CONNECTION) place.number = on->orders[tile->slot];
  if (place.kind == WM_SAVED_LINKS)
    (void)wm_mesh_links_place(on->mesh, tile->ref, &place.x, &place.z, &place.number);
  return place;
}

/* The tile at a place of this mesh; NULL if there is none. */
static const WmMeshTile *find_place(const WmSavedMesh *on, const WmSavedTile *place) {
  WmRef set = 0;
  size_t count;
  switch (place->kind) {
    case WM_SAVED_GROUND: return wm_mesh_find_tile(on->mesh, place->x, place->z, (int32_t)place->number);
    case WM_SAVED_CONNECTION:
      return place->number < on->connection_count ? wm_mesh_tile_of(on->mesh, on->connections[place->number])
                                                  : NULL;
    default:
      (void)wm_mesh_links_at(on->mesh, place->x, place->z, place->number, &count, &set);
      return wm_mesh_tile_of(on->mesh, set);
  }
}

/* ---- Meshes ------------------------------------------------------------------------------------------- */

/* Lists the connections in their order, and stores the place of each in it by slot. */
static void order_connections(WmSavedMesh *on) {
  for (WmRef ref = wm_mesh_next_connection(on->mesh, 0); ref; ref = wm_mesh_next_connection(on->mesh, ref)) {
    on->orders[wm_ref_slot(ref)] = (uint32_t)on->connection_count;
    on->connections[on->connection_count++] = ref;
  }
}

static WmStatus open_mesh(WmSavedCodec *codec, WmSavedMesh *on) {
  const size_t slots = wm_mesh_slot_count(on->mesh);
  on->hashes = wm_scratch_zeroed(codec->context, slots, sizeof *on->hashes);
  on->numbers = wm_scratch_zeroed(codec->context, slots, sizeof *on->numbers);
  on->orders = wm_scratch_zeroed(codec->context, slots, sizeof *on->orders);
  on->connections =
      wm_scratch_array(codec->context, wm_mesh_connection_count(on->mesh), sizeof *on->connections);
  /* Reading allocates the tiles of the file. */
  on->tiles = codec->reads ? NULL : wm_scratch_array(codec->context, slots, sizeof *on->tiles);
  if (!on->hashes || !on->numbers || !on->orders || !on->connections || (!codec->reads && !on->tiles))
    return WM_ERROR_OUT_OF_MEMORY;
  order_connections(on);
  for (size_t slot = 0; slot < slots; slot++) {
    const WmMeshTile *tile = wm_mesh_tile(on->mesh, slot);
    if (!tile) continue;
    on->hashes[slot] = hash_polygons(tile);
    const WmSavedTile place = place_of(on, tile);
    on->hash += hash_state(tile, &place);
  }
  return WM_OK;
}

WmStatus wm_saved_open_meshes(WmSavedCodec *codec) {
  WmStatus status = WM_OK;
  for (uint32_t type = 0; type < codec->mesh_count && !status; type++) {
    codec->meshes[type].mesh = wm_crowd_mesh(codec->crowd, type)->mesh;
    status = open_mesh(codec, &codec->meshes[type]);
  }
  return status;
}

/* ---- Tiles -------------------------------------------------------------------------------------------- */

static void read_tiles(WmSavedCodec *codec, WmSavedMesh *on) {
  wm_saved_expect(codec, on->tile_count, sizeof *on->tiles);
  if (codec->status) return;
  on->tiles = wm_scratch_array(codec->context, on->tile_count, sizeof *on->tiles);
  on->refs = wm_scratch_zeroed(codec->context, on->tile_count, sizeof *on->refs);
  if (!on->tiles || !on->refs) {
    codec->status = WM_ERROR_OUT_OF_MEMORY;
    return;
  }
  memcpy(on->tiles, codec->source + codec->at, on->tile_count * sizeof *on->tiles);
  for (uint32_t i = 0; i < on->tile_count; i++) {
    const WmSavedTile *saved = &on->tiles[i];
    if (saved->kind > WM_SAVED_LINKS || saved->polygon_count > 1u << WM_REF_POLYGON_BITS || saved->zero) {
      wm_saved_fail(codec, "a tile is out of range");
      return;
    }
    const WmMeshTile *tile = find_place(on, saved);
    const bool is_it = tile && tile->polygon_count == saved->polygon_count &&
                       on->hashes[tile->slot] == saved->hash && kind_of(tile) == saved->kind;
    if (is_it) on->refs[i] = tile->ref;
  }
}

void wm_saved_code_tiles(WmSavedCodec *codec) {
  for (uint32_t type = 0; type < codec->mesh_count; type++) {
    WmSavedMesh *on = &codec->meshes[type];
    uint64_t hash = on->hash;
    wm_saved_code_items(codec, &hash, 1, WM_SAVED_LONG);
    wm_saved_code_items(codec, &on->tile_count, 1, WM_SAVED_WORD);
    on->is_same = hash == on->hash;
    if (codec->reads) {
      read_tiles(codec, on);
    } else if (codec->bytes) {
      memcpy(codec->bytes + codec->at, on->tiles, on->tile_count * sizeof *on->tiles);
    }
    if (codec->status) return;
    codec->at += on->tile_count * sizeof *on->tiles;
  }
}

/* ---- Polygons ----------------------------------------------------------------------------------------- */

/* The reference of a removed polygon is stored as it is: it only has to differ from others. */
uint64_t wm_saved_name_polygon(const WmSavedCodec *codec, WmRef polygon) {
  WmSavedMesh *on = codec->on;
  const WmMeshTile *tile = wm_mesh_tile_of(on->mesh, polygon);
  if (!polygon) return 0;
  if (!tile) return UINT64_C(1) << STALE_BIT | polygon;
  uint32_t *number = &on->numbers[tile->slot];
  if (!*number) {
    on->tiles[on->tile_count] = place_of(on, tile);
    *number = ++on->tile_count;
  }
  return (uint64_t)*number << WM_REF_POLYGON_BITS | wm_ref_polygon(polygon);
}

/* A reference with this slot and polygon that no polygon has. */
static WmRef make_stale(const WmMesh *mesh, uint32_t generation, uint32_t slot, uint32_t polygon) {
  const WmRef ref = wm_ref_make(generation, slot, polygon);
  return wm_mesh_tile_of(mesh, ref) ? wm_ref_make(generation > 1 ? 1 : 2, slot, polygon) : ref;
}

WmRef wm_saved_find_polygon(WmSavedCodec *codec, uint64_t code) {
  const WmSavedMesh *on = codec->on;
  const uint64_t number = code >> WM_REF_POLYGON_BITS;
  const uint32_t polygon = wm_ref_polygon(code);
  if (code == 0) return 0;
  if (code >> STALE_BIT) {
    const WmRef ref = code & ~(UINT64_C(1) << STALE_BIT);
    if (ref == 0 || ref >> (WM_REF_POLYGON_BITS + WM_REF_SLOT_BITS + WM_REF_GENERATION_BITS)) {
      wm_saved_fail(codec, "a polygon is out of range");
      return 0;
    }
    return make_stale(on->mesh, wm_ref_generation(ref), wm_ref_slot(ref), polygon);
  }
  if (number == 0 || number > on->tile_count || polygon >= on->tiles[number - 1].polygon_count) {
    wm_saved_fail(codec, "a polygon is out of range");
    return 0;
  }
  if (on->refs[number - 1]) return on->refs[number - 1] + polygon;
  return make_stale(on->mesh, 1, WM_SLOT_LIMIT - 1 - (uint32_t)number % WM_SLOT_LIMIT, polygon);
}
