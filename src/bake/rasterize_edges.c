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
  uint32_t steps; /* the longest, rounded up to four */
} Group;

/* Forms the crossings of four edges; `backward` and `carried` are constants where this is inlined. */
static inline void follow_group(const WmRasterGrid *grid, int axis, const Group *group, bool backward,
                                int carried, float *out_a, float *out_b) {
  const WmFloat4 origin = wm_splat_float4(grid->origin[axis]), cell = wm_splat_float4(grid->cell_size);
  WmFloat4 near[4], ends[4], index;
  for (int lane = 0; lane < LANES; lane++) {
    near[lane] = wm_load_float4(group->job[lane]->ends);
    ends[lane] = wm_load_float4(group->job[lane]->ends + 2); /* a float too early: within the array */
    index[lane] = (float)group->job[lane]->first;
  }
  wm_transpose_float4(near);
  wm_transpose_float4(ends);
  const WmFloat4 *const far = ends + 1;
  for (uint32_t step = 0; step < group->steps; step += 4) {
    WmFloat4 a[4], b[4];
    for (int k = 0; k < 4; k++) {
      const WmFloat4 limit = (origin + index * cell) + cell;
      const WmFloat4 near_delta = limit - near[0], far_delta = limit - far[0];
      if (backward) {
        const WmFloat4 share = far_delta / (far_delta - near_delta);
        for (int axis_k = 0; axis_k <= carried; axis_k++) {
          near[axis_k] = far[axis_k] + (near[axis_k] - far[axis_k]) * share;
        }
      } else {
        const WmFloat4 share = near_delta / (near_delta - far_delta);
        for (int axis_k = 0; axis_k <= carried; axis_k++) {
          near[axis_k] = near[axis_k] + (far[axis_k] - near[axis_k]) * share;
        }
      }
      index += wm_splat_float4(1.0f);
      a[k] = near[1];
      b[k] = near[2];
    }
    wm_transpose_float4(a);
    if (carried == 2) wm_transpose_float4(b);
    for (int lane = 0; lane < LANES; lane++) {
      wm_store_float4(out_a + group->job[lane]->out + step, a[lane]);
      if (carried == 2) wm_store_float4(out_b + group->job[lane]->out + step, b[lane]);
    }
  }
  for (int lane = 0; lane < LANES; lane++) {
    float *out = out_a + group->job[lane]->out;
    const uint32_t count = group->job[lane]->count;
    out[-1] = out[0];
    out[count] = out[count - 1];
  }
}

/* Takes up to four jobs of one bucket and gives them their places in the output. An incomplete group repeats
 * its first job, which then writes the same numbers to the same place. */
static uint32_t make_group(WmEdgeJob *jobs, const uint32_t *order, uint32_t count, uint32_t out,
                           Group *group) {
  uint32_t longest = 0;
  for (uint32_t lane = 0; lane < count; lane++) {
    if (jobs[order[lane]].count > longest) longest = jobs[order[lane]].count;
  }
  group->steps = (longest + 3) & ~3u;
  for (uint32_t lane = 0; lane < LANES; lane++) {
    WmEdgeJob *job = &jobs[order[lane < count ? lane : 0]];
    group->job[lane] = job;
    if (lane >= count) continue;
    job->out = out + 1;
    out += group->steps + 2;
  }
  return out;
}

void wm_follow_edges(const WmRasterGrid *grid, int axis, WmEdgeJob *jobs, size_t count, uint32_t *order,
                     float *out_a, float *out_b) {
  uint32_t start[BUCKETS + 2], out = 0;
  sort_jobs(jobs, count, order, start);
  for (uint32_t bucket = 0; bucket < BUCKETS; bucket++) {
    const bool backward = bucket >= LENGTH_BUCKETS;
    for (uint32_t i = start[bucket]; i < start[bucket + 1]; i += LANES) {
      const uint32_t left = start[bucket + 1] - i;
      Group group;
      out = make_group(jobs, order + i, left < LANES ? left : LANES, out, &group);
      if (out_b && backward) follow_group(grid, axis, &group, true, 2, out_a, out_b);
      if (out_b && !backward) follow_group(grid, axis, &group, false, 2, out_a, out_b);
      if (!out_b && backward) follow_group(grid, axis, &group, true, 1, out_a, NULL);
      if (!out_b && !backward) follow_group(grid, axis, &group, false, 1, out_a, NULL);
    }
  }
}
