/* A dynamic mesh's copy of the input of its bake: volumes with their outlines, connections, flags. */
#include <string.h>

#include "dynamic/dynamic_internal.h"

/* Copies an array to an offset in the block; NULL stays NULL. */
static void *copy_array(uint8_t *block, size_t offset, const void *items, size_t byte_count) {
  if (!items) return NULL;
  if (byte_count) memcpy(block + offset, items, byte_count);
  return block + offset;
}

WmStatus wm_dynamic_copy_input(WmDynamic *dynamic, const WmBakeInput *input) {
  WmLayout layout = {0};
  const size_t volumes_at = wm_layout_add(&layout, input->volume_count, sizeof *input->volumes);
  const size_t connections_at = wm_layout_add(&layout, input->connection_count, sizeof *input->connections);
  const size_t flags_at = wm_layout_add(&layout, WM_AREA_COUNT, sizeof *input->area_flags);
  size_t outlines_at = layout.bytes;
  for (size_t i = 0; i < input->volume_count; i++) {
    const WmAreaVolume *volume = input->volumes + i;
    if (volume->kind != WM_AREA_VOLUME_PRISM || !volume->vertices) continue;
    wm_layout_add(&layout, volume->vertex_count, 3 * sizeof(float));
  }
  uint8_t *block = wm_layout_allocate(dynamic->context, &layout);
  if (!block) return WM_ERROR_OUT_OF_MEMORY;
  WmAreaVolume *volumes =
      copy_array(block, volumes_at, input->volumes, input->volume_count * sizeof *volumes);
  WmLayout outlines = {outlines_at};
  for (size_t i = 0; i < input->volume_count; i++) {
    WmAreaVolume *volume = volumes + i;
    if (volume->kind != WM_AREA_VOLUME_PRISM || !volume->vertices) {
      volume->vertices = NULL;
      volume->vertex_count = 0;
      continue;
    }
    const size_t at = wm_layout_add(&outlines, volume->vertex_count, 3 * sizeof(float));
    volume->vertices = copy_array(block, at, volume->vertices, volume->vertex_count * 3 * sizeof(float));
  }
  dynamic->input_block = block;
  dynamic->input = (WmBakeInput){
      .volumes = volumes,
      .volume_count = input->volume_count,
      .connections = copy_array(block, connections_at, input->connections,
                                input->connection_count * sizeof *input->connections),
      .connection_count = input->connection_count,
      .area_flags = copy_array(block, flags_at, input->area_flags, WM_AREA_COUNT * sizeof *input->area_flags),
      .from_kept_tiles = true};
  return WM_OK;
}
