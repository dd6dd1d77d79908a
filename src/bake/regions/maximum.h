/* The maximum of an array of heights or distances. */
#ifndef WALKMESH_BAKE_MAXIMUM_H
#define WALKMESH_BAKE_MAXIMUM_H

#include <stdint.h>

/* 0 for an empty array. */
uint16_t wm_find_maximum(const uint16_t *values, uint32_t count);

#endif
