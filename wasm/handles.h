/* The structs of the handles of bakes, dynamic meshes, link generators and switches. JavaScript writes configuration, volumes
 * and motion into them (js/runtime/layout.js has their offsets). */
#ifndef WALKMESH_WASM_HANDLES_H
#define WALKMESH_WASM_HANDLES_H

#include "bake/bake.h"
#include "dynamic/dynamic.h"
#include "dynamic/obstacles/motion.h"
#include "links/links.h"
#include "query/switches/switches.h"
#include "session.h"

/* A bake: it owns copies of its input. */
typedef struct Bake {
  Session *session;
  WmConfig config;
  WmBakeInput input; /* its arrays, and the vertices and indices in them, are blocks of the context */
  WmBaker *baker;
} Bake;

/* A dynamic mesh, and the volume and motion of the obstacle that a call is about. */
typedef struct Dynamic {
  Session *session;
  WmDynamic *dynamic;
  WmAreaVolume volume;
  WmObstacleMotion motion;
} Dynamic;

typedef struct VolumeBounds {
  float low[3], high[3];
} VolumeBounds;

/* A generator of links, and the volumes of the level that nothing passes: those of area 0. */
typedef struct LinkGenerator {
  Session *session;
  WmLinkGenerator *generator;
  float origin[2], tile_side; /* on x and z; tile_side 0: a single tile */
  size_t volume_count;
  VolumeBounds *bounds;   /* [volume_count] */
  WmAreaVolume *volumes;  /* [volume_count]; their vertices belong to the bake */
  WmAreaVolume *blocking; /* [volume_count] those at the tile that a call is about */
} LinkGenerator;

/* The switches of a mesh, and the volume of the switch that a call is about. */
typedef struct Switches {
  Session *session;
  WmSwitches *switches;
  WmSwitchVolume volume;
} Switches;

#endif
