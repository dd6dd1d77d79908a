/* Attributes that decide whether a function is inlined, and whether it is compiled for size.
 *
 * wasm/build.js compiles the files with hot loops for speed, all others for size. In both kinds of file:
 *
 *   WM_INLINE    a helper of a hot loop: always inlined
 *   WM_NOINLINE  one copy, shared by all callers
 *   WM_COLD      runs once per tile, or on failure only: never inlined, compiled for size */
#ifndef WALKMESH_BASE_INLINE_H
#define WALKMESH_BASE_INLINE_H

#define WM_INLINE static inline __attribute__((always_inline))

#define WM_NOINLINE __attribute__((noinline))

#if defined(__clang__)
#define WM_COLD __attribute__((noinline, minsize))
#else
#define WM_COLD __attribute__((noinline, cold))
#endif

#endif
