/* What the handle of a bake is. */
#ifndef WALKMESH_WASM_BAKE_HANDLE_H
#define WALKMESH_WASM_BAKE_HANDLE_H

#include "bake/bake.h"
#include "session.h"

typedef struct Bake {
  Session *session;
  WmConfig config;
  WmBakeInput input; /* its arrays, and the vertices and indices in them, are blocks of the context */
  WmBaker *baker;
} Bake;

#endif
