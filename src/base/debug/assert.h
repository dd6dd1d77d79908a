/* Checks of our own invariants, in builds that are made to find defects.
 *
 * Active where WM_ASSERTS is 1: CMakeLists.txt defines it for CMAKE_BUILD_TYPE=Debug, WALKMESH_SANITIZE and
 * WALKMESH_FUZZ; NDEBUG has no effect. Everywhere else, also in the WebAssembly modules, the compiler checks
 * the condition's syntax, never evaluates it and emits no code.
 *
 * An assertion states what this library guarantees to itself. Arguments of public functions and bytes from
 * outside are checked by ordinary code in every build, which returns a status.
 *
 * Each stage's result has a function `bool wm_..._validate(const Wm... *)`, declared beside the result. It
 * checks every invariant that the header states, without side effects, and may take as long as the stage.
 * The function that completes the result calls it last, and only on success:
 *
 *   WM_VALIDATE(wm_compact_heightfield_validate(compact));
 *
 * A function that keeps an object valid, but may be given an invalid one (a mesh read from hostile bytes, a
 * corridor whose mesh has changed), checks it before and after:
 *
 *   const bool was_linked = WM_WAS_VALID(wm_corridor_validate_links(corridor));
 *   ...
 *   WM_VALIDATE(!was_linked || wm_corridor_validate_links(corridor));
 *
 * Tests call wm_..._validate itself, in every build. */
#ifndef WALKMESH_BASE_ASSERT_H
#define WALKMESH_BASE_ASSERT_H

/* Prints the condition with its place and aborts. Only builds with WM_ASSERTS define it. */
_Noreturn void wm_assertion_failed(const char *condition, const char *file, int line);

#if defined(WM_ASSERTS) && WM_ASSERTS
#define WM_ASSERT(condition) ((condition) ? (void)0 : wm_assertion_failed(#condition, __FILE__, __LINE__))
#else
#define WM_ASSERT(condition) ((void)(0 && (condition)))
#endif

/* WM_ASSERT for checks of whole results: the name tells a reader which of them take long. */
#define WM_VALIDATE(is_valid) WM_ASSERT(is_valid)

/* The value of the check in builds with WM_ASSERTS; false elsewhere, where it is not evaluated. */
#if defined(WM_ASSERTS) && WM_ASSERTS
#define WM_WAS_VALID(is_valid) (is_valid)
#else
#define WM_WAS_VALID(is_valid) (0 && (is_valid))
#endif

#endif
