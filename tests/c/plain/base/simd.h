/* Replaces src/base/simd.h for objects that two libraries share, one with SIMD instructions and one without:
 * sources that include it must be compiled for each library. */
#error "this includes base/simd.h: if it is a test, list it in WALKMESH_VECTOR_TESTS (CMakeLists.txt)"
