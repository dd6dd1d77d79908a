/* Results of calls that fail for lack of memory, at each request in turn: the object or bytes that the call makes are NULL and their
 * number 0, whatever was there before. */
#include "bake/rebuild/unpacked_tile.h"
#include "detour_cache_sets.h"
#include "dynamic/detour_cache/detour_cache.h"
#include "dynamic/state/saved_state.h"
#include "dynamic/tile_jobs.h"
#include "dynamic_world.h"
#include "grid_tiles.h"
#include "guarded_memory.h"
#include "query/search/flow_field.h"
#include "query/search/islands.h"
#include "query/switches/switches.h"
#include "walkmesh.h"

/* Arguments of the calls below. They are made while memory is available. */
static struct {
  WmContext *context;
  World world;
  WmBaker *baker; /* before the compact stage of a tile */
  uint8_t *kept, *saved;
  size_t kept_bytes, saved_bytes;
  WmQuery *query;
  WmDetourCache *cache;
  SetWriter set;
} stage;

/* The objects that a call creates. */
typedef struct Made {
  void *object, *other;
  size_t count;
} Made;

#define MAKE(name, call, destroy) \
  static WmStatus name(Made *made) { return call; } \
  static void destroy_##name(Made *made) { destroy; }

/* NOLINTNEXTLINE(bugprone-macro-parentheses): a type */
#define AS(type, member) ((type **)(void *)&made->member)

MAKE(create_mesh, wm_mesh_create(stage.context, wm_mesh_parameters(stage.world.mesh), AS(WmMesh, object)),
     wm_mesh_destroy(made->object))
MAKE(write_mesh, wm_mesh_write(stage.world.mesh, WM_FORMAT_WALKMESH, AS(uint8_t, object), &made->count),
     wm_block_free(stage.context, made->object))
MAKE(bake_mesh_at_once,
     wm_bake_mesh(stage.context, &stage.world.config, &stage.world.input, AS(WmMesh, object)),
     wm_mesh_destroy(made->object))
MAKE(create_baker,
     wm_baker_create(stage.context, &stage.world.config, &stage.world.input, AS(WmBaker, object)),
     wm_baker_destroy(made->object))
MAKE(keep_tile, wm_baker_keep_tile(stage.baker, AS(uint8_t, object), &made->count),
     wm_block_free(stage.context, made->object))
MAKE(create_query, wm_query_create(stage.context, stage.world.mesh, AS(WmQuery, object)),
     wm_query_destroy(made->object))
MAKE(create_corridor, wm_corridor_create(stage.context, stage.query, AS(WmPathCorridor, object)),
     wm_corridor_destroy(made->object))
MAKE(create_search, wm_search_create(stage.context, stage.world.mesh, AS(WmSearch, object)),
     wm_search_destroy(made->object))
MAKE(create_islands, wm_islands_create(stage.context, stage.world.mesh, AS(WmIslands, object)),
     wm_islands_destroy(made->object))
MAKE(create_flow_field, wm_flow_field_create(stage.context, stage.world.mesh, AS(WmFlowField, object)),
     wm_flow_field_destroy(made->object))
MAKE(create_costs, wm_costs_create(stage.context, stage.world.mesh, AS(WmCosts, object)),
     wm_costs_destroy(made->object))
MAKE(create_switches, wm_switches_create(stage.context, stage.world.mesh, AS(WmSwitches, object)),
     wm_switches_destroy(made->object))
MAKE(create_crowd, wm_crowd_create(stage.context, stage.world.mesh, NULL, AS(WmCrowd, object)),
     wm_crowd_destroy(made->object))
MAKE(write_dynamic, wm_dynamic_write(stage.world.dynamic, AS(uint8_t, object), &made->count),
     wm_block_free(stage.context, made->object))
MAKE(write_helper, wm_dynamic_write_helper(stage.world.dynamic, AS(uint8_t, object), &made->count),
     wm_block_free(stage.context, made->object))
MAKE(read_cache,
     wm_detour_cache_read(stage.context, stage.set.bytes, stage.set.byte_count, AS(WmDetourCache, object)),
     wm_detour_cache_destroy(made->object))
MAKE(keep_layers, wm_detour_cache_keep_tile(stage.cache, 0, 0, AS(uint8_t, object), &made->count),
     wm_block_free(stage.context, made->object))

/* Without input, since the mesh may have one dynamic mesh only. */
static WmStatus read_dynamic(Made *made) {
  return wm_dynamic_read(stage.context, stage.saved, stage.saved_bytes, AS(WmMesh, other),
                         AS(WmDynamic, object));
}

static void destroy_read_dynamic(Made *made) {
  wm_dynamic_destroy(made->object);
  wm_mesh_destroy(made->other);
}

static const struct {
  WmStatus (*make)(Made *made);
  void (*destroy)(Made *made);
  bool has_count, has_other;
} CALLS[] = {
    {create_mesh, destroy_create_mesh, false, false},
    {write_mesh, destroy_write_mesh, true, false},
    {bake_mesh_at_once, destroy_bake_mesh_at_once, false, false},
    {create_baker, destroy_create_baker, false, false},
    {keep_tile, destroy_keep_tile, true, false},
    {create_query, destroy_create_query, false, false},
    {create_corridor, destroy_create_corridor, false, false},
    {create_search, destroy_create_search, false, false},
    {create_islands, destroy_create_islands, false, false},
    {create_flow_field, destroy_create_flow_field, false, false},
    {create_costs, destroy_create_costs, false, false},
    {create_switches, destroy_create_switches, false, false},
    {create_crowd, destroy_create_crowd, false, false},
    {write_dynamic, destroy_write_dynamic, true, false},
    {write_helper, destroy_write_helper, true, false},
    {read_dynamic, destroy_read_dynamic, false, true},
    {read_cache, destroy_read_cache, false, false},
    {keep_layers, destroy_keep_layers, true, false},
};

/* The scratch memory is freed first, so that the n-th request for a block is soon one for it, too. Returns true if the call failed. */
static bool fail_one(size_t call, long n, bool of_scratch, Ration *ration) {
  Made made = {.object = &made, .other = &made, .count = 77};
  wm_context_trim(stage.context);
  if (of_scratch) scratch_requests_left = n;
  if (!of_scratch) ration->until_failure = n;
  const WmStatus status = CALLS[call].make(&made);
  scratch_requests_left = ration->until_failure = -1;
  if (!status) {
    CHECK(made.object != &made && (!CALLS[call].has_count || made.count != 77));
    CALLS[call].destroy(&made);
    return false;
  }
  CHECK_EQUAL_INT(status, WM_ERROR_OUT_OF_MEMORY);
  CHECK(made.object == NULL);
  CHECK(!CALLS[call].has_count || made.count == 0);
  CHECK(!CALLS[call].has_other || made.other == NULL);
  return true;
}

static void open_stage(WmContext *context) {
  stage.context = context;
  open_square(&stage.world, context, 2);
  WmConfig *config = &stage.world.config;
  CHECK_EQUAL_INT(wm_baker_create(context, config, &stage.world.input, &stage.baker), WM_OK);
  CHECK_EQUAL_INT(wm_baker_begin_tile(stage.baker, 0, 0, false), WM_OK);
  while (wm_baker_next_stage(stage.baker) != WM_STAGE_COMPACT)
    CHECK_EQUAL_INT(wm_baker_step(stage.baker), WM_OK);
  CHECK_EQUAL_INT(wm_query_create(context, stage.world.mesh, &stage.query), WM_OK);
  CHECK_EQUAL_INT(wm_dynamic_write(stage.world.dynamic, &stage.saved, &stage.saved_bytes), WM_OK);
  stage.set = begin_set(12, 0.5f, 0.25f, (float[3]){0, 0, 0});
  add_flat_layer(&stage.set, 0, 0, 0, 0, 63);
  CHECK_EQUAL_INT(wm_detour_cache_read(context, stage.set.bytes, stage.set.byte_count, &stage.cache), WM_OK);
}

static void close_stage(void) {
  wm_detour_cache_destroy(stage.cache);
  free(stage.set.bytes);
  wm_block_free(stage.context, stage.saved);
  wm_query_destroy(stage.query);
  wm_baker_destroy(stage.baker);
  close_world(&stage.world);
}

static void calls_without_memory_return_nothing(void) {
  Ration ration = {.until_failure = -1, .once = true};
  const WmAllocator allocator = {allocate_rationed, release_rationed, &ration};
  open_stage(wm_context_create(&allocator));
  for (size_t call = 0; call < sizeof CALLS / sizeof *CALLS; call++) {
    long failures = 0;
    for (int of_scratch = 0; of_scratch < 2; of_scratch++) {
      long n = 0;
      while (n < 500 && fail_one(call, n, of_scratch, &ration)) n++;
      failures += n;
    }
    CHECK(failures > 0);
  }
  close_stage();
  wm_context_destroy(stage.context);
}

int main(void) {
  RUN(calls_without_memory_return_nothing);
  return check_finish();
}
