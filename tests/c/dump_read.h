/* Reads golden stage dumps (tests/golden/README.md) into the fields of src/bake/fields.h, so that a stage can
 * be tested on the arrays of the golden dump of the previous stage. Blocks belong to the context. */
#ifndef WALKMESH_TESTS_DUMP_READ_H
#define WALKMESH_TESTS_DUMP_READ_H

#include "stage_dump.h"
#include "bake/compact/links.h"

/* The whole file as a malloc'ed block, or NULL (byte_count 0) if it is missing. */
WmBytes read_file(const char *path);

/* `grid` has width, depth, cells and bounds, which a dump doesn't contain. */
WmHeightfield read_heightfield(WmContext *context, WmBytes dump, const WmGrid *grid);

/* With all links; areas as in the dump (before erosion; copy areas_eroded over span_area after). */
WmCompactHeightfield read_compact(WmContext *context, WmBytes dump, const WmGrid *grid,
                                  int32_t walkable_height, int32_t walkable_climb);
WmContourSet read_contours(WmContext *context, WmBytes dump, const WmGrid *grid, float max_error);
WmPolygonMesh read_polygon_mesh(WmContext *context, WmBytes dump, const WmGrid *grid, float max_error);
WmDetailMesh read_detail_mesh(WmContext *context, WmBytes dump);

#endif
