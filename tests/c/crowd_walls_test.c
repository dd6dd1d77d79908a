/* Walls around agents (crowd/avoidance/walls.c) against a flood over all polygons that sorts every wall. */
#include "crowd/crowd_internal.h"
#include "crowd_worlds.h"
#include "mesh/locate.h"
#include "query/local/outline.h"

enum { WALL_LIMIT = 512, POLYGON_LIMIT = 256 };

typedef struct Wall {
  float ends[4], squared;
} Wall;

typedef struct Flood {
  WmRef polygons[POLYGON_LIMIT];
  Wall walls[WALL_LIMIT];
  int polygon_count, wall_count;
} Flood;

static void add_polygon(Flood *flood, WmRef polygon) {
  for (int i = 0; i < flood->polygon_count; i++) {
    if (flood->polygons[i] == polygon) return;
  }
  CHECK(flood->polygon_count < POLYGON_LIMIT);
  flood->polygons[flood->polygon_count++] = polygon;
}

/* Before the first wall that is farther away, so that equal distances stay in the order of the flood. */
static void add_wall(Flood *flood, const WmEdgeSegment *piece, float squared) {
  int at = 0;
  while (at < flood->wall_count && flood->walls[at].squared <= squared) at++;
  CHECK(flood->wall_count < WALL_LIMIT);
  memmove(&flood->walls[at + 1], &flood->walls[at], (size_t)(flood->wall_count++ - at) * sizeof(Wall));
  flood->walls[at] = (Wall){{piece->first[0], piece->first[2], piece->second[0], piece->second[2]}, squared};
}

static void find_all(const WmMesh *mesh, const WmFilter *filter, WmRef start, const float from[3],
                     float range, Flood *flood) {
  flood->polygon_count = flood->wall_count = 0;
  add_polygon(flood, start);
  for (int i = 0; i < flood->polygon_count; i++) {
    const WmMeshTile *tile = wm_mesh_tile_of(mesh, flood->polygons[i]);
    WmOutline outline = wm_outline_of(mesh, filter, tile, wm_ref_polygon(flood->polygons[i]));
    for (WmEdgeSegment piece; wm_outline_next(&outline, &piece);) {
      float t;
      const float squared = wm_distance_to_segment(from, piece.first, piece.second, &t);
      if (squared > range * range) continue;
      if (piece.polygon == UINT32_MAX) {
        add_wall(flood, &piece, squared);
      } else {
        add_polygon(flood, wm_mesh_tile(mesh, piece.slot)->ref + piece.polygon);
      }
    }
  }
}

static void the_nearest_walls_are_found(void) {
  int full = 0, partial = 0;
  for (uint32_t seed = 1; seed <= 6; seed++) {
    WmContext *context = wm_context_create(NULL);
    WmMesh *mesh = make_grid_mesh(context);
    add_block(mesh, 0, 0, 3, 3, seed);
    WmCrowd *crowd = make_crowd(context, mesh);
    uint32_t random = seed;
    for (size_t i = 0; i < 60; i++) {
      (void)add_agent(crowd, crowd_random(&random, 0, 24), crowd_random(&random, 0, 24), NULL);
      WmAgentRecord *record = &crowd->records[i];
      if (!record->polygon) continue;
      const float range = crowd_random(&random, 0.5f, 9);
      static Flood flood;
      find_all(mesh, wm_agent_filter(crowd, record), record->polygon, crowd->positions + 3 * i, range,
               &flood);
      if (flood.polygon_count > WM_CROWD_WALL_POLYGONS) continue;
      record->walls_are_valid = false;
      wm_crowd_find_walls(crowd, i, range);
      const bool is_full = flood.wall_count > WM_CROWD_WALLS;
      CHECK_EQUAL_INT(record->wall_count, is_full ? WM_CROWD_WALLS : flood.wall_count);
      for (uint32_t k = 0; k < record->wall_count; k++) {
        CHECK(memcmp(record->walls[k], flood.walls[k].ends, sizeof record->walls[k]) == 0);
      }
      *(is_full ? &full : &partial) += 1;
    }
    wm_crowd_destroy(crowd);
    wm_mesh_destroy(mesh);
    wm_context_destroy(context);
  }
  CHECK(full >= 10 && partial > 100);
}

/* Walls are found again once the agent has moved by a quarter of the range. */
static void walls_stay_while_an_agent_moves_little(void) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_field(context, 1);
  WmCrowd *crowd = make_crowd(context, mesh);
  (void)add_agent(crowd, 2, 2, NULL);
  const float range = 4;
  for (int axis = 0; axis < 3; axis += 2) {
    for (int i = 0; i < 2; i++) {
      WmAgentRecord *record = &crowd->records[0];
      crowd->positions[0] = crowd->positions[2] = 2;
      record->walls_are_valid = false;
      wm_crowd_find_walls(crowd, 0, range);
      CHECK(record->wall_count > 0 && record->walls_are_valid);
      record->walls[0][0] = 77;
      crowd->positions[axis] += i == 0 ? 0.99f : 1.01f;
      wm_crowd_find_walls(crowd, 0, range);
      CHECK_EQUAL_INT(record->walls[0][0] == 77, i == 0);
      CHECK(record->walls_from[axis / 2] == (i == 0 ? 2 : 3.01f));
      CHECK(record->walls_from[1 - axis / 2] == 2);
    }
  }
  wm_crowd_destroy(crowd);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

int main(void) {
  RUN(the_nearest_walls_are_found);
  RUN(walls_stay_while_an_agent_moves_little);
  return check_finish();
}
