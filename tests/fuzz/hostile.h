/* Arguments of any kind for queries on any mesh: valid, stale and never valid polygons, positions on the
 * mesh, far from it, NaN or infinite, filters that no polygon passes or whose costs are invalid. About one
 * argument in ten must be refused. */
#ifndef WALKMESH_TESTS_FUZZ_HOSTILE_H
#define WALKMESH_TESTS_FUZZ_HOSTILE_H

#include "harness.h"
#include "query/filter.h"

typedef struct Hostile {
  WmContext *context;
  FuzzInput input;
  WmMesh *mesh;
  WmCosts *costs;
  WmRef stale; /* of a tile that was removed */
} Hostile;

/* A mesh that follows from the input: drawn tiles, or tiles that were altered until they are nearly
 * invalid. */
void fuzz_hostile_begin(Hostile *hostile, FuzzMemory *memory, const uint8_t *bytes, size_t byte_count);
void fuzz_hostile_end(Hostile *hostile);

/* Adds altered tiles to the mesh, from the input (fuzz_tile.c). */
void fuzz_add_tiles(WmMesh *mesh, FuzzInput *input);

/* A polygon, and a position on or near it. */
WmRef fuzz_ref(Hostile *hostile, float at[3]);

/* A position of its own. */
void fuzz_place(Hostile *hostile, float at[3]);

/* A length that must be finite and not negative. */
float fuzz_length(Hostile *hostile);

/* NULL, or a filter in *room. */
const WmFilter *fuzz_filter(Hostile *hostile, WmFilter *room);

bool fuzz_are_finite(const float *numbers, size_t count);

/* The status is one that queries may return; a failure has a message. */
void fuzz_require_status(const Hostile *hostile, WmStatus status);

/* The polygon exists. */
void fuzz_require_live(const Hostile *hostile, WmRef ref);

#endif
