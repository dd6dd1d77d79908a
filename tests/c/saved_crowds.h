/* Crowds as bytes, for tests. */
#ifndef WALKMESH_TESTS_SAVED_CROWDS_H
#define WALKMESH_TESTS_SAVED_CROWDS_H

#include "crowd/state/saved_crowd.h"

#include "crowd_trace.h"
#include "mesh/formats/formats.h"

typedef struct SavedCrowd {
  uint8_t *bytes;
  size_t byte_count;
} SavedCrowd;

/* In a block of exactly that length. */
static inline SavedCrowd save_crowd(const WmCrowd *crowd, WmContext *context) {
  SavedCrowd saved = {NULL, 0};
  uint8_t *bytes;
  CHECK_EQUAL_INT(wm_crowd_write(crowd, &bytes, &saved.byte_count), WM_OK);
  saved.bytes = malloc(saved.byte_count);
  memcpy(saved.bytes, bytes, saved.byte_count);
  wm_block_free(context, bytes);
  return saved;
}

static inline WmCrowd *load_crowd(WmContext *context, SavedCrowd saved, const WmMesh *const *meshes,
                                  size_t mesh_count) {
  WmCrowd *crowd = NULL;
  const WmStatus status = wm_crowd_read(context, saved.bytes, saved.byte_count, meshes, mesh_count, &crowd);
  if (status) printf("%s\n", wm_context_error(context)->message);
  CHECK_EQUAL_INT(status, WM_OK);
  return crowd;
}

static inline bool are_equal_bytes(SavedCrowd a, SavedCrowd b) {
  return a.byte_count == b.byte_count && memcmp(a.bytes, b.bytes, a.byte_count) == 0;
}

/* All that callers see of both crowds. */
static inline bool do_the_same(const WmCrowd *a, const WmCrowd *b) {
  WmCrowdView one, other;
  wm_crowd_view(a, &one);
  wm_crowd_view(b, &other);
  if (one.count != other.count || wm_crowd_hash(a) != wm_crowd_hash(b)) return false;
  if (one.count == 0) return true;
  const size_t floats = one.count * sizeof(float);
  return memcmp(one.positions, other.positions, 3 * floats) == 0 &&
         memcmp(one.previous_positions, other.previous_positions, 3 * floats) == 0 &&
         memcmp(one.velocities, other.velocities, 3 * floats) == 0 &&
         memcmp(one.headings, other.headings, 2 * floats) == 0 &&
         memcmp(one.states, other.states, one.count) == 0 &&
         memcmp(one.reasons, other.reasons, one.count) == 0 &&
         memcmp(one.agents, other.agents, one.count * sizeof(WmAgent)) == 0;
}

#endif
