/* Levels, fields and shapes from fuzzed bytes, and invariants of the results built from them. They are small,
 * so that an input takes milliseconds, and mostly valid, so that few inputs end at the first check. */
#ifndef WALKMESH_TESTS_FUZZ_INVENT_H
#define WALKMESH_TESTS_FUZZ_INVENT_H

#include "bake/bake.h"
#include "harness.h"

enum {
  FUZZ_VERTICES = 24,
  FUZZ_TRIANGLES = 32,
  FUZZ_SOLIDS = 3,
  FUZZ_VOLUMES = 3,
  FUZZ_OUTLINE = 6,
  FUZZ_CONNECTIONS = 3,
  FUZZ_COLUMN = 5 /* most spans of a cell of a field */
};

/* low to high, of 16 bits */
float fuzz_between(FuzzInput *input, float low, float high);

/* Finite, within the bounds or a little beyond; sometimes invalid for a volume. */
WmAreaVolume fuzz_volume(FuzzInput *input, const float low[3], const float high[3],
                         float outline[FUZZ_OUTLINE][3]);

/* A soup of triangles, solids, volumes and connections with a configuration; `input` points into it. */
typedef struct FuzzLevel {
  WmConfig config;
  WmBakeInput input;
  float positions[FUZZ_VERTICES][3];
  uint32_t indices[FUZZ_TRIANGLES][3];
  uint8_t areas[FUZZ_TRIANGLES];
  uint16_t area_flags[WM_AREA_COUNT];
  WmSolid solids[FUZZ_SOLIDS];
  float hulls[FUZZ_SOLIDS][8][3];
  WmAreaVolume volumes[FUZZ_VOLUMES];
  float outlines[FUZZ_VOLUMES][FUZZ_OUTLINE][3];
  WmOffMeshConnection connections[FUZZ_CONNECTIONS];
} FuzzLevel;

/* All of it within about 40 cells on a side; it includes doubled triangles, needles, slivers, coordinates far
 * from the origin and tiny ones. Each field of the configuration may have any value of its range, and in one
 * level of sixteen a value beyond it. */
void fuzz_level(FuzzInput *input, FuzzLevel *level);

/* A solid heightfield that satisfies fields.h: runs of equal cells, storeys, towers, holes. */
void fuzz_heightfield(WmContext *context, FuzzInput *input, WmHeightfield *field);

/* Indices are in range, each polygon is convex and has the right winding, neighbours are mutual. Allowed, as
 * in Recast: polygons without an area, if a simplified outline is left with three corners on a line; a vertex
 * twice, if corners of an outline lie above each other; any shape if the simplified outlines of the region
 * cross or touch themselves or one another, or are turned over. */
void fuzz_check_polygons(const WmPolygonMesh *mesh, const WmContourSet *contours);

/* Submeshes follow one another and have triangles with corners of their own; all heights are finite. Invalid
 * polygons may have no triangles. */
void fuzz_check_details(const WmPolygonMesh *mesh, const WmDetailMesh *detail, bool is_sound);

/* A mesh accepts the tile; queries run on it. */
void fuzz_use_tile(WmContext *context, const WmTileData *tile, uint32_t seed);

#endif
