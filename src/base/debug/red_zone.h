/* Bounds of scratch arrays for AddressSanitizer; other builds compile nothing of it.
 *
 * Scratch arrays lie side by side in one block of the allocator: AddressSanitizer alone sees no bounds
 * between them. In its builds base/context.c separates them by WM_RED_ZONE_BYTES and forbids all scratch
 * memory except the requested bytes: reading or writing past an array, or after its rewind, is reported. */
#ifndef WALKMESH_BASE_RED_ZONE_H
#define WALKMESH_BASE_RED_ZONE_H

#include <stddef.h>

#if defined(__SANITIZE_ADDRESS__)
#define WM_HAS_RED_ZONES 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WM_HAS_RED_ZONES 1
#endif
#endif

#ifdef WM_HAS_RED_ZONES
#include <sanitizer/asan_interface.h>
enum { WM_RED_ZONE_BYTES = 64 };
static inline void wm_forbid_memory(const void *begin, size_t bytes) {
  __asan_poison_memory_region(begin, bytes);
}
static inline void wm_permit_memory(const void *begin, size_t bytes) {
  __asan_unpoison_memory_region(begin, bytes);
}
#else
enum { WM_RED_ZONE_BYTES = 0 };
static inline void wm_forbid_memory(const void *begin, size_t bytes) { (void)begin, (void)bytes; }
static inline void wm_permit_memory(const void *begin, size_t bytes) { (void)begin, (void)bytes; }
#endif

#endif
