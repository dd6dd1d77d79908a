/* What the compiler must inline, and what it must not spend bytes on.
 *
 * The module is compiled for size except for the files whose loops are hot (wasm/build.js lists them). A
 * helper of a hot loop that has to be inlined in either kind of file is WM_INLINE; a function of a hot
 * file that runs once a tile, or on failure only, is WM_COLD; one whose callers shall share one copy is
 * WM_NOINLINE. */
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
