/* No link leads between places that agents can step between: over holes of the mesh where the floor goes on. */
#include <math.h>

#include "link_levels.h"

static uint32_t next_random(uint32_t *seed) { return *seed = *seed * 1664525u + 1013904223u; }

static float between(uint32_t *seed, float low, float high) {
  return low + (high - low) * (float)(next_random(seed) >> 8) / 16777216.0f;
}

/* Areas on the ground: their regions leave holes of a few cells in the mesh, most often at the corners of tiles. */
enum { VOLUME_LIMIT = 4 };

typedef struct Volumes {
  WmAreaVolume volumes[VOLUME_LIMIT];
  float vertices[VOLUME_LIMIT][9];
  size_t count;
} Volumes;

static void make_volumes(uint32_t seed, Volumes *made) {
  *made = (Volumes){.count = 1 + (next_random(&seed) >> 16) % VOLUME_LIMIT};
  for (size_t i = 0; i < made->count; i++) {
    const float x = between(&seed, 6, 34), z = between(&seed, 6, 34);
    WmAreaVolume *volume = &made->volumes[i];
    float *at = made->vertices[i];
    *volume = (WmAreaVolume){.area = (uint8_t)(1 + i % 2)};
    switch ((next_random(&seed) >> 16) % 3) {
      case 0:
        volume->kind = WM_AREA_VOLUME_CYLINDER;
        volume->centre[0] = x;
        volume->centre[1] = -20;
        volume->centre[2] = z;
        volume->radius = between(&seed, 1, 8);
        volume->height = 40;
        break;
      case 1:
        volume->kind = WM_AREA_VOLUME_ROTATED_BOX;
        volume->centre[0] = x;
        volume->centre[2] = z;
        volume->half_extents[0] = between(&seed, 0.1f, 7);
        volume->half_extents[1] = 20;
        volume->half_extents[2] = between(&seed, 0.5f, 7);
        volume->yaw = between(&seed, 0, 3);
        break;
      default:
        volume->kind = WM_AREA_VOLUME_PRISM;
        for (int k = 0; k < 9; k += 3) {
          at[k] = x + between(&seed, -6, 6);
          at[k + 2] = z + between(&seed, -6, 6);
        }
        volume->vertices = at;
        volume->vertex_count = 3;
        volume->minimum[1] = -20;
        volume->maximum[1] = 20;
    }
  }
}

/* A floor of two triangles, 40 x 40, that rises along x. */
static Scene make_slope(float rise) {
  Scene scene = make_square(40);
  for (size_t i = 0; i < scene.vertex_count; i++)
    scene.positions[3 * i + 1] = rise * scene.positions[3 * i];
  return scene;
}

static LinkLevel start_floor(uint32_t seed, float rise, Volumes *volumes) {
  static const int32_t SIZES[4] = {0, 24, 48, 40};
  LinkLevel level = start_link_level();
  level.scene = make_slope(rise);
  level.config.tile_size = SIZES[seed % 4];
  level.config.partition = (int32_t)(seed / 4 % 4);
  level.config.cell_size = seed % 3 == 0 ? 0.2f : 0.25f;
  level.config.agent_radius = seed % 5 == 0 ? 0.6f : 0.4f;
  level.config.agent_max_climb = 0.5f;
  make_volumes(seed, volumes);
  level.volumes = volumes->volumes;
  level.volume_count = volumes->count;
  return level;
}

int main(void) {
  for (int part = 0; part < 3; part++) {
    const float rise = part == 0 ? 0 : part == 1 ? 0.4f : 0.8f;
    size_t levels = 0, all = 0, kinds[4] = {0};
    for (uint32_t seed = 0; seed < 300; seed++) {
      Volumes volumes;
      LinkLevel level = start_floor(seed, rise, &volumes);
      finish_link_level(&level);
      size_t count;
      WmSegmentLink *links = run_all_tiles(&level, &count);
      levels += count > 0;
      all += count;
      for (size_t i = 0; i < count; i++) {
        kinds[links[i].kind]++;
        const WmSegmentLink *l = &links[i];
        const float c = level.config.cell_size;
        if (getenv("PRINT")) printf("seed %u rise %g tile %d part %d kind %d (%g %g | %g %g) -> (%g %g | %g %g)\n", seed, rise, level.config.tile_size, level.config.partition, l->kind, l->start[0][0] / c, l->start[0][2] / c, l->start[1][0] / c, l->start[1][2] / c, l->end[0][0] / c, l->end[0][2] / c, l->end[1][0] / c, l->end[1][2] / c);
      }
      free(links);
      free_link_level(&level);
    }
    printf("rise %g: levels %zu links %zu (%zu %zu %zu %zu)\n", (double)rise, levels, all, kinds[0], kinds[1], kinds[2], kinds[3]);
  }
  return check_finish();
}
