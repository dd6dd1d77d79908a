/* Patches: joins convex polygons while they stay convex. See patches.h. */
#include "query/shortest/patches.h"

#include <math.h>

/* Vertices nearer to a line than this, relative to their coordinates, lie on it: floats are no finer. */
#define NEAR 2e-7

/* The outlines of patches while they are joined. An edge is that of a polygon at first: six times the polygon's number and its
 * number in the polygon. It stays on the outline until patches are joined over it. */
typedef struct Outlines {
  const WmMeshTile *tile;
  uint32_t *next, *before; /* of each edge: the edge after it and the one before it */
} Outlines;

static void lay_outlines(const Outlines *outlines) {
  const WmMeshTile *tile = outlines->tile;
  for (uint32_t p = 0; p < tile->ground_count; p++) {
    const uint32_t first = WM_TILE_VERTICES_PER_POLYGON * p, size = tile->polygon_size[p];
    for (uint32_t k = 0; k < size; k++) {
      outlines->next[first + k] = first + (k + 1 < size ? k + 1 : 0);
      outlines->before[first + k] = first + (k > 0 ? k : size) - 1;
    }
  }
}

/* The vertex that an edge begins at. */
static uint32_t start_of(const Outlines *outlines, uint32_t edge) {
  return outlines->tile->polygon_vertices[edge];
}

/* True if an outline that comes from one vertex over another to a third one turns towards its inside there, or goes straight on up
 * to the rounding of vertices. It must not go back: that is where patches meet at more than one edge. */
static bool is_convex(const WmMeshTile *tile, uint32_t from, uint32_t over, uint32_t to) {
  const float *a = tile->vertices + 3 * (size_t)from, *b = tile->vertices + 3 * (size_t)over,
              *c = tile->vertices + 3 * (size_t)to;
  const double x = (double)b[0] - (double)a[0], z = (double)b[2] - (double)a[2];
  const double next_x = (double)c[0] - (double)b[0], next_z = (double)c[2] - (double)b[2];
  const double turn = z * next_x - x * next_z;
  const double near = NEAR * (1 + fabs((double)b[0]) + fabs((double)b[2]));
  const double slack = near * (fabs(x + next_x) + fabs(z + next_z));
  return turn > slack || (turn >= -slack && x * next_x + z * next_z > 0);
}

/* Joins the outlines of two patches over an edge of both, unless the result isn't convex. */
static bool join_outlines(const Outlines *outlines, uint32_t edge, uint32_t twin) {
  uint32_t *next = outlines->next, *before = outlines->before;
  const uint32_t start = start_of(outlines, edge), end = start_of(outlines, twin);
  if (!is_convex(outlines->tile, start_of(outlines, before[edge]), start,
                 start_of(outlines, next[next[twin]])) ||
      !is_convex(outlines->tile, start_of(outlines, before[twin]), end,
                 start_of(outlines, next[next[edge]]))) {
    return false;
  }
  next[before[edge]] = next[twin];
  before[next[twin]] = before[edge];
  next[before[twin]] = next[edge];
  before[next[edge]] = before[twin];
  return true;
}

static uint32_t root_of(const WmPatchPolygon *polygons, uint32_t polygon) {
  while (polygons[polygon].up != polygon) polygon = polygons[polygon].up;
  return polygon;
}

/* Hangs the tree of a polygon onto another polygon. */
static void hang(WmPatchPolygon *polygons, uint32_t polygon, uint32_t onto) {
  for (uint32_t at = polygon, above = onto;;) {
    const uint32_t up = polygons[at].up;
    polygons[at].up = above;
    if (up == at) return;
    above = at;
    at = up;
  }
}

/* Joins the patches on both sides of a link inside the tile, if they may be. WmPatchPolygon.first of roots: the polygons of the
 * patch. */
static void join_over(const Outlines *outlines, uint32_t polygon, uint32_t number, WmPatchPolygon *polygons) {
  const WmMeshTile *tile = outlines->tile;
  const WmLink *link = tile->links + number;
  const uint32_t to = link->polygon, back = tile->link_first[to] + tile->link_backs[number];
  const uint32_t root = root_of(polygons, polygon), other = root_of(polygons, to);
  const uint32_t size = polygons[root].first + polygons[other].first;
  if (root == other || size > WM_PATCH_LIMIT) return;
  const uint32_t edge = WM_TILE_VERTICES_PER_POLYGON * polygon + link->edge;
  const uint32_t twin = WM_TILE_VERTICES_PER_POLYGON * to + tile->links[back].edge;
  const uint32_t last = link->edge + 1u < tile->polygon_size[polygon] ? edge + 1 : edge - link->edge;
  if (start_of(outlines, last) != start_of(outlines, twin)) return;
  if (!join_outlines(outlines, edge, twin)) return;
  hang(polygons, to, polygon);
  polygons[root].first = size;
}

/* True if a link leads to a ground polygon of the tile, and no other link to it or back. */
static bool is_inside(const WmMeshTile *tile, const WmLink *link, uint32_t number) {
  return link->slot == tile->slot && link->polygon < tile->ground_count &&
         link->side == WM_TILE_SIDE_INSIDE && tile->link_backs[number] != WM_NO_BACK;
}

static void join_all(const Outlines *outlines, const WmFilter *filter, WmPatchPolygon *polygons) {
  const WmMeshTile *tile = outlines->tile;
  for (uint32_t p = 0; p < tile->ground_count; p++) {
    if (!wm_filter_passes(filter, tile->polygon_flags[p])) continue;
    for (uint32_t i = tile->link_first[p]; i < tile->link_first[p + 1]; i++) {
      const WmLink *link = tile->links + i;
      if (link->polygon > p && is_inside(tile, link, i) &&
          wm_filter_passes(filter, tile->polygon_flags[link->polygon]))
        join_over(outlines, p, i, polygons);
    }
  }
}

WmStatus wm_patches_find(WmContext *context, const WmMeshTile *tile, const WmFilter *filter,
                         WmPatchPolygon *polygons) {
  const size_t edge_count = WM_TILE_VERTICES_PER_POLYGON * (size_t)tile->ground_count;
  const WmScratchMark mark = wm_scratch_mark(context);
  const Outlines outlines = {tile, wm_scratch_array(context, edge_count, sizeof(uint32_t)),
                             wm_scratch_array(context, edge_count, sizeof(uint32_t))};
  const bool has_memory = outlines.next && outlines.before;
  for (uint32_t p = 0; p < tile->ground_count; p++) polygons[p] = (WmPatchPolygon){.up = p, .first = 1};
  if (has_memory) {
    lay_outlines(&outlines);
    join_all(&outlines, filter, polygons);
  }
  wm_scratch_rewind(context, mark);
  for (uint32_t p = 0; p < tile->ground_count; p++) polygons[p].patch = root_of(polygons, p);
  return has_memory ? WM_OK : WM_ERROR_OUT_OF_MEMORY;
}

/* True if a link leads out of the polygon's patch. */
static bool leads_out(const WmMeshTile *tile, const WmPatchPolygon *polygons, uint32_t polygon,
                      uint32_t number) {
  const WmLink *link = tile->links + number;
  return link->slot != tile->slot || link->polygon >= tile->ground_count ||
         polygons[link->polygon].patch != polygons[polygon].patch;
}

void wm_patches_list(const WmMeshTile *tile, WmPatchPolygon *polygons, WmPatchExit *exits) {
  for (uint32_t p = 0; p < tile->ground_count; p++) polygons[p].end = 0;
  for (uint32_t p = 0; p < tile->ground_count; p++) {
    for (uint32_t i = tile->link_first[p]; i < tile->link_first[p + 1]; i++)
      polygons[polygons[p].patch].end += leads_out(tile, polygons, p, i);
  }
  uint32_t count = 0;
  for (uint32_t p = 0; p < tile->ground_count; p++) {
    polygons[p].first = count;
    count += polygons[p].end;
    polygons[p].end = polygons[p].first;
  }
  for (uint32_t p = 0; p < tile->ground_count; p++) {
    WmPatchPolygon *root = polygons + polygons[p].patch;
    for (uint32_t i = tile->link_first[p]; i < tile->link_first[p + 1]; i++) {
      if (leads_out(tile, polygons, p, i)) exits[root->end++].number = i;
    }
  }
  for (uint32_t p = 0; p < tile->ground_count; p++) {
    polygons[p].first = polygons[polygons[p].patch].first;
    polygons[p].end = polygons[polygons[p].patch].end;
  }
}

static uint32_t depth_of(const WmPatchPolygon *polygons, uint32_t polygon) {
  uint32_t depth = 0;
  for (; polygons[polygon].up != polygon; polygon = polygons[polygon].up) depth++;
  return depth;
}

uint32_t wm_patch_way(const WmPatchPolygon *polygons, uint32_t from, uint32_t to, uint32_t *way) {
  uint32_t from_depth = depth_of(polygons, from), to_depth = depth_of(polygons, to), count = 0, left = 0;
  uint32_t rest[WM_PATCH_LIMIT];
  while (from != to) {
    if (from_depth >= to_depth) {
      way[count++] = from;
      from = polygons[from].up;
      from_depth--;
    } else {
      rest[left++] = to;
      to = polygons[to].up;
      to_depth--;
    }
  }
  way[count++] = from;
  while (left > 0) way[count++] = rest[--left];
  return count;
}
