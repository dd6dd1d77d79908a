/* The entry point of libFuzzer, for the harness that the build names. */
#include "harness.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t byte_count);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t byte_count) {
  return FUZZ_HARNESS(bytes, byte_count);
}
