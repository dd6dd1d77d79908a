/* Walls around an agent: the nearest edge segments without a polygon behind them that are connected to the
 * agent over polygons within its range. They stay valid while the agent moves little and the mesh doesn't
 * change. */
#include "crowd/crowd_internal.h"
#include "mesh/locate.h"
#include "query/local/outline.h"

typedef struct Spread {
  WmAgentRecord *record;
  float from[3];
  float squared; /* of the range */
  float distances[WM_CROWD_WALLS];
  WmRef polygons[WM_CROWD_WALL_POLYGONS];
  uint32_t count;
} Spread;

/* Inserts a wall by distance; at equal distances the first one stays in front, and the farthest one is
 * dropped. */
static void add_wall(Spread *spread, const WmEdgeSegment *piece, float squared) {
  WmAgentRecord *record = spread->record;
  uint32_t at = record->wall_count;
  while (at > 0 && squared < spread->distances[at - 1]) at--;
  if (at == WM_CROWD_WALLS) return;
  if (record->wall_count < WM_CROWD_WALLS) record->wall_count++;
  for (uint32_t k = record->wall_count - 1u; k > at; k--) {
    /* NOLINTNEXTLINE(clang-analyzer-core.uninitialized.Assign): as many are set as there are walls */
    spread->distances[k] = spread->distances[k - 1];
    memcpy(record->walls[k], record->walls[k - 1], sizeof record->walls[k]);
  }
  spread->distances[at] = squared;
  float *wall = record->walls[at];
  wall[0] = piece->first[0];
  wall[1] = piece->first[2];
  wall[2] = piece->second[0];
  wall[3] = piece->second[2];
}

static void add_polygon(Spread *spread, WmRef polygon) {
  if (spread->count == WM_CROWD_WALL_POLYGONS) return;
  for (uint32_t i = 0; i < spread->count; i++) {
    if (spread->polygons[i] == polygon) return;
  }
  spread->polygons[spread->count++] = polygon;
}

void wm_crowd_find_walls(WmCrowd *crowd, size_t index, float range) {
  WmAgentRecord *record = &crowd->records[index];
  const WmMesh *mesh = wm_agent_mesh(crowd, record)->mesh;
  const float *position = crowd->positions + 3 * index;
  const float x = position[0] - record->walls_from[0], z = position[2] - record->walls_from[1];
  if (record->walls_are_valid && x * x + z * z < WM_CROWD_WALLS_MOVED_SQUARED * range * range) return;
  record->walls_are_valid = true;
  record->walls_from[0] = position[0];
  record->walls_from[1] = position[2];
  record->wall_count = 0;
  Spread spread;
  spread.record = record;
  spread.squared = range * range;
  spread.count = 0;
  memcpy(spread.from, position, sizeof spread.from);
  add_polygon(&spread, record->polygon);
  const WmFilter *filter = wm_agent_filter(crowd, record);
  for (uint32_t i = 0; i < spread.count; i++) {
    const WmMeshTile *tile = wm_mesh_tile_of(mesh, spread.polygons[i]);
    const uint32_t polygon = wm_ref_polygon(spread.polygons[i]);
    if (!tile || polygon >= tile->ground_count) continue;
    WmOutline outline = wm_outline_of(mesh, filter, tile, polygon);
    for (WmEdgeSegment piece; wm_outline_next(&outline, &piece);) {
      float t;
      const float squared = wm_distance_to_segment(spread.from, piece.first, piece.second, &t);
      if (squared > spread.squared) continue;
      if (piece.polygon == UINT32_MAX) {
        add_wall(&spread, &piece, squared);
      } else {
        add_polygon(&spread, wm_mesh_tile(mesh, piece.slot)->ref + piece.polygon);
      }
    }
  }
}
