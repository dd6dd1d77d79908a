/* Following edges across limits.
 *
 * in: jobs, each an edge and the limits it crosses; out: the carried coordinates at each crossing. A crossing
 * is interpolated between the crossing before it (or the near end) and the far end, exactly as if the
 * polygon were cut limit by limit; only the edge itself matters, so four edges go side by side in
 * the lanes. Jobs are sorted by direction and length (counting sort; lengths within a fifth share a bucket),
 * so that lanes end together. A lane that is done goes on into room nobody reads. */
#include <string.h>

#include "bake/rasterize_internal.h"

enum { EXACT_LENGTHS = 8, LENGTH_BUCKETS = 64, BUCKETS = 2 * LENGTH_BUCKETS, LANES = 4 };

/* 0..7 for lengths below 8, then four buckets an octave. */
static inline uint32_t bucket_of(const WmEdgeJob *job) {
  uint32_t bucket = job->count;
  if (bucket >= EXACT_LENGTHS) {
    const uint32_t octave = 31u - (uint32_t)__builtin_clz(job->count);
    bucket = EXACT_LENGTHS + (octave - 3) * 4 + ((job->count >> (octave - 2)) & 3);
  }
  return bucket + job->backward * LENGTH_BUCKETS;
}

/* Sorts job numbers by bucket; start[b] becomes the first of bucket b. */
static void sort_jobs(const WmEdgeJob *jobs, size_t count, uint32_t *order, uint32_t start[BUCKETS + 2]) {
  memset(start, 0, (BUCKETS + 2) * sizeof *start);
  for (size_t i = 0; i < count; i++) start[bucket_of(&jobs[i]) + 2]++;
  for (int b = 0; b <= BUCKETS; b++) start[b + 1] += start[b];
  for (size_t i = 0; i < count; i++) order[start[bucket_of(&jobs[i]) + 1]++] = (uint32_t)i;
}

typedef struct Group {
  const WmEdgeJob *job[LANES];
  uint32_t longest;
} Group;

/* Four edges on their way. */
typedef struct Walk {
  WmFloat4 near[3]; /* the last crossings: the coordinate that is cut, and those carried */
  WmFloat4 far[3];
  WmFloat4 index; /* of the next limit */
} Walk;

static inline Walk start_walk(const Group *group) {
  Walk walk;
  WmFloat4 near[4], ends[4];
  for (int lane = 0; lane < LANES; lane++) {
    near[lane] = wm_load_float4(group->job[lane]->ends);
    ends[lane] = wm_load_float4(group->job[lane]->ends + 2); /* a float too early: within the array */
  }
  wm_transpose_float4(near);
  wm_transpose_float4(ends);
  for (int k = 0; k < 3; k++) {
    walk.near[k] = near[k];
    walk.far[k] = ends[k + 1];
  }
  walk.index = (WmFloat4){(float)group->job[0]->first, (float)group->job[1]->first,
                          (float)group->job[2]->first, (float)group->job[3]->first};
  return walk;
}

/* Moves to the next crossings. */
static inline void step(Walk *walk, WmFloat4 origin, WmFloat4 cell, bool backward, int carried) {
  const WmFloat4 limit = (origin + walk->index * cell) + cell;
  const WmFloat4 near_delta = limit - walk->near[0], far_delta = limit - walk->far[0];
  const WmFloat4 share =
      backward ? far_delta / (far_delta - near_delta) : near_delta / (near_delta - far_delta);
  for (int k = 0; k <= carried; k++) {
    walk->near[k] = backward ? walk->far[k] + (walk->near[k] - walk->far[k]) * share
                             : walk->near[k] + (walk->far[k] - walk->near[k]) * share;
  }
  walk->index += wm_splat_float4(1.0f);
}

static inline void store_crossings(const Group *group, uint32_t at, WmFloat4 crossings[4], float *out) {
  wm_transpose_float4(crossings);
  for (int lane = 0; lane < LANES; lane++) wm_store_float4(out + group->job[lane]->out + at, crossings[lane]);
}

/* Forms the crossings of `groups` times four edges. One step waits for the one before (some 27 cycles, of
 * which 4 lanes use few), so two groups at a time halve the cost of long edges. `groups`, `backward` and
 * `carried` are constants where this is inlined. */
static inline void follow(const WmRasterGrid *grid, int axis, const Group *group, int groups, bool backward,
                          int carried, float *out_a, float *out_b) {
  const WmFloat4 origin = wm_splat_float4(grid->origin[axis]), cell = wm_splat_float4(grid->cell_size);
  Walk walk[2];
  uint32_t steps = 0;
  for (int g = 0; g < groups; g++) {
    walk[g] = start_walk(&group[g]);
    if (group[g].longest > steps) steps = group[g].longest;
  }
  WmFloat4 a[2][4], b[2][4];
  uint32_t at = 0;
  for (; at + 4 <= steps; at += 4) {
    for (int k = 0; k < 4; k++) {
      for (int g = 0; g < groups; g++) {
        step(&walk[g], origin, cell, backward, carried);
        a[g][k] = walk[g].near[1];
        b[g][k] = walk[g].near[2];
      }
    }
    for (int g = 0; g < groups; g++) {
      store_crossings(&group[g], at, a[g], out_a);
      if (carried == 2) store_crossings(&group[g], at, b[g], out_b);
    }
  }
  if (at < steps) {
    for (uint32_t k = 0; k < 4; k++) {
      for (int g = 0; g < groups; g++) {
        if (at + k < steps) step(&walk[g], origin, cell, backward, carried);
        a[g][k] = walk[g].near[1];
        b[g][k] = walk[g].near[2];
      }
    }
    for (int g = 0; g < groups; g++) {
      store_crossings(&group[g], at, a[g], out_a);
      if (carried == 2) store_crossings(&group[g], at, b[g], out_b);
    }
  }
  for (int i = 0; i < groups * LANES; i++) {
    const WmEdgeJob *job = group[i / LANES].job[i % LANES];
    float *out = out_a + job->out;
    out[-1] = out[0];
    out[job->count] = out[job->count - 1];
  }
}

/* Takes up to `groups` times four jobs of one bucket and gives them their places in the output. An incomplete
 * group repeats its first job, which then writes the same numbers to the same place. */
static uint32_t make_groups(WmEdgeJob *jobs, const uint32_t *order, uint32_t count, uint32_t out, int groups,
                            Group *group) {
  uint32_t longest = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (jobs[order[i]].count > longest) longest = jobs[order[i]].count;
  }
  for (uint32_t i = 0; i < (uint32_t)groups * LANES; i++) {
    WmEdgeJob *job = &jobs[order[i < count ? i : 0]];
    group[i / LANES].job[i % LANES] = job;
    group[i / LANES].longest = longest;
    if (i >= count) continue;
    job->out = out + 1;
    out += ((longest + 3) & ~3u) + 2;
  }
  return out;
}

/* Follows the jobs of one bucket. */
static inline uint32_t follow_bucket(const WmRasterGrid *grid, int axis, WmEdgeJob *jobs,
                                     const uint32_t *order, uint32_t count, uint32_t out, bool backward,
                                     int carried, float *out_a, float *out_b) {
  Group group[2];
  while (count > LANES) {
    const uint32_t taken = count < 2 * LANES ? count : 2 * LANES;
    out = make_groups(jobs, order, taken, out, 2, group);
    follow(grid, axis, group, 2, backward, carried, out_a, out_b);
    order += taken;
    count -= taken;
  }
  if (count > 0) {
    out = make_groups(jobs, order, count, out, 1, group);
    follow(grid, axis, group, 1, backward, carried, out_a, out_b);
  }
  return out;
}

size_t wm_follow_edges(const WmRasterGrid *grid, int axis, WmEdgeJob *jobs, size_t count, uint32_t *order,
                       float *out_a, float *out_b) {
  uint32_t start[BUCKETS + 2], out = 0;
  sort_jobs(jobs, count, order, start);
  for (uint32_t bucket = 0; bucket < BUCKETS; bucket++) {
    const uint32_t first = start[bucket], n = start[bucket + 1] - first;
    if (n == 0) continue;
    const uint32_t *numbers = order + first;
    if (bucket < LENGTH_BUCKETS) {
      out = out_b ? follow_bucket(grid, axis, jobs, numbers, n, out, false, 2, out_a, out_b)
                  : follow_bucket(grid, axis, jobs, numbers, n, out, false, 1, out_a, NULL);
    } else {
      out = out_b ? follow_bucket(grid, axis, jobs, numbers, n, out, true, 2, out_a, out_b)
                  : follow_bucket(grid, axis, jobs, numbers, n, out, true, 1, out_a, NULL);
    }
  }
  return out;
}
