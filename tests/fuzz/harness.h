/* Functions that all harnesses share. A harness is a function of arbitrary bytes: it must not crash, hang or
 * leak memory, and aborts the program (FUZZ_REQUIRE) if a result violates the contracts in the headers.
 * libFuzzer calls it through libfuzzer_entry.c, the push suite through tests/c/fuzz_replay_test.c. */
#ifndef WALKMESH_TESTS_FUZZ_HARNESS_H
#define WALKMESH_TESTS_FUZZ_HARNESS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mesh/links/connections.h"
#include "mesh/formats/formats.h"
#include "query/search/islands.h"

int fuzz_mesh_read(const uint8_t *bytes, size_t byte_count);
int fuzz_tile(const uint8_t *bytes, size_t byte_count);
int fuzz_mesh_edits(const uint8_t *bytes, size_t byte_count);
int fuzz_segment_links(const uint8_t *bytes, size_t byte_count);
int fuzz_shortest(const uint8_t *bytes, size_t byte_count);
int fuzz_dynamic(const uint8_t *bytes, size_t byte_count);
int fuzz_dynamic_tiles(const uint8_t *bytes, size_t byte_count);
int fuzz_dynamic_links(const uint8_t *bytes, size_t byte_count);
int fuzz_detour_cache(const uint8_t *bytes, size_t byte_count);
int fuzz_crowd(const uint8_t *bytes, size_t byte_count);
int fuzz_bake(const uint8_t *bytes, size_t byte_count);
int fuzz_stages(const uint8_t *bytes, size_t byte_count);
int fuzz_contours(const uint8_t *bytes, size_t byte_count);
int fuzz_queries(const uint8_t *bytes, size_t byte_count);
int fuzz_walks(const uint8_t *bytes, size_t byte_count);
int fuzz_motion(const uint8_t *bytes, size_t byte_count);
int fuzz_tile_graph(const uint8_t *bytes, size_t byte_count);
int fuzz_parts(const uint8_t *bytes, size_t byte_count);

typedef struct FuzzHarness {
  const char *name;
  int (*run)(const uint8_t *bytes, size_t byte_count);
} FuzzHarness;

/* All of them; the last has no name. */
extern const FuzzHarness FUZZ_HARNESSES[];

#define FUZZ_REQUIRE(condition) \
  do { \
    if (!(condition)) { \
      fprintf(stderr, "%s:%d: required: %s\n", __FILE__, __LINE__, #condition); \
      abort(); \
    } \
  } while (0)

/* A context that counts its memory. */
typedef struct FuzzMemory {
  size_t in_use, peak;
  WmContext *context;
} FuzzMemory;

void fuzz_begin(FuzzMemory *memory);

/* Destroys the context; all memory must be freed. */
void fuzz_end(FuzzMemory *memory);

/* The limit of memory that reading a file of this size may allocate. */
size_t fuzz_memory_limit(size_t file_bytes);

/* The input as a stream of small numbers; zeros after its end. */
typedef struct FuzzInput {
  const uint8_t *bytes;
  size_t left;
} FuzzInput;

static inline uint8_t fuzz_byte(FuzzInput *input) {
  if (input->left == 0) return 0;
  input->left--;
  return *input->bytes++;
}

/* 0 to count - 1, of 16 bits; count > 0 */
static inline uint32_t fuzz_below(FuzzInput *input, uint32_t count) {
  const uint32_t low = fuzz_byte(input);
  return (low | (uint32_t)fuzz_byte(input) << 8) % count;
}

/* A number of a small level, or sometimes a finite extreme one. */
float fuzz_number(FuzzInput *input);

/* Sets size and checksum of a .walkmesh file, so that later checks must detect its errors. Returns the number
 * of bytes that remain: a multiple of 8. Other files stay unchanged. */
size_t fuzz_mend_file(uint8_t *bytes, size_t byte_count);

/* Makes all kinds of queries on a mesh, which follow from the seed; results must satisfy the headers. */
void fuzz_ask(WmMesh *mesh, uint32_t seed);

/* The same in `rounds` rounds. */
void fuzz_ask_with_new_query(WmMesh *mesh, uint32_t seed, int rounds);

/* The same with a query and islands that were used before the mesh changed. */
void fuzz_ask_with(WmMesh *mesh, WmQuery *query, WmIslands *islands, uint32_t seed, int rounds);

/* Writes the mesh in all formats and reads it again: the result equals the mesh. */
void fuzz_round_trip(WmMesh *mesh);

#endif
