/* Marks of public headers: the headers that src/walkmesh.h includes.
 *
 * WM_PUBLIC_BEGIN and WM_PUBLIC_END enclose a header's declarations. Between them, functions have C linkage in
 * C++ too, and the shared library exports them; it hides all others (CMakeLists.txt). */
#ifndef WALKMESH_BASE_PUBLIC_H
#define WALKMESH_BASE_PUBLIC_H

#if defined(__GNUC__)
#define WM_PUBLIC_SHOW _Pragma("GCC visibility push(default)")
#define WM_PUBLIC_HIDE _Pragma("GCC visibility pop")
#else
#define WM_PUBLIC_SHOW
#define WM_PUBLIC_HIDE
#endif

#ifdef __cplusplus
#define WM_PUBLIC_BEGIN WM_PUBLIC_SHOW extern "C" {
#define WM_PUBLIC_END \
  } \
  WM_PUBLIC_HIDE
#else
#define WM_PUBLIC_BEGIN WM_PUBLIC_SHOW
#define WM_PUBLIC_END WM_PUBLIC_HIDE
#endif

#endif
