/* Levels, fields and shapes of fuzzed bytes, and what must hold of what is built from them. What is invented
 * is small, so that an input takes milliseconds, and mostly usable, so that few inputs end at the first
 * check.
 */
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
  FUZZ_COLUMN = 5 /* spans of a cell of a field, at most */
};

/* low to high, of 16 bits */
float fuzz_between(FuzzInput *input, float low, float high);

/* Finite, within the bounds or a little beyond; now and then one that no volume may have. */
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

/* All of it within some 40 cells on a side; doubled triangles, needles, slivers, coordinates far from the
 * origin and tiny ones are among it. Each field of the configuration may have any value of its range, and in
 * one level of sixteen a value beyond it. */
void fuzz_level(FuzzInput *input, FuzzLevel *level);

/* A solid heightfield that is as fields.h says: stretches of cells that are alike, storeys, towers, holes. */
void fuzz_heightfield(WmContext *context, FuzzInput *input, WmHeightfield *field);

/* Indices are those of vertices, each polygon is convex and turns the right way round, neighbours know each
 * other. Let pass, as Recast has them too: polygons without an area, where a simplified outline is left with
 * three corners on a line; a vertex twice, where corners of an outline lie above each other; any shape where
 * the simplified outlines of the region cross or touch themselves or one another, or are turned over. */
void fuzz_check_polygons(const WmPolygonMesh *mesh, const WmContourSet *contours);

/* Submeshes follow one another and have triangles, whose corners are theirs; all heights are finite. Polygons
 * that are not sound may be without triangles. */
void fuzz_check_details(const WmPolygonMesh *mesh, const WmDetailMesh *detail, bool is_sound);

/* The tile is one that a mesh takes; it is asked there. */
void fuzz_use_tile(WmContext *context, const WmTileData *tile, uint32_t seed);

#endif
