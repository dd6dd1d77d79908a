/* The structs of the handles of bakes, dynamic meshes and switches. JavaScript writes configuration, volumes
 * and motion into them (js/runtime/layout.js has their offsets). */
#ifndef WALKMESH_WASM_HANDLES_H
#define WALKMESH_WASM_HANDLES_H

#include "bake/bake.h"
#include "dynamic/dynamic.h"
#include "dynamic/obstacles/motion.h"
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

/* The switches of a mesh, and the volume of the switch that a call is about. */
typedef struct Switches {
  Session *session;
  WmSwitches *switches;
  WmSwitchVolume volume;
} Switches;

#endif
