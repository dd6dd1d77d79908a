/* See harness.h. */
#include "harness.h"

#include <malloc.h>

static void *allocate_counted(void *user, size_t bytes) {
  FuzzMemory *memory = user;
  void *block = malloc(bytes);
  if (!block) return NULL;
  memory->in_use += malloc_usable_size(block);
  if (memory->in_use > memory->peak) memory->peak = memory->in_use;
  return block;
}

static void release_counted(void *user, void *block) {
  ((FuzzMemory *)user)->in_use -= malloc_usable_size(block);
  free(block);
}

void fuzz_begin(FuzzMemory *memory) {
  *memory = (FuzzMemory){0};
  const WmAllocator allocator = {allocate_counted, release_counted, memory};
  memory->context = wm_context_create(&allocator);
  FUZZ_REQUIRE(memory->context);
}

void fuzz_end(FuzzMemory *memory) {
  wm_context_destroy(memory->context);
  FUZZ_REQUIRE(memory->in_use == 0);
}

size_t fuzz_memory_limit(size_t file_bytes) { return 192 * file_bytes + (768 << 10); }

float fuzz_number(FuzzInput *input) {
  static const float EXTREMES[] = {0.0f, -0.0f, 1e-40f, 1e-20f, 1e-6f, 1e4f, 1e6f, 1e9f, -1e9f, 0.01f};
  const uint8_t kind = fuzz_byte(input);
  if (kind >= 224) return EXTREMES[kind % (sizeof EXTREMES / sizeof *EXTREMES)];
  return (float)((int32_t)fuzz_below(input, 4096) - 1024) * (kind & 1 ? 0.25f : 0.013f);
}

size_t fuzz_mend_file(uint8_t *bytes, size_t byte_count) {
  if (byte_count < 32 || wm_format_detect(bytes, byte_count) != WM_FORMAT_WALKMESH) return byte_count;
  byte_count &= ~(size_t)7;
  const uint64_t size = byte_count;
  memcpy(bytes + 16, &size, sizeof size);
  uint64_t sum = UINT64_C(0x9e3779b97f4a7c15);
  for (size_t i = 0; i + 8 < byte_count; i += 8) {
    uint64_t word;
    memcpy(&word, bytes + i, sizeof word);
    sum = (sum ^ word) * UINT64_C(0xd6e8feb86659fd93);
    sum ^= sum >> 32;
  }
  memcpy(bytes + byte_count - 8, &sum, sizeof sum);
  return byte_count;
}

/* The data about the mesh that all formats store, and the configuration, which .walkmesh stores. */
static void require_same_mesh(const WmMesh *mesh, const WmMesh *copy, int format) {
  WmMeshTotals totals[2];
  size_t lengths[2];
  wm_mesh_totals(mesh, &totals[0]);
  wm_mesh_totals(copy, &totals[1]);
  FUZZ_REQUIRE(totals[0].tiles == totals[1].tiles && totals[0].polygons >= totals[1].polygons);
  if (format != WM_FORMAT_WALKMESH) return;
  const char *texts[2] = {wm_mesh_configuration(mesh, &lengths[0]), wm_mesh_configuration(copy, &lengths[1])};
  FUZZ_REQUIRE(lengths[0] == lengths[1]);
  if (lengths[0]) FUZZ_REQUIRE(memcmp(texts[0], texts[1], lengths[0]) == 0);
  FUZZ_REQUIRE(totals[0].polygons == totals[1].polygons && totals[0].connections == totals[1].connections);
  FUZZ_REQUIRE(wm_mesh_parameters(mesh)->tile_width == wm_mesh_parameters(copy)->tile_width);
}

void fuzz_round_trip(WmMesh *mesh) {
  WmContext *context = wm_mesh_context(mesh);
  for (int format = WM_FORMAT_WALKMESH; format <= WM_FORMAT_SET_WIDE; format++) {
    uint8_t *bytes, *again;
    size_t byte_count, again_count;
    const WmStatus written = wm_mesh_write(mesh, (WmFormat)format, &bytes, &byte_count);
    FUZZ_REQUIRE(!written || (written == WM_ERROR_LIMIT && format != WM_FORMAT_WALKMESH));
    if (written) continue;
    WmMesh *copy = NULL;
    const WmStatus read = wm_mesh_read(context, bytes, byte_count, &copy);
    /* A single tile may lie so far away in its grid that its own bounds don't determine the grid's origin. */
    FUZZ_REQUIRE(!read || format == WM_FORMAT_TILE);
    if (!read) {
      FUZZ_REQUIRE(wm_mesh_tile_count(copy) == wm_mesh_tile_count(mesh));
      require_same_mesh(mesh, copy, format);
      FUZZ_REQUIRE(!wm_mesh_write(copy, (WmFormat)format, &again, &again_count));
      FUZZ_REQUIRE(again_count == byte_count && memcmp(again, bytes, byte_count) == 0);
      wm_block_free(context, again);
      wm_mesh_destroy(copy);
    }
    wm_block_free(context, bytes);
  }
}
