/* How much longer ways are than straight lines: between houses and walls half as long again, on open ground hardly. A search
 * that estimates the rest of a way by its straight line only visits many entrances that lead nowhere.
 *
 * Some pairs of entrances of the largest part of each block of 16 x 16 tiles are a sample. Their ratios of cost to the lower bound of the straight
 * line are counted in a histogram, whose buckets are floats with the same exponent and upper BUCKET_BITS bits. */
#include "query/tile_graph/tile_graph_internal.h"

enum { SAMPLE_LEVEL = 2, SAMPLE_SIDE = 8, SAMPLE_MINIMUM = 16, BUCKET_BITS = 6, BUCKET_OCTAVES = 12 };
enum {
  BUCKET_SHIFT = 23 - BUCKET_BITS,
  BUCKET_COUNT = BUCKET_OCTAVES << BUCKET_BITS,
  FIRST_BUCKET = 0x3f800000 >> BUCKET_SHIFT
};

/* Tiles between the entrances of a pair, at least. */
#define FAR_TILES 4

/* The share of the ratios that may be smaller than the result. Tuned in open country, a dense town and fields (bench/long-world.js): a
 * search in the town visits two thirds of the entrances that it visits without the factor, and one way in twenty costs 1 % more than the
 * cheapest of the graph; at 0.45 that is 2.5 %. */
#define SMALL_SHARE 0.35f

/* The share where costs differ. Ways along cheap ground are few in the sample, but all long ways lead there: with roads that cost a
 * twentieth, every fourth tile, one way in twenty cost a tenth more than the cheapest of the graph at 0.2, and at most 1.4 times as
 * much; at 0.01 a hundredth, and at most 1.1 times. Searches visit two to five times the entrances, fewer than without the factor. */
#define SMALL_SHARE_OF_DIFFERENT 0.01f

float wm_graph_least_cost(const WmTileGraph *graph) {
  float least = 1;
  for (int i = 0; i < 64; i++) least = fminf(least, graph->filter.area_costs[i]);
  return least * wm_graph_least_connection_cost(graph);
}

/* True if all ground and all connections cost the same. */
static bool are_costs_equal(const WmTileGraph *graph) {
  const float first = graph->filter.area_costs[0];
  for (int i = 1; i < 64; i++) {
    if (graph->filter.area_costs[i] != first) return false;
  }
  return wm_graph_least_connection_cost(graph) == 1;
}

/* The bucket of a ratio; those below 1 are in the first one, because costs are rounded. */
static uint32_t find_bucket(float ratio) {
  uint32_t bits;
  memcpy(&bits, &ratio, sizeof bits);
  if (!(ratio > 1)) return 0;
  const uint32_t bucket = (bits >> BUCKET_SHIFT) - FIRST_BUCKET;
  return bucket < BUCKET_COUNT ? bucket : BUCKET_COUNT - 1;
}

/* The smallest ratio of a bucket. */
static float find_ratio(uint32_t bucket) {
  const uint32_t bits = (bucket + FIRST_BUCKET) << BUCKET_SHIFT;
  float ratio;
  memcpy(&ratio, &bits, sizeof ratio);
  return ratio;
}

/* Counts the pairs of a block.
 * in/out     counts [BUCKET_COUNT]
 * returns    the number of pairs */
static uint32_t count_pairs(const WmTileGraph *graph, const WmCluster *block, float least, uint32_t *counts) {
  const uint32_t *list = wm_graph_list(graph, block);
  const uint32_t count = block->part_count > 0 ? list[block->count] : 0; /* of the largest part */
  const uint32_t side = count < SAMPLE_SIDE ? count : SAMPLE_SIDE;
  const float far = FAR_TILES * fminf(graph->tile_size[0], graph->tile_size[1]);
  uint32_t pairs = 0;
  for (uint32_t i = 0; i < side; i++) {
    for (uint32_t j = 0; j < i; j++) {
      const uint32_t a = i * count / side, b = j * count / side;
      const float distance =
          wm_distance(wm_graph_entrance(graph, list[a])->point, wm_graph_entrance(graph, list[b])->point);
      const float cost = wm_graph_cost(graph, block, a, b);
      if (!(distance >= far) || !(cost < INFINITY)) continue;
      counts[find_bucket(cost / (distance * least))]++;
      pairs++;
    }
  }
  return pairs;
}

void wm_graph_find_detour(WmTileGraph *graph) {
  uint32_t counts[BUCKET_COUNT] = {0}, pairs = 0;
  const float least = wm_graph_least_cost(graph);
  graph->detour = 1;
  if (!(least > 0)) return;
  for (uint32_t i = 0; i < graph->cluster_count; i++) {
    const WmCluster *cluster = wm_graph_clusters(graph) + i;
    if (cluster->level == SAMPLE_LEVEL) pairs += count_pairs(graph, cluster, least, counts);
  }
  if (pairs < SAMPLE_MINIMUM) return;
  const float share = are_costs_equal(graph) ? SMALL_SHARE : SMALL_SHARE_OF_DIFFERENT;
  uint32_t bucket = 0;
  for (uint32_t below = counts[0]; (float)below < share * (float)pairs; below += counts[bucket]) bucket++;
  graph->detour = find_ratio(bucket);
}
