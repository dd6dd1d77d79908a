#include "clearance/passages.h"

#include <math.h>
#include <string.h>

#include "clearance/width.h"

enum {
  SMALLEST_TABLE = 64,
  /* Answers stored at most; beyond it all are dropped: 64 bytes each. */
  MOST = 1 << 16,
  /* Places between two portals that are measured. */
  SAMPLES = 8
};

void wm_passages_update(WmPassages *passages, const WmMesh *mesh, float width) {
  const uint64_t version = wm_mesh_version(mesh);
  if (passages->version == version && passages->width == width) return;
  passages->version = version;
  passages->width = width;
  passages->drops++;
  passages->count = 0;
  if (passages->crossings.items)
    memset(passages->crossings.items, 0, ((size_t)passages->mask + 1) * sizeof(WmCrossing));
}

void wm_passages_free(WmContext *context, WmPassages *passages) {
  wm_block_free(context, passages->crossings.items);
  *passages = (WmPassages){0};
}

/* ---- The table ---------------------------------------------------------------------------------------- */

static uint32_t hash_of(WmRef from, WmRef polygon, WmRef to) {
  uint64_t hash = polygon * 0x9e3779b97f4a7c15u;
  hash = (hash ^ hash >> 29 ^ from) * 0xbf58476d1ce4e5b9u;
  hash = (hash ^ hash >> 31 ^ to) * 0x94d049bb133111ebu;
  return (uint32_t)(hash >> 32);
}

/* The entry of a crossing, or the unused one where it belongs. */
static WmCrossing *find_entry(WmCrossing *crossings, uint32_t mask, WmRef from, WmRef polygon, WmRef to) {
  for (uint32_t at = hash_of(from, polygon, to) & mask;; at = (at + 1) & mask) {
    WmCrossing *entry = crossings + at;
    if (!entry->polygon || (entry->polygon == polygon && entry->from == from && entry->to == to))
      return entry;
  }
}

static WmStatus grow(WmContext *context, WmPassages *passages) {
  if (passages->count >= MOST) {
    memset(passages->crossings.items, 0, ((size_t)passages->mask + 1) * sizeof(WmCrossing));
    passages->count = 0;
  }
  if (passages->crossings.items && 2 * passages->count <= passages->mask) return WM_OK;
  const uint32_t size = passages->crossings.items ? 2 * (passages->mask + 1) : SMALLEST_TABLE;
  WmBuffer larger = {0};
  const WmStatus status = wm_buffer_reserve(context, &larger, size, sizeof(WmCrossing));
  if (status) return status;
  const WmCrossing *old = passages->crossings.items;
  for (uint32_t i = 0; old && i <= passages->mask; i++) {
    if (!old[i].polygon) continue;
    *find_entry(larger.items, size - 1, old[i].from, old[i].polygon, old[i].to) = old[i];
  }
  wm_block_free(context, passages->crossings.items);
  passages->crossings = larger;
  passages->mask = size - 1;
  return WM_OK;
}

/* ---- Measuring ---------------------------------------------------------------------------------------- */

static void find_middle(const float portal[4], float middle[2]) {
  middle[0] = 0.5f * (portal[0] + portal[2]);
  middle[1] = 0.5f * (portal[1] + portal[3]);
}

static float measure(const WmMesh *mesh, WmRef polygon, const float at[2], float widest) {
  const float point[3] = {at[0], 0, at[1]};
  return wm_width_at(mesh, polygon, point, widest, NULL);
}

/* The unit vector between the two farthest vertices of a polygon. A polygon with a throat extends to both sides of
 * it, so this is the way through. The direction across the throat would differ by where it is measured.
 * in/out     axis: 0, 0, and unchanged if all vertices are one point */
static void find_axis(const WmMesh *mesh, WmRef ref, float axis[2]) {
  const WmMeshTile *tile = wm_mesh_tile_of(mesh, ref);
  const uint32_t polygon = wm_ref_polygon(ref), size = tile->polygon_size[polygon];
  const uint16_t *numbers = tile->polygon_vertices + WM_TILE_VERTICES_PER_POLYGON * (size_t)polygon;
  float longest = 0;
  for (uint32_t i = 0; i < size; i++) {
    for (uint32_t k = 0; k < i; k++) {
      const float *a = tile->vertices + 3 * (size_t)numbers[i], *b = tile->vertices + 3 * (size_t)numbers[k];
      const float x = b[0] - a[0], z = b[2] - a[2], length = sqrtf(x * x + z * z);
      if (!(length > longest)) continue;
      longest = length;
      axis[0] = x / length;
      axis[1] = z / length;
    }
  }
}

/* Finds room between two portals and, if both are wide, the narrowest place between them. */
static void look_between(const WmMesh *mesh, float width, const float entry[2], const float exit[2],
                         bool is_between_wide, WmCrossing *crossing) {
  const float x = exit[0] - entry[0], z = exit[1] - entry[1], length = sqrtf(x * x + z * z);
  const float wanted = ceilf(length / (0.5f * width));
  const int samples = wanted < 2 ? 2 : wanted < SAMPLES ? (int)wanted : SAMPLES;
  float narrowest = INFINITY;
  for (int i = 1; i < samples; i++) {
    const float t = (float)i / (float)samples, at[2] = {entry[0] + x * t, entry[1] + z * t};
    const float here = measure(mesh, crossing->polygon, at, WM_PASSAGES_ROOM * width);
    crossing->has_room = crossing->has_room || here > WM_PASSAGES_ROOM * width;
    if (!is_between_wide || here > width || here >= narrowest) continue;
    narrowest = here;
    crossing->has_throat = true;
    memcpy(crossing->throat, at, sizeof at);
  }
}

static void compute(const WmMesh *mesh, float width, const float *entry, const float *exit,
                    WmCrossing *crossing) {
  float out[2], in[2];
  find_middle(exit, out);
  const float exit_width = measure(mesh, crossing->polygon, out, WM_PASSAGES_ROOM * width);
  crossing->exit_is_narrow = exit_width <= width;
  crossing->has_room = crossing->has_throat = false;
  if (!entry) return;
  find_middle(entry, in);
  const float entry_width = measure(mesh, crossing->polygon, in, WM_PASSAGES_ROOM * width);
  crossing->has_room = fmaxf(entry_width, exit_width) > WM_PASSAGES_ROOM * width;
  look_between(mesh, width, in, out, fminf(entry_width, exit_width) > width, crossing);
  if (crossing->has_throat) find_axis(mesh, crossing->polygon, crossing->axis);
}

WmStatus wm_passages_find(WmContext *context, WmPassages *passages, const WmMesh *mesh, WmRef from,
                          const float *entry, WmRef polygon, const float *exit, WmRef to,
                          const WmCrossing **crossing) {
  const WmStatus status = grow(context, passages);
  if (status) return status;
  WmCrossing *found = find_entry(passages->crossings.items, passages->mask, from, polygon, to);
  *crossing = found;
  if (found->polygon) return WM_OK;
  *found = (WmCrossing){.from = from, .polygon = polygon, .to = to};
  compute(mesh, passages->width, entry, exit, found);
  passages->count++;
  return WM_OK;
}
