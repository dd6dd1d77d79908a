/* Bytes as a file in any format: reads the mesh, queries it, writes it and reads it again. */
#include "harness.h"

int fuzz_mesh_read(const uint8_t *bytes, size_t byte_count) {
  uint8_t *file = malloc(byte_count ? byte_count : 1);
  FUZZ_REQUIRE(file);
  if (byte_count) memcpy(file, bytes, byte_count);
  const size_t mended = fuzz_mend_file(file, byte_count);
  if (mended < byte_count) {
    uint8_t *cut = realloc(file, mended); /* the exact size, for sanitizers */
    FUZZ_REQUIRE(cut);
    file = cut;
  }
  FuzzMemory memory;
  fuzz_begin(&memory);
  WmMesh *mesh = NULL;
  const WmStatus status = wm_mesh_read(memory.context, file, mended, &mesh);
  FUZZ_REQUIRE(memory.peak <= fuzz_memory_limit(mended));
  if (status) {
    FUZZ_REQUIRE(mesh == NULL && (status == WM_ERROR_CORRUPT || status == WM_ERROR_LIMIT));
    FUZZ_REQUIRE(wm_context_error(memory.context)->message[0] != 0);
    FUZZ_REQUIRE(wm_context_failure(memory.context)->status == status);
  } else {
    fuzz_ask(mesh, (uint32_t)byte_count);
    fuzz_round_trip(mesh);
    wm_mesh_destroy(mesh);
  }
  fuzz_end(&memory);
  free(file);
  return 0;
}
