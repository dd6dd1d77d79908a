/* Saved crowds from outside: cut, altered and invented bytes are refused as corrupt, or give a crowd that is sound. */
#include "crowd/state/saved_crowd_internal.h"
#include "crowd_scenes.h"
#include "saved_crowds.h"

enum { HEAD_BYTES = sizeof(WmSavedCrowdHead) };

static void seal(SavedCrowd saved) {
  const uint64_t sum = wm_file_checksum(saved.bytes, saved.byte_count - 8);
  memcpy(saved.bytes + saved.byte_count - 8, &sum, sizeof sum);
}

/* A few agents of all kinds in a scene, with searches that run, obstacles, filters, requests. */
static SavedCrowd make_saved(TracedCrowd *traced, WmContext *context, const Scenario *scenario, int steps) {
  open_scene(traced, context, scenario, 0);
  traced_run(traced, steps, scenario->events, scenario->variety);
  return save_crowd(traced->crowd, context);
}

static const Scenario SMALL = {"small", make_mixed, 4, 6, ALL_KINDS, ALL_EVENTS, 60, false};
static const Scenario LANES = {"lanes", make_two_lanes, 5, 8, 7, TRACED_SETTINGS | TRACED_ORDERS, 60, false};

/* Reads bytes, and continues with the crowd. Returns true if they were accepted. */
static bool try_bytes(WmContext *context, const WmMesh *mesh, SavedCrowd saved) {
  WmCrowd *crowd;
  const WmStatus status = wm_crowd_read(context, saved.bytes, saved.byte_count, &mesh, 1, &crowd);
  if (status) {
    CHECK(status == WM_ERROR_CORRUPT || status == WM_ERROR_INVALID_ARGUMENT ||
          status == WM_ERROR_OUT_OF_MEMORY);
    CHECK(crowd == NULL);
    if (status == WM_ERROR_CORRUPT) CHECK(strcmp(wm_context_error(context)->field, "file") == 0);
    return false;
  }
  CHECK(wm_crowd_validate(crowd));
  for (int i = 0; i < 4; i++) {
    CHECK_EQUAL_INT(wm_crowd_step(crowd, 0.03f, NULL), WM_OK);
    CHECK(wm_crowd_validate(crowd));
  }
  WmCrowdView view;
  WmAgentInfo info;
  wm_crowd_view(crowd, &view);
  for (size_t i = 0; i < view.count; i++) {
    CHECK_EQUAL_INT(wm_crowd_info(crowd, view.agents[i], &info), WM_OK);
    trace_agent_details(crowd, view.agents[i], &info);
  }
  const SavedCrowd again = save_crowd(crowd, context);
  free(again.bytes);
  wm_crowd_destroy(crowd);
  return true;
}

static void cut_files_are_refused(void) {
  static TracedCrowd traced;
  WmContext *context = wm_context_create(NULL);
  const SavedCrowd saved = make_saved(&traced, context, &SMALL, 30);
  CHECK(try_bytes(context, traced.mesh, saved));
  for (size_t length = 0; length < saved.byte_count; length++) {
    SavedCrowd cut = {malloc(length ? length : 1), length};
    memcpy(cut.bytes, saved.bytes, length);
    CHECK(!try_bytes(context, traced.mesh, cut));
    if (length >= HEAD_BYTES + 8 && length % 8 == 0) { /* with size and checksum of a file of this length */
      const uint64_t told = length;
      memcpy(cut.bytes + offsetof(WmSavedCrowdHead, byte_count), &told, sizeof told);
      seal(cut);
      CHECK(!try_bytes(context, traced.mesh, cut));
    }
    free(cut.bytes);
  }
  free(saved.bytes);
  close_traced(&traced);
  wm_context_destroy(context);
}

/* Each byte is changed alone: to its neighbour, to zero, to all ones; all crowds that are accepted are stepped. */
static void each_changed_byte_is_refused_or_sound(void) {
  static TracedCrowd traced;
  const Scenario *scenes[2] = {&SMALL, &LANES};
  for (int s = 0; s < 2; s++) {
    WmContext *context = wm_context_create(NULL);
    const SavedCrowd saved = make_saved(&traced, context, scenes[s], 40);
    size_t taken = 0, refused = 0;
    for (size_t at = 0; at + 8 < saved.byte_count; at++) {
      const uint8_t before = saved.bytes[at], after[] = {(uint8_t)(before + 1), 0, 0xff, before ^ 0x80};
      for (size_t k = at % (size_t)check_rounds_divisor; k < sizeof after;
           k += (size_t)check_rounds_divisor) {
        saved.bytes[at] = after[k];
        seal(saved);
        const bool is_taken = try_bytes(context, traced.mesh, saved);
        taken += is_taken;
        refused += !is_taken;
      }
      saved.bytes[at] = before;
    }
    CHECK(taken > 500 && refused > 500);
    free(saved.bytes);
    close_traced(&traced);
    wm_context_destroy(context);
  }
}

/* Words at random places become numbers that mislead. */
static void altered_files_are_refused_or_sound(void) {
  static TracedCrowd traced;
  WmContext *context = wm_context_create(NULL);
  uint32_t random = 7;
  for (uint32_t seed = 1; seed <= 8; seed++) {
    char name[32];
    const Scenario scenario = invent_scenario(seed, name, sizeof name);
    const SavedCrowd saved = make_saved(&traced, context, &scenario, 20);
    SavedCrowd altered = {malloc(saved.byte_count), saved.byte_count};
    for (int i = 0; i < CHECK_ROUNDS(1500); i++) {
      memcpy(altered.bytes, saved.bytes, saved.byte_count);
      for (uint32_t k = grid_random(&random) % 3 + 1; k > 0; k--) {
        const size_t at = HEAD_BYTES + grid_random(&random) % (saved.byte_count - HEAD_BYTES - 4);
        const uint32_t words[] = {0,          1,          UINT32_MAX, 0x7f800000,
                                  0x7fc00000, 0x4b000000, 0x7f7fffff, grid_random(&random)};
        memcpy(altered.bytes + at, &words[grid_random(&random) % 8], 4);
      }
      seal(altered);
      try_bytes(context, traced.mesh, altered);
    }
    free(altered.bytes);
    free(saved.bytes);
    close_traced(&traced);
  }
  wm_context_destroy(context);
}

/* A crowd on a mesh that isn't its own: polygons are missing, or others. */
static void crowds_of_other_meshes_are_sound(void) {
  static TracedCrowd traced, other;
  WmContext *context = wm_context_create(NULL);
  size_t taken = 0;
  for (uint32_t seed = 1; seed <= 12; seed++) {
    char name[32];
    const Scenario scenario = invent_scenario(seed, name, sizeof name);
    const Scenario another = invent_scenario(seed + 5, name, sizeof name);
    const SavedCrowd saved = make_saved(&traced, context, &scenario, 30);
    open_scene(&other, context, &another, 0);
    taken += try_bytes(context, other.mesh, saved);
    free(saved.bytes);
    close_traced(&traced);
    close_traced(&other);
  }
  CHECK_EQUAL_INT(taken, 12);
  wm_context_destroy(context);
}

static void other_files_and_numbers_of_meshes_are_named(void) {
  static TracedCrowd traced;
  WmContext *context = wm_context_create(NULL);
  SavedCrowd saved = make_saved(&traced, context, &SMALL, 5);
  const WmMesh *meshes[2] = {traced.mesh, traced.mesh};
  WmCrowd *crowd;
  WmSavedCrowdInfo info;
  CHECK_EQUAL_INT(wm_crowd_read(context, saved.bytes, saved.byte_count, meshes, 2, &crowd),
                  WM_ERROR_INVALID_ARGUMENT);
  CHECK(strcmp(wm_context_error(context)->field, "meshes") == 0 && !crowd);
  CHECK_EQUAL_INT(wm_saved_crowd_info(context, saved.bytes, saved.byte_count, &info), WM_OK);
  CHECK(info.agent_count == 6 && info.mesh_count == 1);
  static const struct {
    size_t at;
    const char *message;
  } CHANGES[] = {{0, "the file is no crowd"}, {8, "version"}, {16, "checksum"}, {200, "checksum"}};
  for (size_t i = 0; i < sizeof CHANGES / sizeof *CHANGES; i++) {
    saved.bytes[CHANGES[i].at] ^= 2;
    CHECK_EQUAL_INT(wm_crowd_read(context, saved.bytes, saved.byte_count, meshes, 1, &crowd),
                    WM_ERROR_CORRUPT);
    CHECK(strstr(wm_context_error(context)->message, CHANGES[i].message) != NULL);
    saved.bytes[CHANGES[i].at] ^= 2;
  }
  free(saved.bytes);
  close_traced(&traced);
  wm_context_destroy(context);
}

int main(void) {
  RUN(cut_files_are_refused);
  RUN(each_changed_byte_is_refused_or_sound);
  RUN(altered_files_are_refused_or_sound);
  RUN(crowds_of_other_meshes_are_sound);
  RUN(other_files_and_numbers_of_meshes_are_named);
  return check_finish();
}
